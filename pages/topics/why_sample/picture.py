"""The picture of all clusterings: rings for what is exact, discs for visits, arrows for where an update can lead."""

from __future__ import annotations

from typing import Any

from pages.drawing import palette
from pages.drawing.charts import ACCENT, INK, NOW, PAPER, SOFT, axis, colored, finish, if_, if_lit, past, rows
from pages.drawing.lazy import alt
from pages.drawing.marks import path
from pages.drawing.once import drawn_once
from pages.topics.why_sample.layout import HEIGHT, LOOP, PITCH, WIDTH

MOVING = f"(frame > {NOW})"
ON_WAY = f"(frame - {NOW})"  # how far the next update has come
UNIT = f"min(width / {WIDTH}, height / {HEIGHT})"  # pixels a unit, as many across as down
AXIS_Y = 8.0  # where the line with the points lies
USUAL = 4.2  # pixels a unit, for which the widths of arrows are given
WIDEST = {3: 7, 4: 4.5, 5: 2}  # of the arrows, in pixels, where all are drawn: the more there are, the thinner
FAR = 4.4  # of the line, to the left and to the right of 0
ROUND, TIP = "M-0.45,0.5A0.62,0.62,0,1,1,0.45,0.5", "M0.12,0.1L0.86,0.2L0.34,0.72Z"
UNEQUAL, GREY = palette.RED, palette.SOFT


# The domains leave circles circles, whatever the shape of the window; what room there is beside them stays free.
ACROSS = [{"expr": f"{WIDTH / 2} {sign} width / (2 * {UNIT})"} for sign in "-+"]
DOWN = [{"expr": f"{HEIGHT} - height / {UNIT}"}, HEIGHT]


def at(x: str = "x", y: str = "y") -> tuple[alt.X, alt.Y]:
    """Return the axes of the picture's own units."""
    return axis(alt.X, x, ACROSS), axis(alt.Y, y, DOWN)


def area(radius: str) -> str:
    """Return the size of a circle of a radius in units."""
    return f"{radius} * {radius} * PI * {UNIT} * {UNIT}"


@drawn_once
def clusterings(points: int, arrows: str, wrong: bool, crowd: bool) -> dict[str, Any]:
    """Draw every clustering, what the sampler can do next, and the points on their line.

    Its parameter ``scale`` is the radius of a ring or a disc for a probability of 1.

    Parameters
    ----------
    points : int
        How many there are.
    arrows : {"update", "all", "flows"}
        See the setting.
    wrong : bool
        Whether the rule is a wrong one, which leads visits elsewhere.
    crowd : bool
        Whether the discs are those of a crowd of runs, of which none has a place or a way of its own.
    """
    own = arrows == "update" and not crowd
    layers = [
        *heads(),
        *discs(),
        *rings(wrong),
        *(_arrows(points) if own else _transitions(points, flows=arrows == "flows")),
        *([] if crowd else [_present()]),
        *numbers(points),
        *line_of_points(crowd),
    ]
    return finish(alt.layer(*layers).add_params(alt.param(name="scale", value=1)))


def heads() -> list[alt.Chart]:
    """Write how many groups the clusterings below have."""
    return [rows("heads").encode(*at(), alt.Text("said:N")).mark_text(fontSize=12, color=SOFT)]


def _nodes() -> alt.Chart:
    """Return the clusterings with the areas of their rings and discs."""
    nodes = rows("nodes").transform_calculate(
        mark="'clustering-' + datum.number",
        ring=f"told ? {area('(scale * sqrt(datum.exact))')} : {area('3')}",
        aim=area("(scale * sqrt(datum.limit))"),
        disc=area("(scale * sqrt(datum.share))"),
        share_told="told ? format(datum.share, '.3f') : '?'",
        exact_told="told ? format(datum.exact, '.3f') : '?'",
    )
    return nodes.encode(*at())


def discs() -> list[alt.Chart]:
    """Draw discs; while a question withholds them, none."""
    disc = _nodes().mark_point(shape="circle", filled=True, color=ACCENT, opacity=0.35)
    return [disc.encode(alt.Size("disc:Q", scale=None), opacity=if_("told", 0.38, 0))]


def rings(wrong: bool) -> list[alt.Chart]:
    """Draw rings around the middles of clusterings; while a question withholds them, rings of one size."""
    nodes = _nodes()
    tooltip = [
        alt.Tooltip("name:N", title="clustering"),
        alt.Tooltip("share_told:N", title="share"),
        alt.Tooltip("exact_told:N", title="exact posterior"),
    ]
    layers = [nodes.mark_point(shape="circle", filled=True, color=SOFT, opacity=1).encode(size=alt.SizeValue(9))]
    if wrong:
        aim = nodes.mark_point(shape="circle", filled=False, color=UNEQUAL, strokeDash=[4, 3], strokeWidth=2, opacity=1)
        layers.append(aim.encode(alt.Size("aim:Q", scale=None)).transform_filter("told"))
    ring = nodes.mark_point(shape="circle", filled=True, stroke=INK, color="transparent", opacity=1)
    layers.append(ring.encode(alt.Size("ring:Q", scale=None), strokeWidth=if_lit(4, 1.6), tooltip=tooltip))
    return layers


def _arrow(source: alt.Chart, points: int, color: Any, opacity: Any) -> list[alt.Chart]:
    """Return arrows as wide as the rows' ``wide`` says; those that lead nowhere else are drawn as loops."""
    # a field of its own: whenever the chart's size changes, it is computed anew from what the row has
    sized = source.transform_calculate(broad=f"datum.wide * clamp({UNIT} / {USUAL}, 0.4, 3)")
    turned = sized.transform_calculate(
        angle="atan2(datum.y - datum.y2, datum.x2 - datum.x) * 180 / PI", head="pow(4 + 1.9 * datum.broad, 2) * 0.5"
    )
    straight, loops = turned.transform_filter("!datum.loop"), turned.transform_filter("datum.loop")
    loops = loops.transform_calculate(
        round="0.6 + 0.45 * datum.broad",  # a wider one would have no middle
        turned="datum.angle - 90",  # as it is drawn, it stands above what it leads back to
    )
    loop_size = alt.SizeValue(alt.ExprRef(f"pow({LOOP[points]} * {UNIT}, 2)"))
    look = {"opacity": opacity}
    wide, round_ = (alt.StrokeWidth(f"{field}:Q", scale=None) for field in ("broad", "round"))
    turn = alt.Angle("turned:Q", scale=None)
    return [
        straight.mark_rule().encode(*at(), wide, color=color, x2="x2:Q", y2="y2:Q", **look),
        straight.mark_point(shape="triangle-right", filled=True).encode(
            *at("x2", "y2"), alt.Angle("angle:Q", scale=None), alt.Size("head:Q", scale=None), color=color, **look
        ),
        loops.mark_point(shape=ROUND, filled=False).encode(*at(), round_, turn, size=loop_size, color=color, **look),
        loops.mark_point(shape=TIP, filled=True).encode(*at(), turn, size=loop_size, color=color, **look),
    ]


def _arrows(points: int) -> list[alt.Chart]:
    """Draw where the last update could lead, or while something moves the next one, and which way it took."""
    shown = rows("arrows").transform_filter(f"datum.p > 0 && datum.coming == {MOVING}")
    shown = shown.transform_calculate(wide="1 + 9 * datum.p")
    return _arrow(shown, points, if_("datum.taken", ACCENT, SOFT), if_("datum.taken", 0.95, 0.5))


def _transitions(points: int, *, flows: bool) -> list[alt.Chart]:
    """Draw every way that the point at hand can take, from any clustering."""
    at_hand = f"1 + (max({NOW} + {MOVING}, 1) - 1) % {points}"
    shown = rows("transitions").transform_filter(f"datum.of == {at_hand}")
    if not flows:
        wide = shown.transform_calculate(wide=f"0.6 + {WIDEST[points]} * datum.p")
        return _arrow(wide, points, alt.value(SOFT), alt.value(0.75))
    wide = shown.transform_calculate(wide="0.6 + 40 * datum.flow")
    return _arrow(wide, points, if_("abs(datum.flow - datum.back) > 1e-6", UNEQUAL, SOFT), alt.value(0.8))


def _present() -> alt.Chart:
    """Draw where the sampler is: a point that travels along the arrow."""
    here = rows("here").transform_calculate(
        px=f"datum.x + {MOVING} * {ON_WAY} * (datum.nx - datum.x)",
        py=f"datum.y + {MOVING} * {ON_WAY} * (datum.ny - datum.y)",
    )
    puck = here.mark_point(shape="circle", filled=True, color=ACCENT, stroke=PAPER, strokeWidth=2, opacity=1)
    return puck.encode(*at("px", "py"), size=alt.SizeValue(alt.ExprRef(area(f"max(1.5, 5 / {UNIT})"))))


def numbers(points: int) -> list[alt.Chart]:
    """Write each clustering as groups of numbers; where there are few, a rim keeps arrows away from them."""
    tall = f"clamp({0.92 * PITCH[points]} * {UNIT}, 6, 22 * larger)"
    bands = rows("bands").transform_calculate(mark="'clustering-' + datum.number")
    groups = bands.mark_rule(strokeCap="round", opacity=1).encode(*at(), x2="x2:Q")
    high, rim = (alt.StrokeWidthValue(alt.ExprRef(size)) for size in (tall, f"{tall} + 4"))
    return [
        *([groups.encode(color=alt.value(PAPER), strokeWidth=rim)] if points < max(PITCH) else []),
        groups.encode(colored(alt.Color), strokeWidth=high),
        rows("numbers")
        .mark_text(color="#fff", fontWeight="bold", fontSize=alt.ExprRef(f"0.72 * {tall}"), dy=alt.ExprRef("0.5"))
        .encode(*at(), alt.Text("point:N"))
        .transform_filter(f"{UNIT} * {PITCH[points]} > 4.5"),
    ]


def line_of_points(crowd: bool) -> list[alt.Chart]:
    """Draw the points on their line in the colours of their groups; the one at hand is lifted."""
    place = f"{WIDTH / 2} + datum.at * {WIDTH / 2 - 4} / {FAR}"
    ends = rows("ticks").transform_calculate(x=place, y=f"{AXIS_Y - 5}").encode(*at())
    line = rows("ticks").transform_calculate(x=f"{WIDTH / 2}", y=f"{AXIS_Y}", left="2", right=f"{WIDTH - 2}")
    up = f"datum.held ? 4 : {MOVING} && datum.next ? 4 * min(1, 4 * {ON_WAY}) : 0"
    each = rows("points").transform_calculate(
        x=place, y=f"{AXIS_Y} + ({MOVING} && !datum.next ? 0 : {up})", mark="'point-' + datum.point"
    )
    shown = each.encode(*at())
    size = alt.SizeValue(alt.ExprRef(area("clamp(2, 7 * larger / " + UNIT + ", 4)")))
    return [
        line.transform_filter("datum.at == 0").mark_rule(color=SOFT).encode(*at("left", "y"), x2="right:Q"),
        ends.mark_text(fontSize=11, color=SOFT, baseline="middle").encode(alt.Text("at:N")),
        shown.mark_point(shape="circle", filled=True, opacity=1, color=GREY).encode(
            *([] if crowd else [colored(alt.Fill)]), size=size, stroke=if_lit(INK, PAPER), strokeWidth=if_lit(3, 1)
        ),
        shown.mark_text(color="#fff", fontWeight="bold", fontSize=12, dy=0.5).encode(alt.Text("point:N")),
    ]


@drawn_once
def bars(names: tuple[str, ...], wrong: bool) -> dict[str, Any]:
    """Draw the share of each clustering as a bar, and its exact posterior as a line across.

    The top of its axis is the parameter ``bars_top``; a bar that is longer, as early ones are, says how long.
    """
    labels = alt.Axis(grid=False, labelAngle=0 if len(names) < 6 else -90, labels=len(names) < 20, ticks=False)
    x = alt.X("name:N", sort=list(names), title=None, axis=labels, scale=alt.Scale(paddingInner=0.15))
    y = (
        axis(alt.Y, field, (0, alt.ExprRef("bars_top")), format="%", tickCount=4, clamp=True)
        for field in ("share", "exact", "limit")
    )
    nodes = rows("nodes").transform_calculate(mark="'clustering-' + datum.number").encode(x)
    share, exact, limit = y
    layers = [
        nodes.mark_bar(color=ACCENT, clip=True).encode(share, opacity=if_lit(0.9, 0.5)),
        nodes.mark_tick(orient="horizontal", color=INK, thickness=2.5).encode(exact).transform_filter("told"),
        nodes.transform_filter("datum.share > bars_top")
        .transform_calculate(said="'▲ ' + format(datum.share, '.0%')")
        .mark_text(color=INK, fontSize=11, fontWeight="bold", y=10)
        .encode(text="said:N"),
    ]
    if wrong:
        aim = nodes.mark_tick(orient="horizontal", color=UNEQUAL, thickness=2.5).encode(limit)
        layers.append(aim.transform_filter("told"))
    return finish(alt.layer(*layers).add_params(alt.param(name="bars_top", value=1)))


@drawn_once
def distance(last: int, crowd: bool, unit: str = "updates") -> dict[str, Any]:
    """Draw how far the shares are from the exact posterior along the run; of visits, with what is to be expected.

    The bottom of its axis is the parameter ``least``; what is below it leaves the chart.
    """
    scale = alt.Scale(type="log", domain=[1, last], nice=False)
    x = alt.X("t:Q", title=unit, scale=scale, axis=alt.Axis(grid=False, format="~s", values=[1, 10, 100, 1000]))
    down = alt.Scale(type="log", domain=[alt.ExprRef("least"), 1], nice=False)

    def y(field: str) -> alt.Y:
        return alt.Y(f"{field}:Q", title=None, scale=down, axis=alt.Axis(format="~g", grid=False, tickCount=3))

    found = past("distance").transform_filter("datum.t > 0").transform_calculate(off="max(datum.distance, 1e-9)")
    noise = rows("floor").encode(x).mark_line(color=INK, strokeDash=[6, 4], strokeWidth=1.6).encode(y("noise"))
    line, here = path(found, x, y("off"), strokeWidth=2.5, clip=True)
    layers = [
        *([] if crowd else [noise]),
        line,
        here.transform_filter("datum.off >= least"),
    ]
    return finish(alt.layer(*layers).add_params(alt.param(name="least", value=0.01)))
