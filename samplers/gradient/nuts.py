"""The no-U-turn sampler: HMC that doubles its path until it turns back, and that learns its own settings.

Hoffman & Gelman (2014, The No-U-Turn Sampler, JMLR 15) with the changes of Betancourt (2017, A conceptual introduction
to Hamiltonian Monte Carlo, appendix A): a point is drawn by weights exp(-energy), with a bias towards the latest
doubling (see `chances`), and the momenta summed along the path say when it turns. The defaults are Stan's, and so is
the schedule of the warm-up.
"""

from dataclasses import dataclass, replace
from math import exp, log, log1p, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from samplers.checks import finite_above, whole_from
from samplers.gradient.hmc import (
    Coin,
    HamiltonianSampler,
    HMCState,
    Point,
    Trajectory,
    acceptance,
    diverges,
    draw_start,
    leapfrog,
)
from samplers.log_density import LogDensityWithGradient
from samplers.portable import dot, total

GAMMA, T0, KAPPA = 0.05, 10.0, 0.75  # of dual averaging: Hoffman & Gelman (2014), section 3.2.1
FIRST_BUFFER, LAST_BUFFER, FIRST_WINDOW = 75, 50, 25
SHORTEST_WARMUP = 20  # below it Stan leaves the mass matrix alone
CROSSING = 0.8  # the acceptance of a single step that a first step size is doubled or halved towards
LARGEST_STEP, SMALLEST_STEP = 1e7, 1e-300


@dataclass(frozen=True)
class StepSizeSearch:
    """Dual averaging of the log step size, towards a mean accept statistic."""

    centre: float  # what log step sizes are pulled to: log(10 times the first step size)
    count: int = 0  # how many accept statistics have come
    shortfall: float = 0.0  # running mean of target less accept statistic
    log_average: float = 0.0  # weighted mean of the log step sizes: what is used in the end

    def learn(self, accept_statistic: float, target: float) -> "tuple[StepSizeSearch, float]":
        """Return the search after one more accept statistic, and the step size to try next.

        Hoffman & Gelman (2014), equation 6 and algorithm 5.
        """
        count = self.count + 1
        share = 1 / (count + T0)
        shortfall = (1 - share) * self.shortfall + share * (target - accept_statistic)
        log_step = self.centre - shortfall * sqrt(count) / GAMMA
        weight = count**-KAPPA
        log_average = weight * log_step + (1 - weight) * self.log_average
        return StepSizeSearch(self.centre, count, shortfall, log_average), exp(log_step)


@dataclass(frozen=True, eq=False)
class VarianceEstimate:
    """Running variances of the positions in a window of the warm-up, by Welford's method."""

    count: int  # how many positions there have been
    # mean, squares: their mean, and the sum of squared distances from it, shape (D,)
    mean: np.ndarray
    squares: np.ndarray

    @staticmethod
    def empty(dimension: int) -> "VarianceEstimate":
        """Return the estimate before the first position."""
        return VarianceEstimate(0, np.zeros(dimension), np.zeros(dimension))

    def add(self, position: np.ndarray) -> "VarianceEstimate":
        """Return the estimate with one more position."""
        count = self.count + 1
        mean = self.mean + (position - self.mean) / count
        return VarianceEstimate(count, mean, self.squares + (position - self.mean) * (position - mean))

    def regularised(self) -> np.ndarray:
        """Return the variances shrunk towards 0.001, with the weight of five positions, as in Stan; shape (D,)."""
        return (self.count * (self.squares / (self.count - 1)) + 5e-3) / (self.count + 5)


@dataclass(frozen=True, eq=False)
class NUTSState(HMCState):
    """The position of a chain, with the step size and metric that it has learned."""

    search: StepSizeSearch | None = None  # none once the warm-up is over
    variances: VarianceEstimate | None = None  # of the window that the warm-up is in; None outside of windows


class NUTS(HamiltonianSampler[NUTSState]):
    """The no-U-turn sampler with multinomial choice, an adapted step size and an adapted diagonal mass matrix.

    Parameters
    ----------
    target, inverse_mass, start
        As for `HamiltonianSampler`; the mass matrix is that of the first iteration.
    max_depth : int, optional
        Most doublings of an iteration, from 1: of up to 2^max_depth - 1 leapfrog steps.
    target_accept : float, optional
        Mean accept statistic that the step size is adapted to, between 0 and 1.
    warmup : int, optional
        Iterations that adapt, from 0. What they visit is no sample of the target.
    step_size : float, optional
        Of the first iteration, and of all if there is no warm-up. If left out it is doubled or halved from 1 until a
        single step crosses an acceptance of 0.8.

    Attributes
    ----------
    windows : tuple of (int, int)
        First and last iteration of each window of the warm-up, counted from 1; see `warmup_windows`.

    Raises
    ------
    TypeError
        If a setting that counts something is no integer.
    ValueError
        If a setting is out of range.

    Examples
    --------
    >>> from samplers.gradient.gaussian_marginal import GaussianMarginal
    >>> from samplers.chain import Chain
    >>> sampler = NUTS(GaussianMarginal([-1.9, -2.1, 2.0], 2, ordered=True), warmup=100)
    >>> state = Chain(sampler, seed=0)[100]
    >>> state.iteration, state.search
    (100, None)
    """

    def __init__(
        self,
        target: LogDensityWithGradient,
        max_depth: int = 8,
        target_accept: float = 0.8,
        warmup: int = 300,
        *,
        step_size: float | None = None,
        inverse_mass: ArrayLike | None = None,
        start: ArrayLike | None = None,
    ) -> None:
        super().__init__(target, inverse_mass, start)
        self.max_depth = whole_from("max_depth", max_depth, 1)
        self.target_accept = finite_above("target_accept", target_accept, 0)
        if self.target_accept >= 1:
            raise ValueError(f"target_accept must be below 1, got {target_accept!r}")
        self.warmup = whole_from("warmup", warmup, 0)
        self.step_size = None if step_size is None else finite_above("step_size", step_size, 0)
        self.windows = warmup_windows(self.warmup)

    def _first_state(
        self, position: np.ndarray, log_density: float, gradient: np.ndarray, rng: np.random.Generator
    ) -> NUTSState:
        state = NUTSState(position, log_density, gradient, self.step_size or 1.0, self.inverse_mass)
        return self._searching(state, rng, afresh=self.step_size is None)

    def _searching(self, state: NUTSState, rng: np.random.Generator, *, afresh: bool) -> NUTSState:
        """Return the state with a search for the step size that begins, from a first guess made afresh or as it is."""
        step_size = self._first_guess(state, rng) if afresh else state.step_size
        search = StepSizeSearch(log(10 * step_size)) if state.iteration < self.warmup else None
        return replace(state, step_size=step_size, search=search)

    def _first_guess(self, state: NUTSState, rng: np.random.Generator) -> float:
        """Double or halve the step size until a single step's acceptance crosses 0.8: Hoffman & Gelman, algorithm 4.

        If no step size fits, Stan stops. Here the chain stops only at its start, and later keeps its step size: on a
        density that is not proper, a learner then sees it run away.
        """
        step_size, growing = state.step_size, None
        while SMALLEST_STEP < step_size < LARGEST_STEP:
            start = draw_start(state, rng)
            point = leapfrog(self.target, start, step_size, state.inverse_mass)
            good = acceptance(start, point) > CROSSING
            if growing is None:
                growing = good
            elif good is not growing:
                return step_size
            step_size *= 2 if growing else 0.5
        if state.iteration:
            return state.step_size
        raise ValueError("no step size fits the target: it is not proper, or its gradient is not that of the density")

    def _adapted(self, state: NUTSState, accept_statistic: float, rng: np.random.Generator) -> NUTSState:
        """Return the state after an iteration with what the warm-up makes of it."""
        if state.search is None:
            return state
        search, step_size = state.search.learn(accept_statistic, self.target_accept)
        if state.iteration == self.warmup:
            return replace(state, step_size=exp(search.log_average), search=None)
        state = replace(state, step_size=step_size, search=search)
        if not any(first <= state.iteration <= last for first, last in self.windows):
            return state
        variances = (state.variances or VarianceEstimate.empty(self.dimension)).add(state.position)
        if not any(state.iteration == last for _, last in self.windows):
            return replace(state, variances=variances)
        learned = replace(state, inverse_mass=variances.regularised(), variances=None)
        return self._searching(learned, rng, afresh=True)

    def _trajectory(self, start: Point, state: NUTSState, rng: np.random.Generator) -> Trajectory:
        path = _Path(self.target, start, state, rng)
        tree = path.leaf(start)
        coins: list[Coin] = []
        depth, turned = 0, False
        while depth < self.max_depth and not turned:
            forwards = rng.random() > 0.5
            new = path.grow(tree, forwards, depth)
            if new is None:
                break
            depth += 1
            tree, turned = path.join(tree, new, forwards, exp(min(0.0, new.log_weight - tree.log_weight)))
            coins.append(path.coin)
        return path.trajectory(tree, depth, tuple(coins))


class _Tree(NamedTuple):
    """A stretch of the path."""

    first: Point  # in time
    last: Point
    momentum: np.ndarray  # the sum of all its points'
    log_weight: float  # log of the sum of all its points' exp(energy at the start - energy)
    chosen: Point


class _Path:
    """The path of one iteration as it grows, with all points that were computed."""

    def __init__(
        self, target: LogDensityWithGradient, start: Point, state: NUTSState, rng: np.random.Generator
    ) -> None:
        self._target = target
        self._start = start
        self._state = state
        self._rng = rng
        self._made = [(start, 0)]  # each point with its doubling
        self._turn: tuple[int, int] | None = None
        self._divergent: int | None = None
        self.coin = Coin(0.0, 0.0)  # the last one that was tossed

    def leaf(self, point: Point) -> _Tree:
        """Return the tree of a single point."""
        return _Tree(point, point, point.momentum, self._start.energy - point.energy, point)

    def grow(self, tree: _Tree, forwards: bool, depth: int, doubling: int | None = None) -> _Tree | None:
        """Return a tree of 2^depth new points at one end of another; None if it diverges or turns within."""
        doubling = depth + 1 if doubling is None else doubling
        if depth == 0:
            return self._step(tree.last if forwards else tree.first, forwards, doubling)
        near = self.grow(tree, forwards, depth - 1, doubling)
        far = near and self.grow(near, forwards, depth - 1, doubling)
        if near is None or far is None:
            return None
        both, turned = self.join(near, far, forwards, 1 / (1 + exp(min(700.0, near.log_weight - far.log_weight))))
        return None if turned else both

    def _step(self, edge: Point, forwards: bool, doubling: int) -> _Tree | None:
        step_size = self._state.step_size if forwards else -self._state.step_size
        point = leapfrog(self._target, edge, step_size, self._state.inverse_mass)
        self._made.append((point, doubling))
        if diverges(self._start, point):
            self._divergent = point.step
            return None
        return self.leaf(point)

    def join(self, old: _Tree, new: _Tree, forwards: bool, probability: float) -> tuple[_Tree, bool]:
        """Return two neighbours as one tree, whose point is the new one's with a probability, and whether it turns."""
        self.coin = Coin(probability, self._rng.random())
        chosen = new.chosen if self.coin.uniform < probability else old.chosen
        before, after = (old, new) if forwards else (new, old)
        momentum = before.momentum + after.momentum
        log_weight = max(old.log_weight, new.log_weight) + log1p(exp(-abs(old.log_weight - new.log_weight)))
        tree = _Tree(before.first, after.last, momentum, log_weight, chosen)
        return tree, self._turns(before, after, momentum)

    def _turns(self, before: _Tree, after: _Tree, momentum: np.ndarray) -> bool:
        """Return whether the ends of two neighbours approach each other, or those of one and the other's nearest point.

        Betancourt (2017), section A.4.2. The two stretches that reach one point into the other tree are Stan's
        addition: a path that comes round in just one tree's length could go unnoticed without.
        """
        stretches = [(before.first, after.last, momentum)]
        if before.first is not before.last:  # of two points, the stretches are the same
            stretches.append((before.first, after.first, before.momentum + after.first.momentum))
            stretches.append((before.last, after.last, before.last.momentum + after.momentum))
        for first, last, momenta in stretches:
            if dot(first.velocity, momenta) <= 0 or dot(last.velocity, momenta) <= 0:
                self._turn = first.step, last.step
                return True
        return False

    def trajectory(self, tree: _Tree, depth: int, coins: tuple[Coin, ...]) -> Trajectory:
        """Return all points in time order; only points of the final tree could be chosen."""
        made = sorted(self._made, key=lambda entry: entry[0].step)
        points = tuple(point for point, _ in made)
        earliest = points[0].step
        rates = [acceptance(self._start, point) for point, _ in self._made[1:]]
        return Trajectory(
            points=points,
            start=-earliest,
            chosen=tree.chosen.step - earliest,
            doublings=tuple(doubling for _, doubling in made),
            offered=tuple(tree.first.step <= point.step <= tree.last.step for point in points),
            accept_statistic=total(rates) / len(rates),
            uniform=None,
            turn=None if self._turn is None else (self._turn[0] - earliest, self._turn[1] - earliest),
            divergent=None if self._divergent is None else self._divergent - earliest,
            depth=depth,
            step_size=self._state.step_size,
            inverse_mass=self._state.inverse_mass,
            coins=coins,
        )


def chances(trajectory: Trajectory) -> np.ndarray:
    """Return the probability of each point of a path of NUTS to be chosen, given the path, shape (points,).

    Betancourt (2017), section A.3.2, biased progressive sampling: a doubling's new points take over with probability
    min(1, new weight / old weight), where weights are sums of exp(-energy); among themselves they are chosen by weight.
    Every pair of points is as likely in one order as in the other, so the target stays as it is; and the new point is
    farther from the start than one chosen from the whole path by weight alone.
    """
    offered, doublings = np.array(trajectory.offered), np.array(trajectory.doublings)
    found, left = np.zeros(len(offered)), 1.0
    for number in range(trajectory.depth, 0, -1):
        probability = trajectory.coins[number - 1].probability
        new = offered & (doublings == number)
        energies = trajectory.energies[new]
        weights = np.exp(energies.min() - energies)  # those of the whole path could all be 0 here: it began far away
        found[new] = left * probability * weights / weights.sum()
        left *= 1 - probability
    found[trajectory.start] = left
    return found


def warmup_windows(warmup: int) -> tuple[tuple[int, int], ...]:
    """Return the windows of a warm-up in which positions are gathered for the mass matrix.

    A window is its first and its last iteration, counted from 1. Each is twice as long as the one before, from 25
    iterations, and they leave 75 iterations at the beginning and 50 at the end to the step size alone; the last window
    is stretched to fill what is left. A warm-up below 150 has one window, between its first 15 % and its last 10 %, and
    one below 20 has none. It is Stan's schedule, but for warm-ups of 151 to 199, where Stan has a second window of
    whatever is left after 25, be it one iteration.

    Examples
    --------
    >>> warmup_windows(300)
    ((76, 100), (101, 150), (151, 250))
    >>> warmup_windows(100), warmup_windows(10)
    (((16, 90),), ())
    """
    if warmup < SHORTEST_WARMUP:
        return ()
    if warmup < FIRST_BUFFER + FIRST_WINDOW + LAST_BUFFER:
        return ((int(0.15 * warmup) + 1, warmup - int(0.1 * warmup)),)
    windows, first, size, end = [], FIRST_BUFFER + 1, FIRST_WINDOW, warmup - LAST_BUFFER
    while first <= end:
        last = end if first - 1 + 3 * size > end else first - 1 + size
        windows.append((first, last))
        first, size = last + 1, 2 * size
    return tuple(windows)
