"""The picture of an update: its options with their probabilities and predictives, and where the dart falls."""

import numpy as np
import pytest
from scipy import stats

from lessons.topics.crp_mixture import CRPMixtureSettings
from lessons.topics.gibbs_blobs import GibbsBlobsSettings
from pages.scenes.points.film import close_up_film, sweeps_film
from pages.scenes.points.model import NEW
from pages.scenes.points.options import DART, ROWS, fields_of
from pages.topics.crp_mixture import chains
from pages.topics.gibbs_blobs import chains as blobs_chains
from samplers.crp.wrong import WRONG_RULES

SEED, SWEEP = 5, 8
SETTINGS = {
    "plane": CRPMixtureSettings(points=30),
    "plane, known": CRPMixtureSettings(points=12, family="known", start="apart"),
    "line, learned": CRPMixtureSettings(data="response_times", points=25, learning="learned"),
    "counts": GibbsBlobsSettings(points=30, components="multinomial"),
    "blocks": GibbsBlobsSettings(points=30, blocks="uncollapsed"),
    **{rule: CRPMixtureSettings(data="seven_points", rule=rule, start="prior") for rule in WRONG_RULES},
}
every = pytest.mark.parametrize("name", SETTINGS)
on_a_line = pytest.mark.parametrize("name", [name for name in SETTINGS if name in WRONG_RULES or "line" in name])


def film_of(name: str):
    """Return a scene, one of its sweeps opened, and the frames of that."""
    stage = chains if isinstance(SETTINGS[name], CRPMixtureSettings) else blobs_chains
    made = stage.scene_of(SETTINGS[name], SEED)
    made.run.grow(SWEEP, seconds=20)
    opened = made.run.close_up(SWEEP)
    film = close_up_film(made, opened)
    return made, opened, film.frames(0, film.total + 1)


def rows_of(frames: dict, made, t: int) -> dict[str, np.ndarray]:
    """Return the options that are drawn in a frame, by field."""
    there = np.isfinite(frames["options_a", "top"][t])
    return {field: frames["options_a", field][t][there] for field in fields_of(made)}


def names_of(made, beat) -> list[int]:
    names, options = made.model.options(beat.lifted), len(beat.update.conditional.probabilities)
    return [*names, *[NEW] * (options - len(names))]


@every
def test_options_are_there_while_a_point_is_scored_and_sampled_and_take_the_place_of_the_clusters(name):
    made, opened, frames = film_of(name)
    for i, beat in enumerate(opened):
        for number in (1, 2, 3, 4):
            t, scored = 4 * i + number, number in (2, 3) and not beat.is_block
            assert len(rows_of(frames, made, t)["p"]) == (scored and len(beat.update.conditional.probabilities))
            assert np.isfinite(frames["clusters_a", "top"][t]).all() != scored
            assert np.isfinite(frames["dart_a", "at"][t, 0]) == scored
    assert not np.isfinite(frames["options_a", "top"][0]).any()


@every
def test_spokes_and_bar_are_the_conditional_distribution(name):
    made, opened, frames = film_of(name)
    for i, beat in enumerate(opened):
        if beat.is_block:
            continue
        rows, chances = rows_of(frames, made, 4 * i + 2), beat.update.conditional.probabilities
        order = np.argsort(-chances, kind="stable")
        assert rows["p"].tolist() == pytest.approx(chances[order].tolist(), rel=1e-6)
        assert rows["option"].tolist() == [names_of(made, beat)[option] for option in order]
        ends = np.cumsum(chances)
        assert rows["high"].tolist() == pytest.approx(ends[order].tolist(), abs=1e-6)
        assert rows["low"].tolist() == pytest.approx((ends - chances)[order].tolist(), abs=1e-6)
        for name_of, x, y in zip(rows["option"], rows["x2"], rows["y2"], strict=True):
            there = made.aside if name_of == NEW else made.model.place(beat.lifted, int(name_of))
            assert (x, y) == pytest.approx(there, rel=1e-6)


@every
def test_the_dart_lies_in_the_part_of_the_option_that_is_drawn(name):
    made, opened, frames = film_of(name)
    places = close_up_film(made, opened).data["points_a"]
    for i, beat in enumerate(opened):
        if beat.is_block:
            continue
        site, sample = beat.update.site, 4 * i + 3
        dart = {field: frames["dart_a", field][sample, 0] for field in DART}
        rows = rows_of(frames, made, sample)
        assert [frames["dart_a", "beat"][t, 0] for t in (sample - 1, sample)] == [2, 3]
        (hit,) = np.flatnonzero((rows["low"] <= dart["at"]) & (dart["at"] < rows["high"]))
        assert rows["option"][hit] == names_of(made, beat)[beat.update.value]
        assert (dart["p"], dart["x2"], dart["y2"]) == (rows["p"][hit], rows["x2"][hit], rows["y2"][hit])
        assert dart["label"] == beat.after.labels[site]
        assert (dart["x"], dart["y"]) == pytest.approx((places["x"][site], places["y"][site]))


@pytest.mark.parametrize("name", ["plane", "plane, known", "blocks"])
def test_an_ellipse_holds_as_much_of_a_predictive_as_two_deviations_of_a_normal(name):
    made, opened, frames = film_of(name)
    beat, rows = opened[3], rows_of(frames, made, 14)
    for option, *mean, a, b, c in zip(*(rows[field] for field in ("option", "mx", "my", "a", "b", "c")), strict=True):
        centre, scale, df = made.model.predictive(beat.lifted, int(option)).student_t()
        assert mean == pytest.approx(centre.tolist(), rel=1e-6)
        root = np.array([[a, 0], [b, c]])
        squares = np.linalg.solve(scale, root @ root.T)
        assert squares == pytest.approx(squares[0, 0] * np.eye(2), rel=1e-4, abs=1e-4)
        inside = stats.f(2, df).cdf(squares[0, 0] / 2) if np.isfinite(df) else stats.chi2(2).cdf(squares[0, 0])
        assert inside == pytest.approx(stats.chi2(2).cdf(4), abs=2e-4)


@on_a_line
def test_the_fit_of_each_option_stands_on_its_curve_at_the_point(name):
    made, opened, frames = film_of(name)
    for i, beat in enumerate(opened):
        if beat.is_block:
            continue
        x, (_, fit) = made.data[beat.update.site], beat.update.conditional.terms.values()
        rows = rows_of(frames, made, 4 * i + 2)
        assert sorted(rows["fit"]) == pytest.approx(sorted(np.exp(fit)), rel=1e-5, abs=1e-37)
        z = (x[0] - rows["centre"]) / rows["scale"]
        on_curve = np.exp(rows["log_height"] - (rows["df"] + 1) / 2 * np.log1p(z * z / rows["df"]))
        laws = {table: cluster.posterior() for table, cluster in beat.lifted.clusters.items()}
        laws[NEW] = made.run.sampler.family
        expected = [np.exp(laws[option].log_density(x[None]))[0] for option in rows["option"].astype(int)]
        np.testing.assert_allclose(on_curve, expected, rtol=2e-3, atol=1e-6)
        if name not in WRONG_RULES:
            np.testing.assert_allclose(on_curve, rows["fit"], rtol=2e-3, atol=1e-6)


def test_a_wrong_fit_stands_off_its_curve():
    made, _, frames = film_of("new table too sure")
    rows = rows_of(frames, made, 2)
    (new,) = np.flatnonzero(rows["option"] == NEW)
    z = (rows["x"][new] - rows["centre"][new]) / rows["scale"][new]
    assert rows["fit"][new] < 0.7 * np.exp(rows["log_height"][new] - z * z / 2)


def test_of_numbers_that_would_overlap_the_likeliest_has_room():
    made, _, frames = film_of("plane, known")
    low, high = np.array(made.domains).T
    for t in range(2, 42, 4):
        rows = rows_of(frames, made, t)
        places = (np.column_stack([rows["x2"], rows["y2"]]) - low) / (high - low)
        apart = np.abs(places[:, None] - places).max(axis=2)
        for option, room in enumerate(rows["room"]):
            assert room == (apart[option, :option] > 0.1).all()
        assert rows["room"][0]


def test_the_likeliest_are_drawn_if_there_are_many():
    settings = CRPMixtureSettings(points=40, start="apart", concentration=20.0, step_by="update")
    made = chains.scene_of(settings, SEED)
    frames = close_up_film(made, made.run.close_up(1)).frames(0, 4)
    chances = made.run.close_up(1)[0].update.conditional.probabilities
    assert len(chances) > ROWS
    assert frames["options_a", "p"][2].tolist() == pytest.approx(sorted(chances, reverse=True)[:ROWS], rel=1e-6)


def test_a_new_component_has_its_place_away_from_all_points():
    made = chains.scene_of(SETTINGS["plane"], SEED)
    low, high = np.array(made.domains).T
    place = (np.array(made.aside) - low) / (high - low)
    assert ((place > 0.05) & (place < 0.95)).all()
    assert np.abs((made.data - low) / (high - low) - place).max(axis=1).min() > 0.1


def test_nothing_of_an_update_is_in_a_film_of_sweeps():
    film = sweeps_film(chains.scene_of(SETTINGS["plane"], SEED))
    assert not any(name.startswith(("options", "dart")) for name in film.data)
    assert "options_a" not in str(film.charts[0].spec)
