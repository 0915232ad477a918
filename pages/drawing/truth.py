"""A chain beside an exact posterior that can be listed: frequencies with their errors, and the error to truth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from lessons.settings.fields import SWEEPS
from pages.drawing.cards import quiet
from pages.drawing.charts import vega_lite
from pages.drawing.lazy import alt
from pages.drawing.once import drawn_once
from pages.drawing.palette import ACCENT, RED, SOFT
from pages.drawing.parts import chart, columns
from samplers.diagnostics.convergence import (
    effective_draws_per_sweep,
    error_to_truth,
    frequencies_with_error,
    noise_floor,
    sweeps_to_separate,
)
from samplers.enumerated import stationary

CURVE = 60  # places along the run where the error to truth is computed
CLOSE: dict[str, Any] = {"titlePadding": 2, "labelPadding": 3}  # the theme of the page leaves more room than there is


def error_curve(ids: np.ndarray, probabilities: np.ndarray) -> list[dict[str, float]]:
    """Return the total variation distance along the run, and its mean for as many independent draws.

    Parameters
    ----------
    ids : numpy.ndarray
        Which of the listed states each sweep was in, shape (sweeps,).
    probabilities : numpy.ndarray
        Of the listed states.
    """
    at = np.unique(np.geomspace(1, len(ids), CURVE).round().astype(int))
    error = error_to_truth(ids, probabilities, at)
    floor = noise_floor(probabilities, at)
    return [
        {"sweeps": s, "error": e, "floor": f}
        for s, e, f in zip(at.tolist(), error.tolist(), floor.tolist(), strict=True)
    ]


def verdict(last: dict[str, float], over: str) -> str:
    """Return the end of an `error_curve` as a sentence; `over` says how many of what are listed."""
    return (
        f"After {last['sweeps']:,.0f} sweeps the total variation distance over {over} is {last['error']:.3f}; "
        f"independent draws: {last['floor']:.3f} on average."
    )


def not_listed(exact: object, ways: str, size: str, smaller: str) -> str:
    """Return why nothing is compared with the truth, as HTML.

    Parameters
    ----------
    exact : object
        The truth; None where it cannot be listed. If it is there, no sweep is.
    ways, size, smaller : str
        What the truth lists, of how much here, and which data would be small enough, as HTML.
    """
    if exact is not None:
        return quiet("Run some sweeps first.")
    many = f"For {size} there are too many; choose {smaller}, and come back."
    return quiet(f"The exact posterior lists every way to {ways}. {many}")


def own_limit(right: np.ndarray, matrices: Sequence[np.ndarray]) -> str:
    """Return where a wrong rule ends up, and when that shows, as a sentence.

    Parameters
    ----------
    right : numpy.ndarray
        The exact probabilities.
    matrices : sequence of numpy.ndarray
        The transition matrices of a sweep by the wrong rule and by the right one.
    """
    limit, worth = stationary(matrices[0]), min(map(effective_draws_per_sweep, matrices))
    sweeps = sweeps_to_separate(limit, right, worth)
    when = "never" if sweeps is None else f"after about {sweeps:,} sweeps"
    distance = np.abs(limit - right).sum() / 2
    return f" In the long run this sampler stays {distance:.3f} from the exact posterior, above the noise {when}."


def frequencies(draws: np.ndarray, values: Sequence[int], probabilities: np.ndarray) -> list[dict[str, float]]:
    """Return how often each value came up, two standard errors to both sides, and its probability."""
    share, error = frequencies_with_error(draws, list(values))
    return [
        {"k": k, "share": s, "low": max(0.0, s - 2 * e), "high": min(1.0, s + 2 * e), "exact": x}
        for k, s, e, x in zip(values, share.tolist(), error.tolist(), probabilities.tolist(), strict=True)
    ]


def beside(
    title: str, what: str, bars: list[dict[str, float]], curve: list[dict[str, float]], probabilities: np.ndarray
) -> str:
    """Return charts of frequencies beside their exact probabilities, and of the error.

    Parameters
    ----------
    title : str
        Of the frequencies, HTML.
    what : str
        What they count: the axis' title.
    bars, curve : list of dict
        From `frequencies` and `error_curve`.
    probabilities : numpy.ndarray
        Of the listed states; they set the axis of the error, which is the same along the whole run.
    """
    lowest = float(noise_floor(probabilities, SWEEPS)) / 2
    bar_chart = chart(_bars_spec(what), f"Bars: frequencies of {what}", bars=bars)
    error = chart(_curve_spec(float(f"{lowest:.1g}")), "The error to truth, by sweep", curve=curve)
    return columns(
        f"<p><b>{title}</b>: chain ± 2 standard errors, exact in red</p>{bar_chart}",
        f"<p><b>Error to truth</b>; dashed: the mean error of as many independent draws</p>{error}",
    )


@drawn_once
def _bars_spec(what: str) -> dict[str, Any]:
    x = alt.X("k:O", title=what, axis=alt.Axis(labelAngle=0, grid=False, **CLOSE))
    scale = alt.Scale(domain=[0, 1], nice=False)
    y = alt.Y("share:Q", title=None, axis=alt.Axis(format="%", tickCount=5), scale=scale)
    base = alt.Chart(alt.NamedData("bars"))
    bars = base.mark_bar(color=ACCENT, opacity=0.6).encode(x, y)
    error = base.mark_rule(color=SOFT, strokeWidth=2).encode(x, alt.Y("low:Q", scale=scale), alt.Y2("high:Q"))
    exact = base.mark_tick(color=RED, thickness=3, width={"band": 0.95}).encode(x, alt.Y("exact:Q", scale=scale))
    return vega_lite(alt.layer(bars, error, exact).properties(height=150))


@drawn_once
def _curve_spec(lowest: float) -> dict[str, Any]:
    axis = alt.Axis(grid=False, tickCount=4, format="d", **CLOSE)
    x = alt.X("sweeps:Q", scale=alt.Scale(type="log", domain=[1, SWEEPS], nice=False), axis=axis)
    scale = alt.Scale(type="log", domain=[lowest, 1], nice=False, clamp=True)
    y: dict[str, Any] = {"title": None, "scale": scale, "axis": alt.Axis(tickCount=3, format="~g", grid=False)}
    base = alt.Chart(alt.NamedData("curve"))
    error = base.mark_line(color=ACCENT, strokeWidth=3).encode(x, alt.Y("error:Q", **y))
    floor = base.mark_line(color=RED, strokeWidth=1.6, strokeDash=[6, 4]).encode(x, alt.Y("floor:Q", **y))
    return vega_lite(alt.layer(error, floor).properties(height=150))
