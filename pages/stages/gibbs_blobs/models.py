"""Adapters from states on blobs to charts and cards: a fixed number of components, or as many as points open."""

from __future__ import annotations

from collections.abc import Sequence

from lessons.data.columns import AXES, Column
from pages.stages.points.components import Components
from pages.stages.points.crp import Tables
from pages.stages.points.model import Model
from samplers.crp.mixture import CRPMixture
from samplers.mixtures.finite import FiniteMixture


class Opened(Tables):
    """A CRP mixture, whose tables are called components here."""

    one, many = "component", "components"
    formula = "p(component | the rest) ∝ points there / (N − 1 + α) · fit"

    def joined(self, point: str, mark: str, count: int) -> str:
        """Return that a point has joined a component."""
        return Model.joined(self, point, mark, count)


def model_of(sampler: FiniteMixture | CRPMixture, columns: Sequence[Column] = AXES) -> Model:
    """Return the adapter from a sampler's states on these columns to charts and cards."""
    return Components(sampler, columns) if isinstance(sampler, FiniteMixture) else Opened(sampler, columns)
