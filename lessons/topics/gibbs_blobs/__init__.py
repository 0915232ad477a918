"""Settings of the stage of Gibbs on Gaussian blobs."""

from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar, Literal

import numpy as np

from lessons.settings.calls import Call, Entry, Origins, call
from lessons.settings.fields import choice, one_or_many, quantity
from lessons.settings.law import LATER, Law, counted
from lessons.settings.lineups import LAST, STEPS, LineupSettings
from lessons.settings.points import PointsSettings, by_hand_prior, weak_prior
from lessons.settings.written import WrittenRule, WrittenSettings
from lessons.topics.gibbs_blobs.models import MODELS
from samplers import Chain
from samplers.conjugate import DirichletMultinomial, Family, NormalInverseGamma, NormalKnownVariance
from samplers.crp.exact_partitions import ExactPosterior
from samplers.data.blobs import Dataset
from samplers.data.counts import as_counts, two_directions, two_humps
from samplers.partitions import MOST_POINTS


def prior_of_humps(*, known: bool) -> Family:
    """Return the prior for the points of two humps on a line."""
    return NormalKnownVariance(0.0, 9.0, 1.0) if known else NormalInverseGamma(0.0, 0.1, 3.0, 2.0)


BY_HAND = ("three_points", "seven_points")
ON_A_LINE = {**dict.fromkeys(BY_HAND, by_hand_prior), "two_humps": prior_of_humps}
COUNTED: dict[str, Callable[[int, int], Dataset]] = {"two_directions": two_directions, "two_humps": two_humps}
SECOND = {  # the models of second chains, and their components
    **{components: ("finite", components) for components in ("multinomial", "gaussian")},
    **{model: (model, "gaussian") for model in ("CRP", "MFM")},
}
OF_MODELS = {name for model in MODELS.values() for name in model.controls}


def _of_models(name: str, settings: "GibbsBlobsSettings") -> bool:
    """Return whether a model on the screen has a control of `OF_MODELS`."""
    return any(name in MODELS[model].controls for model in (settings.model, settings.second_model[0]))


class GibbsBlobsSettings(WrittenSettings, LineupSettings, PointsSettings):
    """Points from Gaussian blobs, and a mixture that tries to find them: of a fixed number of components, or open.

    A chapter is one sweep, looked at update by update, or the whole run, sweep by sweep. Multinomial components take
    counts: coordinates are made whole numbers from 0 to 50. In a lineup the data are one of twenty tiles,
    and the others are replicates; an iteration opens a lineup, or shows which tile the data are.
    """

    of_chain: ClassVar = {"runs": "one", "step_by": "sweep", "relabel": "off"}
    lawful = ("occupied",)
    charts = ("points", "second", "means", "trace", "many", "tables", "lineup")
    marks = ("point-N", "component-N", "new", "dart", "count-N", "tile-N")
    picks: ClassVar = {
        "points": ("name", "table"),
        "second": ("name", "table"),
        "many": ("k",),
        "lineup": ("number",),
    }
    needs: ClassVar = {
        "shown": lambda own: own.replicable,
        "second": lambda own: not own.lined_up,
        "runs": lambda own: own.walled and own.second == "none" and not own.written and not own.lined_up,
        "points": lambda own: own.data not in (*BY_HAND, "own"),
        "components": lambda own: own.data not in ON_A_LINE,
        **{name: partial(_of_models, name) for name in OF_MODELS},
        "family": lambda own: own.data in ON_A_LINE or "gaussian" in (own.components, own.second_model[1]),
        "relabel": lambda own: own.model == "finite" and own.step_by == "sweep" and not own.lined_up,
    }

    data: Literal[
        "two_directions",
        "two_humps",
        "three_blobs",
        "four_blobs",
        "overlapping",
        "anisotropic",
        "three_points",
        "seven_points",
        "own",
    ] = choice("two_directions")
    model: Literal["finite", "CRP", "MFM"] = choice("finite")
    components: Literal["multinomial", "gaussian"] = choice("gaussian")
    number: int = quantity(3, (1, 6, 1))
    blocks: Literal["collapsed", "uncollapsed"] = choice("collapsed")
    start: Literal["random", "together", "k-means++", "prior"] = choice("random")
    class_prior: float = quantity(1.0, (0.1, 20, 0.1))
    concentration: float = quantity(0.2, (0.02, 20, 0.01))
    family: Literal["known", "unknown"] = choice("unknown")
    second: Literal["none", "seed", "multinomial", "gaussian", "CRP", "MFM"] = choice("none")
    relabel: Literal["off", "by mean", "by overlap"] = choice("off", look=True)

    shown: Literal["chain", "lineup"] = choice("chain", look=True)
    runs: Literal["one", "occupied", "largest"] = one_or_many()
    written: WrittenRule = ""

    @property
    def ruled(self) -> tuple[str, ...]:
        """The rule of a point's component, for one chain with the weights summed out."""
        plain = not self.compared and not self.in_counts
        return MODELS[self.model].ruled(self) if plain else ()

    @property
    def in_counts(self) -> bool:
        return self.data == "two_directions" or "multinomial" in (self.components, self.second)

    @property
    def replicable(self) -> bool:
        """Whether the model draws replicates of the data: one chain, of points, by the right rule."""
        return self.model != "MFM" and not self.in_counts and not self.compared and not self.written

    @property
    def mode(self) -> str:
        """The chain, or lineups of its data."""
        return "lineup" if self.lined_up else "chain"

    @property
    def iterations(self) -> int:
        """Two of each lineup, or what a sampler does; see `SweptSettings.iterations`."""
        return STEPS if self.lined_up else super().iterations

    replicate = PointsSettings.replicate

    def sites(self, labels: int) -> int:
        return labels + MODELS[self.model].blocks(self)

    def drawing(self) -> Call:
        if self.data in COUNTED:
            return call(COUNTED[self.data], self.points, self.data_seed)
        return call(Entry("samplers.data.blobs", "DATASETS", self.data), self.points, self.data_seed)

    def dataset(self) -> Dataset:
        """Draw the points, as counts where a multinomial component wants them."""
        drawn = super().dataset()
        return Dataset(self.taken(drawn.data), drawn.labels, drawn.columns)

    def origins(self) -> Origins:
        """Return the calls that draw the points, and make counts of them where these are wanted."""
        found = super().origins()
        if found and self.in_counts:
            drawn = super().dataset().data
            return found | ({"data": call(as_counts, drawn)} if drawn.shape[1] > 1 else {})
        return found

    def taken(self, data: np.ndarray) -> np.ndarray:
        """Return points, shape (N, D), in the units in which the samplers take them."""
        return as_counts(data) if self.in_counts and data.shape[1] > 1 else data

    def sampler_of(self, data: np.ndarray, *, second: bool = False) -> Any:
        model, components = self.second_model if second else (self.model, self.components)
        return MODELS[model].sampler(self, data, self.prior(data, components))

    @property
    def second_model(self) -> tuple[str, str]:
        """The model of a second chain, and its components; those of the first if it is another seed."""
        return SECOND.get(self.second, (self.model, self.components))

    def exact(self, sampler: Any) -> ExactPosterior | None:
        """Return the exact posterior of who is with whom by the model's sampler, where all can be listed."""
        return MODELS[self.model].exact(sampler) if len(sampler.data) <= MOST_POINTS else None

    def prior(self, data: np.ndarray, components: str) -> Family:
        """Return the prior of a component's parameters; points on a line have Gaussian ones in any case."""
        known = self.family == "known"
        if components == "multinomial" and data.shape[1] > 1:
            return DirichletMultinomial(np.ones(data.shape[1]))
        on_a_line = ON_A_LINE.get(self.data)
        return on_a_line(known=known) if on_a_line else weak_prior(data, known=known)

    def measure(self, chain: Chain[Any], t: int) -> dict[str, int]:
        """Count the components that have points, and the points of the largest; and say which tile the data are.

        In a lineup, components are those of the last sweep that made a replicate. Without one, no tile: 0.
        """
        tile = self.tile(chain.seed, t)
        if self.lined_up:
            own, seed = self.of_round(chain.seed, t)
            chain, t = Chain(own.sampler(), seed), LAST
        sizes = [size for size in chain[t].counts if size]
        return {"occupied": len(sizes), "largest": max(sizes), "tile": tile}

    def law(self, outcome: str, t: int) -> Law | None:
        """Return the posterior of the number of components that have points, where every labelling can be listed."""
        exact = self.exact(self.sampler()) if outcome == "occupied" else None
        return None if exact is None else counted(LATER, exact.table_counts)
