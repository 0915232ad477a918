"""The film of a climb: points with soft labels, the bound, and what each method says of a mean."""

from typing import Any

import numpy as np

from pages.contract.charts import Chart
from pages.contract.columns import FLOAT32, UINT8, Columns, along
from pages.contract.film import Film
from pages.drawing.numbers import rounded
from pages.player.run import grown, reach
from pages.scenes.points.scene import domain
from pages.topics.climb_mixture import charts
from pages.topics.climb_mixture.run import FIELDS, PLACES
from pages.topics.climb_mixture.scene import ClimbScene

SOFT_BARS = 12  # points that have a bar each for their responsibilities
STEP = 1.25  # by how much a picture's height grows when a density outgrows it
NAMES = {"k-means": "k-means", "EM": "EM", "MAP": "MAP", "VB": "VB", "stick": "stick"}  # of the rows of means
ROOM = 0.12  # beside the points, in parts of their width
FLAT = 1e-9  # a bound that changes by less stands still
WIDE, TALL = 0.02, 0.08  # of a line's picture: the numbers of components that are nearer would cover each other
STEEP = 3  # times as much as in all later ones it may rise in the first iteration, where the axis begins


def film_of(scene: ClimbScene) -> Film:
    """Return the film of a scene, or raise `NotYet` while the climb itself is being computed."""
    reach([scene.run], scene.run.total)
    return Film(
        key=scene.key,
        charts=[_points(scene), _bound(scene), _means(scene)],
        data=_data(scene),
        columns=lambda start, stop: _columns(scene, start, stop),
        total=scene.run.total,
        label="{name:start|E step|M step} · half-step {t} of {total}",
        strides=(("Half-step", 1), ("Iteration", 2)),
        grow=lambda t: grown(scene.runs, t),
        params={"bound_span": _span(scene), "chosen": float(scene.run.point + 1)},
    )


def names_of(scene: ClimbScene) -> tuple[str, ...]:
    """Return the names of the rows of the chart of means: the methods, and Gibbs."""
    return (*(NAMES[climb.method] for climb in scene.ladder), "Gibbs")


def _span(scene: ClimbScene) -> tuple[float, float]:
    """Return the ends of the bound's axis: from the first E step, unless all that follows would look flat."""
    found, later = (np.concatenate([scene.run.bound[first:], scene.run.level[first:]]) for first in (1, 2))
    if FLAT < np.ptp(later) < np.ptp(found) / STEEP:
        found = later
    if np.ptp(found) < FLAT:
        found = scene.run.bound  # the first E step has led to the end
    low, high = float(found.min()), float(found.max())
    if scene.evidence is not None:
        high = max(high, scene.evidence)
    pad = max(0.06 * (high - low), 0.02)
    return low - pad, high + 2 * pad


def _points(scene: ClimbScene) -> Chart:
    nearest = scene.flat and scene.borders
    line = "the density of a component times its weight" if scene.flat else "a component, two standard deviations"
    means = [("ink", "line: a mean"), ("dashed", "border: halfway between two means")]
    x = domain(scene.data[:, 0], 0.45 if scene.flat else ROOM)
    if scene.flat:
        spec = charts.line(x, scene.columns[0], len(scene.data) <= SOFT_BARS, nearest)
    else:
        first, second = scene.columns
        y = domain(scene.data[:, 1], ROOM)
        spec = charts.plane(x, y, (first, second), 90 if len(scene.data) <= 100 else 45)
    return Chart(
        "points",
        "Points",
        "· {used} {used:components|component|components} in use{stuck:| · one has closed in on its points}",
        "Points, each in a colour that is mixed from those of its components by its responsibilities, and the "
        "components themselves.",
        spec,
        [
            *(means if nearest else [("ink", f"{'curve' if scene.flat else 'ellipse'}: {line}")]),
            ("ring", "the point on the cards"),
        ],
        "" if scene.flat else "4 / 3",
    )


def _bound(scene: ClimbScene) -> Chart:
    exact = scene.evidence is not None
    below = scene.run.bound[:2] < _span(scene)[0]
    legend = [("accent", "bound"), *[("dashed", scene.level)] * bool(scene.level)]
    legend += [("ink", "exact log evidence")] * exact
    said = "· {bound}{below:|, below the axis}" + (" · evidence {evidence}" if exact else "")
    return Chart(
        "bound",
        scene.title,
        said,
        "The bound along the half-steps, and what it is a bound of.",
        charts.climb(scene.run.total, bool(scene.level), exact, max(1, int(below.sum()))),
        legend,
    )


def _means(scene: ClimbScene) -> Chart:
    exact = scene.exact is not None
    names = names_of(scene)
    return Chart(
        "means",
        f"Mean of point {scene.run.point + 1}’s component",
        "· first coordinate" if not scene.flat else "",
        "For each method, a row: the mean of the component of the chosen point, as ticks or as a density.",
        charts.means(names, domain(scene.grid, 0), scene.columns[0], exact),
        [("accent", "density by q or by Gibbs"), *[("ink", "exact posterior")] * exact],
        share=1.2 if len(names) > 2 else 1,
    )


def _data(scene: ClimbScene) -> dict[str, Any]:
    size, number = len(scene.data), scene.run.components.shape[2]
    heights = np.full(size, -0.03) if scene.flat else scene.data[:, 1]
    places = scene.grid.tolist()
    bands = [row for row, climb in enumerate(scene.ladder) if climb.dense] + [len(scene.climbs)]
    ticked = [(row, climb) for row, climb in enumerate(scene.ladder) if row not in bands]
    found: dict[str, Any] = {
        "points": {
            "name": list(range(1, size + 1)),
            "x": rounded(scene.data[:, 0], 5),
            "y": rounded(heights, 5),
            **dict.fromkeys(("red", "green", "blue", "component"), UINT8),
        },
        "components": {
            "component": list(range(number)),
            **dict.fromkeys((*FIELDS, *(["top", "beside"] if scene.flat else [])), FLOAT32),
        },
        "ladder": {"row": list(range(len(scene.climbs) + 1))},
        "densities": {
            "row": np.repeat(bands, PLACES).tolist(),
            "x": rounded(places * len(bands)),
            "height": FLOAT32,
        },
        "ticks": {
            "row": [row for row, climb in ticked for _ in range(climb.components.shape[2])] or [0],
            "component": [k for _, climb in ticked for k in range(climb.components.shape[2])] or [0],
            "x": FLOAT32,
            "height": FLOAT32,
        },
        "truth": {"evidence": [scene.evidence]},
        "exact": {"x": rounded(places), "height": FLOAT32} if scene.exact else {"x": [None], "height": [None]},
        "past": dict.fromkeys(("bound", "level"), FLOAT32),
        "say": dict.fromkeys(("bound", "level", "evidence", "used", "stuck", "name", "below"), FLOAT32),
    }
    if scene.flat and scene.borders:
        found["borders"] = {"row": list(range(max(1, number - 1))), "x": FLOAT32}
    if scene.flat and size <= SOFT_BARS:
        found["shares"] = {
            "component": list(range(number)) * size,
            "x": rounded(np.repeat(scene.data[:, 0], number)),
            "low": FLOAT32,
            "high": FLOAT32,
        }
    return found


def _columns(scene: ClimbScene, start: int, stop: int) -> Columns:
    run, frames = scene.run, np.arange(start, stop)
    red, green, blue = run.colors[start:stop].swapaxes(0, 1)
    shares = run.shares[start:stop]
    components = run.components[start:stop]
    columns: Columns = {("points", "red"): red, ("points", "green"): green, ("points", "blue"): blue}
    columns["points", "component"] = shares.argmax(axis=2) + 1
    columns |= {("components", name): components[:, place] for place, name in enumerate(FIELDS)}
    if scene.flat:
        if scene.borders:
            columns["borders", "x"] = _borders(components)
        top = _top(components)[:, None]
        columns["components", "top"] = top * np.ones(components.shape[2])
        columns["components", "beside"] = _beside(components, top, scene.grid)
        if len(scene.data) <= SOFT_BARS:
            high, wide = np.minimum(shares.cumsum(axis=2), 1), (stop - start, len(scene.data) * shares.shape[2])
            columns["shares", "low"] = (high - np.minimum(shares, high)).reshape(wide)
            columns["shares", "high"] = high.reshape(wide)
    columns |= _ladder(scene, start, stop)
    evidence = np.nan if scene.evidence is None else scene.evidence
    columns |= along(bound=run.bound[start:stop], level=run.level[start:stop])
    used = (components[:, FIELDS.index("count")] >= 0.5).sum(axis=1)
    said = {"evidence": evidence, "used": used, "stuck": run.stuck[start:stop]}
    said["name"] = np.where(frames == 0, 0, 2 - frames % 2)
    said["below"] = run.bound[start:stop] < _span(scene)[0]
    return columns | {("say", name): value for name, value in said.items()}


def _borders(components: np.ndarray) -> np.ndarray:
    """Return the places halfway between neighbouring means of components with points, NaN for the others."""
    means, shares = (components[:, FIELDS.index(name)] for name in ("mx", "share"))
    ordered = np.sort(np.where(shares > 0.0005, means, np.nan), axis=1)
    return (ordered[:, 1:] + ordered[:, :-1]) / 2 if ordered.shape[1] > 1 else np.full_like(ordered, np.nan)


def _top(components: np.ndarray) -> np.ndarray:
    """Return the height of a line's picture: a little above the highest density, in steps."""
    share, deviation = components[:, FIELDS.index("share")], components[:, FIELDS.index("a")]
    highest = (share / (deviation * np.sqrt(2 * np.pi))).max(axis=1)
    return 1.1 * STEP ** np.ceil(np.log(np.maximum(highest, 1e-6)) / np.log(STEP))


def _beside(components: np.ndarray, top: np.ndarray, grid: np.ndarray) -> np.ndarray:
    """Return how far each component's number is from its mean, so that two in one place are both seen."""
    mean, deviation, share = (components[:, FIELDS.index(name)] for name in ("mx", "a", "share"))
    height = share / (deviation * np.sqrt(2 * np.pi) * top)
    near = [np.abs(each[:, :, None] - each[:, None]) for each in (mean / np.ptp(grid), height)]
    drawn = share > 0.0005
    together = (near[0] < WIDE) & (near[1] < TALL) & drawn[:, None] & drawn[:, :, None]
    before = (together & np.tri(share.shape[1], k=-1, dtype=bool)).sum(axis=2)
    return np.asarray(before - (np.maximum(together.sum(axis=2), 1) - 1) / 2)


def _ladder(scene: ClimbScene, start: int, stop: int) -> Columns:
    """Return the densities of the mean, of one common scale, and the ticks where a method has no density."""
    gibbs = scene.runs[-1]
    dense = [climb.density[start:stop] for climb in scene.ladder if climb.dense] + [gibbs.density[start:stop]]
    top = np.max([each.max(axis=1) for each in dense], axis=0)
    if scene.exact:
        top = np.maximum(top, scene.exact[1].max())
    columns: Columns = {("densities", "height"): np.concatenate([each / top[:, None] for each in dense], axis=1)}
    if scene.exact:
        columns["exact", "height"] = scene.exact[1] / top[:, None]
    ticked = [climb for climb in scene.ladder if not climb.dense]
    none = np.full((stop - start, 1), np.nan)
    x = [climb.components[start:stop, FIELDS.index("mx")] for climb in ticked] or [none]
    height = [climb.shares[start:stop, climb.point] for climb in ticked] or [none]
    return columns | {("ticks", "x"): np.concatenate(x, axis=1), ("ticks", "height"): np.concatenate(height, axis=1)}
