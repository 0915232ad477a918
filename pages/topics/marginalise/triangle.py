"""The simplex of three words as a triangle: where each class's word probabilities are, were, and are on average."""

from __future__ import annotations

from functools import cache, partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pages.contract.charts import Chart
from pages.contract.columns import Columns, Data
from pages.drawing.charts import INK, PAPER, SOFT, bare_axes, finish, past, rows
from pages.drawing.contours import as_rows, level_lines
from pages.drawing.lazy import alt
from pages.drawing.marks import CORNERS, SIDES, in_triangle, outlines, rim
from pages.drawing.once import drawn_once
from pages.drawing.palette import COLORS, SHAPES
from pages.scenes.shared import shared
from pages.topics.marginalise.scene import MarginaliseScene, room, running
from samplers.gradient.hmc import Trajectory
from samplers.gradient.naive_bayes_marginal import NaiveBayesMarginal

WORDS = 3
CELLS = 34  # of the density's grid, along each axis
EDGE = 0.004  # the grid keeps this far from the sides, where a density may be infinite
CONTOURS = (0.5, 2.0, 4.5)  # below the top of the log density
X, Y = (-0.07, 1.07), (-0.13, 0.97)


# ---- where -----------------------------------------------------------------------------------------------------------


# ---- density ---------------------------------------------------------------------------------------------------------


def log_densities(target: NaiveBayesMarginal, position: ArrayLike, label: int, probabilities: np.ndarray) -> np.ndarray:
    """Return the log density where one class's word probabilities are others and all else stays, without Jacobian.

    Parameters
    ----------
    target : NaiveBayesMarginal
        The density.
    position : array_like
        What stays, shape (D,).
    label : int
        The class, from 0.
    probabilities : numpy.ndarray
        What its word probabilities are instead, shape (places, V).

    Returns
    -------
    numpy.ndarray
        Of the probabilities themselves, not of the unconstrained numbers, up to a constant; shape (places,).
    """
    weights, word_probs = target.constrain(position)
    words = np.repeat(word_probs[None], len(probabilities), axis=0)
    words[:, label] = probabilities
    positions = target.unconstrain(np.broadcast_to(weights, (len(words), len(weights))), words)
    terms = [target.log_density_terms(there) for there in positions]
    return np.array([sum(one.values()) - one["log-Jacobian"] for one in terms])


@cache
def _grid() -> np.ndarray:
    """Return probabilities all over the triangle, shape (CELLS, CELLS, 3): rows towards the top corner."""
    top, part = np.meshgrid(*[np.linspace(EDGE, 1 - EDGE, CELLS)] * 2, indexing="ij")
    return np.stack([(1 - top) * (1 - part), (1 - top) * part, top], axis=-1)


@shared
def contours(scene: MarginaliseScene, iteration: int) -> dict[str, list[Any]]:
    """Return contours of the density over each class's word probabilities, all else as after an iteration, as rows."""
    run = scene.run
    position = np.array(run.state(iteration).position, float)
    grid = _grid()
    x, y = np.moveaxis(in_triangle(grid), -1, 0)
    labels, lines = [], []
    for label in range(run.target.classes):
        heights = log_densities(run.target, position, label, grid.reshape(-1, WORDS)).reshape(x.shape)
        found = [line for _, line in level_lines(x, y, heights - heights.max(), [-drop for drop in CONTOURS])]
        labels += [label] * len(found)
        lines += found
    rows = as_rows(lines, 4)
    return {**rows, "label": [labels[line] for line in rows["line"]]}


# ---- data ------------------------------------------------------------------------------------------------------------


def _each(scene: MarginaliseScene, **more: list[Any]) -> dict[str, list[Any]]:
    return {"label": list(range(scene.classes)), **room("x", "y", many=scene.classes), **more}


def _way(scene: MarginaliseScene) -> dict[str, Any]:
    return room(*(f"phi_{axis}{label}" for label in range(scene.classes) for axis in "xy"))


def walk_data(scene: MarginaliseScene) -> Data:
    """Return room for where the classes are, and for their averages."""
    return {"phi": _each(scene), "phi_mean": _each(scene), "past": _way(scene)}


def path_data(scene: MarginaliseScene, iteration: int, trajectory: Trajectory) -> Data:
    """Return the contours and where a path starts, and room for where it is and for what is chosen."""
    x, y = in_triangle(scene.run.target.constrain(trajectory.points[trajectory.start].position).word_probs).T.round(5)
    return {
        "phi": _each(scene),
        "phi_start": _each(scene, x=x.tolist(), y=y.tolist()),
        "phi_chosen": _each(scene),
        "past": _way(scene),
        "phi_contours": contours(scene, iteration - 1),
    }


def walk_columns(scene: MarginaliseScene, start: int, stop: int) -> Columns:
    """Return where the classes are in a run, iteration by iteration, and their averages after the warm-up."""
    probabilities = scene.run.word_probs[:stop]
    averages = running(probabilities, start, scene.settings.warmup, within=np.nan)
    return _now(in_triangle(probabilities[start:])) | _all("phi_mean", in_triangle(averages))


def path_columns(scene: MarginaliseScene, trajectory: Trajectory, at: np.ndarray, over: np.ndarray) -> Columns:
    """Return where the classes are on a path, and once it is over which point is chosen; see `plane.path_columns`."""
    found = in_triangle(scene.run.target.constrain(trajectory.positions).word_probs)[at]
    return _now(found) | _all("phi_chosen", np.where(over[:, None, None], found, np.nan))


def _now(found: np.ndarray) -> Columns:
    past: Columns = {
        ("past", f"phi_{axis}{label}"): found[:, label, i]
        for label in range(found.shape[1])
        for i, axis in enumerate("xy")
    }
    return past | _all("phi", found)


def _all(name: str, found: np.ndarray) -> Columns:
    return {(name, axis): found[:, :, i] for i, axis in enumerate("xy")}


# ---- chart -----------------------------------------------------------------------------------------------------------


def chart(scene: MarginaliseScene, legend: list[tuple[str, str]], *, path: bool) -> Chart:
    """Return the triangle, with the draws of a run or with the path of one iteration."""
    first, second, third = scene.words
    what = "the path of one iteration, from the ring" if path else "the draws so far, and the average of each class"
    more = " Contours: the density of one class's probabilities, all else as at the start, without the Jacobian."
    return Chart(
        "triangle",
        "Word probabilities φ",
        "· contours: φ of one class moved from the start, no Jacobian" if path else "· draws; diamonds: averages",
        f"A triangle with the words {first}, {second} and {third} at its corners; a point is nearer to a corner the "
        f"more probable its word. It holds {what}.{more if path else ''}",
        triangle((first, second, third), path, scene.classes),
        legend,
        aspect=f"{X[1] - X[0]:.2f} / {Y[1] - Y[0]:.2f}",
    )


@drawn_once
def triangle(words: tuple[str, str, str], path: bool, classes: int) -> dict[str, Any]:
    """Draw the triangle.

    Parameters
    ----------
    words : (str, str, str)
        Of the corners: left, right, top.
    path : bool
        Whether it holds the path of one iteration, and not the draws of a run.
    classes : int
        How many there are.
    """
    layers = _frame(words)
    for part in (_path if path else _draws, partial(_marks, path=path)):
        layers += [mark for label in range(classes) for mark in part(label)]
    x, y = bare_axes(X, Y)
    return finish(alt.layer(*layers).encode(x, y))


def _frame(words: tuple[str, str, str]) -> list[alt.Chart]:
    inner = []
    for part in (0.25, 0.5, 0.75):
        for corner in range(WORDS):
            ends = CORNERS[corner] * part + np.delete(CORNERS, corner, axis=0) * (1 - part)
            inner.append(dict(zip(("x", "y", "x2", "y2"), ends.ravel().tolist(), strict=True)))
    named = []
    looks: list[tuple[float, dict[str, Any]]] = [
        (-0.05, {"align": "left", "dy": 13}),
        (0.05, {"align": "right", "dy": 13}),
        (0.0, {"align": "center", "dy": -10}),
    ]
    for word, (x, y), (aside, look) in zip(words, CORNERS.tolist(), looks, strict=True):
        place = alt.Chart(alt.Data(values=[{"x": x + aside, "y": y, "word": word}]))
        named.append(place.mark_text(fontSize=13, fontWeight=600, color=INK, **look).encode(text="word:N"))
    return [
        alt.Chart(alt.Data(values=inner)).mark_rule(color=SOFT, opacity=0.22).encode(**SIDES),
        rim(1.3),
        *named,
    ]


def _of(label: int) -> alt.Chart:
    """Return where a class was."""
    return past().transform_calculate(x=f"datum.phi_x{label}", y=f"datum.phi_y{label}")


def _draws(label: int) -> list[alt.Chart]:
    return [_of(label).mark_point(shape=SHAPES[label], filled=True, size=14, opacity=0.4, color=COLORS[label])]


def _path(label: int) -> list[alt.Chart]:
    own, color = f"datum.label == {label}", COLORS[label]
    lines, start = (rows(f"phi_{name}").transform_filter(own) for name in ("contours", "start"))
    walked = _of(label).transform_filter("datum.made == 1")
    return [
        outlines(lines, color=color, strokeWidth=1, opacity=0.45),
        walked.mark_line(color=color, strokeWidth=1.8).encode(order="step:Q"),
        walked.mark_point(shape=SHAPES[label], filled=True, size=30, opacity=1, color=color),
        start.mark_point(filled=True, size=62, opacity=1, strokeWidth=2, fill=PAPER, stroke=color),
    ]


def _marks(label: int, path: bool) -> list[alt.Chart]:
    """Return the place now, with the number of its class, and what is chosen or the average."""

    def own(name: str) -> alt.Chart:
        return rows(name, "x").transform_filter(f"datum.label == {label}")

    color, here = COLORS[label], own("phi")
    if path:
        more = own("phi_chosen").mark_point(size=420, strokeWidth=2.4, opacity=1, stroke=INK)
    else:
        look: dict[str, Any] = {"shape": "diamond", "size": 170, "strokeWidth": 1.8, "opacity": 1}
        more = own("phi_mean").mark_point(fill=color, stroke=INK, **look)
    return [
        here.mark_point(shape=SHAPES[label], size=190, opacity=1, fill=color, stroke=PAPER),
        here.mark_text(fontSize=11, fontWeight=700, color="white", text=str(label + 1)),
        more,
    ]
