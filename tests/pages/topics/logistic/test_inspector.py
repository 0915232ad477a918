"""The numbers of the inspector: what its formulas say is what stands beside them, and what the samplers compute."""

import re
from functools import partial
from math import erf, log10, pi, sqrt

import numpy as np
import pytest
from scipy import special
from scipy.integrate import quad
from scipy.stats import norm

from lessons.topics.logistic import LogisticSettings
from pages.drawing.plane import grid_places
from pages.topics.logistic import LogisticStage, inspector
from pages.topics.logistic.charts import SERIES
from pages.topics.logistic.film import capital
from samplers.regression.laplace import best_prior_precision
from samplers.regression.predictives import activation
from tests.pages.html import words
from tests.pages.visits import app, follow, head, press
from tests.pages.visits import inspector as inspected
from tests.samplers.regression.regressions import laplace, log_evidence

scene_of = LogisticStage().scene


def step_of(scene, t):
    return LogisticStage.modes[scene.settings.mode].views["step"](scene, t)


SEED = 7
PROBE = (3.0, 2.0)
FEW = LogisticSettings(data="few", log_precision=-1.0)
TOPIC = "logistic.py"


def cells(html: str) -> list[list[str]]:
    """Return the rows of the table that has headings."""
    found = re.findall(r"<tr>(.*?)</tr>", html, re.DOTALL)
    return [
        [words(cell) for cell in re.findall(r"<td>(.*?)</td>", row, re.DOTALL)] for row in found if "<th" not in row
    ]


def number(text: str) -> float:
    return float(text.replace("−", "-").replace(",", ""))


def worth(formula: str) -> float:
    """Compute a formula as it stands on the screen."""
    text = formula.replace("−", "-").replace(",", "").replace("·", "*").replace("π", "pi").replace("√", "sqrt")
    text = text.replace("σ", "expit").replace("Φ", "cdf")
    assert re.fullmatch(r"[-+*/(). 0-9e]*(?:(?:expit|cdf|sqrt|pi|erf)[-+*/(). 0-9e]*)*", text), text
    return float(eval(text, {"expit": special.expit, "cdf": norm.cdf, "sqrt": sqrt, "pi": pi, "erf": erf}))


def predictions(settings: LogisticSettings, probe: tuple[float, float] = PROBE) -> dict[str, tuple[str, float, float]]:
    rows = cells(inspector.probe(scene_of(settings, SEED).fit, probe))
    return {row[0]: (row[1], float(row[2]), number(row[3])) for row in rows}


# ---- the probe -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("bias", ["off", "on"])
@pytest.mark.parametrize("probe", [PROBE, (-0.4, 0.3), (0.0, 0.0), (6.0, -6.0)])
def test_the_formulas_are_worth_the_probabilities_beside_them(bias, probe):
    settings = FEW.model_copy(update={"bias": bias})
    shown = predictions(settings, probe)
    for name in ("Plug-in", "Probit", "MacKay’s formula"):
        formula, probability, _ = shown[name]
        assert worth(formula) == pytest.approx(probability, abs=2e-3), "numbers of three digits"
    mean, variance = map(number, re.search(r"N\(a \| ([^,]*), ([^)]*)\)", shown["Quadrature"][0]).groups())
    density = norm(mean, sqrt(variance) or 1e-9)
    ends = (mean - 9 * density.std(), mean + 9 * density.std())
    value, _ = quad(lambda a: special.expit(a) * density.pdf(a), *ends, points=[mean])
    assert value == pytest.approx(shown["Quadrature"][1], abs=2e-3)


def test_mean_and_variance_of_the_activation_are_worked_out():
    scene = scene_of(FEW.model_copy(update={"bias": "on"}), SEED)
    text = words(inspector.probe(scene.fit, PROBE))
    terms, mean, variance = re.search(r"μ a = (.*?) = (\S+) and variance .*? = (\S+)\.", text).groups()
    exact = activation(scene.fit.features(np.array([PROBE])), scene.fit.laplace.mode, scene.fit.laplace.covariance)
    assert worth(terms) == pytest.approx(number(mean), rel=0.02)
    assert number(mean) == pytest.approx(exact[0][0], rel=6e-3)
    assert number(variance) == pytest.approx(exact[1][0], rel=6e-3)


def test_the_probabilities_are_the_predictives_and_so_far_from_quadrature():
    scene = scene_of(FEW, SEED)
    shown = predictions(FEW)
    for name, (_, probability, off) in zip(SERIES, shown.values(), strict=True):
        exact = scene.fit.predict(name, np.array([PROBE]))[0]
        assert probability == pytest.approx(exact, abs=6e-4)
        assert off == pytest.approx(exact - scene.fit.predict("quadrature", np.array([PROBE]))[0], abs=6e-5)
    weights = scene.fit.draws
    spread = special.expit(weights @ PROBE).std() / sqrt(len(weights))
    error = float(re.search(r"± ([\d.]+)", shown["Monte Carlo"][0])[1])
    assert error == pytest.approx(spread, rel=0.5), "by the draws themselves"
    assert "on a grid" in shown["Exact posterior"][0]
    assert "from weighted draws, ± 0.00" in predictions(FEW.model_copy(update={"bias": "on"}))["Estimated posterior"][0]


def test_where_points_are_added_the_numbers_are_those_of_the_first_ones():
    settings = LogisticSettings(method="points", points=20)
    page = app(TOPIC, method="points", points=20, view="probe", t=5)
    points, labels = settings.dataset()
    mean, variance = activation(np.array([PROBE]), *laplace(points[:5], labels[:5], 1.0))
    said = re.search(r"N\(a \| ([^,]*), ([^)]*)\)", inspected(page)).groups()
    assert [number(part) for part in said] == pytest.approx([mean[0], variance[0]], rel=6e-3)
    assert scene_of(FEW, SEED).at(2) is scene_of(FEW, SEED).fit, "steps of an optimiser have all points"


# ---- rules -----------------------------------------------------------------------------------------------------------

OF_ONE = {
    "e^(-t²) in Φ": "Probit",
    "erf for Φ": "Probit",
    "1 for 8/π": "Probit",
    "π/8 forgotten": "MacKay’s formula",
}


@pytest.mark.parametrize("rule", OF_ONE)
def test_a_rule_changes_the_prediction_that_it_says_and_no_other(rule):
    right, wrong = predictions(FEW), predictions(FEW.model_copy(update={"rule": rule}))
    changed = {name for name in right if right[name] != wrong[name]}
    assert changed == {OF_ONE[rule]}
    formula, probability, _ = wrong[OF_ONE[rule]]
    if rule == "e^(-t²) in Φ":
        upper = worth(re.search(r"up to (.*)", formula)[1])
        value = (sqrt(pi) / 2 * (1 + erf(upper))) / sqrt(2 * pi)
    else:
        value = worth(formula)
    assert value == pytest.approx(probability, abs=2e-3)
    assert abs(probability - right[OF_ONE[rule]][1]) > 0.003


def test_the_rules_of_the_posterior_change_mode_or_covariance():
    right = scene_of(FEW, SEED).fit.laplace
    halved = scene_of(FEW.model_copy(update={"rule": "prior without 1/2"}), SEED).fit.laplace
    points, labels = FEW.dataset()
    np.testing.assert_allclose(halved.mode, laplace(points, labels, 0.2)[0], atol=1e-8)
    wide = scene_of(FEW.model_copy(update={"rule": "no prior in H"}), SEED).fit.laplace
    np.testing.assert_allclose(wide.mode, right.mode)
    np.testing.assert_allclose(np.linalg.inv(wide.covariance) + 0.1 * np.eye(2), np.linalg.inv(right.covariance))


# ---- errors ----------------------------------------------------------------------------------------------------------


def test_errors_are_the_largest_and_the_mean_difference_over_the_plane():
    scene = scene_of(FEW, SEED)
    rows = cells(inspector.errors(scene.fit))
    maps = {name: scene.fit.predict(name, grid_places()) for name in SERIES}
    assert [row[0] for row in rows] == [capital(look.name) for look in SERIES.values()]
    for name, row in zip(SERIES, rows, strict=True):
        off = [np.abs(maps[name] - maps[truth]) for truth in ("quadrature", "exact")]
        expected = [value for each in off for value in (each.max(), each.mean())]
        assert [float(cell) for cell in row[1:]] == pytest.approx(expected, abs=6e-5)
    assert [row[1:3] for row in rows if row[0] == "Quadrature"] == [["0.0000", "0.0000"]]


def test_far_from_the_points_plug_in_is_worse_than_mackay():
    rows = {row[0]: row for row in cells(inspector.errors(scene_of(FEW, SEED).fit))}
    assert float(rows["Plug-in"][1]) > 3 * float(rows["MacKay’s formula"][1])


# ---- this step -------------------------------------------------------------------------------------------------------


def vectors(text: str, name: str) -> list[float]:
    return [number(part) for part in re.search(rf"{name} = \(([^)]*)\)", text)[1].split(", ")]


def test_a_newton_step_is_worked_out():
    scene = scene_of(LogisticSettings(step_length=0.5), SEED)
    state, after = scene.run.state(2), scene.run.state(3)
    html = step_of(scene, 2)
    text = words(html)
    gradient, hessian = (-part for part in scene.fit.model.gradient_and_hessian(state.position))
    assert vectors(text, "w") == pytest.approx(state.position, rel=6e-3)
    assert vectors(text, "g") == pytest.approx(gradient, rel=6e-3)
    matrix = [[number(cell) for cell in re.findall(r"<td>(.*?)</td>", row)] for row in re.findall("<tr>.*?</tr>", html)]
    np.testing.assert_allclose(matrix, hessian, rtol=6e-3)
    step = [number(part) for part in re.search(r"= w \+ \(([^)]*)\)", text)[1].split(", ")]
    assert step == pytest.approx(-0.5 * np.linalg.solve(hessian, gradient), rel=6e-3)
    there = re.search(r"There w = \(([^)]*)\)", text)[1]
    assert [number(part) for part in there.split(", ")] == pytest.approx(after.position, rel=6e-3)
    assert "w − 0.5 · H −1 g" in text
    assert "rises" in text


def test_a_step_that_is_too_long_is_called_so():
    scene = scene_of(LogisticSettings(method="gradient", step_length=0.5, points=60), SEED)
    falls = next(t for t in range(40) if scene.run.record(t + 1).setback)
    assert re.search(r"falls by \S+: the step was too long", words(step_of(scene, falls)))
    assert "a round bowl" in words(step_of(scene, falls))


def test_a_run_that_has_diverged_says_what_to_do():
    scene = scene_of(LogisticSettings(data="separable", prior="flat", step_length=2.5), SEED)
    scene.run.grow(scene.run.total)
    text = words(step_of(scene, scene.run.total))
    assert "The step is not taken" in text
    assert "smaller η" in text


def test_a_proposal_is_compared():
    scene = scene_of(LogisticSettings(method="chain"), SEED)
    scene.film.grow(60)
    assert "begins at 0" in words(step_of(scene, 0))
    for t in range(1, 30):
        text = words(step_of(scene, t))
        ratio, probability = re.search(r"min\(1, exp\((\S+)\)\) = ([\d.]+)", text).groups()
        dart = float(re.search(r"dart falls at (\d\.\d+)", text)[1])
        assert min(1.0, np.exp(number(ratio))) == pytest.approx(float(probability), abs=2e-3)
        moved = scene.run.record(t).accepted
        assert ("goes there" in text) == moved == (dart < float(probability) or probability == "1.000")


def test_a_new_point_narrows_the_posterior():
    scene = scene_of(LogisticSettings(method="points", points=9), SEED)
    scene.film.grow(9)
    assert "No point has arrived" in words(step_of(scene, 0))
    points, labels = scene.fit.points, scene.fit.labels
    for t in (1, 9):
        text = words(step_of(scene, t))
        mode, covariance = laplace(points[:t], labels[:t], 1.0)
        assert f"is of class {labels[t - 1]}" in text
        assert vectors(text, "w") == pytest.approx(mode, rel=6e-3)
        spread = re.search(r"deviations \(([^)]*)\)", text)[1].split(", ")
        assert [number(part) for part in spread] == pytest.approx(np.sqrt(covariance.diagonal()), rel=6e-3)
        evidence = number(re.search(r"≈ (\S+)", text)[1])
        assert evidence == pytest.approx(log_evidence(points[:t], labels[:t], 1.0), rel=1e-3)


def test_without_a_mode_each_view_says_so():
    scene = scene_of(LogisticSettings(data="separable", prior="flat", method="points"), SEED)
    scene.film.grow(30)
    assert "there is no prior" in words(step_of(scene, 5))
    for view in (inspector.errors(scene.fit), inspector.probe(scene.fit, PROBE)):
        assert "no mode was found" in words(view).lower()


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (-3e-16, "0"),
        (-5.3349e-13, "−5.33e−13"),
        (-0.12345, "−0.123"),
        (1234.5, "1,234"),
        (-250_000.0, "−250,000"),
        (3.2e9, "3.2e+09"),
    ],
)
def test_numbers_are_short(value, text):
    assert inspector.number(value) == text


# ---- evidence --------------------------------------------------------------------------------------------------------


def test_the_curve_is_the_evidence_and_its_top_the_best_precision():
    scene = scene_of(LogisticSettings(bias="on"), SEED)
    curve, best, at_bound = inspector._evidence(scene)
    features, labels = scene.fit.features(scene.fit.points), scene.fit.labels
    for x, y in zip(inspector.EVIDENCE[::7], curve[::7], strict=True):
        assert y == pytest.approx(log_evidence(features, labels, 10.0**x))
    assert best == pytest.approx(
        log10(best_prior_precision(partial(log_evidence, features, labels), 1e-4, 1e3).prior_precision)
    )
    assert abs(inspector.EVIDENCE[int(np.argmax(curve))] - best) <= 0.25
    assert not at_bound


def test_without_points_the_evidence_is_level():
    scene = scene_of(LogisticSettings(data="own"), SEED)
    curve, _, _ = inspector._evidence(scene)
    np.testing.assert_allclose(curve, 0, atol=1e-9)


def test_the_button_takes_the_best_precision():
    page = app(TOPIC, view="evidence", prior="flat")
    assert not page.exception
    assert "a flat prior has no evidence" in inspected(page)
    press(page, "Take the best λ")
    best = inspector.best_log_precision(scene_of(LogisticSettings(), SEED))
    assert f"prior=normal&log_precision={best}" in head(page)["link"]
    now, top = re.search(r"highest for λ = (\S+), .* now λ = (\S+?)\.? ", inspected(page) + " ").groups()
    assert number(now) == pytest.approx(number(top), rel=0.13), "to a tenth of log₁₀"
    follow(page, view="probe")
    assert "Take the best λ" not in [button.label for button in page.button]
