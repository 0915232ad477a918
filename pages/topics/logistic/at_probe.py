"""The probe's chart beside the planes: its ray, or three probabilities in a triangle; or σ in their place."""

from collections.abc import Callable

import numpy as np
from scipy.special import softmax

from lessons.topics.logistic import LogisticSettings
from pages.contract.charts import Chart
from pages.drawing.marks import CLASSES, in_triangle
from pages.drawing.numbers import rounded
from pages.drawing.plane import Sets
from pages.topics.logistic import averages, charts, losses
from pages.topics.logistic.fit import Fit
from pages.topics.logistic.maps import plug_in

MULTIPLES = np.geomspace(*charts.RAY, 61)
DOTS = 500  # draws of the weights that are drawn in the triangle


def small_charts(settings: LogisticSettings, chain: bool) -> list[Chart]:
    """Return the small chart of probabilities, if there is one; `chain` is whether the run is one."""
    names = {"softmax": ["simplex"], "normal": []}.get(settings.likelihood, [settings.curve])
    return [SMALL[name](chain) for name in names]


SMALL: dict[str, Callable[[bool], Chart]] = {  # charts of three classes, and by the curve of two
    "simplex": lambda _: Chart(
        "simplex",
        "Three probabilities at the probe",
        "",
        "A triangle whose corners are the classes: the nearer to a corner, the more probable is its class.",
        charts.simplex(),
        [
            *((f"{charts.SERIES[by].color} solid", charts.SERIES[by].name) for by in charts.QUICK),
            ("ink dot", "each draw"),
        ],
        aspect="7 / 6",
        share=2,
    ),
    "phi": lambda _: Chart(
        "phi",
        "σ and Φ",
        "",
        "The curve of σ and that of Φ with its activation squeezed; their tangents where the activation is 0.",
        charts.phi(),
        [("ink", "σ(a)"), (f"{charts.PROBIT} dashed", "Φ(t·a)")],
    ),
    "losses": lambda _: Chart(
        "losses",
        "Four losses of a margin",
        "· dashed: how it bends",
        "Four losses as curves over the margin, and the second derivative of each as a dashed line.",
        losses.chart(),
        losses.LEGEND,
    ),
    "averages": lambda chain: Chart(
        "averages",
        "Errors of averages at the probe",
        "",
        "How far averages over 1 to 2,000 draws are from the truth, beside one over the root of their number.",
        averages.chart(),
        averages.legend(chain),
    ),
    "sigma": lambda _: Chart(
        "sigma",
        "σ turns activations into probabilities",
        "",
        "The curve of σ, and each point at its activation, above if it is of class 1 and else below.",
        charts.sigma(),
        [("ink", "σ(a)"), *((f"{color} solid", f"class {k}") for k, color in enumerate(CLASSES[:2]))],
    ),
    "ray": lambda _: Chart(
        "ray",
        "Along the probe’s ray",
        "· the probe is at 1",
        "The probability of class 1 from the origin through the probe and on to far away, by each predictive.",
        charts.ray(),
        charts.RAY_LEGEND,
    ),
}


def rows(fit: Fit, probe: tuple[float, float], weights: np.ndarray | None = None) -> Sets:
    """Return the rows of the small chart at the probe, by each predictive, or of given weights alone."""
    return {"softmax": _simplex, "normal": lambda *_: {}}.get(fit.settings.likelihood, ray)(fit, probe, weights)


def ray(fit: Fit, probe: tuple[float, float], weights: np.ndarray | None = None) -> Sets:
    """Return the curves along the ray through the probe, by each predictive, or of given weights alone."""
    places = MULTIPLES[:, None] * np.array(probe)
    if weights is None:
        curves = {by: fit.predict(by, places) for by in charts.SERIES}
    else:
        curves = {"plug-in": plug_in(fit, weights, places)}
    found: dict[str, list] = {
        "s": rounded(np.tile(MULTIPLES, len(curves))),
        "p": rounded(np.concatenate(list(curves.values())), 4),
        "by": [by for by in curves for _ in MULTIPLES],
    }
    return {"ray": found}


def _simplex(fit: Fit, probe: tuple[float, float], weights: np.ndarray | None = None) -> Sets:
    """Return places in the triangle of each draw and each predictive at the probe, or of given weights alone."""
    at = np.array([probe])
    if weights is None:
        draws = fit.draws[:DOTS]
        each = softmax(draws.reshape(len(draws), 3, -1) @ fit.features(at)[0], axis=1)
        places = in_triangle(np.vstack([each, *(fit.predict(by, at) for by in charts.QUICK)]))
        by = ["draw"] * len(draws) + list(charts.QUICK)
    else:
        places, by = in_triangle(plug_in(fit, weights, at)), ["plug-in"]
    return {"simplex": {"x": rounded(places[:, 0], 4), "y": rounded(places[:, 1], 4), "by": by}}
