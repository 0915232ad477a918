"""The Normal beside Laplace's: what is drawn and said of it, and the numbers of the lesson on it."""

from math import isnan, sqrt
from typing import Any

import numpy as np
import pytest
from scipy import stats

from lessons.topics.laplace_line import WINDOWS, LaplaceLineSettings
from pages.lesson.lessons import library
from pages.topics.laplace_line import charts, inspector
from pages.topics.laplace_line.run import OptimiserRun
from samplers import Chain
from samplers.regression.line_targets import LINE_TARGETS, line_laplace
from samplers.regression.variational import average, normal_divergence
from tests.pages.html import words


def settings_of(step: str, lesson: str = "laplace-best-normal") -> LaplaceLineSettings:
    found = library().lesson(lesson)
    settings: Any = found.settings_for(next(each for each in found.steps if each.id == step))
    return settings


def divergence(**settings: object) -> float:
    made = LaplaceLineSettings(**settings)
    return float(made.measure(Chain(made.sampler(), 0), 0)["divergence"])


def laplace_of(name: str) -> list[tuple[float, float]]:
    target = LINE_TARGETS[name]
    return [(mean, sqrt(variance)) for mean, variance in (line_laplace(target, start) for start in target.starts)]


def test_a_normal_of_ones_own_is_drawn_where_the_dials_say():
    settings = LaplaceLineSettings(target="two modes", second="by hand", mean=0.25, width=0.2)
    low, high = WINDOWS["two modes"]
    mean, deviation = settings.second_normal
    assert (mean, deviation) == pytest.approx((low + 0.25 * (high - low), 0.2 * (high - low)))
    rows = OptimiserRun(settings).film.data["second"]
    x = charts.grid("two modes")
    np.testing.assert_allclose(rows["p"], stats.norm(mean, deviation).pdf(x), rtol=1e-9)
    np.testing.assert_allclose(rows["log"], stats.norm(mean, deviation).logpdf(x), rtol=1e-9)


def test_captions_say_how_far_it_is():
    for second, never in (("by hand", 0), ("best", 0)):
        settings = LaplaceLineSettings(target="heavy tails", second=second)
        film = OptimiserRun(settings).film
        said = {name: column[0, 0] for (group, name), column in film.frames(0, 1).items() if group == "say"}
        far = normal_divergence(settings.line_target, *settings.second_normal)
        assert (said["second"], said["never"]) == (pytest.approx(far, rel=1e-5), never)
        assert "KL(q‖p)" in next(chart.caption for chart in film.charts if chart.name == "density")
    alone = OptimiserRun(LaplaceLineSettings()).film
    assert "KL" not in next(chart.caption for chart in alone.charts if chart.name == "density")
    assert alone.data["second"]["p"] == [None]


def test_beside_an_edge_there_is_no_second_normal():
    edge = LaplaceLineSettings(target="skewed", second="best")
    assert edge.second_normal is None
    assert isnan(divergence(target="skewed", second="best"))
    assert isnan(divergence(target="skewed", second="by hand"))
    assert "There is none" in inspector.best(edge)
    assert [edge.matters(name) for name in ("second", "mean", "width", "start")] == [False, False, False, True]
    hand = LaplaceLineSettings(target="heavy tails", second="by hand")
    assert [hand.matters(name) for name in ("second", "mean", "width")] == [True] * 3
    assert not LaplaceLineSettings(target="heavy tails", second="best").matters("mean")


def test_the_table_has_both_averages():
    text = words(inspector.best(LaplaceLineSettings(target="skewed, on the log scale", second="best")))
    assert "Laplace’s 1.1 0.577 −0.544 −3.54 −3 0.072" in text
    assert "the best 0.932 0.577 0 −3 −3 0.028" in text
    assert "yours" in words(inspector.best(LaplaceLineSettings(target="two modes", second="by hand")))


@pytest.mark.told
def test_the_best_normals_as_they_are_told():
    log_scale = settings_of("average").model_copy(update={"second": "best"})
    mean, deviation = log_scale.second_normal
    ((mode, width),) = laplace_of(log_scale.target)
    assert (mean, mode) == (pytest.approx(0.932, abs=5e-4), pytest.approx(1.099, abs=5e-4))
    assert deviation == pytest.approx(width, abs=1e-6)
    assert average(log_scale.line_target.slope, mode, width) == pytest.approx(-0.544, abs=5e-4)
    assert normal_divergence(log_scale.line_target, mode, width) == pytest.approx(0.072, abs=5e-4)
    assert normal_divergence(log_scale.line_target, mean, deviation) == pytest.approx(0.028, abs=5e-4)
    heavy = settings_of("tails").model_copy(update={"second": "best"})
    ((_, narrow),) = laplace_of("heavy tails")
    assert (narrow, heavy.second_normal[1]) == (pytest.approx(0.87, abs=5e-3), pytest.approx(1.26, abs=5e-3))
    assert stats.t(3).std() == pytest.approx(1.73, abs=5e-3)
    assert normal_divergence(heavy.line_target, 0.0, narrow) == pytest.approx(0.113, abs=5e-4)
    near = LINE_TARGETS["near Normal"]
    best = LaplaceLineSettings(target="near Normal", second="best").second_normal
    fars = [normal_divergence(near, *each) for each in (best, *laplace_of("near Normal"))]
    assert fars == pytest.approx([0.0001, 0.0004], abs=5e-5)


@pytest.mark.told
def test_two_tops_have_two_optima_as_told():
    tops = LINE_TARGETS["two modes"]
    best = settings_of("tops", "laplace-two-tops").model_copy(update={"second": "best"}).second_normal
    assert best[1] > 1.5, "wide"
    assert normal_divergence(tops, *best) == pytest.approx(0.463, abs=5e-4)
    narrow = {
        (mean, deviation): normal_divergence(tops, mean, deviation)
        for mean in np.linspace(-1.6, -1.3, 31)
        for deviation in np.linspace(0.55, 0.75, 21)
    }
    assert min(narrow.values()) == pytest.approx(0.487, abs=5e-4)
    assert normal_divergence(tops, *laplace_of("two modes")[1]) == pytest.approx(0.882, abs=5e-4)
    least = min(narrow, key=narrow.__getitem__)
    assert -1.6 < least[0] < -1.3, "an optimum, and no slope"
    assert 0.55 < least[1] < 0.75


def test_laplaces_normal_is_there_to_be_beaten_and_the_dials_do_not_begin_better():
    heavy = settings_of("free").model_copy(update={"target": "heavy tails"})
    ((_, narrow),) = laplace_of("heavy tails")
    shown = OptimiserRun(heavy)
    assert shown.film.frames(8, 9)["say", "there"][0, 0] == 1
    assert normal_divergence(heavy.line_target, *heavy.second_normal) > normal_divergence(
        heavy.line_target, 0.0, narrow
    )
    lost = OptimiserRun(heavy.model_copy(update={"start": 0.3})).film
    assert lost.frames(8, 9)["say", "there"][0, 0] == 0
    assert "there" in {when for key in lost.charts[1].legend for when in key[2:]}
