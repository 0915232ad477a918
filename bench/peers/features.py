"""Gibbs sampling of binary features by the Indian buffet process, loadings integrated out."""

from collections.abc import Iterator
from functools import partial

import numpy as np

from bench.peers import Answer, Comparison, Done, Side, named, of_frequencies
from samplers.buffet.exact import harmonic
from samplers.buffet.exact_features import exact_features
from samplers.buffet.linear_gaussian import LinearGaussian
from samplers.recipe import drained

CONCENTRATION, NOISE, SPREAD = 1.0, 0.5, 2.0
THREE_ROWS = np.array([[3.0, 0.0], [3.0, 3.0], [0.0, 3.0]])  # for enumeration
ROWS, COLUMNS, FEATURES = 100, 36, 6
WHAT = "distribution of the number of features"
COUNTS = range(2, 6)  # of features, whose probabilities are checked
MOST = 10  # features of three rows that are enumerated; more have a probability of 1e-4
AS_IF_KNOWN = 1e8  # pseudo-counts of a prior that leaves the concentration no choice
BURN = 100


def truth() -> dict[str, Answer]:
    exact = exact_features(THREE_ROWS, CONCENTRATION, NOISE, SPREAD, MOST)
    return {WHAT: Answer(exact.feature_counts[list(COUNTS)])}


def many_rows() -> tuple[np.ndarray, np.ndarray]:
    """Return data and the binary matrix that they were made from: each feature has columns of its own."""
    rng = np.random.default_rng(0)
    matrix = rng.integers(0, 2, (ROWS, FEATURES))
    data = matrix @ np.kron(np.eye(FEATURES), np.ones(COLUMNS // FEATURES))
    return data + NOISE * rng.normal(size=data.shape), matrix


def ours(draws: int) -> Side:
    rng = np.random.default_rng(1)
    small = LinearGaussian(THREE_ROWS, CONCENTRATION, NOISE, SPREAD)
    state, counts = small.init(rng), []
    for _ in range(BURN + draws):
        state, _ = drained(small.pieces(state, rng, recorded=False))
        counts.append(len(state.features))
    data, matrix = many_rows()
    large = LinearGaussian(data, CONCENTRATION, NOISE, SPREAD)
    now = large.state(matrix)

    def work() -> Done:
        nonlocal now
        for _ in range(2):
            now, _ = drained(large.pieces(now, rng, recorded=False))
        return Done(2)

    return Side("LinearGaussian", {WHAT: of_frequencies(counts[BURN:], COUNTS)}, work)


def sta_663(draws: int) -> Side:
    from IBP_Sampler_Package.IBP_Sampler import sampler

    def counts(data: np.ndarray, sweeps: int) -> list[int]:
        """Run it with both deviations fixed, and with a concentration that cannot leave 1."""
        scale = CONCENTRATION / AS_IF_KNOWN - 1 / (1 + harmonic(len(data)))  # to which it adds what is taken off here
        found = sampler(data, int(CONCENTRATION), sweeps, 0.0, NOISE, SPREAD, AS_IF_KNOWN, scale, 8)[0]
        return [int(count) for count in found]

    np.random.seed(0)  # noqa: NPY002 - what the package draws from
    checked = counts(THREE_ROWS, BURN + draws)[BURN:]
    data, _ = many_rows()

    def work() -> Done:
        counts(data, 2)
        return Done(2)

    return Side(named("sta-663-ibp", "sampler"), {WHAT: of_frequencies(checked, COUNTS)}, work)


def comparisons(draws: int) -> Iterator[Comparison]:
    yield Comparison(
        "Indian buffet process, linear-Gaussian",
        f"{ROWS} rows of {COLUMNS} columns, {FEATURES} features, concentration {CONCENTRATION:g}, deviations {NOISE:g} "
        f"and {SPREAD:g}, all known. Checked on 3 rows of 2 columns, where the posterior of the number of features is "
        "enumerated.",
        "sweep",
        2e-4,
        partial(ours, draws),
        {"sta-663-ibp": partial(sta_663, draws)},
        truth,
    )
