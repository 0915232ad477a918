"""A finite mixture's states for charts and cards: a fixed number of components, with points or without."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from scipy import special

from lessons.data.columns import AXES, Column
from pages.drawing.numbers import fixed
from pages.scenes.points.model import Model
from samplers.conjugate import Parameters
from samplers.mixtures.finite import PARAMETERS, FiniteMixture
from samplers.mixtures.labels import WEIGHTS

SYMBOLS = {WEIGHTS: "π", PARAMETERS: "θ"}  # of the blocks
TOLD: dict[str, Callable[[Model, Any], str]] = {  # what families say of parameters
    "pseudo-counts": lambda _, counts: f"Dirichlet({', '.join(f'{count:g}' for count in counts)})",
    "mean": lambda model, mean: f"mean near {', '.join(model.places(mean))}",
    "deviation": lambda model, deviation: f" ± {', '.join(model.spreads(np.full(model.dimension, deviation)))}",
    "points": lambda _, points: f", worth {points:.4g} points",
    "df": lambda _, df: f"; spread worth {df:.4g}",
}


class ComponentsModel(Model):
    """A mixture of a fixed number of components."""

    one, many = "component", "components"

    def __init__(self, sampler: FiniteMixture, columns: Sequence[Column] = AXES) -> None:
        super().__init__(sampler, columns)
        self.blocks = tuple(SYMBOLS[block] for block in sampler.blocks)
        if sampler.collapsed:
            self.formula = "p(component | the rest) ∝ (points there + a) / (N − 1 + K a) · fit"
        else:
            self.formula = "p(component | the rest) ∝ weight · density"

    # ---- states ------------------------------------------------------------------------------------------------------

    def sizes(self, state: Any) -> Mapping[int, int]:
        return dict(enumerate(state.counts))

    def parameters_of(self, state: Any, component: int) -> Parameters:
        return (
            state.clusters[component].posterior().typical() if self.sampler.collapsed else state.parameters[component]
        )

    def log_weight(self, state: Any, component: int) -> float:
        """Return the log weight, or the log of the points there with the prior's added."""
        if not self.sampler.collapsed:
            return float(state.log_weights[component])
        return math.log(state.counts[component] + self.sampler.class_prior[component])

    def density(self, state: Any, places: np.ndarray) -> np.ndarray:
        log_weights = np.array([self.log_weight(state, k) for k in range(self.sampler.classes)])
        weights = special.softmax(log_weights)
        rows = places.reshape(len(places), -1)
        if self.sampler.collapsed:
            logs = [cluster.posterior().log_density(rows) for cluster in state.clusters]
        else:
            logs = [parameters.log_density(rows) for parameters in state.parameters]
        return weights @ np.exp(logs)

    def predictive(self, state: Any, component: int) -> Any:
        return state.clusters[component].posterior() if self.sampler.collapsed else state.parameters[component]

    # ---- words -------------------------------------------------------------------------------------------------------

    def weights(self, beat: Any) -> list[str]:
        """Return each component's weight, or the points there with the prior's added, as a share."""
        if not self.sampler.collapsed:
            return [f"{math.exp(weight):.3g}" for weight in beat.update.conditional.terms[self.sampler.class_term]]
        prior = self.sampler.class_prior
        bottom = f"{len(self.sampler.data) - 1} + {prior.sum():.4g}"
        there = zip(beat.lifted.counts, prior.tolist(), strict=True)
        return [f"({count} + {a:g}) / ({bottom})" for count, a in there]

    def forgotten(self, beat: Any) -> str:
        there = beat.before.counts[beat.before.labels[beat.update.site]]
        what = f"Its count: {there} → {there - 1}."
        if not self.sampler.collapsed:
            return f"{what} Weights and parameters stay as they are."
        return f"{what} {'It no longer uses the point.' if there > 1 else 'It stays, as an empty one.'}"

    def block(self, beat: Any) -> tuple[str, str, str, str]:
        """Return how the weights or the parameters are redrawn."""
        return self._weights(beat) if beat.update.site == WEIGHTS else self._parameters(beat)

    def _weights(self, beat: Any) -> tuple[str, str, str, str]:
        pseudo = self._listed([f"{count:.4g}" for count in beat.update.conditional.pseudo_counts])
        return (
            f"<p>The old weights π are forgotten.<br>{self._listed(_shares(beat.before.weights))}</p>",
            f"<p>Given the labels, π has a Dirichlet distribution: the points there + a.<br>{pseudo}</p>",
            "<p>All are drawn at once from that distribution.</p>",
            f"<p>The weights π are now<br>{self._listed(_shares(beat.after.weights))}</p>",
        )

    def _parameters(self, beat: Any) -> tuple[str, str, str, str]:
        summaries = [posterior.summary() for posterior in beat.update.conditional.posteriors]
        expected = ["".join(TOLD[name](self, value) for name, value in each.items()) for each in summaries]
        old, new = ([self._drawn(parameters) for parameters in state.parameters] for state in (beat.before, beat.after))
        return (
            f"<p>The old parameters θ are forgotten.<br>{self._listed(old)}</p>",
            f"<p>Each component's θ, given its own points:<br>{self._listed(expected)}</p>",
            "<p>Each component draws from its own; one without points draws from the prior.</p>",
            f"<p>The parameters θ are now<br>{self._listed(new)}</p>",
        )

    def _drawn(self, parameters: Parameters) -> str:
        both = self.places(parameters.mean), self.spreads(parameters.deviations)
        return " ± ".join(", ".join(texts) for texts in both if texts)

    def _listed(self, texts: Sequence[str]) -> str:
        return "<br>".join(f"{self.mark(component)} {text}" for component, text in enumerate(texts))

    def note(self, state: Any) -> str:
        """Return the weights if they are there, and a warning."""
        if self.sampler.collapsed:
            return "Weights and parameters are integrated out: these are expected ones. Ids are only names."
        weights = " · ".join(_shares(state.weights))
        return f"Weights {weights}. Ids are only names: any two could be swapped."


def _shares(weights: np.ndarray) -> list[str]:
    return [fixed(weight, 3) for weight in weights]
