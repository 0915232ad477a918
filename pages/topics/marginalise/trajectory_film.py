"""The film of one iteration, a leapfrog step a frame: in the order in which its points were made."""

from __future__ import annotations

from typing import Any

import numpy as np

from lessons.topics.marginalise.mixture import ITERATIONS
from pages.contract.charts import Chart
from pages.contract.columns import Columns, Data
from pages.contract.film import Film
from pages.drawing.charts import ACCENT, INK, SOFT, axis, finish, past, rows
from pages.drawing.lazy import alt
from pages.drawing.once import drawn_once
from pages.scenes.energy_axis import beyond, bounded, within
from pages.scenes.leapfrogs import LeapfrogPath
from pages.topics.marginalise import plane, run_film
from pages.topics.marginalise.scene import MarginaliseScene, room
from samplers.gradient.hmc import Trajectory
from samplers.gradient.naive_bayes_marginal import LogSumExp

REACH = (0.5, 20.0)  # the shortest and the longest axis of energy errors


def film(scene: MarginaliseScene, path: LeapfrogPath) -> Film:
    """Return the film of one iteration."""
    return Film(
        key=f"path {scene.key} {path.iteration} {scene.settings.word} {scene.item}",
        charts=[plane.chart(scene, path.trajectory), *scene.path_charts(), _energy(path)],
        data=_data(scene, path),
        columns=lambda start, stop: _frames(scene, path, start, stop),
        total=path.total,
        strides=(("Leapfrog", 1),),
        label=f"iteration {path.iteration}, {{t}} of {{total}}{{over:| · a point is chosen}}",
        before=path.iteration > 1,
        after=path.iteration < ITERATIONS,
    )


def _energy(path: LeapfrogPath) -> Chart:
    errors = _errors(path.trajectory)
    steps = [point.step for point in path.trajectory.points]
    return Chart(
        "energy",
        "Energy error H − H₀",
        "· {error}",
        "How far the energy is from that at the start, along the path: it would stay the same if steps were tiny.",
        energy((min(steps) - 1, max(steps) + 1), float(np.clip(1.25 * np.abs(errors).max(), *REACH))),
    )


@drawn_once
def energy(steps: tuple[int, int], reach: float) -> dict[str, Any]:
    """Draw the energy error of each point that has been made, by its place in time."""
    ticks = {"tickMinStep": 1, "tickCount": alt.ExprRef("min(8, width / (40 * larger))")}
    x = axis(alt.X, "step", steps, "leapfrog steps from the start", grid=False, **ticks)
    y = alt.Y("error:Q", title=None, scale=alt.Scale(domain=[-reach, reach], nice=False, clamp=True))
    made = past().transform_filter("datum.made == 1").transform_calculate(zero="0")
    zero = alt.Chart(alt.Data(values=[{"error": 0}])).mark_rule(color=SOFT, strokeDash=[3, 3]).encode(y)
    stems = made.mark_rule(color=ACCENT, strokeWidth=1.4, opacity=0.6).encode(x, y, y2="zero:Q")
    dots = within(made, f"{reach}").mark_point(filled=True, size=34, opacity=1, color=ACCENT).encode(x, y)
    ring = rows("chosen", "step").mark_point(size=200, strokeWidth=2.4, opacity=1, stroke=INK)
    out = beyond(made, f"{reach}", x, y, color=alt.value(ACCENT))
    return finish(alt.layer(zero, stems, dots, *out, ring.encode(x, y)))


def _errors(trajectory: Trajectory) -> np.ndarray:
    """Return each point's energy less that of the start, `FAR` where it is more or no number."""
    with np.errstate(invalid="ignore"):
        return bounded(trajectory.energies - trajectory.energies[trajectory.start])


def _data(scene: MarginaliseScene, path: LeapfrogPath) -> Data:
    trajectory = path.trajectory
    sets = run_film.items(scene, means=False) | plane.path_data(scene, path.iteration - 1, trajectory)
    past = sets["past"] | room("step", "error", "offered", "made")
    found = scene.path_data(path)
    return sets | found | {"past": past | found.get("past", {}), "say": room("error", "over")}


def _frames(scene: MarginaliseScene, path: LeapfrogPath, start: int, stop: int) -> Columns:
    trajectory = path.trajectory
    over = np.arange(start, stop) >= path.total
    at = np.array([path.place(now) for now in range(start, stop)], np.int64)
    errors = _errors(trajectory)[at]
    steps = np.array([point.step for point in trajectory.points])[at]
    once = np.where(over, 1.0, np.nan)
    columns: Columns = {
        ("past", "step"): steps,
        ("past", "error"): errors,
        ("past", "offered"): np.array(trajectory.offered)[at],
        ("past", "made"): ~over,
        ("say", "error"): errors,
        ("say", "over"): over,
        ("chosen", "step"): once * steps,
        ("chosen", "error"): once * errors,
    }
    columns |= plane.path_columns(scene, trajectory, at, over) | _items(scene, trajectory, at)
    return columns | scene.path_columns(path, at, over)


def _items(scene: MarginaliseScene, trajectory: Trajectory, at: np.ndarray) -> Columns:
    """Return whose the items are at each point."""
    target = scene.run.target
    used, of_frame = np.unique(at, return_inverse=True)
    positions = [trajectory.points[place].position for place in used]
    with np.errstate(all="ignore"):  # far out on a path that diverges
        found = [LogSumExp(target.log_joint_by_class(position)).softmax for position in positions]
    probs = np.nan_to_num(np.array(found).reshape(len(used), scene.settings.size, scene.classes))[of_frame]
    return run_film.edges("now", probs)
