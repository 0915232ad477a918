"""The charts of own chains: the plane, traces, R-hat and effective sizes along the run, and rank plots."""

from __future__ import annotations

from typing import Any

from lessons.data.columns import Column
from pages.drawing.charts import (
    ACCENT,
    DOUBLING,
    INK,
    NOW,
    PAPER,
    SOFT,
    Domain,
    axis,
    finish,
    if_lit,
    iterations,
    past,
    rows,
    ticks,
)
from pages.drawing.lazy import alt
from pages.drawing.marks import SIDES
from pages.drawing.once import drawn_once
from pages.drawing.palette import COLORS, SHAPES
from pages.topics.walk_the_hill.charts import DOT, FULL, LAST

MOST_DOTS = 4_000  # of more draws, every second, fourth … is drawn: as many as a screen can tell apart
MOST_OF_TRACE = 1_200  # draws of a chain's trace, likewise
STRIP = 0.14  # breadth of the margins' strips, as a share of the window
FINEST, GOOD, WORST = 0.001, 0.01, 1.0  # R-hat less 1: the ends of its axis, and what is good enough
TOP = 2.5  # of a rank plot, as a share of what is expected
BETWEEN = 0.12  # two parts of it
CHAIN = "'chain-' + (datum.c + 1)"  # the mark of a chain


def every(draws: int) -> str:
    """Return the expression for which draws of each chain are drawn: one in a power of two."""
    return f"pow(2, max(0, ceil(log(max(1, {NOW}) / {draws}) / log(2))))"


def _walkers(test: str, chains: tuple[int, ...], *fields: str) -> Any:
    """Return the rows of the draws that pass a test, one for each chain and draw: ``c`` and these fields."""
    first, *others = fields
    found = past().transform_filter(f"datum.t <= {NOW} && {test}")
    found = found.transform_fold([f"{first}_{chain}" for chain in chains], as_=["of", first])
    found = found.transform_calculate(c=f"toNumber(substring(datum.of, {len(first) + 1}))")
    for other in others:
        choice = "".join(f"datum.c == {chain} ? datum.{other}_{chain} : " for chain in chains)
        found = found.transform_calculate(**{other: f"{choice}null"})
    return found.transform_filter(" && ".join(f"isValid(datum.{field})" for field in fields))


def _diverged(chains: tuple[int, ...], *fields: str) -> Any:
    """Return the rows of the draws that diverged; ``diverged`` has a bit for each chain."""
    found = _walkers("datum.diverged > 0", chains, *fields)
    found = found.transform_filter("floor(datum.diverged / pow(2, datum.c)) % 2 == 1")
    return found.transform_calculate(mark="'divergence'")


def _of_chain(channel: Any, look: tuple[str, ...] = COLORS) -> Any:
    return channel("c:N", scale=alt.Scale(domain=list(range(len(look))), range=list(look)), legend=None)


def _along(total: int) -> alt.X:
    """Return the axis of draws, which doubles when it is full, up to the last one."""
    return iterations(None, {"expr": f"min({total}, {DOUBLING['expr']})"})


@drawn_once
def plane(
    window: tuple[Domain, Domain], columns: tuple[Column, Column], chains: tuple[int, ...], diagonal: Any = None
) -> dict[str, Any]:
    """Draw the draws of all chains so far, their last ways, divergences, and the margins.

    Parameters
    ----------
    window : ((float, float), (float, float))
        The ends of the part that is drawn.
    columns : tuple of Column
        What lies along x and along y.
    chains : tuple of int
        The numbers of the chains, from 0: the fields ``x_0``, ``y_0`` and so on of the data set ``"past"``.
    diagonal : tuple, optional
        The ends (x, y, x2, y2) of the line on which both parameters are equal, if they are elements of one vector.
    """
    color, shape = _of_chain(alt.Fill), _of_chain(alt.Shape, SHAPES)
    seen = _walkers(f"datum.draw == 1 && datum.t % {every(MOST_DOTS // len(chains))} == 0", chains, "x", "y")
    last = _walkers(f"datum.t > {NOW} - {LAST}", chains, "x", "y")
    here = _walkers(f"datum.t == {NOW}", chains, "x", "y").transform_calculate(mark=CHAIN)
    line = []
    if diagonal:
        ends = dict(zip(("x", "y", "x2", "y2"), diagonal, strict=True))
        line = [alt.Chart(alt.Data(values=[ends])).mark_rule(color=SOFT, strokeDash=[5, 4], clip=True).encode(**SIDES)]
    layers = [
        *line,
        seen.mark_point(size=14, **DOT | {"opacity": 0.45}).encode(color, shape),
        last.mark_line(strokeWidth=1.4, opacity=0.75, clip=True).encode(_of_chain(alt.Stroke), order="t:Q"),
        here.mark_point(strokeWidth=1.6, stroke=PAPER, **DOT).encode(color, shape, size=if_lit(420, 150)),
        _diverged(chains, "x", "y")  # over the draw of now, which may be one of them
        .mark_point(shape="cross", fill=INK, stroke=PAPER, strokeWidth=1, **DOT)
        .encode(size=if_lit(240, 70)),
        *_margins(*window),
    ]
    axes = [
        axis(channel, letter, (part[0], _end(part)), column.name, grid=False, **ticks(column, part))
        for channel, letter, part, column in zip((alt.X, alt.Y), "xy", window, columns, strict=True)
    ]
    return finish(alt.layer(*layers).encode(*axes))


def _end(part: Domain) -> float:
    """Return the end of an axis with room for a margin's strip."""
    return part[1] + STRIP * (part[1] - part[0])


def _margins(x: Domain, y: Domain) -> list[alt.Chart]:
    """Return the histograms of the draws, above and on the right."""
    right, top = _end(x), _end(y)
    covers = [
        alt.Chart(alt.Data(values=[{"x": x[0], "x2": right, "y": y[1], "y2": top}])),
        alt.Chart(alt.Data(values=[{"x": x[1], "x2": right, "y": y[0], "y2": top}])),
    ]
    up, out = f"{y[1]} + {FULL * (top - y[1])} * datum.h", f"{x[1]} + {FULL * (right - x[1])} * datum.h"
    bars = [
        rows("bars_x").transform_calculate(x="datum.low", x2="datum.high", y=f"{y[1]}", y2=up),
        rows("bars_y").transform_calculate(y="datum.low", y2="datum.high", x=f"{x[1]}", x2=out),
    ]
    ends = [
        alt.Chart(alt.Data(values=[{"x": x[0], "x2": x[1], "y": y[1], "y2": y[1]}])),
        alt.Chart(alt.Data(values=[{"x": x[1], "x2": x[1], "y": y[0], "y2": y[1]}])),
    ]
    return [
        *(cover.mark_rect(color=PAPER, opacity=1).encode(**SIDES) for cover in covers),
        *(bar.mark_rect(color=ACCENT, opacity=0.5, clip=True).encode(**SIDES) for bar in bars),
        *(end.mark_rule(color=SOFT, strokeWidth=1).encode(**SIDES) for end in ends),
    ]


@drawn_once
def trace(
    letter: str, domain: Domain, column: Column, lines: tuple[int, ...], total: int, *, marked: bool
) -> dict[str, Any]:
    """Draw how numbers move along the run, a line for each of them.

    Parameters
    ----------
    letter : str
        The fields ``LETTER_0`` and so on of the data set ``"past"``.
    domain : (float, float)
        The ends of their axis.
    column : Column
        What it measures.
    lines : tuple of int
        The numbers of the lines, from 0.
    total : int
        The last draw.
    marked : bool
        Whether they are chains, whose divergences are marked below.
    """
    x, y = _along(total), axis(alt.Y, letter, domain, grid=False, **ticks(column, domain, 3))
    seen = _walkers(f"datum.t % {every(MOST_OF_TRACE)} == 0", lines, letter)
    drawn = seen.mark_line(strokeWidth=1.2, opacity=0.8, clip=True).encode(x, y, _of_chain(alt.Stroke), order="t:Q")
    if not marked:
        return finish(drawn)
    foot = _diverged(lines, letter).transform_calculate(**{letter: f"{domain[0]}"})
    ticked = foot.mark_point(shape="triangle-up", color=INK, **DOT).encode(x, y, size=if_lit(120, 34))
    return finish(alt.layer(drawn, ticked))


@drawn_once
def rhat(total: int) -> dict[str, Any]:
    """Draw R-hat of both parameters along the run, and the line at 1.01."""
    x = _along(total)
    scale = alt.Scale(domain=[FINEST, WORST], type="log", clamp=True, nice=False)
    label = "format(1 + datum.value, '.3~f')"
    y = alt.Y("value:Q", scale=scale, title=None, axis=alt.Axis(values=[GOOD, WORST], labelExpr=label, grid=False))
    good = alt.Chart(alt.Data(values=[{"value": GOOD}])).mark_rule(color=SOFT, strokeDash=[3, 3]).encode(y)
    lines = (
        past(field).transform_calculate(value=f"max({FINEST}, datum.{field})").mark_line(clip=True, **look).encode(x, y)
        for field, look in _two("rhat_x", "rhat_y")
    )
    return finish(alt.layer(good, *lines))


def _two(first: str, second: str) -> list[tuple[str, dict[str, Any]]]:
    """Return two fields with the looks of their lines."""
    point = {"filled": True, "size": 22}
    return [
        (second, {"color": INK, "strokeWidth": 1.4, "strokeDash": [4, 2], "point": {**point, "color": INK}}),
        (first, {"color": ACCENT, "strokeWidth": 2, "point": {**point, "color": ACCENT}}),
    ]


@drawn_once
def sizes(most: int, enough: int, total: int) -> dict[str, Any]:
    """Draw the effective sample sizes along the run, as many draws as there are, and how many are enough."""
    x = _along(total)
    scale = alt.Scale(domain=[1, most], type="log", clamp=True, nice=False)
    y = alt.Y("value:Q", scale=scale, title=None, axis=alt.Axis(values=[1, enough], format=",", grid=False))
    rule = alt.Chart(alt.Data(values=[{"value": enough}])).mark_rule(color=SOFT, strokeDash=[3, 3]).encode(y)
    lines = (
        past(field).transform_calculate(value=f"max(1, datum.{field})").mark_line(clip=True, **look).encode(x, y)
        for field, look in _two("bulk", "tail")
    )
    return finish(alt.layer(rule, *lines))


@drawn_once
def ranks(height: str, parts: int) -> dict[str, Any]:
    """Draw a histogram of ranks for each chain, side by side; all would be level if the chains agreed.

    A chain whose bars are higher than the axis has an arrow, and the number of the highest.

    Parameters
    ----------
    height : str
        The field of the data set ``"ranks"``: hundredths of what is expected.
    parts : int
        How many chains there are.
    """
    x = axis(alt.X, "low", (0, parts), None)
    y = axis(alt.Y, "up", (0, TOP), None, values=[0, 1, 2], grid=False)
    bars = rows("ranks").transform_calculate(up=f"min({TOP}, datum.{height} / 100)", y2="0", mark=CHAIN)
    beyond = rows("ranks", height).transform_filter(f"datum.{height} / 100 > {TOP}")
    beyond = beyond.transform_aggregate(most=f"max({height})", low="min(low)", groupby=["c"])
    beyond = beyond.transform_calculate(up=f"{TOP}", said="'↑ ' + format(datum.most / 100, '.2f')")
    level = alt.Chart(alt.Data(values=[{"up": 1}])).mark_rule(color=INK, strokeDash=[3, 3], opacity=0.7).encode(y)
    bars = bars.mark_rect(clip=True)
    bars = bars.encode(x, y, _of_chain(alt.Fill), x2="high:Q", y2="y2:Q", opacity=if_lit(1, 0.7))
    number = beyond.mark_text(align="left", baseline="top", dx=2, dy=2, color=INK).encode(x, y, text="said:N")
    return finish(alt.layer(bars, level, number))
