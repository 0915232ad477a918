"""The whole truth on tiny data, and checks that hold a sampler to it.

Each check raises AssertionError, so that a test can also demand that a planted error fails it.
"""

import math
from collections.abc import Hashable, Iterable, Iterator

import numpy as np
from numpy.typing import ArrayLike

from samplers.recipe import Conditional, GibbsSampler, updates

Seating = tuple[int, ...]


def partitions(n: int) -> Iterator[Seating]:
    """Every partition of n customers, as tables numbered by order of opening."""
    if n == 0:
        yield ()
        return
    for head in partitions(n - 1):
        for table in range(max(head, default=-1) + 2):
            yield (*head, table)


def walked_probabilities(sampler: GibbsSampler, customers: int) -> dict[Seating, float]:
    """Probability of every seating by the sampler's own scores, one customer at a time; no chance is involved."""
    probabilities = {}
    for seating in partitions(customers):
        state = sampler.init(np.random.default_rng(0))
        probability = 1.0
        for customer, table in enumerate(seating):
            probability *= sampler.score(state, customer).probabilities[table]
            sampler.remember(state, customer, table)
        probabilities[seating] = probability
    return probabilities


def check_walked_probabilities(sampler: GibbsSampler, probabilities: dict[Seating, float]) -> None:
    walked = walked_probabilities(sampler, len(next(iter(probabilities))))
    for seating, probability in probabilities.items():
        assert math.isclose(walked[seating], probability, rel_tol=1e-12), seating


def check_frequencies(found: ArrayLike, probabilities: np.ndarray, draws: float, *, chance: float = 1e-6) -> None:
    """Compare frequencies of so many independent draws with exact probabilities, in total variation.

    The mean distance of a right sampler is at most the sum of the cells' standard deviations, halved; and one draw more
    or less moves the distance by at most 1 / draws, so that by McDiarmid's inequality it is above the bound below with
    at most that chance, whatever the seed.
    """
    distance = np.abs(np.asarray(found) - probabilities).sum() / 2
    floor = np.sqrt(probabilities * (1 - probabilities) / draws).sum() / 2
    bound = floor + math.sqrt(math.log(1 / chance) / (2 * draws))
    assert distance < bound, f"total variation {distance:.4f}, floor {floor:.4f}, bound {bound:.4f}"


def shares(visited: Iterable[Hashable], states: Iterable[Hashable]) -> np.ndarray:
    """How often each state occurs, in the order of `states`; one that is not among them raises KeyError."""
    place = {state: index for index, state in enumerate(states)}
    found = [place[state] for state in visited]
    return np.bincount(found, minlength=len(place)) / len(found)


def run(sampler: GibbsSampler, kept: int, *, thin: int, seed: int) -> list:
    """States of one chain, so many sweeps apart."""
    rng = np.random.default_rng(seed)
    state, _ = sampler.step(sampler.init(rng), rng)
    states = []
    for _ in range(kept):
        for _ in range(thin):
            list(updates(sampler, state, rng))
        states.append(state.copy())
    return states


def check_visited_probabilities(
    sampler: GibbsSampler, probabilities: dict[Seating, float], *, restaurants: int = 20_000, seed: int = 0
) -> None:
    """Compare where `step` seats people with the exact distribution."""
    rng = np.random.default_rng(seed)
    customers = len(next(iter(probabilities)))
    found = []
    empty = sampler.init(rng)
    for _ in range(restaurants):
        state = empty
        for _ in range(customers):
            state, _ = sampler.step(state, rng)
        found.append(tuple(state.assignments.tolist()))
    check_frequencies(shares(found, probabilities), np.array(list(probabilities.values())), restaurants)


def check_ratios(sampler: GibbsSampler, *, sweeps: int = 8, seed: int = 0) -> None:
    """Ratios of the conditional must be ratios of the joint (Grosse & Duvenaud 2014, "Testing MCMC code").

    Every option of every discrete site is compared; of a block whose conditional has a ``log_density``, two drawn
    values are; other blocks are passed over. No chance is involved in what a right sampler answers.
    """
    rng = np.random.default_rng(seed)
    state = sampler.init(rng)
    compared = 0
    for _ in range(sweeps):
        state = state.copy()
        for site in sampler.sites(state):
            before = state.copy()
            sampler.forget(state, site)
            probabilities = sampler.score(state, site)
            if isinstance(probabilities, Conditional):
                logs = dict(enumerate(probabilities.log_weights))
            elif hasattr(probabilities, "log_density"):
                values = [probabilities.draw(rng), probabilities.draw(rng)]
                logs = {option: probabilities.log_density(value) for option, value in enumerate(values)}
            else:
                logs = {}
            joints = {}
            for option in logs:
                other = before.copy()
                sampler.forget(other, site)
                sampler.remember(other, site, option if isinstance(probabilities, Conditional) else values[option])
                joints[option] = sampler.log_joint(other)
            _check_constant_difference(logs, joints, site)
            compared += len(logs) > 1
            sampler.remember(state, site, probabilities.draw(rng))
    assert compared, "no site has a `Conditional`, or a distribution with a `log_density` that the joint could confirm"


def _check_constant_difference(logs: dict[int, float], joints: dict[int, float], site: object) -> None:
    possible = [option for option, value in logs.items() if value > -math.inf]
    for option, value in joints.items():
        if option not in possible:
            assert value == -math.inf, f"site {site!r}: option {option} is impossible, but its joint is {value}"
            continue
        difference = value - joints[possible[0]] - (logs[option] - logs[possible[0]])
        allowed = 1e-9 * max(1.0, abs(value), abs(logs[option]))
        assert abs(difference) <= allowed, f"site {site!r}: option {option} is off by {difference:.3g} in log"
