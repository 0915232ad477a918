"""The page of blobs: the numbers of its inspector, its experiments and lessons as they are told, and all settings."""

import re
from itertools import product

import numpy as np
import pytest

from lessons.data.columns import AXES
from lessons.own.points import OwnPoints
from lessons.own.store import keep_own
from lessons.topics.gibbs_blobs import GibbsBlobsSettings
from pages.lesson.lessons import library
from pages.scenes.close_up import four_beats
from pages.scenes.points import panels
from pages.scenes.points.run import means_of
from pages.scenes.points.scene import MixtureScene
from pages.topics.gibbs_blobs import invariants
from pages.topics.gibbs_blobs.chains import scene_of
from pages.topics.gibbs_blobs.experiments import EXPERIMENTS, SEED, settings_of
from samplers import Chain
from samplers.diagnostics.convergence import diagnose, error_to_truth, partition_ids
from samplers.diagnostics.label_switching import summaries, without_names
from samplers.mixtures.exact_labellings import exact_finite_mixture
from tests.pages.html import charts, rows, words
from tests.pages.scenes.points.support import cards_of
from tests.pages.visits import buttons, follow, head, inspector, zoom

TOPIC = "gibbs_blobs.py"
LESSONS = library().for_stage("gibbs_blobs")
STEPS = [(lesson, step) for lesson in LESSONS for step in lesson.steps]
SETTINGS = {
    "collapsed": GibbsBlobsSettings(points=30, class_prior=2.0),
    "uncollapsed": GibbsBlobsSettings(points=30, blocks="uncollapsed"),
    "multinomial": GibbsBlobsSettings(points=30, components="multinomial", blocks="uncollapsed"),
    "CRP": GibbsBlobsSettings(points=30, model="CRP"),
    "known": GibbsBlobsSettings(data="seven_points", number=2, blocks="uncollapsed", family="known"),
    "line": GibbsBlobsSettings(data="seven_points", number=2, blocks="uncollapsed"),
}
HUMPS = GibbsBlobsSettings(data="two_humps", points=16, number=2, family="known", class_prior=2.0, blocks="uncollapsed")


def scene(settings: GibbsBlobsSettings, sweeps: int = 40, seed: int = 5) -> MixtureScene:
    made = scene_of(settings, seed)
    for run in made.runs:
        run.grow(sweeps, seconds=20)
    return made


# ---- the four cards --------------------------------------------------------------------------------------------------


def worth(terms: str) -> float:
    """Compute "(14 + 1) / (29 + 3) · 0.31" as it stands on the screen."""
    plain = terms.replace("·10 −", "e-").replace("·10 ", "e").replace("·", "*")
    assert re.fullmatch(r"[-\d. e+()*/]+", plain)
    return float(eval(plain))


@pytest.mark.parametrize("name", SETTINGS)
def test_the_numbers_under_score_make_the_probabilities(name):
    made = scene(SETTINGS[name])
    for beat in (beat for beat in made.runs[0].close_up(4) if not beat.is_block):
        law = beat.update.conditional
        shown = rows(cards_of(made, beat))
        assert len(shown) == len(law.probabilities)
        there, fit = (np.exp(values) for values in law.terms.values())
        bottom = {"collapsed": 29 + 3 * 2.0, "CRP": 29 + 0.2}.get(name, 1.0)
        for i, (_, terms, probability) in enumerate(shown):
            assert worth(terms) == pytest.approx(there[i] / bottom * fit[i], rel=0.012, abs=1e-300)
            assert float(probability) == pytest.approx(law.probabilities[i], abs=6e-4)


@pytest.mark.parametrize("name", SETTINGS)
def test_forget_and_remember_have_the_counts(name):
    made = scene(SETTINGS[name])
    for beat in (beat for beat in made.runs[0].close_up(4) if not beat.is_block):
        text, point = words(cards_of(made, beat)), beat.update.site
        left, joined = beat.before.labels[point], beat.after.labels[point]
        there = beat.before.labels.count(left)
        assert f"Point {point + 1} is lifted out of component {left + 1}." in text
        if name != "CRP":
            assert f"Its count: {there} → {there - 1}." in text
            now = beat.after.labels.count(joined)
            assert f"Point {point + 1} joins component {joined + 1}, which has {now} now." in text
        assert "table" not in text, "here they are components"
        assert ("Weights and parameters stay as they are" in text) == (SETTINGS[name].blocks == "uncollapsed")


@pytest.mark.parametrize("name", ["uncollapsed", "multinomial", "known", "line"])
def test_blocks_are_told_with_their_numbers(name):
    made = scene(SETTINGS[name])
    weights, parameters = list(made.runs[0].close_up(4))[-2:]
    text = words("".join(made.model.block(weights)))
    for count, weight in zip(weights.before.counts, weights.after.weights, strict=True):
        assert f" {count + 1} " in text
        assert f"{weight:.3f}" in text
    text = words("".join(made.model.block(parameters))).replace("−", "-")
    for law in parameters.after.parameters:
        for number in law.probabilities if name == "multinomial" else law.mean:
            assert f"{number:.{3 if name == 'multinomial' else 2}f}" in text
    assert "Not yet" in words(four_beats(made.model.block(parameters), 2))


# ---- panels ----------------------------------------------------------------------------------------------------------


def tables(html: str) -> list[str]:
    return re.findall(r"<table.*?</table>", html, re.DOTALL)


def cells(html: str) -> dict[str, list[str]]:
    found = re.findall(r"<tr[^>]*>(.*?)</tr>", html, re.DOTALL)
    lines = [[words(cell) for cell in re.findall(r"<td[^>]*>(.*?)</td>", row, re.DOTALL)] for row in found[1:]]
    return {line[0]: line[1:] for line in lines}


@pytest.mark.parametrize("second", ["none", "seed", "multinomial"])
def test_the_diagnoses_of_switching_are_those_of_the_chains(second):
    made = scene(HUMPS.model_copy(update={"second": second}), 200)
    html = invariants.switching(made, 200)
    runs = made.runs[: 2 if second == "seed" else 1]
    by_name, whatever = map(cells, tables(html))
    assert set(by_name) == {"mean of 1", "mean of 2"}
    means = [[run.state(t).parameters[0].mean[0] for t in range(101, 201)] for run in runs]
    sizes = [[max(run.state(t).counts) for t in range(101, 201)] for run in runs]
    for line, draws in ((by_name["mean of 1"], means), (whatever["points of the largest"], sizes)):
        found = diagnose(np.array(draws, float))
        assert float(line[0]) == pytest.approx(found.ess_bulk, abs=0.51)
        assert float(line[1]) == pytest.approx(found.rhat, abs=6e-4)
        assert float(line[2].replace("−", "-").partition(" ± ")[0]) == pytest.approx(np.mean(draws), rel=1e-3)
    pair = invariants.far_apart(made.data, 0)
    together = np.mean([[labels[pair[0]] == labels[pair[1]] for labels in run.labels[101:201]] for run in runs])
    line = whatever[f"P(points 1 and {pair[1] + 1} together)"]
    assert float(line[2].partition(" ± ")[0]) == pytest.approx(together, rel=1e-3)
    assert ("2 chains, sweeps 101 to 200" in html) == (second == "seed")


def test_relabelling_changes_what_is_asked_by_name_alone():
    settings = [HUMPS.model_copy(update={"relabel": relabel}) for relabel in ("off", "by mean", "by overlap")]
    names, whatever = zip(*(tables(invariants.switching(scene(each, 200), 200)) for each in settings), strict=True)
    assert len(set(whatever)) == 1
    assert len(set(names)) == 3


def test_a_crp_has_no_components_by_name():
    by_name, whatever = map(cells, tables(invariants.switching(scene(SETTINGS["CRP"]), 40)))
    assert by_name == {}
    assert "components in use" in whatever


@pytest.mark.parametrize("blocks", ["collapsed", "uncollapsed"])
def test_the_truth_is_that_of_all_labellings(blocks):
    settings = GibbsBlobsSettings(data="seven_points", number=3, blocks=blocks, class_prior=0.5)
    made = scene(settings, 100)
    html = panels.truth(made, 100, listed="label the points")
    exact = without_names(exact_finite_mixture(made.data, settings.prior(made.data, "gaussian"), 3, 0.5))
    bars = charts(html)[0]["sets"]["bars"]
    assert [bar["exact"] for bar in bars] == pytest.approx(exact.table_counts[1:].tolist())
    error = error_to_truth(partition_ids(made.runs[0].labels[1:101]), exact.probabilities, 100)
    assert f"total variation distance over 877 groupings is {error:.3f};" in html


def test_too_many_labellings_are_not_listed():
    made = scene(GibbsBlobsSettings(data="seven_points", number=5), 20)
    assert made.exact is None
    assert "every way to label the points" in panels.truth(made, 20, listed="label the points")


# ---- what is told ----------------------------------------------------------------------------------------------------


def chain_of(lesson: str, step: str, **changes) -> Chain:
    own, found = next(pair for pair in STEPS if (pair[0].id, pair[1].id) == (lesson, step))
    return Chain(own.settings_for(found).model_copy(update=changes).sampler(), own.seed_for(found))


def blobs_in(name: str, t: int) -> np.ndarray:
    """Return how many points of each blob (row) each component (column) has."""
    settings = settings_of(name)
    labels = np.array(Chain(settings.sampler(), SEED)[t].labels)
    truth = settings.dataset().labels
    return np.array([np.bincount(labels[truth == blob], minlength=6) for blob in range(3)])


def test_experiment_one_nearly_all_in_one_class_and_then_the_way_out():
    largest = [blobs_in("Multinomial, K = 2", t).sum(axis=0).max() for t in (0, 1, 10, 100)]
    assert largest[0] < 70
    assert largest[1] > 115
    assert largest[2] < 85
    near, far, other = blobs_in("Multinomial, K = 2", 100)
    assert (near + far).max() > 75, "the two in one direction are together"
    assert (near + far).argmax() != other.argmax()


def test_it_takes_blindly_drawn_parameters_for_that():
    """Of 20 seeds none has such a landslide from random labels, collapsed or not."""
    for blocks in ("collapsed", "uncollapsed"):
        settings = settings_of("Multinomial, K = 2").model_copy(update={"start": "random", "blocks": blocks})
        assert max(max(Chain(settings.sampler(), seed)[1].counts) for seed in range(20)) < 85


def test_experiment_two_splits_one_direction_and_never_the_near_from_the_far():
    cuts = []
    for t in range(40, 120, 4):
        near, far, other = blobs_in("Multinomial, K = 3", t)
        assert near.argmax() == far.argmax()
        cuts.append(tuple(np.sort(other)[::-1][:2]))
    assert min(smaller for _, smaller in cuts) >= 3, "the third component holds on to a part of a group"
    assert len(set(cuts)) > 8, "the cut wanders"


@pytest.mark.parametrize("name", ["Gaussian, K = 3", "CRP"])
def test_experiments_three_and_four_find_the_blobs(name):
    found = blobs_in(name, 100)
    assert sorted(found.argmax(axis=1).tolist()) == [0, 1, 2] or name == "CRP"
    assert len(set(found.argmax(axis=1).tolist())) == 3
    assert found.max(axis=1).sum() >= 116


def test_the_crp_finds_mostly_three():
    settings = settings_of("CRP")
    chain = Chain(settings.sampler(), SEED)
    counts = np.bincount([len(chain[t].counts) for t in range(50, 201)])
    assert counts.argmax() == 3


@pytest.mark.told
def test_the_recipe_is_as_it_is_told():
    chain = chain_of("blobs-recipe", "recipe")
    start, first = chain[0], chain.record(1)[0]
    assert (start.labels[0], start.counts) == (2, [14, 8, 8])
    assert np.exp(first.conditional.terms["points already there"]).tolist() == pytest.approx([15, 9, 8])
    assert first.conditional.probabilities.tolist() == pytest.approx([0.446, 0.362, 0.192], abs=6e-4)
    assert first.value == 1
    chain = chain_of("blobs-recipe", "empty")
    assert chain[5].counts.count(0) == 1
    assert [min(chain[t].counts) for t in (6, 7, 8)] == [1, 0, 1], "it loses it, and gets another"
    assert chain[40].counts == [10, 10, 10], "all three have ten points"


@pytest.mark.told
def test_label_switching_is_as_it_is_told():
    chain = chain_of("blobs-label-switching", "hundred")
    means = np.array([[law.mean[0] for law in chain[t].parameters] for t in range(1, 501)])
    assert means[:100].mean(axis=0) == pytest.approx([1.4, -0.8], abs=0.05)
    assert np.ptp(means.mean(axis=0)) < 0.25, "close together"
    assert means[250:, 1].mean() == pytest.approx(-0.19, abs=0.01), "as the table has it, without the first half"
    lesson, step = next(pair for pair in STEPS if (pair[0].id, pair[1].id) == ("blobs-label-switching", "hundred"))
    run = scene(lesson.settings_for(step), 500, lesson.seed_for(step)).runs[0]
    worst = [diagnose(means[250:, k]) for k in (0, 1)]
    others = [diagnose(series[250:]) for series in summaries(run.labels[1:501], (0, 6)).values()]
    others.append(diagnose(run.log_joint[251:501]))
    known = [other for other in others if other.rhat is not None]
    assert min(law.rhat for law in worst) > max(other.rhat for other in known), "the worst numbers of all"
    assert max(law.ess_bulk for law in worst) < min(other.ess_bulk for other in known)
    labels = np.array([chain[t].labels for t in range(1, 501)])
    assert (labels[:, 0] == labels[:, 6]).mean() > 0.8
    switched = np.sign(means[:, 0] - means[:, 1])
    for hundred in range(100, 500, 100):
        assert len(set(switched[hundred : hundred + 100])) == 2, "they change places now and then"


@pytest.mark.told
def test_sorting_is_as_it_is_told():
    lesson, step = next(pair for pair in STEPS if (pair[0].id, pair[1].id) == ("blobs-label-switching", "sorted"))
    one = scene(lesson.settings_for(step).model_copy(update={"relabel": "by mean"}), step.at, lesson.seed_for(step))
    means = means_of(one.run.named(0, step.at + 1, "by mean")[1], 3)
    assert np.nanmean(means[panels.kept_from(step.at) :], axis=0) == pytest.approx([-1.22, -0.08, 1.58], abs=0.005)
    assert means[step.at, 1] < -0.6, "not where it is on average"
    places = np.sort(one.data[:, 0])
    left = int(np.diff(places).argmax())
    assert places[left : left + 2] == pytest.approx([-0.60, 0.42], abs=0.005), "no point lies between"


# ---- the page --------------------------------------------------------------------------------------------------------


def test_experiments_are_a_click_each(page):
    def pills():
        return next(group for group in page.get("button_group") if group.label == "Experiments")

    assert pills().value is None
    for name in EXPERIMENTS:
        pills().set_value(name).run()
        assert not page.exception
        place = page.session_state["topic gibbs_blobs"]
        assert (place.settings, place.seed) == (settings_of(name), SEED)
        assert pills().value == name
    follow(page, lesson="blobs-recipe", step="recipe")
    assert not [group for group in page.get("button_group") if group.label == "Experiments"]


@pytest.mark.parametrize("view", GibbsBlobsSettings.views)
def test_every_view_shows_every_model(visited, view):
    for (model, blocks), (step_by, t) in zip(
        product(("finite", "CRP"), ("collapsed", "uncollapsed")),
        (("sweep", 0), ("update", 30), ("sweep", 9), ("update", 2)),
        strict=True,
    ):
        link = {"data": "seven_points", "model": model, "blocks": blocks, "step_by": step_by, "sweep": 4, "t": t}
        follow(visited, **link, view=view, number=2, second="seed")
        assert not visited.warning
        assert inspector(visited)


def test_controls_that_do_nothing_are_hidden(page):
    def labels() -> set[str]:
        return {element.label for kind in (page.slider, page.selectbox) for element in kind}

    assert {"Components", "Components K", "Relabel"} <= labels()
    assert "Concentration α" not in labels()
    follow(page, data="two_humps")
    assert "Components" not in labels()
    follow(page, model="CRP")
    assert not {"Components K", "Start", "Relabel", "Class prior a"} & labels()
    assert "Concentration α" in labels()
    follow(page, components="multinomial")
    assert "Spread of a component" not in labels()


def test_a_sweep_is_opened_and_closed_by_buttons(page):
    follow(page, data="seven_points", number=2, t=5, blocks="uncollapsed")
    assert "Branch here" not in buttons(page)
    assert head(zoom(page, "Beat"))["total"] == 4 * 9
    assert head(zoom(page, "Sweep"))["at"] == 5, "nothing was lost"


def test_points_of_ones_own_are_counts_where_components_want_them(page):
    own = keep_own(OwnPoints(np.column_stack([-np.arange(8.0), np.arange(8.0) ** 2]), AXES))
    follow(page, data="own", own=own, components="multinomial", number=2)
    points = head(page)["data"]["points_a"]
    assert (min(points["x"]), max(points["y"])) == (0, 50)
    follow(page, data="own", components="gaussian", number=2)
    assert min(head(page)["data"]["points_a"]["x"]) == -7


def test_words_of_a_point_as_they_are_told():
    (lesson,) = (lesson for lesson in LESSONS if lesson.id == "blobs-two-then-three")
    data = lesson.settings_for(lesson.steps[0]).dataset()
    words_of = [data.data.sum(axis=1)[data.labels == blob] for blob in range(3)]
    assert sorted((each.min(), each.max()) for each in words_of)[1:] == [(35, 54), (43, 68)]
