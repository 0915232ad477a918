"""The film of an opened move: a cluster tears, point by point, or two are to merge; the ratio, and the dart."""

from __future__ import annotations

from typing import Any

import numpy as np

from lessons.settings.fields import SWEEPS
from pages.contract.charts import Chart
from pages.contract.columns import FLOAT32, UINT8, Columns, Data
from pages.contract.film import Film
from pages.drawing.charts import INK, by_stroke, plane_axes, rows
from pages.drawing.marks import SIDES, corners
from pages.drawing.numbers import rounded
from pages.drawing.once import drawn_once
from pages.drawing.palette import COLORS
from pages.scenes import acceptance
from pages.scenes.points.beats import cluster_columns, cluster_data
from pages.scenes.points.model import PARAMETERS, SHOWN
from pages.scenes.points.options import DART, ROWS, Update, fields_of, options_data
from pages.scenes.points.pictures import plane_layers
from pages.scenes.points.scene import MixtureScene
from pages.scenes.points.stills import points_data
from pages.scenes.points.update_layers import AROUND, PointsPicture
from pages.topics.jumps.run import PAIR, OpenedMove
from samplers.jumps.split_merge import FIT, PROPOSAL, SEATING

STAGES = "start|a pair is drawn|coins|a restricted scan|the last scan|the ratio|the dart|a Gibbs sweep"
START, DRAWN, COINS, SCAN, LAST, RATIO, DICE, SWEPT = range(8)
GHOST = ("mx", "my", "a", "b", "c")
MOVE = ("seating", "fit", "proposal", "sum")  # of the ratio


def stage_of_frame(move: OpenedMove, t: int) -> int:
    """Return the stage that frame t shows, as a number of `STAGES`."""
    if t <= PAIR:
        return t
    if t < move.first:
        return COINS if t == PAIR + 1 else SCAN
    return LAST if t < move.ratio else RATIO + t - move.ratio


def move_film(scene: MixtureScene[Any], move: OpenedMove) -> Film:
    """Return the film of a move, frame by frame."""
    if move.film is None:
        params = acceptance.params_of([*move.move.terms.values(), move.move.log_ratio])
        move.film = Film(
            key=f"{scene.key} move {move.sweep}",
            charts=_charts(scene, move, params),
            data=_data(scene, move),
            columns=_columns(scene, move),
            total=move.total,
            label=f"sweep {move.sweep} · {{stage:{STAGES}}}",
            strides=(("Beat", 1), ("10 beats", 10)),
            before=move.sweep > 1,
            after=move.sweep < SWEEPS,
            params=params,
        )
    return move.film


def _charts(scene: MixtureScene[Any], move: OpenedMove, params: acceptance.Span) -> list[Chart]:
    size = 90 if len(scene.data) <= 30 else 55
    picture = PointsPicture("a", *scene.domains, (scene.columns[0], scene.columns[-1]), size, scene.model.one, True)
    kind = "split" if move.move.splits else "merge"
    return [
        Chart(
            "points",
            f"A {kind}",
            "· {stage:" + STAGES + "}",
            "Points in a plane: two that were drawn are ringed, and threads lead from the others to their sides.",
            picture_of_move(picture),
            [("dashed", "clusters before the move", "undecided")],
            "4 / 3",
        ),
        *acceptance.charts(MOVE, "three factors of the", "proposal", params),
    ]


@drawn_once
def picture_of_move(picture: PointsPicture) -> dict[str, Any]:
    """Draw points while their cluster tears, or while two are to merge, and what each point of a scan may join.

    A thread leads from each of the points to the middle of its side. The clusters before the move are dashed until the
    dart has decided.
    """
    axes = plane_axes(picture.x, picture.y, picture.columns)
    threads = rows("threads", "x2").transform_calculate(color=f"datum.label % {len(COLORS)}")
    threads = threads.mark_rule(opacity=0.4, strokeWidth=1.2, clip=True).encode(*axes, by_stroke(), **SIDES)
    ghosts = corners(rows("ghosts", "mx", "shown"), "2", AROUND).mark_line(
        interpolate="cardinal-closed", color=INK, opacity=0.6, strokeDash=[6, 4], strokeWidth=1.5, clip=True
    )
    anchors = rows("anchors", "shown").encode(*axes)
    rings = anchors.mark_point(shape="circle", size=420, opacity=1, color=INK, strokeWidth=2.4)
    return plane_layers(picture, [ghosts.encode(*axes, detail="i:N", order="angle:Q"), threads], [rings])


def _data(scene: MixtureScene[Any], move: OpenedMove) -> Data:
    """Return the data sets, with the columns that change."""
    data, record = scene.data, move.move
    before = scene.model.parameters(move.before)
    torn = np.isin(before[:, 0], [record.before[anchor] for anchor in record.pair])
    members = list(record.points)
    return {
        **points_data("a", data[:, 0], data[:, 1]),
        **cluster_data("a", True),
        **options_data(fields_of(scene)),
        "ghosts": {name: rounded(before[torn, 2 + place], 5) for place, name in enumerate(GHOST)} | {"shown": FLOAT32},
        "threads": {
            "x": rounded(data[members, 0], 5) or [None],
            "y": rounded(data[members, 1], 5) or [None],
            **dict.fromkeys(("x2", "y2", "label"), FLOAT32),
        },
        "anchors": {axis: rounded(data[list(record.pair), place], 5) for place, axis in enumerate("xy")}
        | {"shown": FLOAT32},
        **acceptance.sets(MOVE),
        "say": dict.fromkeys(("stage", "verdict", "undecided"), UINT8),
    }


def _columns(scene: MixtureScene[Any], move: OpenedMove) -> Columns:
    """Return every column of all frames."""
    frames, record = move.total + 1, move.move
    stages = np.array([stage_of_frame(move, t) for t in range(frames)])
    labels = np.array([move.labels(t) for t in range(frames)], np.int16)
    clusters = np.empty((frames, SHOWN, PARAMETERS), np.float32)
    fields = fields_of(scene)
    options = np.full((frames, ROWS, len(fields)), np.nan, np.float32)
    darts = np.full((frames, len(DART)), np.nan, np.float32)
    threads = np.full((frames, 3, max(1, len(record.points))), np.nan, np.float32)
    for t in range(frames):
        state = move.mixture.state(labels[t])
        clusters[t] = scene.model.parameters(state)
        if COINS <= stages[t] <= LAST and record.points:
            threads[t] = _threads(scene, state, labels[t, list(record.points)])
        if (number := move.in_hand(t)) is not None:
            beat = move.beat(number)
            point = int(beat.update.site)
            update = Update(scene, beat, np.array(rounded(scene.data[point], 5)))
            rows = update.rows()
            options[t, : len(rows)], labels[t, point] = rows, -1
            if beat.update.uniform is not None:
                darts[t] = update.dart()[1]
            threads[t, :, number] = np.nan
    scored = np.isfinite(options[:, :1, 0])
    undecided = (stages > START) & (stages < DICE)
    verdict = np.where(stages < DICE, 0, 1 if record.accepted else 2)
    return {
        ("points_a", "label"): labels,
        **cluster_columns("a", clusters),
        ("clusters_a", "top"): np.where(scored, np.nan, 1),
        ("options_a", "top"): np.where(scored, 1, np.nan),
        **{("options_a", name): options[:, :, i] for i, name in enumerate(fields)},
        **{("dart_a", name): darts[:, i] for i, name in enumerate(DART)},
        **{("threads", name): threads[:, i] for i, name in enumerate(("x2", "y2", "label"))},
        ("ghosts", "shown"): np.where(undecided & (stages > DRAWN), 1, np.nan),
        ("anchors", "shown"): np.where(undecided | (stages == DICE), 1, np.nan),
        ("ratio", "value"): _ratios(move, stages),
        ("dice", "p"): np.where(stages >= RATIO, record.probability, np.nan),
        ("dice", "at"): np.where(stages >= DICE, record.uniform, np.nan),
        ("say", "stage"): stages,
        ("say", "verdict"): verdict,
        ("say", "undecided"): undecided & (stages > DRAWN),
    }


def _threads(scene: MixtureScene[Any], state: Any, labels: np.ndarray) -> np.ndarray:
    """Return where the threads of some points end, at the middle of their sides, and their labels; (3, points)."""
    ends = {label: scene.model.place(state, label) for label in np.unique(labels).tolist()}
    return np.array([(*ends[label], label) for label in labels.tolist()], np.float32).T


def _ratios(move: OpenedMove, stages: np.ndarray) -> np.ndarray:
    """Return the logs of the factors and their sum, NaN until they are known; the proposal grows point by point."""
    found = np.full((len(stages), 4), np.nan, np.float32)
    terms = move.move.terms
    way = -1 if move.move.splits else 1
    for t in np.flatnonzero(stages == LAST).tolist():
        found[t, 2] = way * move.log_q(t - move.first + 1)
    found[stages >= RATIO] = [terms[SEATING], terms[FIT], terms[PROPOSAL], move.move.log_ratio]
    return found
