"""Adapters from states on blobs to charts and cards: a fixed number of components, or as many as points open."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from lessons.data.columns import AXES, Column
from pages.drawing.numbers import of_its_log, probability
from pages.stages.points.components import ComponentsModel
from pages.stages.points.crp import Tables
from pages.stages.points.model import Model
from samplers.crp.mixture import CRPMixture
from samplers.mixtures.finite import FiniteMixture
from samplers.mixtures.unknown_number import UnknownNumber


class Opened(Tables):
    """A CRP mixture, whose tables are called components here."""

    one, many = "component", "components"
    formula = "p(component | the rest) ∝ points there / (N − 1 + α) · fit"

    def joined(self, point: str, mark: str, count: int) -> str:
        """Return that a point has joined a component."""
        return Model.joined(self, point, mark, count)


class Unknown(Opened):
    """A mixture whose number of components has a prior."""

    formula = "p(component | the rest) ∝ (points there + a) · fit"
    sampler: UnknownNumber

    def terms(self, beat: Any) -> list[str]:
        """Return the weight, times the fit, for each component and a new one."""
        terms = beat.update.conditional.terms
        there, fit = terms[self.sampler.already_there], terms[self.sampler.fit]
        return [f"{math.exp(weight):.4g} · {of_its_log(fits)}" for weight, fits in zip(there, fit, strict=True)]

    def note(self, state: Any) -> str:
        """Return the posterior of K given how many components have points."""
        used = len(state.clusters)
        given = self.sampler.number_given(used)
        listed = " · ".join(f"{number}: {probability(share)}" for number, share in enumerate(given, 1) if share > 0)
        return f"{used} components have points. Given that, K is {listed}. Ids are only names."


def model_of(sampler: FiniteMixture | CRPMixture, columns: Sequence[Column] = AXES) -> Model:
    """Return the adapter from a sampler's states on these columns to charts and cards."""
    if isinstance(sampler, FiniteMixture):
        return ComponentsModel(sampler, columns)
    return Unknown(sampler, columns) if isinstance(sampler, UnknownNumber) else Opened(sampler, columns)
