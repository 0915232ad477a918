"""A sweep of the CRP mixture, beside a bare loop over floats that does the same and can show nothing of it."""

import math
from collections.abc import Iterator

import numpy as np

from bench import Row, median_seconds
from samplers.conjugate import NormalInverseWishart
from samplers.crp.mixture import CRPMixture, MixtureState
from samplers.recipe import drained

KAPPA, DF = 0.05, 4.0  # the prior's; its scale is 2 on the diagonal, its mean 0
Points = list[tuple[float, float]]


def blobs(points: int, clusters: int, spread: float) -> tuple[np.ndarray, np.ndarray]:
    """Return points of shape (points, 2) in well separated round blobs, and who belongs where."""
    rng = np.random.default_rng(0)
    angles = 2 * math.pi * np.arange(clusters) / clusters
    labels = rng.integers(clusters, size=points)
    centres = spread * np.column_stack([np.cos(angles), np.sin(angles)])
    return centres[labels] + rng.normal(size=(points, 2)), labels


class Sweeper:
    """A sampler and a state that a call moves on by one sweep."""

    def __init__(self, points: int, clusters: int) -> None:
        data, labels = blobs(points, clusters, 1.6 * clusters)
        self.sampler = CRPMixture(data, NormalInverseWishart([0, 0], KAPPA, DF, 2 * np.eye(2)), 0.1)
        self.state: MixtureState = self.sampler.state(labels)
        self.rng = np.random.default_rng(1)

    def __call__(self) -> None:
        """Run one sweep, as a chain does."""
        self.state, _ = drained(self.sampler.pieces(self.state, self.rng, recorded=False))


class BareLoop:
    """The same sweep in one function: sums of points and products, terms of each table in one tuple."""

    def __init__(self, points: int, clusters: int) -> None:
        data, labels = blobs(points, clusters, 1.6 * clusters)
        self.data: Points = [(x, y) for x, y in data.tolist()]
        self.labels: list[int] = labels.tolist()
        self.rng = np.random.default_rng(1)
        self.constants = [self.constant(count) for count in range(points + 1)]
        self.sums = [[0.0] * 6 for _ in range(clusters)]
        for (x, y), label in zip(self.data, self.labels, strict=True):
            self.move(self.sums[label], x, y, 1.0)
        self.terms = [self.settled(sums) for sums in self.sums]
        self.prior = self.settled([0.0] * 6)

    @staticmethod
    def constant(count: int) -> float:
        """Return the predictive's part that comes from the count alone."""
        kappa, df = KAPPA + count, DF + count
        ratio = math.lgamma((df + 1) / 2) - math.lgamma((df - 1) / 2)
        return ratio + math.log(kappa / (kappa + 1) / math.pi)

    @staticmethod
    def move(sums: list[float], x: float, y: float, sign: float) -> None:
        """Add a point to the sums, or take it away."""
        sums[0] += sign
        sums[1] += sign * x
        sums[2] += sign * y
        sums[3] += sign * x * x
        sums[4] += sign * x * y
        sums[5] += sign * y * y

    def settled(self, sums: list[float]) -> tuple[float, ...]:
        """Return weight, mean, quadratic form, constant and power of a table's predictive."""
        count, x, y, xx, xy, yy = sums
        kappa = KAPPA + count
        mean_x, mean_y = x / kappa, y / kappa
        a, b, d = 2.0 + xx - x * mean_x, xy - x * mean_y, 2.0 + yy - y * mean_y
        determinant = a * d - b * b
        stretch = kappa / (kappa + 1.0) / determinant
        constant = self.constants[int(count)] - 0.5 * math.log(determinant)
        power = (DF + count + 1.0) / 2
        return count or 0.1, mean_x, mean_y, stretch * d, -2 * stretch * b, stretch * a, constant, power

    def __call__(self) -> None:
        """Run one sweep."""
        exp, log1p, sums, terms, labels = math.exp, math.log1p, self.sums, self.terms, self.labels
        for point, dart in enumerate(self.rng.random(len(labels)).tolist()):
            x, y = self.data[point]
            table = labels[point]
            self.move(sums[table], x, y, -1.0)
            if sums[table][0]:
                terms[table] = self.settled(sums[table])
            else:  # the last table takes its place
                last = len(sums) - 1
                sums[table], terms[table] = sums[last], terms[last]
                sums.pop()
                terms.pop()
                self.labels = labels = [table if label == last else label for label in labels]
            weights = []
            for weight, mean_x, mean_y, across, bend, upright, constant, power in [*terms, self.prior]:
                right, up = x - mean_x, y - mean_y
                fit = constant - power * log1p(right * (across * right + bend * up) + upright * up * up)
                weights.append(weight * exp(fit))
            left = dart * sum(weights)
            table = 0
            for table, weight in enumerate(weights):  # noqa: B007
                left -= weight
                if left < 0:
                    break
            if table == len(terms):
                sums.append([0.0] * 6)
                terms.append(self.prior)
            self.move(sums[table], x, y, 1.0)
            terms[table] = self.settled(sums[table])
            labels[point] = table


def rows() -> Iterator[Row]:
    loop, base = BareLoop(1_000, 7), Sweeper(1_000, 7)
    bare = median_seconds(loop)
    yield Row(f"reference: bare loop, 1,000 points, K = {len(loop.sums)}", bare)
    seconds = median_seconds(base)
    tables = len(base.state.counts)
    ratio = f"{seconds / bare:.1f} x the bare loop"
    yield Row(f"step, 1,000 points, K = {tables} (7 µs a point)", seconds, 0.007, ratio)
    for points in (2_000, 4_000):
        more = Sweeper(points, 7)
        per_point = median_seconds(more) / points * 1_000
        ratio = f"{per_point / seconds:.2f} x per point of 1,000"
        yield Row(f"step, {points:,} points, K = {len(more.state.counts)}", per_point * points / 1_000, None, ratio)
    many = Sweeper(1_000, 25)
    slow = median_seconds(many)
    ratio = f"{slow / seconds:.1f} x K = {tables}"
    yield Row(f"step, 1,000 points, K = {len(many.state.counts)}", slow, None, ratio)
