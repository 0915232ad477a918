"""Every step of one optimiser run on a one-dimensional target, and its film: two densities, and their difference."""

from enum import IntEnum
from functools import cached_property

import numpy as np

from lessons.topics.laplace_line import STEPS, WINDOWS, LaplaceLineSettings, normal_at
from pages.contract.charts import Chart
from pages.contract.columns import FLOAT32, UINT8, Columns, Data
from pages.contract.film import Film
from pages.drawing.palette import SOFT
from pages.topics.laplace_line import charts
from pages.topics.laplace_line.second import NUMBERS, second_of, shown
from samplers import Chain
from samplers.log_density import PositionState
from samplers.regression.line_targets import Distances
from samplers.regression.optimise import FAR, OptimiserStep

STILL = 1e-6  # standard deviations: a step that is shorter is none
HERE = ("at", "value", "slope", "bend", "own", "to", "top", "fall", "taken", "mean", "variance")
SAID, WORDS = ("x", "to", "apart", "forward", "backward"), ("verdict", "kind", "endless", "lost", "there")
VERDICTS = (  # by Verdict
    ": up",
    ": down, the step is too long",
    ": the mode",
    ": a minimum, and it stays there",
    ": the parabola opens upwards, to its bottom",
    ": beyond the chart, and farther",
    ": no density there, not taken",
    " beyond all numbers, not taken",
    ": as high as here",
)
NORMALS = (
    " · total variation",
    " · no Normal: the parabola has no top",
    " · the mean of q is where p is 0",
    " · the mean of q is off the chart",
)


class Outcome(IntEnum):
    """The outcome of the next step, for the captions."""

    UP = 0
    DOWN = 1
    MODE = 2
    MINIMUM = 3
    BOTTOM = 4  # to the lowest point of a parabola that opens upwards
    AWAY = 5  # from beyond the chart, and farther
    OUT = 6  # out of the support
    LOST = 7  # too far for numbers
    LEVEL = 8  # to a place as high as this one, but for rounding


class OptimiserRun:
    """Every step of one optimiser run on a one-dimensional target, with its film.

    Parameters
    ----------
    settings : LaplaceLineSettings
        What the learner chose.

    Attributes
    ----------
    states : list of PositionState
        After 0 to 30 steps.
    steps : list of OptimiserStep
        Where each would go next.
    """

    def __init__(self, settings: LaplaceLineSettings) -> None:
        self.settings = settings
        self.target = settings.line_target
        chain = Chain(settings.sampler(), seed=0)
        self.states: list[PositionState] = [chain[t] for t in range(STEPS + 1)]
        self.steps: list[OptimiserStep] = [chain.record(t + 1) for t in range(STEPS + 1)]

    def at(self, t: int) -> float:
        """Return the position after t steps."""
        return float(self.states[t].position[0])

    def slopes(self, t: int) -> tuple[float, float]:
        """Return slope and curvature of the log density there."""
        step = self.steps[t]
        return -float(step.gradient[0]), -float(step.hessian[0, 0])

    def leads_to(self, t: int) -> float:
        """Return where the next step leads, taken or not; NaN if it has no length."""
        step = self.steps[t]
        flat = step.diverged and not step.step.any()
        return np.nan if flat else float(step.proposed[0])

    def bend(self, t: int) -> float:
        """Return the curvature of the parabola whose vertex is the next position: with η = 1 and Newton Taylor's."""
        return -float(self.steps[t].quadratic.curvature[0, 0])

    def normal(self, t: int) -> tuple[float, float] | None:
        """Return mean and variance of the Normal that the Taylor parabola makes; None if it has no top."""
        return normal_at(self.target, self.at(t))

    def distances(self, t: int) -> Distances | None:
        """Return how far density and Normal are apart; None without a Normal whose mean is on the chart."""
        return self.settings.distances_at(self.at(t))

    def verdict(self, t: int) -> Outcome:
        """Return the outcome of the next step."""
        step, (_, curvature) = self.steps[t], self.slopes(t)
        low, high = WINDOWS[self.settings.target]
        if step.diverged:
            first, last = self.target.support
            return Outcome.LOST if first < self.leads_to(t) < last or not step.step.any() else Outcome.OUT
        if abs(float(step.step[0])) * abs(curvature) ** 0.5 < STILL and curvature:
            return Outcome.MODE if curvature < 0 else Outcome.MINIMUM
        falls = step.trend < 0
        if falls and not low <= self.at(t) <= high:
            return Outcome.AWAY
        if curvature > 0 and self.settings.method == "newton":
            return Outcome.BOTTOM
        return Outcome.DOWN if falls else Outcome.UP if step.trend else Outcome.LEVEL

    @cached_property
    def film(self) -> Film:
        """The film of the run; the same settings make the same film."""
        settings = self.settings
        return Film(
            key=f"laplace_line {settings.model_dump_json()}",
            charts=_charts(settings),
            data=_data(self),
            columns=_columns(self),
            total=STEPS,
            label="step {t} of {total}{lost:| · diverged}",
            params={"start": (settings.start_at, float(self.target.value(settings.start_at)))},
        )


# ---- the film ------------------------------------------------------------------------------------------------------


def _charts(settings: LaplaceLineSettings) -> list[Chart]:
    name = settings.target
    other = settings.method == "gradient" or settings.step_length != 1
    own = [("dashed", "parabola of the step")] if other else []
    second = second_of(settings)
    return [
        Chart(
            "log",
            "Log density",
            f"· {charts.variable(name)} = {{x}} → {{to}}{{verdict:{'|'.join(VERDICTS)}}}",
            "The logarithm of the density, the parabola that touches it at the position, and where the step leads.",
            charts.log(name, other),
            [("ink", "log p"), (f"{charts.LAPLACE} solid", "Taylor parabola"), *own, *second.legend],
            aspect="4 / 3",
            hand="start",
        ),
        Chart(
            "density",
            "Density",
            f"{{kind:{'|'.join(NORMALS)}}} {{apart}}{{kind: %|||}}{second.caption}",
            "The density as an area, and the Normal that the parabola makes as a line.",
            charts.density(name),
            [(f"{SOFT} block", "p"), (f"{charts.LAPLACE} solid", "q, the parabola’s Normal", "there"), *second.legend],
        ),
        Chart(
            "gap",
            "q − p",
            "{kind:· KL(q‖p) |||}{forward}{endless:|∞}{kind:, KL(p‖q) |||}{backward}{kind: nats|||}",
            "By how much the Normal is above the density, and by how much below. Either area is the total variation.",
            charts.gap(name),
            [(f"{charts.LAPLACE} solid", "too much", "there"), (f"{charts.MISSED} solid", "missed", "there")],
        ),
    ]


def _data(run: OptimiserRun) -> Data:
    name, target = run.settings.target, run.target
    x = charts.grid(name)
    log_density = target.value(x)
    known, density = np.isfinite(log_density), np.exp(log_density)
    (low, high), (first, last) = WINDOWS[name], target.support
    inner = np.linspace(max(low, first + 1e-30), min(high, last), charts.POINTS)  # at an end at 0 the logarithm is -∞
    slopes, bends = np.full_like(x, np.nan), np.full_like(x, np.nan)
    slopes[known], bends[known] = target.slope(x[known]), target.curvature(x[known])
    field = {"xs": x, "values": log_density, "slopes": slopes, "bends": bends}
    return {
        "curve": {"x": inner.tolist(), "y": target.value(inner).tolist()},
        "density": {"x": x.tolist(), "y": density.tolist()},
        "field": {"home": [run.settings.start_at]} | {key: [_listed(array)] for key, array in field.items()},
        "second": second_of(run.settings).curves(x),
        "here": {"ps": [density.tolist()], **dict.fromkeys(HERE, FLOAT32)},
        "past": dict.fromkeys(("x", "y"), FLOAT32),
        "say": dict.fromkeys((*SAID, *NUMBERS), FLOAT32) | dict.fromkeys((*WORDS, "never"), UINT8),
    }


def _listed(array: np.ndarray) -> list[float | None]:
    return [float(value) if np.isfinite(value) else None for value in array]


def _columns(run: OptimiserRun) -> Columns:
    """Return every column of every iteration."""
    rows = [_row(run, t) for t in range(STEPS + 1)]
    found = {name: np.array([row[name] for row in rows]) for name in rows[0]}
    here = {("here", name): found[name] for name in HERE}
    past = {("past", "x"): found["at"], ("past", "y"): found["value"]}
    said = {("say", name): found[{"to": "leads"}.get(name, name)] for name in (*SAID, *WORDS)}
    return here | past | said | second_of(run.settings).columns()


def _row(run: OptimiserRun, t: int) -> dict[str, float]:
    at, (slope, bend), own, to = run.at(t), run.slopes(t), run.bend(t), run.leads_to(t)
    value, taken, nothing = run.states[t].log_density, not run.steps[t].diverged, float("nan")
    if abs(to) > FAR:
        to = nothing
    normal, distances, (first, last) = run.normal(t), run.distances(t), run.target.support
    mean, variance = normal or (nothing, nothing)
    forward = distances.laplace_to_target if distances else nothing
    endless = np.isinf(forward)
    return {
        "at": at,
        "value": value,
        "slope": slope,
        "bend": bend,
        "own": own,
        "taken": float(taken),
        "to": to,
        "top": value + slope * (to - at) + own / 2 * (to - at) ** 2,
        "fall": run.steps[t].log_density_after if taken else nothing,
        "mean": mean,
        "variance": variance,
        "x": shown(at),
        "leads": shown(to),
        "verdict": run.verdict(t),
        "lost": t > 0 and run.steps[t - 1].diverged,
        "kind": 0 if distances else 1 if normal is None else 3 if first < mean < last else 2,
        "there": normal is not None,
        "endless": endless,
        "apart": 100 * distances.total_variation if distances else nothing,
        "forward": nothing if endless else forward,
        "backward": distances.target_to_laplace if distances else nothing,
    }
