"""Variational Bayes: a distribution q of weights and components in place of the best ones."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from math import sqrt
from typing import Any, ClassVar

import numpy as np

from lessons.topics.climb_mixture.means import Mixed, moments, of_posterior, of_q
from pages.drawing.cards import pointing, quiet
from pages.drawing.numbers import counted, fixed, to_scale
from pages.topics.climb_mixture.base import Climbs
from pages.topics.climb_mixture.diagram import diagram
from pages.topics.climb_mixture.inspector import spread
from pages.topics.climb_mixture.scene import ClimbScene, SoftScene
from samplers.climb.halves import ClimbState, HalfStep

ACTS = "Its distribution q is set for"


def of_component(scene: ClimbScene, parts: Any, k: int) -> str:
    """Return the standard deviation of a component's mean under q."""
    return _along(scene, moments(np.ones(1), [parts.families[k]])[1])


@dataclass(frozen=True)
class VariationalScene(SoftScene):
    """A climb of a bound of the evidence."""

    title = "Bound of the log evidence"
    kinds = ("exp E[log π]", "exp E[log density]")
    details: ClassVar = {"± (q)": of_component, "spread": spread}
    weighed = "E[π] = (N<sub>k</sub> + a) / all"

    @property
    def evidence(self) -> float | None:
        return self.exact[0] if self.exact else None

    def share(self, k: int, counts: Sequence[float], parts: Any) -> str:
        pseudo = parts.of_weights.dirichlet.pseudo_counts
        return f"{fixed(float(pseudo[k]))} / {pseudo.sum():g}"

    def beside_bound(self, record: HalfStep, after: float) -> str:
        if self.evidence is None:
            return ""
        exactly, gap = pointing("evidence", "Exact log evidence"), fixed(self.evidence - after, 3)
        return f"<p>{exactly} {fixed(self.evidence, 3)}: KL(q‖posterior) = <b>{gap}</b></p>"

    def of_mean(self, state: ClimbState, named: str) -> str:
        point = self.run.point
        said = f"<p>Mean of the component of {named}, by q: {_mean(self, of_q(state, point))}"
        if self.posterior is not None:
            exact = of_posterior(self.posterior, self.run.chain.sampler, point)
            said += f"; by the exact posterior: {_mean(self, exact)}"
        return f"{said}.</p>{quiet(counted(len(self.data), 'point') + '; ± one standard deviation.')}"


def _mean(scene: ClimbScene, mixed: Mixed) -> str:
    """Return the first coordinate of a mean with its standard deviation, in the column's own units."""
    mean, variance = moments(*mixed)
    column = scene.columns[0]
    return f"{to_scale(column.own(mean), column.scale)} ± <b>{_along(scene, variance, 3)}</b>"


def _along(scene: ClimbScene, variance: float, digits: int = 2) -> str:
    """Return the standard deviation of a variance of the first coordinate, in the column's own units."""
    scale = scene.columns[0].scale
    return to_scale(scale * sqrt(variance), scale, digits)


class Variational(Climbs):
    """The stage of variational Bayes."""

    shows = VariationalScene
    diagram = partial(diagram, acts=ACTS)
