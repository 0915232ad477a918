"""The states of the samplers on blobs, read and told: a fixed number of components, or as many as points open."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from pages.stages.points.crp import Tables
from pages.stages.points.model import Model, in_few
from samplers.crp_mixture import CRPMixture
from samplers.families import DirichletMultinomial, Multinomial, Normal, NormalInverseGamma
from samplers.families.densities import log_likelihood
from samplers.finite_mixture import PARAMETERS, FiniteMixture
from samplers.labels import WEIGHTS

SYMBOLS = {WEIGHTS: "π", PARAMETERS: "θ"}  # of the blocks


class Opened(Tables):
    """A CRP mixture, whose tables are called components here."""

    one, many = "component", "components"
    formula = "p(component | the rest) ∝ points there / (N − 1 + α) · fit"

    def joined(self, point: int, mark: str, count: int) -> str:
        """Return that a point has joined a component."""
        return Model.joined(self, point, mark, count)


class Components(Model):
    """A mixture of a fixed number of components."""

    one, many = "component", "components"

    def __init__(self, sampler: FiniteMixture) -> None:
        super().__init__(sampler)
        self.blocks = tuple(SYMBOLS[block] for block in sampler.blocks)
        if sampler.collapsed:
            self.formula = "p(component | the rest) ∝ (points there + a) / (N − 1 + K a) · fit"
        else:
            self.formula = "p(component | the rest) ∝ weight · density"

    # ---- states ------------------------------------------------------------------------------------------------------

    def sizes(self, state: Any) -> Mapping[int, int]:
        """Return how many points each component has."""
        return dict(enumerate(state.counts))

    def law(self, state: Any, component: int) -> Normal | Multinomial:
        """Return the law of a component's points, a typical one if the parameters are integrated out."""
        law: Normal | Multinomial = (
            state.clusters[component].posterior().typical() if self.sampler.collapsed else state.parameters[component]
        )
        return law

    def log_weight(self, state: Any, component: int) -> float:
        """Return the log weight, or the log of the points there with the prior's added."""
        if not self.sampler.collapsed:
            return float(state.log_weights[component])
        return math.log(state.counts[component] + self.sampler.class_prior[component])

    def density(self, state: Any, places: np.ndarray) -> np.ndarray:
        """Return the density of one more point."""
        log_weights = np.array([self.log_weight(state, k) for k in range(self.sampler.classes)])
        weights = np.exp(log_weights - np.logaddexp.reduce(log_weights))
        rows = places.reshape(len(places), -1)
        if self.sampler.collapsed:
            logs = [cluster.posterior().log_density(rows) for cluster in state.clusters]
        else:
            logs = [log_likelihood(parameters, rows) for parameters in state.parameters]
        density: np.ndarray = weights @ np.exp(logs)
        return density

    # ---- words -------------------------------------------------------------------------------------------------------

    def terms(self, beat: Any) -> list[str]:
        """Return the numbers of the formula for each component."""
        there, fit = beat.update.conditional.terms.values()
        if not self.sampler.collapsed:
            return [f"{math.exp(weight):.3g} · {in_few(fits)}" for weight, fits in zip(there, fit, strict=True)]
        prior = self.sampler.class_prior
        bottom = f"{len(self.sampler.data) - 1} + {prior.sum():.4g}"
        counts = beat.lifted.counts
        return [
            f"({count} + {a:g}) / ({bottom}) · {in_few(fits)}"
            for count, a, fits in zip(counts, prior.tolist(), fit, strict=True)
        ]

    def forgotten(self, beat: Any) -> str:
        """Return what becomes of the component."""
        there = beat.before.counts[beat.before.labels[beat.update.site]]
        what = f"Its count goes from {there} to {there - 1}"
        if not self.sampler.collapsed:
            return f"{what}; weights and parameters stay as they are."
        return f"{what}, and its fit follows." if there > 1 else f"{what}: it stays, as an empty one."

    def block(self, beat: Any) -> tuple[str, str, str, str]:
        """Return how the weights or the parameters are redrawn."""
        return self._weights(beat) if beat.update.site == WEIGHTS else self._parameters(beat)

    def _weights(self, beat: Any) -> tuple[str, str, str, str]:
        pseudo = self._listed([f"{count:.4g}" for count in beat.update.conditional.pseudo_counts])
        return (
            f"<p>The old weights π are dropped.<br>{self._listed(_shares(beat.before.weights))}</p>",
            f"<p>Given the labels, nothing else counts: π has a Dirichlet law, the points there + a.<br>{pseudo}</p>",
            "<p>All are drawn at once from that law.</p>",
            f"<p>The weights π are now<br>{self._listed(_shares(beat.after.weights))}</p>",
        )

    def _parameters(self, beat: Any) -> tuple[str, str, str, str]:
        posteriors = beat.update.conditional.posteriors
        old, new = ([_told(law) for law in state.parameters] for state in (beat.before, beat.after))
        return (
            f"<p>The old parameters θ are dropped.<br>{self._listed(old)}</p>",
            "<p>Given its own points, a component's θ has the prior's law, moved on.<br>"
            f"{self._listed([_told_law(posterior) for posterior in posteriors])}</p>",
            "<p>Each component draws from its own law; one without points draws from the prior.</p>",
            f"<p>The parameters θ are now<br>{self._listed(new)}</p>",
        )

    def _listed(self, texts: Sequence[str]) -> str:
        return "<br>".join(f"{self.mark(component)} {text}" for component, text in enumerate(texts))

    def note(self, state: Any) -> str:
        """Return the weights if they are there, and a warning."""
        if self.sampler.collapsed:
            return "Weights and parameters are integrated out: these are expected ones. Ids are only names."
        weights = " · ".join(_shares(state.weights))
        return f"Weights {weights}. Ids are only names: any two could be swapped."


def _shares(weights: np.ndarray) -> list[str]:
    return [f"{weight:.3f}" for weight in weights]


def _told(law: Normal | Multinomial) -> str:
    if isinstance(law, Multinomial):
        return _vector(law.probabilities)
    return f"{_vector(law.mean)} ± {_vector(np.sqrt(np.diag(law.covariance)))}"


def _told_law(posterior: Any) -> str:
    if isinstance(posterior, DirichletMultinomial):
        return f"Dirichlet({', '.join(f'{count:g}' for count in posterior.prior)})"
    about = f"mean near {_vector(posterior.mean)}"
    if hasattr(posterior, "prior_variance"):
        return f"{about} ± {posterior.prior_variance**0.5:.2g}"
    worth = posterior.kappa
    degrees = 2 * posterior.shape if isinstance(posterior, NormalInverseGamma) else posterior.df
    return f"{about}, as sure as {worth:.4g} points; spread with {degrees:.4g} degrees of freedom"


def _vector(values: Any) -> str:
    return ", ".join(f"{value:.3g}" for value in np.atleast_1d(values)).replace("-", "−")


def model_of(sampler: FiniteMixture | CRPMixture) -> Model:
    """Return how the states of a sampler are read and told."""
    return Components(sampler) if isinstance(sampler, FiniteMixture) else Opened(sampler)
