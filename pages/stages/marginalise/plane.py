"""A plane of two unconstrained coordinates: contours of the density, the draws of a run, the path of one iteration."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import altair as alt
import numpy as np

from pages.drawing.charts import ACCENT, INK, NOW, PAPER, SOFT, SPECS, finish, plane_axes
from pages.drawing.contours import level_lines
from pages.drawing.palette import COLORS
from pages.player.player import Chart
from pages.stages.marginalise.run import FIRST_LOOK
from pages.stages.marginalise.scene import Scene

CELLS = 45  # of the density's grid, along each axis
CONTOURS = (0.5, 2.0, 4.5, 8.0)  # below the top of the log density
Domain = tuple[float, float]


# ---- where -----------------------------------------------------------------------------------------------------------


def line_domain(scene: Scene) -> Domain:
    """Return the part of the line that holds the points and their components."""
    points = scene.settings.on_a_line
    return float(np.floor(points.min() - 1.2)), float(np.ceil(points.max() + 1.2))


def coordinates(scene: Scene) -> tuple[int, int]:
    """Return which two numbers of a position are drawn: the means, or one word in each class."""
    if scene.two_means:
        return 0, 1
    size = len(scene.words)
    word = min(scene.word, size - 2)  # the last word has no number of its own
    return 1 + word, size + word


def domains(scene: Scene) -> tuple[Domain, Domain]:
    """Return the ends of both axes."""
    if not scene.two_means:
        seen = scene.run.positions[3 : FIRST_LOOK + 1, coordinates(scene)]
        low, high = float(np.floor(seen.min() - 2)), float(np.ceil(seen.max() + 2))
        return (low, high), (low, high)
    x = line_domain(scene)
    if scene.settings.means == "free":
        return x, x
    return x, (-3.0, float(np.ceil(np.log(x[1] - x[0]))))


def titles(scene: Scene) -> tuple[str, str]:
    """Return what the axes show."""
    if not scene.two_means:
        word = scene.words[min(scene.word, len(scene.words) - 2)]
        return f"“{word}” in {scene.names[0]}, unconstrained", f"in {scene.names[1]}"
    return "mean 1", "mean 2" if scene.settings.means == "free" else "log(mean 2 − mean 1)"


# ---- data ------------------------------------------------------------------------------------------------------------


def data(scene: Scene) -> dict[str, dict[str, list[Any]]]:
    """Return the contours of the density of two means, and room for where the walk is."""
    return {"contours": contours(scene, 0), "here": {"x": [None], "y": [None]}}


@lru_cache(maxsize=32)
def _contours(key: str, scene: Scene, iteration: int) -> tuple[np.ndarray, ...]:
    i, j = coordinates(scene)
    x, y = domains(scene)
    axes = np.linspace(*x, CELLS), np.linspace(*y, CELLS)
    start = np.array(scene.run.state(iteration).position, float)
    heights = np.empty((CELLS, CELLS))
    for row, second in enumerate(axes[1]):
        for column, first in enumerate(axes[0]):
            start[[i, j]] = first, second
            heights[row, column] = scene.run.target.log_density(start)
    drops = [-drop for drop in CONTOURS]
    return tuple(line for _, line in level_lines(*axes, heights - heights.max(), drops))


def contours(scene: Scene, iteration: int) -> dict[str, list[Any]]:
    """Return the contours of the plane through where the chain was after an iteration, as rows."""
    lines: Sequence[np.ndarray] = _contours(scene.key, scene, 0 if scene.two_means else iteration)
    if not lines:
        return {"x": [None], "y": [None], "line": [0]}
    corners = np.concatenate(lines).round(3)
    owners = [number for number, line in enumerate(lines) for _ in line]
    return {"x": corners[:, 0].tolist(), "y": corners[:, 1].tolist(), "line": owners}


def walk_columns(scene: Scene, start: int, stop: int) -> dict[tuple[str, str], np.ndarray]:
    """Return where the walk is, iteration by iteration."""
    places = scene.run.positions[start:stop][:, list(coordinates(scene))]
    return {(name, axis): places[:, i : i + 1] for name in ("past", "here") for i, axis in enumerate("xy")}


# ---- chart -----------------------------------------------------------------------------------------------------------


def chart(scene: Scene, *, path: bool) -> Chart:
    """Return the plane, with the draws of a run or with the path of one iteration."""
    x, y = domains(scene)
    slice_of = "" if scene.two_means else "slice through the start; the path leaves it"
    shown = [("ink", "density"), ("accent", "path")] if path else [("ink", "density"), ("accent", "draws")]
    if path:
        shown += [(f"{COLORS[2]} solid", "momentum"), (f"{COLORS[1]} solid", "U-turn")]
    return Chart(
        "plane",
        "What the sampler walks on",
        f"· {slice_of}" if slice_of and path else "",
        "Contours of the density over two coordinates, and where the sampler goes.",
        plane(x, y, titles(scene), path),
        shown,
        aspect="1 / 1",
    )


@lru_cache(maxsize=SPECS)
def plane(x: Domain, y: Domain, named: tuple[str, str], path: bool) -> dict[str, Any]:
    """Draw contours and a walk.

    Parameters
    ----------
    x, y : (float, float)
        Domains.
    named : (str, str)
        Titles of the axes.
    path : bool
        Whether the walk is the path of one iteration, and not the draws of a run.
    """
    ax, ay = plane_axes(x, y, named)
    lines = (
        alt.Chart(alt.NamedData("contours"))
        .transform_filter("isValid(datum.x)")
        .mark_line(color=INK, strokeWidth=1, opacity=0.45, clip=True)
        .encode(ax, ay, detail="line:N", order="i:Q")
    )
    past = alt.Chart(alt.NamedData("past")).transform_filter(f"datum.t <= {NOW} && isValid(datum.x)")
    here = (
        alt.Chart(alt.NamedData("here"))
        .transform_filter("isValid(datum.x)")
        .mark_point(filled=True, size=115, opacity=1, strokeWidth=1.6, clip=True)
        .encode(ax, ay, fill=alt.value(ACCENT), stroke=alt.value(PAPER))
    )
    walked = [lines, *(_path(past, ax, ay) if path else _draws(past, ax, ay)), here]
    return finish(alt.layer(*walked, *(_ends(ax, ay) if path else ())))


def _draws(past: alt.Chart, ax: alt.X, ay: alt.Y) -> list[alt.Chart]:
    last = past.transform_filter(f"datum.t >= {NOW} - 1").mark_line(color=SOFT, strokeWidth=1.2, clip=True)
    return [
        past.mark_point(filled=True, size=13, opacity=0.4, color=ACCENT, clip=True).encode(ax, ay),
        last.encode(ax, ay, order="t:Q"),
    ]


def _path(past: alt.Chart, ax: alt.X, ay: alt.Y) -> list[alt.Chart]:
    walked = past.transform_filter("datum.made == 1")
    size = alt.condition("datum.offered == 1", alt.value(26), alt.value(14))
    arrow = alt.Chart(alt.NamedData("momentum")).transform_filter("isValid(datum.x2)")
    return [
        walked.mark_line(color=ACCENT, strokeWidth=1.6, clip=True).encode(ax, ay, order="step:Q"),
        walked.mark_point(filled=True, opacity=1, color=ACCENT, clip=True).encode(ax, ay, size=size),
        walked.transform_filter("datum.offered == 0")
        .mark_point(filled=True, opacity=1, size=7, color=PAPER, clip=True)
        .encode(ax, ay),
        arrow.mark_rule(color=COLORS[2], strokeWidth=2.5, clip=True).encode(ax, ay, x2="x2:Q", y2="y2:Q"),
        arrow.transform_calculate(x="datum.x2", y="datum.y2", turn="datum.turned")
        .mark_point(shape="triangle-up", filled=True, size=70, opacity=1, color=COLORS[2], clip=True)
        .encode(ax, ay, angle=alt.Angle("turn:Q", scale=None)),
    ]


def _ends(ax: alt.X, ay: alt.Y) -> list[alt.Chart]:
    """Return what is marked once the path is done: the ends that approach each other, and the point that was chosen."""
    ends = alt.Chart(alt.NamedData("turn")).transform_filter("isValid(datum.x)")
    chosen = alt.Chart(alt.NamedData("chosen")).transform_filter("isValid(datum.x)")
    return [
        ends.mark_rule(color=COLORS[1], strokeWidth=2, strokeDash=[5, 4], clip=True).encode(
            ax, ay, x2="x2:Q", y2="y2:Q"
        ),
        chosen.mark_point(shape="circle", filled=False, size=330, strokeWidth=2.6, opacity=1, clip=True).encode(
            ax, ay, stroke=alt.value(INK)
        ),
    ]
