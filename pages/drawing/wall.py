"""A wall of many small runs, and the heap into which each of them drops a dot; or a lineup of data sets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from pages.drawing.charts import ACCENT, INK, LIT, NOW, PAPER, SOFT, axis, colored, finish, if_, of, rows, span
from pages.drawing.lazy import alt
from pages.drawing.once import drawn_once
from pages.drawing.palette import RED

ACROSS, DOWN = 4.0, 3.0  # a tile's sides, in units of the wall
EDGE = 0.12  # of a tile, around what is drawn in it
NAMED = 0.75  # of a tile's height is below its number
# SMALLEST: pixels, of type; DIGIT: the width of a digit, by its height; COVERED: of a tile's height, at most
SMALLEST, DIGIT, COVERED = 11, 0.5, {"line": 0.4, "discs": 0.6}
LEAST = 4  # pixels across, of a dot that is seen as one
WIDE, NARROWEST = 5, 1.3  # tiles in a row of a lineup; one less unless it is this many times as wide as it is high
OWN = "datum.run == own"  # the run of the page's own seed


class Grid(NamedTuple):
    """The numbers of tiles in a row and of rows."""

    columns: int
    rows: int

    @classmethod
    def of(cls, runs: int) -> Grid:
        """Return the grid for a number of runs: as many rows as columns, or fewer."""
        columns = int(np.ceil(np.sqrt(runs)))
        return cls(columns, -(-runs // columns))

    @property
    def width(self) -> float:
        """The wall's width."""
        return ACROSS * self.columns

    @property
    def height(self) -> float:
        """The wall's height."""
        return DOWN * self.rows

    def corners(self, runs: int) -> np.ndarray:
        """Return where tiles begin, at the left and below, the first at the top left: shape (runs, 2)."""
        run = np.arange(runs)
        return np.column_stack([ACROSS * (run % self.columns), self.height - DOWN * (run // self.columns + 1)])


def _at(grid: Grid, x: str, y: str) -> tuple[alt.X, alt.Y]:
    return axis(alt.X, x, (0, grid.width)), axis(alt.Y, y, (0, grid.height))


def _or_own(lit: Any, own: Any, otherwise: Any) -> Any:
    """Return the value of a channel for the run that is pointed at, for the page's own, and for the others."""
    conditions = [{"test": LIT, "value": lit}, {"test": OWN, "value": own}]
    return alt.ValueDefWithConditionMarkPropFieldOrDatumDefnumber(condition=conditions, value=otherwise)


@drawn_once
def wall(grid: Grid, kind: str, format: str, title: str) -> dict[str, Any]:
    """Draw a tile a run: its frame, what has come of it so far, and its number.

    The data set ``"runs"`` has a row a run: its corner ``x``, ``y``, its ``seed`` and its ``value`` now. The parameters
    are ``own``, the run of the page's seed, and of lines ``low`` and ``high``, the ends of their tiles.

    Parameters
    ----------
    grid : Grid
        Of tiles.
    kind : str
        ``"discs"``: the data set of this name has places ``x``, ``y``, a ``radius`` and a ``color`` each. ``"line"``:
        that of this name has a value ``y`` at each ``t`` of a ``run``.
    format, title : str
        Of the number, by D3, and what it is.
    """
    frames = rows("runs").transform_calculate(x2=f"datum.x + {ACROSS}", y2=f"datum.y + {DOWN}")
    tip = [
        alt.Tooltip("seed:Q", format="d"),
        alt.Tooltip("value:Q", format=format, title=title),
    ]
    frames = frames.encode(*_at(grid, "x", "y"), alt.X2("x2"), alt.Y2("y2"))
    tiles = frames.mark_rect(fill=SOFT, fillOpacity=0.07, stroke=INK).encode(strokeWidth=_or_own(3, 2, 0.25))
    pressed = frames.mark_rect(fill=SOFT, fillOpacity=0).encode(tooltip=tip)  # over all that is drawn in the tile
    drawn = {"discs": _discs, "line": _lines}[kind](grid)
    size = f"max({SMALLEST} * larger, min(15 * larger, height / {4 * grid.rows}))"
    number = rows("runs", "value").transform_filter(f"told && {_room(grid, kind, size, format)}")
    number = number.transform_calculate(left=f"datum.x + {EDGE}", top=f"datum.y + {DOWN - EDGE}")
    place: dict[str, Any] = {"align": "left", "baseline": "top", "fontSize": alt.ExprRef(size)}
    around, written = (
        number.mark_text(**place, **look).encode(*_at(grid, "left", "top"), alt.Text("value:Q", format=format))
        for look in ({"color": PAPER, "stroke": PAPER, "strokeWidth": 4}, {"color": INK})
    )
    params = [alt.param(name="own", value=0)]
    params += [alt.param(name=end, value=at) for end, at in (("low", 0), ("high", 1))] if kind == "line" else []
    return finish(alt.layer(tiles, *drawn, around, written, pressed).add_params(*params))


def _room(grid: Grid, kind: str, size: str, format: str) -> str:
    """Return the test whether a tile has room for its number in a size of type; on a phone it may be too narrow."""
    digits = f"length(format(datum.value, '{format}'))"
    wide, high = f"width * {(ACROSS - 2 * EDGE) / grid.width}", f"height / {grid.rows}"
    return f"{DIGIT} * {digits} * {size} <= {wide} && {size} <= {COVERED[kind]} * {high}"


def _discs(grid: Grid) -> list[alt.Chart]:
    there = rows("discs").transform_filter("datum.radius > 0")
    there = there.transform_calculate(size=f"pow(2 * datum.radius * width / {grid.width}, 2)")
    discs = there.mark_point(shape="circle", filled=True, opacity=0.85, strokeWidth=0)
    return [discs.encode(*_at(grid, "x", "y"), colored(alt.Fill), alt.Size("size:Q", scale=None, legend=None))]


def _lines(grid: Grid) -> list[alt.Chart]:
    so_far = rows("line", "y").transform_filter(f"datum.t <= {NOW}")
    line = so_far.mark_line(color=ACCENT, strokeWidth=1.3).encode(*_at(grid, "x", "y"), detail="run:N", order="t:Q")
    aim = rows("aim", "y").mark_rule(color=INK, strokeWidth=0.6, opacity=0.7)
    return [aim.encode(*_at(grid, "x", "y"), alt.X2("x2")), line]


@drawn_once
def lineup(tiles: int, least: int) -> dict[str, Any]:
    """Draw a tile a data set: its frame, its points, and above them its number.

    The data set ``"tiles"`` has a row a tile: its ``number`` and ``shown``, which is 1 for the tile whose frame is
    thick. ``"discs"`` has a ``tile``, from 0, a place ``x``, ``y`` in it, from 0 to 1, a ``radius`` in units of the
    wall and a ``color`` each. On a phone, whose room is nearly square, a row has fewer tiles, which are larger.

    Parameters
    ----------
    tiles : int
        The number of tiles.
    least : int
        Pixels across, of the smallest disc; 0 where the size of discs means something.
    """
    x, y = axis(alt.X, "u", (0, alt.ExprRef("across"))), axis(alt.Y, "v", (alt.ExprRef("down"), 0))
    places = {"u": "(datum.number - 1) % across", "v": "floor((datum.number - 1) / across)"}
    named = rows("tiles").transform_calculate(**places, mark="'tile-' + datum.number")
    frames = named.transform_calculate(u2="datum.u + 1", v2="datum.v + 1").encode(x, y, alt.X2("u2"), alt.Y2("v2"))
    conditions = [{"test": "datum.shown == 1", "value": 4}, {"test": LIT, "value": 2.5}]
    wide = alt.ValueDefWithConditionMarkPropFieldOrDatumDefnumber(condition=conditions, value=0.5)
    red = if_("datum.shown == 1", RED, {"expr": "ink"})
    drawn = frames.mark_rect(fill=SOFT, fillOpacity=0.07).encode(strokeWidth=wide, stroke=red)
    pressed = frames.mark_rect(fill=SOFT, fillOpacity=0)  # over all that is drawn in the tile
    params = {
        "across": f"width > {NARROWEST} * height ? {WIDE} : {WIDE - 1}",
        "down": f"ceil({tiles} / across)",
        "unit": f"min(width / across / {ACROSS}, height / down / {DOWN})",  # of the wall, in pixels
        "type": f"max({SMALLEST}, min(15 * larger, height / down / 5))",
        "head": "(type + 5) * down / height",  # the height of a number, as a share of its tile
    }
    place: dict[str, Any] = {"align": "left", "baseline": "top", "dx": 3, "dy": 3, "fontWeight": "bold"}
    number = named.mark_text(**place, color=INK, fontSize=alt.ExprRef("type")).encode(x, y, alt.Text("number:Q"))
    layers = [drawn, _discs_of_tiles(x, y, least), number, pressed]
    return finish(alt.layer(*layers).add_params(*(alt.param(name=name, expr=expr) for name, expr in params.items())))


def _discs_of_tiles(x: alt.X, y: alt.Y, least: int) -> alt.Chart:
    beside = f"{EDGE} / {ACROSS}"
    there = rows("discs", "radius").transform_filter("datum.radius > 0")
    there = there.transform_calculate(
        u=f"datum.tile % across + {beside} + (1 - 2 * {beside}) * datum.x",
        v=f"floor(datum.tile / across) + head + (1 - head - {EDGE} / {DOWN}) * (1 - datum.y)",
        size=f"pow(max({least}, 2 * datum.radius * unit), 2)",
    )
    discs = there.mark_point(shape="circle", filled=True, opacity=0.85, strokeWidth=0)
    return discs.encode(x, y, colored(alt.Fill), alt.Size("size:Q", scale=None, legend=None))


@drawn_once
def heap(title: str, run: str) -> dict[str, Any]:
    """Draw a dot a run, piled up over its value, or bars on a small screen, the exact distribution, and both means.

    The data set ``"dots"`` has a row a run, with the middle of its bin ``x`` and its place from below ``y``; ``"bins"``
    has ``x`` and ``exact``, the number of runs to be expected; ``"middle"`` has the ``mean`` of the runs and the
    ``exact`` one. The parameters are ``own``, ``heap_span``, ``heap_top`` and ``heap_bin``, the width of a bin. The
    chart itself reckons ``dotted``, whether a dot has room enough to be seen, and ``barred``, whether not.

    Parameters
    ----------
    title : str
        Of the horizontal axis.
    run : str
        What runs are called, in the plural.
    """
    domain, ends = span("heap_span")
    x = axis(alt.X, "x", domain, title, grid=False, tickCount=6)
    y, exact = (
        axis(alt.Y, field, (0, alt.ExprRef("heap_top")), run, clamp=True, tickCount=4, tickMinStep=1)
        for field in ("y", "exact")
    )
    wide = "width * heap_bin / (heap_span[1] - heap_span[0])"  # pixels a bin
    inside = "datum.x >= heap_span[0] && datum.x <= heap_span[1]"  # a mark beyond the axis would shrink the picture
    piled = rows("dots", "x").transform_filter(inside)
    tip = [alt.Tooltip("seed:Q", format="d"), alt.Tooltip("value:Q", title=title)]
    fill = {"condition": [{"test": f"{LIT} || {OWN}", "value": {"expr": "ink"}}], "value": {"expr": "accent"}}
    dots = piled.transform_filter("dotted").mark_point(shape="circle", filled=True, opacity=1, strokeWidth=0)
    dots = dots.encode(x, y, fill=fill, size=alt.value(alt.ExprRef("pow(dot, 2)")), tooltip=tip)
    parts = piled.transform_filter("barred").transform_calculate(below="datum.y - 0.5", above="datum.y + 0.5")
    bars = parts.mark_bar(width=alt.ExprRef(f"max(2, {wide} - 1)"), strokeWidth=0, clip=True)
    bars = bars.encode(x, of(y, "above"), alt.Y2("below"), fill=alt.value(alt.ExprRef("accent")), tooltip=tip)
    picked = piled.transform_filter(f"barred && ({LIT} || {OWN})")  # as a slice it would look like an exact number
    picked = picked.mark_point(shape="circle", filled=True, opacity=1, color=INK, stroke=PAPER, strokeWidth=1, size=70)
    ticks = rows("bins", "exact").transform_filter("told && datum.exact > 0.02")
    truth = ticks.mark_tick(orient="horizontal", color=INK, thickness=2, size=alt.ExprRef(wide)).encode(x, exact)
    middle = rows("middle").transform_filter("told")
    known, found = (
        middle.transform_filter(f"isValid(datum.{mean})")
        .transform_calculate(x=f"datum.{mean}")
        .transform_filter(inside)
        for mean in ("exact", "mean")
    )
    at_top: dict[str, Any] = {"shape": "triangle-down", "filled": True, "opacity": 1, "size": 110}
    layers = [
        dots,
        bars,
        truth,
        picked.encode(x, y),
        known.mark_rule(color=INK, strokeDash=[5, 4], strokeWidth=1.3).encode(x),
        found.mark_point(color=ACCENT, **at_top).encode(x, y=alt.value(6)),
        *_too_high(piled, x),
    ]
    params = [alt.param(name=name, value=1) for name in ("own", "heap_top", "heap_bin")]
    reckoned = {"dot": f"0.92 * min({wide}, height / heap_top)", "dotted": f"dot >= {LEAST}", "barred": "!dotted"}
    params += [alt.param(name=name, expr=expr) for name, expr in reckoned.items()]
    return finish(alt.layer(*layers).add_params(ends, *params))


def _too_high(piled: alt.Chart, x: alt.X) -> Iterator[alt.Chart]:
    """Draw how many runs a pile has that is higher than the axis: it is squeezed at its end."""
    high = piled.transform_aggregate(many="count()", groupby=["x"]).transform_filter("datum.many > heap_top")
    high = high.transform_calculate(said="'↑ ' + datum.many")
    for look in ({"color": PAPER, "stroke": PAPER, "strokeWidth": 6}, {"color": INK}):
        yield high.mark_text(fontSize=12, baseline="top", **look).encode(x, alt.Text("said:N"), y=alt.value(14))
