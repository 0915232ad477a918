"""Lineups: where the data are, the share of replicates beyond them, and how often a number finds the data."""

import itertools
from collections.abc import Iterator

import numpy as np
import pytest

from samplers.conjugate import NormalKnownVariance
from samplers.diagnostics.lineup import TILES, line_up, share_above
from samplers.diagnostics.predictive_checks import to_the_farthest, to_the_nearest
from samplers.mixtures.finite import FiniteMixture
from tests.samplers.diagnostics.found import Lineup, found, hits, most

FAMILY = NormalKnownVariance([0.0, 0.0], 9.0, 0.5)
SIZE, ROUNDS = 9, 2_000
MEASURES = {
    "the tightest": to_the_nearest,
    "the loosest": lambda tile: -to_the_nearest(tile),
    "the widest": lambda tile: -to_the_farthest(tile),
}


def test_the_data_are_at_their_place():
    replicates = [np.full((2, 1), float(number)) for number in range(3)]
    for place in range(4):
        tiles = line_up(np.full((2, 1), 9.0), replicates, place)
        assert tiles[:, 0, 0].tolist() == [*range(place), 9.0, *range(place, 3)]
    with pytest.raises(ValueError, match="place must be from 0 to 3, got 4"):
        line_up(replicates[0], replicates, 4)


def test_the_share_of_replicates_beyond_the_data():
    theirs = np.random.default_rng(1).normal(size=400)
    found = share_above(0.5, theirs)
    assert found.above == (theirs >= 0.5).mean()
    assert found.error == pytest.approx(np.sqrt(found.above * (1 - found.above) / 400), rel=0.3), "they are independent"
    assert share_above(9.0, theirs) == (0.0, None)
    assert share_above(theirs.max(), theirs).above == 1 / 400, "an equal number counts"


def lineups(number: int) -> Iterator[Lineup]:
    """Yield lineups of a true mixture.

    The chain begins at the labels that made the data, which are a draw from the posterior: no sweep need be left out.
    """
    rng = np.random.default_rng(5)
    for _ in range(number):
        weights = rng.dirichlet(np.full(3, 5.0))
        labels = rng.choice(3, size=SIZE, p=weights)
        means = [FAMILY.draw(rng) for _ in range(3)]
        data = np.vstack([means[label].points(1, rng) for label in labels])
        yield data, replicates(FiniteMixture(data, FAMILY, 3, 5.0), labels, rng)


def replicates(sampler: FiniteMixture, labels: np.ndarray, rng: np.random.Generator) -> Iterator[np.ndarray]:
    state = sampler.state(labels)
    while True:
        state, _ = sampler.step(state, rng)
        yield sampler.replicate(state.labels, rng)


def test_a_true_model_is_found_one_time_in_twenty_at_most():
    """To four standard errors; replicates from the posterior lie about the data, so they are found less often."""
    counted = hits(lineups(ROUNDS), MEASURES)
    for name in MEASURES:
        assert ROUNDS / 200 < counted[name] <= most(ROUNDS), name


def test_a_lineup_is_drawn_until_the_data_cannot_be_found():
    measures = {"low": float, "high": lambda tile: -float(tile)}
    tiles = [np.array(value) for value in (2.0, 3.0, 1.0)]
    there = iter([*tiles, *tiles * TILES])
    assert found((np.array(2.5), there), 0, measures) == []
    assert next(there) == 1.0, "two of them have beaten both numbers"
    assert found((np.array(0.0), itertools.cycle(tiles)), 7, measures) == ["low"]
    for place in (0, TILES - 1):
        alike = found((np.array(2.0), itertools.repeat(np.array(2.0))), place, measures)
        assert alike == ([] if place else ["low", "high"]), "the first of equal tiles counts"
