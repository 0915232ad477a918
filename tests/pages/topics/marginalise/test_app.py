"""The page as a script: every choice in every view, links with nonsense, buttons; and what the lessons say is so."""

import json
import re
from html import unescape
from itertools import combinations
from urllib.parse import parse_qsl, unquote, urlsplit

import numpy as np
import pytest

from lessons.topics.marginalise import MarginaliseSettings
from pages.lesson.lessons import library
from pages.topics.marginalise import MarginaliseStage
from pages.topics.marginalise.documents import trace_at
from pages.topics.marginalise.gibbs_comparison import NAMED, entries, exact_of, panel, summary
from pages.topics.marginalise.inspector import act as step_card
from pages.topics.marginalise.programs import NEAREST, PLAYGROUND, data_of
from pages.topics.marginalise.programs import panel as program_panel
from pages.topics.marginalise.triangle import log_densities
from pages.topics.marginalise.truth import truth_of
from samplers import Chain
from samplers.diagnostics.convergence import diagnose
from samplers.gradient.naive_bayes_marginal import LogSumExp, naive_log_sum_exp
from samplers.gradient.stan_programs import TITLES, stan_code
from tests.pages.html import words
from tests.pages.visits import cards_on, follow, head, inspector, zoom

scene_of = MarginaliseStage().scene

TOPIC = "marginalise.py"
STEPS = {(lesson.id, step.id): (lesson, step) for lesson in library().for_stage("marginalise") for step in lesson.steps}


# ---- everything that can be set --------------------------------------------------------------------------------------

CHOICES = [
    {"variant": "supervised"},
    {"variant": "unsupervised", "layout": "beside Gibbs"},
    {"variant": "full Bayes", "layout": "beside Gibbs", "gibbs": "collapsed"},
    {"variant": "prediction", "layout": "beside Gibbs"},
    {"variant": "full Bayes", "known_labels": 0},
    {"variant": "prediction", "known_labels": 0},
    {"variant": "full Bayes", "known_labels": 40},
    {"variant": "prediction", "known_labels": 1, "words": 2},
    {"rule": "sum of logs", "step_by": "term"},
    {"rule": "Jacobian forgotten", "step_by": "leapfrog", "words": 3},
    {"rule": "test documents teach", "variant": "prediction", "step_by": "term"},
    {"model": "two means", "layout": "beside Gibbs", "points": 2},
    {"model": "two means", "means": "ordered", "step_by": "term"},
    {"data": "toy_corpus", "document": 200, "step_by": "term"},
    {"classes": 3, "variant": "full Bayes", "step_by": "term"},
    {"gamma_scope": "local", "variant": "full Bayes", "step_by": "term"},
    {"classes": 3, "layout": "beside Gibbs", "summary": "larger class"},
    {"layout": "sums", "repeat": "100", "classes": 3},
    {"model": "two means", "layout": "sums"},
]


@pytest.mark.parametrize("choice", CHOICES, ids=str)
def test_every_choice_plays_in_every_view(visited, choice):
    number, views = CHOICES.index(choice), list(MarginaliseSettings.views)
    for view in dict.fromkeys(views[(3 * number + k) % len(views)] for k in range(4)):  # each with several choices
        follow(visited, **choice, warmup=0, view=view, t=9 if "step_by" in choice else 30)
        assert not visited.warning
        assert inspector(visited)


def test_without_a_labelled_document_the_supervised_program_has_nothing_to_learn_from(visited):
    follow(visited, variant="supervised", known_labels=0)
    assert "Show some labels" in visited.info[0].value
    assert not visited.get("bidi_component")[:1] or not visited.exception
    follow(visited, variant="supervised", known_labels=2, view="truth", t=5)
    assert "nothing to infer" in inspector(visited)


def test_an_iteration_is_opened_and_closed(visited):
    follow(visited, view="step", t=12)  # "t" alone would be the link that opened the session
    assert "step_by=term&iteration=12" in head(zoom(visited, "Term"))["link"]
    assert head(visited)["total"] == 39
    assert "term 0" not in inspector(visited)
    assert head(zoom(visited, "Iteration"))["at"] == 12
    assert "step_by=leapfrog&iteration=12" in head(zoom(visited, "Leapfrog"))["link"]
    assert head(visited)["before"]
    assert head(zoom(visited, "Iteration"))["at"] == 12


def test_a_word_is_chosen_where_one_is_followed(visited):
    for changes, there in (({}, True), ({"words": 3}, False), ({"words": 3, "step_by": "leapfrog"}, True)):
        follow(visited, **changes, t=5)
        assert ("Word that is followed" in [box.label for box in visited.selectbox]) == there


def test_items_and_repeats_are_chosen_beside_the_views(visited):
    follow(visited, view="gamma", t=5)
    next(box for box in visited.text_input if "inspected document" in box.key).set_value("4").run()
    next(box for box in visited.selectbox if "inspected repeat" in box.key).set_value("1000").run()
    assert not visited.exception
    assert "Document 4" in inspector(visited)
    assert "log 0 = −∞" in inspector(visited)
    assert "document=4&partner=2&word=4&repeat=1000" in head(visited)["link"]


def test_program_and_data_are_offered_for_download(visited):
    follow(visited, view="program", variant="prediction")
    assert re.findall(r'download="prediction\.\w+"[^>]*>([^<]+)<', "".join(cards_on(visited))) == [
        "Save the program",
        "Save its data",
    ]
    assert "2 lines moved from transformed parameters" in inspector(visited)
    follow(visited, view="program", model="two means")
    assert "those of naive Bayes" in inspector(visited)


@pytest.mark.parametrize("variant", TITLES)
def test_program_and_data_ride_to_stan_playground_in_a_link(variant):
    settings = MarginaliseSettings(variant=variant)
    (address,) = re.findall(rf'href="({PLAYGROUND}[^"]+)"', program_panel(scene_of(settings, 7), 0))
    assert len(address) < 6_000  # servers take 8,000 at least
    files = dict(parse_qsl(urlsplit(unescape(address)).query))
    assert files["title"] == TITLES[variant]
    read = {name: unquote(files[name].removeprefix("data:text/plain;charset=utf-8,")) for name in ("stan", "data")}
    assert read["stan"] == stan_code(variant)
    assert json.loads(read["data"]) == data_of(settings)


def test_each_block_says_when_it_runs(visited):
    follow(visited, view="program", variant="unsupervised")
    told = inspector(visited)
    assert "parameters { what the sampler moves" in told
    assert told.count("at every leapfrog step") == 2 * told.count("Marked against")
    assert "generated quantities { runs once for each draw" in told


# ---- what the lessons say --------------------------------------------------------------------------------------------


def set_as(lesson: str, step: str) -> tuple[MarginaliseSettings, int]:
    its, there = STEPS[lesson, step]
    return its.settings_for(there), its.seed_for(there)


@pytest.mark.told
def test_why_no_discrete_parameters_is_as_it_is_told():
    settings, _ = set_as("stan-no-discrete", "left")
    assert settings.target().dimension == 19
    assert len(settings.exact().labellings) == 64


@pytest.mark.told
def test_gamma_by_hand_is_as_it_is_told():
    settings, seed = set_as("stan-gamma-by-hand", "weights")
    scene = scene_of(settings, seed)
    trace = trace_at(scene)
    gamma = trace.gamma()
    assert len(trace.tokens) == 22
    assert np.isnan(gamma[1]).all()
    assert gamma[2, :, 0] == pytest.approx(np.log(0.59), abs=0.01)
    assert gamma[2, :, 1] == pytest.approx(np.log(0.41), abs=0.01)
    assert scene.words[trace.tokens[0].word] == "now"
    assert gamma[3, 0, 0] == pytest.approx(-2.44, abs=0.005)
    assert gamma[24, 3] == pytest.approx([-13.89, -7.73], abs=0.005)
    assert np.isfinite(gamma[24]).all()
    assert np.isnan(gamma[2]).sum() == 0
    (last_word,) = {act.line for act in trace.acts[2:24]}
    assert trace.lines[last_word].role == "gamma word term"
    assert LogSumExp(gamma[24, 3]).softmax[0] == pytest.approx(0.002, abs=0.0005)
    assert trace.acts[23 + 9].softmax
    empty, _ = set_as("stan-gamma-to-label", "empty")
    assert empty.corpus().bag.counts.sum(axis=1).tolist()[3:5] == [0, 0]


@pytest.mark.told
def test_log_sum_exp_is_as_it_is_told():
    settings, seed = set_as("stan-log-sum-exp", "hand")
    chain = Chain(settings.sampler(), seed)
    steps = settings.target().log_joint_steps(chain[50].position, 1)
    gamma = steps.sum(axis=0)
    assert gamma == pytest.approx([-8.41, -10.72], abs=0.005)
    assert LogSumExp(gamma).values == pytest.approx(-8.32, abs=0.005)
    long = steps[0] + 100 * steps[1:].sum(axis=0)
    assert long == pytest.approx([-789, -984], abs=0.5)
    assert naive_log_sum_exp(long) == -np.inf
    assert LogSumExp(long).values == pytest.approx(-788.89, abs=0.005)
    other = settings.target().log_joint_steps(chain[50].position, 0)
    assert np.isfinite(naive_log_sum_exp(other[0] + 100 * other[1:].sum(axis=0))), "document 1 fails later"
    sums = {
        (one, times): settings.model_copy(update={"document": one, "repeat": times}).measure(chain, 50)
        for one in range(1, 7)
        for times in ("1", "10", "100")
    }
    assert [one for one in range(1, 7) if sums[one, "1"]["score"] < -10] == [6]
    assert sums[2, "100"]["score"] == pytest.approx(-788.89, abs=0.005)
    assert [sums[one, "100"]["lost"] for one in range(1, 7)] == [1, 2, 1, 1, 1, 2]
    assert not any(sums[one, "10"]["lost"] for one in range(1, 7))


@pytest.mark.told
def test_four_programs_are_as_they_are_told():
    prediction, _ = set_as("stan-which-teach", "matter")
    full, _ = set_as("stan-which-teach", "apart")
    assert truth_of(prediction)[1] == pytest.approx(0.195, abs=0.003)
    assert truth_of(full)[1] == pytest.approx(0.097, abs=0.0005)
    joined = MarginaliseSettings(variant="full Bayes", known_labels=4)
    labels = joined.labels.copy()
    assert (labels[:2] >= 0).tolist() == [True, False]


@pytest.mark.told
def test_label_probabilities_and_drawn_labels_are_as_told():
    settings, seed = set_as("stan-no-discrete", "noise")
    assert exact_of(scene_of(settings, seed), NAMED) == pytest.approx(0.192, abs=5e-4)
    scene = scene_of(settings, seed)
    for run in (scene.run, scene.gibbs):
        run.grow(1000, seconds=30)
    nuts, gibbs = entries(scene, NAMED, 1000)
    for entry in (nuts, gibbs):
        assert abs(entry.mean - entry.exact) < 4 * entry.found.mcse_mean
    assert 0.3 < nuts.found.mcse_mean / gibbs.found.mcse_mean < 0.7, "about half"
    each = [values[301:1001].std() for values in summary(scene, NAMED, 1001)]
    assert each[0] < 0.75 * each[1], "a probability moves less than a label"
    assert nuts.found.ess_bulk > gibbs.found.ess_bulk
    assert "1 is ham: NUTS" in words(panel(scene, 1000))
    alone, _ = set_as("stan-gradients-labels", "gibbs")
    free = scene_of(alone, seed)
    for run in (free.run, free.gibbs):
        run.grow(400, seconds=30)
    assert "1 is" not in words(panel(free, 400)), "without labels no class has a name"


@pytest.mark.told
def test_a_label_is_drawn_as_told():
    settings, seed = set_as("stan-gamma-to-label", "draw")
    scene = scene_of(settings, seed)
    trace = trace_at(scene)
    assert trace.acts[32].softmax
    card = words(step_card(scene, trace, 34))
    assert "γ of document 1: 0.827 for" in card
    assert "A dart falls at 0.787; that is at most 0.827: z = 1" in card
    assert "more than" in words(step_card(scene, trace, 37)), "document 4 is in class 2"
    assert "target stays as it is" in card


@pytest.mark.told
def test_modes_are_copies_as_told():
    settings, seed = set_as("stan-four-programs", "modes")
    runs = {other: Chain(settings.sampler(), other) for other in (seed, 4)}
    larger = {other: settings.measure(chain, 60)["first_larger"] for other, chain in runs.items()}
    assert larger == {seed: 0, 4: 1}
    heights = [np.mean([chain[t].log_density for t in range(50, 150)]) for chain in runs.values()]
    assert heights[0] == pytest.approx(heights[1], abs=6), "as high, within the chain's own ups and downs"
    six = set_as("stan-gamma-by-hand", "naive")[0].corpus()
    assert six.bag.counts[[1]].toarray()[0, six.bag.words.index("prize")] == 2


def crossings(draws: np.ndarray) -> int:
    return int(np.diff(draws[:, 0] > draws[:, 1]).sum())


@pytest.mark.told
def test_crossings_are_as_often_as_it_is_told():
    settings, seed = set_as("stan-gradients-labels", "cross")
    step = STEPS["stan-gradients-labels", "cross"][1]
    scene = scene_of(settings, seed)
    scene.run.grow(step.at + step.then.advance, seconds=30)
    assert crossings(scene.run.by_class[: step.at + 1]) == 0, "it sits on one hill"
    # 24 other seeds cross 32 ± 6.6 times; this one 26 times here, and 36 times if every gradient is a little off
    assert 12 <= crossings(scene.run.by_class[step.at : step.at + step.then.advance + 1]) <= 60


def means_by_integration(settings: MarginaliseSettings) -> np.ndarray:
    """Return the posterior means of both means, sorted if they are ordered, by a sum over a grid."""
    free = settings.model_copy(update={"means": "free"}).target()
    axis = np.linspace(-6, 6, 97)
    pairs = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
    logs = np.array([free.log_density(pair) for pair in pairs])
    values = np.sort(pairs, axis=1) if settings.means == "ordered" else pairs
    return np.average(values, axis=0, weights=np.exp(logs - logs.max()))


@pytest.mark.told
@pytest.mark.parametrize(("name", "means"), [("switch", (0.21, 0.21)), ("order", (-0.14, 0.55))])
def test_averages_of_means_are_as_they_are_told(name, means):
    settings, seed = set_as("stan-gradients-labels", name)
    assert means_by_integration(settings) == pytest.approx(means, abs=0.006)
    scene = scene_of(settings, seed)
    scene.run.grow(1500, seconds=30)
    for label, draws in enumerate(scene.run.by_class[301:1501].astype(float).T):
        error = diagnose(draws).mcse_mean
        assert error < 0.06, "near enough to be seen to be so"
        # Under an order runs mix slowly: the error that is found is 1.4 times too small (sd of z over 32 runs), so that
        # 6 of them are 4 right ones: beyond that in 1 of 15,000 runs by chance.
        assert abs(draws.mean() - means[label]) < 6 * error + 0.006


@pytest.mark.told
def test_one_iteration_of_nuts_is_as_it_is_told():
    opened, seed = set_as("stan-gradients-labels", "leapfrog")
    assert opened.iteration < 50, "later ones differ from one processor to another"
    chain = Chain(opened.sampler(), seed)
    before, after = chain[opened.iteration - 1], chain[opened.iteration]
    trajectory = chain.record(opened.iteration)
    assert trajectory.turn == (0, 7), "the whole path turns"
    assert {point.step > 0 for point in trajectory.points if point.step} == {False, True}, "forwards and backwards"
    assert crossings(np.array([before.position, after.position])) == 1
    assert crossings(trajectory.positions) == 1, "from one hill to the other, once"
    assert min(before.log_density, after.log_density) > -24, "on the hills, the pass between them is at −26"


@pytest.mark.told
def test_inside_the_triangle_is_as_it_is_told():
    settings, seed = set_as("stan-spot-the-error", "triangle")
    assert settings.iteration < 50, "later ones differ from one processor to another"
    scene = scene_of(settings, seed)
    path = scene.run.close_up(settings.iteration).trajectory
    probabilities = scene.run.target.constrain(path.positions).word_probs
    lowest = probabilities.min(axis=0)
    assert scene.words[1:] == ("now", "prize")
    assert (lowest > 0).all()
    assert np.argwhere(lowest < 0.005).tolist() == [[1, 1], [1, 2]], "class 2, near two sides"
    side = np.array([[0.5, 0.5 - 1e-12, 1e-12], [1 / 3] * 3])
    heights = log_densities(scene.run.target, path.positions[path.start], 1, side)
    assert heights[0] - heights[1] > -10, "positive on the side; a density of 0 would be far below −20 so near it"


@pytest.mark.told
@pytest.mark.parametrize("step", ["error-1", "error-2", "error-3"])
def test_each_error_shows_as_it_is_told(step):
    settings, seed = set_as("stan-spot-the-error", step)
    scene = scene_of(settings, seed)
    at = STEPS["stan-spot-the-error", step][1].at
    scene.run.grow(at, seconds=60)
    probs = scene.run.belongs(slice(settings.warmup + 1, at + 1))[..., 0].astype(float)
    if step == "error-1":
        labels, law = scene.exact.labellings, scene.exact.probabilities
        for i, j in combinations(range(6), 2):
            same = probs[:, i] * probs[:, j] + (1 - probs[:, i]) * (1 - probs[:, j])
            assert same.mean() == pytest.approx(0.5, abs=0.06 if j == 1 else 0.1), "an even chance"
            assert diagnose(same).mcse_mean < 0.012
        assert law @ (labels[:, 0] == labels[:, 1]) == pytest.approx(0.73, abs=0.005)
    elif step == "error-2":
        assert (np.minimum(probs, 1 - probs).mean(axis=0) < 0.01).all()
        assert ((probs > 0.5).all(axis=1) | (probs < 0.5).all(axis=1)).mean() > 0.99
    else:
        full = truth_of(settings.model_copy(update={"rule": "right", "variant": "full Bayes"}))[1]
        assert full == pytest.approx(0.097, abs=0.0005)
        error = diagnose(probs[:, 1]).mcse_mean
        assert error < 0.02
        assert abs(probs[:, 1].mean() - full) < 4 * error, "full Bayes; in 1 of 15,000 runs by chance"
        assert truth_of(settings.model_copy(update={"rule": "right"}))[1] == pytest.approx(0.195, abs=0.003)


@pytest.mark.parametrize("variant", NEAREST)
def test_each_program_is_marked_against_all_others_and_the_nearest_is_open(variant):
    settings = MarginaliseSettings(variant=variant, model="naive Bayes")
    html = program_panel(scene_of(settings, 7), 0)
    others = re.findall(r'<details class="marked" name="marked"( open)?><summary>Marked against: (.*?)</summary>', html)
    assert others[0] == (" open", NEAREST[variant])
    assert all(not is_open for is_open, _ in others[1:])
    assert {name for _, name in others} >= {*NEAREST} - {variant}
    assert re.search(r'download="\w+\.stan" href="data:text/plain;base64,', html)
