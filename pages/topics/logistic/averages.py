"""The error of an average over draws at the probe, by the number of draws, beside one over its root."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.special import expit

from pages.drawing import palette
from pages.drawing.cards import quiet
from pages.drawing.charts import ACCENT, SOFT, finish, rows
from pages.drawing.lazy import alt
from pages.drawing.numbers import counted, rounded
from pages.drawing.once import drawn_once
from pages.drawing.palette import COLORS
from pages.drawing.plane import Sets
from pages.topics.logistic.charts import name_of
from pages.topics.logistic.fit import Fit
from samplers.diagnostics.convergence import diagnose
from samplers.regression.predictives import activation, monte_carlo_error

ROOT = COLORS[6]
MOST = 2_000  # draws
RUNS = 200  # whose errors are averaged; a few of them are drawn
THIN = 8
AT = np.unique(np.geomspace(1, MOST, 40).round().astype(int))  # numbers of draws at which errors are looked at


class ChainAverage(NamedTuple):
    """The average of the probability at the probe over the steps of a chain."""

    # mean, truth: the average, and what it should be
    mean: float
    truth: float
    error: float | None  # the standard error, with the correlation of the steps; None if there are too few to say
    worth: float | None  # the effective sample size: how many independent draws would have this standard error


def scatter(fit: Fit, place: tuple[float, float]) -> float:
    """Return the standard deviation over Laplace's Normal of the probability at a place; NaN without a mode."""
    if fit.laplace is None:
        return float("nan")
    return float(monte_carlo_error(fit.features(np.array([place])), fit.laplace.mode, fit.laplace.covariance, 1)[0])


def errors_of_runs(fit: Fit, place: tuple[float, float]) -> np.ndarray:
    """Return how far averages over 1 to 2,000 draws are from quadrature, shape (200 runs, 40 numbers of draws)."""
    assert fit.laplace is not None
    (mean,), (variance,) = activation(fit.features(np.array([place])), fit.laplace.mode, fit.laplace.covariance)
    rng = np.random.default_rng((fit.seed, MOST))
    each = expit(mean + np.sqrt(variance) * rng.standard_normal((RUNS, MOST)))
    averages = each.cumsum(axis=1)[:, AT - 1] / AT
    return np.abs(averages - fit.predict("quadrature", np.array([place]))[0])


def of_chain(fit: Fit, positions: np.ndarray, place: tuple[float, float]) -> tuple[np.ndarray, ChainAverage]:
    """Return the probability at the probe by each of a chain's steps, shape (steps, D), and how good their mean is."""
    each: np.ndarray = expit(positions @ fit.features(np.array([place]))[0])
    error = diagnose(each[None]).mcse_mean if len(each) else None
    worth = (float(each.std()) / error) ** 2 if error else None
    truth = float(fit.predict("exact", np.array([place]))[0])
    return each, ChainAverage(float(each.mean()) if len(each) else float("nan"), truth, error, worth)


# ---- the chart -----------------------------------------------------------------------------------------------------


NOTHING: Sets = {"averages": {"s": [0.0], "e": [0.0], "by": ["root"], "run": [0]}}


def sets(fit: Fit, place: tuple[float, float], steps: np.ndarray | None) -> Sets:
    """Return the rows of the chart: errors by the number of draws.

    Parameters
    ----------
    fit : Fit
        Of two classes.
    place : (float, float)
        The probe's.
    steps : numpy.ndarray or None
        Of the chain so far, shape (steps, D); None if draws are independent.
    """
    if not fit.scatters:
        return NOTHING
    if steps is None:
        errors = errors_of_runs(fit, place)
        each = [("run", run, AT, errors[run]) for run in range(THIN)]
        each.append(("typical", 0, AT, np.sqrt((errors**2).mean(axis=0))))
        one = scatter(fit, place)
    else:
        said, found = of_chain(fit, steps, place)
        at = np.append(AT[len(said) > AT], len(said))[: len(said)]
        each = [("run", 0, at, np.abs(said.cumsum()[at - 1] / at - found.truth))]
        one = float(said.std()) if len(said) else 0.0
    ends = np.array([1, MOST])
    if one:  # the steps so far differ
        each.append(("root", 0, ends, one / np.sqrt(ends)))
    elif steps is not None and not len(steps):
        return NOTHING
    return {
        "averages": {
            "s": [int(s) for _, _, at, _ in each for s in at],
            "e": rounded(np.concatenate([errors for _, _, _, errors in each]), 6),
            "by": [by for by, _, at, _ in each for _ in at],
            "run": [run for _, run, at, _ in each for _ in at],
        }
    }


@drawn_once
def chart() -> dict[str, Any]:
    """Draw the errors of single runs, of many together, and the standard error of independent draws."""
    ticks = alt.Axis(grid=False, values=[1, 10, 100, 1000], format=",d")
    x = alt.X("s:Q", title="draws S", scale=alt.Scale(type="log", domain=[1, MOST], nice=False), axis=ticks)
    y = alt.Y(
        "e:Q",
        title=None,
        scale=alt.Scale(type="log", domain=[1e-4, 1], nice=False, clamp=True),
        axis=alt.Axis(values=[1e-4, 1e-3, 1e-2, 1e-1, 1], format="~g", minExtent=36),
    )
    found = rows("averages").transform_filter("datum.s > 0")
    by = {name: found.transform_filter(f"datum.by == '{name}'") for name in ("run", "typical", "root")}
    layers = [
        by["run"].mark_line(color=SOFT, strokeWidth=1, opacity=0.7, clip=True).encode(x, y, detail="run:N"),
        by["root"].mark_line(color=ROOT, strokeWidth=2.2, clip=True).encode(x, y),
        by["typical"].mark_point(color=ACCENT, filled=True, size=34, opacity=1).encode(x, y),
    ]
    return finish(alt.layer(*layers))


def legend(chain: bool) -> list[tuple[str, str]]:
    """Return the legend: of a chain there is one run."""
    root = (f"{ROOT} solid", "standard error of independent draws")
    if chain:
        return [root, (f"{palette.SOFT} solid", "this chain")]
    return [root, ("dot", f"{RUNS} runs together"), (f"{palette.SOFT} solid", "single runs")]


# ---- the cards -----------------------------------------------------------------------------------------------------


def cards(fit: Fit, draws: int, place: tuple[float, float], steps: np.ndarray | None) -> str:
    """Return the standard error of an average in numbers: arguments as for `sets`, and how many draws are averaged."""
    if not fit.scatters:
        return quiet("This error needs two classes and a mode.")
    if steps is None:
        one = scatter(fit, place)
        return (
            f"<p>Over Laplace’s Normal the probability at the probe has a standard deviation of <b>{one:.3f}</b>. The "
            f"average of {counted(draws, 'draw')} has a standard error of {one:.3f} / √{draws:,} = "
            f"<b>{one / draws**0.5:.4f}</b>.</p>"
        )
    _, found = of_chain(fit, steps, place)
    if found.error is None or found.worth is None:
        return quiet("The chain has made too few steps for an error. Play on.")
    error = f" ± {fit.error(np.array([place]))[0]:.3f}" if fit.estimated else ""
    return (
        f"<p>The average over {counted(len(steps), 'step')} of the chain is <b>{found.mean:.3f}</b>, with a standard "
        f"error of {found.error:.4f}; the {name_of('exact', fit)}’s is {found.truth:.3f}{error}. "
        f"That is the error of <b>{found.worth:,.0f}</b> independent draws: the <b>effective sample size</b>. The "
        f"chain needs {len(steps) / found.worth:.1f} steps for each.</p>"
    )
