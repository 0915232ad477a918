"""R-hat, effective sample sizes and the error of the mean, of four chains."""

from collections.abc import Iterator

import numpy as np

from bench.peers import Answer, Comparison, Done, Side, named
from samplers.diagnostics.convergence import diagnose

CHAINS, DRAWS, CALLS = 4, 1_000, 5


def series() -> np.ndarray:
    """Return chains in which every draw is 0.8 of the one before and noise, shape (chains, draws)."""
    noise = np.random.default_rng(0).normal(size=(CHAINS, DRAWS))
    for t in range(1, DRAWS):
        noise[:, t] += 0.8 * noise[:, t - 1]
    return noise


def ours() -> Side:
    draws = series()
    found = diagnose(draws)
    values = [found.rhat, found.ess_bulk, found.ess_tail, found.mcse_mean]

    def work() -> Done:
        for _ in range(CALLS):
            diagnose(draws)
        return Done(CALLS)

    return Side("on arviz-stats' array functions", {"R-hat, both sizes and the error": Answer(values)}, work)


def arviz() -> Side:
    import arviz as az

    draws = series()

    def diagnosed() -> list[float]:
        sizes = [np.max(az.ess(draws, method="bulk")), np.max(az.ess(draws, method="tail", prob=(0.05, 0.95)))]
        return [float(az.rhat(draws)), *sizes, np.max(az.mcse(draws, method="mean"))]

    def work() -> Done:
        for _ in range(CALLS):
            diagnosed()
        return Done(CALLS)

    name = named("arviz", "rhat, ess and mcse")
    return Side(name, {"R-hat, both sizes and the error": Answer(diagnosed())}, work)


def comparisons(draws: int) -> Iterator[Comparison]:
    yield Comparison(
        "Diagnostics of chains",
        f"{CHAINS} chains of {DRAWS:,} draws: rank-normalised R-hat, bulk and tail size, error of the mean; "
        "all four must agree to 1e-8.",
        "diagnosis",
        1e-8,
        ours,
        {"arviz": arviz},
    )
