"""The number of components by the best fit, a penalty, points held out, the evidence, and a Chinese restaurant."""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy import special

from lessons.topics.gibbs_blobs import GibbsBlobsSettings
from lessons.topics.gibbs_blobs.models import MOST_COMPONENTS
from pages.drawing.cards import plus_minus, quiet, table
from pages.drawing.numbers import probability
from pages.scenes.points.scene import MixtureScene
from samplers import Chain
from samplers.conjugate import NormalKnownVariance
from samplers.crp.exact_partitions import exact_posterior
from samplers.crp.mixture import CRPMixture
from samplers.mixtures.annealed import Annealed
from samplers.mixtures.best_fit import FOLDS, best_fit, held_out
from samplers.mixtures.how_many import bic, log_evidence
from samplers.partitions import MOST_POINTS

MOST_ANNEALED = 100  # points whose evidence is estimated: its time grows as their square
LEAST = 0.001  # of a probability that is written out
RUNS = 100  # of annealed importance sampling
SWEEPS, KEPT = 500, 400  # of the Chinese restaurant's own chain, and how many of them count
HEADS = (
    "K",
    "best fit: log L",
    "BIC",
    "held out: log p",
    "log evidence",
    "Pr(K given the points)",
    "CRP: Pr(K tables)",
)
FIT_SAID = (
    "<b>The best fit</b> never gets worse with another component, so it cannot choose. <b>BIC</b> charges for each "
    "number that is fitted; the smallest BIC is best. <b>Held out</b>: each fifth of the points, predicted by the best "
    "fit to the rest."
)
NO_FIT = (
    "There is <b>no best fit</b> while a component has a spread of its own: one that closes in on a single point fits "
    "without bound."
)
REMEDY = "Set <b>Components</b> to <b>Gaussian</b> and <b>Spread of a component</b> to <b>Known</b>."
FITS = 3  # columns of best fits, after the first


@dataclass(frozen=True, eq=False)
class Fits:
    """The best fit of K = 1, 2, ... components; each of shape (numbers,), NaN where no fit is best."""

    # fit, penalty, held: its log likelihood, its BIC, and the log density of the points when each fifth is held out
    fit: np.ndarray
    penalty: np.ndarray
    held: np.ndarray


@dataclass(frozen=True, eq=False)
class Answers:
    """The numbers that need no fit, for K = 1, 2, ...; each of shape (numbers,)."""

    # evidence, error: log p(points given K), and its standard error: 0 where all groupings are listed
    evidence: np.ndarray
    error: np.ndarray
    tables: np.ndarray  # the CRP's posterior probability of K tables

    @property
    def posterior(self) -> np.ndarray:
        """The probability of each K, if all were equally probable before."""
        return special.softmax(self.evidence)

    @property
    def listed(self) -> bool:
        """Whether the evidence and the tables are exact."""
        return not self.error.any()


Places = tuple[tuple[float, ...], ...]


@lru_cache(maxsize=16)
def best_fits(settings: GibbsBlobsSettings, points: Places) -> Fits:
    """Return the best fits of these settings to some points; computed once."""
    data = np.array(points)
    size, dimension = data.shape
    family = settings.prior(data, settings.components)
    numbers = range(1, min(MOST_COMPONENTS, size) + 1)
    fit, held = np.full(len(numbers), np.nan), np.full(len(numbers), np.nan)
    if isinstance(family, NormalKnownVariance):
        fit = np.array([best_fit(data, family, number).log_likelihood for number in numbers])
        most = size - math.ceil(size / FOLDS)  # that four fifths can fit
        held[:most] = [held_out(data, family, number) for number in numbers if number <= most]
    penalty = np.array([bic(value, size, number, dimension) for number, value in zip(numbers, fit, strict=True)])
    return Fits(fit, penalty, held)


@lru_cache(maxsize=16)
def answers(settings: GibbsBlobsSettings, points: Places) -> Answers:
    """Return the answers of these settings for some points; computed once."""
    data = np.array(points)
    size = len(data)
    family = settings.prior(data, settings.components)
    numbers = range(1, min(MOST_COMPONENTS, size) + 1)
    if size <= MOST_POINTS:
        evidence, error = log_evidence(data, family, settings.class_prior, len(numbers)), np.zeros(len(numbers))
        tables = exact_posterior(data, family, settings.concentration).table_counts
    else:
        assert isinstance(family, NormalKnownVariance)
        found = [
            Annealed(data, family, number, settings.class_prior).evidence(np.random.default_rng(number), RUNS)
            for number in numbers
        ]
        evidence, error = np.array([[each.log_evidence, each.error] for each in found]).T
        chain = Chain(CRPMixture(data, family, settings.concentration), 1)
        used = [len(chain[sweep].tables) for sweep in range(SWEEPS - KEPT + 1, SWEEPS + 1)]
        tables = np.bincount(used, minlength=size + 1) / KEPT
    return Answers(evidence, error, tables[1 : len(numbers) + 1])


def fits(scene: MixtureScene[GibbsBlobsSettings]) -> str:
    """Return the best fits in a table, or why there are none."""
    settings, data = scene.settings, scene.data
    if not _of_known_spread(settings, data):
        return quiet(f"{NO_FIT} {REMEDY}")
    columns = _fits(best_fits(settings.as_run(), places_of(data)))
    return f"<p>{FIT_SAID}</p>{table(HEADS[: 1 + FITS], _rows(columns))}"


def how_many(scene: MixtureScene[GibbsBlobsSettings]) -> str:
    """Return the answers in a table, or why there is none."""
    settings, data = scene.settings, scene.data
    if why := missing(settings, data):
        return quiet(why)
    run, places = settings.as_run(), places_of(data)
    fitted, found = best_fits(run, places), answers(run, places)
    columns = [*_fits(fitted), _with_error(found), _bars(found.posterior), _bars(found.tables)]
    return f"<p>{_said(fitted)}</p>{table(HEADS, _rows(columns))}{quiet(_remark(settings, found))}"


def places_of(data: np.ndarray) -> Places:
    """Return points as a key under which answers are kept."""
    return tuple(map(tuple, data.tolist()))


def _of_known_spread(settings: GibbsBlobsSettings, data: np.ndarray) -> bool:
    return isinstance(settings.prior(data, settings.components), NormalKnownVariance)


def missing(settings: GibbsBlobsSettings, data: np.ndarray) -> str:
    """Return why there are no answers, and what to change; nothing where there are some."""
    if len(data) <= MOST_POINTS:
        return ""
    if not _of_known_spread(settings, data):
        return (
            f"{len(data)} points have too many groupings to list, and the estimate of the evidence needs Gaussian "
            f"components with a known spread. {REMEDY}"
        )
    if len(data) > MOST_ANNEALED:
        return f"The evidence of {len(data)} points takes too long. Take at most {MOST_ANNEALED} points."
    return ""


def _rows(columns: list[list[str]]) -> list[list[str]]:
    return [[str(number), *cells] for number, cells in enumerate(zip(*columns, strict=True), 1)]


def _fits(found: Fits) -> list[list[str]]:
    return [_column(found.fit), _column(found.penalty, -found.penalty), _column(found.held, found.held)]


def _column(values: np.ndarray, worth: np.ndarray | None = None) -> list[str]:
    """Return numbers with two digits, a dash where there is none; the one of most worth, if there is any, is bold."""
    texts = [f"{value:.2f}".replace("-", "−") if np.isfinite(value) else "–" for value in values.tolist()]
    if worth is None or np.isnan(worth).all():
        return texts
    best = int(np.nanargmax(worth))
    return [f"<b>{text}</b>" if number == best else text for number, text in enumerate(texts)]


def _bars(values: np.ndarray) -> list[str]:
    best = int(values.argmax())
    looks = ["font-weight:700" if number == best else "" for number in range(len(values))]
    return [
        f'<span class="share" style="--share:{100 * value:.1f}%;{look}">{_share(value)}</span>'
        for value, look in zip(values.tolist(), looks, strict=True)
    ]


def _share(value: float) -> str:
    return probability(value) if value >= LEAST else "&lt; 0.001"


def _with_error(found: Answers) -> list[str]:
    """Return the evidence, and after each estimate its standard error."""
    texts = _column(found.evidence, found.evidence)
    if found.listed:
        return texts
    return [f"{text}{plus_minus(error or None)}" for text, error in zip(texts, found.error.tolist(), strict=True)]


def _said(fitted: Fits) -> str:
    """Return how the columns are read."""
    return (
        f"{NO_FIT if np.isnan(fitted.fit).all() else FIT_SAID} <b>The evidence</b> averages the likelihood over the "
        "prior, and needs no penalty. <b>The CRP</b> learns K: it answers how many tables are in use."
    )


def _remark(settings: GibbsBlobsSettings, found: Answers) -> str:
    how = (
        "All groupings are listed, so the last three columns are exact."
        if found.listed
        else f"The evidence is estimated by annealed importance sampling, {RUNS} runs for each K, ± its standard "
        f"error; the CRP's column is from {KEPT} sweeps."
    )
    spare = "can stay empty" if settings.class_prior <= 1 else "are expected to have points"
    return (
        f"{how} With pseudo-count a = {settings.class_prior:g}, spare components {spare}. The CRP has "
        f"α = {settings.concentration:g}."
    )
