"""The inspector of logistic regression: this step, the probe's numbers, the errors of the predictives, the evidence."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from math import log10
from typing import Any

import numpy as np

from pages.drawing.cards import badge, pointing, quiet, table
from pages.drawing.charts import vega_lite
from pages.drawing.lazy import alt
from pages.drawing.marks import CLASSES
from pages.drawing.numbers import counted, cut, enough_digits, fixed, significant, to_scale, vector
from pages.drawing.once import drawn_once
from pages.drawing.palette import ACCENT, COLORS, RED, SOFT
from pages.drawing.parts import chart
from pages.drawing.plane import CELLS
from pages.scenes.shared import shared
from pages.topics.logistic.charts import name_of
from pages.topics.logistic.film import LogisticScene, capital
from pages.topics.logistic.fit import OVER_A_MAP, Fit, LineFit, SoftmaxFit
from pages.topics.logistic.run import LEVEL
from samplers.data.planes import feature_names
from samplers.regression.laplace import best_prior_precision
from samplers.regression.predictives import activation, monte_carlo_error
from samplers.regression.wrong import WRONG_PREDICTIVES

LISTED = 3  # weights that are written out
FORMULAS = {
    "plug-in": "σ({m})",
    "Monte Carlo": "mean of σ(w<sub>s</sub>ᵀx) over {draws} draws, ± {error:.3f}",
    "probit": "Φ({m} / √(8/π + {v}))",
    "MacKay": "σ({m} / √(1 + π · {v} / 8))",
    "quadrature": "∫ σ(a) N(a | {m}, {v}) da",
    "exact": "∫ σ(wᵀx) p(w | data) dw, {how}",
}
EVIDENCE = np.linspace(-4, 3, 29)  # log₁₀ λ
number = partial(significant, least=LEVEL, grouped=True)
log = partial(number, digits=4)
vector_of = partial(vector, write=number, most=LISTED)


# ---- numbers -------------------------------------------------------------------------------------------------------


def place_of(mark: str, state: Any) -> str:
    """Return the weights of a state and their log joint."""
    return f"<p>{pointing(mark, f'w = {vector_of(state.position)}')}</p><p>log joint {log(state.log_density)}</p>"


def matrix(values: np.ndarray) -> str:
    """Return a matrix, or its first rows and columns."""
    size = min(LISTED, len(values))
    rows = "".join(f"<tr>{''.join(f'<td>{number(value)}</td>' for value in row[:size])}</tr>" for row in values[:size])
    return f'<table class="matrix">{rows}</table>{" …" if len(values) > size else ""}'


def place_in(fit: Fit, place: Any) -> str:
    """Return a place in the plane, in the columns' own units."""
    written = (
        to_scale(column.own(float(value)), column.scale) if column.standardised else number(float(value))
        for column, value in zip(fit.columns, place, strict=True)
    )
    return f"({', '.join(written)})"


# ---- the probe -----------------------------------------------------------------------------------------------------


def probe(fit: Fit, place: tuple[float, float]) -> str:
    """Return mean and variance of the activation at the probe, and every prediction with its numbers."""
    if fit.laplace is None:
        return _no_mode(fit)
    return PROBES[fit.settings.likelihood](fit, np.array([place]))


def _two_classes(fit: Fit, at: np.ndarray) -> str:
    assert fit.laplace is not None  # `probe` has seen to it
    features = fit.features(at)
    (mean,), (variance,) = activation(features, fit.laplace.mode, fit.laplace.covariance)
    draws, wrong = len(fit.draws), WRONG_PREDICTIVES.get(fit.settings.mistake)
    numbers = {
        "m": number(mean),
        "v": number(variance),
        "draws": draws,
        "error": float(monte_carlo_error(features, fit.laplace.mode, fit.laplace.covariance, draws)[0]),
        "how": f"from weighted draws, ± {fit.error(at)[0]:.3f}" if fit.estimated else "on a grid",
    }
    formulas = FORMULAS | ({wrong.replaces: _raised(wrong.formula)} if wrong else {})
    values = {by: float(fit.predict(by, at)[0]) for by in formulas}
    rows = (
        (
            capital(name_of(by, fit)),
            formula.format(**numbers),
            f"<b>{values[by]:.3f}</b>",
            fixed(values[by] - values["quadrature"], 4, plus=True),
        )
        for by, formula in formulas.items()
    )
    names = feature_names(fit.settings.features, fit.settings.bias == "on")
    pairs = list(zip(fit.laplace.mode[:LISTED].tolist(), features[0][:LISTED].tolist(), strict=True))
    digits = enough_digits(lambda n: sum(cut(w, n) * cut(x, n) for w, x in pairs))
    sums = " + ".join(f"{number(w, digits=digits)} · {number(x, digits=digits)}" for w, x in pairs)
    more = " + …" if len(names) > LISTED else ""
    heads = ("", "probability of class 1", "", "off quadrature by")
    return (
        f"<p>At {pointing('probe', 'the probe')}{_in_units(fit, at[0])} the activation wᵀx has mean "
        f"μ<sub>a</sub> = {sums}{more} = "
        f"<b>{numbers['m']}</b> and variance σ<sub>a</sub>² = xᵀH<sup>−1</sup>x = <b>{numbers['v']}</b>.</p>"
        f"{table(heads, rows, 'formulas')}"
    )


def _in_units(fit: Fit, place: np.ndarray) -> str:
    """Return where a place is in a file's own units, and in which ones its features are; nothing without a file."""
    if not any(column.standardised for column in fit.columns):
        return ""
    return f", {place_in(fit, place)}, whose features x are in standard deviations from the columns’ means,"


def _three_classes(fit: SoftmaxFit, at: np.ndarray) -> str:
    """Return the score of each class at the probe, and its probability by each predictive."""
    assert fit.laplace is not None  # `probe` has seen to it
    scores = fit.laplace.mode.reshape(3, -1) @ fit.features(at)[0]
    names = {by: name_of(by, fit) for by in fit.settings.predictives} | {
        "Monte Carlo": f"mean of {counted(len(fit.draws), 'draw')}"
    }
    errors = ["its standard error", *(f"± {error:.3f}" for error in fit.error(at))]
    rows = [
        ["score w<sub>k</sub>ᵀx of the mode", *map(number, scores)],
        ["e to the score", *map(number, np.exp(scores))],
        *([capital(name), *(f"<b>{p:.3f}</b>" for p in fit.predict(by, at)[0])] for by, name in names.items()),
        errors,
    ]
    return f"<p>At {pointing('probe', 'the probe')}:</p>" + table(
        ("", *(f"class {badge(str(label), COLORS.index(CLASSES[label]))}" for label in range(3))), rows, "formulas"
    )


def _number_at(fit: LineFit, at: np.ndarray) -> str:
    """Return mean and variance of a new number at the probe's place, term by term."""
    (mean,), (plugged,) = fit.predicted("plug-in", at)
    _, (deviation,) = fit.predicted("exact", at)
    noise, total = plugged**2, deviation**2
    rows = [
        ["Plug-in", f"1/β = {number(noise)}", f"<b>{plugged:.3f}</b>"],
        ["Exact posterior", f"1/β + φᵀΣφ = {number(noise)} + {number(total - noise)}", f"<b>{deviation:.3f}</b>"],
    ]
    return (
        f"<p>Below {pointing('probe', 'the probe')}, at x = {number(at[0, 0])}, a new number is Normal with mean "
        f"<b>{number(mean)}</b>.</p>{table(('', 'variance', 'standard deviation'), rows, 'formulas')}"
    )


PROBES: dict[str, Callable[[Any, np.ndarray], str]] = {
    "logistic": _two_classes,
    "softmax": _three_classes,
    "normal": _number_at,
}  # by the likelihood


def _raised(formula: str) -> str:
    return re.sub(r"\^\((.*?)\)", r"<sup>\1</sup>", formula)


# ---- errors --------------------------------------------------------------------------------------------------------


def errors(fit: Fit) -> str:
    """Return how far each predictive is from the average over the posterior, and from quadrature, over the plane."""
    if fit.laplace is None:
        return _no_mode(fit)
    three, truths = fit.classes == 3, [truth for truth in ("quadrature", "exact") if truth in fit.settings.predictives]
    if not fit.classes:
        return quiet(
            "Nothing to compare: the posterior of these weights is a Normal, so Laplace’s is the posterior itself, and "
            "the average over it has a formula."
        )
    maps, rows = {by: fit.map(by) for by in fit.settings.predictives}, []
    for by, values in maps.items():
        off = [np.abs(values - maps[truth]) for truth in truths]
        far = [each.max(axis=1) for each in off] if three else off
        numbers = (f"{number:.4f}" for each in far for number in (each.max(), each.mean()))
        rows.append([capital(name_of(by, fit)), *numbers])
    heads = ("", *(head for truth in truths for head in (f"worst, to {name_of(truth, fit)}", "mean")))
    over = "The largest of the three differences, over" if three else "Over"
    price = "" if three else "; the distance of quadrature from it is the price of Laplace"
    return table(heads, rows) + quiet(
        f"{over} {CELLS[0] * CELLS[1]:,} places. The last row averages over the posterior itself, "
        f"{_averaged(fit)}{price}."
    )


def _averaged(fit: Fit) -> str:
    """Return how the posterior itself is averaged over across the plane, and with what error at most."""
    if not fit.estimated:
        return "on a grid"
    worth = fit.posterior.first(OVER_A_MAP).worth
    most = 0.5 / worth**0.5  # of a probability
    return f"by draws worth {worth:,.0f} independent ones: standard errors are {most:.3f} at most"


# ---- evidence ------------------------------------------------------------------------------------------------------


def evidence(scene: LogisticScene) -> str:
    """Return the evidence as a function of the prior precision, and its maximum."""
    curve, best, at_bound = _evidence(scene)
    settings = scene.settings
    here = "a flat prior has no evidence" if settings.flat else f"now λ = {number(settings.prior_precision)}"
    where = "at the end of the range: the labels favour a value beyond it" if at_bound else "at the top"
    said = f"How probable the {scene.fit.before}. It is highest for <b>λ = {number(10**best)}</b>, {where}; {here}."
    now = [] if settings.flat else [{"now": settings.log_precision}]
    values = [{"x": float(x), "y": float(y)} for x, y in zip(EVIDENCE, curve, strict=True)]
    return quiet(said) + chart(
        _evidence_spec(), "The log evidence by log₁₀ λ", curve=values, now=now, best=[{"best": best}]
    )


def best_log_precision(scene: LogisticScene) -> float:
    """Return log₁₀ of the precision with the highest evidence, rounded as the control is."""
    return round(_evidence(scene)[1], 1)


@shared
def _evidence(scene: LogisticScene) -> tuple[list[float], float, bool]:
    fit = scene.fit
    curve = [fit.log_evidence(10.0**x) for x in EVIDENCE]
    best = best_prior_precision(fit.log_evidence, 10.0 ** EVIDENCE[0], 10.0 ** EVIDENCE[-1])
    return curve, log10(best.prior_precision), best.at_bound


@drawn_once
def _evidence_spec() -> dict[str, Any]:
    x = alt.X("x:Q", title="log₁₀ λ", axis=alt.Axis(grid=False), scale=alt.Scale(domain=[-4, 3], nice=False))
    curve = alt.Chart(alt.NamedData("curve")).mark_line(color=ACCENT, strokeWidth=2.5)
    now = alt.Chart(alt.NamedData("now")).mark_rule(color=SOFT, strokeDash=[4, 3], strokeWidth=2)
    best = alt.Chart(alt.NamedData("best")).mark_rule(color=RED, strokeWidth=2)
    layers = alt.layer(
        curve.encode(x, alt.Y("y:Q", title="log evidence", scale=alt.Scale(zero=False))),
        now.encode(alt.X("now:Q")),
        best.encode(alt.X("best:Q")),
    )
    return vega_lite(layers.properties(height=150))


# ---- what sections share -------------------------------------------------------------------------------------------


def _no_mode(fit: Fit) -> str:
    return quiet(f"{fit.problem}.")
