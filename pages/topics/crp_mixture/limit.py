"""A finite mixture beside the CRP mixture: how it is read, and how near it comes to its limit as K grows."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np

from lessons.topics.crp_mixture import CRPMixtureSettings
from pages.drawing.cards import quiet, table
from pages.drawing.numbers import counted, probability, significant
from pages.player.run import KEPT
from pages.scenes.points import panels
from pages.scenes.points.components import ComponentsModel
from pages.scenes.points.run import PointsRun
from pages.scenes.points.scene import MixtureScene
from pages.scenes.points.stage import chains_of, points_of
from pages.scenes.shared import key_of, shared
from pages.topics.crp_mixture.chains import FOLLOWED, ONE, TWO, Chains, another, looked_at, series_of, truth_of
from pages.topics.crp_mixture.run import MixtureRun
from samplers import Chain
from samplers.crp.exact_partitions import ExactPosterior, exact_posterior
from samplers.mixtures.how_many import exact_finite, in_use

ROWS = (2, 4, 8, 20, 100)  # numbers of clusters in the table, beside the one that runs
MOST = 6  # numbers in use that have a column


class Finite(ComponentsModel):
    """A finite mixture that shows only the clusters with points."""

    one, many = "cluster", "clusters"

    def sizes(self, state: Any) -> Mapping[int, int]:
        return {cluster: size for cluster, size in enumerate(state.counts) if size}


@lru_cache(maxsize=64)
def _exact(settings: CRPMixtureSettings, points: tuple[tuple[float, ...], ...], clusters: int | None) -> ExactPosterior:
    data = np.array(points)
    family = settings.prior(data)
    if clusters is None:
        return exact_posterior(data, family, settings.concentration)
    return exact_finite(data, family, clusters, settings.concentration)


def limit(scene: MixtureScene[CRPMixtureSettings], sweep: int) -> str:
    """Return how many clusters are in use for several K and in the limit, exactly, and in both chains, as HTML."""
    settings = scene.settings
    if settings.learning == "learned":
        return quiet("The finite mixture has a fixed α. Fix that of the restaurant too: <b>Learn α from the data</b>.")
    now = int(scene.run.tables[sweep])
    several = sorted({*ROWS, settings.second_finite})
    # two looks of the same run have the same truth
    key = settings.as_run().model_copy(update={"second_finite": 1})
    points = tuple(map(tuple, scene.data.tolist())) if scene.exact is not None else None
    laws = {clusters: _law(key, points, len(scene.data), clusters) for clusters in [*several, None]}
    width = min(MOST, len(scene.data))
    heads = ["K", "α / K", f"all K − {now} empty", *range(1, width), f"{width}+" if len(scene.data) > width else width]
    rows = [_row(settings, clusters, now, laws[clusters], width) for clusters in several]
    rows.append(["CRP", "–", f"α = {settings.concentration:g}", *_shares(laws[None], width)])
    if points is not None:
        heads.append("distance")
        truth = _exact(key, points, None).probabilities
        far = [np.abs(_exact(key, points, clusters).probabilities - truth).sum() / 2 for clusters in several]
        rows = [[*row, significant(float(each))] for row, each in zip(rows, [*far, 0.0], strict=True)]
    if sweep:
        names = "CRP, this chain", f"K = {settings.second_finite}, this chain"
        for name, run in zip(names, scene.runs, strict=True):
            seen = np.bincount(run.tables[1 : sweep + 1], minlength=len(scene.data) + 1) / sweep
            rows.append([name, "", "", *_shares(seen, width), *[""] * (points is not None)])
    return table(map(str, heads), rows) + quiet(_said(now, exact=points is not None))


def _law(
    settings: CRPMixtureSettings, points: tuple[tuple[float, ...], ...] | None, size: int, clusters: int | None
) -> np.ndarray:
    """Return the probability of 0, 1, ... clusters in use: given the points where they are few, else before a look."""
    if points is None:
        return in_use(size, settings.concentration, clusters)
    return _exact(settings, points, clusters).table_counts


def _row(settings: CRPMixtureSettings, clusters: int, now: int, law: np.ndarray, width: int) -> list[str]:
    each = settings.concentration / clusters
    empty = f"{max(0, clusters - now) * each:.3g}"
    name = f"<b>{clusters}</b>" if clusters == settings.second_finite else str(clusters)
    return [name, f"{each:.3g}", empty, *_shares(law, width)]


def _shares(law: np.ndarray, width: int) -> list[str]:
    values = [*law[1:width].tolist(), float(law[width:].sum())]
    look = "min-width:2.7rem;--share"
    return [f'<span class="share" style="{look}:{100 * value:.1f}%">{probability(value)}</span>' for value in values]


def _said(now: int, *, exact: bool) -> str:
    what = (
        "given the points"
        if exact
        else "before you look at any point; with 8 points or fewer, it is also listed given them"
    )
    far = " The distance to the CRP is the total variation over all clusterings." if exact else ""
    return (
        f"Below 1, 2, …: the exact probability of that number of clusters in use, {what}. "
        f"<b>All K − {now} empty</b>: the weight of all empty clusters together, if "
        f"{counted(now, 'cluster')} {'is' if now == 1 else 'are'} in use. "
        f"As K grows, it becomes α, the weight of a new table.{far}"
    )


@shared
def _scene(settings: CRPMixtureSettings, seed: int) -> MixtureScene[CRPMixtureSettings]:
    data, columns = points_of(settings)
    finite = settings.finite_of(data)
    runs = [
        MixtureRun(Chain(settings.sampler_of(data), seed, keep=KEPT), columns),
        PointsRun(Chain(finite, another(seed), keep=KEPT), Finite(finite, columns)),
    ]
    titles = ("CRP mixture", f"Finite mixture, K = {settings.second_finite}")
    return MixtureScene(settings, key_of(settings, seed), runs, truth_of(settings, data), ONE, TWO, titles)


def scene_of(settings: CRPMixtureSettings, seed: int) -> MixtureScene[CRPMixtureSettings]:
    """Return both chains."""
    return looked_at(chains_of(settings, seed, _scene), settings)


class BesideFinite(Chains):
    """The sampler beside that of a finite mixture."""

    makes = scene_of
    views: ClassVar = Chains.views | {
        "chains": lambda scene, sweep: panels.chains(scene, sweep, series_of(scene, FOLLOWED)),
        "truth": limit,
    }
