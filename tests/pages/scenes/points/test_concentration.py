"""The chart of a concentration that is learned: bars, prior, exact posterior and the present value."""

import numpy as np
import pytest
from scipy import stats

from lessons.topics.crp_mixture import CRPMixtureSettings
from pages.scenes.points.concentration import BARS, EDGES, LINE, MOST
from pages.scenes.points.film import sweeps_film
from pages.scenes.points.scene import MixtureScene
from pages.topics.crp_mixture.chains import scene_of
from samplers.crp.exact_partitions import exact_posterior

SEED, UNTIL = 7, 60


def scene(**settings) -> MixtureScene:
    made = scene_of(CRPMixtureSettings(learning="learned", **settings), SEED)
    for run in made.runs:
        run.grow(UNTIL, seconds=60)
    return made


def test_bars_are_the_draws_so_far():
    made = scene(points=40, start="apart")
    film = sweeps_film(made)
    whole, part = film.frames(0, UNTIL + 1), film.frames(40, 50)
    draws = np.array([made.run.state(t).concentration for t in range(UNTIL + 1)])
    assert draws.max() > MOST, "the last bar has those that are larger as well"
    assert not whole["alphas", "density"][0].any(), "the start is no draw"
    for t in (1, 7, UNTIL):
        inside = np.minimum(draws[1 : t + 1], MOST - 1e-9)
        expected, _ = np.histogram(inside, EDGES)
        assert whole["alphas", "density"][t] == pytest.approx(expected / t * BARS / MOST, rel=1e-6)
        assert whole["say", "alpha"][t, 0] == pytest.approx(draws[t], rel=1e-6)
        assert whole["alpha_now", "x"][t, 0] == pytest.approx(min(draws[t], MOST), rel=1e-6)
    for name in (("alphas", "density"), ("alpha_now", "x")):
        np.testing.assert_array_equal(part[name], whole[name][40:50])


def test_the_lines_are_the_prior_and_its_product_with_the_evidence():
    made = scene(data="seven_points", family="known")
    line = sweeps_film(made).data["alpha_line"]
    prior = stats.gamma.pdf(LINE, 1.0)
    family = made.run.sampler.family
    places = [0, 30, 90, 149]
    evidence = np.array([exact_posterior(made.data, family, LINE[i]).log_evidence for i in places])
    assert line["prior"] == pytest.approx(prior, rel=1e-3)
    expected = prior[places] * np.exp(evidence - made.exact.log_evidence)
    assert np.array(line["exact"])[places] == pytest.approx(expected, rel=1e-3)


def test_where_it_is_not_known_or_not_learned_there_is_none():
    assert set(sweeps_film(scene(points=20)).data["alpha_line"]["exact"]) == {None}
    for settings in ({"learning": "fixed"}, {"learning": "learned", "second": "seed"}):
        film = sweeps_film(scene_of(CRPMixtureSettings(points=20, **settings), SEED))
        assert "alpha" not in [chart.name for chart in film.charts]
        assert "alphas" not in film.data
