"""The sampler of binary features on three tiny images as a Markov chain on all of its states, written out.

A state says how many features there are of each pattern of rows: seven counts. It shares no code with the samplers.
"""

import random
from collections.abc import Iterator
from functools import cache
from itertools import product
from math import exp, factorial, log

import numpy as np

Counts = tuple[int, ...]
PATTERNS = range(1, 8)  # rows as bits
X = np.array([[1.1, 0.1, 0.9, -0.1], [0.9, 1.2, 1.1, 0.8], [0.1, 1.0, -0.2, 1.1]])
NOISE, SPREAD, CONCENTRATION = 0.3, 1.0, 1.0
MOST_OWN = 9  # features of a row's own that a run may draw, and one more


@cache
def log_density(counts: Counts) -> float:
    """Return log p(X | Z): each pixel is Normal over the rows."""
    covariance = NOISE**2 * np.eye(3)
    for pattern, many in zip(PATTERNS, counts, strict=True):
        rows = np.array([pattern >> row & 1 for row in range(3)])
        covariance += many * SPREAD**2 * np.outer(rows, rows)
    squares = np.einsum("id,ij,jd->", X, np.linalg.inv(covariance), X)
    return float(-0.5 * (4 * np.linalg.slogdet(covariance)[1] + squares))


def moved(counts: Counts, old: int, new: int) -> Counts:
    """Return the counts after a feature has changed its pattern; 0 is none."""
    found = list(counts)
    if old:
        found[old - 1] -= 1
    if new:
        found[new - 1] += 1
    return tuple(found)


def moved_own(counts: Counts, bit: int, own: int) -> Counts:
    """Return the counts without a row's own features."""
    return tuple(many - own * (pattern == bit) for pattern, many in zip(PATTERNS, counts, strict=True))


def row_update(counts: Counts, row: int, most: int, *, drops_own: bool, rate: float) -> Iterator[tuple[Counts, float]]:
    """Give the states after an update of a row: its shared bits one by one, in any order, then its own features."""
    bit = 1 << row
    own = counts[bit - 1]
    left = tuple(many if p & ~bit else 0 for p, many in zip(PATTERNS, counts, strict=True))
    ways = {(counts, left): 1.0}
    for _ in range(sum(left)):
        after: dict[tuple[Counts, Counts], float] = {}
        for (now, left), chance in ways.items():
            for pattern, many in zip(PATTERNS, left, strict=True):
                if not many:
                    continue
                others, rest = (pattern & ~bit).bit_count(), moved(left, pattern, 0)
                states = [moved(now, pattern, pattern & ~bit), moved(now, pattern, pattern | bit)]
                seen = [moved_own(state, bit, own) for state in states] if drops_own else states
                off, on = map(log_density, seen)
                share = 1 / (1 + exp(min(700.0, off - on + log(3 - others) - log(others))))
                for state, part in zip(states, (1 - share, share), strict=True):
                    key = (state, rest)
                    after[key] = after.get(key, 0.0) + chance * many / sum(left) * part
        ways = after
    for (now, _), chance in ways.items():
        bare = tuple(0 if p == bit else m for p, m in zip(PATTERNS, now, strict=True))
        options = [tuple(n if p == bit else m for p, m in zip(PATTERNS, bare, strict=True)) for n in range(most + 1)]
        options = [z for z in options if sum(z) <= most]
        weights = np.array([log_density(z) + z[bit - 1] * log(rate) - log(factorial(z[bit - 1])) for z in options])
        weights = np.exp(weights - weights.max())
        for state, part in zip(options, weights / weights.sum(), strict=True):
            yield state, chance * part


def share_of_two(most: int, *, drops_own: bool = False, rate: float = CONCENTRATION / 3) -> float:
    """Return how often there are two features at the end of a sweep in the long run, of at most so many."""
    states = [z for z in product(range(most + 1), repeat=7) if sum(z) <= most]
    at = {state: place for place, state in enumerate(states)}
    updates = []
    for row in range(3):
        matrix = np.zeros((len(states), len(states)))
        for state, place in at.items():
            for after, chance in row_update(state, row, most, drops_own=drops_own, rate=rate):
                matrix[place, at[after]] += chance
        updates.append(matrix)
    law = np.eye(1, len(states))[0]
    while True:
        after = law @ updates[0] @ updates[1] @ updates[2]
        if abs(after - law).max() < 1e-9:
            return float(after[[sum(state) == 2 for state in states]].sum())
        law = after


def share_of_two_drawn(sweeps: int, batches: int, rate: float, seed: int) -> tuple[float, float]:
    """Return the same for any number of features, from a run, with its standard error by batches."""
    draw, counts, found = random.Random(seed), (0, 0, 1, 0, 0, 1, 0), []
    for _ in range(sweeps):
        for row in range(3):
            bit = 1 << row
            shared = [p for p, many in zip(PATTERNS, counts, strict=True) if p & ~bit for _ in range(many)]
            draw.shuffle(shared)
            for pattern in shared:
                others = (pattern & ~bit).bit_count()
                off, on = (moved(counts, pattern, new) for new in (pattern & ~bit, pattern | bit))
                odds = exp(min(700.0, log_density(off) - log_density(on))) * (3 - others) / others
                counts = on if draw.random() * (1 + odds) < 1 else off
            bare = moved_own(counts, bit, counts[bit - 1])
            options = [moved_own(bare, bit, -number) for number in range(MOST_OWN)]
            logs = [log_density(z) + n * log(rate) - log(factorial(n)) for n, z in enumerate(options)]
            counts = draw.choices(options, [exp(each - max(logs)) for each in logs])[0]
        found.append(sum(counts) == 2)
    means = np.reshape(found, (batches, -1)).mean(axis=1)
    return float(means.mean()), float(means.std(ddof=1) / batches**0.5)
