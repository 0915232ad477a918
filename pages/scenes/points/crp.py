"""A CRP mixture's states for charts and cards: components are tables, and a point can always open one."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from lessons.data.columns import AXES, Column
from pages.drawing.numbers import fixed
from pages.scenes.points.model import NEW, Model
from samplers.conjugate import Parameters
from samplers.crp.mixture import CRPMixture
from samplers.crp.prediction import predictive_density
from samplers.crp.wrong import AllLabelsAtOnce, CountsIncludePoint, DataIncludePoint, PointNotRemoved

LEFT_IN = (PointNotRemoved, CountsIncludePoint, DataIncludePoint)  # wrong rules by which a point stays where it is


class Tables(Model):
    """A CRP mixture."""

    one, many, opens, joins = "table", "tables", True, "sits down at"
    formula = "p(table | the rest) ∝ customers there / (N − 1 + α) · fit"

    def __init__(self, sampler: CRPMixture, columns: Sequence[Column] = AXES) -> None:
        super().__init__(sampler, columns)
        self.blocks = () if sampler.concentration_prior is None else ("α",)

    def sizes(self, state: Any) -> Mapping[int, int]:
        return {table: cluster.count for table, cluster in state.clusters.items()}

    def parameters_of(self, state: Any, component: int) -> Parameters:
        return state.clusters[component].posterior().typical()

    def log_weight(self, state: Any, component: int) -> float:
        """Return the logarithm of how many points a table has."""
        return math.log(state.clusters[component].count)

    def density(self, state: Any, places: np.ndarray) -> np.ndarray:
        return predictive_density(self.sampler, state, places)

    def predictive(self, state: Any, component: int) -> Any:
        """Return the posterior of a table, or the prior for a new one."""
        return self.sampler.family if component == NEW else state.clusters[component].posterior()

    def weights(self, beat: Any) -> list[str]:
        """Return customers / (N − 1 + α), for each table and a new one."""
        customers = beat.update.conditional.terms[self.sampler.already_there]
        bottom = f"{len(self.sampler.data) - 1 + beat.lifted.concentration:.4g}"
        return [f"{math.exp(there):.4g} / {bottom}" for there in customers]

    def forgotten(self, beat: Any) -> str:
        left = beat.before.labels[beat.update.site]
        late = isinstance(self.sampler, AllLabelsAtOnce)  # its counts are of older labels than those that are drawn
        there = [*beat.before.labels].count(left) if late else beat.before.clusters[left].count
        if late or isinstance(self.sampler, LEFT_IN):  # what the rule does shows under Score
            alone, shared = "should vanish", "Its count should go {0} → {1}, and its curve should not use the point."
        else:
            alone, shared = "vanishes", "Its count: {0} → {1}. Its curve no longer uses the point."
        return f"It sat alone, so its {self.one} {alone}." if there == 1 else shared.format(there, there - 1)

    def block(self, beat: Any) -> tuple[str, str, str, str]:
        """Return how the concentration is redrawn."""
        gamma = beat.update.conditional
        return (
            f"<p>α was {beat.before.concentration:.3g}. It is redrawn given only the numbers of tables and points.</p>",
            f"<p>{gamma.tables} tables, {gamma.points} points, and a Gamma({gamma.shape:g}, {gamma.rate:g}) prior.</p>",
            f"<p>An auxiliary number from Beta(α + 1, N) is {gamma.auxiliary:.3f}; given it, α is drawn from a "
            "Gamma distribution (Escobar &amp; West 1995).</p>",
            f"<p>α is now {beat.after.concentration:.3g}.</p>",
        )

    def note(self, state: Any) -> str:
        """Return α, the two parts of the log joint, and a warning."""
        whole = self.sampler.log_joint(state)
        points = math.fsum(cluster.log_marginal() for cluster in state.clusters.values())
        parts = f"Log joint {fixed(whole, 1)} = seating {fixed(whole - points, 1)} + points {fixed(points, 1)}"
        return f"α = {state.concentration:.3g}. {parts}. Ids are only names: any two could be swapped."
