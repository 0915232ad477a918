"""Protocols of a log density on D numbers: value, gradient, Hessian.

Random-walk Metropolis asks for a `LogDensity`, HMC and NUTS for its gradient as well, and optimisers and the Laplace
approximation for gradient and Hessian. A regression, a density on a line and a mixture with its labels summed out are
such densities as they are; a function becomes one in `FunctionLogDensity`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import ArrayLike


class NoMode(ValueError):  # noqa: N818 - a finding, and no fault
    """The density has no mode, or none in floating point."""


class LogDensity(Protocol):
    """The logarithm of a density, up to a constant."""

    @property
    def dimension(self) -> int:
        """D: how many numbers a position has."""

    def log_density(self, position: np.ndarray) -> float | np.ndarray:
        """Return the log density at a position of shape (D,); -inf outside the support."""


class LogDensityWithGradient(LogDensity, Protocol):
    """A log density on all positions, without bounds, that can say which way it rises."""

    def log_density_and_gradient(self, position: np.ndarray) -> tuple[float, np.ndarray]:
        """Return the log density and its gradient, shape (D,), which share most of the work."""


class LogDensityWithHessian(LogDensity, Protocol):
    """A log density that can also say how it bends."""

    def gradient_and_hessian(self, position: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the gradient, shape (D,), and the Hessian, shape (D, D), of the log density within its support."""


class FunctionLogDensity(NamedTuple):
    """A function as a log density: ``FunctionLogDensity(1, lambda position: -position @ position / 2)``."""

    dimension: int
    log_density: Callable[[np.ndarray], float | np.ndarray]


@dataclass(frozen=True, eq=False)
class PositionState:
    """Where a chain or an optimiser is. It never changes.

    Attributes
    ----------
    position : numpy.ndarray
        Shape (D,).
    log_density : float
        There.
    """

    position: np.ndarray
    log_density: float


def variables_of(target: LogDensity, state: PositionState) -> dict[str, Any]:
    """Return the parameters at a position by their names, and the log density there.

    A target that has bounds says by ``constrain`` what its parameters are; one without by ``parameter`` how a position
    is called.
    """
    constrain = getattr(target, "constrain", None)
    if constrain is not None:
        parameters = constrain(state.position)._asdict()
    else:
        parameters = {getattr(target, "parameter", "position"): state.position}
    return {**parameters, "log_density": state.log_density}


def as_start(target: LogDensity, start: ArrayLike) -> np.ndarray:
    """Return a first position that cannot change.

    Raises
    ------
    ValueError
        If it is not one finite position at which the log density is finite.
    """
    position = np.array(start, float)
    if position.shape != (target.dimension,) or not np.isfinite(position).all():
        raise ValueError(f"start must be {target.dimension} finite numbers, got {start!r}")
    if not np.isfinite(target.log_density(position)):
        raise ValueError(f"start must lie where the log density is finite, got {position}")
    position.flags.writeable = False
    return position
