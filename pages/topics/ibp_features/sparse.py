"""The loadings of sparse factors after a sweep, as numbers, and what a rotation does to them."""

from math import radians

import numpy as np

from pages.drawing.cards import badge, quiet, table
from pages.drawing.numbers import fixed, significant
from pages.topics.ibp_features.run import Scene
from samplers.buffet.factor_analysis import turned
from samplers.buffet.spike_slab import SlabState

BURN_IN = 100  # sweeps
NOTHING = 1e-12  # what rounding leaves of a 0 that was turned by 90°


def sparse_factors(scene: Scene, sweep: int) -> str:
    """Return loadings with their exact zeros, turned by the angle, and how well they fit."""
    if not scene.sparse:
        return quiet("Bits have no weights. Take <b>Sparse factors</b> as the model.")
    state = scene.run.state(sweep)
    assert isinstance(state, SlabState)
    if not state.features:
        return quiet("There are no factors yet. Press <b>Step</b>.")
    names, loadings, left = turned_by_hand(scene, state)
    heads = (scene.rows.one, *(badge(str(name + 1), name) for name in names))
    lines = (
        (name, *("<b>0</b>" if value == 0 else fixed(value, 2) for value in row))
        for name, row in zip(scene.rows.names, loadings.tolist(), strict=True)
    )
    text = (
        f"The loadings of sweep {sweep}, turned by {scene.settings.angle}°: <b>{int((loadings == 0).sum())}</b> of "
        f"{loadings.size} are exactly 0. Sum of squares left over <b>{significant(left, 6)}</b>."
    )
    return f"{table(heads, lines)}<p>{text}</p>{_general(scene, sweep)}"


def turned_by_hand(scene: Scene, state: SlabState) -> tuple[list[int], np.ndarray, float]:
    """Return the names of the factors, the loadings with the first two factors turned, and the squares left over."""
    order = np.argsort(state.features)
    held = SlabState(state.loadings[:, order], state.factors[order])
    if len(order) > 1:
        held = turned(held, 0, 1, radians(scene.settings.angle))
    left = float(((scene.rows.data - held.loadings @ held.factors) ** 2).sum())
    exact = np.where(np.abs(held.loadings) < NOTHING, 0, held.loadings)
    return sorted(state.features), exact, left


def _general(scene: Scene, sweep: int) -> str:
    """Return how the factor on which most tests load goes with the general ability, over the sweeps so far."""
    if scene.settings.data != "scores" or sweep <= BURN_IN:
        return ""
    each = with_general(scene, sweep)
    return (
        "<p>The scores are simulated, so the general ability of each person is known: its correlation with the factor "
        f"on which most tests load is <b>{fixed(float(np.mean(each)), 2)}</b> on average over sweeps {BURN_IN + 1} to "
        f"{sweep}, its sign left out.</p>"
    )


def with_general(scene: Scene, sweep: int) -> list[float]:
    """Return the size of that correlation in each sweep after the burn-in."""
    run, general = scene.run, scene.settings.dataset().loadings[0]
    run.reach(sweep)
    first = run.counts[: sweep + 1].argmax(axis=1)
    numbers = [t for t in range(BURN_IN + 1, sweep + 1) if run.features[t]]
    return [abs(float(np.corrcoef(run.contents[t, first[t]], general)[0, 1])) for t in numbers]
