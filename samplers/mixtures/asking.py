"""Labels that are asked for one by one, each the one that promises most about all of them.

The worth of a label is the expected drop of the entropies of all labels, over the answers that it may get, each
by its probability: the expected log loss on a pool of Roy & McCallum (2001, *Toward optimal active learning through
sampling estimation of error reduction*, section 2, equations 1 to 3), for which Lindley (1956, *On a measure of the
information provided by an experiment*, definition 2 and theorem 1) gives the reason that no gain is negative. They
estimate it from a classifier that is fitted anew for each answer; here the posterior over labellings is a list, and an
answer strikes out all labellings that do not have it, so the gain is exact.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from samplers.mixtures.exact_labellings import ExactLabels
from samplers.recipe import Kernel

Way = Literal["most gain", "least sure", "at random"]
CLOSE = 1e-9  # bits: gains that differ by less are equal, and the first label is asked


@dataclass(frozen=True, eq=False)
class Outlook:
    """Beliefs after some answers, and what each further answer would change.

    Attributes
    ----------
    chances : numpy.ndarray
        Probability of each class for each item, shape (items, K).
    after : numpy.ndarray
        Bits left in all labels, if an item gets an answer, shape (items, K); 0 where an answer is impossible.
    """

    chances: np.ndarray
    after: np.ndarray

    @property
    def bits(self) -> np.ndarray:
        """The entropy of each label, shape (items,)."""
        return _bits(self.chances)


class Answers(NamedTuple):
    """The labels that have been asked for, in order."""

    asked: tuple[int, ...]


class Asking(Kernel[Answers, Outlook]):
    """One more label a step, asked for and answered; the record is the outlook from which it was chosen.

    Parameters
    ----------
    exact : ExactLabels
        The posterior over all labellings, before any answer.
    truth : array_like of int
        The answers, shape (items,): the right class of each item.
    way : {"most gain", "least sure", "at random"}, optional
        Which label is asked for.
    first : sequence of int, optional
        Items that are asked for before that, in order.

    Raises
    ------
    ValueError
        If there is no such way, an item to ask for first is known or comes twice, or the truth has another length.
    """

    def __init__(self, exact: ExactLabels, truth: ArrayLike, way: Way = "most gain", first: Sequence[int] = ()) -> None:
        self.exact, self.truth, self.way = exact, np.asarray(truth, int), way
        self.hidden = np.flatnonzero(np.ptp(exact.labellings, axis=0) > 0)
        if way not in ("most gain", "least sure", "at random"):
            raise ValueError(f"way must be 'most gain', 'least sure' or 'at random', got {way!r}")
        if self.truth.shape != exact.labellings.shape[1:]:
            raise ValueError(f"truth must have {exact.labellings.shape[1]} labels, got {self.truth.shape}")
        if len({*first}) < len(first) or not {*first} <= {*self.hidden.tolist()}:
            raise ValueError(f"first must be hidden items, each once, got {[*first]}")
        self.first = tuple(first)
        self._each = (exact.labellings[:, :, None] == np.arange(exact.classes)).astype(float)
        self._agrees = exact.labellings == self.truth

    def init(self, rng: np.random.Generator) -> Answers:
        """Return no answers."""
        return Answers(())

    def step(self, state: Answers, rng: np.random.Generator) -> tuple[Answers, Outlook]:
        """Ask for one more label; when all are known, nothing changes."""
        outlook, uniform = self.outlook(state.asked), rng.random()
        left = [item for item in self.hidden.tolist() if item not in state.asked]
        if not left:
            return state, outlook
        return Answers((*state.asked, self._choice(state.asked, left, outlook, uniform))), outlook

    def _choice(self, asked: tuple[int, ...], left: list[int], outlook: Outlook, uniform: float) -> int:
        if asked == self.first[: len(asked)] and len(asked) < len(self.first):
            return self.first[len(asked)]
        if self.way == "at random":
            return left[int(uniform * len(left))]
        worth = (self.gains(outlook) if self.way == "most gain" else outlook.bits)[left]
        return left[int(np.argmax(worth > worth.max() - CLOSE))]

    def gains(self, outlook: Outlook) -> np.ndarray:
        """Return the expected drop of the bits of all labels, an item's own among them, shape (items,)."""
        found: np.ndarray = outlook.bits.sum() - (outlook.chances * outlook.after).sum(axis=1)
        return found

    def believed(self, asked: Sequence[int]) -> np.ndarray:
        """Return the probability of each labelling after the answers of some items, shape (labellings,)."""
        kept = self.exact.probabilities * self._agrees[:, [*asked]].all(axis=1)
        found: np.ndarray = kept / kept.sum()
        return found

    def outlook(self, asked: Sequence[int]) -> Outlook:
        """Return the beliefs after the answers of some items, and what each further answer would change."""
        each = self._each.reshape(len(self._each), -1)
        pairs = (each.T * self.believed(asked)) @ each
        single = pairs.diagonal()
        shape = self._each.shape[1:]
        given = np.divide(pairs, single[:, None], out=np.zeros_like(pairs), where=single[:, None] > 0)
        left = _bits(given.reshape(-1, *shape)).sum(axis=1)  # the item's own label has none left
        return Outlook(single.reshape(shape), left.reshape(shape))

    def right(self, asked: Sequence[int]) -> int:
        """Return how many hidden labels the most probable classes have right after some answers."""
        return int(self._right(self.believed(asked)[None])[0])

    def promised(self, asked: Sequence[int]) -> float:
        """Return the number of them that the posterior itself expects to be right."""
        chances = np.tensordot(self.believed(asked), self._each, axes=1)
        return float(chances[self.hidden].max(axis=1).sum())

    def right_at_random(self, answers: int) -> np.ndarray:
        """Return the law of `right` after labels asked for at random: the chance of 0, 1, ... up to all hidden ones.

        Every set of as many hidden items is as probable as another, and each is looked at.
        """
        sets = combinations(self.hidden.tolist(), min(answers, len(self.hidden)))
        found = self._right(np.array([self.believed(each) for each in sets]))
        return np.bincount(found, minlength=len(self.hidden) + 1) / len(found)

    def _right(self, believed: np.ndarray) -> np.ndarray:
        chances = (believed @ self._each.reshape(len(self._each), -1)).reshape(-1, *self._each.shape[1:])
        found: np.ndarray = (chances.argmax(axis=2) == self.truth)[:, self.hidden].sum(axis=1)
        return found


def _bits(chances: np.ndarray) -> np.ndarray:
    """Return the entropy of distributions along the last axis."""
    found: np.ndarray = special.entr(chances).sum(axis=-1) / np.log(2)
    return found
