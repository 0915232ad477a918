"""Protocols of a log density on D numbers: value, gradient, Hessian.

Random-walk Metropolis needs a `LogDensity`, HMC and NUTS also need its gradient, and optimisers and the Laplace
approximation need gradient and Hessian. Regressions, densities on a line and mixtures with their labels summed out
follow these protocols; `FunctionLogDensity` turns any function into a log density.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import ArrayLike


class NoMode(ValueError):  # noqa: N818 - a result, not an error
    """The density has no mode, or none in floating point."""


class LogDensity(Protocol):
    """The logarithm of a density, up to an additive constant."""

    @property
    def dimension(self) -> int:
        """D, the number of coordinates of a position."""

    def log_density(self, position: np.ndarray) -> float | np.ndarray:
        """Return the log density at a position of shape (D,); -inf outside the support."""


class LogDensityWithGradient(LogDensity, Protocol):
    """A log density on all positions, without bounds, and its gradient."""

    def log_density_and_gradient(self, position: np.ndarray) -> tuple[float, np.ndarray]:
        """Return the log density and its gradient, shape (D,); the two share most of the work."""


class LogDensityWithHessian(LogDensity, Protocol):
    """A log density with its gradient and Hessian."""

    def gradient_and_hessian(self, position: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the gradient, shape (D,), and the Hessian, shape (D, D), of the log density within its support."""


class FunctionLogDensity(NamedTuple):
    """A function as a log density: ``FunctionLogDensity(1, lambda position: -position @ position / 2)``."""

    dimension: int
    log_density: Callable[[np.ndarray], float | np.ndarray]


@dataclass(frozen=True, eq=False)
class PositionState:
    """The position of a chain or an optimiser; immutable."""

    position: np.ndarray  # shape (D,)
    log_density: float  # the log density at that position


def variables_of(target: LogDensity, state: PositionState) -> dict[str, Any]:
    """Return the parameters at a position, by name, and the log density there.

    A target with bounded parameters computes them with ``constrain``; any other names its position by ``parameter``.
    """
    constrain = getattr(target, "constrain", None)
    if constrain is not None:
        parameters = constrain(state.position)._asdict()
    else:
        parameters = {getattr(target, "parameter", "position"): state.position}
    return {**parameters, "log_density": state.log_density}


def as_start(target: LogDensity, start: ArrayLike) -> np.ndarray:
    """Return a first position as a read-only array.

    Raises
    ------
    ValueError
        If the start is not D finite numbers, or the log density is not finite there.
    """
    position = np.array(start, float)
    if position.shape != (target.dimension,) or not np.isfinite(position).all():
        raise ValueError(f"start must be {target.dimension} finite numbers, got {start!r}")
    if not np.isfinite(target.log_density(position)):
        raise ValueError(f"start must lie where the log density is finite, got {position}")
    position.flags.writeable = False
    return position
