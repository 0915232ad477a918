"""Exact distributions of a run's outcome over all seeds, where they are known: a class's marks pile up to them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import singledispatch
from typing import Any, NamedTuple

import numpy as np

from lessons.stages.coin import CoinSettings
from lessons.stages.crp_mixture import CONCENTRATION_PRIOR, CRPMixtureSettings
from lessons.stages.crp_seating import CRPSeatingSettings
from lessons.stages.gibbs_blobs import GibbsBlobsSettings
from lessons.stages.ibp_buffet import IBPBuffetSettings
from lessons.stages.ibp_features import IBPFeaturesSettings
from lessons.stages.settings import StageSettings
from lessons.stages.why_sample import WhySampleSettings
from samplers.buffet.exact import dishes_of_a_customer, dishes_overall
from samplers.crp.exact_partitions import MOST_POINTS, ExactPosterior, exact_posterior
from samplers.crp.facts import table_count_pmf
from samplers.crp.mixture import CRPMixture
from samplers.mixtures.exact_labellings import MOST_LABELLINGS, exact_finite_mixture

LEAST = 1e-4  # of a share that is told
NOW, LATER = "exactly, at this iteration", "the exact posterior, which a right chain comes to in the long run"


KNOWN: Mapping[type[StageSettings], tuple[str, ...]] = {  # the outcomes that have a law, at least for some settings
    CoinSettings: ("mean", "heads", "tails"),
    CRPSeatingSettings: ("tables",),
    IBPBuffetSettings: ("dishes", "plate"),
    WhySampleSettings: ("groups",),
    CRPMixtureSettings: ("tables",),
    GibbsBlobsSettings: ("occupied",),
    IBPFeaturesSettings: ("features",),
}
SAME_FOR_ALL = ("customers",)  # outcomes that are the iteration itself


def outcomes(model: type[StageSettings]) -> dict[str, str]:
    """Return the outcomes that a class can look for in a topic's runs, by name and in words; those with a law first."""
    names = dict.fromkeys((*KNOWN.get(model, ()), *model.measured))
    return {name: model.measured[name] for name in names if name not in SAME_FOR_ALL}


class Law(NamedTuple):
    """A distribution.

    Attributes
    ----------
    said : str
        What it is.
    mean : float
        Its mean.
    values, shares : tuple of float
        Each value that is likely enough to be seen, and its probability; none where only the mean is known.
    """

    said: str
    mean: float
    values: tuple[float, ...] = ()
    shares: tuple[float, ...] = ()

    def as_told(self) -> dict[str, Any]:
        """Return it as browsers get it."""
        told: dict[str, Any] = {"said": self.said, "mean": round(self.mean, 6)}
        return told | ({"values": self.values, "shares": self.shares} if self.values else {})


@singledispatch
def law(settings: StageSettings, outcome: str, t: int) -> Law | None:
    """Return the distribution of an outcome after t iterations, over all seeds; None if it is not known exactly."""
    return None


@law.register
def _(settings: CoinSettings, outcome: str, t: int) -> Law | None:
    if settings.method != "tosses":
        return Law(LATER, settings.posterior.mean) if outcome == "mean" else None
    heads = np.arange(t + 1)
    logs = [math.log(math.comb(t, k)) + k * math.log(settings.bias) for k in range(t + 1)]
    shares = np.exp(np.array(logs) + (t - heads) * math.log1p(-settings.bias))
    values = {
        "heads": heads,
        "tails": t - heads,
        "mean": np.array([settings.prior.given(k, t - k).mean for k in range(t + 1)]),
    }
    return _listed(NOW, values[outcome], shares)


@law.register
def _(settings: CRPSeatingSettings, outcome: str, t: int) -> Law | None:
    return _counts(NOW, table_count_pmf(t, settings.concentration, settings.discount)) if outcome == "tables" else None


@law.register
def _(settings: IBPBuffetSettings, outcome: str, t: int) -> Law | None:
    columns = settings.number_of_columns
    if outcome == "dishes":
        return _counts(NOW, dishes_overall(t, settings.concentration, columns))
    return _counts(NOW, dishes_of_a_customer(settings.concentration, columns)) if outcome == "plate" else None


@law.register
def _(settings: WhySampleSettings, outcome: str, t: int) -> Law | None:
    return _counts(LATER, settings.exact().table_counts) if outcome == "groups" else None


@law.register
def _(settings: CRPMixtureSettings, outcome: str, t: int) -> Law | None:
    sampler = settings.sampler()
    if outcome != "tables" or not isinstance(sampler, CRPMixture) or len(sampler.data) > MOST_POINTS:
        return None
    known = {"concentration": settings.concentration}
    prior: dict[str, Any] = {"concentration_prior": CONCENTRATION_PRIOR} if settings.learning == "learned" else known
    return _counts(LATER, exact_posterior(sampler.data, sampler.family, **prior).table_counts)


@law.register
def _(settings: GibbsBlobsSettings, outcome: str, t: int) -> Law | None:
    sampler = settings.sampler()
    if outcome != "occupied" or len(sampler.data) > MOST_POINTS:
        return None
    if isinstance(sampler, CRPMixture):
        exact: ExactPosterior = exact_posterior(sampler.data, sampler.family, sampler.concentration)
        return _counts(LATER, exact.table_counts)
    if sampler.classes ** len(sampler.data) > MOST_LABELLINGS:
        return None
    labels = exact_finite_mixture(sampler.data, sampler.family, sampler.classes, sampler.class_prior)
    many = np.array([len({*one}) for one in labels.labellings.tolist()])
    return _counts(LATER, np.bincount(many, labels.probabilities))


@law.register
def _(settings: IBPFeaturesSettings, outcome: str, t: int) -> Law | None:
    from pages.stages.ibp_features.truth import exact_of  # with all that draws, which nobody waits for at the start

    exact = exact_of(settings, settings.dataset().data) if outcome == "features" else None
    return None if exact is None else _counts(LATER, exact.feature_counts)


def _counts(said: str, shares: np.ndarray) -> Law:
    return _listed(said, np.arange(len(shares)), shares)


def _listed(said: str, values: np.ndarray, shares: np.ndarray) -> Law:
    order = [index for index in np.argsort(values, kind="stable") if shares[index] >= LEAST]
    return Law(
        said,
        float(values @ shares),
        tuple(round(float(values[index]), 6) for index in order),
        tuple(round(float(shares[index]), 6) for index in order),
    )
