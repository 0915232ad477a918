"""The film of one iteration, a leapfrog step a frame: in the order in which its points were made."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import altair as alt
import numpy as np

from lessons.stages.marginalise import CLASSES, ITERATIONS
from pages.drawing.charts import ACCENT, INK, NOW, SOFT, SPECS, finish
from pages.player.player import Chart, Film
from pages.stages.marginalise import charts, plane, run_film, triangle
from pages.stages.marginalise.run import LeapfrogPath
from pages.stages.marginalise.scene import Scene
from samplers.gradient.hmc import Trajectory
from samplers.gradient.naive_bayes_marginal import LogSumExp

ARROW = 0.16  # length of the momentum's arrow at its typical size, as a share of the plane


def film(scene: Scene, path: LeapfrogPath) -> Film:
    """Return the film of one iteration."""
    areas, columns = _layout(scene)
    return Film(
        key=f"path {scene.key} {path.iteration} {scene.settings.word} {scene.item}",
        charts=_charts(scene, path),
        areas=areas,
        columns=columns,
        data=_data(scene, path),
        frames=lambda start, stop: _frames(scene, path, start, stop),
        total=path.total,
        label=f"iteration {path.iteration}, {{t}} of {{total}}{{over:| · a point is chosen}}",
        before=path.iteration > 1,
        after=path.iteration < ITERATIONS,
    )


def _layout(scene: Scene) -> tuple[str, str]:
    if triangle.shown(scene):
        return (
            '"plane triangle classes" "plane triangle energy"',
            "minmax(0, 1.15fr) minmax(0, 1.1fr) minmax(0, 0.85fr)",
        )
    return f'"plane {"points" if scene.two_means else "classes"}" "plane energy"', "minmax(0, 0.6fr) minmax(0, 1fr)"


def _charts(scene: Scene, path: LeapfrogPath) -> list[Chart]:
    items = run_film.points_chart(scene) if scene.two_means else _class_chart(scene)
    simplex = [triangle.chart(scene, run_film.legend(scene), path=True)] if triangle.shown(scene) else []
    return [plane.chart(scene, path=True), *simplex, items, _energy(path)]


def _class_chart(scene: Scene) -> Chart:
    return Chart(
        "classes",
        "Pr[z = k] at this point of the path",
        "",
        "For each document the probability of each class at the point that the path has reached.",
        charts.classes(len(scene.rows), False),
        run_film.legend(scene),
    )


def _energy(path: LeapfrogPath) -> Chart:
    errors = _errors(path.trajectory)
    steps = [point.step for point in path.trajectory.points]
    return Chart(
        "energy",
        "Energy less that of the start",
        "· {error}",
        "How far the energy is from that at the start, along the path: it would stay the same if steps were tiny.",
        energy((min(steps) - 1, max(steps) + 1), float(max(0.5, 1.25 * np.abs(errors).max()))),
    )


@lru_cache(maxsize=SPECS)
def energy(steps: tuple[int, int], reach: float) -> dict[str, Any]:
    """Draw the energy error of each point that has been made, by its place in time."""
    x = alt.X(
        "step:Q",
        title="leapfrog steps from the start",
        scale=alt.Scale(domain=list(steps), nice=False),
        axis=alt.Axis(grid=False, tickMinStep=1, tickCount=alt.ExprRef("min(8, width / 40)")),
    )
    y = alt.Y("error:Q", title=None, scale=alt.Scale(domain=[-reach, reach], nice=False, clamp=True))
    made = (
        alt.Chart(alt.NamedData("past"))
        .transform_filter(f"datum.t <= {NOW} && datum.made == 1")
        .transform_calculate(zero="0")
    )
    zero = alt.Chart(alt.Data(values=[{"error": 0}])).mark_rule(color=SOFT, strokeDash=[3, 3]).encode(y)
    stems = made.mark_rule(color=ACCENT, strokeWidth=1.4, opacity=0.6).encode(x, y, y2="zero:Q")
    dots = made.mark_point(filled=True, size=34, opacity=1, color=ACCENT).encode(x, y)
    chosen = (
        alt.Chart(alt.NamedData("chosen"))
        .transform_filter("isValid(datum.step)")
        .mark_point(shape="circle", filled=False, size=200, strokeWidth=2.4, opacity=1)
        .encode(x, y, stroke=alt.value(INK))
    )
    return finish(alt.layer(zero, stems, dots, chosen))


def _errors(trajectory: Trajectory) -> np.ndarray:
    """Return each point's energy less that of the start; a divergent one's is cut at 1,000."""
    errors: np.ndarray = np.nan_to_num(trajectory.energies - trajectory.energies[trajectory.start], posinf=1e3)
    return errors.clip(-1e3, 1e3)


def _data(scene: Scene, path: LeapfrogPath) -> dict[str, dict[str, list[Any]]]:
    sets = run_film.data(scene)
    if triangle.shown(scene):
        sets |= triangle.path_data(scene, path.iteration, path.trajectory)
    sets["contours"] = plane.contours(scene, path.iteration - 1)
    sets["here"] = {"x": [None], "y": [None]}
    sets["momentum"] = {name: [None] for name in ("x", "y", "x2", "y2", "turned")}
    sets["turn"] = {name: [None] for name in ("x", "y", "x2", "y2")}
    sets["chosen"] = {name: [None] for name in ("x", "y", "step", "error")}
    return sets


def _frames(scene: Scene, path: LeapfrogPath, start: int, stop: int) -> Mapping[tuple[str, str], np.ndarray]:
    trajectory = path.trajectory
    t = np.arange(start, stop)
    over = t >= path.total
    at = np.array([path.place(int(now)) for now in t], np.int64)
    axes = list(plane.coordinates(scene))
    places, errors = trajectory.positions[:, axes], _errors(trajectory)
    steps = np.array([point.step for point in trajectory.points])
    nothing = np.where(over, 1.0, np.nan)
    columns = {
        ("past", "step"): steps[at],
        ("past", "error"): errors[at],
        ("past", "offered"): np.array(trajectory.offered)[at],
        ("past", "made"): ~over,
        ("say", "error"): errors[at],
        ("say", "over"): over,
        ("chosen", "step"): nothing * steps[at],
        ("chosen", "error"): nothing * errors[at],
        **_arrows(scene, trajectory, at, over),
    }
    for i, axis in enumerate("xy"):
        for name in ("past", "here"):
            columns[(name, axis)] = places[at, i]
        columns[("chosen", axis)] = nothing * places[at, i]
        if trajectory.turn is not None:
            first, last = trajectory.turn
            columns[("turn", axis)] = nothing * places[first, i]
            columns[("turn", f"{axis}2")] = nothing * places[last, i]
    wide = {name: np.asarray(column, np.float32)[:, None] for name, column in columns.items()}
    if triangle.shown(scene):
        wide |= triangle.path_columns(scene, trajectory, at, over)
    return wide | _items(scene, trajectory, at)


def _arrows(
    scene: Scene, trajectory: Trajectory, at: np.ndarray, over: np.ndarray
) -> dict[tuple[str, str], np.ndarray]:
    """Return the momentum as an arrow; the same length on the screen for a typical one, whatever the mass."""
    axes = list(plane.coordinates(scene))
    widths = np.array([high - low for low, high in plane.domains(scene)])
    typical = np.sqrt(trajectory.inverse_mass[axes])
    momenta = trajectory.momenta[at][:, axes] * typical
    ends = trajectory.positions[at][:, axes] + ARROW * widths * momenta / np.sqrt(2)
    turned = np.degrees(np.arctan2(momenta[:, 0], momenta[:, 1]))  # of a triangle that points up
    here = np.where(over, np.nan, 1.0)
    starts = trajectory.positions[at][:, axes]
    return {
        ("momentum", "x"): here * starts[:, 0],
        ("momentum", "y"): here * starts[:, 1],
        ("momentum", "x2"): here * ends[:, 0],
        ("momentum", "y2"): here * ends[:, 1],
        ("momentum", "turned"): turned,
    }


def _items(scene: Scene, trajectory: Trajectory, at: np.ndarray) -> dict[tuple[str, str], np.ndarray]:
    """Return whose the items are at each point."""
    target = scene.run.target
    items = slice(None) if scene.two_means else scene.rows
    used = np.unique(at)
    row_of = {int(place): row for row, place in enumerate(used)}
    rows = np.array([row_of[int(place)] for place in at], int)
    positions = [trajectory.points[place].position for place in used]
    with np.errstate(all="ignore"):  # far out on a path that diverges
        found = [LogSumExp(target.log_joint_by_class(position)).softmax[:, 0] for position in positions]
    probs = np.array(found).reshape(len(used), scene.settings.size)
    columns = {("rows", "now"): np.nan_to_num(probs[rows][:, items]).astype(np.float32)}
    if scene.two_means:
        means = np.array([target.constrain(position).means[:, 0] for position in positions]).reshape(-1, CLASSES)
        columns[("components", "mean")] = means[rows].astype(np.float32)
    return columns
