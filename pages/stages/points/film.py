"""What the player shows of points: a run sweep by sweep, or one sweep beat by beat, of one chain or of two."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from contourpy import contour_generator

from lessons.reader.stages.fields import SWEEPS
from pages.parts.palette import color
from pages.parts.player import Chart, Film
from pages.stages.points import charts
from pages.stages.points.model import PARAMETERS, SHOWN
from pages.stages.points.run import Beat, CloseUp, PointsRun, means_of
from pages.stages.points.scene import Scene
from samplers.count_blobs import MOST_COUNT
from samplers.recipe import Conditional

FIRST_LOOK = 30  # sweeps that are made at once: they set the axes
BEATS = "start|forget|score|sample|remember"
GRID = (48, 36)  # places where the predictive density is computed
LEVELS = (0.05, 0.15, 0.35, 0.65)  # of its maximum
FIELDS = ("table", "share", "mx", "my", "a", "b", "c")
MOST_MEANS = 6  # components whose means are followed
COUNTS = (-0.03 * MOST_COUNT, 1.06 * MOST_COUNT)  # both axes of counts
RAYS = (("ink", "a component's direction"), ("dashed", "border between two"))
CHAINS = (("accent", "first chain"), ("dashed", "second chain"))
Columns = dict[tuple[str, str], np.ndarray]


def sweeps_film(scene: Scene) -> Film:
    """Return the run, a frame a sweep."""
    return _film(
        scene,
        key=f"{scene.key} sweeps",
        frames=lambda start, stop: _sweep_frames(scene, start, stop),
        total=SWEEPS,
        label="sweep {t} of {total}",
        strides=(("1 sweep", 1), ("10 sweeps", 10), ("100 sweeps", 100)),
        still=lambda t: _contours(scene, t),
        grow=lambda t: min(run.grow(t) for run in scene.runs),
    )


def close_up_film(scene: Scene, close_up: CloseUp) -> Film:
    """Return one sweep of the first chain, a frame a beat."""
    frames = _beat_frames(scene, close_up)
    sites, kinds = len(close_up.beats), "|".join(("point", *scene.model.blocks))
    return _film(
        scene,
        key=f"{scene.key} sweep {close_up.sweep}",
        frames=lambda start, stop: {name: column[start:stop] for name, column in frames.items()},
        total=4 * sites,
        label=f"sweep {close_up.sweep} · {{kind:{kinds}}} {{point}} · {{beat:{BEATS}}}",
        strides=(("1 beat", 1), ("1 update", 4), ("10 updates", 40)),
        before=close_up.sweep > 1,
        after=close_up.sweep < SWEEPS,
    )


def _film(
    scene: Scene,
    *,
    key: str,
    frames: Callable[[int, int], Mapping[tuple[str, str], np.ndarray]],
    total: int,
    label: str,
    strides: Sequence[tuple[str, int]],
    **more: object,
) -> Film:
    by_sweep = "grow" in more
    both = by_sweep and len(scene.runs) == 2
    layout = scene.two if both else scene.one
    return Film(
        key=key,
        charts=_charts(scene, layout.charts, None if by_sweep else total, both),
        areas=layout.areas,
        columns=layout.columns,
        data=_data(scene, both),
        frames=frames,
        total=total,
        label=label,
        strides=strides,
        **more,
    )


# ---- charts and what does not change -------------------------------------------------------------------------------


def _charts(scene: Scene, areas: Sequence[str], last: int | None, both: bool) -> list[Chart]:
    axis = "sweeps" if last is None else "beats of this sweep"
    makers = {
        "points": lambda: _points(scene, "a", last is None, both),
        "second": lambda: _points(scene, "b", last is None, both),
        "trace": lambda: _log_joint(scene, last, axis, both),
        "many": lambda: _how_many(scene, both),
        "tables": lambda: _in_use(scene, last, axis, both),
        "means": lambda: _means(scene, last, axis),
    }
    return [makers[area]() for area in areas]


def _points(scene: Scene, name: str, at_rest: bool, both: bool) -> Chart:
    place = "ab".index(name)
    model = scene.runs[place].model
    what = "Points on a line" if scene.flat else "Points in a plane"
    return Chart(
        "second" if place else "points",
        scene.titles[place] if both else "Points",
        f"· {model.many} {{tables{'_b' if place else ''}}}",
        f"{what}, each in the colour and shape of its {model.one}, and the {model.many} themselves.",
        _picture(scene, name),
        RAYS if model.counts else _predictive(scene) if at_rest and not place else (),
        (scene.two if both else scene.one).aspect,
    )


def _predictive(scene: Scene) -> tuple[tuple[str, str], ...]:
    return (("dashed" if scene.flat else "ink", "predictive density, at rest"),)


def _log_joint(scene: Scene, last: int | None, axis: str, both: bool) -> Chart:
    return Chart(
        "trace",
        "Log joint",
        "· {log_joint}",
        "The log probability of data and labels together, along the run.",
        charts.trace("log_joint", _span(scene), last, axis, both),
        CHAINS if both else (),
    )


def _how_many(scene: Scene, both: bool) -> Chart:
    many, exact = scene.model.many, scene.exact is not None
    return Chart(
        "many",
        f"Number of {many} so far",
        "",
        f"How often each number of {many} has come up so far, beside the exact posterior where it is known.",
        charts.table_counts(scene.most_tables, _tallest(scene), exact, both, many),
        [
            ("block", "first chain" if both else "this chain"),
            *([("dashed", "second")] if both else []),
            *([("ink", "exact")] if exact else []),
        ],
    )


def _in_use(scene: Scene, last: int | None, axis: str, both: bool) -> Chart:
    many = scene.model.many
    seen = max(int(run.tables[1 : FIRST_LOOK + 1].max()) for run in scene.runs[: 1 + both])
    spec = charts.trace("tables", (0, max(8, seen + 3)), last, axis, both)
    alt = f"The number of {many} along the run."
    return Chart("tables", many.capitalize(), "· {tables}", alt, spec, CHAINS if both else ())


def _means(scene: Scene, last: int | None, axis: str) -> Chart:
    components = len(scene.model.sizes(scene.runs[0].state(0)))
    return Chart(
        "means",
        "Means" if scene.flat else f"Means along {scene.columns[0]}",
        "· running means are thick" if last is None else "",
        "Where the mean of each component lies along the run, and the average of it so far.",
        charts.means(components, _domain(scene.data[:, 0], 0.05), last, axis),
        [(f"{color(component)} solid", str(component + 1)) for component in range(components)],
    )


def _picture(scene: Scene, name: str) -> dict:
    size = 90 if len(scene.data) <= 30 else 55 if len(scene.data) <= 120 else 28
    domains = [_axis(scene, column) for column in scene.data.T]
    if scene.flat:
        return charts.line(name, domains[0], _density(scene), scene.columns[0], size)
    draw = charts.rays if scene.runs["ab".index(name)].model.counts else charts.plane
    unit = ", in counts" if scene.settings.in_counts else ""
    return draw(name, domains[0], domains[1], (scene.columns[0] + unit, scene.columns[1] + unit), size)


def _axis(scene: Scene, values: np.ndarray) -> tuple[float, float]:
    if scene.flat:
        return _domain(values, 0.35)
    return COUNTS if scene.settings.in_counts else _domain(values, 0.12)


def _domain(values: np.ndarray, room: float) -> tuple[float, float]:
    pad = room * float(np.ptp(values)) or 1.0
    return float(values.min()) - pad, float(values.max()) + pad


def _density(scene: Scene) -> float:
    """Return the height of the highest curve in the first sweeps, with some room."""
    shapes = np.concatenate([run.clusters[1 : FIRST_LOOK + 1] for run in scene.runs])
    share, width = FIELDS.index("share"), FIELDS.index("a")
    return 1.15 * float(np.nanmax(shapes[..., share] / shapes[..., width])) / 2.5066


def _span(scene: Scene) -> tuple[float, float]:
    """Return where the log joint moves in the first sweeps, with some room."""
    seen = np.concatenate([run.log_joint[: FIRST_LOOK + 1] for run in scene.runs])
    low, high = float(seen.min()), float(seen.max())
    room = 0.15 * (high - low) + 1
    return float(np.floor(low - room)), float(np.ceil(high + room))


def _tallest(scene: Scene) -> float:
    shares = [run.tables[1 : FIRST_LOOK + 1] for run in scene.runs]
    top = max(np.bincount(share).max() / len(share) for share in shares)
    if scene.exact is not None:
        top = max(top, float(scene.exact.table_counts.max()))
    return float(min(1.0, 1.15 * top))


def _data(scene: Scene, both: bool) -> dict[str, dict[str, list]]:
    """Return the data sets with all their fields; frames change some of them."""
    data = scene.data
    jitter = np.random.default_rng(0).uniform(0.15, 0.85, len(data))
    y = data[:, 1] if not scene.flat else -0.45 * _density(scene) * jitter
    k = list(range(1, scene.most_tables + 1))
    exact = scene.exact.table_counts[1 : len(k) + 1] if scene.exact is not None else np.zeros(len(k))
    sets: dict[str, dict[str, list]] = {
        "counts": {"k": k, "share": [0] * len(k), "share_b": [0] * len(k), "exact": _short(exact)},
    }
    for name in "ab" if both else "a":
        names = list(range(1, len(data) + 1))
        sets[f"points_{name}"] = {"x": _short(data[:, 0]), "y": _short(y), "name": names, "label": [0] * len(data)}
        sets[f"clusters_{name}"] = {field: [None] * SHOWN for field in FIELDS}
        sets[f"offers_{name}"] = {field: [None] * SHOWN for field in ("x", "y", "x2", "y2", "p")}
        sets[f"contours_{name}"] = {"t": [-1], "x": [0], "y": [0], "line": [0], "place": [0]}
    return sets


def _contours(scene: Scene, t: int) -> dict[str, dict[str, list]]:
    """Return lines of equal predictive density after t sweeps, on a line the density itself."""
    sets = {}
    for run, name in zip(scene.runs, "ab", strict=False):
        if run.model.counts:
            continue
        state = run.state(min(t, run.made))
        x = np.linspace(*_axis(scene, scene.data[:, 0]), 120 if scene.flat else GRID[0])
        if scene.flat:
            density = run.model.density(state, x)
            lines = [np.column_stack([x, density])]
        else:
            y = np.linspace(*_axis(scene, scene.data[:, 1]), GRID[1])
            places = np.column_stack([axis.ravel() for axis in np.meshgrid(x, y)])
            density = run.model.density(state, places).reshape(len(y), len(x))
            engine = contour_generator(x, y, density)
            lines = [line for level in LEVELS for line in engine.lines(level * density.max())]
        rows = [(t, px, py, i, place) for i, line in enumerate(lines) for place, (px, py) in enumerate(line)]
        columns = list(zip(*rows, strict=True)) or [()] * 5  # a density of 0 everywhere has no lines
        sets[f"contours_{name}"] = dict(zip(("t", "x", "y", "line", "place"), map(_plain, columns), strict=True))
    return sets


def _plain(values: Sequence[float]) -> list[float]:
    return [value if isinstance(value, int) else float(f"{value:.4g}") for value in values]


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
            ("counts", f"share{end}"): _shares(run, start, stop, scene.most_tables),
        } | _cluster_columns(name, clusters)
    if "means" in (scene.two if len(scene.runs) == 2 else scene.one).charts:
        columns |= _mean_columns(scene, start, stop)
    return columns


def _cluster_columns(name: str, clusters: np.ndarray) -> Columns:
    return {(f"clusters_{name}", field): clusters[:, :, place] for place, field in enumerate(FIELDS)}


def _mean_columns(scene: Scene, start: int, stop: int) -> Columns:
    """Return the components' means after each sweep, and their averages over the sweeps until then, from 1."""
    means = means_of(scene.runs[0].named(0, stop, scene.names)[1], MOST_MEANS)
    there = np.isfinite(means)
    there[:1] = False
    with np.errstate(invalid="ignore"):
        running = np.where(there, means, 0).cumsum(axis=0) / there.cumsum(axis=0)
    both = {"m": means[start:stop], "r": running[start:stop].astype(np.float32)}
    return {("past", f"{letter}{i}"): part[:, i : i + 1] for letter, part in both.items() for i in range(MOST_MEANS)}


def _shares(run: PointsRun, start: int, stop: int, most: int) -> np.ndarray:
    """Return how often each number of tables has come up until each sweep, shape (stop - start, most)."""
    hits = run.tables[1:stop, None] == np.arange(1, most + 1)
    until = np.concatenate([np.zeros((1, most)), hits.cumsum(axis=0)])
    sweeps = np.maximum(np.arange(stop), 1)
    shares: np.ndarray = (until / sweeps[:, None]).astype(np.float32)
    return shares[start:stop]


def _beat_frames(scene: Scene, close_up: CloseUp) -> Columns:
    """Return the columns of a sweep's frames: its start, then four beats an update."""
    run, beats = scene.runs[0], close_up.beats
    points = len(scene.data)
    total = 4 * len(beats) + 1
    labels = np.zeros((total, points), np.int16)
    clusters = np.zeros((total, SHOWN, PARAMETERS), np.float32)
    offers = np.full((total, SHOWN, 5), np.nan, np.float32)
    log_joint, tables = np.zeros((total, 1), np.float32), np.zeros((total, 1), np.int16)
    place = _places(scene)
    model = run.model
    now = model.parameters(beats[0].before)
    for i, beat in enumerate(beats):
        whole = 4 * i
        labels[whole], clusters[whole] = beat.before.labels, now
        log_joint[whole : whole + 4], tables[whole] = run.sampler.log_joint(beat.before), model.occupied(beat.before)
        without, after = model.parameters(beat.lifted), model.parameters(beat.after)
        lifted = np.array(beat.before.labels, np.int16)
        if beat.is_point:
            lifted[beat.update.site] = -1
        labels[whole + 1 : whole + 4], clusters[whole + 1 : whole + 4] = lifted, without
        tables[whole + 1 : whole + 4] = model.occupied(beat.lifted)
        if beat.is_point:
            offers[whole + 2] = _offers(beat, without, place)
            offers[whole + 3] = np.where(_chosen(beat, without), offers[whole + 2], np.nan)
        now = after
    labels[-1], clusters[-1] = beats[-1].after.labels, now
    log_joint[-1], tables[-1] = run.sampler.log_joint(beats[-1].after), model.occupied(beats[-1].after)
    done = np.arange(total)
    block = np.maximum(0, (done - 1) // 4 - points + 1)  # the blocks' beats come last
    shares = _shares(run, close_up.sweep - 1, close_up.sweep, scene.most_tables)
    return {
        ("points_a", "label"): labels,
        ("past", "log_joint"): log_joint,
        ("past", "tables"): tables,
        ("say", "log_joint"): log_joint,
        ("say", "tables"): tables,
        ("say", "point"): np.where(block > 0, np.nan, (done + 3) // 4).astype(np.float32)[:, None],
        ("say", "kind"): block.astype(np.uint8)[:, None],
        ("say", "beat"): np.where(done == 0, 0, (done - 1) % 4 + 1).astype(np.uint8)[:, None],
        ("counts", "share"): np.repeat(shares, total, axis=0),
        **{("offers_a", field): offers[:, :, i] for i, field in enumerate(("x", "y", "x2", "y2", "p"))},
        **{("past", f"m{i}"): means_of(clusters, MOST_MEANS)[:, i : i + 1] for i in range(MOST_MEANS)},
        **{("past", f"r{i}"): np.full((total, 1), np.nan, np.float32) for i in range(MOST_MEANS)},
    } | _cluster_columns("a", clusters)


def _places(scene: Scene) -> np.ndarray:
    """Return where each point is drawn, shape (N, 2)."""
    points = _data(scene, False)["points_a"]
    return np.column_stack([points["x"], points["y"]])


def _offers(beat: Beat, clusters: np.ndarray, place: np.ndarray) -> np.ndarray:
    """Return a line to each table that is drawn, shape (SHOWN, 5): from, to, probability; a new one has no place."""
    rows = np.full((SHOWN, 5), np.nan, np.float32)
    conditional = beat.update.conditional
    assert isinstance(conditional, Conditional)
    offers = dict(zip(beat.options, conditional.probabilities, strict=False))
    for row, (table, _, x, y, *_) in enumerate(clusters):
        if table in offers:
            rows[row] = (*place[int(beat.update.site)], x, y, offers[table])
    return rows


def _chosen(beat: Beat, clusters: np.ndarray) -> np.ndarray:
    """Return which of the drawn tables the dart has hit, shape (SHOWN, 1); none if it opens a new one."""
    chosen = beat.options[beat.update.value] if beat.update.value < len(beat.options) else -1
    hit: np.ndarray = clusters[:, :1] == chosen
    return hit


def _short(values: np.ndarray) -> list[float]:
    return [float(f"{value:.5g}") for value in values]
