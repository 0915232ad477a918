"""Climbing to the mode of a log density, one step at a time: gradient descent, Newton's method, and a robust Newton.

The two methods that are stepped take what comes: a step that is too long goes uphill or far away, and says so. What
needs the mode calls `newton_mode`, which does not get lost. All minimise minus the log density, as an optimiser's words
are downhill and minimum; what they report is the log density.

Linear algebra is NumPy's throughout. SciPy has a BLAS of its own, and where the two take turns the threads of one wait
busily while those of the other work: on two busy cores that takes fifty times as long.
"""

from abc import abstractmethod
from dataclasses import dataclass
from math import inf, sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from samplers.checks import finite_above, whole_from
from samplers.log_density import LogDensityWithHessian, NoMode, PositionState, as_start, variables_of
from samplers.recipe import Kernel

FAR = 1e8  # from 0 in any coordinate, or a posterior standard deviation: what is beyond counts as lost
ROUNDING = 1e-12  # of a log density, relative: what is less is no change
LEVEL = 64 * np.finfo(float).eps  # times D: what is left of a curvature by rounding where there is none
FLOOR = 1e-6  # posterior standard deviations: from there on Newton steps shrink by themselves, down to rounding errors
ENDLESS = (
    "the log joint goes on rising, or is level along a line. Without a prior the first happens if the classes can be "
    "separated, as larger weights then always fit better; the second if features are collinear, or more than the "
    "points. A prior precision above 0, or a higher one, helps"
)


class Quadratic(NamedTuple):
    """q(w) = value + gradientᵀ(w - centre) + (w - centre)ᵀ curvature (w - centre) / 2."""

    centre: np.ndarray
    value: float
    gradient: np.ndarray
    curvature: np.ndarray


class OptimiserStep(NamedTuple):
    """The record of one step."""

    # gradient, hessian: of minus the log density at the position, shapes (D,) and (D, D)
    gradient: np.ndarray
    hessian: np.ndarray
    # what the step minimises in place of minus the log density, with which it agrees in value and gradient at the
    # position. Its curvature is I/η in gradient descent, and H/η in Newton's method: with η = 1 the Taylor expansion.
    quadratic: Quadratic
    # what is added to the position, η included, shape (D,); 0 if the quadratic has no curvature to stop at
    step: np.ndarray
    step_length: float  # η
    proposed: np.ndarray  # position plus step, shape (D,)
    # log_density, log_density_after: at the position, and where the step leads; -inf there if it is too far to look
    log_density: float
    log_density_after: float
    # whether the step leads nowhere: beyond 1e8, out of the support, or along a direction without curvature. It is not
    # taken then, nor is any after it: the position is the last good one, and stays.
    diverged: bool

    @property
    def setback(self) -> bool:
        """Whether a step was taken that lowered the log density: never, if steps are short enough."""
        return not self.diverged and self.trend < 0

    @property
    def trend(self) -> int:
        """1 if the log density rises, -1 if it falls; 0 if the change is at most 1e-12 of it, as rounding is."""
        change = self.log_density_after - self.log_density
        return 0 if abs(change) <= ROUNDING * abs(self.log_density) else 1 if change > 0 else -1


@dataclass(frozen=True, eq=False)
class Optimiser(Kernel[PositionState, OptimiserStep]):
    """Steps of the form w - η B⁻¹ g, where g is the gradient of minus the log density and B says what is known of it.

    Parameters
    ----------
    target : LogDensityWithHessian
        What is climbed.
    step_length : float, optional
        η > 0.
    start : array_like, optional
        First position, shape (D,), within the support; 0 if it is not given.

    Raises
    ------
    ValueError
        If the step length or the start is out of range.
    """

    target: LogDensityWithHessian
    step_length: float = 1.0
    start: ArrayLike | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "step_length", finite_above("step_length", self.step_length, 0))
        object.__setattr__(self, "start", _near_start(self.target, self.start))

    def init(self, rng: np.random.Generator | None = None) -> PositionState:
        """Return the start. There is no chance in it."""
        start = np.asarray(self.start)
        return PositionState(start, float(self.target.log_density(start)))

    def variables(self, state: PositionState) -> dict[str, Any]:
        """Return the parameters where the run is, and the log density there."""
        return variables_of(self.target, state)

    def step(self, state: PositionState, rng: np.random.Generator | None = None) -> tuple[PositionState, OptimiserStep]:
        """Return the next state, and what the step looked at and where it led. There is no chance in it."""
        gradient, hessian = (-part for part in self.target.gradient_and_hessian(state.position))
        step = self._step(gradient, hessian)
        known = step is not None and np.abs(state.position + step).max() <= FAR
        step = np.zeros_like(gradient) if step is None else step
        proposed = state.position + step
        after = float(self.target.log_density(proposed)) if known else -inf
        curvature = self._known(hessian) / self.step_length
        quadratic = Quadratic(state.position, -state.log_density, gradient, curvature)
        record = OptimiserStep(
            gradient,
            hessian,
            quadratic,
            step,
            self.step_length,
            proposed,
            state.log_density,
            after,
            diverged=not np.isfinite(after),
        )
        return state if record.diverged else PositionState(proposed, after), record

    @abstractmethod
    def _known(self, hessian: np.ndarray) -> np.ndarray:
        """Return B."""

    @abstractmethod
    def _step(self, gradient: np.ndarray, hessian: np.ndarray) -> np.ndarray | None:
        """Return -η B⁻¹ g; None if B has no inverse to speak of."""


class GradientDescent(Optimiser):
    """Steps w - η g. They go downhill for η below 2 / (largest eigenvalue of H), and swing or fly off above.

    Arguments and errors as for `Optimiser`.
    """

    def _known(self, hessian: np.ndarray) -> np.ndarray:
        return np.eye(len(hessian))

    def _step(self, gradient: np.ndarray, hessian: np.ndarray) -> np.ndarray:
        return -self.step_length * gradient


class Newton(Optimiser):
    """Steps w - η H⁻¹ g; with η = 1 this is iteratively reweighted least squares, and with less it is damped.

    Arguments and errors as for `Optimiser`. Where H is not positive definite the step is taken all the same: it leads
    to where the gradient of the quadratic is 0, be that a saddle or a top.
    """

    def _known(self, hessian: np.ndarray) -> np.ndarray:
        return hessian

    def _step(self, gradient: np.ndarray, hessian: np.ndarray) -> np.ndarray | None:
        curvatures, directions = np.linalg.eigh(hessian)
        sizes = np.abs(curvatures)
        if sizes.min() <= max(FAR**-2, LEVEL * len(sizes) * sizes.max()):
            return None
        return -self.step_length * (directions @ ((gradient @ directions) / curvatures))


class Mode(NamedTuple):
    """A mode, and what was found there."""

    position: np.ndarray  # shape (D,)
    log_density: float  # there
    precision: np.ndarray  # H: Hessian of minus the log density, positive definite, shape (D, D)
    steps: int  # how many Newton steps were taken


def newton_mode(
    target: LogDensityWithHessian, tolerance: float = 1e-10, most: int = 100, start: ArrayLike | None = None
) -> Mode:
    """Return the mode by Newton's method with backtracking, which finds it wherever there is one.

    Parameters
    ----------
    target : LogDensityWithHessian
        What is climbed. If it is not concave, the mode is one to which the start leads.
    tolerance : float, optional
        How near: the Newton decrement √(gᵀ H⁻¹ g) at the end, which is the distance left in standard deviations of the
        Laplace approximation. Rounding errors may end the search before, below 1e-6.
    most : int, optional
        How many steps, at least 1.
    start : array_like, optional
        Where it begins, shape (D,); 0 if it is not given.

    Raises
    ------
    NoMode
        If the log density rises for ever, or is level along a line, as far as floating point shows. That of a
        regression with a flat prior does the first if classes can be separated, and the second if features are
        collinear.
    ValueError
        If an argument is out of range.

    Notes
    -----
    Boyd & Vandenberghe (2004, Convex Optimization), algorithm 9.5. Where H is not positive definite, a multiple of the
    identity is added (Nocedal & Wright 2006, Numerical Optimization, algorithm 3.3).

    A small decrement alone is no mode: with classes that can be separated and a flat prior, it vanishes while every
    step is as long as the one before. There the curvature falls from step to step, and so the search also waits until
    it has settled: each pivot of Cholesky's factorisation within a tenth of what it was.
    """
    tolerance, most = finite_above("tolerance", tolerance, 0), whole_from("most", most, 1)
    position = _near_start(target, start)
    log_density = float(target.log_density(position))
    before, pivots = inf, np.zeros(target.dimension)
    for steps in range(most + 1):
        gradient, precision = (-part for part in target.gradient_and_hessian(position))
        if not np.isfinite(precision).all():
            raise NoMode(f"no mode was found: at {position} the Hessian is not finite")
        old = pivots
        step, pivots, shifted = _newton_step(precision, gradient)
        decrement = sqrt(max(0.0, -float(gradient @ step)))
        level = shifted or (pivots <= LEVEL * target.dimension * precision.diagonal()).any()
        if decrement <= tolerance or before / 2 <= decrement < FLOOR:
            if level:
                break
            if (np.abs(pivots - old) <= 0.1 * pivots).all():
                return Mode(position, log_density, precision, steps)
        before = decrement
        found = _backtrack(target, position, log_density, step, decrement**2)
        if steps == most or found is None:
            break
        position, log_density = found
    raise NoMode(f"no mode was found in {steps} Newton steps: {ENDLESS}")


def _near_start(target: LogDensityWithHessian, start: ArrayLike | None) -> np.ndarray:
    position = as_start(target, np.zeros(target.dimension) if start is None else start)
    if (np.abs(position) > FAR).any():
        raise ValueError(f"start must be within ±{FAR:g}, got {start!r}")
    return position


def _newton_step(precision: np.ndarray, gradient: np.ndarray) -> tuple[np.ndarray, np.ndarray, bool]:
    """Return -H⁻¹ g, the pivots of H, and whether something had to be added to its diagonal, as it is not positive."""
    shift, least = 0.0, 1e-3 * float(np.abs(precision).max()) or 1.0
    while True:
        matrix = precision + shift * np.eye(len(precision)) if shift else precision
        try:
            pivots = np.linalg.cholesky(matrix).diagonal() ** 2
            return -np.linalg.solve(matrix, gradient), pivots, shift > 0
        except np.linalg.LinAlgError:
            shift = 4 * shift or least


def _backtrack(
    target: LogDensityWithHessian, position: np.ndarray, log_density: float, step: np.ndarray, slope: float
) -> tuple[np.ndarray, float] | None:
    """Halve the step until the log density rises as it should; None if it never does."""
    least = log_density - ROUNDING * max(1, abs(log_density))
    for halvings in range(60):
        length = 0.5**halvings
        proposed = position + length * step
        after = float(target.log_density(proposed))
        if after >= least + 1e-4 * length * slope:
            return proposed, after
    return None
