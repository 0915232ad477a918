"""The film of a climb against its states, and what is beside it against the exact posterior."""

from functools import cache

import numpy as np
import pytest

from lessons.topics.climb_mixture import ClimbMixtureSettings
from lessons.topics.climb_mixture.means import moments, of_posterior, of_q
from pages.contract.stage import stage_of
from pages.topics.climb_mixture.run import RGB
from samplers import Chain
from samplers.mixtures.finite import FiniteMixture

SEED = 3
SEVEN = {"data": "seven_points", "method": "VB", "number": 2, "compare": "all"}


@cache
def film_of(**changes):
    film = stage_of("climb_mixture").film(ClimbMixtureSettings(**changes), SEED)
    while film.grow(film.total) < film.total:
        pass
    return film


def test_points_have_the_colour_that_their_responsibilities_mix():
    settings, film = ClimbMixtureSettings(points=20), film_of(points=20)
    frames, chain = film.frames(0, 12), Chain(settings.sampler(), SEED)
    for t in (0, 1, 2, 11):
        mixed = chain[t].responsibilities @ RGB[:3]
        for place, name in enumerate(("red", "green", "blue")):
            np.testing.assert_allclose(frames["points", name][t], mixed[:, place], atol=0.51)
        assert frames["past", "bound"][t, 0] == pytest.approx(chain[t].bound, rel=1e-6)
        np.testing.assert_allclose(frames["components", "share"][t], chain[t].parts.weights, rtol=1e-6)
    assert frames["say", "name"][:5, 0].tolist() == [0, 1, 2, 1, 2]
    np.testing.assert_allclose(frames["past", "bound"][1::2], frames["past", "level"][1::2], rtol=1e-6)


def test_a_bound_that_the_axis_does_not_hold_is_said_to_be_below_it():
    film = film_of(points=20)
    frames, (low, _) = film.frames(0, 12), film.params["bound_span"]
    below = frames["past", "bound"][:, 0] < low
    assert below[0]
    assert not below[2:].any()
    assert (frames["say", "below"][:, 0] == below).all()
    assert "{below:|, below the axis}" in next(chart.caption for chart in film.charts if chart.name == "bound")


def test_gibbs_comes_to_the_exact_density_and_q_stays_narrower():
    film = film_of(**SEVEN)
    last = film.frames(film.total, film.total + 1)
    q, gibbs = last["densities", "height"][0].reshape(2, -1)
    exact = last["exact", "height"][0]
    assert 0.5 * np.abs(gibbs - exact).sum() / exact.sum() < 0.08
    assert q.max() > 1.2 * exact.max()
    assert film.data["ladder"]["row"] == [0, 1, 2, 3, 4]
    assert film.data["densities"]["row"][0] == 3  # after k-means, EM and MAP
    assert last["past", "bound"][0, 0] < film.data["truth"]["evidence"][0]


def test_the_mean_of_a_points_component_is_that_of_a_long_gibbs_run():
    settings = ClimbMixtureSettings(**SEVEN)
    climb = settings.sampler()
    exact = settings.exact(climb.data)
    chain = Chain(FiniteMixture(climb.data, climb.family, 2, 1.0), SEED)
    for point in (0, 3):
        shares, families = of_posterior(exact, climb, point)
        assert shares.sum() == pytest.approx(1)
        each = [chain[t].clusters[chain[t].labels[point]].posterior().mean[0] for t in range(1, 1_500)]
        assert np.mean(each) == pytest.approx(moments(shares, families)[0], abs=0.1)
    end = Chain(climb, SEED)[200]
    q, posterior = moments(*of_q(end, 0))[1] ** 0.5, moments(*of_posterior(exact, climb, 0))[1] ** 0.5
    assert q < 0.65 * posterior


def test_the_distribution_over_all_starts_is_that_of_many_seeds():
    seven = ClimbMixtureSettings(data="seven_points", number=2, runs="bound")
    law, climb = seven.law("bound", 60), seven.sampler()
    chains = [Chain(climb, seed) for seed in range(300)]
    starts = [chain[0].responsibilities.tobytes() for chain in chains]  # after which nothing is drawn
    highest = {start: chain[60].bound for start, chain in dict(zip(starts, chains, strict=True)).items()}
    ends = np.round([highest[start] for start in starts], 6)
    assert set(ends) <= set(law.values)  # no end that is not listed
    shares = np.array([(ends == value).mean() for value in law.values])
    assert 0.5 * np.abs(shares - law.shares).sum() < 0.17, "150 draws, most of three values"
    three = {"data": "three_points", "number": 2}  # with one break a stick is a Beta, whose order does not matter
    laws = [ClimbMixtureSettings(**three, method=method).law("bound", 8) for method in ("VB", "stick")]
    assert laws[0].values == laws[1].values
    assert laws[0].shares == laws[1].shares
    assert ClimbMixtureSettings(data="seven_points", number=3).law("bound", 60) is None


def test_a_wall_has_the_bounds_of_its_seeds():
    settings = ClimbMixtureSettings(data="seven_points", runs="bound")
    film = stage_of("climb_mixture").film(settings, SEED)
    values = film.frames(60, 61)["runs", "value"][0]
    for seed in (0, SEED, 99):
        assert values[seed] == pytest.approx(Chain(settings.sampler(), seed)[60].bound, rel=1e-6)


def test_borders_of_k_means_are_halfway_between_neighbouring_means():
    film = film_of(**SEVEN | {"method": "k-means", "number": 2})
    frames = film.frames(0, film.total + 1)
    means = np.sort(frames["components", "mx"], axis=1)
    np.testing.assert_allclose(frames["borders", "x"], (means[:, 1:] + means[:, :-1]) / 2, rtol=1e-5)
    component, x = frames["points", "component"][-1], np.array(film.data["points"]["x"])
    last, names = frames["borders", "x"][-1], 1 + np.argsort(frames["components", "mx"][-1])
    assert component.tolist() == [names[np.searchsorted(last, each)] for each in x]


def test_numbers_of_components_in_one_place_stand_beside_each_other():
    film = film_of(data="seven_points", method="VB", number=5, family="known", start="k-means++")
    beside = film.frames(0, 61)["components", "beside"]
    assert beside[0].tolist() == [0] * 5
    assert beside[60].tolist() == [0, 0, -0.5, 0.5, 0]  # two have no points: one curve covers the other


def test_a_single_number_below_the_axis_is_as_low_as_it_can_be():
    one, two = (
        film_of(data="three_points", number=2, family="known"),
        film_of(data="seven_points", method="VB", number=2, family="known"),
    )
    specs = [str(next(chart.spec for chart in film.charts if chart.name == "bound")) for film in (one, two)]
    assert ["height - 18" in spec for spec in specs] == [False, True]
