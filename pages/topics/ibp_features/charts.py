"""The charts of binary features, described once; what changes comes as frames."""

from __future__ import annotations

from typing import Any, TypeAlias

from pages.drawing.charts import ACCENT, INK, PAPER, SOFT, axis, colored, finish, if_lit, rows
from pages.drawing.lazy import alt
from pages.drawing.marks import SIDES
from pages.drawing.once import drawn_once
from pages.drawing.palette import COLORS
from pages.topics.ibp_features.run import DRAWN, GONE, SHOWN

PITCH = 1.16  # from one tile to the next, in widths of a tile
LEFT = -2.1  # room for what a line of tiles is called
TOP = 0.36  # of the features' tiles; above them are their names
BLOCKS, BLOCK = (1.75, 5.42), 3.67  # where each block of rows begins, and how high it is
LINES = (0.0, 1.32, 2.4)  # where in a block rows, sums and what is left over are
BITS = 1.16  # where in a block the marks of a row's features are
WIDTH = f"width / {SHOWN * PITCH - LEFT}"  # of a tile, in pixels
NEGATIVE, POSITIVE = COLORS[1], COLORS[0]
Axes: TypeAlias = "tuple[alt.X, alt.Y]"


def blocks(count: int) -> int:
    """Return the number of blocks of rows that are shown."""
    return -(-min(count, DRAWN) // SHOWN)


def aspect(count: int) -> str:
    """Return width to height of the pictures of a number of rows."""
    return f"{SHOWN * PITCH - LEFT} / {_bottom(count)}"


def _bottom(count: int) -> float:
    return BLOCKS[blocks(count) - 1] + BLOCK


def _across(name: str) -> str:
    """Return where the tile of a row or of a feature begins, as an expression."""
    return f"datum.{name} % {SHOWN} * {PITCH}"


def _down(line: float) -> str:
    """Return where a line of a row's block is, as an expression."""
    return f"{line} + (datum.n < {SHOWN} ? {BLOCKS[0]} : {BLOCKS[1]})"


def _tiles(source: alt.Chart, tile: tuple[int, int], name: str, top: str, value: str, axes: Axes) -> alt.Chart:
    """Draw tiles, whose pixels are rows with their places px and py in the tile: the paper's colour is 0."""
    down, wide = tile
    domain: list[Any] = [alt.ExprRef("-reach"), 0, alt.ExprRef("reach")]
    scale = alt.Scale(domain=domain, range=[NEGATIVE, PAPER, POSITIVE], clamp=True, interpolate="rgb")
    return (
        source.transform_calculate(v=value)
        .transform_filter("isValid(datum.v)")
        .transform_calculate(
            x=f"{_across(name)} + datum.px / {wide}",
            x2=f"{_across(name)} + (datum.px + 1) / {wide}",
            y=f"{top} + datum.py / {down}",
            y2=f"{top} + (datum.py + 1) / {down}",
        )
        .mark_rect(strokeWidth=0.4, stroke=SOFT, strokeOpacity=0.25)
        .encode(*axes, alt.Fill("v:Q", scale=scale, legend=None), **SIDES)
    )


def _frames(source: alt.Chart, name: str, top: str, axes: Axes, **look: Any) -> alt.Chart:
    """Draw frames around tiles."""
    return (
        source.transform_calculate(
            x=f"{_across(name)} - 0.03", x2=f"{_across(name)} + 1.03", y=f"{top} - 0.03", y2=f"{top} + 1.03"
        )
        .mark_rect(fillOpacity=0.001, fill=SOFT, **look)
        .encode(*axes, **SIDES)
    )


@drawn_once
def pictures(tile: tuple[int, int], count: int, many: str, parts: str) -> dict[str, Any]:
    """Draw the features, the first rows with marks of what they have, their sums, and what is left over.

    Parameters
    ----------
    tile : (int, int)
        Rows and columns of a tile.
    count : int
        How many rows there are.
    many, parts : str
        What rows, and features, are called.
    """
    axes = axis(alt.X, "x", (LEFT, SHOWN * PITCH)), axis(alt.Y, "y", (_bottom(count), 0))
    pixels, top = rows("pixels"), f"{TOP}"
    heads = rows("heads").transform_filter(f"datum.m < {GONE}")
    heads = heads.transform_calculate(color=f"datum.k % {len(COLORS)}", mark="'feature-' + (datum.k + 1)")
    above = heads.transform_calculate(y=f"{TOP - 0.17}", x=_across("k"), end=f"{_across('k')} + 1")
    number = above.transform_calculate(text="'' + (datum.k + 1)").mark_text(align="left", fontSize=15, fontWeight=700)
    count_of = above.transform_calculate(x="datum.end", text="'' + datum.m")
    titles = [{"x": -0.15, "y": TOP + 0.5, "text": parts}]
    for start in BLOCKS[: blocks(count)]:
        said = zip(LINES, (many, "put together", "left over"), strict=True)
        titles += [{"x": -0.15, "y": start + line + 0.5, "text": text} for line, text in said]
    lines = alt.Chart(alt.Data(values=titles))
    shown = f"datum.n < {SHOWN * blocks(count)}"
    image = rows("names").transform_filter(shown).transform_calculate(mark="'row-' + (datum.n + 1)")
    here = rows("here", "n").transform_filter(shown)
    lit: dict[str, Any] = {"stroke": INK, "cursor": "pointer"}
    told = [alt.Tooltip("number:N", title=parts.removesuffix("s")), alt.Tooltip("m:Q", title=many)]
    tops = [_down(line) for line in LINES]
    layers = [
        _tiles(rows("contents"), tile, "k", top, "datum.value", axes),
        *(
            _tiles(pixels, tile, "n", where, value, axes)
            for where, value in zip(tops, ("datum.value", "datum.sum", "datum.value - datum.sum"), strict=True)
        ),
        number.encode(*axes, text="text:N", color=colored(alt.Color)),
        count_of.mark_text(align="right", fontSize=12, color=SOFT).encode(*axes, text="text:N"),
        lines.mark_text(align="right", fontSize=12, color=INK).encode(*axes, text="text:N"),
        _bits(shown).encode(*axes, colored(alt.Fill)),
        _frames(heads.transform_calculate(number="datum.k + 1"), "k", top, axes, **lit).encode(
            strokeWidth=if_lit(3, 0), tooltip=told
        ),
        _frames(image, "n", tops[0], axes, **lit).encode(strokeWidth=if_lit(3, 0)),
        _frames(image.transform_filter("datum.n == chosen"), "n", tops[0], axes, stroke=INK, strokeWidth=1.5),
        _frames(here, "n", tops[0], axes, stroke=INK, strokeWidth=3),
    ]
    params = [alt.param(name=name, value=value) for name, value in (("reach", 1.0), ("chosen", -1))]
    return finish(alt.layer(*layers).resolve_scale(color="independent", fill="independent").add_params(*params))


def _bits(shown: str) -> alt.Chart:
    """Draw a chip in the color of each feature that a row has, half as wide as high: none lies on the next."""
    had = rows("cells").transform_filter(f"{shown} && datum.on == 1 && datum.name < {GONE}")
    placed = had.transform_calculate(
        x=f"{_across('n')} + (datum.k + 0.5) / {SHOWN}",
        y=_down(BITS),
        color=f"datum.k % {len(COLORS)}",
        mark="'feature-' + (datum.k + 1)",
    )
    size = alt.ExprRef(f"pow(min(8, 0.24 * ({WIDTH})), 2)")
    return placed.mark_point(shape="M-0.5,-1H0.5V1H-0.5Z", filled=True, strokeWidth=0, size=size, opacity=1)


@drawn_once
def matrix(count: int, one: str, named: bool, bars: bool) -> dict[str, Any]:
    """Draw which row has which feature, in the order of the columns that the parameter ``left`` says.

    Parameters
    ----------
    count : int
        How many rows there are.
    one : str
        What a row is called.
    named : bool
        Whether they have names.
    bars : bool
        Whether they have loadings: bars from the middle of a column, right above 0 and left below, a ring at 0. The
        parameter ``longest`` is the loading whose bar fills half a column.
    """
    room = 5.2 if named else 0.9
    axes = axis(alt.X, "x", (-room, SHOWN)), axis(alt.Y, "y", (count, -0.06 * count - 0.3))
    cells = rows("cells").transform_calculate(place="left ? datum.left : datum.name")
    cells = cells.transform_filter(f"datum.place < {GONE}").transform_calculate(
        x="datum.place + 0.06",
        x2="datum.place + 0.94",
        y="datum.n + 0.06",
        y2="datum.n + 0.94",
        color=f"datum.k % {len(COLORS)}",
        mark="'row-' + (datum.n + 1)",
        row="datum.n + 1",
        has="datum.k + 1",
    )
    told = [alt.Tooltip("row:N", title=one), alt.Tooltip("has:N", title="factor" if bars else "feature")]
    off, on, out = (cells.transform_filter(f"datum.on == {value}") for value in (0, 1, 2))
    if bars:
        long = "clamp(datum.amount / longest, -1, 1)"
        on = on.transform_calculate(
            x="datum.place + 0.5", x2=f"datum.place + 0.5 + 0.46 * {long}", y="datum.n + 0.2", y2="datum.n + 0.8"
        )
    heads = cells.transform_filter("datum.n == 0").transform_calculate(
        x="datum.place + 0.5", y=f"{-0.03 * count - 0.15}", text="'' + (datum.k + 1)"
    )
    names = rows("names").transform_calculate(x="-0.25", y="datum.n + 0.5", mark="'row-' + (datum.n + 1)")
    if not named:
        names = names.transform_filter("datum.n == 0 || (datum.n + 1) % 10 == 0")
    layers = [
        off.mark_rect(fillOpacity=0.09, fill=SOFT).encode(
            *axes, **SIDES, strokeWidth=if_lit(1, 0), stroke=alt.value(SOFT)
        ),
        on.mark_rect().encode(
            *axes, colored(alt.Fill), **SIDES, strokeWidth=if_lit(2, 0), stroke=alt.value(INK), tooltip=told
        ),
        out.mark_rect(fillOpacity=0.1, strokeWidth=2.5).encode(*axes, colored(alt.Stroke), **SIDES),
        heads.mark_text(fontSize=12, fontWeight=700).encode(*axes, colored(alt.Color), text="text:N"),
        names.mark_text(align="right", fontSize=11).encode(*axes, text="text:N", color=alt.value(SOFT)),
    ]
    if bars and named:  # or else there is no room for rings
        rings = off.transform_calculate(x="datum.place + 0.5", y="datum.n + 0.5").mark_point(size=16)
        layers.insert(1, rings.encode(*axes, stroke=alt.value(SOFT)))
    chart = alt.layer(*layers).resolve_scale(color="independent", fill="independent", stroke="independent")
    longest = [alt.param(name="longest", value=1.0)] if bars else []
    return finish(chart.add_params(alt.param(name="left", value=0), *longest))


@drawn_once
def spike_and_slab(widest: float) -> dict[str, Any]:
    """Draw how often loadings were exactly 0 so far, and how the others are distributed, over their prior.

    Parameters
    ----------
    widest : float
        The ends of the axis.
    """
    x, share = axis(alt.X, "x", (-widest, widest), "loading", grid=False, tickCount=5), (0, 1)
    y = axis(alt.Y, "share", share, format="%", tickCount=3).stack(None)
    slab = rows("slab").transform_calculate(middle="(datum.x + datum.x2) / 2")
    layers = [
        slab.mark_rect(color=ACCENT, opacity=0.55).encode(x, y, x2="x2:Q", y2=alt.YDatum(0)),
        slab.mark_line(color=INK, strokeWidth=1.5, strokeDash=[4, 3], interpolate="monotone").encode(
            axis(alt.X, "middle", (-widest, widest)), axis(alt.Y, "prior", share, format="%", tickCount=3)
        ),
        rows("spike").mark_rule(color=ACCENT, strokeWidth=5).encode(x, y, y2=alt.YDatum(0)),
    ]
    return finish(alt.layer(*layers))
