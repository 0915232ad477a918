"""Settings of the stage of Laplace approximations on a line."""

from math import inf, nan
from typing import Any, Literal

from lessons.settings.calls import Entry, Origins
from lessons.settings.fields import choice, quantity
from lessons.settings.settings import StageSettings
from samplers import Chain
from samplers.regression.line_targets import LINE_TARGETS, Distances, LineTarget, laplace_distances
from samplers.regression.optimise import FAR, GradientDescent, Newton, Optimiser
from samplers.regression.variational import best_normal, normal_divergence

STEPS = 30
WINDOWS = {
    "near Normal": (-0.6, 1.4),
    "skewed": (-3.0, 11.0),
    "skewed, on the log scale": (-2.5, 4.0),
    "heavy tails": (-6.0, 6.0),
    "two modes": (-4.0, 5.0),
    "at the edge": (-0.3, 0.75),
}
"""The window of each target: as wide as its Laplace approximation, even beyond the support."""
OPTIMISERS: dict[str, type[Optimiser]] = {"newton": Newton, "gradient": GradientDescent}
SECOND = ("second", "mean", "width")  # settings of the Normal beside Laplace's
INSET = 0.005  # of a window's width: how near to the end of the support a start may be


class LaplaceLineSettings(StageSettings):
    """A density on a line, the parabola that touches its logarithm, and the Normal that the parabola makes.

    An iteration is a step of the optimiser that looks for the mode.
    """

    unit = "steps"
    charts = ("log", "density", "gap")
    marks = ("here", "parabola", "normal", "step", "density", "second")
    seeded = False

    target: Literal["near Normal", "skewed", "skewed, on the log scale", "heavy tails", "two modes", "at the edge"] = (
        choice("skewed")
    )
    method: Literal["newton", "gradient"] = choice("newton")
    step_length: float = quantity(1.0, (0.01, 2.5, 0.01))
    start: float = quantity(0.33, (0, 1, 0.001))

    second: Literal["none", "by hand", "best"] = choice("none", look=True)
    mean: float = quantity(0.5, (0, 1, 0.005), look=True, dial=True)
    width: float = quantity(0.1, (0.01, 0.5, 0.005), look=True, dial=True)

    @property
    def iterations(self) -> int:
        """The same for every target."""
        return STEPS

    @property
    def line_target(self) -> LineTarget:
        """The density that is looked at."""
        return LINE_TARGETS[self.target]

    @property
    def reach(self) -> tuple[float, float]:
        """Between which places the start may be."""
        low, high = WINDOWS[self.target]
        inset = INSET * (high - low)
        first, last = self.line_target.support
        return max(low, first + inset), min(high, last - inset)

    @property
    def start_at(self) -> float:
        """The place of the start."""
        low, high = self.reach
        return low + self.start * (high - low)

    @property
    def second_normal(self) -> tuple[float, float] | None:
        """Mean and standard deviation of the Normal beside Laplace's, if there is one."""
        low, high = WINDOWS[self.target]
        second = self.acting("second")
        if second == "by hand":
            return low + self.mean * (high - low), self.width * (high - low)
        return best_normal(self.line_target) if second == "best" else None

    @property
    def has_a_best(self) -> bool:
        """Whether there is a best Normal: beside a density with an edge all of them are infinitely bad."""
        return self.line_target.support == (-inf, inf)

    def matters(self, name: str) -> bool:
        """Hide what there is no second Normal for."""
        return self.has_a_best and (name == "second" or self.second == "by hand") if name in SECOND else True

    def share_of(self, x: float) -> float:
        """Return the start that is nearest to a place."""
        low, high = self.reach
        return min(1.0, max(0.0, round((x - low) / (high - low), 3)))

    def origins(self) -> Origins:
        """Return the density's entry."""
        return {"target": Entry("samplers.regression.line_targets", "LINE_TARGETS", self.target)}

    def sampler(self) -> Optimiser:
        """Build what makes the steps."""
        return OPTIMISERS[self.method](self.line_target, self.step_length, [self.start_at])

    def distances_at(self, x: float) -> Distances | None:
        """Return how far the density and the Normal that the parabola at x makes are apart.

        None where there is no Normal, or its mean is beyond the window or the support: quadrature around a mean far
        away would miss the density.
        """
        normal = normal_at(self.line_target, x)
        (low, high), (first, last) = WINDOWS[self.target], self.line_target.support
        if normal is None or not max(low, first) < normal[0] < min(high, last):
            return None
        return laplace_distances(self.line_target, *normal)

    def measure(self, chain: Chain[Any], t: int) -> dict[str, float]:
        """Count steps downhill; return whether the run has diverged, and the distance of density and Normal.

        ``apart`` is the total variation in per cent; 100 where `distances_at` has none. ``place`` is where the run is.
        ``divergence`` is KL(q‖p) of the second Normal; NaN if there is none.
        """
        place = float(chain[t].position[0])
        distances = self.distances_at(place)
        apart = 100 if distances is None else round(100 * distances.total_variation)
        steps = [chain.record(now) for now in range(1, t + 1)]
        setbacks, diverged = sum(step.setback for step in steps), any(step.diverged for step in steps)
        second = self.second_normal
        return {
            "setbacks": setbacks,
            "diverged": int(diverged),
            "apart": apart,
            "place": place,
            "divergence": nan if second is None else normal_divergence(self.line_target, *second),
        }


def normal_at(target: LineTarget, x: float) -> tuple[float, float] | None:
    """Return mean and variance of the Normal whose log density has the target's slope and curvature at x.

    Parameters
    ----------
    target : LineTarget
        Any.
    x : float
        Within the support.

    Returns
    -------
    tuple of float, or None
        (x - slope / curvature, -1 / curvature), or None where the parabola has no top: if the curvature is not below 0,
        or so near to it that the standard deviation would be above 1e8.
    """
    gradient, hessian = target.gradient_and_hessian([x])
    precision = -float(hessian[0, 0])
    if precision <= FAR**-2:
        return None
    return x + float(gradient[0]) / precision, 1 / precision
