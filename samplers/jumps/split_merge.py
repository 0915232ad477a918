"""Split–merge moves for a CRP mixture: a whole cluster is split, or two are merged, in one Metropolis–Hastings step.

Jain & Neal (2004, A split-merge Markov chain Monte Carlo procedure for the Dirichlet process mixture model, Journal of
Computational and Graphical Statistics 13), sections 3 and 4.2. Gibbs sampling moves one point at a time, so on its way
from one cluster to two it must pass clusterings that are improbable. A split–merge move passes over them.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from math import exp, fsum, log
from typing import Any

import numpy as np

from samplers.checks import whole_from
from samplers.crp.mixture import CRPMixture, MixtureState
from samplers.recipe import Conditional, GibbsSampler, Kernel, Update, updates

SEATING, FIT, PROPOSAL = "seating", "fit", "proposal"  # the terms of the log ratio


class RestrictedScan(GibbsSampler[MixtureState]):
    """A Gibbs sweep over the points of two clusters, which may join only these two.

    Parameters
    ----------
    mixture : CRPMixture
        The model. Its state in a scan holds the two clusters alone, in the order of the options.
    points : sequence of int
        The points that are scanned. Each cluster has one more, its anchor, which stays, so neither ever empties.

    Notes
    -----
    Jain & Neal (2004), section 4.2: the conditional of Gibbs sampling, restricted to the two clusters.
    """

    def __init__(self, mixture: CRPMixture, points: Sequence[int]) -> None:
        self.mixture, self.points = mixture, points

    def init(self, rng: np.random.Generator) -> MixtureState:
        """Return the mixture's first state."""
        return self.mixture.init(rng)

    def sites(self, state: MixtureState) -> Iterator[int]:
        """Yield the points, in order."""
        yield from self.points

    def forget(self, state: MixtureState, site: int) -> None:
        """Take the point out of its cluster."""
        self.mixture.forget(state, site)

    def score(self, state: MixtureState, site: int) -> Conditional:
        """Return the conditional of the point over the two clusters: that of the mixture without a new one."""
        conditional = self.mixture.score(state, site)
        assert isinstance(conditional, Conditional)  # of a label
        return Conditional({name: term[:-1] for name, term in conditional.terms.items()})

    def remember(self, state: MixtureState, site: int, value: int) -> None:
        """Put the point into the first cluster (0) or the second (1)."""
        self.mixture.remember(state, site, value)

    def log_joint(self, state: MixtureState) -> float:
        """Return the log joint of the mixture."""
        return self.mixture.log_joint(state)

    def towards(self, state: MixtureState, labels: Sequence[int]) -> Iterator[Update]:
        """Do a scan in place whose outcome is fixed, and yield its updates; nothing is drawn."""
        for point in self.points:
            self.forget(state, point)
            conditional = self.score(state, point)
            value = state.tables.index(labels[point])
            self.remember(state, point, value)
            yield Update(point, conditional, value, None)


def evaluations(done: Sequence[Update]) -> int:
    """Return how many predictive densities some updates have evaluated: one for each option of a label."""
    labels = (update.conditional for update in done if isinstance(update.conditional, Conditional))
    return sum(len(conditional.log_weights) for conditional in labels)


@dataclass(frozen=True, eq=False)
class Move:
    """The record of one step: a split or a merge, and the Gibbs sweeps after it."""

    pair: tuple[int, int]  # the two points that were drawn, the anchors
    splits: bool  # whether the anchors were in one cluster, which the move splits; otherwise it merges their clusters
    tables: tuple[int, int]  # the ids of the first anchor's cluster and of the second's, in a scan and after a split
    points: tuple[int, ...]  # the other points of the clusters
    # before, tossed, launch, proposed: the table of each point before the move, after a coin for each of the `points`,
    # in the launch state, and as the move proposes it
    before: tuple[int, ...]
    tossed: tuple[int, ...]
    launch: tuple[int, ...]
    proposed: tuple[int, ...]
    scans: tuple[list[Update], ...]  # the restricted scans that lead from the coins to the launch state
    # the restricted scan from the launch state: to the proposed split, or back to the clusters that a merge joins. A
    # merge draws nothing there, so its updates have no random number.
    last: list[Update]
    # the log of each factor of the acceptance ratio: ``"seating"`` and ``"fit"`` of the proposal over the present
    # state, and ``"proposal"``, the probability of the way back over that of the way there
    terms: Mapping[str, float]
    uniform: float  # the number in [0, 1) that was drawn: the proposal is accepted if it is below the probability
    accepted: bool  # whether the proposal was accepted
    sweeps: tuple[list[Update], ...]  # the Gibbs sweeps after the move

    @property
    def log_ratio(self) -> float:
        """The log of the acceptance ratio: the sum of the terms."""
        return fsum(self.terms.values())

    @property
    def probability(self) -> float:
        """The probability of acceptance: the ratio, at most 1."""
        return exp(min(0.0, self.log_ratio))

    @property
    def evaluations(self) -> int:
        """How many predictive densities the step has evaluated, in its scans and in its sweeps."""
        done = [*self.scans, self.last, *self.sweeps]
        return sum(evaluations(updates) for updates in done)


class SplitMerge(Kernel[MixtureState, Move]):
    """A split–merge move and then some Gibbs sweeps, in each step.

    Two points are drawn. If they are in one cluster, a split is proposed in which they are apart; otherwise, the merge
    of their two clusters. The split comes from a launch state: the other points go to either side by a coin, and then
    a few restricted scans sort them. One more scan draws the split, so its probability is known.

    Parameters
    ----------
    mixture : CRPMixture
        The model, whose sweeps follow each move.
    scans : int, optional
        How many restricted scans lead to the launch state, from 0.
    sweeps : int, optional
        How many Gibbs sweeps follow a move, from 0.

    Raises
    ------
    ValueError
        If a number is out of range, if there are fewer than 2 points, or if the concentration has a prior and no sweep
        redraws it.

    Notes
    -----
    The ratio of a split is p(split) / p(merged) · 1 / q(split | launch), and that of a merge the inverse: the launch
    state of a merge is made in the same way, and q is the probability that its last scan would lead to the present
    clusters (Jain & Neal 2004, equations 3.3, 3.4 and 4.9). The pair has the same probability on both ways.

    Examples
    --------
    >>> from samplers.chain import Chain
    >>> from samplers.conjugate import NormalKnownVariance
    >>> mixture = CRPMixture([-3.1, -2.9, 3.0, 3.2], NormalKnownVariance(0, 4, 0.5), concentration=0.01)
    >>> sorted(Chain(SplitMerge(mixture), seed=1)[10].counts)
    [2, 2]
    """

    of_a_posterior = True

    def __init__(self, mixture: CRPMixture, *, scans: int = 3, sweeps: int = 1) -> None:
        if len(mixture.data) < 2:
            raise ValueError("data must hold at least two points: a move draws a pair of them")
        self.mixture = mixture
        self.scans = whole_from("scans", scans, 0)
        self.sweeps = whole_from("sweeps", sweeps, 0)
        if mixture.concentration_prior is not None and not self.sweeps:
            raise ValueError("sweeps must be at least 1 if the concentration has a prior: only a sweep redraws it")

    def init(self, rng: np.random.Generator) -> MixtureState:
        """Return the mixture's first state."""
        return self.mixture.init(rng)

    def variables(self, state: MixtureState) -> dict[str, Any]:
        """Return the variables of the mixture's state."""
        return self.mixture.variables(state)

    def step(self, state: MixtureState, rng: np.random.Generator) -> tuple[MixtureState, Move]:
        """Return the state after a move and the sweeps, and the record of both."""
        pair = self.pair(rng)
        splits = state.labels[pair[0]] == state.labels[pair[1]]
        tables, points = self.sides(state, pair)
        scan = RestrictedScan(self.mixture, points)
        launch, tossed, scans = self.launch(state, pair, tables, scan, rng)
        launched = tuple(launch.labels)
        last = self.last_scan(state, launch, scan, splits, rng)
        labels = launch.labels if splits else [tables[1] if label == tables[0] else label for label in state.labels]
        proposed = self.mixture.state(labels)
        proposed.concentration = state.concentration
        terms = self.terms(state, proposed, last, splits)
        uniform = rng.random()
        accepted = uniform < exp(min(0.0, fsum(terms.values())))
        after = proposed if accepted else state
        swept = []
        for _ in range(self.sweeps):
            after, done = self.mixture.step(after, rng)
            swept.append(done)
        texts = tuple(state.labels), tossed, launched, tuple(labels)
        record = Move(pair, splits, tables, points, *texts, scans, last, terms, uniform, accepted, tuple(swept))
        return after, record

    def pair(self, rng: np.random.Generator) -> tuple[int, int]:
        """Draw two points, every ordered pair with the same probability."""
        points = len(self.mixture.data)
        first, second = int(rng.integers(points)), int(rng.integers(points - 1))
        return first, second + (second >= first)

    def sides(self, state: MixtureState, pair: tuple[int, int]) -> tuple[tuple[int, int], tuple[int, ...]]:
        """Return the ids of the two clusters in a scan, and the points of both without the pair.

        If the pair is in one cluster, its second point keeps the id, and the first gets a free one.
        """
        tables = [state.labels[anchor] for anchor in pair]
        points = [point for point, table in enumerate(state.labels) if table in tables and point not in pair]
        if tables[0] == tables[1]:
            tables[0] = next(table for table in count() if table not in state.clusters)
        return (tables[0], tables[1]), tuple(points)

    def launch(
        self,
        state: MixtureState,
        pair: tuple[int, int],
        tables: tuple[int, int],
        scan: RestrictedScan,
        rng: np.random.Generator,
    ) -> tuple[MixtureState, tuple[int, ...], tuple[list[Update], ...]]:
        """Return a launch state, which holds the two clusters alone; the labels after the coins; and the scans."""
        labels = state.labels.copy()
        for anchor, table in zip(pair, tables, strict=True):
            labels[anchor] = table
        for point, side in zip(scan.points, self.toss(state, tables, scan.points, rng), strict=True):
            labels[point] = tables[side]
        clusters = self.mixture.state(labels).clusters
        launch = MixtureState(labels, {table: clusters[table] for table in tables}, state.concentration)
        return launch, tuple(labels), tuple(list(updates(scan, launch, rng)) for _ in range(self.scans))

    def toss(
        self, state: MixtureState, tables: tuple[int, int], points: Sequence[int], rng: np.random.Generator
    ) -> list[int]:
        """Return a side for each of the points, 0 or 1, by a fair coin."""
        return [int(coin < 0.5) for coin in rng.random(len(points)).tolist()]

    def last_scan(
        self, state: MixtureState, launch: MixtureState, scan: RestrictedScan, splits: bool, rng: np.random.Generator
    ) -> list[Update]:
        """Scan the launch state once more, in place: draw a split, or go to the present clusters, which merge."""
        return list(updates(scan, launch, rng) if splits else scan.towards(launch, state.labels))

    def terms(
        self, state: MixtureState, proposed: MixtureState, last: Sequence[Update], splits: bool
    ) -> dict[str, float]:
        """Return the log of each factor of the acceptance ratio."""
        joint = self.mixture.log_joint(proposed) - self.mixture.log_joint(state)
        fit = log_fit(proposed) - log_fit(state)
        scanned = fsum(log_probability(update) for update in last)
        return {SEATING: joint - fit, FIT: fit, PROPOSAL: -scanned if splits else scanned}


def log_fit(state: MixtureState) -> float:
    """Return the log marginal density of all points given their clusters."""
    return fsum(cluster.log_marginal() for cluster in state.clusters.values())


def log_probability(update: Update) -> float:
    """Return the log probability of the option that an update has taken."""
    weights = update.conditional.log_weights
    top = max(weights)
    total = fsum(exp(weight - top) for weight in weights)
    return float(weights[update.value] - top - log(total))
