"""Points, and what is drawn when their film rests: lines of equal predictive density, on a line the density itself."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from pages.contract.columns import INT16, Column, Data
from pages.drawing.contours import level_lines
from pages.drawing.numbers import rounded
from pages.scenes.points.pictures import AVERAGE, EXACT, PRESENT
from pages.scenes.points.run import PointsRun
from pages.scenes.points.scene import MixtureScene

GRID = (48, 36)  # places where the predictive density is computed
ALONG = 120  # likewise on a line
LEVELS = (0.05, 0.15, 0.35, 0.65)  # of its maximum
NOTHING = {"t": [-1], "x": [0], "y": [0], "line": [0], "place": [0], "kind": [0]}


def points_data(
    name: str, x: np.ndarray | Column, y: np.ndarray | Column, label: Sequence[Any] | Column = INT16
) -> Data:
    """Return the points of a chart, by its letter, and where its densities are drawn at rest."""
    places = {axis: at if isinstance(at, Column) else rounded(at, 5) for axis, at in (("x", x), ("y", y))}
    many = len(x) if isinstance(x, np.ndarray) else x.rows
    points = {**places, "name": list(range(1, many + 1)), "label": label}
    return {f"points_{name}": points, f"contours_{name}": {field: [*values] for field, values in NOTHING.items()}}


def predictions(scene: MixtureScene, t: int, top: float) -> dict[str, dict[str, list]]:
    """Return the prediction of each chain after t sweeps; `top` is the density at which a chart of a line ends."""
    sets: dict[str, dict[str, list]] = {}
    for run, name in zip(scene.runs, "ab", strict=False):
        if run.model.counts:
            continue
        lines = [(kind, line) for kind, density in _densities(scene, run, t) for line in _lines(scene, density, top)]
        where = np.concatenate([np.empty((0, 2)), *(line for _, line in lines)])  # a density of 0 has no lines
        sets[f"contours_{name}"] = {
            "t": [t] * len(where),
            "x": rounded(where[:, 0]),
            "y": rounded(where[:, 1]),
            "line": [number for number, (_, line) in enumerate(lines) for _ in line],
            "place": [place for _, line in lines for place in range(len(line))],
            "kind": [kind for kind, line in lines for _ in line],
        }
    return sets


def places(scene: MixtureScene) -> np.ndarray:
    """Return where densities are computed: shape (ALONG,) on a line, and (places, 2) in a plane."""
    if scene.flat:
        return np.linspace(*scene.domains[0], ALONG)
    x, y = (np.linspace(*ends, count) for ends, count in zip(scene.domains, GRID, strict=True))
    return np.column_stack([axis.ravel() for axis in np.meshgrid(x, y)])


def _densities(scene: MixtureScene, run: PointsRun, t: int) -> Iterator[tuple[int, np.ndarray]]:
    """Yield the densities that are drawn, with their kinds."""
    where = places(scene)
    if scene.averaged is None or scene.flat:
        yield PRESENT, run.model.density(run.state(min(t, run.made)), where)
    if scene.averaged is not None:
        if scene.exact_density is not None:
            yield EXACT, scene.exact_density(where)
        yield AVERAGE, scene.averaged(run, min(t, run.made), where)


def _lines(scene: MixtureScene, density: np.ndarray, top: float) -> list[np.ndarray]:
    """Return a density as lines, each of shape (places, 2)."""
    if scene.flat:
        return [np.column_stack([places(scene), density / top])]
    x, y = (np.linspace(*ends, count) for ends, count in zip(scene.domains, GRID, strict=True))
    levels = [level * density.max() for level in LEVELS]
    return [line for _, line in level_lines(x, y, density.reshape(len(y), len(x)), levels)]
