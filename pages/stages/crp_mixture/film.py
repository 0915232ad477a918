"""What the player shows of the mixture: a run sweep by sweep, or one sweep beat by beat, of one chain or of two."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from contourpy import contour_generator

from lessons.reader.stages.crp_mixture import SWEEPS, CRPMixtureSettings
from pages.parts.player import Chart, Film
from pages.stages.crp_mixture import charts
from pages.stages.crp_mixture.run import PARAMETERS, SHOWN, Beat, CloseUp, MixtureRun, parameters
from samplers.crp_mixture import predictive_density
from samplers.exact import ExactPosterior
from samplers.recipe import Conditional

FIRST_LOOK = 30  # sweeps that are made at once: they set the axes
MOST_TABLES = 12  # numbers of tables that the posterior's chart has room for
BEATS = "start|forget|score|sample|remember"
GRID = (48, 36)  # places where the predictive density is computed
LEVELS = (0.05, 0.15, 0.35, 0.65)  # of its maximum
FIELDS = ("table", "share", "mx", "my", "a", "b", "c")
Columns = dict[tuple[str, str], np.ndarray]


@dataclass(frozen=True)
class Scene:
    """What a film is made of.

    Attributes
    ----------
    settings : CRPMixtureSettings
        What the learner chose.
    key : str
        Of the data and both chains.
    columns : tuple of str
        Names of the data's columns.
    runs : sequence of MixtureRun
        One or two.
    exact : ExactPosterior or None
        The truth, where it can be listed.
    """

    settings: CRPMixtureSettings
    key: str
    columns: tuple[str, ...]
    runs: Sequence[MixtureRun]
    exact: ExactPosterior | None

    @property
    def data(self) -> np.ndarray:
        """The points, shape (N, D)."""
        return self.runs[0].sampler.data

    @property
    def flat(self) -> bool:
        """Whether the points lie on a line."""
        return self.data.shape[1] == 1

    @property
    def most_tables(self) -> int:
        """The largest number of tables that the posterior's chart shows."""
        return min(len(self.data), MOST_TABLES)


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
    sites = len(close_up.beats)
    return _film(
        scene,
        key=f"{scene.key} sweep {close_up.sweep}",
        frames=lambda start, stop: {name: column[start:stop] for name, column in frames.items()},
        total=4 * sites,
        label=f"sweep {close_up.sweep} · {{kind:point|α}} {{point}} · {{beat:{BEATS}}}",
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
    return Film(
        key=key,
        charts=_charts(scene, None if by_sweep else total, both),
        areas='"points second" "trace many"' if both else '"points trace trace" "points many tables"',
        columns="minmax(0, 1fr) minmax(0, 1fr)" if both else "minmax(0, 1.18fr) minmax(0, 0.58fr) minmax(0, 0.58fr)",
        data=_data(scene, both),
        frames=frames,
        total=total,
        label=label,
        strides=strides,
        **more,
    )


# ---- charts and what does not change -------------------------------------------------------------------------------


def _charts(scene: Scene, last: int | None, both: bool) -> list[Chart]:
    axis = "sweeps" if last is None else "beats of this sweep"
    what = "Points on a line" if scene.flat else "Points in a plane"
    alt = f"{what}, each in the colour and shape of its cluster, and the clusters themselves."
    aspect = "16 / 9" if both else "4 / 3"
    drawn = [
        Chart(
            "points",
            "First chain" if both else "Points",
            NOW,
            alt,
            _picture(scene, "a"),
            PREDICTIVE if last is None else (),
            aspect,
        ),
        Chart(
            "trace",
            "Log joint",
            "· {log_joint}",
            "The log probability of data and seating together, along the run.",
            charts.trace("log_joint", _span(scene), last, axis, both),
            CHAINS if both else (),
        ),
        Chart(
            "many",
            "Number of tables so far",
            "",
            "How often each number of tables has come up so far, beside the exact posterior where it is known.",
            charts.table_counts(scene.most_tables, _tallest(scene), scene.exact is not None, both),
            [
                ("block", "first chain" if both else "this chain"),
                *([("dashed", "second")] if both else []),
                *([("ink", "exact")] if scene.exact else []),
            ],
        ),
    ]
    if both:
        title = SECOND[scene.settings.second]
        second = Chart("second", title, "· tables {tables_b}", alt, _picture(scene, "b"), aspect=aspect)
        return [drawn[0], second, *drawn[1:]]
    most = max(8, int(scene.runs[0].tables[1 : FIRST_LOOK + 1].max()) + 3)
    spec = charts.trace("tables", (0, most), last, axis, False)
    return [*drawn, Chart("tables", "Tables", "· {tables}", "The number of tables along the run.", spec)]


NOW = "· tables {tables}"
PREDICTIVE = (("ink", "predictive density, at rest"),)
CHAINS = (("accent", "first chain"), ("dashed", "second chain"))
SECOND = {
    "seed": "Second chain: the next seed",
    "concentration": "Second chain: another concentration",
    "start": "Second chain: another start",
    "branch": "Second chain: branched off",
}


def _picture(scene: Scene, name: str) -> dict:
    size = 90 if len(scene.data) <= 30 else 55 if len(scene.data) <= 120 else 28
    domains = [_domain(column, _room(scene)) for column in scene.data.T]
    if scene.flat:
        return charts.line(name, domains[0], _density(scene), scene.columns[0], size)
    return charts.plane(name, domains[0], domains[1], (scene.columns[0], scene.columns[1]), size)


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
        state = run.state(min(t, run.made))
        x = np.linspace(*_domain(scene.data[:, 0], _room(scene)), 120 if scene.flat else GRID[0])
        if scene.flat:
            density = predictive_density(run.sampler, [state], x)
            lines = [np.column_stack([x, density])]
        else:
            y = np.linspace(*_domain(scene.data[:, 1], _room(scene)), GRID[1])
            places = np.column_stack([axis.ravel() for axis in np.meshgrid(x, y)])
            density = predictive_density(run.sampler, [state], places).reshape(len(y), len(x))
            engine = contour_generator(x, y, density)
            lines = [line for level in LEVELS for line in engine.lines(level * density.max())]
        rows = [(t, px, py, i, place) for i, line in enumerate(lines) for place, (px, py) in enumerate(line)]
        columns = list(zip(*rows, strict=True)) or [()] * 5  # a density of 0 everywhere has no lines
        sets[f"contours_{name}"] = dict(zip(("t", "x", "y", "line", "place"), map(_plain, columns), strict=True))
    return sets


def _plain(values: Sequence[float]) -> list[float]:
    return [value if isinstance(value, int) else float(f"{value:.4g}") for value in values]


def _room(scene: Scene) -> float:
    return 0.35 if scene.flat else 0.12


# ---- frames --------------------------------------------------------------------------------------------------------


def _sweep_frames(scene: Scene, start: int, stop: int) -> Columns:
    columns: Columns = {}
    for run, name, end in zip(scene.runs, "ab", ("", "_b"), strict=False):
        tables, log_joint = run.tables[start:stop], run.log_joint[start:stop]
        columns |= {
            (f"points_{name}", "label"): run.labels[start:stop],
            ("past", f"log_joint{end}"): log_joint[:, None],
            ("past", f"tables{end}"): tables[:, None],
            ("say", f"log_joint{end}"): log_joint[:, None],
            ("say", f"tables{end}"): tables[:, None],
            ("counts", f"share{end}"): _shares(run, start, stop, scene.most_tables),
        } | _cluster_columns(name, run.clusters[start:stop])
    return columns


def _cluster_columns(name: str, clusters: np.ndarray) -> Columns:
    return {(f"clusters_{name}", field): clusters[:, :, place] for place, field in enumerate(FIELDS)}


def _shares(run: MixtureRun, start: int, stop: int, most: int) -> np.ndarray:
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
    now = parameters(beats[0].before)
    for i, beat in enumerate(beats):
        whole = 4 * i
        labels[whole], clusters[whole] = beat.before.labels, now
        log_joint[whole : whole + 4], tables[whole] = run.sampler.log_joint(beat.before), len(beat.before.clusters)
        without, after = parameters(beat.lifted), parameters(beat.after)
        lifted = np.array(beat.before.labels, np.int16)
        if beat.is_point:
            lifted[beat.update.site] = -1
        labels[whole + 1 : whole + 4], clusters[whole + 1 : whole + 4] = lifted, without
        tables[whole + 1 : whole + 4] = len(beat.lifted.clusters)
        if beat.is_point:
            offers[whole + 2] = _offers(beat, without, place)
            offers[whole + 3] = np.where(_chosen(beat, without), offers[whole + 2], np.nan)
        now = after
    labels[-1], clusters[-1] = beats[-1].after.labels, now
    log_joint[-1], tables[-1] = run.sampler.log_joint(beats[-1].after), len(beats[-1].after.clusters)
    done = np.arange(total)
    block = done > 4 * points  # the concentration's beats come last
    shares = _shares(run, close_up.sweep - 1, close_up.sweep, scene.most_tables)
    return {
        ("points_a", "label"): labels,
        ("past", "log_joint"): log_joint,
        ("past", "tables"): tables,
        ("say", "log_joint"): log_joint,
        ("say", "tables"): tables,
        ("say", "point"): np.where(block, np.nan, (done + 3) // 4).astype(np.float32)[:, None],
        ("say", "kind"): block.astype(np.uint8)[:, None],
        ("say", "beat"): np.where(done == 0, 0, (done - 1) % 4 + 1).astype(np.uint8)[:, None],
        ("counts", "share"): np.repeat(shares, total, axis=0),
        **{("offers_a", field): offers[:, :, i] for i, field in enumerate(("x", "y", "x2", "y2", "p"))},
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
