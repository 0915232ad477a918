"""Gibbs sampling of a Dirichlet process mixture of Gaussians: on the plane, and on a line."""

import os
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from bench.mixture import DF, blobs
from bench.peers import Answer, Comparison, Done, Side, named, of_frequencies
from samplers.conjugate import Family, NormalInverseWishart, NormalKnownVariance
from samplers.crp.exact_partitions import exact_posterior
from samplers.crp.mixture import CRPMixture, MixtureState
from samplers.recipe import drained

CONCENTRATION = 1.0
POINTS, CLUSTERS = 200, 4
FEW = 6  # points, of which all partitions are enumerated
RARE = 0.02  # a number of clusters with less is not checked: its error is not well known
WHAT = "distribution of the number of clusters"
AS_IF_KNOWN = 1e6  # pseudo-counts of a prior that leaves the concentration no choice
BURN = 100
SCALE = 2.0  # of the inverse-Wishart prior, on the diagonal
THEIR_KAPPA = 0.01  # what dpgmm has in its code; its four degrees of freedom are those of `bench.mixture`
VARIANCES = 9.0, 1.0  # on the line: of the clusters' means, and of the points of a cluster


def on_the_plane() -> tuple[Family, np.ndarray, np.ndarray]:
    """Return the family, a few points, and many in blobs that touch."""
    few = np.random.default_rng(0).normal(size=(FEW, 2)) * [3, 1]
    family = NormalInverseWishart([0, 0], THEIR_KAPPA, DF, SCALE * np.eye(2))
    return family, few, blobs(POINTS, CLUSTERS, 4.0)[0]


def on_a_line() -> tuple[Family, np.ndarray, np.ndarray]:
    """Return the same with one dimension."""
    rng = np.random.default_rng(0)
    many = np.array([-6.0, -2.0, 2.0, 6.0])[rng.integers(CLUSTERS, size=POINTS)] + rng.normal(size=POINTS)
    return NormalKnownVariance(0.0, *VARIANCES), np.linspace(-3, 3, FEW), many


def likely(family: Family, few: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the numbers of clusters that are not rare, and the exact probability of each."""
    probabilities = exact_posterior(few, family, CONCENTRATION).table_counts
    numbers = np.flatnonzero(probabilities > RARE)
    return numbers, probabilities[numbers]


def truth(family: Family, few: np.ndarray) -> dict[str, Answer]:
    return {WHAT: Answer(likely(family, few)[1])}


def frequencies(family: Family, few: np.ndarray, counts: list[int]) -> dict[str, Answer]:
    return {WHAT: of_frequencies(counts, likely(family, few)[0])}


def counts_of(sampler: CRPMixture, state: MixtureState, sweeps: int, rng: np.random.Generator) -> tuple[Any, list[int]]:
    """Return the state after so many sweeps, and the number of clusters after each."""
    counts = []
    for _ in range(sweeps):
        state, _ = drained(sampler.pieces(state, rng, recorded=False))
        counts.append(len(state.clusters))
    return state, counts


def ours(family: Family, few: np.ndarray, many: np.ndarray, sweeps: int, draws: int) -> Side:
    """Return our side, of which a call is so many sweeps."""
    rng = np.random.default_rng(1)
    small, large = CRPMixture(few, family, CONCENTRATION), CRPMixture(many, family, CONCENTRATION)
    counts = counts_of(small, small.init(rng), BURN + draws, rng)[1][BURN:]
    state, _ = counts_of(large, large.init(rng), min(BURN, draws), rng)

    def work() -> Done:
        nonlocal state
        state, counts = counts_of(large, state, sweeps, rng)
        return Done(sweeps, lambda: counts)

    return Side("CRPMixture, collapsed", frequencies(family, few, counts), work)


def dpgmm(family: Family, few: np.ndarray, many: np.ndarray, sweeps: int, checked: int) -> Side:
    """Return a side with our prior and a start of ours, not of its own, and a concentration that cannot leave 1."""
    os.environ["WANDB_MODE"] = "disabled"  # it would send the run to a service
    import torch
    from dpgmm.samplers import FullCovarianceCollapsedGibbsSampler
    from loguru import logger

    logger.disable("dpgmm")
    np.random.seed(0)  # noqa: NPY002 - what the package draws from
    torch.manual_seed(0)

    class Peer(FullCovarianceCollapsedGibbsSampler):
        """Starts where the last call ended, and keeps the number of clusters before each sweep."""

        def __init__(self, points: np.ndarray, start: list[int]) -> None:
            super().__init__("init_data_stats", 1, a=AS_IF_KNOWN, b=AS_IF_KNOWN / CONCENTRATION, verbose=False)
            self.alpha = CONCENTRATION
            self.points = torch.tensor(points, dtype=torch.float32)
            names = {name: place for place, name in enumerate(dict.fromkeys(start))}
            self.clusters = [{i for i, other in enumerate(start) if other == name} for name in names]
            self.counts: list[int] = []

        def get_initial_assignment(self, data: np.ndarray) -> tuple[list[set[int]], list[int]]:
            return self.clusters, self.get_examples_assignment(self.clusters)

        @staticmethod
        def init_mean(data: torch.Tensor) -> torch.Tensor:
            return torch.zeros(2)

        @staticmethod
        def init_cov(data: torch.Tensor, components_num: int) -> torch.Tensor:
            return SCALE * torch.eye(2)

        def data_log_likelihood(self, cluster_assignment: list[set[int]], *rest: Any) -> float:
            self.counts.append(len(cluster_assignment))
            return 0.0

        def drawn(self, sweeps: int) -> list[int]:
            self.counts = []
            self.clusters = self.fit(sweeps, self.points)["cluster_assignment"]
            return self.counts

    counts = Peer(few, [0] * len(few)).drawn(BURN + checked)[BURN:]
    sampler = CRPMixture(many, family, CONCENTRATION)
    warm, _ = counts_of(sampler, sampler.init(np.random.default_rng(2)), BURN, np.random.default_rng(2))
    large = Peer(many, warm.labels)

    def work() -> Done:
        counts = large.drawn(sweeps)
        return Done(sweeps, lambda: counts)

    return Side(named("dpgmm", "collapsed, on PyTorch"), frequencies(family, few, counts), work)


def dpmmlearn(family: Family, few: np.ndarray, many: np.ndarray, sweeps: int, checked: int) -> Side:
    from dpmmlearn import DPMM
    from dpmmlearn.probability import GaussianMeanKnownVariance

    class Peer(DPMM):
        """Keeps the number of clusters after each sweep, of which `fit` keeps none."""

        def _calc_posterior(self, X: np.ndarray) -> None:
            self.counts.append(len(self.n_labels_))
            self._v_cur = -np.inf  # so that no sweep is the best one yet, which would be copied

        def drawn(self, points: np.ndarray, sweeps: int) -> list[int]:
            self.counts: list[int] = []
            for _ in range(sweeps):
                self._update(points)
            return self.counts

    def started(points: np.ndarray) -> Peer:
        prior = GaussianMeanKnownVariance(0.0, *VARIANCES)
        peer = Peer(prior, CONCENTRATION, max_iter=1, use_best_iter=False, verbose=False)
        peer.counts = []
        return peer.fit(points)

    peer = started(few)
    counts = peer.drawn(few, BURN + checked)[BURN:]
    large = started(many)
    large.drawn(many, BURN)

    def work() -> Done:
        counts = large.drawn(many, sweeps)
        return Done(sweeps, lambda: counts)

    return Side(named("dpmmlearn", "the clusters' means not integrated out"), frequencies(family, few, counts), work)


def comparisons(draws: int) -> Iterator[Comparison]:
    checked = (
        f"concentration {CONCENTRATION:g}. Checked on {FEW} points, where the posterior of the number of clusters is "
        "enumerated, and on the many."
    )
    family, few, many = on_the_plane()
    yield Comparison(
        "Dirichlet process mixture of Gaussians on the plane",
        f"{POINTS} points in {CLUSTERS} blobs, Normal-inverse-Wishart prior (mean 0, kappa {THEIR_KAPPA:g}, {DF:g} "
        f"degrees of freedom, scale {SCALE:g} on the diagonal), {checked}",
        "sweep",
        1e-6,
        partial(ours, family, few, many, 5, draws),
        {"dpgmm": partial(dpgmm, family, few, many, 5, draws // 4)},
        partial(truth, family, few),
        counted="number of clusters",
    )
    family, few, many = on_a_line()
    yield Comparison(
        "Dirichlet process mixture of Gaussians on a line",
        f"{POINTS} points in {CLUSTERS} groups, known variance {VARIANCES[1]:g}, means N(0, {VARIANCES[0]:g}), "
        f"{checked}",
        "sweep",
        1e-6,
        partial(ours, family, few, many, 50, draws),
        {"dpmmlearn": partial(dpmmlearn, family, few, many, 50, draws)},
        partial(truth, family, few),
        counted="number of clusters",
    )
