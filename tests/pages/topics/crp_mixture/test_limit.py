"""The finite mixture beside the restaurant: its table has the exact numbers, and both chains'."""

import re

import numpy as np
import pytest

from lessons.topics.crp_mixture import CRPMixtureSettings
from pages.topics.crp_mixture.limit import ROWS, limit, scene_of
from samplers.mixtures.how_many import exact_finite, in_use

SEVEN = {"data": "seven_points", "family": "known", "second": "finite", "second_finite": 9}
SWEEP = 40


def rows_of(settings: CRPMixtureSettings) -> tuple[list[list[str]], object]:
    scene = scene_of(settings, 7)
    for run in scene.runs:
        run.grow(SWEEP, seconds=30)
    rows = re.findall(r"<tr>(.*?)</tr>", limit(scene, SWEEP))[1:]
    return [[re.sub("<[^>]+>", "", cell) for cell in re.findall(r"<td>(.*?)</td>", row)] for row in rows], scene


def numbers(cells: list[str]) -> list[float]:
    return [float(cell.replace("−", "-")) for cell in cells]


def test_the_rows_are_the_exact_distributions_and_the_chains():
    rows, scene = rows_of(CRPMixtureSettings(**SEVEN))
    family = scene.settings.prior(scene.data)
    clusters = sorted({*ROWS, 9})
    assert [row[0] for row in rows[: len(clusters) + 1]] == [*map(str, clusters), "CRP"]
    for row, number in zip(rows, clusters, strict=False):
        exact = exact_finite(scene.data, family, number, 1.0)
        law = [*exact.table_counts[1:6], exact.table_counts[6:].sum()]
        assert numbers(row[3:9]) == pytest.approx(law, abs=6e-4)
        distance = np.abs(exact.probabilities - scene.exact.probabilities).sum() / 2
        assert float(row[9]) == pytest.approx(distance, rel=6e-3)
        empty = max(0, number - scene.run.tables[SWEEP]) / number
        assert float(row[2]) == pytest.approx(empty, abs=1e-3)
    for row, run in zip(rows[-2:], scene.runs, strict=True):
        seen = np.bincount(run.tables[1 : SWEEP + 1], minlength=8) / SWEEP
        assert numbers(row[3:9]) == pytest.approx([*seen[1:6], seen[6:].sum()], abs=6e-4)


def test_of_many_points_there_is_what_is_known_before_a_look():
    rows, _ = rows_of(CRPMixtureSettings(points=30, second="finite", second_finite=20))
    law = in_use(30, 1.0, 20)
    assert numbers(rows[ROWS.index(20)][3:9]) == pytest.approx([*law[1:6], law[6:].sum()], abs=6e-4)
    assert "fixed α" in limit(scene_of(CRPMixtureSettings(**SEVEN, learning="learned"), 7), 0)
