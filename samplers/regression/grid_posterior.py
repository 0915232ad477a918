"""The posterior of one or two weights as it is, on a grid: the reference for the approximations."""

from dataclasses import dataclass
from math import inf, log

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from samplers.checks import whole_from
from samplers.regression.laplace import laplace_approximation
from samplers.regression.linear import in_blocks
from samplers.regression.logistic import LogisticRegression

OUTSIDE = 1e-6  # of the mass, at most
RESOLVED = 1e-5  # by how much the evidence may differ on a grid with every second line
PREDICTED = 1e-4  # likewise, the probability of label 1
MOST_LINES = 2_049  # along an axis
MOST_CELLS = 2**28  # crossings times observations: about two seconds
FIRST_REACH = 5.5  # standard deviations of the Laplace approximation, from the mode
NEGLIGIBLE = 1e-7  # of the mass, left out of predictions


@dataclass(frozen=True, eq=False)
class GridPosterior:
    """A posterior density at the crossings of evenly spaced lines."""

    axes: tuple[np.ndarray, ...]  # where the lines are, one array for each weight
    # posterior density, of shape (lines,) or (lines of weight 0, lines of weight 1). Times the size of a cell it sums
    # to 1.
    density: np.ndarray
    log_evidence: float  # log p(labels), by quadrature
    outside: float  # bound on the mass beyond the outermost lines, below 1e-6

    def predict(self, features: ArrayLike) -> np.ndarray:
        """Return the probability of label 1 at points, shape (P, D), averaged over the posterior, within 1e-4: (P,).

        It is averaged over every second line, which is enough: see `grid_posterior`.

        Raises
        ------
        ValueError
            If the shape does not fit.
        """
        points = np.asarray(features, float)
        if points.ndim != 2 or points.shape[1] != len(self.axes):
            raise ValueError(f"features must have shape (P, {len(self.axes)}), got {points.shape}")
        every_second = (slice(None, None, 2),) * len(self.axes)
        masses = self.density[every_second].ravel()
        masses /= masses.sum()
        order = np.argsort(masses)
        kept = order[masses[order].cumsum() > NEGLIGIBLE]
        weights, shares = _crossings(tuple(axis[::2] for axis in self.axes))[kept], masses[kept] / masses[kept].sum()
        return in_blocks(lambda block: special.expit(block @ weights.T) @ shares, points, len(weights))


def grid_posterior(model: LogisticRegression, lines: int = 61) -> GridPosterior:
    """Return the posterior of a model with one or two weights, on a grid that holds it.

    Parameters
    ----------
    model : LogisticRegression
        With D = 1 or D = 2.
    lines : int, optional
        Along each axis at first, 11 to 2,049; there will be more if it takes more.

    Raises
    ------
    ValueError
        If D is not 1 or 2, or lines out of range; or if the posterior has details too fine for 2,049 lines (fewer with
        very many observations).
    NoMode
        If the prior is flat and there is no posterior.

    Notes
    -----
    The box starts at the mode with 5.5 standard deviations of the Laplace approximation to each side. The posterior is
    log-concave, and so are its marginals: if the two outermost lines have masses m and m' > m, less than m r / (1 - r)
    lies beyond them, with r = m / m'. Sides with too much beyond are moved out; sides with a wide empty margin are
    moved in. Lines are doubled until every second one gives the same evidence, within 1e-5, and the same probability of
    label 1, within 1e-4, to points as far along an axis as the model's own; as the error of the trapezoidal rule falls
    exponentially, that of all lines is then far smaller.
    """
    if model.dimension > 2:
        raise ValueError(
            f"a grid can hold one or two weights, got {model.dimension}: use laplace or RandomWalkMetropolis"
        )
    if not 11 <= whole_from("lines", lines, 11) <= MOST_LINES:
        raise ValueError(f"lines must be {MOST_LINES} or less, got {lines}")
    approximation = laplace_approximation(model)
    reach = FIRST_REACH * np.sqrt(approximation.covariance.diagonal())
    box = np.column_stack([approximation.mode - reach, approximation.mode + reach])
    lines += 1 - lines % 2  # odd, so that every second line includes both edges
    most = max(lines, min(MOST_LINES, int((MOST_CELLS / max(1, len(model.features))) ** (1 / model.dimension))))
    farthest = np.abs(model.features).max(axis=0, initial=1.0)
    for _ in range(100):
        axes = tuple(np.linspace(low, high, lines) for low, high in box)
        log_density = model.log_density(_crossings(axes)).reshape([lines] * model.dimension)
        top = log_density.max()
        masses = np.exp(log_density - top)
        beyond = _beyond(masses)
        moved = _moved(box, axes, masses, beyond)
        if moved is not None:
            box = moved
        elif not _resolved(masses, axes, farthest):
            lines = 2 * lines - 1
            if lines > most:
                break
        else:
            total = masses.sum() * np.prod([axis[1] - axis[0] for axis in axes])
            return GridPosterior(axes, masses / total, float(top + log(total)), float(beyond.sum()))
    raise ValueError(
        f"the posterior is too wide for its finest details to be seen with {most:,} lines along an axis: "
        "raise prior_precision, or bring the features to a similar scale"
    )


def _crossings(axes: tuple[np.ndarray, ...]) -> np.ndarray:
    """Return the weights at all crossings, shape (lines ** D, D), the last weight changing fastest."""
    return np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, len(axes))


def _along(masses: np.ndarray) -> list[np.ndarray]:
    """Return the share of the mass on each line, for each axis."""
    share = masses / masses.sum()
    return [share] if share.ndim == 1 else [share.sum(axis=1), share.sum(axis=0)]


def _beyond(masses: np.ndarray) -> np.ndarray:
    """Return bounds on the mass beyond each side, shape (D, 2), in shares of what is inside."""
    return np.array([[_tail(line[0], line[1]), _tail(line[-1], line[-2])] for line in _along(masses)])


def _tail(outermost: float, next_to_it: float) -> float:
    if outermost == 0:
        return 0.0
    ratio = outermost / next_to_it if next_to_it else inf
    return float(outermost * ratio / (1 - ratio)) if ratio < 1 else inf


def _moved(box: np.ndarray, axes: tuple[np.ndarray, ...], masses: np.ndarray, beyond: np.ndarray) -> np.ndarray | None:
    """Return a box with sides moved out where too much is beyond, or else in where much is empty; None if good."""
    allowed = OUTSIDE / beyond.size
    width = box[:, 1] - box[:, 0]
    if (beyond > allowed).any():
        return box + np.where(beyond > allowed, [-0.5, 0.5], 0.0) * width[:, None]
    ends = []
    for axis, share in zip(axes, _along(masses), strict=True):
        below, above = np.cumsum(share), np.cumsum(share[::-1])[::-1]
        held = np.flatnonzero((below > allowed / 8) & (above > allowed / 8))
        ends.append([axis[max(held[0] - 1, 0)], axis[min(held[-1] + 1, len(axis) - 1)]])
    tight = np.array(ends)
    return tight if (tight[:, 1] - tight[:, 0] < 0.75 * width).any() else None


def _resolved(masses: np.ndarray, axes: tuple[np.ndarray, ...], farthest: np.ndarray) -> bool:
    every_second = masses[(slice(None, None, 2),) * masses.ndim]
    if abs(every_second.sum() * 2**masses.ndim / masses.sum() - 1) > RESOLVED:
        return False
    for axis, far, fine, coarse in zip(axes, farthest, _along(masses), _along(every_second), strict=True):
        probabilities = special.expit(far * axis)
        if abs(fine @ probabilities - coarse @ probabilities[::2]) > PREDICTED:
            return False
    return True
