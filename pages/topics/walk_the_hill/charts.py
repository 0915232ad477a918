"""The pictures: the plane with a path drawn leapfrog by leapfrog and margins at two sides, and the energy below."""

from __future__ import annotations

from typing import Any

from pages.drawing.charts import (
    ACCENT,
    INK,
    NOW,
    PAPER,
    SOFT,
    Domain,
    axis,
    finish,
    if_,
    if_lit,
    iterations,
    marked,
    past,
    rows,
    span,
)
from pages.drawing.lazy import alt
from pages.drawing.marks import SIDES, stem
from pages.drawing.once import drawn_once
from pages.drawing.palette import COLORS
from pages.scenes.energy_axis import beyond, within

MOMENTUM, KICK, TURN = COLORS[2], COLORS[3], COLORS[1]
SECOND = COLORS[6]  # the second chain
LAST = 8  # iterations over which a walker's way is drawn
GENERATIONS = tuple(COLORS[i] for i in (0, 4, 5, 6, 7, 3))  # of a path, by the doubling that made it
EXACT = COLORS[1]
STRIP = 0.34  # breadth of the margins' strips, as a share of the window's half height
ARROW = 0.3  # length of the arrow of a momentum of 1, likewise
FULL = 0.82  # of a strip that the top of an exact curve takes
KICKED = 0.25  # of a leapfrog step's time that each half kick takes; the drift has the rest
CHOOSING = 1.0  # how long the choice takes at a path's end, in leapfrog steps
DOT: dict[str, Any] = {"filled": True, "opacity": 1, "clip": True}
MOVED = f"(frame - {NOW})"
SMALL = 1e-6
HEAD = "M0,-0.9L0.55,0.6L0,0.25L-0.55,0.6Z"  # of an arrow that points up
XY = ("x", "y")


def walked(*, close: bool) -> str:
    """Return the expression for how many leapfrog steps of the path have been made, with a fraction.

    In a close-up a frame is one step. Along a run it is a path: the one that is being moved along, or at rest all.
    """
    if close:
        return "frame"
    return f"(datum.n + {CHOOSING}) * ({MOVED} > {SMALL} ? {MOVED} : 1)"


def _colored(field: str = "doubling") -> alt.Color:
    """Return the colour of a point's doubling."""
    scale = alt.Scale(domain=[0, 1, 2, 3, 4, 5, 6], range=[COLORS[0], *GENERATIONS])
    return alt.Color(f"{field}:O", scale=scale, legend=None)


def _here() -> alt.Chart:
    """Return a layer of a group, which has the group's rows."""
    return alt.Chart()


def _steps(close: bool, *layers: alt.Chart) -> Any:
    """Return layers of the path's points, each with the point before it in time and how much of the way is done."""
    both = ("x", "y", "px", "py")
    beside = {f"{field}_{side}": f"{function}({field})" for field in both for side, function in NEIGHBOURS.items()}
    before = {f"{field}0": f"datum.step < 0 ? datum.{field}_after : datum.{field}_before" for field in both}
    nested: Any = alt.layer(*layers, data=alt.NamedData("path"))
    return (
        nested.transform_filter("isValid(datum.x)")
        .transform_joinaggregate(n="max(k)")
        .transform_window(sort=[alt.SortField("step")], **beside)
        .transform_calculate(**before)
        .transform_calculate(walked=walked(close=close))
        .transform_calculate(
            done="datum.k == 0 ? 1 : clamp(datum.walked - datum.k + 1, 0, 1)",
            way="datum.step < 0 ? -1 : 1",
            over=f"datum.walked > datum.n + {SMALL}",
        )
        .transform_calculate(
            drifted=f"datum.k == 0 ? 1 : clamp((datum.done - {KICKED}) / {1 - 2 * KICKED}, 0, 1)",
            active=f"!datum.over && datum.k == min(datum.n, max(1, ceil(datum.walked - {SMALL})))",
        )
        .transform_calculate(**{f"{at}_now": f"datum.{at}0 + datum.drifted * (datum.{at} - datum.{at}0)" for at in XY})
        .transform_filter(f"datum.done > {SMALL} || datum.active")
    )


NEIGHBOURS = {"before": "lag", "after": "lead"}


@drawn_once
def plane(x: Domain, y: Domain, names: tuple[str, str], *, close: bool, thrown: bool = False) -> dict[str, Any]:
    """Draw the density, the draws so far, the path and the margins.

    Parameters
    ----------
    x, y : (float, float)
        The window.
    names : (str, str)
        What lies along x and along y, or nothing.
    close : bool
        Whether a frame is a leapfrog step of one path, and not an iteration.
    thrown : bool, optional
        Whether learners throw the puck: the parameters ``start`` and ``tip`` are places that they drag.
    """
    path = _steps(close, *_path((y[1] - y[0]) / 2))
    layers: list[Any] = [*hill(), cloud(close), *(_handles() if thrown else []), path, *strips(x, y)]
    chart = alt.layer(*layers).encode(*axes(x, y, names))
    places = [alt.param(name=name, value=[0, 0]) for name in ("start", "tip")]
    return finish(chart.add_params(*places) if thrown else chart)


@drawn_once
def tree(names: tuple[str, str]) -> dict[str, Any]:
    """Draw the density and one path, as close as the path's points leave room, without margins.

    The ends of the axes are the parameters ``x_span`` and ``y_span``.
    """
    spans = {letter: span(f"{letter}_span") for letter in XY}
    across = [
        axis(channel, letter, spans[letter][0], title, grid=False, tickCount=5)
        for channel, letter, title in zip((alt.X, alt.Y), XY, titles(names), strict=True)
    ]
    path = _steps(True, *_path("(y_span[1] - y_span[0]) / 2", large=True))
    chart = alt.layer(*hill(), cloud(close=True), path).encode(*across)
    return finish(chart.add_params(*(param for _, param in spans.values())))


def arm(window: tuple[Domain, Domain]) -> float:
    """Return the length of the arrow of a momentum of 1."""
    return ARROW * (window[1][1] - window[1][0]) / 2


def _round_places(domain: Domain) -> list[float]:
    """Return whole numbers within a window, about seven."""
    low, high = domain
    apart = max(1, round((high - low) / 8))
    return [place for place in range(-20, 21) if low < place < high and place % apart == 0]


def hill() -> list[alt.Chart]:
    """Return the contours of the density, filled."""
    areas = rows("areas", "x").mark_line(fill=SOFT, fillOpacity=0.09, strokeWidth=0, clip=True)
    lines = rows("contours", "x").mark_line(color=INK, strokeWidth=0.8, opacity=0.35, clip=True)
    return [part.encode(detail="line:N", order="i:Q") for part in (areas, lines)]


def cloud(close: bool) -> Any:
    """Return the draws so far; in a close-up, those before it."""
    draws = rows("draws", "x") if close else past("x").transform_filter("datum.draw == 1")
    return draws.mark_point(size=14, color=ACCENT, **DOT | {"opacity": 0.42})


def _handles() -> list[alt.Chart]:
    """Return the marks that are dragged: the place of the start, and the tip of the momentum's arrow."""
    place = alt.Chart(alt.Data(values=[{}])).transform_calculate(
        x="start[0]", y="start[1]", x2="tip[0]", y2="tip[1]", angle="atan2(tip[0] - start[0], tip[1] - start[1])"
    )
    start = marked(place.transform_calculate(hand="'start'"), "start")
    push = marked(place.transform_calculate(hand="'tip'"), "push")
    tip = push.transform_calculate(x="datum.x2", y="datum.y2", turned="datum.angle * 180 / PI")
    return [
        stem(push, MOMENTUM, 5, 2.2, strokeDash=[6, 3]),
        tip.mark_point(shape=HEAD, stroke=MOMENTUM, fill=PAPER, strokeWidth=2.2, **DOT).encode(
            angle=alt.Angle("turned:Q", scale=None), size=if_lit(900, 620)
        ),
        start.mark_point(stroke=INK, fill=PAPER, strokeWidth=2, **DOT).encode(size=if_lit(520, 300)),
    ]


def _path(half: float | str, *, large: bool = False) -> list[alt.Chart]:
    """Return the layers of the path: its segments and points, the momentum, and the puck.

    `half` is half of the window's height, or the expression for it. Points are `large` where they are pressed, and the
    start is one of them.
    """
    faded = if_("told && datum.cut == 1", 0.35, 0.95)
    segments = _here().transform_filter("datum.k > 0").transform_calculate(x="datum.x0", y="datum.y0")
    segments = segments.transform_calculate(made="datum.doubling", gone="datum.cut")
    segments = segments.transform_calculate(doubling="null", cut="null")  # only points are pressed and have a rim
    segments = segments.mark_rule(strokeWidth=2.2, clip=True).encode(
        _colored("made"), x2="x_now:Q", y2="y_now:Q", opacity=if_("told && datum.gone == 1", 0.35, 0.95)
    )
    made = _here().transform_filter("datum.done == 1" if large else "datum.k > 0 && datum.done == 1")
    size = f"{60 if large else 10} + (datum.offered || !told ? 70 * min(1, exp(-datum.error)) : 6)"
    dots = (
        made.transform_calculate(size=size)
        .mark_point(**DOT)
        .encode(_colored(), size=alt.Size("size:Q", scale=None), opacity=faded)
    )
    arrow = marked(_arrow(half).transform_filter("isValid(datum.ax)"), "momentum")
    chosen = _here().transform_filter("datum.over && datum.chosen == 1")
    active = (
        _here().transform_filter("!datum.over && datum.active").transform_calculate(x="datum.x_now", y="datum.y_now")
    )
    look: dict[str, Any] = {"strokeWidth": 1.8, "fill": ACCENT, "stroke": PAPER, **DOT}
    puck = [marked(one, "here").mark_point(**look).encode(size=if_lit(460, 190)) for one in (chosen, active)]
    ring = marked(_here().transform_filter("datum.over && datum.chosen == 1 && datum.n > 0"), "chosen")
    ring = ring.mark_point(stroke=INK, **DOT | {"filled": False})
    turn = marked(_here().transform_filter("datum.over && datum.turn == 1"), "turn")
    turn = turn.transform_calculate(doubling="null").mark_line(color=TURN, strokeDash=[5, 4], clip=True)
    return [
        segments,
        turn.encode(strokeWidth=if_lit(5, 2), order="step:Q"),
        dots,
        stem(arrow, MOMENTUM, 6, 3),
        arrow.transform_calculate(x="datum.x2", y="datum.y2")
        .mark_point(shape=HEAD, color=MOMENTUM, **DOT)
        .encode(angle=alt.Angle("turned:Q", scale=None), size=if_lit(360, 190)),
        stem(marked(_kick(half), "kick"), KICK, 9, 5),  # it ends at the arrow's tip, which would cover it
        *puck,
        ring.encode(size=if_lit(640, 420), strokeWidth=if_lit(5, 2.4)),
    ]


def _momenta() -> alt.Chart:
    """Return the active point's rows with its momentum now: kicked, then as it drifts, then kicked again."""
    now = {
        f"a{at}": f"datum.way * (datum.done < {KICKED} ? datum.p{at}0 + datum.done / {KICKED} * (datum.h{at} - "
        f"datum.p{at}0) : datum.h{at} + max(0, (datum.done - {1 - KICKED}) / {KICKED}) * (datum.p{at} - datum.h{at}))"
        for at in XY
    }
    return _here().transform_filter("datum.active && isValid(datum.px)").transform_calculate(**now)


def _arrow(half: float | str) -> alt.Chart:
    length = f"{ARROW} * {half}"
    tip = {f"{at}2": f"datum.{at}_now + {length} * datum.a{at}" for at in XY}
    return (
        _momenta()
        .transform_calculate(turned="atan2(datum.ax, datum.ay) * 180 / PI", **tip)
        .transform_calculate(x="datum.x_now", y="datum.y_now")
    )


def _kick(half: float | str) -> alt.Chart:
    """Return the kick: the gradient's addition to the momentum so far in this half step, at the arrow's tip."""
    length = f"{ARROW} * {half}"
    from_ = {f"b{at}": f"datum.way * (datum.done < {KICKED} ? datum.p{at}0 : datum.h{at})" for at in XY}
    return (
        _momenta()
        .transform_filter(f"datum.done > 0 && (datum.done < {KICKED} || datum.done > {1 - KICKED})")
        .transform_calculate(**from_)
        .transform_calculate(
            **{f"{at}2": f"datum.{at}_now + {length} * datum.a{at}" for at in XY},
            **{f"{at}1": f"datum.{at}_now + {length} * datum.b{at}" for at in XY},
        )
        .transform_calculate(x="datum.x1", y="datum.y1")
    )


def axes(x: Domain, y: Domain, names: tuple[str, str]) -> list[Any]:
    """Return the axes of a window, with room for the margins' strips."""
    strip = STRIP * (y[1] - y[0]) / 2
    return [
        axis(channel, letter, (part[0], part[1] + strip), title, grid=False, values=_round_places(part))
        for channel, letter, part, title in zip((alt.X, alt.Y), XY, (x, y), titles(names), strict=True)
    ]


def titles(names: tuple[str, str]) -> list[str]:
    """Return the titles of both axes, with what lies along them, if that has a name."""
    return [f"{letter}: {name}" if name else letter for letter, name in zip(XY, names, strict=True)]


@drawn_once
def crowd(x: Domain, y: Domain, names: tuple[str, str], walkers: tuple[str, ...], end: str) -> dict[str, Any]:
    """Draw the density, the places where walkers have been, and the margins.

    Parameters
    ----------
    x, y : (float, float)
        The window.
    names : (str, str)
        What lies along x and along y, or nothing.
    walkers : tuple of str
        Whose places are drawn, the fields ``x_NAME`` and ``y_NAME`` of the data set ``"past"``: one, or two.
    end : str
        Of the names of the histograms' data sets.
    """
    layers: list[Any] = hill()
    looks: list[tuple[Any, str]] = [(ACCENT, "circle"), (SECOND, "diamond")]
    for walker, (color, shape) in zip(walkers, looks, strict=False):
        seen = past(f"x_{walker}").transform_calculate(x=f"datum.x_{walker}", y=f"datum.y_{walker}")
        last = seen.transform_filter(f"datum.t > {NOW} - {LAST}")
        here = seen.transform_filter(f"datum.t == {NOW}")
        layers += [
            seen.mark_point(size=14, color=color, shape=shape, **DOT | {"opacity": 0.45}),
            last.mark_line(color=color, strokeWidth=1.4, opacity=0.75, clip=True).encode(order="t:Q"),
            here.mark_point(size=150, strokeWidth=1.6, fill=color, stroke=PAPER, shape=shape, **DOT),
        ]
    return finish(alt.layer(*layers, *strips(x, y, end)).encode(*axes(x, y, names)))


def strips(x: Domain, y: Domain, end: str = "") -> list[alt.Chart]:
    """Return the margins, above and on the right: the draws as bars, the exact densities as lines."""
    strip = STRIP * (y[1] - y[0]) / 2
    high = FULL * strip
    edges = {"top": (x[0], x[1] + strip, y[1], y[1] + strip), "right": (x[1], x[1] + strip, y[0], y[1] + strip)}
    covers = [
        alt.Chart(alt.Data(values=[{"x": low, "x2": right, "y": bottom, "y2": top}]))
        .mark_rect(fill=PAPER, fillOpacity=1)
        .encode(**SIDES)
        for low, right, bottom, top in edges.values()
    ]
    up = {name: f"{edge} + {high} * datum.h" for name, edge in (("y", y[1]), ("x", x[1]))}
    bars = [
        rows(f"bars_x{end}").transform_calculate(x="datum.low", x2="datum.high", y=f"{y[1]}", y2=up["y"]),
        rows(f"bars_y{end}").transform_calculate(y="datum.low", y2="datum.high", x=f"{x[1]}", x2=up["x"]),
    ]
    lines = [
        rows("margin_x").transform_calculate(x="datum.at", y=up["y"]),
        rows("margin_y").transform_calculate(y="datum.at", x=up["x"]),
    ]
    rules = [
        alt.Chart(alt.Data(values=[{"x": x[0], "x2": x[1], "y": y[1], "y2": y[1]}])),
        alt.Chart(alt.Data(values=[{"x": x[1], "x2": x[1], "y": y[0], "y2": y[1]}])),
    ]
    return [
        *covers,
        *(bar.mark_rect(color=ACCENT, opacity=0.5, clip=True).encode(**SIDES) for bar in bars),
        *(line.mark_line(color=EXACT, strokeWidth=2, clip=True).encode(order="i:Q") for line in lines),
        *(rule.mark_rule(color=SOFT, strokeWidth=1).encode(**SIDES) for rule in rules),
    ]


@drawn_once
def energy(*, close: bool, tree: bool) -> dict[str, Any]:
    """Draw the energy error of each point of the path, in the order in which they were made.

    The ends of the axes are the parameters ``made_span`` and ``error_span``. Of a tree's many points, the later ones
    are closer.
    """
    (across, made), (up, error) = span("made_span"), span("error_span")
    ticks = {"tickMinStep": 1, "tickCount": alt.ExprRef("min(8, width / (40 * larger))")}
    title, scale = "leapfrog steps, as they were made", alt.Scale(domain=across, nice=False, type="symlog", constant=8)
    x = axis(alt.X, "k", across, title, grid=False, **ticks)
    if tree:
        x = alt.X("k:Q", title=title, scale=scale, axis=alt.Axis(grid=False, values=[0, 1, 3, 7, 15, 31, 63]))
    y = axis(alt.Y, "error", up, clamp=True, tickCount=4)
    points = (
        rows("path", "x")
        .transform_joinaggregate(n="max(k)")
        .transform_calculate(walked=walked(close=close), zero="0")
        .transform_filter(f"datum.walked - datum.k > -{SMALL}")
    )
    faded = if_("told && datum.cut == 1", 0.35, 1)
    zero = alt.Chart(alt.Data(values=[{"error": 0}])).mark_rule(color=SOFT, strokeDash=[3, 3]).encode(y)
    stems = points.mark_rule(strokeWidth=1.6, clip=True).encode(x, y, _colored(), y2="zero:Q", opacity=faded)
    dots = within(points, "error_span[1]").mark_point(filled=True, size=38, clip=True)
    dots = dots.encode(x, y, _colored(), opacity=faded)
    out = beyond(points, "error_span[1]", x, y, color=_colored())
    ring = points.transform_filter(f"datum.chosen == 1 && datum.walked > datum.n + {SMALL} && datum.n > 0")
    ring = ring.mark_point(size=200, strokeWidth=2.2, opacity=1, stroke=INK, clip=True).encode(x, y)
    return finish(alt.layer(zero, stems, dots, *out, ring).add_params(made, error))


@drawn_once
def share_of_hills() -> dict[str, Any]:
    """Draw the share of draws on the right of two hills along the run, and the exact one."""
    x, y = iterations("iterations"), axis(alt.Y, "right", (0, 100), "per cent", tickCount=3)
    exact = rows("exact").mark_rule(color=EXACT, strokeWidth=2).encode(y)
    return finish(alt.layer(exact, past("right").mark_line(clip=True, color=ACCENT, strokeWidth=2).encode(x, y)))
