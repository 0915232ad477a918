"""Sparse factors of a few rows: a loading is exactly 0 or some number, and how many factors there are is drawn."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import radians

import numpy as np

from pages.drawing.cards import badge, quiet, table
from pages.drawing.numbers import fixed, probability, significant
from pages.stages.ibp_features.run import Scene
from samplers import Chain
from samplers.buffet.factor_analysis import turned
from samplers.buffet.spike_slab import SlabState, SpikeAndSlab

MOST_ROWS = 12
SWEEPS, BURN_IN = 300, 100
NOTHING = 1e-12  # what rounding leaves of a 0 that was turned by 90°


@dataclass(frozen=True, eq=False)
class Drawn:
    """A chain of sparse factor analysis.

    Attributes
    ----------
    sampler : SpikeAndSlab
        What was run.
    state : SlabState
        Its last state, the factors in the order of how many rows load on them.
    first : numpy.ndarray
        Amounts of the factor on which most rows load, in each sweep after the burn-in, shape (sweeps, D).
    numbers : numpy.ndarray
        The share of the sweeps after the burn-in with 0, 1, 2, ... factors.
    """

    sampler: SpikeAndSlab
    state: SlabState
    first: np.ndarray
    numbers: np.ndarray


@lru_cache(maxsize=16)
def drawn(rows: tuple[tuple[float, ...], ...], concentration: float, noise: float, slab: float, seed: int) -> Drawn:
    """Run the chain on these rows; computed once."""
    sampler = SpikeAndSlab(rows, concentration, noise, slab)
    chain = Chain(sampler, seed)
    kept = [ordered(chain[sweep]) for sweep in range(BURN_IN + 1, SWEEPS + 1)]
    numbers = np.bincount([len(state.factors) for state in kept]) / len(kept)
    return Drawn(sampler, kept[-1], np.array([state.factors[0] for state in kept if len(state.factors)]), numbers)


def ordered(state: SlabState) -> SlabState:
    """Return a state with the factors on which most rows load first."""
    order = np.argsort(-(state.loadings != 0).sum(axis=0), kind="stable")
    return SlabState(state.loadings[:, order], state.factors[order])


def sparse_factors(scene: Scene) -> str:
    """Return loadings with their spike, the number of factors, and what a rotation does to both."""
    settings, data = scene.settings, scene.rows.data
    if len(data) > MOST_ROWS:
        return quiet(
            f"{len(data)} rows take too long here; at most {MOST_ROWS} are possible. Take <b>Scores in nine tests</b> "
            "as "
            "data."
        )
    centred = data - data.mean(axis=1, keepdims=True)
    rows = tuple(map(tuple, centred.tolist()))
    found = drawn(rows, settings.concentration, settings.noise, settings.spread, scene.run.chain.seed)
    state = found.state
    if len(state.factors) > 1:
        state = turned(state, 0, 1, radians(settings.angle))
    return _loadings(scene, state) + _said(scene, found, state) + _numbers(found)


def _loadings(scene: Scene, state: SlabState) -> str:
    heads = (scene.rows.one, *(badge(str(factor + 1), factor) for factor in range(len(state.factors))))
    lines = (
        (name, *("<b>0</b>" if abs(value) < NOTHING else fixed(value, 2) for value in row))
        for name, row in zip(scene.rows.names, state.loadings.tolist(), strict=True)
    )
    return table(heads, lines)


def _said(scene: Scene, found: Drawn, state: SlabState) -> str:
    """Return how sparse and how probable the loadings are, and which factor goes with the general ability."""
    left = float(((found.sampler.data - state.loadings @ state.factors) ** 2).sum())
    zeros = int((np.abs(state.loadings) < NOTHING).sum())
    text = (
        f"The loadings of sweep {SWEEPS}, turned by {scene.settings.angle}°: <b>{zeros}</b> of {state.loadings.size} "
        f"are exactly 0. Sum of squares left over <b>{significant(left, 6)}</b>."
    )
    if scene.settings.data == "scores":
        general = scene.settings.dataset().loadings[0]
        each = [abs(float(np.corrcoef(factor, general)[0, 1])) for factor in found.first]
        text += (
            " The scores are simulated, so the general ability of each person is known: its correlation with the "
            f"factor on which most tests load is <b>{fixed(float(np.mean(each)), 2)}</b> on average over the sweeps."
        )
    return f"<p>{text}</p>"


def _numbers(found: Drawn) -> str:
    most = len(found.numbers)
    heads = ("factors", *(str(number) for number in range(most)))
    shares = ("share of sweeps", *(probability(float(share)) for share in found.numbers))
    return table(heads, (shares,)) + quiet(
        f"A chain of its own, {SWEEPS} sweeps, of which the first {BURN_IN} are left out. A loading is 0 (the spike) "
        "or Normal (the slab), and how much there is of each factor is a real number."
    )
