"""Base class of Gibbs samplers that assign each item to one of K classes.

The weights have a Dirichlet prior, and are integrated out, so that a label depends on how many others have it, or are a
block of the sweep. They can also be fixed, all alike. How the items look in a class is for the sampler to say:
`samplers.mixtures.finite` has points from any family, `samplers.mixtures.naive_bayes` has documents made of words.
"""

from abc import abstractmethod
from collections.abc import Iterable, Iterator
from copy import copy
from math import log
from operator import getitem
from typing import Any, ClassVar, Literal, Self, TypeVar, get_args

import numpy as np
from numpy.typing import ArrayLike

from samplers.checks import for_each
from samplers.conjugate.dirichlet import Dirichlet, log_marginal_of_counts
from samplers.recipe import Conditional, Distribution, GibbsSampler, Site

WEIGHTS = "weights"  # the name of the block that redraws them
WEIGHT = "weight"  # the term of a label's conditional that they make
HIDDEN = -1  # the label of an item whose label is not known
Weights = Literal["collapsed", "explicit", "equal"]


class LabelState:
    """Labels, class counts, and whatever is not integrated out.

    Attributes
    ----------
    labels : list of int
        Class of each item, from 0. An item that has been taken out keeps the label that it had.
    counts : list of int
        How many items each class has, K numbers; 0 where a class is empty.
    log_weights : list of float
        Logarithm of each class's weight; empty if the weights are integrated out.
    fits : list of list of float
        Log density of each item in each class, given the classes' parameters; empty if those are integrated out. It is
        made when the parameters are drawn, and not changed after.
    """

    __slots__ = ("counts", "fits", "labels", "log_weights")

    def __init__(self, labels: list[int], counts: list[int]) -> None:
        self.labels = labels
        self.counts = counts
        self.log_weights: list[float] = []
        self.fits: list[list[float]] = []

    @property
    def assignments(self) -> np.ndarray:
        """Class of each item: integers of shape (items,), a new array."""
        return np.array(self.labels, np.int64)

    @property
    def weights(self) -> np.ndarray:
        """Weight of each class, shape (K,); of shape (0,) if the weights are integrated out."""
        return np.exp(self.log_weights)

    def copy(self) -> Self:
        """Return an independent copy of the state."""
        twin = copy(self)
        twin.labels = self.labels.copy()
        twin.counts = self.counts.copy()
        return twin


L = TypeVar("L", bound=LabelState)


class LabelSampler(GibbsSampler[L]):
    """Gibbs sampling of labels, one at a time, and then of what is not integrated out.

    Parameters
    ----------
    labels : numpy.ndarray
        Class of each item, shape (items,), or -1 where it is hidden and to be sampled.
    classes : int
        K.
    class_prior : array_like
        Pseudo-count of each class, above 0: one number for all, or shape (K,).
    weights : {"collapsed", "explicit", "equal"}
        Whether the weights are integrated out, a block, or fixed at 1/K. Fixed ones have no use for `class_prior`.
    content : str, optional
        Name of the block of the classes' parameters; without it they are integrated out.

    Attributes
    ----------
    blocks : tuple of str
        What a sweep redraws after the labels.
    class_term, already_there, fit : str
        Names of a label's terms: of the class, that is its weight or ``already_there``, and of the item itself.
    taken_off : int
        What a rule takes off the count of each class, though the item is not in it any more; 0 by the right one.
    """

    of_a_posterior = True
    already_there: ClassVar[str]
    fit: ClassVar[str]
    taken_off: ClassVar[int] = 0

    def __init__(
        self, labels: np.ndarray, classes: int, class_prior: ArrayLike, weights: Weights, content: str | None
    ) -> None:
        if weights not in get_args(Weights):
            raise ValueError(f"weights must be 'collapsed', 'explicit' or 'equal', got {weights!r}")
        self.labels = labels
        self.labels.flags.writeable = False
        self.classes = classes
        self.class_prior = for_each("class_prior", class_prior, classes)
        self.blocks = ((WEIGHTS,) if weights == "explicit" else ()) + ((content,) if content else ())
        self._content = content
        self.weights = weights
        self.class_term = self.already_there if weights == "collapsed" else WEIGHT
        self._hidden: list[int] = np.flatnonzero(labels == HIDDEN).tolist()
        counts = np.arange(labels.size + 1)
        self._logs: list[list[float]] = np.log(self.class_prior[:, None] + counts).tolist()  # by class and count

    def init(self, rng: np.random.Generator) -> L:
        """Return a first state: hidden labels as the sampler starts them, and each block drawn given the labels."""
        state = self.state(self._with_known(self._first_labels(rng)))
        for block in self.blocks:
            self.remember(state, block, self.score(state, block).draw(rng))
        return state

    def state(self, assignments: Iterable[int]) -> L:
        """Return the state with these labels; what is not integrated out is as expected given them.

        Parameters
        ----------
        assignments : iterable of int
            Class of each item, shape (items,), from 0 and below K.

        Raises
        ------
        ValueError
            If there is not one label for each item, or if one is out of range or not the one that is known.
        """
        state = self._bare_state(*self._checked(assignments))
        if self.weights != "collapsed":
            state.log_weights = self.log_mean_weights(state.counts).tolist()
        if self._content:
            self._set_content(state, self._typical_content(state))
        return state

    def variables(self, state: L) -> dict[str, Any]:
        """Return the class of each item, how many each class has, weights that are explicit, and the log joint."""
        weights = {} if self.weights == "collapsed" else {"weights": state.weights}
        counts = np.array(state.counts)
        return {"assignments": state.assignments, "counts": counts, **weights, "log_joint": self.log_joint(state)}

    def sites(self, state: L) -> Iterator[Site]:
        """Yield every item whose label is hidden, in order, and then the blocks."""
        yield from self._hidden
        yield from self.blocks

    def forget(self, state: L, site: Site) -> None:
        """Take an item out of its class."""
        if not isinstance(site, str):
            label = state.labels[site]
            state.counts[label] -= 1
            if self._content is None:
                self._take_out(state, site, label)

    def score(self, state: L, site: Site) -> Distribution:
        """Return the conditional of an item's label, of the weights, or of the classes' parameters.

        The options of a label are the classes in order. The first term is the log of the others in the class with the
        class's pseudo-count added, or the log weight; the second the log density of the item there.
        """
        if isinstance(site, str):
            return self._weights_conditional(state) if site == WEIGHTS else self._content_conditional(state)
        fits = state.fits[site] if self._content else self._fits(state, site)
        return Conditional({self.class_term: self.class_terms(state), self.fit: fits})

    def remember(self, state: L, site: Site, value: Any) -> None:
        """Put an item into a class, or set a block's value."""
        if not isinstance(site, str):
            state.labels[site] = value
            state.counts[value] += 1
            if self._content is None:
                self._put_in(state, site, value)
        elif site == WEIGHTS:
            state.log_weights = np.asarray(value).tolist()
        else:
            self._set_content(state, value)

    def log_joint(self, state: L) -> float:
        """Return log p(items, labels), times the density of the weights and the parameters that are in the state."""
        return self._log_labels(state) + self._log_content(state)

    def _log_labels(self, state: L) -> float:
        if self.weights == "collapsed":
            return float(log_marginal_of_counts(state.counts, self.class_prior))
        log_labels = float(np.dot(state.counts, state.log_weights))
        prior = Dirichlet(self.class_prior).log_density(state.log_weights) if self.weights == "explicit" else 0.0
        return log_labels + prior

    def class_terms(self, state: L) -> list[float]:
        """Return the log weight of each class, given the labels without the item that has been taken out."""
        if self.weights != "collapsed":
            return state.log_weights
        return list(map(getitem, self._logs, state.counts))

    def log_mean_weights(self, counts: ArrayLike) -> np.ndarray:
        """Return the logarithms of the weights expected given how many items each class has, shape (K,)."""
        if self.weights == "equal":
            return np.full(self.classes, -log(self.classes))
        return Dirichlet(self.class_prior + counts).log_mean()

    def draw_log_weights(self, counts: ArrayLike, rng: np.random.Generator) -> np.ndarray:
        """Draw the weights given how many items each class has, as logarithms of shape (K,); fixed ones are fixed."""
        if self.weights == "equal":
            return self.log_mean_weights(counts)
        return Dirichlet(self.class_prior + counts).draw(rng)

    def _weights_conditional(self, state: L) -> Dirichlet:
        return Dirichlet(self.class_prior + state.counts)

    def _first_labels(self, rng: np.random.Generator) -> np.ndarray:
        """Draw a label for each item, each class with the same chance."""
        return rng.integers(self.classes, size=self.labels.size)

    def _with_known(self, labels: np.ndarray) -> np.ndarray:
        """Return labels for the hidden ones; those that are known stay."""
        return np.where(self.labels == HIDDEN, labels, self.labels)

    def _checked(self, assignments: Iterable[int]) -> tuple[list[int], list[int]]:
        """Return labels and how many items each class has."""
        labels = np.array([int(label) for label in assignments], np.int64)
        known = self.labels != HIDDEN
        if labels.shape != self.labels.shape or ((labels < 0) | (labels >= self.classes)).any():
            raise ValueError(f"assignments must be {self.labels.size} classes below {self.classes}, got {labels}")
        if (labels[known] != self.labels[known]).any():
            raise ValueError("assignments must agree with the labels that are known")
        return labels.tolist(), np.bincount(labels, minlength=self.classes).tolist()

    @abstractmethod
    def _bare_state(self, labels: list[int], counts: list[int]) -> L:
        """Return the state with these labels and no blocks, with what is known of each class if that is needed."""

    @abstractmethod
    def _fits(self, state: L, item: int) -> list[float]:
        """Return the log density of an item that has been taken out in each class, parameters integrated out."""

    @abstractmethod
    def _put_in(self, state: L, item: int, label: int) -> None:
        """Put an item into what is known of a class, parameters integrated out."""

    @abstractmethod
    def _take_out(self, state: L, item: int, label: int) -> None:
        """Take an item out of what is known of a class, parameters integrated out."""

    @abstractmethod
    def _content_conditional(self, state: L) -> Distribution:
        """Return the conditional of the classes' parameters given items and labels."""

    @abstractmethod
    def _typical_content(self, state: L) -> Any:
        """Return parameters that can stand for all that the labels allow."""

    @abstractmethod
    def _set_content(self, state: L, value: Any) -> None:
        """Set the classes' parameters, and the log density of every item given them."""

    @abstractmethod
    def _log_content(self, state: L) -> float:
        """Return the log density of all items given their labels, with that of the parameters if these are a block."""


def as_labels(labels: ArrayLike | None, items: int, classes: int) -> np.ndarray:
    """Return the class of each item, shape (items,), -1 where it is hidden; all are hidden if none are given.

    Raises
    ------
    ValueError
        If they are not that many integers, or if one is out of range.
    """
    if labels is None:
        return np.full(items, HIDDEN)
    known = np.array(labels)
    if known.shape != (items,) or known.dtype.kind not in "iu" or ((known < HIDDEN) | (known >= classes)).any():
        raise ValueError(f"labels must be {items} integers, each -1 or a class below {classes}, got {labels!r}")
    return known.astype(np.int64)
