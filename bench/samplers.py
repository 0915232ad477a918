"""The seating of the Chinese restaurant process, beside a bare loop that does nothing but seat."""

from collections.abc import Iterator

import numpy as np

from bench import Row, median_seconds
from samplers.chain import Chain
from samplers.crp.seating import CRPSeating
from samplers.crp.stick_breaking import StickBreakingSeating
from samplers.recipe import GibbsSampler


def seat(customers: int, sampler: GibbsSampler) -> None:
    rng = np.random.default_rng(0)
    state = sampler.init(rng)
    for _ in range(customers):
        state, _ = sampler.step(state, rng)


def bare_loop(customers: int, concentration: float = 1.0) -> None:
    rng = np.random.default_rng(0)
    counts: list[int] = []
    assignments = []
    for seated in range(customers):
        left = rng.random() * (seated + concentration)
        chosen = len(counts)
        for table, count in enumerate(counts):
            left -= count
            if left < 0:
                chosen = table
                break
        if chosen == len(counts):
            counts.append(0)
        counts[chosen] += 1
        assignments.append(chosen)


def rows() -> Iterator[Row]:
    crp, sticks = CRPSeating(1.0), StickBreakingSeating(1.0)
    bare = median_seconds(lambda: bare_loop(1_000))
    yield Row("reference: bare loop over a list, 1,000 customers", bare)

    base = median_seconds(lambda: seat(1_000, crp))
    yield Row("CRP, 1,000 customers, step, one generator", base, 0.010, f"{base / bare:.1f} x the bare loop")
    for customers in (2_000, 4_000):
        seconds = median_seconds(lambda customers=customers: seat(customers, crp))
        per_customer = seconds / base / (customers / 1_000)
        yield Row(f"CRP, {customers:,} customers", seconds, None, f"{per_customer:.2f} x per customer of 1,000")

    seconds = median_seconds(lambda: seat(1_000, sticks))
    yield Row("stick-breaking, 1,000 customers, step, one generator", seconds, None, f"{seconds / base:.2f} x the CRP")
    seconds = median_seconds(lambda: Chain(crp, seed=0)[1_000])
    yield Row("CRP, 1,000 customers, Chain, a generator a step", seconds, None, f"{seconds / base:.2f} x with one")

    seconds = median_seconds(lambda: crp.simulate_table_counts(10_000, 1_000, np.random.default_rng(0)))
    yield Row("number of tables, 1,000 restaurants of 10,000 customers", seconds, 0.100)
