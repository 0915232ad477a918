"""Films of blobs: components read from states, new names, and what is kept of a run, against the chain."""

import json
from itertools import cycle

import numpy as np
import pytest

from lessons.data.columns import AXES
from lessons.own.points import OwnPoints
from lessons.own.store import keep_own
from lessons.topics.gibbs_blobs import GibbsBlobsSettings
from pages.scenes.points.film import MOST_MEANS, close_up_film, sweeps_film
from pages.scenes.points.run import means_of
from pages.scenes.points.scene import MixtureScene
from pages.topics.gibbs_blobs.chains import scene_of
from pages.topics.gibbs_blobs.run import BlobsRun, model_of
from samplers import Chain
from tests.pages.player.films import fetched
from tests.pairs import pairs

SEED, UNTIL = 5, 60
HUMPS = {"data": "two_humps", "points": 16, "number": 2, "family": "known", "class_prior": 2.0}
SETTINGS = {
    "multinomial": GibbsBlobsSettings(points=30, components="multinomial"),
    "multinomial, blocks": GibbsBlobsSettings(points=30, components="multinomial", blocks="uncollapsed", start="prior"),
    "gaussian": GibbsBlobsSettings(points=30),
    "gaussian, blocks": GibbsBlobsSettings(points=30, blocks="uncollapsed", family="known"),
    "CRP": GibbsBlobsSettings(points=30, model="CRP"),
    "humps": GibbsBlobsSettings(**HUMPS),
    "humps, blocks": GibbsBlobsSettings(**HUMPS, blocks="uncollapsed"),
}
every = pytest.mark.parametrize("name", SETTINGS)
finite = pytest.mark.parametrize("name", [name for name in SETTINGS if name != "CRP"])


def grown(made: MixtureScene, until: int = UNTIL) -> MixtureScene:
    for run in made.runs:
        run.grow(until, seconds=20)
    return made


def scene(name: str, **changes) -> MixtureScene:
    return grown(scene_of(SETTINGS[name].model_copy(update=changes), SEED))


def state_of(name: str, t: int = 40):
    chain = Chain(SETTINGS[name].sampler(), SEED)
    return model_of(chain.sampler), chain[t]


# ---- how states are read ---------------------------------------------------------------------------------------------


@every
def test_sizes_and_components_in_use_are_those_of_the_labels(name):
    model, state = state_of(name, 12)
    for component, size in model.sizes(state).items():
        assert size == state.labels.count(component)
    assert model.occupied(state) == len(set(state.labels))
    rows = model.parameters(state)
    for component, share, *_ in rows[np.isfinite(rows[:, 0])]:
        assert share == pytest.approx(state.labels.count(int(component)) / len(state.labels))


@pytest.mark.parametrize("name", ["multinomial", "multinomial, blocks"])
def test_on_a_border_the_two_neighbours_are_equally_likely(name):
    model, state = state_of(name)
    rows = model.parameters(state)
    borders = rows[np.isfinite(rows[:, 6])]
    in_use = sorted((k for k, size in model.sizes(state).items() if size), key=lambda k: _share_of_y(model, state, k))
    assert len(borders) == len(in_use) - 1
    for component, *_, x, y, angle in borders:
        pair = (int(component), in_use[in_use.index(int(component)) + 1])
        for along in (-7.0, 0.0, 30.0):
            place = np.array([x + along * np.cos(angle), y + along * np.sin(angle)])
            worth = [
                model.log_weight(state, k) + place @ np.log(model.parameters_of(state, k).probabilities) for k in pair
            ]
            assert worth[0] == pytest.approx(worth[1], abs=1e-3)
        aside = np.array([x - 9 * np.sin(angle), y + 9 * np.cos(angle)])
        worth = [model.log_weight(state, k) + aside @ np.log(model.parameters_of(state, k).probabilities) for k in pair]
        assert abs(worth[0] - worth[1]) > 0.05, "beside it they are not"


def _share_of_y(model, state, component: int) -> float:
    return model.parameters_of(state, component).probabilities[1]


@pytest.mark.parametrize("name", ["multinomial", "multinomial, blocks"])
def test_a_ray_ends_where_a_point_of_the_usual_total_is_expected(name):
    model, state = state_of(name)
    for component, _, x, y, *_ in model.parameters(state)[:3]:
        expected = model.parameters_of(state, int(component)).probabilities * model.sampler.data.sum(axis=1).mean()
        assert [x, y] == pytest.approx(expected.tolist(), rel=1e-5)


@pytest.mark.parametrize("name", ["humps", "humps, blocks"])
def test_the_density_is_that_of_one_more_point(name):
    model, _ = state_of(name)
    state = model.sampler.state([0] * 13 + [1] * 3)
    x = np.linspace(-15, 15, 3001)
    density = model.density(state, x)
    assert np.trapezoid(density, x) == pytest.approx(1, abs=1e-6)
    place = np.array([[0.3]])
    found = model.density(state, place)[0]
    if SETTINGS[name].blocks == "uncollapsed":
        laws = [np.exp(law.log_density(place)[0]) for law in state.parameters]
        assert found == pytest.approx(float(np.dot(state.weights, laws)))
    else:
        rows = [model.sampler.data[np.array(state.labels) == k] for k in range(2)]
        family = model.sampler.family
        ratios = [family.cluster([*row, *place]).log_marginal() - family.cluster(row).log_marginal() for row in rows]
        weights = (np.array(state.counts) + 2.0) / (16 + 4)
        assert found == pytest.approx(float(weights @ np.exp(ratios)))


# ---- names -----------------------------------------------------------------------------------------------------------


@every
@pytest.mark.parametrize("relabel", ["off", "by mean", "by overlap"])
def test_labels_and_components_have_the_same_names(name, relabel):
    run = scene(name).runs[0]
    labels, clusters = run.named(0, UNTIL + 1, relabel)
    for row, components in zip(labels, clusters, strict=True):
        shown = components[np.isfinite(components[:, 0])]
        for component, share, *_ in shown:
            assert (row == component).mean() == pytest.approx(share, abs=1e-6)
    same_parts = [(one[:, None] == one) == (two[:, None] == two) for one, two in zip(labels, run.labels, strict=False)]
    assert np.all(same_parts)
    if relabel == "off" or name == "CRP":
        np.testing.assert_array_equal(labels, run.labels[: UNTIL + 1])


@finite
def test_by_mean_they_ascend(name):
    run = scene(name).runs[0]
    means = means_of(run.named(0, UNTIL + 1, "by mean")[1], run.classes)
    assert (np.diff(means, axis=1) >= 0).all()


def test_by_overlap_most_points_keep_the_label_of_the_best_early_sweep():
    run = scene("humps").runs[0]
    best = run.labels[int(run.log_joint[:31].argmax())]
    labels, _ = run.named(0, UNTIL + 1, "by overlap")
    agree = (labels == best).sum(axis=1)
    assert (agree >= 8).all(), "with two names, half of the points or more"
    assert (agree >= (run.labels[: UNTIL + 1] == best).sum(axis=1)).all()


@finite
@pytest.mark.parametrize("relabel", ["by mean", "by overlap"])
def test_names_do_not_depend_on_how_they_are_asked_for(name, relabel):
    whole, _ = scene(name).runs[0].named(0, UNTIL + 1, relabel)
    fresh = BlobsRun(Chain(SETTINGS[name].sampler(), SEED), scene(name).model)
    fresh.grow(UNTIL, seconds=20)
    parts = [fresh.named(start, min(start + 17, UNTIL + 1), relabel)[0] for start in range(0, UNTIL + 1, 17)]
    np.testing.assert_array_equal(np.vstack(parts), whole)


def test_relabelling_runs_no_other_chain():
    runs = [scene("humps", relabel=relabel).runs[0] for relabel in ("off", "by mean", "by overlap")]
    assert runs[0] is runs[1] is runs[2]
    films = [sweeps_film(scene("humps", relabel=relabel)).key for relabel in ("off", "by mean")]
    assert films[0] != films[1]


def test_new_names_leave_all_else_as_it_was():
    frames = [sweeps_film(scene("humps", relabel=how)).frames(0, UNTIL) for how in ("off", "by mean")]
    for key in (("past", "log_joint"), ("past", "tables"), ("counts", "share"), ("say", "tables")):
        np.testing.assert_array_equal(frames[0][key], frames[1][key])
    assert (frames[0]["points_a", "label"] != frames[1]["points_a", "label"]).any()


# ---- frames ----------------------------------------------------------------------------------------------------------


@finite
@pytest.mark.parametrize("relabel", ["off", "by mean"])
def test_running_means_are_the_averages_so_far(name, relabel):
    made = scene(name, relabel=relabel)
    run, frames = made.runs[0], sweeps_film(made).frames(0, UNTIL + 1)
    means = means_of(run.named(0, UNTIL + 1, relabel)[1], MOST_MEANS)
    for k in range(run.classes):
        np.testing.assert_array_equal(frames["past", f"m{k}"][:, 0], means[:, k])
        expected = [means[1 : t + 1, k].mean() for t in range(1, UNTIL + 1)]
        np.testing.assert_allclose(frames["past", f"r{k}"][1:, 0], expected, rtol=1e-4, atol=1e-5)
        assert np.isnan(frames["past", f"r{k}"][0, 0]), "the start is no draw"
    assert np.isnan(means[:, run.classes :]).all()


@every
def test_a_sweep_in_beats_ends_as_the_chain_does_and_names_its_blocks(name):
    made = scene(name)
    opened = made.runs[0].close_up(9)
    film = close_up_film(made, opened)
    frames = film.frames(0, film.total + 1)
    chain = Chain(SETTINGS[name].sampler(), SEED)
    assert frames["points_a", "label"][0].tolist() == chain[8].labels
    assert frames["points_a", "label"][-1].tolist() == chain[9].labels
    assert frames["say", "log_joint"][-1, 0] == np.float32(chain.sampler.log_joint(chain[9]))
    blocks = 2 if "blocks" in name else 0
    assert film.total == 4 * (len(made.data) + blocks)
    assert film.label.startswith("sweep 9 · {kind:point" + "|π|θ" * (blocks > 0) + "}")
    assert frames["say", "kind"][:, 0].tolist()[-4 * blocks :] == (
        [1] * 4 + [2] * 4 if blocks else [0] * (film.total + 1)
    )
    assert np.isnan(frames["say", "point"][:, 0]).sum() == 4 * blocks
    made_there = [beat.update.value for beat in opened if not beat.is_block]
    assert made_there == [update.value for update in chain.record(9) if not isinstance(update.site, str)]


def test_the_same_seed_for_another_model_and_the_next_for_the_same():
    for second, seed in (("seed", SEED + 1), ("gaussian", SEED), ("multinomial", SEED), ("CRP", SEED)):
        runs = scene("multinomial", second=second).runs
        assert [run.chain.seed for run in runs] == [SEED, seed]
        np.testing.assert_array_equal(runs[0].sampler.data, runs[1].sampler.data)
    kinds = [run.model.counts for run in scene("multinomial", second="gaussian").runs]
    assert kinds == [True, False]


# ---- everything that can be chosen -----------------------------------------------------------------------------------


def assert_plays(settings: GibbsBlobsSettings) -> None:
    made = grown(scene_of(settings, SEED), 8)
    films = [sweeps_film(made), close_up_film(made, made.runs[0].close_up(2))]
    for film in films:
        head, columns = fetched(film, 5)
        json.dumps(head, allow_nan=False)
        assert len(head["charts"]) == 4
        assert np.isfinite(columns["say", "log_joint"]).all()
        for (data_set, field), values in columns.items():
            if data_set not in ("say", "past"):
                assert values.shape[1] == len(film.staying[data_set][field])


DATA = [data for data in GibbsBlobsSettings.model_fields["data"].annotation.__args__ if data != "own"]


MODELS = {"model": ["finite", "CRP"], "components": ["multinomial", "gaussian"], "blocks": ["collapsed", "uncollapsed"]}
SECONDS, STARTS = cycle(("none", "seed", "multinomial", "gaussian", "CRP")), cycle(("prior", "k-means++", "together"))
PLAYED = list(zip(pairs(data=DATA, **MODELS), SECONDS, STARTS, strict=False))


@pytest.mark.parametrize(("row", "second", "start"), PLAYED, ids=str)
def test_every_model_plays_on_every_data_set(row, second, start):
    assert_plays(GibbsBlobsSettings(**row, points=12, number=6, second=second, start=start))


OWN = {
    "one column": np.arange(6.0)[:, None] ** 2,
    "no spread": np.full((5, 2), 3.0),
    "below 0": np.column_stack([-np.arange(6.0), np.arange(6.0) ** 2 - 9]),
    "all 0": np.zeros((4, 2)),
}


@pytest.mark.parametrize("name", OWN)
@pytest.mark.parametrize("components", ["multinomial", "gaussian"])
def test_points_of_ones_own_can_be_sent(name, components):
    own = keep_own(OwnPoints(OWN[name], AXES[: OWN[name].shape[1]]))
    settings = GibbsBlobsSettings(data="own", own=own, components=components, number=2, blocks="uncollapsed")
    made = grown(scene_of(settings, SEED), 8)
    for film in (sweeps_film(made), close_up_film(made, made.runs[0].close_up(2))):
        head, _ = fetched(film, 5)
        json.dumps(head, allow_nan=False)
