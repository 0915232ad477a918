"""The page of Laplace approximations on a line, against the density's own derivatives and SciPy's quadrature."""

import json
import re
from itertools import product
from math import exp, inf, log, pi, sqrt
from types import SimpleNamespace
from typing import get_args
from unittest.mock import ANY

import numpy as np
import pytest
from scipy import integrate, stats

from lessons.topics.laplace_line import STEPS, WINDOWS, LaplaceLineSettings, normal_at
from pages.contract.events import Touch
from pages.lesson.state import Visit
from pages.topics.laplace_line import LaplaceLineStage, charts, inspector
from pages.topics.laplace_line.run import NORMALS, VERDICTS, OptimiserRun, Outcome
from samplers import Chain
from samplers.regression.line_targets import LINE_TARGETS, laplace_distances, line_laplace
from tests.pages.html import words
from tests.pages.player.films import fetched
from tests.pages.visits import app, follow, head
from tests.pages.visits import inspector as inspected
from tests.pairs import pairs

TOPIC = "laplace_line.py"
STARTS = (0.0, 0.2, 0.33, 0.45, 0.62, 0.8, 1.0)
every_target = pytest.mark.parametrize("name", WINDOWS)
GIVEN = {"exp": exp, "sqrt": sqrt, "pow": pow, "PI": pi}


def run(**settings) -> OptimiserRun:
    return OptimiserRun(LaplaceLineSettings(**settings))


def columns(shown: OptimiserRun) -> dict:
    return shown.film.frames(0, STEPS + 1)


def here(shown: OptimiserRun, t: int) -> dict[str, float]:
    """Return the row that the charts draw parabola and Normal from."""
    return {name: float(column[t, 0]) for (data_set, name), column in columns(shown).items() if data_set == "here"}


def drawn(formula: str, row: dict[str, float], x: float) -> float:
    """Return the value of a formula of the charts, which is Python too, for a row."""
    return eval(formula, GIVEN, {"datum": SimpleNamespace(**row, x=x)})


# ---- the settings ----------------------------------------------------------------------------------------------------


def test_there_is_a_window_for_every_target():
    assert get_args(LaplaceLineSettings.model_fields["target"].annotation) == tuple(WINDOWS) == tuple(LINE_TARGETS)


@every_target
def test_every_start_is_where_there_is_density(name):
    low, high = WINDOWS[name]
    for start in (0.0, 0.5, 1.0):
        settings = LaplaceLineSettings(target=name, start=start)
        assert low <= settings.start_at <= high
        assert np.isfinite(LINE_TARGETS[name].value(settings.start_at))
        assert settings.share_of(settings.start_at) == start
    assert (settings.share_of(-1e9), settings.share_of(1e9)) == (0, 1)


@every_target
def test_a_window_holds_what_is_compared(name):
    low, high = WINDOWS[name]
    for start in LINE_TARGETS[name].starts:
        mean, variance = line_laplace(LINE_TARGETS[name], start)
        assert low <= mean - 3 * sqrt(variance)
        assert mean + 3 * sqrt(variance) <= high
    inside = integrate.quad(lambda x: exp(LINE_TARGETS[name].value(x)), low, high, points=[mean], limit=200)[0]
    assert inside > 0.98


def test_measured_facts_are_those_of_the_state():
    settings = LaplaceLineSettings()
    mean, variance = line_laplace(settings.line_target)
    apart = round(100 * laplace_distances(settings.line_target, mean, variance).total_variation)
    facts = settings.measure(Chain(settings.sampler(), 0), STEPS)
    assert facts == {"setbacks": 1, "diverged": 0, "apart": apart, "place": pytest.approx(mean), "divergence": ANY}
    valley = LaplaceLineSettings(target="two modes", start=0.45)
    assert valley.measure(Chain(valley.sampler(), 0), 0)["apart"] == 100  # no Normal
    lost = LaplaceLineSettings(target="heavy tails", start=0.62)
    chain = Chain(lost.sampler(), 0)
    assert [lost.measure(chain, t)["diverged"] for t in (0, 1, STEPS)] == [0, 0, 1]


# ---- what is drawn ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "start"), list(product(WINDOWS, (0.2, 0.45, 0.8))))
def test_the_parabola_touches_in_value_slope_and_curvature(name, start):
    shown = run(target=name, start=start)
    row, at, low = here(shown, 0), shown.at(0), WINDOWS[name][0]
    step = 1e-3 * min(WINDOWS[name][1] - low, at - max(low, LINE_TARGETS[name].support[0]))
    places = np.array([at - step, at, at + step])
    curve = LINE_TARGETS[name].value(places)
    row["at"] = at  # in double precision, or the differences would be rounding errors
    parabola = np.array([drawn(charts.PARABOLA, row, x) for x in places])
    assert parabola[1] == pytest.approx(curve[1], rel=1e-5)
    assert (parabola[2] - parabola[0]) / (2 * step) == pytest.approx(
        (curve[2] - curve[0]) / (2 * step), rel=1e-3, abs=1e-3
    )
    assert np.diff(parabola, 2) / step**2 == pytest.approx(np.diff(curve, 2) / step**2, rel=1e-3, abs=1e-3)
    wrong = {**row, "bend": 1.1 * row["bend"]}  # the test sees a curvature that is a tenth off
    bent = np.diff([drawn(charts.PARABOLA, wrong, x) for x in places], 2) / step**2
    assert bent != pytest.approx(np.diff(curve, 2) / step**2, rel=1e-2)


@every_target
def test_at_the_mode_the_normal_is_laplaces(name):
    target = LINE_TARGETS[name]
    for start in target.starts:
        mean, variance = line_laplace(target, start)
        assert normal_at(target, mean) == pytest.approx((mean, variance), rel=1e-6, abs=1e-8)
        row = {"mean": mean, "variance": variance}
        for x in np.linspace(*WINDOWS[name], 9):
            assert drawn(charts.NORMAL, row, x) == pytest.approx(stats.norm(mean, sqrt(variance)).pdf(x))
    share = LaplaceLineSettings(target=name).share_of(line_laplace(target)[0])
    shown = run(target=name, start=share)
    assert shown.verdict(STEPS) is Outcome.MODE
    assert shown.normal(STEPS) == pytest.approx(line_laplace(target), rel=1e-5, abs=1e-6)


def test_the_ring_is_the_vertex_of_the_steps_parabola_and_the_next_position():
    for settings in ({}, {"method": "gradient", "step_length": 0.5}, {"step_length": 0.3}):
        shown = run(**settings)
        for t in range(5):
            row = here(shown, t)
            assert row["to"] == pytest.approx(here(shown, t + 1)["at"])
            assert row["fall"] == pytest.approx(here(shown, t + 1)["value"])
            top = [drawn(charts.PARABOLA, {**row, "bend": row["own"]}, row["to"] + d) for d in (-0.01, 0, 0.01)]
            assert top[1] == pytest.approx(row["top"], rel=1e-5)
            assert top[1] > max(top[0], top[2])
    assert [charts.log("skewed", other) != charts.log("skewed", False) for other in (False, True)] == [False, True]


@every_target
def test_captions_have_the_distances(name):
    shown = run(target=name, start=LaplaceLineSettings(target=name).share_of(line_laplace(LINE_TARGETS[name])[0]))
    told = {field: column[STEPS, 0] for (group, field), column in columns(shown).items() if group == "say"}
    distances = laplace_distances(shown.target, *line_laplace(shown.target))
    assert told["apart"] == pytest.approx(100 * distances.total_variation, rel=1e-4)
    assert told["backward"] == pytest.approx(distances.target_to_laplace, rel=1e-4)
    assert told["endless"] == (distances.laplace_to_target == inf)
    if told["endless"]:
        assert np.isnan(told["forward"])
    else:
        assert told["forward"] == pytest.approx(distances.laplace_to_target, rel=1e-4)


@pytest.mark.parametrize("name", ["skewed", "heavy tails", "two modes"])
def test_the_total_variation_is_right_away_from_the_mode_too(name):
    seen = 0
    for start in (*STARTS, 0.43, 0.54, 0.56):
        shown = run(target=name, start=start)
        if distances := shown.distances(0):
            normal, (low, high) = stats.norm(shown.normal(0)[0], sqrt(shown.normal(0)[1])), (-300, 300)
            x = np.unique(np.concatenate([np.linspace(low, high, 60_001), np.linspace(-12, 12, 60_001)]))
            apart = np.abs(np.exp(shown.target.value(x)) - normal.pdf(x))
            assert distances.total_variation == pytest.approx(np.trapezoid(apart, x) / 2, abs=2e-4)
            seen += 1
    assert seen >= 3


def test_captions_and_verdicts_have_words_for_everything():
    assert len(VERDICTS) == len(Outcome) == len(inspector.WORDS)
    found = set()
    for name, (method, length), start in product(
        WINDOWS, (("newton", 1.0), ("gradient", 0.2), ("gradient", 2)), STARTS
    ):
        shown = run(target=name, method=method, start=start, step_length=length)
        found |= {shown.verdict(t) for t in range(STEPS + 1)}
    assert found == set(Outcome)


def test_verdicts_are_what_happens():
    assert [run().verdict(t) for t in (0, 1, 2, 10)] == [
        Outcome.DOWN,
        Outcome.UP,
        Outcome.UP,
        Outcome.MODE,
    ]
    valley = run(target="two modes", start=0.45)
    assert [valley.verdict(t) for t in (0, 5)] == [Outcome.BOTTOM, Outcome.MINIMUM]
    assert run(start=0.6).verdict(0) is Outcome.OUT
    runaway = run(target="heavy tails", start=0.62)
    assert [runaway.verdict(t) for t in (0, 3, STEPS)] == [Outcome.DOWN, Outcome.AWAY, Outcome.LOST]
    back = run(target="skewed, on the log scale", start=0.1)
    assert back.at(1) > WINDOWS["skewed, on the log scale"][1]
    assert back.verdict(1) is Outcome.UP
    swing = run(target="heavy tails", method="gradient", step_length=2.0)
    assert [swing.at(t) for t in (STEPS - 1, STEPS)] == pytest.approx([1, -1]), "there and back for ever"
    assert swing.verdict(STEPS) is Outcome.LEVEL


def test_a_run_that_diverges_stays_finite_in_the_message():
    for settings in ({"target": "heavy tails", "start": 0.62}, {"start": 1.0}, {"target": "at the edge", "start": 0.5}):
        shown = run(**settings)
        assert shown.steps[-1].diverged
        film = shown.film
        packed, arrays = fetched(film, 0)
        assert json.dumps(packed, allow_nan=False)
        assert not any(np.isinf(column).any() for column in arrays.values())
        assert np.isfinite(columns(shown)["here", "at"]).all()
        assert np.isfinite(columns(shown)["here", "value"]).all()


@pytest.mark.parametrize("method", ["newton", "gradient"])
def test_every_target_method_and_start_is_shown(method):
    for row in pairs(target=list(WINDOWS), start=STARTS, step_length=[0.01, 1.0, 2.5]):
        shown = run(method=method, **row)
        film = shown.film
        packed, _ = fetched(film, STEPS)
        assert packed["count"] == STEPS + 1
        assert film.frames(0, STEPS + 1)["say", "kind"].max() < len(NORMALS)
        for t in (0, 1, STEPS):
            text = inspector.step(shown, t)
            assert text.count("<section") == 4
            assert not re.search(r"\b(nan|inf)\b", words(text))


def test_axes_stay_as_they_are_along_a_run_and_between_starts():
    specs = [[dict(chart.spec) for chart in run(start=start).film.charts] for start in STARTS]
    assert all(spec == specs[0] for spec in specs)


# ---- the inspector ---------------------------------------------------------------------------------------------------


def test_the_step_has_its_numbers_in_the_formula():
    text = words(inspector.step(run(), 0))
    there = "3.6769 − (−0.45606) / (−0.14793) = 0.594"
    for part in ("x = 3.677", "f′ = −0.4561", "f″ = −0.1479", there, "sd 2.6"):
        assert part in text
    damped = words(inspector.step(run(step_length=0.5), 0))
    assert "3.677 − 0.5 · (−0.4561) / (−0.1479) = 2.135" in damped
    gradient = words(inspector.step(run(method="gradient", step_length=0.5), 0))
    assert "3.677 + 0.5 · (−0.4561) = 3.449" in gradient
    assert words(inspector.step(run(target="skewed, on the log scale"), 30)).count("log x = 1.099") == 2, "as its axis"


TRUE_BEYOND = {
    "skewed": 1 - stats.gamma(3).cdf(2 + 3 * sqrt(2)),
    "heavy tails": 2 * stats.t(3).sf(3 * sqrt(0.75)),
    "at the edge": stats.beta(1.2, 6).sf(0.5 / 13 + 3 * sqrt(line_laplace(LINE_TARGETS["at the edge"])[1])),
    "skewed, on the log scale": stats.gamma(3).cdf(3 * exp(-sqrt(3))) + stats.gamma(3).sf(3 * exp(sqrt(3))),
}


@pytest.mark.parametrize("name", TRUE_BEYOND)
def test_the_mass_far_out_is_scipys(name):
    assert inspector.fits(name)[0].beyond == pytest.approx(TRUE_BEYOND[name], abs=1e-7)


def test_the_table_has_every_mode_of_every_target():
    text = words(inspector.errors("heavy tails"))
    rows = inspector.errors("heavy tails").count("<tr>") - 1
    assert rows == sum(len(target.starts) for target in LINE_TARGETS.values()) == 7
    assert "heavy tails 0 15.1 % 0.113 1.002 8.1 % the tails: 30 times too thin" in text
    assert text.count("∞") == 2
    assert "32 % of q where p is 0" in text
    assert "8 % of q where p is 0" in text


@pytest.mark.told
def test_total_variations_as_they_are_told():
    told = {"skewed": [18], "skewed, on the log scale": [8], "two modes": [39, 59]}
    for name, variations in told.items():
        assert [round(100 * fit.distances.total_variation) for fit in inspector.fits(name)] == variations
    assert round(100 * inspector.fits("skewed")[0].outside) == 8


def test_the_modes_share_the_whole():
    first, second = inspector.fits("two modes")
    assert (first.area, second.area) == (pytest.approx(0.6, abs=1e-3), pytest.approx(0.4, abs=1e-3))
    assert inspector.fits("heavy tails")[0].area == pytest.approx(exp(stats.t(3).logpdf(0)) * sqrt(2 * pi * 0.75))
    assert "Together they cover 1.000" in words(inspector.modes("two modes"))
    assert "too low by 20 %" in words(inspector.modes("heavy tails"))
    assert "right within 1 %" in words(inspector.modes("near Normal"))
    assert log(first.area) == pytest.approx(
        LINE_TARGETS["two modes"].value(first.mean) + log(2 * pi * first.variance) / 2
    )


# ---- the page --------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def page():
    return app(TOPIC)


def test_the_page_opens_with_every_view(page):
    for view, word in (("step", "The parabola"), ("errors", "what q gets wrong"), ("modes", "Bishop (2006)")):
        follow(page, view=view, target="two modes", t=4)
        assert word in inspected(page)
    assert head(page)["total"] == STEPS


def test_a_hand_sets_the_start_and_goes_back_to_it():
    place = Visit("laplace_line", LaplaceLineSettings(), t=7)
    LaplaceLineStage().touched(place, Touch("start", 5.0, 3.0, moved=True, row=None))
    assert place.settings.start_at == pytest.approx(5.0, abs=0.01)
    assert place.t == 0
    LaplaceLineStage().touched(place, Touch("start", -2.0, 3.0, moved=True, row=None))  # no density there
    assert place.settings.start == 0
