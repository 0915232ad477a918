"""What more than one test of a sampler needs: the whole truth on tiny data, and checks that hold a sampler to it.

Each check raises AssertionError, so that a test can also demand that a planted error fails it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator

import numpy as np

from samplers.recipe import Conditional, GibbsSampler, step

Seating = tuple[int, ...]


def partitions(n: int) -> Iterator[Seating]:
    """Every partition of n customers, as tables numbered by order of opening."""
    if n == 0:
        yield ()
        return
    for head in partitions(n - 1):
        for table in range(max(head, default=-1) + 2):
            yield (*head, table)


def walked_law(sampler: GibbsSampler, customers: int) -> dict[Seating, float]:
    """Probability of every seating by the sampler's own scores, one customer at a time; no chance is involved."""
    law = {}
    for seating in partitions(customers):
        state = sampler.init(np.random.default_rng(0))
        probability = 1.0
        for customer, table in enumerate(seating):
            probability *= sampler.score(state, customer).probabilities[table]
            sampler.remember(state, customer, table)
        law[seating] = probability
    return law


def check_walked_law(sampler: GibbsSampler, law: dict[Seating, float]) -> None:
    walked = walked_law(sampler, len(next(iter(law))))
    for seating, probability in law.items():
        assert math.isclose(walked[seating], probability, rel_tol=1e-12), seating


def check_stepped_law(
    sampler: GibbsSampler, law: dict[Seating, float], *, restaurants: int = 20_000, seed: int = 0
) -> None:
    """Compare where `step` seats people with the exact law, in total variation.

    The mean distance of a right sampler is at most the sum of the cells' standard deviations, halved; and one
    restaurant more or less moves the distance by at most 1 / restaurants, so that by McDiarmid's inequality it is
    above the bound below with a probability of at most 1e-6, whatever the seed.
    """
    rng = np.random.default_rng(seed)
    customers = len(next(iter(law)))
    found: Counter[Seating] = Counter()
    empty = sampler.init(rng)
    for _ in range(restaurants):
        state = empty
        for _ in range(customers):
            state = step(sampler, state, rng)
        found[tuple(state.assignments.tolist())] += 1
    assert found.keys() <= law.keys()
    distance = sum(abs(found[seating] / restaurants - probability) for seating, probability in law.items()) / 2
    mean = sum(math.sqrt(probability * (1 - probability) / restaurants) for probability in law.values()) / 2
    bound = mean + math.sqrt(math.log(1e6) / (2 * restaurants))
    assert distance < bound, f"total variation {distance:.4f}, bound {bound:.4f}"


def check_ratios(sampler: GibbsSampler, *, sweeps: int = 8, seed: int = 0) -> None:
    """Ratios of the conditional must be ratios of the joint (Grosse & Duvenaud 2014, "Testing MCMC code").

    Every option of every discrete site is compared; of a block whose law has a ``log_density``, two drawn values are;
    other blocks are passed over. No chance is involved in what a right sampler answers.
    """
    rng = np.random.default_rng(seed)
    state = sampler.init(rng)
    compared = 0
    for _ in range(sweeps):
        state = state.copy()
        for site in sampler.sites(state):
            before = state.copy()
            sampler.forget(state, site)
            law = sampler.score(state, site)
            if isinstance(law, Conditional):
                logs = dict(enumerate(law.log_weights))
            elif hasattr(law, "log_density"):
                values = [law.draw(rng), law.draw(rng)]
                logs = {option: law.log_density(value) for option, value in enumerate(values)}
            else:
                logs = {}
            joints = {}
            for option in logs:
                other = before.copy()
                sampler.forget(other, site)
                sampler.remember(other, site, option if isinstance(law, Conditional) else values[option])
                joints[option] = sampler.log_joint(other)
            _check_constant_difference(logs, joints, site)
            compared += len(logs) > 1
            sampler.remember(state, site, law.draw(rng))
    assert compared, "nothing could be compared"


def _check_constant_difference(logs: dict[int, float], joints: dict[int, float], site: object) -> None:
    possible = [option for option, value in logs.items() if value > -math.inf]
    for option, value in joints.items():
        if option not in possible:
            assert value == -math.inf, f"site {site!r}: option {option} is impossible, but its joint is {value}"
            continue
        difference = value - joints[possible[0]] - (logs[option] - logs[possible[0]])
        allowed = 1e-9 * max(1.0, abs(value), abs(logs[option]))
        assert abs(difference) <= allowed, f"site {site!r}: option {option} is off by {difference:.3g} in log"
