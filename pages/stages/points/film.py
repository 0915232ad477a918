"""Films of points: a run sweep by sweep, or one sweep beat by beat, of one chain or of two."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from lessons.stages.fields import SWEEPS
from pages.contract.charts import Chart
from pages.contract.film import Film
from pages.drawing.charts import Domain, trace
from pages.drawing.numbers import counted, rounded
from pages.drawing.palette import RED, SOFT, color
from pages.player.run import grown
from pages.stages.close_up import SWEEP_BY_SWEEP, CloseUp, chapter_of
from pages.stages.points import charts, pictures
from pages.stages.points.beats import FIELDS, MOST_MEANS, ROOM, BeatFrames, Columns, cluster_columns, shares
from pages.stages.points.model import SHOWN
from pages.stages.points.options import DART, ROWS, fields_of
from pages.stages.points.pictures import REPLICA
from pages.stages.points.replica import replica_columns
from pages.stages.points.run import highest, means_of
from pages.stages.points.scene import BELOW, Scene, domain
from pages.stages.points.stills import NOTHING, places, predictions
from pages.stages.points.update_layers import Picture

MAKERS = "m"  # of the points by who made them
STEP = 1.25  # by how much the chart's height grows when a curve outgrows it
RAYS = (("ink", "a component's direction"), ("dashed", "border between two"))
BY_SWEEP = ("replica", "makers", "alpha")  # charts that a sweep's own film has not
LOG_JOINT = "The log probability of data and labels together, along the run."
CHAINS = (("accent", "first chain"), ("dashed", "second chain"))


def sweeps_film(scene: Scene) -> Film:
    """Return the run, a frame a sweep."""
    key = f"{scene.key} sweeps"
    if key not in scene.films:
        scene.films[key] = _film(
            scene,
            key=key,
            frames=lambda start, stop: _sweep_frames(scene, start, stop),
            total=SWEEPS,
            still=lambda t: predictions(scene, t, float(_tops(scene, t, t + 1)[0]) if scene.flat else 1.0),
            grow=lambda t: grown(scene.runs, t),
            **SWEEP_BY_SWEEP,
        )
    return scene.films[key]


def close_up_film(scene: Scene, close_up: CloseUp[Any]) -> Film:
    """Return one sweep of the first chain, a frame a beat, or raise `NotYet` while it is being replayed."""
    if close_up.film is None:
        points = _data(scene, False, opened=True)["points_a"]
        close_up.film = BeatFrames(scene, close_up, np.column_stack([points["x"], points["y"]]))
    frames: BeatFrames = close_up.film
    if scene.flat:  # the highest curve of the sweep sets the chart's height
        frames.whole()
    if frames.film is None:
        frames.film = _film(
            scene,
            key=f"{scene.key} sweep {close_up.sweep}",
            frames=frames.columns,
            grow=frames.grow,
            **chapter_of(close_up, "|".join(("point", *scene.model.blocks)), "point", SWEEPS),
        )
    return frames.film


def _film(scene: Scene, *, total: int, **more: Any) -> Film:
    by_sweep = "still" in more
    both = by_sweep and len(scene.runs) == 2
    shown = scene.two if both else [name for name in scene.one if by_sweep or name not in BY_SWEEP]
    return Film(
        charts=_charts(scene, shown, None if by_sweep else total, both),
        data=_data(scene, both, opened=not by_sweep),
        total=total,
        **more,
    )


# ---- charts and what does not change -------------------------------------------------------------------------------


def _charts(scene: Scene, shown: Sequence[str], last: int | None, both: bool) -> list[Chart]:
    """Return the charts of these names; `last` is the last beat, or None of a film of sweeps."""
    unit, many = "sweeps" if last is None else "beats of this sweep", scene.model.many

    def along(name: str, title: str, field: str, alt: str, domain: Domain) -> Chart:
        spec, legend = trace(field, last, unit, both), CHAINS if both else ()
        return Chart(name, title, f"· {{{field}}}", alt, spec, legend, params={f"{field}_span": domain})

    makers = {
        "points": lambda: _points(scene, "a", last is None, both),
        "second": lambda: _points(scene, "b", last is None, both),
        "replica": lambda: _replica(scene),
        "makers": lambda: _makers(scene),
        "trace": lambda: along("trace", "Log joint", "log_joint", LOG_JOINT, _span(scene)),
        "many": lambda: _how_many(scene, both),
        "tables": lambda: along(
            "tables", many.capitalize(), "tables", f"The number of {many} along the run.", (0, _most(scene))
        ),
        "means": lambda: _means(scene, last, unit),
    }
    if scene.learned:
        makers["alpha"] = scene.learned.chart
    return [makers[name]() for name in shown]


def _points(scene: Scene, name: str, at_rest: bool, both: bool) -> Chart:
    place = "ab".index(name)
    model = scene.runs[place].model
    number = "tables_b" if place else "tables"
    what = "Points on a line" if scene.flat else "Points in a plane"
    return Chart(
        "second" if place else "points",
        scene.titles[place] if both else "Points",
        f"· {{{number}}} {{{number}:{model.many}|{model.one}|{model.many}}}",
        f"{what}, each in the colour and shape of its {model.one}, and the {model.many} themselves.",
        _picture(scene, name, not at_rest),
        RAYS if model.counts else _legend(scene, at_rest) if not place else (),
        "" if scene.flat else "1 / 1" if both or (at_rest and scene.beside) else "4 / 3",
        beside=bool(place),
    )


def _replica(scene: Scene) -> Chart:
    many = len(scene.data)
    outside = f"{{outside_{REPLICA}:| · one lies beyond the axes| · some lie beyond the axes}}"
    return Chart(
        "replica",
        f"{many} points from the model",
        f"· {{tables_{REPLICA}}} {{tables_{REPLICA}:tables|table|tables}}{outside}",
        "As many new points as there are, drawn from the predictive distribution of this sweep's tables.",
        _picture(scene, REPLICA, False),
        aspect="" if scene.flat else "1 / 1",
        beside=True,
    )


def _makers(scene: Scene) -> Chart:
    assert scene.makers is not None
    return Chart(
        "makers",
        "Who made them",
        f"· {counted(len(np.unique(scene.makers)), 'component')}, which the sampler never sees",
        "The same points in the colour and shape of the component that each was drawn from.",
        _picture(scene, MAKERS, False),
        aspect="" if scene.flat else "1 / 1",
        beside=True,
    )


def _legend(scene: Scene, at_rest: bool) -> tuple[tuple[str, str], ...]:
    if at_rest and scene.averaged:
        now = (("dashed", "of this sweep"),) if scene.flat else ()
        exact = ((f"{RED} solid", "exact"),) if scene.exact_density else ()
        return ("accent", "prediction, averaged (drawn when paused)"), *now, *exact
    if at_rest:
        return (("dashed" if scene.flat else "ink", "prediction (drawn when paused)"),)
    fit = ((f"{SOFT} solid", "fit: the height at the point in hand"),) if scene.flat else ()
    return (*fit, ("dashed", f"prediction of a new {scene.model.one}")) if scene.model.opens else fit


def _how_many(scene: Scene, both: bool) -> Chart:
    many, exact = scene.model.many, scene.exact is not None
    return Chart(
        "many",
        f"Number of {many} so far",
        "",
        f"How often each number of {many} has come up so far, beside the exact posterior where it is known.",
        charts.table_counts(scene.most_tables, exact, both, many, scene.most_tables < len(scene.data)),
        [
            ("block", "first chain" if both else "this chain"),
            *([("dashed", "second")] if both else []),
            *([("ink", "exact")] if exact else []),
        ],
    )


def _most(scene: Scene) -> int:
    """Return where the axis of the components in use ends: beyond those of the first sweeps."""
    return max(8, 3 + max(int(tables[1:].max()) for tables in scene.seen_early("tables")))


def _means(scene: Scene, last: int | None, unit: str) -> Chart:
    components = len(scene.model.sizes(scene.runs[0].state(0)))
    return Chart(
        "means",
        "Means" if scene.flat else f"Means along {scene.columns[0].name}",
        "· running means are thick" if last is None else "",
        "Where the mean of each component lies along the run, and the average of it so far.",
        charts.means(components, scene.columns[0], domain(scene.data[:, 0], 0.05), last, unit),
        [(f"{color(component)} solid", str(component + 1)) for component in range(components)],
    )


def _picture(scene: Scene, name: str, opened: bool) -> dict[str, Any]:
    size = 90 if len(scene.data) <= 30 else 55 if len(scene.data) <= 120 else 28
    model = scene.runs[name == "b"].model
    unit = ", in counts" if scene.settings.in_counts else ""
    columns = [replace(column, name=column.name + unit) for column in scene.columns]
    draw = pictures.line if scene.flat else pictures.rays if model.counts else pictures.plane
    averaged = scene.averaged is not None and not opened
    return draw(Picture(name, *scene.domains, (columns[0], columns[-1]), size, model.one, opened, averaged))


def _tops(scene: Scene, start: int, stop: int) -> np.ndarray:
    """Return the height of the chart after each sweep: above all curves until then, and seldom changed."""
    first = max(heights.max() for heights in scene.seen_early("heights"))
    if scene.exact_density is not None:
        first = max(first, scene.exact_density(places(scene)).max())
    seen = np.max([run.heights[start:stop] for run in scene.runs], axis=0)
    tops: np.ndarray = ROOM * first * STEP ** np.ceil(np.log(np.maximum(seen, first) / first) / np.log(STEP))
    return tops.astype(np.float32)


def _span(scene: Scene) -> Domain:
    """Return where the log joint moves in the first sweeps, with some room."""
    seen = np.concatenate(scene.seen_early("log_joint"))
    low, high = float(seen.min()), float(seen.max())
    room = 0.15 * (high - low) + 1
    return float(np.floor(low - room)), float(np.ceil(high + room))


def _data(scene: Scene, both: bool, *, opened: bool) -> dict[str, dict[str, list]]:
    """Return the data sets with all their fields; frames change some of them."""
    data, y = scene.data, _heights(scene)
    k = list(range(1, scene.most_tables + 1))
    exact = scene.exact.table_counts[1 : len(k) + 1] if scene.exact is not None else np.zeros(len(k))
    sets: dict[str, dict[str, list]] = {
        "counts": {"k": k, "share": [0] * len(k), "share_b": [0] * len(k), "exact": rounded(exact, 5)},
    }
    replica = REPLICA if scene.replica and not opened else ""
    makers = MAKERS if scene.makers is not None and not opened else ""
    for name in "ab" if both else "a" + replica + makers:
        labels = scene.makers.tolist() if name == MAKERS and scene.makers is not None else [0] * len(data)
        names = list(range(1, len(data) + 1))
        sets[f"points_{name}"] = {
            "x": rounded(data[:, 0], 5),
            "y": rounded(y, 5),
            "name": names,
            "label": labels,
        }
        sets[f"clusters_{name}"] = {field: [None] * SHOWN for field in (*FIELDS, "top")}
        sets[f"contours_{name}"] = {field: [*values] for field, values in NOTHING.items()}
    if scene.learned and not opened:
        sets |= scene.learned.data()
    if opened:
        sets["options_a"] = {field: [None] * ROWS for field in (*fields_of(scene), "top")}
        sets["dart_a"] = {field: [None] for field in DART}
    return sets


def _heights(scene: Scene) -> np.ndarray:
    """Return how high points are drawn; those on a line lie scattered below it, so that they can be seen."""
    if not scene.flat:
        return scene.data[:, 1]
    jitter: np.ndarray = np.random.default_rng(0).uniform(0.15, 0.72, len(scene.data))
    return -BELOW * jitter


# ---- frames --------------------------------------------------------------------------------------------------------


def _sweep_frames(scene: Scene, start: int, stop: int) -> Columns:
    columns: Columns = {}
    for run, name, end in zip(scene.runs, "ab", ("", "_b"), strict=False):
        tables, log_joint = run.tables[start:stop], run.log_joint[start:stop]
        labels, clusters = run.named(start, stop, scene.names)
        columns |= {
            (f"points_{name}", "label"): labels,
            ("past", f"log_joint{end}"): log_joint[:, None],
            ("past", f"tables{end}"): tables[:, None],
            ("say", f"log_joint{end}"): log_joint[:, None],
            ("say", f"tables{end}"): tables[:, None],
            ("counts", f"share{end}"): shares(run, start, stop, scene.most_tables),
        } | cluster_columns(name, clusters)
        if scene.flat:
            columns["clusters_" + name, "top"] = np.repeat(_tops(scene, start, stop)[:, None], SHOWN, axis=1)
    if scene.replica:
        columns |= _replica_frames(scene, start, stop)
    if scene.learned:
        columns |= scene.learned.columns(start, stop)
    if "means" in (scene.two if len(scene.runs) == 2 else scene.one):
        columns |= _mean_columns(scene, start, stop)
    return columns


def _replica_frames(scene: Scene, start: int, stop: int) -> Columns:
    """Return the points that are drawn from the model; on a line dishes that are too high for the axis set its end."""
    columns, dishes = replica_columns(scene, start, stop, _heights(scene))
    if scene.flat:
        tops = np.maximum(_tops(scene, start, stop), [ROOM * highest(rows) for rows in dishes]).astype(np.float32)
        columns[f"clusters_{REPLICA}", "top"] = np.repeat(tops[:, None], SHOWN, axis=1)
    return columns | cluster_columns(REPLICA, dishes)


def _mean_columns(scene: Scene, start: int, stop: int) -> Columns:
    """Return the components' means after each sweep, and their averages over the sweeps until then, from 1."""
    means = means_of(scene.runs[0].named(0, stop, scene.names)[1], MOST_MEANS)
    there = np.isfinite(means)
    there[:1] = False
    with np.errstate(invalid="ignore"):
        running = np.where(there, means, 0).cumsum(axis=0) / there.cumsum(axis=0)
    both = {"m": means[start:stop], "r": running[start:stop].astype(np.float32)}
    return {("past", f"{letter}{i}"): part[:, i : i + 1] for letter, part in both.items() for i in range(MOST_MEANS)}
