"""The exact posterior of the sticky HDP hidden Markov model, over every partition of at most eight hours into states.

Base weights, tables, transition probabilities and means are all integrated out, for a largest number of states and in
the limit without one.
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import gammaln

from samplers.enumerated import Enumerated
from samplers.hmm.exact import fit_of
from samplers.hmm.sticky import Sticky
from samplers.partitions import MOST_POINTS, partitions


@dataclass(frozen=True, eq=False)
class ExactStates(Enumerated):
    """The posterior over every partition of the hours into states."""

    partitions: np.ndarray  # the state of each hour, states numbered by their first hours: integers of shape (P, T)
    # log p(series, partition) of each, shape (P,); -inf for those with more states than there can be
    log_joint: np.ndarray

    @property
    def states(self) -> np.ndarray:
        """The posterior distribution of the number of states in use, from 0, shape (T + 1,)."""
        return np.bincount(self.partitions.max(axis=1) + 1, self.probabilities)

    @property
    def changes(self) -> np.ndarray:
        """The posterior distribution of the number of changes of state, shape (T,)."""
        moved = np.diff(self.partitions) != 0
        return np.bincount(moved.sum(axis=1), self.probabilities, self.partitions.shape[1])

    @property
    def moved(self) -> np.ndarray:
        """The probability that each hour but the first has another state than the one before, shape (T - 1,)."""
        return self.probabilities @ (np.diff(self.partitions) != 0)


def exact_states(model: Sticky, limit: bool = False) -> ExactStates | None:
    """Return the posterior of every partition into states; None for more than eight hours, or concentrations redrawn.

    Parameters
    ----------
    model : Sticky
        With any rule: only the data and the prior count.
    limit : bool, optional
        Whether there is no largest number of states: the HDP-HMM itself.
    """
    if model.hours > MOST_POINTS or model.priors is not None:
        return None
    every = np.array(partitions(model.hours))
    log_joint = log_paths(model, every, limit)
    here = every[:, :, None] == np.arange(model.hours)
    for k in range(model.hours):
        log_joint += fit_of(model, 0, here[:, :, k])
    return ExactStates(every, log_joint)


def log_paths(model: Sticky, every: np.ndarray, limit: bool = False) -> np.ndarray:
    """Return the log prior probability, shape (P,), of partitions as `ExactStates` has them, shape (P, T).

    For the limit see `exact_states`.

    Notes
    -----
    Given base weights b, a path has probability b_z1 ∏_t (αb_zt + κ[z_t = z_t-1] + n) / (α + κ + m), with n earlier
    moves of the same kind and m from the same state. This is a polynomial in each base weight, and the Dirichlet mean
    of ∏_k b_k^m_k is ∏_k (γ / L)^(m_k) / γ^(Σ m_k), with rising factorials. So the mean is a sum over Σ m_k of a
    product of polynomials. L! / (L - K)! namings of K states are alike; as L grows, these times ∏_k (γ / L)^(m_k)
    become ∏_k γ Γ(m_k) (Teh et al. 2006: the limit of finite models).
    """
    (number, hours), gamma = every.shape, model.top_concentration
    powers, log_below = _polynomials(model, every)
    together = np.zeros((number, hours + 1))
    together[:, 0] = 1
    m, used = np.arange(hours + 1), every.max(axis=1) + 1
    for k in range(hours):
        dish = powers[:, k] * _moments(m, gamma, None if limit else model.states)
        dish[used <= k] = m == 0
        together = np.stack([(together[:, : i + 1] * dish[:, i::-1]).sum(axis=1) for i in range(hours + 1)], axis=1)
    below = np.exp(gammaln(gamma + m) - gammaln(gamma))
    with np.errstate(divide="ignore"):
        log_names = 0.0 if limit else np.log(_namings(used, model.states))
        return np.log(together @ (1 / below)) - log_below + log_names


def _polynomials(model: Sticky, every: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the polynomial of each state's base weight, shape (P, T, T + 1), and the log of what is below them."""
    number, hours = every.shape
    rows, log_below = np.arange(number), np.zeros(number)
    powers, moves = np.zeros((number, hours, hours + 1)), np.zeros((number, hours, hours))
    powers[:, :, 0] = 1
    _times(powers, rows, every[:, 0], np.zeros(number), 1.0)
    for t in range(1, hours):
        last, now = every[:, t - 1], every[:, t]
        log_below += np.log(model.concentration + model.stickiness + moves[rows, last].sum(axis=1))
        known = moves[rows, last, now] + model.stickiness * (last == now)
        _times(powers, rows, now, known, model.concentration)
        moves[rows, last, now] += 1
    return powers, log_below


def _times(powers: np.ndarray, rows: np.ndarray, states: np.ndarray, known: np.ndarray, slope: float) -> None:
    """Multiply the polynomial of one state in each partition by known + slope · b, in place."""
    now = powers[rows, states]
    after = known[:, None] * now
    after[:, 1:] += slope * now[:, :-1]
    powers[rows, states] = after


def _moments(m: np.ndarray, gamma: float, states: int | None) -> np.ndarray:
    """Return (γ / L)^(m) as rising factorials, or their limit with the namings, γ Γ(m), which is 0 for m = 0."""
    if states is None:
        return np.where(m > 0, gamma * np.exp(gammaln(np.maximum(m, 1))), 0.0)
    return np.exp(gammaln(gamma / states + m) - gammaln(gamma / states))


def _namings(used: np.ndarray, states: int) -> np.ndarray:
    """Return how many ways there are to name each number of states in use, L! / (L - K)!; 0 if K > L."""
    found: np.ndarray = np.where(used[:, None] > np.arange(used.max()), states - np.arange(used.max()), 1).clip(0)
    return found.prod(axis=1)
