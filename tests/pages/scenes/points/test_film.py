"""The films of a mixture, sweep by sweep and beat by beat, against the chain that they show."""

import json
import math

import numpy as np
import pytest

from lessons.topics.crp_mixture import SWEEPS, CRPMixtureSettings
from pages.contract.film import Film
from pages.drawing.palette import COLORS
from pages.scenes.close_up import opened
from pages.scenes.points.film import FIELDS, close_up_film, sweeps_film
from pages.scenes.points.scene import BELOW, MOST_TABLES, MixtureScene
from pages.scenes.points.stills import LEVELS
from pages.scenes.points.update_layers import DOT, HAND
from pages.topics.crp_mixture.chains import scene_of
from samplers import Chain
from samplers.crp.prediction import predictive_density
from samplers.crp.wrong import WRONG_RULES
from samplers.recipe import Conditional
from tests.pages.scenes.points.support import sent

SEED = 5
UNTIL = 50  # sweeps that are compared
SETTINGS = {
    "plane": CRPMixtureSettings(points=30),
    "line, learned": CRPMixtureSettings(data="response_times", points=25, learning="learned"),
    "seven points, two chains": CRPMixtureSettings(data="seven_points", family="known", second="start"),
    "twenty apart, a branch": CRPMixtureSettings(points=20, start="apart", second="branch", branch_at=10),
}
RULES = {rule: CRPMixtureSettings(data="seven_points", rule=rule, start="prior") for rule in WRONG_RULES}
ALL = SETTINGS | RULES
LINES = [
    {"data": "three_points", "family": "known"},
    {"data": "response_times", "points": 40},
    {"data": "response_times", "points": 60, "start": "apart", "concentration": 5.0},
]
every = pytest.mark.parametrize("name", SETTINGS)
beats = pytest.mark.parametrize("name", ALL)


def scene(name: str) -> MixtureScene:
    made = scene_of(ALL[name], SEED)
    for run in made.runs:
        while run.grow(UNTIL) < UNTIL:
            pass
    return made


def close_up_of(name: str, sweep: int) -> tuple[MixtureScene, object, Film]:
    made = scene(name)
    opened = made.runs[0].close_up(sweep)
    return made, opened, close_up_film(made, opened)


def shown(frames: dict, t: int, letter: str = "a") -> np.ndarray:
    """Return the components that a frame has."""
    return np.column_stack([frames[f"clusters_{letter}", field][t] for field in FIELDS])


# ---- sweep by sweep --------------------------------------------------------------------------------------------------


@every
def test_frames_of_sweeps_are_the_chains(name):
    made = scene(name)
    frames = sweeps_film(made).frames(0, UNTIL + 1)
    assert len(made.runs) == (1 if SETTINGS[name].second == "none" else 2)
    for run, letter, end in zip(made.runs, "ab", ("", "_b"), strict=False):
        for t in range(UNTIL + 1):
            state = run.state(t)
            assert frames[f"points_{letter}", "label"][t].tolist() == state.labels
            for where in ("past", "say"):
                assert frames[where, f"tables{end}"][t, 0] == len(set(state.labels))
                assert frames[where, f"log_joint{end}"][t, 0] == np.float32(run.sampler.log_joint(state))
            np.testing.assert_array_equal(shown(frames, t, letter), run.model.parameters(state))


def test_tables_of_a_second_chain_share_no_colour_while_one_is_free():
    settings = CRPMixtureSettings(points=40, second="start", second_start="apart")
    made = scene_of(settings, SEED)
    for run in made.runs:
        while run.grow(UNTIL) < UNTIL:
            pass
    frames, run = sweeps_film(made).frames(0, UNTIL + 1), made.runs[1]
    many = []
    for ids, names, tables in zip(run.labels, frames["points_b", "label"], frames["clusters_b", "table"], strict=False):
        pairs = set(zip(ids.tolist(), names.tolist(), strict=True))
        assert len(pairs) == len(set(ids)) == len(set(names)), "one name each"
        assert set(tables[np.isfinite(tables)]) <= set(names), "of the ellipses too"
        assert len({name % len(COLORS) for name in names.tolist()}) == min(len(pairs), len(COLORS))
        many.append(len(pairs))
    assert max(many) > len(COLORS) > min(many)


@pytest.mark.parametrize("data", ["three_points", "uneven_points", "seven_points"])
def test_the_ring_of_a_point_in_hand_lies_below_a_fit_of_nearly_0(data):
    made, phone = scene_of(CRPMixtureSettings(data=data, family="known"), SEED), 127  # pixels: as high as it is there
    highest = max(sent(sweeps_film(made))[0]["data"]["points_a"]["y"])
    room = sum(math.sqrt(size / math.pi) for size in (HAND, DOT))
    assert -highest / (1 + BELOW) * phone > room


@every
def test_shares_are_those_of_the_sweeps_so_far(name):
    made = scene(name)
    frames = sweeps_film(made).frames(0, UNTIL + 1)
    for run, end in zip(made.runs, ("", "_b"), strict=False):
        shares = frames["counts", f"share{end}"]
        assert not shares[0].any(), "the start is no draw"
        tables = [len(set(run.state(t).labels)) for t in range(1, UNTIL + 1)]
        for t in range(1, UNTIL + 1):
            expected = [tables[:t].count(k) / t for k in range(1, made.most_tables + 1)]
            assert shares[t].tolist() == pytest.approx(expected)
    assert made.most_tables == min(len(made.data), MOST_TABLES)


@every
def test_points_lie_where_they_are(name):
    made = scene(name)
    points = sweeps_film(made).data["points_a"]
    np.testing.assert_allclose(points["x"], made.data[:, 0], rtol=1e-4, atol=1e-4)
    assert points["name"] == list(range(1, len(made.data) + 1))
    if made.flat:
        assert max(points["y"]) < 0, "below the curves"
    else:
        np.testing.assert_allclose(points["y"], made.data[:, 1], rtol=1e-4, atol=1e-4)


@every
def test_total_label_and_chapters(name):
    made, opened, close = close_up_of(name, 3)
    film = sweeps_film(made)
    assert (film.total, film.label) == (SWEEPS, "sweep {t} of {total}")
    assert (film.before, film.after) == (False, False)
    assert close.total == 4 * len(opened) == SETTINGS[name].model_copy(update={"step_by": "update"}).iterations
    kinds = "point|α" if SETTINGS[name].learning == "learned" else "point"
    assert close.label == f"sweep 3 · {{kind:{kinds}}} {{point}} · {{beat:start|forget|score|sample|remember}}"
    assert (close.before, close.after) == (True, True)
    assert film.key != close.key
    assert close.key != close_up_of(name, 4)[2].key


def test_the_first_sweep_has_none_before_and_the_last_none_after():
    made = scene("seven points, two chains")
    first, last = (close_up_film(made, made.runs[0].close_up(sweep)) for sweep in (1, SWEEPS))
    assert (first.before, first.after, last.before, last.after) == (False, True, True, False)


def test_other_settings_and_seeds_are_other_films_and_what_is_looked_at_is_none():
    base = CRPMixtureSettings(points=20)
    keys = {
        sweeps_film(scene_of(base.model_copy(update=changes), seed)).key
        for changes in ({}, {"data_seed": 2}, {"concentration": 2.0}, {"start": "apart"}, {"rule": "counts forgotten"})
        for seed in (1, 2)
    }
    assert len(keys) == 10
    looks = ({"step_by": "update"}, {"sweep": 9}, {"point": 4})
    assert len({scene_of(base.model_copy(update=changes), 1).key for changes in looks}) == 1


def test_the_browser_gets_no_frame_that_is_not_there(monkeypatch):
    made = scene_of(CRPMixtureSettings(points=500, start="apart", data_seed=77), SEED)
    with monkeypatch.context() as patch:
        patch.setattr("pages.player.turns.session", lambda: "a learner")
        head, columns = sent(sweeps_film(made), at=SWEEPS)
    assert head["count"] == made.runs[0].made + 1 < SWEEPS
    assert columns["points_a", "label"].shape == (head["count"], 500)


def test_of_two_chains_the_slower_one_counts(monkeypatch):
    made = scene("seven points, two chains")
    for run, reached in zip(made.runs, (90, 41), strict=True):
        monkeypatch.setattr(run, "grow", lambda t: None)
        monkeypatch.setattr(run, "made", reached)
    assert sweeps_film(made).grow(100) == 41


# ---- one sweep, beat by beat -----------------------------------------------------------------------------------------


@beats
@pytest.mark.parametrize("sweep", [1, 8])
def test_an_update_has_four_frames_after_the_one_before(name, sweep):
    made, opened, film = close_up_of(name, sweep)
    frames, run = film.frames(0, film.total + 1), made.runs[0]
    labels, tables = frames["points_a", "label"], frames["say", "tables"][:, 0]
    np.testing.assert_array_equal(frames["past", "tables"], frames["say", "tables"])
    assert labels[0].tolist() == opened[0].before.labels
    assert (labels[0] >= 0).all()
    for i, beat in enumerate(opened):
        point, (forget, score, sample, remember) = beat.update.site, range(4 * i + 1, 4 * i + 5)
        for t in (forget, score, sample):
            lifted = labels[t] < 0
            assert lifted.nonzero()[0].tolist() == ([point] if not beat.is_block else [])
            assert labels[t][~lifted].tolist() == np.delete(beat.before.labels, np.nonzero(lifted)[0]).tolist()
            assert tables[t] == len(beat.lifted.clusters)
            np.testing.assert_array_equal(shown(frames, t), made.model.parameters(beat.lifted))
        assert labels[remember].tolist() == beat.after.labels
        assert tables[remember] == len(beat.after.clusters)
        np.testing.assert_array_equal(shown(frames, remember), made.model.parameters(beat.after))
        log_joint = frames["say", "log_joint"][:, 0]
        assert log_joint[forget] == log_joint[sample] == np.float32(run.sampler.log_joint(beat.before))
        assert log_joint[remember] == np.float32(run.sampler.log_joint(beat.after))


@beats
def test_beats_are_named_and_numbered(name):
    _, opened, film = close_up_of(name, 2)
    frames = film.frames(0, film.total + 1)
    assert frames["say", "beat"][:, 0].tolist() == [0, *[1, 2, 3, 4] * len(opened)]
    points = [beat.update.site + 1 for beat in opened if not beat.is_block]
    said = frames["say", "point"][1:, 0].reshape(-1, 4)
    assert said[: len(points)].tolist() == [[point] * 4 for point in points]


@every
def test_the_shares_beside_a_sweep_are_those_before_it(name):
    made, _, film = close_up_of(name, 20)
    tables = [len(set(made.runs[0].state(t).labels)) for t in range(1, 20)]
    expected = [tables.count(k) / 19 for k in range(1, made.most_tables + 1)]
    shares = film.frames(0, film.total + 1)["counts", "share"]
    assert shares[0].tolist() == pytest.approx(expected)
    assert (shares == shares[0]).all()


def test_a_sweep_that_was_linked_to_has_the_shares_of_all_before_it():
    settings = CRPMixtureSettings(data="seven_points", data_seed=3, step_by="update", sweep=400)
    made = scene_of(settings, SEED)
    film = close_up_film(made, opened(made.key, made.run, settings.sweep))
    assert film.frames(0, 1)["counts", "share"].sum() == pytest.approx(1)


def test_the_concentration_is_not_called_a_point():
    """Its four beats come after those of the last point, and the label must not name that point again."""
    _, opened, film = close_up_of("line, learned", 2)
    said = film.frames(0, film.total + 1)["say", "point"][1:, 0].reshape(-1, 4)
    assert said[-1, 0] != said[-2, 0]
    assert len(opened) == 26


# ---- what is drawn at rest alone -------------------------------------------------------------------------------------


@every
@pytest.mark.parametrize("t", [0, 1, 33])
def test_what_is_drawn_at_rest_has_rows_of_that_iteration_alone(name, t):
    made = scene(name)
    film = sweeps_film(made)
    still = film.still(t)
    assert set(still) == {f"contours_{letter}" for letter, _ in zip("ab", made.runs, strict=False)}
    for data_set, fields in still.items():
        assert set(fields) == set(film.data[data_set])
        assert set(fields["t"]) == {t}
        assert len({len(values) for values in fields.values()}) == 1
        json.dumps(fields, allow_nan=False)


def test_contours_lie_where_the_predictive_density_has_their_levels():
    made = scene("plane")
    rows = sweeps_film(made).still(33)["contours_a"]
    places = np.column_stack([rows["x"], rows["y"]])
    sampler, state = made.runs[0].sampler, made.runs[0].state(33)
    height = predictive_density(sampler, state, places)
    grid = np.stack(np.meshgrid(*[np.linspace(*_ends(axis), 48) for axis in places.T]), -1).reshape(-1, 2)
    top = max(predictive_density(sampler, state, grid).max(), height.max() / max(LEVELS))
    nearest = np.abs(np.log(height[:, None] / (top * np.array(LEVELS)))).min(axis=1)
    assert np.median(nearest) < 0.12


def _ends(values: np.ndarray) -> tuple[float, float]:
    return float(values.min()), float(values.max())


def test_on_a_line_the_density_itself_is_drawn():
    made = scene("line, learned")
    film = sweeps_film(made)
    rows, top = film.still(33)["contours_a"], film.frames(33, 34)["clusters_a", "top"][0, 0]
    expected = predictive_density(made.runs[0].sampler, made.runs[0].state(33), np.array(rows["x"]))
    np.testing.assert_allclose(np.array(rows["y"]) * top, expected, rtol=2e-2)
    assert np.trapezoid(rows["y"], rows["x"]) * top == pytest.approx(1, abs=0.05)


@pytest.mark.parametrize("changes", LINES)
def test_no_curve_on_a_line_is_ever_cut_off(changes):
    made = scene_of(CRPMixtureSettings(**changes), SEED)
    made.runs[0].grow(150, seconds=30)
    film = sweeps_film(made)
    frames = film.frames(0, 151)
    tops = frames["clusters_a", "top"][:, 0]
    assert (np.diff(tops) >= 0).all()
    assert len(np.unique(tops)) <= 4, "the height changes rarely"
    peaks = frames["clusters_a", "share"] / frames["clusters_a", "a"] / np.sqrt(2 * np.pi)
    assert np.nanmax(peaks / tops[:, None]) < 1
    assert max(max(film.still(t)["contours_a"]["y"]) for t in range(0, 151, 10)) < 1
    opened = made.runs[0].close_up(9)
    frames = close_up_film(made, opened).frames(0, 4 * len(opened) + 1)
    peaks = frames["clusters_a", "share"] / frames["clusters_a", "a"] / np.sqrt(2 * np.pi)
    assert np.nanmax(peaks / frames["clusters_a", "top"]) < 1
    heights = np.fmax(np.exp(frames["options_a", "log_height"]), frames["options_a", "fit"])
    assert 0.8 < np.nanmax(heights / frames["options_a", "top"]) < 1


def test_what_is_drawn_at_rest_is_that_of_its_sweep():
    assert set(sent(sweeps_film(scene("plane")), 6)[0]["still"]["contours_a"]["t"]) == {6}


def test_the_log_joint_is_that_of_a_chain_made_apart():
    settings = SETTINGS["plane"]
    chain = Chain(settings.sampler(), SEED)
    shown = sweeps_film(scene("plane")).frames(0, UNTIL + 1)["say", "log_joint"][:, 0]
    assert shown.tolist() == [np.float32(chain.sampler.log_joint(chain[t])) for t in range(UNTIL + 1)]
    assert isinstance(chain.record(1)[0].conditional, Conditional)
