"""Errors of averages at the probe, the curves of σ and Φ, and the numbers of the lessons on both."""

from math import isnan, pi, sqrt
from typing import Any

import numpy as np
import pytest
from scipy.special import expit, ndtr

from lessons.topics.logistic import LogisticSettings
from pages.drawing.plane import grid_places
from pages.lesson.lessons import library
from pages.topics.logistic import LogisticStage, averages, charts
from samplers import Chain
from tests.pages.html import words

scene_of = LogisticStage().scene

SEED = 7
PROBE = (5.0, -3.0)


def settings_of(lesson: str, step: str) -> LogisticSettings:
    found = library().lesson(lesson)
    settings: Any = found.settings_for(next(each for each in found.steps if each.id == step))
    return settings


FEW = scene_of(LogisticSettings(data="few"), SEED)


def test_the_scatter_is_that_of_draws():
    draws = scene_of(LogisticSettings(data="few", draws=2000), SEED).fit.draws
    said = expit(draws @ np.array(PROBE))
    assert averages.scatter(FEW.fit, PROBE) == pytest.approx(said.std(), rel=0.08)
    flat = LogisticSettings(data="few", prior="flat")
    assert isnan(averages.scatter(scene_of(flat, SEED).fit, PROBE))
    assert isnan(flat.measure(Chain(flat.sampler(), SEED), 0)["scatter"])
    measured = LogisticSettings(data="few", probe_x=PROBE[0], probe_y=PROBE[1])
    found = measured.measure(Chain(measured.sampler(), SEED), 0)
    assert found["scatter"] == pytest.approx(averages.scatter(FEW.fit, PROBE))
    assert found["error"] == pytest.approx(found["scatter"] / sqrt(20))


def test_many_runs_together_have_the_standard_error():
    errors = averages.errors_of_runs(FEW.fit, PROBE)
    typical = np.sqrt((errors**2).mean(axis=0))
    expected = averages.scatter(FEW.fit, PROBE) / np.sqrt(averages.AT)
    assert errors.shape == (averages.RUNS, len(averages.AT))
    np.testing.assert_allclose(typical, expected, rtol=0.2)  # four standard errors
    assert not np.allclose(typical, expected / 1.5, rtol=0.2), "the test sees a wrong standard deviation"


def test_the_chart_has_single_runs_all_together_and_the_line():
    found = averages.sets(FEW.fit, PROBE, None)["averages"]
    assert {by: found["by"].count(by) for by in set(found["by"])} == {
        "run": averages.THIN * len(averages.AT),
        "typical": len(averages.AT),
        "root": 2,
    }
    flat = scene_of(LogisticSettings(data="few", prior="flat"), SEED).fit
    assert averages.sets(flat, PROBE, None) is averages.NOTHING
    assert "two classes and a mode" in averages.cards(flat, 20, PROBE, None)
    three = scene_of(LogisticSettings(data="three"), SEED).fit
    assert averages.sets(three, PROBE, None) is averages.NOTHING


@pytest.mark.parametrize("method", ["newton", "chain", "points"])
@pytest.mark.parametrize("curve", ["averages", "phi"])
def test_every_method_has_both_charts(method, curve):
    scene = scene_of(LogisticSettings(data="few", method=method, curve=curve), SEED)
    film = scene.film
    assert curve in [chart.name for chart in film.charts]
    assert len(averages.sets(scene.at(0), PROBE, scene.steps(0))["averages"]["s"]) >= 1


def test_a_chain_has_too_few_steps_at_first():
    chain = scene_of(LogisticSettings(data="few", method="chain"), SEED)
    assert "too few steps" in averages.cards(chain.fit, 20, PROBE, chain.steps(0))
    found = averages.sets(chain.fit, PROBE, chain.steps(30))["averages"]
    assert max(s for s, by in zip(found["s"], found["by"], strict=True) if by == "run") == 30


# ---- how many draws --------------------------------------------------------------------------------------------------


@pytest.mark.told
def test_how_many_draws_as_told():
    settings = settings_of("logistic-how-many", "root")
    assert (settings.probe_x, settings.probe_y) == PROBE
    one = averages.scatter(FEW.fit, PROBE)
    assert one == pytest.approx(0.256, abs=5e-4)
    assert round((one / 0.01) ** 2) == 654
    assert one / 1000 == pytest.approx(0.0003, abs=5e-5)
    at = np.array([PROBE])
    assert FEW.fit.predict("quadrature", at)[0] == pytest.approx(0.869, abs=5e-4)
    assert FEW.fit.predict("exact", at)[0] == pytest.approx(0.903, abs=5e-4)
    easy, hard = (averages.scatter(FEW.fit, place) for place in ((0.5, 0.2), (1.0, -5.5)))
    assert easy / sqrt(20) < 0.02
    assert hard > 0.35
    assert "0.256 / √20 = 0.0572" in words(averages.cards(FEW.fit, 20, PROBE, None))


@pytest.mark.told
def test_what_a_chain_is_worth_as_told():
    settings = settings_of("logistic-how-many", "chain")
    scene = scene_of(settings, SEED)
    steps = scene.steps(2000)
    _, found = averages.of_chain(scene.fit, steps, PROBE)
    assert found.mean == pytest.approx(0.902, abs=5e-4)
    assert found.worth == pytest.approx(412, abs=0.5)
    assert 2000 / found.worth == pytest.approx(5, abs=0.2)
    assert (np.diff(steps[:, 0]) == 0).mean() == pytest.approx(0.62, abs=5e-3)
    assert f"the error of {found.worth:.0f} independent draws" in words(averages.cards(scene.fit, 20, PROBE, steps))


# ---- why there is no formula -----------------------------------------------------------------------------------------


@pytest.mark.told
def test_phi_on_sigma_as_told():
    a = np.linspace(-8, 8, 3201)
    gap = {t: float(np.abs(expit(a) - ndtr(t * a)).max()) for t in (sqrt(pi / 8), 0.59, 1.0)}
    assert sqrt(pi / 8) == pytest.approx(0.627, abs=5e-4)
    assert sqrt(pi / 8) / sqrt(2 * pi) == pytest.approx(0.25)
    assert gap[sqrt(pi / 8)] < 0.018
    assert gap[0.59] == pytest.approx(0.010, abs=5e-4)
    assert gap[1.0] == pytest.approx(0.117, abs=5e-4)
    assert 8 / pi == pytest.approx(2.55, abs=5e-3)
    assert all(np.abs(expit(a) - ndtr(t * a)).max() <= 0.011 for t in (0.585, 0.59, 0.595))
    assert "cumulativeNormal(squeeze" in str(charts.phi())
    measured = LogisticSettings(squeeze=0.59)
    found = measured.measure(Chain(measured.sampler(), SEED), 0)
    assert found["gap"] == pytest.approx(gap[0.59], abs=1e-4)
    assert found["slope"] == pytest.approx(0.59 / sqrt(2 * pi))


@pytest.mark.told
def test_one_for_8_over_pi_is_seen_near_the_middle():
    changed = settings_of("logistic-no-formula", "why").model_copy(
        update={"rule": "1 for 8/π", "against": "quadrature"}
    )
    fit = scene_of(changed, SEED).fit
    places = grid_places()
    off = np.abs(fit.predict("probit", places) - fit.predict("quadrature", places))
    far = np.hypot(*places.T) > 5
    assert off[~far].max() > 2 * off[far].max()
    assert off[far].max() < 0.06
    assert off.max() < 0.117
    variances = np.einsum("pi,ij,pj->p", places, fit.laplace.covariance, places)
    assert variances[np.hypot(*places.T) > 6].min() > 10, "far out it is 10 or more"


@pytest.mark.told
def test_the_posterior_is_no_ellipse():
    fit = scene_of(settings_of("logistic-no-formula", "conjugate"), SEED).fit
    away = np.linalg.cholesky(fit.laplace.covariance) @ np.array([2.0, 0.0])
    ends = fit.model.log_density(fit.laplace.mode + np.array([away, -away]))
    assert ends[0] - ends[1] > 1, "it reaches farther to large weights"
