"""Films of points: a run sweep by sweep, or one sweep beat by beat, of one chain or of two."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from lessons.settings.fields import SWEEPS
from pages.contract.charts import TOLD, Chart
from pages.contract.columns import FLOAT32, INT16, UINT8, Columns, Data, along
from pages.contract.film import Film
from pages.drawing.charts import Domain, trace
from pages.drawing.numbers import counted, rounded
from pages.drawing.palette import RED, SOFT, color
from pages.player.run import grown
from pages.scenes.close_up import SWEEP_BY_SWEEP, CloseUp, chapter_of
from pages.scenes.points import charts, pictures
from pages.scenes.points.beats import FIELDS, MOST_MEANS, ROOM, BeatFrames, cluster_columns, cluster_data, shares
from pages.scenes.points.matching import matched
from pages.scenes.points.model import SHOWN
from pages.scenes.points.options import fields_of, options_data
from pages.scenes.points.pictures import MAKERS, REPLICA
from pages.scenes.points.replica import replica_columns
from pages.scenes.points.run import highest, means_of
from pages.scenes.points.scene import BELOW, MixtureScene, domain
from pages.scenes.points.stills import places, points_data, predictions
from pages.scenes.points.update_layers import PointsPicture

FEW = 30  # points that are drawn large, and have room below the curves
STEP = 1.25  # by how much the chart's height grows when a curve outgrows it
RAYS = (("ink", "a component's direction"), ("dashed", "border between two"))
BY_SWEEP = ("replica", "makers", "alpha", "histogram")  # charts that a sweep's own film has not
LOG_JOINT = "The log probability of data and labels together, along the run."
CHAINS = (("accent", "first chain"), ("dashed", "second chain"))


def sweeps_film(scene: MixtureScene) -> Film:
    """Return the run, a frame a sweep."""
    key = f"{scene.key} sweeps"
    if key not in scene.films:
        scene.films[key] = _film(
            scene,
            key=key,
            columns=lambda start, stop: _sweep_frames(scene, start, stop),
            total=SWEEPS,
            still=lambda t: predictions(scene, t, float(_tops(scene, t, t + 1)[0]) if scene.flat else 1.0),
            grow=lambda t: grown(scene.runs, t),
            **SWEEP_BY_SWEEP,
        )
    return scene.films[key]


def close_up_film(scene: MixtureScene, close_up: CloseUp[Any]) -> Film:
    """Return one sweep of the first chain, a frame a beat, or raise `NotYet` while it is being replayed."""
    if close_up.film is None:
        places = [rounded(scene.data[:, 0], 5), rounded(_heights(scene), 5)]
        close_up.film = BeatFrames(scene, close_up, np.column_stack(places))
    frames: BeatFrames = close_up.film
    if scene.flat:  # the highest curve of the sweep sets the chart's height
        frames.whole()
    if frames.film is None:
        frames.film = _film(
            scene,
            key=f"{scene.key} sweep {close_up.sweep}",
            columns=frames.columns,
            grow=frames.grow,
            **chapter_of(close_up, "|".join(("point", *scene.model.blocks)), "point", SWEEPS),
        )
    return frames.film


def _film(scene: MixtureScene, *, total: int, **more: Any) -> Film:
    by_sweep = "still" in more
    both = by_sweep and len(scene.runs) == 2
    shown = scene.two if both else [name for name in scene.one if by_sweep or name not in BY_SWEEP]
    return Film(
        charts=_charts(scene, shown, None if by_sweep else total, both),
        data=_data(scene, both, shown, opened=not by_sweep),
        total=total,
        **more,
    )


# ---- charts and what does not change -------------------------------------------------------------------------------


def _charts(scene: MixtureScene, shown: Sequence[str], last: int | None, both: bool) -> list[Chart]:
    """Return the charts of these names; `last` is the last beat, or None of a film of sweeps."""
    unit, many = "sweeps" if last is None else "beats of this sweep", scene.model.many

    def line(name: str, title: str, field: str, alt: str, domain: Domain) -> Chart:
        spec, legend = trace(field, last, unit, both, grows=field == "tables"), CHAINS if both else ()
        return Chart(name, title, f"· {{{field}}}", alt, spec, legend, params={f"{field}_span": domain})

    in_use = max(int(tables[1:].max()) for tables in scene.seen_early("tables"))
    makers = {
        "points": lambda: _points(scene, "a", last is None, both),
        "second": lambda: _points(scene, "b", last is None, both),
        "replica": lambda: _replica(scene),
        "makers": lambda: _makers(scene),
        "trace": lambda: line("trace", "Log joint", "log_joint", LOG_JOINT, _span(scene)),
        "many": lambda: _how_many(scene, both),
        "histogram": lambda: _histogram(scene),
        "tables": lambda: line(
            "tables", many.capitalize(), "tables", f"The number of {many} along the run.", (0, max(8, 3 + in_use))
        ),
        "means": lambda: _means(scene, last, unit),
    }
    if scene.learned:
        makers["alpha"] = scene.learned.chart
    return [makers[name]() for name in shown]


def _points(scene: MixtureScene, name: str, at_rest: bool, both: bool) -> Chart:
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


def _replica(scene: MixtureScene) -> Chart:
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


def _makers(scene: MixtureScene) -> Chart:
    assert scene.makers is not None
    return Chart(
        "makers",
        "Who made them",
        f"· {counted(len(np.unique(scene.makers)), 'component')}, which the sampler never sees",
        "The same points by the component that each was drawn from, in the colour and shape of the cluster that shares "
        "most of its points; a ring is around each point that is in another one.",
        _picture(scene, MAKERS, False),
        [("ring", "in another cluster there")],
        aspect="" if scene.flat else "1 / 1",
        beside=True,
    )


def _legend(scene: MixtureScene, at_rest: bool) -> tuple[tuple[str, str] | tuple[str, str, str], ...]:
    if at_rest and scene.averaged:
        now = (("dashed", "of this sweep"),) if scene.flat else ()
        exact = ((f"{RED} solid", "exact"),) if scene.exact_density else ()
        return ("accent", "prediction, averaged (drawn when paused)"), *now, *exact
    if at_rest:
        return (("dashed" if scene.flat else "ink", "prediction (drawn when paused)"),)
    fit = ((f"{SOFT} solid", "fit: the height at the point in hand", TOLD),) if scene.flat else ()
    return (*fit, ("dashed", f"prediction of a new {scene.model.one}", TOLD)) if scene.model.opens else fit


def _how_many(scene: MixtureScene, both: bool) -> Chart:
    many, exact = scene.model.many, scene.exact is not None
    return Chart(
        "many",
        f"Number of {many} so far",
        "",
        f"How often each number of {many} has come up so far, beside the exact posterior where it is known.",
        charts.table_counts(scene.most_tables, exact, both, many, scene.most_tables < len(scene.data)),
        [
            ("block", "first chain" if both else "this chain"),
            *([("ink", "second, thin")] if both else []),
            *([("ink", "exact, thick" if both else "exact")] if exact else []),
        ],
    )


def _histogram(scene: MixtureScene) -> Chart:
    place = scene.data[:, 0]
    ends = domain(place, 0.03)
    highest = int(np.histogram(place, charts.BINS, ends)[0].max())
    one, many = scene.model.one, scene.model.many
    return Chart(
        "histogram",
        "Histogram",
        "",
        f"How many points lie where, stacked in the colours of their {many}.",
        charts.histogram(scene.columns[0], ends, highest, len(place) / 12, one),
    )


def _means(scene: MixtureScene, last: int | None, unit: str) -> Chart:
    components = len(scene.model.sizes(scene.runs[0].state(0)))
    return Chart(
        "means",
        "Means" if scene.flat else f"Means along {scene.columns[0].name}",
        "· running means are thick" if last is None else "",
        "Where the mean of each component lies along the run, and the average of it so far.",
        charts.means(components, scene.columns[0], domain(scene.data[:, 0], 0.35), last, unit),
        [(f"{color(component)} solid", str(component + 1)) for component in range(components)],
    )


def _picture(scene: MixtureScene, name: str, opened: bool) -> dict[str, Any]:
    size = 90 if len(scene.data) <= FEW else 55 if len(scene.data) <= 120 else 28
    model = scene.runs[name == "b"].model
    unit = ", in counts" if scene.settings.in_counts else ""
    columns = [replace(column, name=column.name + unit) for column in scene.columns]
    draw = pictures.line if scene.flat else pictures.rays if model.counts else pictures.plane
    averaged = scene.averaged is not None and not opened
    return draw(PointsPicture(name, *scene.domains, (columns[0], columns[-1]), size, model.one, opened, averaged))


def _tops(scene: MixtureScene, start: int, stop: int) -> np.ndarray:
    """Return the height of the chart after each sweep: above all curves until then, and seldom changed."""
    first = max(heights.max() for heights in scene.seen_early("heights"))
    if scene.exact_density is not None:
        first = max(first, scene.exact_density(places(scene)).max())
    seen = np.max([run.heights[start:stop] for run in scene.runs], axis=0)
    tops: np.ndarray = ROOM * first * STEP ** np.ceil(np.log(np.maximum(seen, first) / first) / np.log(STEP))
    return tops.astype(np.float32)


def _span(scene: MixtureScene) -> Domain:
    """Return where the log joint moves in the first sweeps, with some room."""
    seen = np.concatenate(scene.seen_early("log_joint"))
    low, high = float(seen.min()), float(seen.max())
    room = 0.15 * (high - low) + 1
    return float(np.floor(low - room)), float(np.ceil(high + room))


def _data(scene: MixtureScene, both: bool, shown: Sequence[str], *, opened: bool) -> Data:
    """Return the data sets with all their fields, and which of these change with the frame."""
    k = list(range(1, scene.most_tables + 1))
    exact = scene.exact.table_counts[1 : len(k) + 1] if scene.exact is not None else np.zeros(len(k))
    share = FLOAT32 if both else [0] * len(k)
    sets: dict[str, Any] = {
        "counts": {"k": k, "share": FLOAT32, "share_b": share, "exact": rounded(exact, 5)},
        "past": {},
        "say": {},
    }
    for name, end in zip("ab" if both else "a", ("", "_b"), strict=False):
        sets |= points_data(name, scene.data[:, 0], _heights(scene)) | cluster_data(name, scene.flat or opened)
        for to in ("past", "say"):
            sets[to] |= {f"log_joint{end}": FLOAT32, f"tables{end}": INT16}
    if opened:
        sets |= options_data(fields_of(scene))
        sets["say"] |= {"point": FLOAT32, "kind": UINT8, "beat": UINT8}
    if scene.replica and not opened:
        sets |= points_data(REPLICA, *[FLOAT32.of(len(scene.data))] * 3)
        sets |= cluster_data(REPLICA, scene.flat)
        sets["say"] |= dict.fromkeys((f"tables_{REPLICA}", f"outside_{REPLICA}"), INT16)
    if scene.makers is not None and not opened:
        sets |= points_data(MAKERS, scene.data[:, 0], _heights(scene))
        sets[f"points_{MAKERS}"]["off"] = UINT8
        sets[f"clusters_{MAKERS}"] = {field: [None] * SHOWN for field in (*FIELDS, "top")}
    if scene.learned and not opened:
        sets |= scene.learned.data()
        sets["say"] |= {"alpha": FLOAT32}
    if opened or "means" in shown:
        sets["past"] |= {f"{letter}{i}": FLOAT32 for letter in "mr" for i in range(MOST_MEANS)}
    return sets


def _heights(scene: MixtureScene) -> np.ndarray:
    """Return how high points are drawn; those on a line lie scattered below it, so that they can be seen."""
    if not scene.flat:
        return scene.data[:, 1]
    many = len(scene.data)
    top = 0.45 if many <= FEW else 0.15  # low enough for the ring of one in hand to lie below its fits
    jitter: np.ndarray = np.random.default_rng(0).uniform(top, 0.72, many)
    return -BELOW * jitter


# ---- frames --------------------------------------------------------------------------------------------------------


def _sweep_frames(scene: MixtureScene, start: int, stop: int) -> Columns:
    columns: Columns = {}
    for run, name, end in zip(scene.runs, "ab", ("", "_b"), strict=False):
        tables, log_joint = run.tables[start:stop], run.log_joint[start:stop]
        labels, clusters = run.named(start, stop, scene.names)
        columns |= {
            (f"points_{name}", "label"): labels,
            ("counts", f"share{end}"): shares(run.tables, start, stop, scene.most_tables),
            **along(**{f"log_joint{end}": log_joint, f"tables{end}": tables}),
            **cluster_columns(name, clusters),
        }
        if scene.flat:
            columns["clusters_" + name, "top"] = _tops(scene, start, stop)
    if scene.replica:
        columns |= _replica_frames(scene, start, stop)
    if scene.makers is not None:
        columns |= _maker_columns(scene.makers, columns["points_a", "label"])
    if scene.learned:
        columns |= scene.learned.columns(start, stop)
    if "means" in (scene.two if len(scene.runs) == 2 else scene.one):
        columns |= _mean_columns(scene, start, stop)
    return columns


def _maker_columns(makers: np.ndarray, labels: np.ndarray) -> Columns:
    """Return who made each point, in the colours of the chain's clusters, and which points these clusters part."""
    named = np.array([matched(makers, row) for row in labels]).reshape(labels.shape)
    return {(f"points_{MAKERS}", "label"): named, (f"points_{MAKERS}", "off"): (named != labels).astype(np.uint8)}


def _replica_frames(scene: MixtureScene, start: int, stop: int) -> Columns:
    """Return the points that are drawn from the model; on a line dishes that are too high for the axis set its end."""
    columns, dishes = replica_columns(scene, start, stop, _heights(scene))
    if scene.flat:
        tops = np.maximum(_tops(scene, start, stop), [ROOM * highest(rows) for rows in dishes])
        columns[f"clusters_{REPLICA}", "top"] = tops
    return columns | cluster_columns(REPLICA, dishes)


def _mean_columns(scene: MixtureScene, start: int, stop: int) -> Columns:
    """Return the components' means after each sweep, and their averages over the sweeps until then, from 1."""
    means = means_of(scene.runs[0].named(0, stop, scene.names)[1], MOST_MEANS)
    there = np.isfinite(means)
    there[:1] = False
    with np.errstate(invalid="ignore"):
        running = np.where(there, means, 0).cumsum(axis=0) / there.cumsum(axis=0)
    both = {"m": means[start:stop], "r": running[start:stop]}
    return {("past", f"{letter}{i}"): part[:, i] for letter, part in both.items() for i in range(MOST_MEANS)}
