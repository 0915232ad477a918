"""A plane of two unconstrained coordinates: contours of the density, the draws of a run, the path of one iteration."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from lessons.data.columns import Column
from pages.contract.charts import Chart
from pages.contract.columns import FLOAT32, Columns, Data
from pages.drawing import palette
from pages.drawing.charts import (
    ACCENT,
    INK,
    NOW,
    PAPER,
    SOFT,
    Domain,
    finish,
    if_,
    if_lit,
    marked,
    past,
    plane_axes,
    rows,
)
from pages.drawing.contours import as_rows, level_lines
from pages.drawing.lazy import alt
from pages.drawing.marks import stem
from pages.drawing.once import drawn_once
from pages.drawing.palette import COLORS
from pages.scenes.shared import shared
from pages.topics.marginalise.charts import DOT
from pages.topics.marginalise.scene import MarginaliseScene, room
from samplers.gradient.hmc import Trajectory

CELLS = 45  # of the density's grid, along each axis
CONTOURS = (0.5, 2.0, 4.5, 8.0)  # below the top of the log density
ARROW = 0.16  # length of the momentum's arrow at its typical size, as a share of the plane


# ---- data ------------------------------------------------------------------------------------------------------------


def domains_of(scene: MarginaliseScene, trajectory: Trajectory | None = None) -> tuple[Domain, Domain]:
    """Return the ends of both axes: those of a run, or farther out if a path leaves them, unless it diverges."""
    x, y = scene.domains
    if trajectory is None or trajectory.divergent is not None:
        return x, y
    places = trajectory.positions[:, list(scene.coordinates)]
    found = [
        (min(low, float(np.floor(seen.min()))), max(high, float(np.ceil(seen.max()))))
        for (low, high), seen in zip((x, y), places.T, strict=True)
    ]
    if x != y:
        return found[0], found[1]
    both = min(low for low, _ in found), max(high for _, high in found)  # one scale on both axes
    return both, both


@shared
def _contours(
    scene: MarginaliseScene, iteration: int, coordinates: tuple[int, int], domains: tuple[Domain, Domain]
) -> dict[str, list[Any]]:
    i, j = coordinates
    x, y = (np.linspace(*domain, CELLS) for domain in domains)
    start = np.array(scene.run.state(iteration).position, float)
    heights = np.empty((CELLS, CELLS))
    for row, second in enumerate(y):
        for column, first in enumerate(x):
            start[[i, j]] = first, second
            heights[row, column] = scene.run.target.log_density(start)
    lines = level_lines(x, y, heights - heights.max(), [-drop for drop in CONTOURS])
    return as_rows([line for _, line in lines], 3)


def walk_data(scene: MarginaliseScene, iteration: int = 0, trajectory: Trajectory | None = None) -> Data:
    """Return the contours of the plane through where the chain was after an iteration, and room for where it is."""
    contours = _contours(scene, iteration * scene.sliced, scene.coordinates, domains_of(scene, trajectory))
    return {"contours": contours, "here": room("x", "y"), "past": room("x", "y")}


def path_data(scene: MarginaliseScene, iteration: int, trajectory: Trajectory) -> Data:
    """Return the same, with what a path has as well."""
    turn: list[Any] = [None]
    return walk_data(scene, iteration, trajectory) | {
        "momentum": room("x", "y", "x2", "y2", "turned"),
        "turn": dict.fromkeys(("x", "y", "x2", "y2"), turn if trajectory.turn is None else FLOAT32),
        "chosen": room("x", "y", "step", "error"),
    }


def walk_columns(scene: MarginaliseScene, start: int, stop: int) -> Columns:
    """Return where the walk is, iteration by iteration."""
    here = scene.run.positions[start:stop][:, list(scene.coordinates)]
    return _by_axis({("past", ""): here, ("here", ""): here})


def path_columns(scene: MarginaliseScene, trajectory: Trajectory, at: np.ndarray, over: np.ndarray) -> Columns:
    """Return where a path is and its momentum, and once it is over its ends and which point is chosen.

    The momentum is an arrow: the same length on the screen for a typical one, whatever the mass.

    Parameters
    ----------
    scene : MarginaliseScene
        The run.
    trajectory : Trajectory
        The path.
    at : numpy.ndarray
        The point of each frame, integers of shape (frames,).
    over : numpy.ndarray
        Whether the path is done, shape (frames,).
    """
    axes = list(scene.coordinates)
    places, reach = trajectory.positions[:, axes], ARROW * np.ptp(domains_of(scene, trajectory), axis=1)
    here, momenta = places[at], trajectory.momenta[at][:, axes] * np.sqrt(trajectory.inverse_mass[axes])
    before, after = (np.where(over == then, 1.0, np.nan)[:, None] for then in (False, True))
    points = {
        ("past", ""): here,
        ("here", ""): here,
        ("chosen", ""): after * here,
        ("momentum", ""): before * here,
        ("momentum", "2"): before * (here + reach * momenta / np.sqrt(2)),
    }
    if trajectory.turn is not None:
        points |= {("turn", end): after * places[i] for end, i in zip(("", "2"), trajectory.turn, strict=True)}
    turned = np.degrees(np.arctan2(momenta[:, 0], momenta[:, 1]))  # of a triangle that points up
    return _by_axis(points) | {("momentum", "turned"): turned}


def _by_axis(points: Mapping[tuple[str, str], np.ndarray]) -> Columns:
    return {
        (name, f"{axis}{end}"): places[:, i] for (name, end), places in points.items() for i, axis in enumerate("xy")
    }


# ---- chart -----------------------------------------------------------------------------------------------------------


def chart(scene: MarginaliseScene, trajectory: Trajectory | None = None) -> Chart:
    """Return the plane, with the draws of a run or with the path of one iteration."""
    path = trajectory is not None
    shown = [(f"{palette.SOFT} solid", "density"), ("accent", "path") if path else ("dot", "draws")]
    if path:
        shown += [(f"{COLORS[2]} solid", "momentum"), (f"{COLORS[1]} dashed", "U-turn")]
    return Chart(
        "plane",
        f"Posterior density over {scene.plane}",
        "· slice through the start; the path leaves it" if path and scene.sliced else "",
        "Contours of the density over two coordinates, and where the sampler goes.",
        plane(*domains_of(scene, trajectory), scene.titles, path),
        shown,
        aspect="1 / 1",
    )


@drawn_once
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
    contours = rows("contours", "x").mark_line(color=INK, strokeWidth=1, opacity=0.45, clip=True)
    here = marked(rows("here", "x"), "here").mark_point(strokeWidth=1.6, fill=ACCENT, stroke=PAPER, **DOT)
    here = here.encode(size=if_lit(380, 115))
    layers = [
        contours.encode(detail="line:N", order="i:Q"),
        *(_path() if path else _draws()),
        here,
        *(_ends() if path else ()),
    ]
    return finish(alt.layer(*layers).encode(*plane_axes(x, y, (Column(named[0]), Column(named[1])))))


def _draws() -> list[alt.Chart]:
    drawn, last = past("x"), past("x").transform_filter(f"datum.t >= {NOW} - 1")
    return [
        drawn.mark_point(size=13, color=ACCENT, **DOT | {"opacity": 0.4}),
        last.mark_line(color=SOFT, strokeWidth=1.2, clip=True).encode(order="t:Q"),
    ]


def _path() -> list[alt.Chart]:
    walked, arrow = past("x").transform_filter("datum.made == 1"), marked(rows("momentum", "x2"), "momentum")
    tip = arrow.transform_calculate(x="datum.x2", y="datum.y2", turn="datum.turned")
    size = if_("datum.offered == 1", 26, 14)
    return [
        walked.mark_line(color=ACCENT, strokeWidth=1.6, clip=True).encode(order="step:Q"),
        walked.mark_point(color=ACCENT, **DOT).encode(size=size),
        walked.transform_filter("datum.offered == 0").mark_point(size=7, color=PAPER, **DOT),
        stem(arrow, COLORS[2], 6, 2.5),
        tip.mark_point(shape="triangle-up", color=COLORS[2], **DOT).encode(
            angle=alt.Angle("turn:Q", scale=None), size=if_lit(220, 70)
        ),
    ]


def _ends() -> list[alt.Chart]:
    """Return the marks of a finished path: the ends that approach each other, and the point that was chosen."""
    ring = marked(rows("chosen", "x"), "chosen").mark_point(size=330, stroke=INK, **DOT | {"filled": False})
    return [
        stem(marked(rows("turn", "x"), "turn"), COLORS[1], 5, 2, strokeDash=[5, 4]),
        ring.encode(strokeWidth=if_lit(6, 2.6)),
    ]
