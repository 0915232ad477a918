"""Predictions of the mixture: cards, curves, points from the model and their check are those of the samplers."""

import re

import numpy as np
import pytest

from lessons.topics.crp_mixture import CRPMixtureSettings
from pages.scenes.points.film import sweeps_film
from pages.scenes.points.pictures import AVERAGE, EXACT, PRESENT
from pages.scenes.points.scene import MixtureScene
from pages.scenes.points.stills import ALONG
from pages.topics.crp_mixture import CRPMixtureStage
from pages.topics.crp_mixture.chains import scene_of
from pages.topics.crp_mixture.prediction import check, counted_sweeps, next_point
from samplers.crp.prediction import average_prediction, draw_new_points, exact_prediction, predictive_density
from samplers.diagnostics.predictive_checks import to_the_farthest, to_the_nearest
from tests.pages.html import words

SEED, UNTIL = 5, 40
SEVEN = {"data": "seven_points", "family": "known"}
SETTINGS = {
    "seven points": SEVEN,
    "seven points, learned": SEVEN | {"learning": "learned"},
    "line": {"data": "response_times", "points": 25, "learning": "learned"},
    "plane": {"points": 30},
}
every = pytest.mark.parametrize("name", SETTINGS)


def scene(name: str, **changes) -> MixtureScene:
    made = scene_of(CRPMixtureSettings(**SETTINGS[name] | changes), SEED)
    for run in made.runs:
        run.grow(UNTIL, seconds=60)
    return made


# ---- the cards of the next point -------------------------------------------------------------------------------------


@every
@pytest.mark.parametrize("sweep", [0, 1, 33])
def test_a_state_that_is_rebuilt_is_the_chains(name, sweep):
    run = scene(name).run
    state, rebuilt = run.state(sweep), run.rebuilt(sweep)
    assert (rebuilt.labels, rebuilt.concentration) == (state.labels, state.concentration)
    assert run.sampler.log_joint(rebuilt) == pytest.approx(run.sampler.log_joint(state), rel=1e-9)


@every
def test_the_cards_have_the_tables_shares_and_the_average(name):
    made = scene(name)
    state = made.run.state(33)
    seats, falls, averaged = re.findall(r"<section[^>]*>(.*?)</section>", next_point(made, 33), re.DOTALL)
    total = len(state.labels) + state.concentration
    shares = [float(text) for text in re.findall(r"<td>(0\.\d{3})</td>", seats)]
    expected = [*sorted((count / total for count in state.counts), reverse=True), state.concentration / total]
    rest = "more, together" in seats
    new = shares[-1 - rest]
    assert sum(shares) == pytest.approx(1, abs=3e-3)
    assert [*shares[:4], new] == pytest.approx([*expected[:4], expected[-1]], abs=6e-4)
    assert rest or shares == pytest.approx(expected, abs=6e-4)
    assert f"{max(state.counts)} / ({len(state.labels)} + {state.concentration:.3g})" in words(seats)
    rows = re.findall(r"<tr>(.*?)</tr>", falls, re.DOTALL)[1:]
    assert len(rows) == min(len(state.counts), 5) + 1
    numbers = [float(n.replace("−", "-")) for n in re.findall(r"−?\d+\.\d+", words(rows[-1]))]
    centre, scale, df = made.run.sampler.family.student_t()
    spread = np.sqrt(np.diag(scale) * (df / (df - 2) if np.isfinite(df) else 1))
    assert numbers == pytest.approx([*centre, *spread], abs=6e-3)
    assert "sweeps 17 to 33" in words(averaged)
    alphas = made.run.concentration[17:34]
    told = [float(text) for text in re.findall(r"<td>(0\.\d{3})</td>", averaged)]
    assert told[0] == pytest.approx(new)
    assert told[1] == pytest.approx((alphas / (len(state.labels) + alphas)).mean(), abs=6e-4)
    assert len(told) == 2 + (made.exact is not None)


def test_the_spread_of_a_table_is_that_of_what_it_foretells():
    """By its density, on a grid, for the largest table of points on a line."""
    made = scene("line")
    largest = max(made.run.state(33).clusters.values(), key=lambda cluster: cluster.count)
    grid = np.linspace(-60, 60, 400_001)
    law = np.exp(largest.posterior().log_density(grid))
    mean, spread = (grid * law).sum() / law.sum(), 0.0
    spread = np.sqrt(((grid - mean) ** 2 * law).sum() / law.sum())
    assert f"<td>{mean:.2f}</td><td>{spread:.2f}</td>".replace("-", "−") in next_point(made, 33)


def test_the_exact_chance_of_a_new_table_is_told_where_it_is_known():
    made = scene("seven points, learned")
    exact = exact_prediction(made.data, made.run.sampler.family, [0.0], concentration_prior=(1.0, 1.0))
    assert f"<td>exact</td><td>{exact.new:.3f}</td>" in next_point(made, 33)


@every
def test_at_the_start_there_is_nothing_to_average(name):
    assert "Run some sweeps first" in next_point(scene(name), 0)
    assert "Run some sweeps first" in check(scene(name), 0)


def test_the_sweeps_that_count_are_the_second_half_or_some_of_it():
    made = scene("seven points")
    assert counted_sweeps(made, 40, 200).tolist() == list(range(21, 41))
    assert counted_sweeps(made, 1, 200).tolist() == [1]
    assert counted_sweeps(made, 0, 200).tolist() == [0]
    few = counted_sweeps(made, 2000, 5)
    assert (len(few), few[0], few[-1]) == (5, 1001, 2000)


# ---- the picture -----------------------------------------------------------------------------------------------------


@every
def test_the_picture_has_the_average_and_where_it_is_known_the_exact_one(name):
    made = scene(name, prediction="average")
    drawn = sweeps_film(made).still(33)["contours_a"]
    kinds = np.array(drawn["kind"])
    if not made.flat:
        assert set(kinds) == {AVERAGE}
        return
    assert set(kinds) == {PRESENT, AVERAGE} | ({EXACT} if made.exact else set())
    sampler, sweeps = made.run.sampler, slice(17, 34)
    x = np.array(drawn["x"])[kinds == AVERAGE]
    average = average_prediction(sampler, made.run.labels[sweeps], made.run.concentration[sweeps], x).density
    laws = {PRESENT: predictive_density(sampler, made.run.state(33), x), AVERAGE: average}
    if made.exact:
        laws[EXACT] = made.exact_density(x[:, None])
    heights = {kind: np.array(drawn["y"])[kinds == kind] for kind in laws}
    scale = heights[PRESENT].max() / laws[PRESENT].max()
    for kind, law in laws.items():
        assert len(heights[kind]) == ALONG
        assert heights[kind] == pytest.approx(scale * law, abs=2e-3), "x has four digits"
        assert heights[kind].max() < 1, "no curve is cut off"


def test_what_is_looked_at_changes_no_run():
    plain, other = scene("plane"), scene("plane", prediction="average", replica="shown")
    assert plain.run is other.run
    assert sweeps_film(plain).key != sweeps_film(other).key
    assert [chart.name for chart in sweeps_film(other).charts][:2] == ["points", "replica"]


# ---- points from the model -------------------------------------------------------------------------------------------


@every
def test_points_from_the_model_are_the_samplers(name):
    made = scene(name, replica="shown")
    film = sweeps_film(made)
    frames, later = film.frames(0, 12), film.frames(11, 12)
    for t in (0, 11):
        rng = np.random.default_rng((SEED, t, len(made.data)))
        new = draw_new_points(made.run.sampler, made.run.state(t), len(made.data), rng)
        assert frames["points_r", "x"][t] == pytest.approx(new.points[:, 0], rel=1e-6)
        assert frames["points_r", "label"][t].tolist() == new.labels.tolist()
        if not made.flat:
            assert frames["points_r", "y"][t] == pytest.approx(new.points[:, 1], rel=1e-6)
        tables = frames["clusters_r", "table"][t]
        assert set(tables[np.isfinite(tables)]) == set(new.dishes)
        assert frames["say", "tables_r"][t, 0] == len(new.dishes)
        inside = [(low <= v) & (v <= high) for (low, high), v in zip(made.domains, new.points.T, strict=False)]
        assert frames["say", "outside_r"][t, 0] == (~np.all(inside, axis=0)).sum()
    for column, values in later.items():
        np.testing.assert_array_equal(values[0], frames[column][11])
    if made.flat:
        tops = frames["clusters_r", "top"][:, 0]
        density = frames["clusters_r", "share"] / frames["clusters_r", "a"] / np.sqrt(2 * np.pi)
        assert (np.nanmax(density, axis=1) < tops).all(), "no curve is cut off"


def test_beside_a_second_chain_there_are_none():
    made = scene("plane", replica="shown", second="seed")
    assert made.replica is None
    assert [chart.name for chart in sweeps_film(made).charts] == ["points", "second", "many", "trace", "tables"]
    assert not CRPMixtureSettings(second="seed").matters("replica")


@every
def test_the_check_counts_sets_that_lie_as_far_out(name):
    made = scene(name, replica="shown")
    html = words(check(made, 33))
    sets = [made.replica(sweep).points for sweep in range(17, 34)]
    for measure in (to_the_nearest, to_the_farthest):
        ours, theirs = measure(made.data), [measure(points) for points in sets]
        assert f"in {sum(value >= ours for value in theirs)} of 17 sets" in html
        assert f"Data: {ours:.3g}." in html
    assert f"17 sets of {len(made.data)} new points, one each from sweeps 17 to 33" in html


@pytest.mark.parametrize("view", ["prediction", "summaries"])
@pytest.mark.parametrize(
    "changes", [{}, {"replica": "shown"}, {"step_by": "update", "sweep": 3}, {"second": "branch", "branch_at": 2}]
)
def test_the_views_stand_wherever_the_run_is(view, changes):
    settings = CRPMixtureSettings(**SEVEN | changes)
    for t in (0, 7):
        assert CRPMixtureStage().cards(settings, SEED, view, t)
