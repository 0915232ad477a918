"""Climbs on a learner's own points."""

import numpy as np
import pytest

from lessons.data.columns import Column
from lessons.data.csv_table import read_csv
from lessons.own.points import OwnPoints
from lessons.own.store import keep_own
from lessons.topics.climb_mixture import ClimbMixtureSettings
from pages.contract.stage import stage_of
from pages.download.script import script

STAGE, SEED = stage_of("climb_mixture"), 7
HEIGHTS = "\n".join(["height,weight", "1.61,52", "1.7,61", "1.58,50", "1.92,88", "1.89,91", "1.95,84", "1.66,58"])


def own(points, *columns):
    return keep_own(OwnPoints(points, columns or (Column("height"), Column("weight"))[: points.shape[1]]))


@pytest.mark.parametrize("method", ["k-means", "EM", "MAP", "VB", "stick"])
@pytest.mark.parametrize("family", ["known", "unknown"])
@pytest.mark.parametrize(
    "points",
    [
        np.random.default_rng(3).normal(size=(14, 2)) * [3e6, 4e-3],
        np.random.default_rng(4).normal(size=(30, 1)),
        np.repeat(np.arange(5.0)[:, None], 2, axis=1),
        (1e5 + np.arange(3.0)[:, None]) * 1e6,
    ],
    ids=["plane", "line", "one direction", "far"],
)
def test_every_method_takes_them(method, family, points, monkeypatch):
    monkeypatch.setattr("lessons.topics.climb_mixture.climbs.HALF_STEPS", 60)  # after which hardly anything changes
    compare = "all" if method == "stick" else "none"  # beside one method, all of them are run
    settings = ClimbMixtureSettings(data="own", own=own(points), method=method, family=family, compare=compare)
    assert STAGE.missing(settings) is None
    film = STAGE.film(settings, SEED)
    while film.grow(film.total) < film.total:
        pass
    frames = film.frames(0, film.total + 1)
    for name in ("red", "component"):
        assert frames["points", name].shape == (film.total + 1, len(points))
    assert np.isfinite(frames["components", "mx"]).all()
    for view in ("step", "components", "code"):
        assert "nan" not in STAGE.cards(settings, SEED, view, 6)


@pytest.mark.parametrize("column", [np.zeros(4), np.full(4, 7.0), 1e9 + np.arange(4), np.arange(4) * 1e13])
def test_a_column_that_has_no_scale_is_no_coordinate(column):
    settings = ClimbMixtureSettings(data="own", own=own(np.column_stack([np.arange(4.0), column])))
    assert "hardly varies" in STAGE.missing(settings)


def test_the_bound_reaches_the_exact_evidence_where_it_is_listed():
    """With one component q is the posterior itself, so no evidence is left; with two it is below."""
    points = np.random.default_rng(5).normal(size=(200, 2)) * [2, 9]
    one = ClimbMixtureSettings(data="own", own=own(points), method="VB", number=1)
    scene = STAGE.scene(one, SEED)
    scene.run.reach(4)
    assert scene.exact[0] == pytest.approx(scene.run.bound[4], abs=1e-8)
    two = one.model_copy(update={"own": own(points[:9]), "number": 2})
    scene = STAGE.scene(two, SEED)
    scene.run.reach(60)
    assert scene.run.bound[60] < scene.exact[0] < scene.run.bound[60] + 4
    assert STAGE.scene(two.model_copy(update={"own": own(points[:11])}), SEED).exact is None, "2,048 take too long"


def test_cards_have_the_units_of_the_file():
    data, columns, _ = read_csv(HEIGHTS.encode(), "people.csv").points(["height", "weight"], True)
    standard = ClimbMixtureSettings(data="own", own=own(data, *columns), method="VB", number=2, start="k-means++")
    cards = STAGE.cards(standard, SEED, "step", 1)
    assert "point 1</span> at (1.610, 52" in cards
    written = STAGE.cards(standard, SEED, "components", 40)
    ends = STAGE.scene(standard, SEED).run.state(40).parts.components
    for end in ends:
        assert f"{columns[1].own(end.mean)[1]:.1f}" in written
        assert f"{columns[1].scale * end.deviations[1]:.1f}" in written


def test_a_given_spread_is_in_parts_of_theirs():
    points = np.random.default_rng(6).normal(size=(20, 2))
    small, large = (
        ClimbMixtureSettings(data="own", own=own(scale * points), family="known", number=2) for scale in (1, 1000)
    )
    first, second = (STAGE.scene(each, SEED).run for each in (small, large))
    first.reach(30), second.reach(30)
    np.testing.assert_allclose(first.shares[30], second.shares[30], rtol=1e-4)


def test_the_script_has_the_points():
    points = np.random.default_rng(7).normal(size=(6, 2))
    settings = ClimbMixtureSettings(data="own", own=own(points), method="VB")
    state = STAGE.scene(settings, SEED).run.state(5)
    made = {}
    exec(script(STAGE.moment(settings, SEED, 5), "Mine", "/climb_mixture"), made)
    np.testing.assert_array_equal(made["state"].responsibilities, state.responsibilities)


def test_without_a_file_one_is_asked_for():
    settings = ClimbMixtureSettings(data="own", runs="bound")
    assert "upload it" in STAGE.missing(settings)
    assert not settings.many, "a wall has the points of its settings"
    assert not settings.matters("points")
