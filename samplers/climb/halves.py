"""Kernels that climb a bound in two half-steps: soft labels given the components, then the components given these.

A mixture has two unknowns, labels and components. E sets the responsibilities, which are soft labels, to the best ones
for the components as they are; M sets the components to the best ones for the responsibilities. Both raise the same
bound (Neal & Hinton 1998, A view of the EM algorithm that justifies incremental, sparse, and other variants) ::

    bound = Σ r log(weight · density) − Σ r log r + penalty

in which r are the responsibilities, and the penalty is 0 for EM, the log prior for its MAP form, and minus a divergence
for variational Bayes. A kernel says how M sets what it calls its parts: weights and components, like
`samplers.climb.em.Point`, or distributions of these, like `samplers.climb.variational.Factors`. They have a penalty,
and in the E step their terms of weights and fit replace log weights and log densities. There is no chance but in the
start: the states are no draws.
"""

from abc import abstractmethod
from typing import Any, ClassVar, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike

from samplers import portable
from samplers.checks import whole_from
from samplers.conjugate.family import AveragedFamily, Sums
from samplers.log_density import NoMode
from samplers.mixtures.finite import nearest_seed
from samplers.recipe import Kernel

Start = Literal["random", "k-means++"]
E, M = "E", "M"


class ClimbState(NamedTuple):
    """Where a climb is; immutable."""

    responsibilities: np.ndarray  # share of each component in each point, shape (N, K), rows adding up to 1
    parts: Any  # weights and components, or distributions of these
    bound: float  # what both half-steps raise; for k-means, minus half the sum of squares
    half_steps: int  # how many have been taken; after an even number, the next one is E
    # whether the M step failed because a component collapsed onto a point or a line: no further step is taken
    stuck: bool = False


class HalfStep(NamedTuple):
    """The record of a half-step."""

    name: str  # ``"E"`` or ``"M"``
    counts: np.ndarray  # how many points each component has after it, in parts of points, shape (K,)
    rise: float  # by how much the bound has risen; infinite where the climb gets stuck


class Climb(Kernel[ClimbState, HalfStep]):
    """A climb over soft labels and components; a step is one half-step.

    Parameters
    ----------
    data, components
        As for `samplers.mixtures.finite.FiniteMixture`.
    family : AveragedFamily
        The prior of a component's parameters.
    start : {"random", "k-means++"}, optional
        The labels of the first M step: each by chance, or by the nearest of K points drawn to lie far apart.

    Raises
    ------
    TypeError
        If components is no integer.
    ValueError
        If a setting is out of range, or if the data are not what the family can take.
    """

    summed: ClassVar[bool] = True  # whether labels are summed over, so that their entropy is in the bound
    # whether a point's responsibilities add up to 1; if a rule's do not, its bound is at the best ones, which do
    normalised: ClassVar[bool] = True

    def __init__(self, data: ArrayLike, family: AveragedFamily, components: int, start: Start = "random") -> None:
        self.data = family.rows(data)
        self.data.flags.writeable = False
        if not len(self.data):
            raise ValueError("data must hold at least one point")
        if start not in get_args(Start):
            raise ValueError(f"start must be 'random' or 'k-means++', got {start!r}")
        self.family, self.start = family, start
        self.components = whole_from("components", components, 1)

    @abstractmethod
    def maximise(self, responsibilities: np.ndarray, before: Any) -> Any:
        """Return the parts that are best for these responsibilities: M.

        Parameters
        ----------
        responsibilities : numpy.ndarray
            Shape (N, K).
        before : Point, Factors or None
            Those before, which an empty component may keep; None at the start, for which some are always found.

        Raises
        ------
        NoMode
            If none are best.
        """

    def share(self, parts: Any) -> np.ndarray:
        """Return the responsibilities that are best for these parts, shape (N, K): E."""
        terms = self.terms(parts)
        weights = portable.exp(terms - terms.max(axis=1, keepdims=True))
        return weights / weights.sum(axis=1, keepdims=True)

    def init(self, rng: np.random.Generator) -> ClimbState:
        """Return a first state: labels as `start` says, and the components of an M step for them."""
        if self.start == "random":
            return self.state(rng.integers(self.components, size=len(self.data)))
        return self.state(nearest_seed(self.data, self.components, rng))

    def state(self, labels: ArrayLike) -> ClimbState:
        """Return the state after an M step for these labels, shape (N,)."""
        responsibilities = (np.asarray(labels)[:, None] == np.arange(self.components)).astype(float)
        parts = self.maximise(responsibilities, None)
        return ClimbState(responsibilities, parts, self.bound(responsibilities, parts), 0)

    def step(self, state: ClimbState, rng: np.random.Generator | None = None) -> tuple[ClimbState, HalfStep]:
        """Return the state after the next half-step, and its record. Deterministic: `rng` is not used."""
        responsibilities, parts, before, taken, stuck = state
        name = M if taken % 2 else E
        try:
            if not stuck and name == E:
                responsibilities = self.share(parts)
            elif not stuck:
                parts = self.maximise(responsibilities, parts)
        except NoMode:
            stuck = True
        bound = before if stuck else self.bound(responsibilities, parts)
        rise = np.inf if stuck and not state.stuck else bound - before
        record = HalfStep(name, responsibilities.sum(axis=0), rise)
        return ClimbState(responsibilities, parts, bound, taken + 1, stuck), record

    def bound(self, responsibilities: np.ndarray, parts: Any) -> float:
        """Return the bound at these responsibilities, shape (N, K), and these parts."""
        if not self.normalised:
            responsibilities = Climb.share(self, parts)
        some = responsibilities > 0
        shares, terms = responsibilities[some], self.terms(parts)[some]
        entropy = -portable.dot(shares, portable.log(shares)) if self.summed else 0.0
        return portable.dot(shares, terms) + entropy + parts.penalty

    def terms(self, parts: Any) -> np.ndarray:
        """Return log weight + log density of each point in each component, or what stands for these, shape (N, K)."""
        return parts.weight_terms() + parts.fit_terms(self.data)

    def level(self, state: ClimbState) -> float:
        """Return the bound at the best responsibilities for the state's parts: for EM, the log likelihood itself."""
        return self.bound(Climb.share(self, state.parts) if self.summed else self.share(state.parts), state.parts)

    def variables(self, state: ClimbState) -> dict[str, Any]:
        """Return responsibilities, weights, means and standard deviations of the components, and the bound."""
        return {
            "responsibilities": state.responsibilities,
            "weights": state.parts.weights,
            "means": np.array([each.mean for each in state.parts.components]),
            "deviations": np.array([each.deviations for each in state.parts.components]),
            "bound": state.bound,
        }


def sums_of(rows: np.ndarray, shares: np.ndarray) -> Sums:
    """Return a component's weighted count, sum and scatter: points of shape (N, D), their shares of shape (N,)."""
    count = portable.total(shares.tolist())
    total = np.add.reduce(shares[:, None] * rows, axis=0)
    away = rows - (total / count if count else 0.0)
    return Sums(count, total, np.add.reduce(shares[:, None, None] * away[:, :, None] * away[:, None, :], axis=0))
