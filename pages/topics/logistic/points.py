"""Points that are added one by one: how the posterior narrows."""

from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import numpy as np

from lessons.settings.calls import call
from lessons.topics.logistic import LogisticSettings
from pages.code.listing import listing
from pages.code.watch import watch
from pages.code.ways import LAPLACE
from pages.contract.columns import FLOAT32, Columns
from pages.contract.moment import Code
from pages.drawing.cards import numbered, pointing, quiet
from pages.drawing.plane import Sets, polylines
from pages.topics.logistic.base import Logistic
from pages.topics.logistic.code import mistakes
from pages.topics.logistic.diagram import diagram
from pages.topics.logistic.film import SHAPE, Ends, LogisticScene, Trace, contours, shape
from pages.topics.logistic.fit import Fit
from pages.topics.logistic.inspector import log, place_in, vector_of
from pages.topics.logistic.maps import maps
from pages.topics.logistic.run import LogisticRun, laplace_ellipse
from samplers.log_density import NoMode
from samplers.regression.laplace import Laplace, laplace_approximation, spread
from samplers.regression.least_squares import LeastSquares
from samplers.regression.logistic import LogisticRegression
from samplers.regression.wrong import WRONG_LAPLACES


class PointsRun(LogisticRun):
    """A point more each step.

    Attributes
    ----------
    laplaces : dict of int to Laplace
        Laplace's Normal by the number of points, where there is one.
    """

    def __init__(self, fit: Fit) -> None:
        self.laplaces: dict[int, Laplace] = {}
        super().__init__(fit)

    def add(self, t: int, state: Any) -> None:
        settings, fit = self.fit.settings, self.fit
        try:
            found = settings.approximation(settings.model(fit.points[:t], fit.labels[:t]))
        except NoMode:
            return
        self.laplaces[t] = found
        self.positions[t] = found.mode
        self.value[t] = spread(found)
        self.ellipse[t] = laplace_ellipse(found, self.shown)

    def lowest(self, low: float, first: float) -> float:
        return 0.0  # a width: how low it ends is for the learner to see, not the axis


BEFORE = 0.5  # room for earlier, wider ellipses at either end, in widths of the last posterior, which must be seen


@dataclass(frozen=True)
class PointsScene(LogisticScene):
    """A point more each step."""

    makes = PointsRun
    label = "{t} of {total} points"
    trace = Trace("Width of the posterior", "The standard deviation of the weights as points are added.", "points")
    grows = True
    mapped = -2

    def found(self, t: int) -> Laplace | None:
        """Return Laplace's Normal of t points, where there is one."""
        assert isinstance(self.run, PointsRun)
        return self.run.laplaces.get(t)

    def at(self, t: int) -> Fit:
        return self.fit.first(t)

    def reach(self, low: np.ndarray, high: np.ndarray, way: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the corners of the plane, as far as the first, wide ellipses fit beside the last one."""
        if self.fit.laplace is None:
            return low, high
        ellipses = self.run.ellipse
        mx, my, a, b, c = ellipses[np.isfinite(ellipses).all(axis=1)].T
        reach = 2 * np.column_stack([a, np.hypot(b, c)])
        centres, width = np.column_stack([mx, my]), BEFORE * (high - low)
        return (
            np.clip((centres - reach).min(axis=0), low - width, low),
            np.clip((centres + reach).max(axis=0), high, high + width),
        )

    def data(self, wx: Ends, wy: Ends) -> Sets:
        arrow = {name: [None] for name in ("wx", "wy", "x2", "y2")}
        return {
            "laplace": dict.fromkeys(SHAPE, FLOAT32) | {"size": [1, 2]},
            "quadratic": {name: [None] for name in SHAPE} | {"size": [1]},
            "step": arrow,
            "gradient": arrow,
            "contours": polylines([], ("wx", "wy"), -1),
        }

    def columns(self, start: int, stop: int, widths: tuple[float, float]) -> Columns:
        seen = np.arange(len(self.fit.points)) < np.arange(start, stop)[:, None]
        return {("points", "seen"): seen} | shape("laplace", self.run.ellipse[start:stop])

    def spreads(self, start: int, stop: int) -> np.ndarray:
        return self.run.value[start:stop]

    def still(self, t: int, probe: tuple[float, float]) -> Sets:
        fit = self.at(t)
        sets = super().still(t, probe) | maps(fit, t)
        if fit.laplace is not None:
            x, y = (np.array(self.film.params[name]).tolist() for name in ("wx", "wy"))
            sets["contours"] = polylines(contours(fit, x, y), ("wx", "wy"), t)
        return sets


def step(scene: PointsScene, t: int) -> str:
    """Return the last point and what is known with it."""
    found = scene.found(t)
    if found is None:
        return quiet("These points do not determine how large the weights are, and there is no prior.")
    arrived = "No point has arrived yet: you know only the prior."
    if t:
        x, label = scene.fit.points[t - 1], int(scene.fit.labels[t - 1])
        where = f"{pointing(f'point-{t}', f'Point {t}')} at {place_in(scene.fit, x)}"
        arrived = where + scene.fit.point.format(label=label)
    deviations = vector_of(np.sqrt(found.covariance.diagonal()))
    return numbered(
        ("Look", f"<p>{arrived}</p>"),
        ("Mode", f"<p>{pointing('weights', f'w = {vector_of(found.mode)}')}</p>"),
        ("Spread", f"<p>{pointing('laplace', f'Standard deviations {deviations}')}</p>"),
        ("Evidence", f"<p>{_evidence_of(scene.at(t), found)}</p>"),
    )


def _evidence_of(fit: Fit, found: Laplace) -> str:
    """Return Laplace's log evidence, and beside it the formula for it where there is one."""
    if not isinstance(fit.model, LeastSquares):
        return f"log p(labels) ≈ {log(found.log_evidence)}"
    return (
        f"By Laplace, log p(t) = {log(found.log_evidence)}.</p>"
        f"<p>By the formula, log N(t | 0, I/β + XXᵀ/λ) = {log(fit.model.log_evidence())}."
    )


def code(scene: PointsScene, t: int) -> str:
    """Return the code of Laplace's Normal with t points, as it ran."""
    wrong = mistakes(scene)
    if scene.found(t) is None:
        return listing(LAPLACE, mistakes=wrong)
    return listing(LAPLACE, watch(LAPLACE, lambda: scene.settings.approximation(scene.at(t).model))[1], wrong)


class Points(Logistic):
    """The stage of points that are added."""

    diagram = partial(diagram, "Learned from one more point")
    shows = PointsScene
    views: ClassVar = Logistic.views | {"step": step, "code": code}

    def more(self, settings: LogisticSettings, seed: int, t: int) -> dict[str, Any]:
        """Return the model of the points so far and Laplace's Normal, if there is one."""
        fit = self.scene(settings, seed).at(t)
        model: dict[str, Any] = {"model": fit.model}
        if isinstance(fit.model, LogisticRegression) and settings.data != "own":
            seen = Code(f"features[:{t}]", fit.model.features), Code(f"labels[:{t}]", fit.labels)
            model = {"seen": seen[0], "answers": seen[1], **model}
        by = WRONG_LAPLACES.get(settings.mistake, laplace_approximation)
        laplace = {"laplace": call(by, fit.model)} if fit.laplace else {}
        return {**model, **laplace}
