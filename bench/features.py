"""A sweep of the linear-Gaussian model of binary features, by the number of rows and of columns."""

from collections.abc import Iterator

import numpy as np

from bench import Row, median_seconds
from samplers.buffet.linear_gaussian import FeatureState, LinearGaussian
from samplers.recipe import drained


class Sweeper:
    """A sampler and a state that a call moves on by one sweep."""

    def __init__(self, rows: int, columns: int, features: int = 6) -> None:
        rng = np.random.default_rng(0)
        matrix = rng.integers(0, 2, (rows, features))
        data = matrix @ np.kron(np.eye(features), np.ones(columns // features))
        self.sampler = LinearGaussian(data + 0.5 * rng.normal(size=data.shape), 0.5, 0.5, 1.0)
        self.state: FeatureState = self.sampler.state(matrix)
        self.rng = np.random.default_rng(1)

    @property
    def bits(self) -> int:
        """The number of features now."""
        return self.state.matrix.size

    def __call__(self) -> None:
        """Run one sweep, as a chain does."""
        self.state, _ = drained(self.sampler.pieces(self.state, self.rng, recorded=False))


def rows() -> Iterator[Row]:
    first = 0.0
    for count, columns in ((100, 36), (200, 36), (400, 36), (100, 360)):
        sweep = Sweeper(count, columns)
        seconds = median_seconds(sweep)
        first = first or seconds
        compared = (
            f"{1e6 * seconds / sweep.bits:.1f} µs a bit, {seconds / first / (count / 100):.2f} x per row of the first"
        )
        limit = 0.009 if (count, columns) == (100, 36) else None
        yield Row(
            f"sweep of {count} rows and {columns} columns, {len(sweep.state.features)} features",
            seconds,
            limit,
            compared,
        )
