"""Steps towards the mode, by Newton's method or along the gradient."""

from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import numpy as np

from pages.code.ways import code_of_step
from pages.contract.columns import FLOAT32, Columns
from pages.drawing.cards import numbered, pointing, quiet
from pages.drawing.palette import ACCENT, SOFT
from pages.drawing.plane import Sets
from pages.topics.logistic import at_probe
from pages.topics.logistic.base import Logistic
from pages.topics.logistic.code import mistakes
from pages.topics.logistic.diagram import diagram
from pages.topics.logistic.film import SHAPE, Ends, LogisticScene, arrows, shape
from pages.topics.logistic.fit import Fit
from pages.topics.logistic.inspector import log, matrix, number, place_of, vector_of
from pages.topics.logistic.maps import maps
from pages.topics.logistic.run import LEVEL, LogisticRun, ellipse
from samplers.regression.optimise import OptimiserStep
from samplers.regression.wrong import WRONG_LAPLACES

FALL = 100  # times as far below the start as the top is above it: what falls farther leaves the chart
WAY = 4  # times the posterior's width: how far from it the way of the steps is followed


class StepsRun(LogisticRun):
    """Steps of an optimiser."""

    def add(self, t: int, state: Any) -> None:
        super().add(t, state)
        self._add_step(t, self.chain.record(t + 1))

    def _add_step(self, t: int, inside: OptimiserStep) -> None:
        """Keep what the charts need of the step from iteration t to the next."""
        length = float(np.linalg.norm(inside.gradient[self.shown]))
        if length > LEVEL:
            self.gradient[t] = -inside.gradient[self.shown] / length
        if inside.diverged:
            self.lost[t + 1 :] = True
            return
        self.arrow[t] = inside.proposed[self.shown]
        covariance = np.linalg.inv(inside.quadratic.curvature)[self.shown, self.shown]
        away = (inside.quadratic.centre - inside.proposed)[self.shown]
        radius = float(np.sqrt(max(0.0, away @ np.linalg.solve(covariance, away))))
        self.ellipse[t] = ellipse(inside.proposed[self.shown], covariance, radius)

    def lowest(self, low: float, first: float) -> float:
        if self.fit.laplace is None:
            return low
        most = float(self.fit.model.log_density(self.fit.laplace.mode))
        return max(low, first - FALL * (most - first) - 1)


SEEN = 0.005  # of the plane's width: a step so long is an arrow
NEARLY = 1e-3  # by which weights at the mode may be off


@dataclass(frozen=True)
class StepsScene(LogisticScene):
    """Steps along the gradient."""

    makes = StepsRun
    newton: ClassVar[bool] = False
    colours = True
    around: ClassVar = [
        *LogisticScene.around,
        (f"{ACCENT} dashed", "the step’s parabola", "stepping"),
        (f"{SOFT} solid", "along the gradient", "stepping"),
    ]
    trace = LogisticScene.trace._replace(unit="gradient steps", grows=True)

    @property
    def climbs(self) -> bool:
        """Whether the plug-in of each step's own weights is shown at rest, and not that of the mode."""
        alone = self.settings.likelihood != "normal" and self.settings.compared is None
        return self.settings.predictive == "plug-in" and (self.fit.laplace is None or self.settings.flat or alone)

    def _arrived(self, weights: np.ndarray) -> bool:
        """Return whether a step has reached the mode: then there is a posterior around it to be drawn."""
        mode = None if self.fit.laplace is None or self.settings.flat else self.fit.laplace.mode
        return mode is not None and bool(np.allclose(weights, mode, rtol=NEARLY, atol=NEARLY))

    def drew(self, start: int, stop: int) -> np.ndarray:
        if not self.climbs:
            return super().drew(start, stop)
        return np.array([self._arrived(np.nan_to_num(weights)) for weights in self.run.positions[start:stop]])

    @property
    def mapped(self) -> int:
        return -2 if self.climbs else -1

    def reach(self, low: np.ndarray, high: np.ndarray, way: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        if self.fit.laplace is None:
            return low, high
        far = WAY * (high - low)
        places = [low, high, *np.clip(way, low - far, high + far)]
        return np.min(places, axis=0), np.max(places, axis=0)

    def data(self, wx: Ends, wy: Ends) -> Sets:
        return super().data(wx, wy) | {"quadratic": dict.fromkeys(SHAPE, FLOAT32) | {"size": [1]}}

    def columns(self, start: int, stop: int, widths: tuple[float, float]) -> Columns:
        found = shape("quadratic", self.run.ellipse[start:stop]) | arrows(self, start, stop, widths)
        way = [(found["step", f"{axis}2"] - found["step", f"w{axis}"]) / widths[i] for i, axis in enumerate("xy")]
        return found | {("say", "stepping"): np.hypot(*way) > SEEN}

    def still(self, t: int, probe: tuple[float, float]) -> Sets:
        if not self.climbs:
            return super().still(t, probe)
        weights = np.nan_to_num(self.run.positions[t], posinf=0, neginf=0)  # a lost run says one half
        if self._arrived(weights):
            return super().still(t, probe) | maps(self.fit, t)
        return maps(self.fit, t, weights) | at_probe.rows(self.fit, probe, weights)


@dataclass(frozen=True)
class NewtonScene(StepsScene):
    """Steps by Newton's method."""

    newton = True
    trace = LogisticScene.trace._replace(unit="Newton steps")


def step(scene: StepsScene, t: int) -> str:
    """Return the next step of the optimiser, opened."""
    state, inside = scene.run.state(t), scene.run.record(t + 1)
    newton = scene.newton
    look = f"<p>{pointing('gradient', f'g = {vector_of(inside.gradient)}')}</p>"
    if newton:
        matrices = f"<div>H = {matrix(inside.hessian)}</div>{_hessian_of_the_ellipses(scene.fit)}"
        look += f'<div class="matrices">{matrices}</div>'
    eta = f"{inside.step_length:g}"
    rule = f"w − {eta} · H<sup>−1</sup> g" if newton else f"w − {eta} · g"
    shape = "the Taylor parabola" if newton else "a round bowl of width η"
    aim = quiet(f"To the foot of {shape}, which touches minus the log joint.")
    if inside.diverged:
        move = (
            "<p><b>The step is not taken:</b> it leads beyond any sensible number. The run has diverged. "
            "A smaller η would help, or a prior.</p>"
        )
    else:
        move = f"<p>{pointing('step', f'w = {vector_of(inside.proposed)}')}</p>{_trend(inside)}"
    gradient, hessian = _derivatives(scene.fit)
    foot = quiet(f"g = {gradient}{f', H = {hessian}' if newton else ''}")
    return numbered(
        ("Here", place_of("weights", state)),
        ("Look", look + foot),
        ("Step", f"<p>{rule}</p><p>= w + {vector_of(inside.step)}</p>{aim}"),
        ("There", move),
    )


def _derivatives(fit: Fit) -> tuple[str, ...]:
    """Return the formulas of gradient and Hessian; a rule that counts the prior again has a multiple of λ."""
    times = getattr(fit.model, "times", 1)
    return tuple(each.format(f"{times}λ" if times > 1 else "λ") for each in DERIVATIVES[fit.settings.likelihood])


DERIVATIVES = {
    "logistic": ("Xᵀ(μ − y) + {}w", "XᵀSX + {}I"),
    "softmax": ("Xᵀ(μ<sub>k</sub> − y<sub>k</sub>) + {}w<sub>k</sub> for each class k", "Xᵀ(S − μμᵀ)X + {}I"),
    "normal": ("β Xᵀ(Xw − t) + {}w", "β XᵀX + {}I, the same everywhere"),
}


def _hessian_of_the_ellipses(fit: Fit) -> str:
    """Return Laplace's H where a mistake has made it another one than that of the steps."""
    if fit.settings.mistake not in WRONG_LAPLACES or fit.laplace is None:
        return ""
    wrong = matrix(np.linalg.inv(fit.laplace.covariance))
    return f"<div><b>The green ellipses have XᵀSX:</b> {wrong}</div>"


def _trend(inside: OptimiserStep) -> str:
    change = inside.log_density_after - inside.log_density
    verdict = {
        1: f"rises by {number(change)}",
        0: "rests",
        -1: f"<b>falls</b> by {number(-change)}: the step was too long",
    }[inside.trend]
    return f"<p>The log joint {verdict}: {log(inside.log_density)} → {log(inside.log_density_after)}.</p>"


class Gradient(Logistic):
    """The stage of steps along the gradient."""

    diagram = partial(diagram, "Moved towards the mode")
    shows = StepsScene
    views: ClassVar = Logistic.views | {
        "step": step,
        "code": lambda scene, t: code_of_step(scene.run, t + 1, mistakes(scene)),
    }


class Newton(Gradient):
    """The stage of Newton's method."""

    shows = NewtonScene
