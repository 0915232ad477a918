"""Perfect draws of a partition: one stream of darts for every start, from further and further in the past.

An update that all states do with one dart is a map from partitions to partitions. Where the composed maps of the last
T sweeps send every start to one partition, that partition is a draw from the exact posterior (Propp & Wilson 1996,
*Exact sampling with coupled Markov chains and applications to statistical mechanics*, section 2, theorem 2). Where all
starts have met *going forwards*, it is not: `FirstMeeting` is this mistake.
"""

from abc import abstractmethod
from bisect import bisect_right
from collections.abc import Iterable
from functools import cached_property
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np

from samplers.crp.mixture import CRPMixture
from samplers.crp.one_at_a_time import as_partition
from samplers.partitions import Partition, partitions
from samplers.recipe import Kernel

MOST_SWEEPS = 1_024  # of the past that a draw looks at; in tests and lessons, 16 have always been enough
LEFT = 1e-12  # probability below which a set of starts is left out of an exact law


class SharedUpdate:
    """The update of one point as a map of all partitions, given a dart.

    The options of a dart are the groups of the other points, in the order of their first points, and a group of its
    own: partitions that differ in this point alone have the same bar, so one dart sends them to the same partition.

    Parameters
    ----------
    mixture : CRPMixture
        The right rule, or a wrong one that does not need its sweep to end; on at most 8 points.
    point : int
        The point, from 0.

    Attributes
    ----------
    borders : list of float
        Where the map changes, in ascending order: the ends of options of some partition, below 1.
    maps : numpy.ndarray
        To which partition each one goes, by number, before, between and after the borders: shape (borders + 1,
        partitions).
    """

    def __init__(self, mixture: CRPMixture, point: int) -> None:
        states = partitions(len(mixture.data))
        numbers = {partition: number for number, partition in enumerate(states)}
        bars = []
        for partition in states:
            options = sorted(_options(mixture, partition, point))
            ends = list(accumulate(chance for *_, chance in options))
            bars.append(([end / ends[-1] for end in ends[:-1]], [numbers[after] for _, after, _ in options]))
        self.borders = sorted({end for ends, _ in bars for end in ends})
        self.maps = np.array([[to[bisect_right(ends, at)] for ends, to in bars] for at in (0.0, *self.borders)])

    def __call__(self, dart: float) -> np.ndarray:
        """Return where the dart, in [0, 1), sends each partition, by number, shape (partitions,)."""
        found: np.ndarray = self.maps[bisect_right(self.borders, dart)]
        return found

    @property
    def widths(self) -> np.ndarray:
        """The probability of each map, shape (borders + 1,)."""
        return np.diff([0.0, *self.borders, 1.0])


def _options(mixture: CRPMixture, partition: Partition, point: int) -> list[tuple[int, Partition, float]]:
    """Return a point's options: the first other point of the group (N for none), the partition after, the share."""
    lifted = mixture.state(partition)
    mixture.forget(lifted, point)
    found = []
    conditional: Any = mixture.score(lifted, point)
    for option, chance in enumerate(conditional.probabilities.tolist()):
        after = lifted.copy()
        mixture.remember(after, point, option)
        label = after.labels[point]
        others = [other for other, one in enumerate(after.labels) if one == label and other != point]
        found.append((min(others, default=len(partition)), as_partition(after.labels), chance))
    return found


def shared_updates(mixture: CRPMixture) -> list[SharedUpdate]:
    """Return the updates of a sweep, in order, each as a map of all partitions."""
    return [SharedUpdate(mixture, point) for point in range(len(mixture.data))]


class Found(NamedTuple):
    """A draw.

    Attributes
    ----------
    partition : int
        Its number in the order of `samplers.partitions.partitions`.
    sweeps : int
        How many sweeps in the past all starts had begun; of a meeting, how many sweeps it took, the last one begun.
    darts : tuple of float
        The darts of these sweeps in the order of time, one an update.
    """

    partition: int
    sweeps: int
    darts: tuple[float, ...]


class Starts(NamedTuple):
    """Where a run from each start is, and where it would be if one dart were another.

    Attributes
    ----------
    where, elsewhere : tuple of int
        The number of the partition of each start's run, by the number of the start.
    updates : int
        How many updates have been done.
    """

    where: tuple[int, ...]
    elsewhere: tuple[int, ...]
    updates: int


class EveryStart(Kernel[Starts, float]):
    """Runs from all partitions with one stream of darts, an update a step; the record of a step is its dart.

    Parameters
    ----------
    mixture : CRPMixture
        The rule of the updates, on at most 8 points.
    changed : int, optional
        The update, from 1, whose dart is another one in the runs of `Starts.elsewhere`; 0 for none.
    put : float, optional
        Where this dart is put, in [0, 1).
    """

    def __init__(self, mixture: CRPMixture, changed: int = 0, put: float = 0.5) -> None:
        self.mixture, self.changed, self.put = mixture, changed, put

    @cached_property
    def updates(self) -> list[SharedUpdate]:
        """The updates of a sweep."""
        return shared_updates(self.mixture)

    def init(self, rng: np.random.Generator) -> Starts:
        """Return all starts, each where it begins."""
        everywhere = tuple(range(self.updates[0].maps.shape[1]))
        return Starts(everywhere, everywhere, 0)

    def step(self, state: Starts, rng: np.random.Generator) -> tuple[Starts, float]:
        """Return where one update leads all runs, and its dart."""
        dart, number = rng.random(), state.updates + 1
        update = self.updates[state.updates % len(self.updates)]
        where = update(dart)[list(state.where)]
        elsewhere = update(self.put if number == self.changed else dart)[list(state.elsewhere)]
        return Starts(tuple(where.tolist()), tuple(elsewhere.tolist()), number), dart


class _Shared(Kernel[Found, None]):
    """Independent draws, each from all starts with one stream of darts."""

    def __init__(self, mixture: CRPMixture) -> None:
        self.mixture = mixture

    @cached_property
    def updates(self) -> list[SharedUpdate]:
        """The updates of a sweep."""
        return shared_updates(self.mixture)

    @property
    def states(self) -> int:
        """The number of partitions."""
        return self.updates[0].maps.shape[1]

    def init(self, rng: np.random.Generator) -> Found:
        """Return a first draw."""
        return self.found(rng)

    def step(self, state: Found, rng: np.random.Generator) -> tuple[Found, None]:
        """Return a new draw, which does not depend on the one before."""
        return self.found(rng), None

    @abstractmethod
    def found(self, rng: np.random.Generator) -> Found:
        """Return a draw."""

    def path(self, darts: Iterable[float]) -> np.ndarray:
        """Return where each start is after 0, 1, ... darts, the first for point 1, shape (darts + 1, partitions)."""
        where = np.arange(self.states)
        steps = [where]
        for number, dart in enumerate(darts):
            where = self.updates[number % len(self.updates)](dart)[where]
            steps.append(where)
        return np.array(steps)


class PerfectDraws(_Shared):
    """Independent draws from the exact posterior of a mixture's partition, by coupling from the past.

    All starts begin 1, 2, 4, ... sweeps before now and do the updates of these sweeps with the same darts; those of
    the sweeps near now stay as they are when the start moves back. The first time that all starts are one at the end,
    this one is the draw.

    Parameters
    ----------
    mixture : CRPMixture
        The right rule, on at most 8 points.
    """

    of_a_posterior = True

    def found(self, rng: np.random.Generator) -> Found:
        """Return a draw; raise `RuntimeError` if the starts are not one after `MOST_SWEEPS` sweeps."""
        darts = np.empty((0, len(self.updates)))
        end = np.arange(self.states)  # where the sweeps so far lead from each start
        while len(darts) < MOST_SWEEPS:
            earlier = rng.random((max(1, len(darts)), len(self.updates)))
            end = end[self.path(earlier.ravel().tolist())[-1]]
            darts = np.concatenate([earlier, darts])
            if (end == end[0]).all():
                return Found(int(end[0]), len(darts), tuple(darts.ravel().tolist()))
        raise RuntimeError(f"the starts have not become one in {MOST_SWEEPS} sweeps")


class FirstMeeting(_Shared):
    """The mistake of stopping where all starts have met: draws whose distribution is not the posterior.

    All starts begin now and go forwards with the same darts; the draw is where they are when they are one.

    Parameters
    ----------
    mixture : CRPMixture
        The rule of the updates, on at most 8 points.
    """

    def found(self, rng: np.random.Generator) -> Found:
        where, darts = np.arange(self.states), []
        while (where != where[0]).any():
            darts.append(rng.random())
            where = self.updates[(len(darts) - 1) % len(self.updates)](darts[-1])[where]
        return Found(int(where[0]), -(-len(darts) // len(self.updates)), tuple(darts))


class Meeting(NamedTuple):
    """The exact law of the meeting of all starts, going forwards.

    Attributes
    ----------
    where : numpy.ndarray
        The probability that they meet in each partition, shape (partitions,).
    left : numpy.ndarray
        The probability that 0, 1, 2, ... partitions are left after 0, 1, ... updates, until one is, to rounding: shape
        (updates + 1, partitions + 1).
    """

    where: np.ndarray
    left: np.ndarray

    @property
    def met(self) -> np.ndarray:
        """The probability that all starts have met after 0, 1, ... updates, shape (updates + 1,)."""
        found: np.ndarray = self.left[:, 1]
        return found


def meeting(mixture: CRPMixture) -> Meeting:
    """Return the law of the meeting, from the distribution of the set of partitions that are left, update by update.

    The chance that all starts have become one in T sweeps is the same from the past, since the darts are the same.
    """
    updates = shared_updates(mixture)
    states = updates[0].maps.shape[1]
    sets, where, left = {frozenset(range(states)): 1.0}, np.zeros(states), [np.eye(states + 1)[states]]
    while sets:
        update = updates[(len(left) - 1) % len(updates)]
        before, sets = sets, {}
        for places, chance in before.items():
            images = update.maps[:, list(places)].tolist()
            for share, image in zip((chance * update.widths).tolist(), images, strict=True):
                reached = frozenset(image)
                if len(reached) == 1:
                    where[image[0]] += share
                elif share > LEFT:
                    sets[reached] = sets.get(reached, 0.0) + share
        sizes = np.zeros(states + 1)
        for reached, chance in sets.items():
            sizes[len(reached)] += chance
        sizes[1] = where.sum()
        left.append(sizes)
    return Meeting(where, np.array(left))
