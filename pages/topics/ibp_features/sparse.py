"""Sparse factors: a row loads on a factor or not. The mode, and its loadings as numbers, turned or not."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import radians
from typing import ClassVar

import numpy as np

from pages.contract.charts import Chart
from pages.contract.columns import FLOAT32, Columns, Data
from pages.drawing.cards import badge, quiet, table
from pages.drawing.numbers import fixed, significant
from pages.topics.ibp_features import loadings
from pages.topics.ibp_features.base import Features
from pages.topics.ibp_features.diagram import of_factors
from pages.topics.ibp_features.film import flat, pictures
from pages.topics.ibp_features.scene import FeaturesScene, Words, feature_name
from pages.topics.ibp_features.slab import CARDS
from pages.topics.ibp_features.truth import estimated
from samplers.buffet.factor_analysis import turned
from samplers.buffet.loadings import Parts
from samplers.buffet.spike_slab import FACTORS, SlabState

BURN_IN = 100  # sweeps
NOTHING = 1e-12  # what rounding leaves of a 0 that was turned by 90°


@dataclass(frozen=True)
class SparseScene(FeaturesScene):
    """Rows that load on factors."""

    words = Words(
        "factor",
        "factors",
        "loading",
        "own factors",
        {FACTORS: "all factors"},
        "Sparse factors",
        "Each loading is exactly 0 or some number",
        "posterior, estimated",
    )
    cells: ClassVar = {"amount": FLOAT32}
    said = loadings.SAID

    def pictured(self) -> list[Chart]:
        return [*([] if self.rows.named else [pictures(self)]), loadings.matrix(self)]

    def histograms(self) -> list[Chart]:
        return [loadings.histogram(self)]

    def sets(self) -> Data:
        return loadings.data(self)

    def of_pictures(self, parts: Mapping[str, np.ndarray]) -> Columns:
        return {("cells", "amount"): flat(parts["amounts"])} | loadings.said(parts["bits"], parts["by_name"])

    def so_far(self, start: int, stop: int) -> Columns:
        return loadings.so_far(self, start, stop)

    def summands(self, parts: Parts) -> list[int]:
        """Return only what the row loads on: none of the others has an amount to add."""
        return sorted(name for name, amount in zip(parts.names, parts.amounts[self.row], strict=True) if amount)

    def term(self, name: int, amount: float) -> str:
        return f"{fixed(amount, 2)} × {self.words.one} {feature_name(name)}"


def sparse_factors(scene: FeaturesScene, sweep: int) -> str:
    """Return loadings with their exact zeros, turned by the angle, and how well they fit."""
    state = scene.run.state(sweep)
    assert isinstance(state, SlabState)
    if not state.features:
        return quiet("There are no factors yet. Press <b>Step</b>.")
    names, numbers, left = turned_by_hand(scene, state)
    heads = (scene.rows.one, *(badge(str(name + 1), name) for name in names))
    lines = (
        (name, *("<b>0</b>" if value == 0 else fixed(value, 2) for value in row))
        for name, row in zip(scene.rows.names, numbers.tolist(), strict=True)
    )
    text = (
        f"The loadings of sweep {sweep}, turned by {scene.settings.angle}°: <b>{int((numbers == 0).sum())}</b> of "
        f"{numbers.size} are exactly 0. Sum of squares left over <b>{significant(left, 6)}</b>."
    )
    return f"{table(heads, lines)}<p>{text}</p>{_general(scene, sweep)}"


def turned_by_hand(scene: FeaturesScene, state: SlabState) -> tuple[list[int], np.ndarray, float]:
    """Return the names of the factors, the loadings with the first two factors turned, and the squares left over."""
    order = np.argsort(state.features)
    held = SlabState(state.loadings[:, order], state.factors[order])
    if len(order) > 1:
        held = turned(held, 0, 1, radians(scene.settings.angle))
    left = float(((scene.rows.data - held.loadings @ held.factors) ** 2).sum())
    exact = np.where(np.abs(held.loadings) < NOTHING, 0, held.loadings)
    return sorted(state.features), exact, left


def _general(scene: FeaturesScene, sweep: int) -> str:
    """Return how the factor on which most tests load goes with the general ability, over the sweeps so far."""
    if scene.settings.data != "scores" or sweep <= BURN_IN:
        return ""
    each = with_general(scene, sweep)
    return (
        "<p>The scores are simulated, so the general ability of each person is known: its correlation with the factor "
        f"on which most tests load is <b>{fixed(float(np.mean(each)), 2)}</b> on average over sweeps {BURN_IN + 1} to "
        f"{sweep}, its sign left out.</p>"
    )


def with_general(scene: FeaturesScene, sweep: int) -> list[float]:
    """Return the size of that correlation in each sweep after the burn-in."""
    run, general = scene.run, scene.settings.dataset().loadings[0]
    run.reach(sweep)
    first = run.counts[: sweep + 1].argmax(axis=1)
    numbers = [t for t in range(BURN_IN + 1, sweep + 1) if run.features[t]]
    return [abs(float(np.corrcoef(run.contents[t, first[t]], general)[0, 1])) for t in numbers]


class Sparse(Features):
    """The stage of sparse factors."""

    one = "Loading"
    shows = SparseScene
    diagram = of_factors
    update = CARDS
    views: ClassVar = Features.views | {"sparse": sparse_factors, "truth": estimated}
