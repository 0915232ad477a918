"""Label switching: summaries that depend on the labels' names, and those that do not."""

import numpy as np

from lessons.topics.gibbs_blobs import GibbsBlobsSettings
from pages.drawing.cards import badge, quiet
from pages.drawing.parts import columns
from pages.scenes.points.beats import MOST_MEANS
from pages.scenes.points.panels import BRIEF, TOO_FEW, diagnoses, kept_from, what_is_kept
from pages.scenes.points.run import means_of
from pages.scenes.points.scene import MixtureScene
from pages.topics.gibbs_blobs.run import BlobsRun
from samplers.diagnostics.label_switching import summaries


def switching(scene: MixtureScene[GibbsBlobsSettings], sweep: int) -> str:
    """Return the summaries that depend on the names, and those that do not."""
    if sweep - kept_from(sweep) < 3:
        return TOO_FEW
    runs = scene.runs if scene.settings.second == "seed" else [scene.run]
    alike = [run for run in runs if isinstance(run, BlobsRun)]
    pair = far_apart(scene.data, scene.settings.point - 1)
    by_name = diagnoses(_by_name(alike, sweep, scene.names), BRIEF)
    left = f"<b>By name</b>{by_name}{quiet('Relabelling changes only these.')}"
    right = f"<b>Whatever the names</b>{diagnoses(_whatever(alike, sweep, pair), BRIEF)}"
    return columns(left, right, widths=(0.43, 0.57)) + quiet(what_is_kept(scene, len(alike), sweep))


def far_apart(data: np.ndarray, point: int) -> tuple[int, int]:
    """Return a point and the one that lies in the middle of the others by distance: close enough to be unsure."""
    point = min(point, len(data) - 1)
    distance = np.linalg.norm(data - data[point], axis=1)
    return point, int(np.argsort(distance, kind="stable")[len(data) // 2])


def _by_name(runs: list[BlobsRun], sweep: int, names: str) -> dict[str, list[np.ndarray]]:
    many = min(runs[0].classes, MOST_MEANS)
    means = [means_of(run.named(0, sweep + 1, names)[1], many) for run in runs]
    first = kept_from(sweep)
    column = runs[0].model.columns[0]
    return {f"mean of {badge(str(k + 1), k)}": [column.own(values[first:, k]) for values in means] for k in range(many)}


def _whatever(runs: list[BlobsRun], sweep: int, pair: tuple[int, int]) -> dict[str, list[np.ndarray]]:
    kept = slice(kept_from(sweep), sweep + 1)
    found = [summaries(run.labels[kept], pair) for run in runs]
    return {
        "components in use": [each["occupied"] for each in found],
        "points of the largest": [each["largest"] for each in found],
        f"P(points {pair[0] + 1} and {pair[1] + 1} together)": [each["together"] for each in found],
        "log joint": [run.log_joint[kept] for run in runs],
    }
