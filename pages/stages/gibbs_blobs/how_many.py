"""How many components? By the best fit, by a penalty, by the evidence, and as a Chinese restaurant sees it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from lessons.stages.gibbs_blobs import GibbsBlobsSettings
from pages.drawing.cards import quiet, table
from pages.drawing.numbers import probability
from pages.stages.points.scene import Scene
from samplers.conjugate import NormalKnownVariance
from samplers.crp.exact_partitions import MOST_POINTS, exact_posterior
from samplers.mixtures.how_many import best_fit, bic, log_evidence

MOST = 6  # components
HEADS = ("K", "best fit: log L", "BIC", "log evidence", "Pr(K given the points)", "CRP: Pr(K tables)")


@dataclass(frozen=True, eq=False)
class Answers:
    """The answers of each way for K = 1, 2, ...; each of shape (numbers,).

    Attributes
    ----------
    fit, penalty : numpy.ndarray
        The log likelihood of the best fit, and its BIC; NaN where no fit is best.
    evidence : numpy.ndarray
        log p(points given K).
    tables : numpy.ndarray
        The CRP's posterior probability of K tables.
    """

    fit: np.ndarray
    penalty: np.ndarray
    evidence: np.ndarray
    tables: np.ndarray

    @property
    def posterior(self) -> np.ndarray:
        """The probability of each K, if all were equally probable before."""
        weights = np.exp(self.evidence - self.evidence.max())
        shares: np.ndarray = weights / weights.sum()
        return shares


@lru_cache(maxsize=16)
def answers(settings: GibbsBlobsSettings, points: tuple[tuple[float, ...], ...]) -> Answers:
    """Return the answers of these settings for some points; computed once."""
    data = np.array(points)
    family = settings.prior(data, settings.components)
    numbers = range(1, min(MOST, len(data)) + 1)
    fit = np.full(len(numbers), np.nan)
    if isinstance(family, NormalKnownVariance):
        fit = np.array([best_fit(data, family, number) for number in numbers])
    size, dimension = data.shape
    penalty = np.array([bic(value, size, number, dimension) for number, value in zip(numbers, fit, strict=True)])
    evidence = log_evidence(data, family, settings.class_prior, len(numbers))
    tables = exact_posterior(data, family, settings.concentration).table_counts[1 : len(numbers) + 1]
    return Answers(fit, penalty, evidence, tables)


def how_many(scene: Scene[GibbsBlobsSettings]) -> str:
    """Return four answers in a table, for points that are few enough to list all their groupings."""
    settings, data = scene.settings, scene.data
    if len(data) > MOST_POINTS:
        return quiet(
            f"The evidence is a sum over all groupings, and {len(data)} points have too many. Take <b>Three points</b> "
            "or <b>Seven points</b> as data."
        )
    found = answers(settings.as_run(), tuple(map(tuple, data.tolist())))
    return f"<p>{_told(found)}</p>{table(HEADS, _rows(found))}{quiet(_remark(settings))}"


def _rows(found: Answers) -> list[list[str]]:
    columns = [
        _column(found.fit),
        _column(found.penalty, -found.penalty),
        _column(found.evidence, found.evidence),
        _bars(found.posterior),
        _bars(found.tables),
    ]
    return [[str(number), *cells] for number, cells in enumerate(zip(*columns, strict=True), 1)]


def _column(values: np.ndarray, worth: np.ndarray | None = None) -> list[str]:
    """Return numbers with two digits, a dash where there is none; the one of most worth, if there is any, is bold."""
    texts = [f"{value:.2f}".replace("-", "−") if np.isfinite(value) else "–" for value in values.tolist()]
    if worth is None or np.isnan(worth).any():
        return texts
    best = int(worth.argmax())
    return [f"<b>{text}</b>" if number == best else text for number, text in enumerate(texts)]


def _bars(values: np.ndarray) -> list[str]:
    best = int(values.argmax())
    looks = ["font-weight:700" if number == best else "" for number in range(len(values))]
    return [
        f'<span class="share" style="--share:{100 * value:.1f}%;{look}">{probability(float(value))}</span>'
        for value, look in zip(values.tolist(), looks, strict=True)
    ]


def _told(found: Answers) -> str:
    """Return how the columns are read."""
    if np.isnan(found.fit).any():
        fit = (
            "There is <b>no best fit</b> while a component has a spread of its own: one that closes in on a single "
            "point fits without bound. "
        )
    else:
        fit = "<b>The best fit</b> never gets worse with another component, so it cannot choose. "
    return (
        f"{fit}<b>BIC</b> charges for each number that is fitted; the smallest is best. <b>The evidence</b> averages "
        "the likelihood over the prior, and needs no penalty. <b>The CRP</b> learns K: it answers how many tables "
        "are in use."
    )


def _remark(settings: GibbsBlobsSettings) -> str:
    return (
        f"K components need not all be in use: with pseudo-count a = {settings.class_prior:g} spare ones can stay "
        "empty, so the evidence may go on rising where the number in use does not. The CRP has "
        f"α = {settings.concentration:g}."
    )
