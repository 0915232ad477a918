"""A hidden Markov model with Normal emissions: its state, its joint, and the draws of its parameters.

The states z_1 … z_T form a Markov chain, and the value y_t is Normal around the mean of state z_t (Rabiner 1989, "A
tutorial on hidden Markov models and selected applications in speech recognition", Proceedings of the IEEE 77, section
II). Two samplers of the states are in
`samplers.hmm.single` and `samplers.hmm.block`.
"""

import math
from collections.abc import Iterator, Sequence
from copy import copy
from itertools import pairwise
from typing import Any, NamedTuple, Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from samplers.checks import finite_above
from samplers.recipe import Distribution, GibbsSampler

TRANSITIONS, MEANS = "transitions", "means"  # sites beside the labels
FROM_LAST, TO_NEXT, FIT = "from the last", "to the next", "fit"  # terms of a label's score
UNKNOWN = -1  # the label of an hour that has been forgotten
LEAST = 1e-300  # of a probability of a transition
HALF_LOG_TAU = 0.5 * math.log(2 * math.pi)


class Forwards(NamedTuple):
    """The site at which the forward sum of an hour t, from 0, is made: it draws nothing."""

    hour: int


class ChainState:
    """Labels, transition probabilities and means, and the forward sums made so far.

    Attributes
    ----------
    labels : list of int
        The state of each hour, shape (T,); `UNKNOWN` while it is forgotten: always the first few hours.
    transitions : list of list of float
        Row j has the probabilities of the next state after state j, shape (K, K).
    means : list of float
        The mean of each state, shape (K,).
    fits : list of list of float
        Log density of each value in each state, shape (T, K).
    filtered : list of list of float
        p(z_t = k | y_1 … y_t) where it has been summed, shape (T, K); empty rows where it has not.
    log_sums : list of float
        log p(y_t | y_1 … y_t-1) in the same way, shape (T,).
    """

    __slots__ = ("filtered", "fits", "labels", "log_sums", "means", "transitions")

    def __init__(self, labels: list[int], transitions: list[list[float]], means: list[float]) -> None:
        self.labels, self.transitions, self.means = labels, transitions, means
        self.fits: list[list[float]] = []
        self.filtered: list[list[float]] = [[] for _ in labels]
        self.log_sums = [0.0] * len(labels)

    def copy(self) -> Self:
        """Return an independent copy; rows and parameters are replaced and never changed, so copies share them."""
        twin = copy(self)
        twin.labels, twin.filtered, twin.log_sums = self.labels.copy(), self.filtered.copy(), self.log_sums.copy()
        return twin


C = TypeVar("C", bound=ChainState)


class Rows:
    """A Dirichlet distribution for each row of the transition probabilities, from pseudo-counts of shape (K, K)."""

    def __init__(self, pseudo_counts: np.ndarray) -> None:
        self.pseudo_counts = pseudo_counts

    def draw(self, rng: np.random.Generator) -> list[list[float]]:
        """Draw all rows."""
        return np.maximum([rng.dirichlet(row) for row in self.pseudo_counts], LEAST).tolist()

    def log_density(self, value: Sequence[Sequence[float]]) -> float:
        """Return the log density of rows, with its constants."""
        found = 0.0
        for row, chances in zip(self.pseudo_counts.tolist(), value, strict=True):
            found += math.lgamma(math.fsum(row)) - math.fsum(map(math.lgamma, row))
            found += math.fsum((a - 1) * math.log(p) for a, p in zip(row, chances, strict=True))
        return found


class Normals:
    """A Normal distribution for each state's mean, by centres and deviations of shape (K,)."""

    def __init__(self, centres: list[float], deviations: list[float]) -> None:
        self.centres, self.deviations = centres, deviations

    def draw(self, rng: np.random.Generator) -> list[float]:
        """Draw all means."""
        z = rng.standard_normal(len(self.centres)).tolist()
        return [m + s * each for m, s, each in zip(self.centres, self.deviations, z, strict=True)]

    def log_density(self, value: Sequence[float]) -> float:
        """Return the log density of means, with its constants."""
        return math.fsum(log_normal(x, m, s) for x, m, s in zip(value, self.centres, self.deviations, strict=True))


def log_normal(value: float, mean: float, deviation: float) -> float:
    """Return the log density of a Normal distribution."""
    return -0.5 * ((value - mean) / deviation) ** 2 - math.log(deviation) - HALF_LOG_TAU


class HiddenMarkov(GibbsSampler[C]):
    """A hidden Markov model; a subclass says how its labels are redrawn.

    Parameters
    ----------
    series : array_like
        The values y_t, shape (T,), in the units of the means; T is at least 1.
    centres : array_like
        The mean of each state, shape (K,), K at least 2; with `learned`, the centre of its prior.
    deviation : float
        Standard deviation σ of a value around its state's mean.
    transitions : array_like
        Row j has the probabilities of the state after j, all above 0, shape (K, K); with `learned`, the mean of its
        Dirichlet prior.
    learned : bool, optional
        Whether a sweep ends with draws of the transition probabilities and the means.
    weight : float, optional
        Sum of the pseudo-counts of a row's prior.
    spread : float, optional
        Standard deviation of the prior of a mean.

    Raises
    ------
    ValueError
        If a value is not finite, a row does not sum to 1, or a parameter is out of range; the message says which.
    """

    of_a_posterior = True
    kind: type[Any] = ChainState  # of the states

    def __init__(
        self,
        series: ArrayLike,
        centres: ArrayLike,
        deviation: float,
        transitions: ArrayLike,
        *,
        learned: bool = False,
        weight: float = 10.0,
        spread: float = 0.7,
    ) -> None:
        self.series, self.centres = (np.array(values, float).ravel() for values in (series, centres))
        self.transitions = np.array(transitions, float)
        if not self.series.size or not np.isfinite(self.series).all():
            raise ValueError("series must have one value or more, all finite: leave out hours without a value")
        if len(self.centres) < 2 or not np.isfinite(self.centres).all():
            raise ValueError(f"centres must be 2 numbers or more, all finite, got {centres!r}")
        if self.transitions.shape != (self.states, self.states) or not (self.transitions > 0).all():
            raise ValueError(f"transitions must be {self.states} rows of {self.states} probabilities above 0")
        if not np.allclose(self.transitions.sum(axis=1), 1):
            raise ValueError("each row of transitions must sum to 1")
        self.deviation = finite_above("deviation", deviation, 0)
        self.weight, self.spread = finite_above("weight", weight, 0), finite_above("spread", spread, 0)
        self.learned = learned
        self._values, self._middles = self.series.tolist(), self.centres.tolist()

    @property
    def states(self) -> int:
        """The number of states, K."""
        return len(self.centres)

    @property
    def hours(self) -> int:
        """The length of the series, T."""
        return len(self.series)

    def state(self, labels: Sequence[int]) -> C:
        """Return the state with these labels, shape (T,), and the prior's centres as parameters.

        Raises
        ------
        ValueError
            If there is not a label for each hour, or one is out of range.
        """
        if len(labels) != self.hours or not all(0 <= label < self.states for label in labels):
            raise ValueError(f"labels must be {self.hours} numbers from 0 to {self.states - 1}")
        made: C = self.kind([int(label) for label in labels], self.transitions.tolist(), self._middles)
        self._fit(made)
        return made

    def init(self, rng: np.random.Generator) -> C:
        """Return random labels."""
        return self.state(rng.integers(self.states, size=self.hours).tolist())

    def replicate(self, state: C, rng: np.random.Generator) -> np.ndarray:
        """Draw a series of the same length, shape (T,), from a state's transitions and means: new labels, new values.

        With the parameters of a draw from the posterior, or with those that are given, it is a replicate of the data
        (Gelman et al. 2013, Bayesian Data Analysis, section 6.3).
        """
        label = int(rng.choice(self.states, p=self.first(state)))
        labels, rows = [label], np.array(state.transitions)
        for dart in rng.random(self.hours - 1):
            label = min(int(np.searchsorted(rows[label].cumsum(), dart)), self.states - 1)
            labels.append(label)
        drawn: np.ndarray = np.array(state.means)[labels] + self.deviation * rng.standard_normal(self.hours)
        return drawn

    def variables(self, state: C) -> dict[str, Any]:
        """Return the labels, the transition probabilities and the means."""
        found: dict[str, Any] = {"labels": np.array(state.labels)}
        if self.learned:
            found |= {TRANSITIONS: np.array(state.transitions), MEANS: np.array(state.means)}
        return found

    def parameters(self) -> Iterator[str]:
        """Yield the sites that end a sweep."""
        if self.learned:
            yield TRANSITIONS
            yield MEANS

    def score_parameters(self, state: C, site: str) -> Distribution:
        """Return the distribution of the transition probabilities, or of the means, given all labels."""
        if site == TRANSITIONS:
            return Rows(self.row_prior(state) + self.moves(state.labels))
        sums, counts = [0.0] * self.states, [0] * self.states
        for value, label in zip(self._values, state.labels, strict=True):
            sums[label] += value
            counts[label] += 1
        prior, each = 1 / self.spread**2, 1 / self.deviation**2
        precisions = [prior + count * each for count in counts]
        centres = [
            (prior * centre + each * total) / precision
            for centre, total, precision in zip(self._middles, sums, precisions, strict=True)
        ]
        return Normals(centres, [precision**-0.5 for precision in precisions])

    def row_prior(self, state: C) -> np.ndarray:
        """Return the pseudo-counts of the prior of each row of transitions, shape (K, K)."""
        return self.weight * self.transitions

    def first(self, state: C) -> list[float]:
        """Return the probability of each state in the first hour, shape (K,): here all are the same."""
        return [1 / self.states] * self.states

    def moves(self, labels: Sequence[int]) -> np.ndarray:
        """Return how often each state follows each, shape (K, K)."""
        counts = [[0.0] * self.states for _ in range(self.states)]
        for last, now in pairwise(labels):
            counts[last][now] += 1
        return np.array(counts)

    def to_next(self, state: C, hour: int) -> list[float]:
        """Return log p(z_t+1 | z_t = k), shape (K,); 0 in the last hour."""
        if hour + 1 == self.hours:
            return [0.0] * self.states
        after = state.labels[hour + 1]
        return [math.log(row[after]) for row in state.transitions]

    def forget(self, state: C, site: Any) -> None:
        """Forget the label of an hour."""
        if not isinstance(site, str):
            state.labels[site.hour if isinstance(site, Forwards) else site] = UNKNOWN

    def remember(self, state: C, site: Any, value: Any) -> None:
        """Put a label or parameters into the state."""
        if site == TRANSITIONS:
            state.transitions = value
        elif site == MEANS:
            state.means = value
            self._fit(state)
        else:
            state.labels[site] = value

    def _fit(self, state: C) -> None:
        state.fits = [[log_normal(value, mean, self.deviation) for mean in state.means] for value in self._values]

    def log_joint(self, state: C) -> float:
        """Return log p(series, labels, parameters); forgotten labels, always the first few, are summed out."""
        labels, gone = state.labels, state.labels.count(UNKNOWN)
        parts = state.log_sums[:gone]
        if gone < self.hours:
            now = labels[gone]
            parts = [*parts, math.log(self.before(state, gone)[now]), state.fits[gone][now]]
        for t in range(gone + 1, self.hours):
            parts += [math.log(state.transitions[labels[t - 1]][labels[t]]), state.fits[t][labels[t]]]
        if self.learned:
            parts += [Rows(self.row_prior(state)).log_density(state.transitions)]
            parts += [Normals(self._middles, [self.spread] * self.states).log_density(state.means)]
        return math.fsum(parts)

    def before(self, state: C, hour: int) -> list[float]:
        """Return p(z_t = k | y_1 … y_t-1), shape (K,): the sum over the state of the hour before."""
        if hour == 0:
            return self.first(state)
        last, rows = state.filtered[hour - 1], state.transitions
        return [math.fsum(p * row[k] for p, row in zip(last, rows, strict=True)) for k in range(self.states)]
