"""The charts of what draws add up to, described once; what changes comes as frames, or at rest."""

from __future__ import annotations

from typing import Any

from pages.drawing.charts import ACCENT, DOUBLING, INK, NOW, PAPER, SOFT, Domain, axis, finish, if_, past, rows
from pages.drawing.lazy import alt
from pages.drawing.once import drawn_once

LOOKS: tuple[dict[str, Any], ...] = (  # of chains: colour and dashes
    {"color": ACCENT, "strokeWidth": 1.7},
    {"color": INK, "strokeWidth": 1.1},
    {"color": INK, "strokeWidth": 1.1, "strokeDash": [5, 3]},
    {"color": INK, "strokeWidth": 1.1, "strokeDash": [1.5, 2]},
)
BESIDE: dict[str, Any] = {"color": INK, "strokeDash": [4, 3]}  # a mean to compare with
AT_REST = f"datum.t == {NOW} && frame == {NOW}"
BURN_IN = "burn_in[0]"


def _sweeps(field: str = "t") -> alt.X:
    return axis(alt.X, field, (0, DOUBLING), "sweeps", grid=False, tickCount=6)


def _number(field: str, domain: Domain, form: str) -> alt.Y:
    return axis(alt.Y, field, domain, tickCount=4, format=form or alt.Undefined)


def _along(lines: alt.Chart, letter: str, chains: int, domain: Domain, form: str, *beside: alt.Chart) -> dict[str, Any]:
    """Draw a line for each chain, the first on top, and the burn-in, which can be dragged."""
    low, high = (_number(field, domain, form) for field in ("low", "high"))
    ends = alt.Chart(alt.Data(values=[{"low": domain[0], "high": domain[1]}])).transform_calculate(
        t="0", end=BURN_IN, said=f"'burn-in ' + round({BURN_IN})"
    )
    layers = [
        ends.mark_rect(color=SOFT, opacity=0.14, clip=True).encode(_sweeps(), low, x2="end:Q", y2="high:Q"),
        *beside,
        *(
            lines.mark_line(clip=True, **LOOKS[k]).encode(_sweeps(), _number(f"{letter}_{k}", domain, form))
            for k in reversed(range(chains))
        ),
        ends.mark_rule(color=INK, strokeWidth=2.5, clip=True).encode(_sweeps("end"), low, y2="high:Q"),
    ]
    if letter == "s":
        said = ends.mark_text(align="left", dx=5, dy=8, fontSize=11, color=INK, clip=True)
        layers.append(said.encode(_sweeps("end"), high, alt.Text("said:N")))
    return finish(alt.layer(*layers).add_params(alt.param(name="burn_in", value=[0, 0])))


@drawn_once
def trace(chains: int, domain: Domain, form: str) -> dict[str, Any]:
    """Draw the statistic of each chain along the run, and the line of the burn-in, which can be dragged."""
    return _along(past(), "s", chains, domain, form)


@drawn_once
def running(chains: int, domain: Domain, form: str, exact: float | None) -> dict[str, Any]:
    """Draw the mean of each chain from the end of the burn-in on, and beside it the exact mean where it is known.

    Where it is not, a single chain has the mean of its second half, which has most likely forgotten the start.
    """
    means: dict[str, Any] = {f"m_{k}": f"mean(s_{k})" for k in range(chains)}
    so_far = past().transform_filter(f"datum.t > {BURN_IN}")
    lines = so_far.transform_window(frame=[None, 0], sort=[alt.SortField("t")], **means)
    known = alt.Chart(alt.Data(values=[{"beside": exact}]))
    half = past().transform_filter(f"datum.t > {NOW} / 2").transform_aggregate(beside="mean(s_0)")
    rule = (half if exact is None else known).mark_rule(clip=True, **BESIDE).encode(_number("beside", domain, form))
    return _along(lines, "m", chains, domain, form, *([rule] if exact is not None or chains == 1 else []))


@drawn_once
def lags(most: int) -> dict[str, Any]:
    """Draw the autocorrelation as bars; those at distances that thinning keeps are filled."""
    x = axis(alt.X, "lag", (-0.7, most + 0.7), "sweeps apart", grid=False, tickCount=5)
    y = axis(alt.Y, "value", (-0.5, 1.02), clamp=True, values=[-0.5, 0, 0.5, 1])
    bars = rows("lags").transform_filter(AT_REST).mark_bar(size=alt.ExprRef(f"0.7 * width / {most + 2}"), color=ACCENT)
    bars = bars.encode(x, y, opacity=if_("datum.kept == 1", 1, 0.3))
    zero = alt.Chart(alt.Data(values=[{"value": 0}])).mark_rule(color=SOFT, strokeWidth=1).encode(y)
    return finish(alt.layer(bars, zero))


@drawn_once
def kept(chains: int, domain: Domain, form: str, exact: float | None) -> dict[str, Any]:
    """Draw for each chain the mean of what is kept with two errors, and its last value as a diamond."""
    ticks: dict[str, Any] = {"tickCount": 4, "format": form} if form else {"tickCount": 3}
    low, mean, last, known = (
        axis(alt.X, field, domain, clamp=True, **ticks) for field in ("low", "mean", "last", "exact")
    )
    names = [f"chain {k + 1}" for k in range(chains)] + (["all"] if chains > 1 else [])
    y = alt.Y("chain:N", title=None, scale=alt.Scale(domain=names), axis=alt.Axis(domain=False, ticks=False))
    means, lasts = (rows("kept", field).transform_filter(AT_REST) for field in ("mean", "last"))
    diamond = lasts.mark_point(shape="diamond", size=90, stroke=INK, fill=PAPER, strokeWidth=1.6, opacity=1)
    layers = [
        means.mark_rule(color=ACCENT, strokeWidth=3).encode(low, y, x2="high:Q"),
        diamond.encode(last, y),
        means.mark_point(color=ACCENT, filled=True, size=70, opacity=1).encode(mean, y),
    ]
    if exact is not None:
        layers.insert(0, alt.Chart(alt.Data(values=[{"exact": exact}])).mark_rule(**BESIDE).encode(known))
    return finish(alt.layer(*layers))
