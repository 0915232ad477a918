"""The charts of what draws add up to, described once; what changes comes as frames, or at rest."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import altair as alt

from pages.drawing.charts import ACCENT, INK, NOW, PAPER, SOFT, SPECS, finish
from pages.stages.gibbs_text.charts import X_SWEEPS

Domain = tuple[float, float]
LOOKS: tuple[dict[str, Any], ...] = (  # of chains: colour and dashes
    {"color": ACCENT, "strokeWidth": 1.7},
    {"color": INK, "strokeWidth": 1.1},
    {"color": INK, "strokeWidth": 1.1, "strokeDash": [5, 3]},
    {"color": INK, "strokeWidth": 1.1, "strokeDash": [1.5, 2]},
)
AT_REST = f"datum.t == {NOW} && frame == {NOW}"
BURN_IN = "burn_in[0]"


def _axes(field: str, domain: Domain, form: str, title: str | None) -> tuple[alt.X, alt.Y]:
    x = alt.X(
        "t:Q", title=title, scale=alt.Scale(domain=[0, X_SWEEPS], nice=False), axis=alt.Axis(grid=False, tickCount=6)
    )
    axis = alt.Axis(tickCount=4, format=form) if form else alt.Axis(tickCount=4)
    return x, alt.Y(f"{field}:Q", title=None, scale=alt.Scale(domain=list(domain), nice=False), axis=axis)


def _burn_in(domain: Domain, form: str) -> tuple[alt.Chart, alt.Chart, alt.Chart]:
    """Draw the sweeps that are thrown away, the line at their end, and its number."""
    x, y = _axes("low", domain, form, "sweeps")
    base = alt.Chart(alt.Data(values=[{"low": domain[0], "high": domain[1]}])).transform_calculate(
        t="0", end=BURN_IN, said=f"'burn-in ' + round({BURN_IN})"
    )
    shade = base.mark_rect(color=SOFT, opacity=0.14, clip=True).encode(x, y, x2="end:Q", y2="high:Q")
    at = alt.X("end:Q", title="sweeps", scale=alt.Scale(domain=[0, X_SWEEPS], nice=False))
    line = base.mark_rule(color=INK, strokeWidth=2.5, clip=True).encode(at, y, y2="high:Q")
    top = alt.Y("high:Q", title=None, scale=alt.Scale(domain=list(domain), nice=False))
    text = base.mark_text(align="left", dx=5, dy=8, fontSize=11, color=INK, clip=True).encode(
        at, top, alt.Text("said:N")
    )
    return shade, line, text


@lru_cache(maxsize=SPECS)
def trace(chains: int, domain: Domain, form: str) -> dict[str, Any]:
    """Draw the statistic of each chain along the run, and the line of the burn-in, which can be dragged."""
    past = alt.Chart(alt.NamedData("past")).transform_filter(f"datum.t <= {NOW}")
    layers = [
        past.mark_line(clip=True, **LOOKS[k]).encode(*_axes(f"s_{k}", domain, form, "sweeps"))
        for k in reversed(range(chains))
    ]
    shade, line, text = _burn_in(domain, form)
    return finish(alt.layer(shade, *layers, line, text).add_params(alt.param(name="burn_in", value=[0, 0])))


@lru_cache(maxsize=SPECS)
def running(chains: int, domain: Domain, form: str, exact: float | None) -> dict[str, Any]:
    """Draw the mean of each chain from the end of the burn-in on, and beside it the exact mean where it is known.

    Where it is not, a single chain has the mean of its second half, which has most likely forgotten the start.
    """
    means: dict[str, Any] = {f"m_{k}": f"mean(s_{k})" for k in range(chains)}
    past = (
        alt.Chart(alt.NamedData("past"))
        .transform_filter(f"datum.t > {BURN_IN} && datum.t <= {NOW}")
        .transform_window(frame=[None, 0], sort=[alt.SortField("t")], **means)
    )
    layers = [
        past.mark_line(clip=True, **LOOKS[k]).encode(*_axes(f"m_{k}", domain, form, "sweeps"))
        for k in reversed(range(chains))
    ]
    shade, line, _ = _burn_in(domain, form)
    if exact is not None:
        beside = alt.Chart(alt.Data(values=[{"beside": exact}]))
    else:
        half = f"datum.t > {NOW} / 2 && datum.t <= {NOW}"
        beside = alt.Chart(alt.NamedData("past")).transform_filter(half).transform_aggregate(beside="mean(s_0)")
    if exact is not None or chains == 1:
        _, y = _axes("beside", domain, form, None)
        layers.insert(0, beside.mark_rule(color=INK, strokeDash=[4, 3], clip=True).encode(y))
    return finish(alt.layer(shade, *layers, line).add_params(alt.param(name="burn_in", value=[0, 0])))


@lru_cache(maxsize=SPECS)
def lags(most: int) -> dict[str, Any]:
    """Draw the autocorrelation as bars; those at distances that thinning keeps are filled."""
    x = alt.X(
        "lag:Q",
        title="sweeps apart",
        scale=alt.Scale(domain=[-0.7, most + 0.7], nice=False),
        axis=alt.Axis(grid=False, tickCount=5),
    )
    scale = alt.Scale(domain=[-0.5, 1.02], nice=False, clamp=True)
    y = alt.Y("value:Q", title=None, scale=scale, axis=alt.Axis(values=[-0.5, 0, 0.5, 1]))
    bars = (
        alt.Chart(alt.NamedData("lags"))
        .transform_filter(AT_REST)
        .mark_bar(size=alt.ExprRef(f"0.7 * width / {most + 2}"), color=ACCENT)
        .encode(x, y, opacity=alt.condition("datum.kept == 1", alt.value(1), alt.value(0.3)))
    )
    zero = alt.Chart(alt.Data(values=[{"value": 0}])).mark_rule(color=SOFT, strokeWidth=1).encode(y)
    return finish(alt.layer(bars, zero))


@lru_cache(maxsize=SPECS)
def kept(chains: int, domain: Domain, form: str, exact: float | None) -> dict[str, Any]:
    """Draw for each chain the mean of what is kept with two errors, and its last value as a diamond."""
    scale = alt.Scale(domain=list(domain), nice=False, clamp=True)
    axis = alt.Axis(tickCount=4, format=form) if form else alt.Axis(tickCount=3)

    def across(field: str) -> alt.X:
        return alt.X(f"{field}:Q", title=None, scale=scale, axis=axis)

    names = [f"chain {k + 1}" for k in range(chains)] + (["all"] if chains > 1 else [])
    y = alt.Y("chain:N", title=None, scale=alt.Scale(domain=names), axis=alt.Axis(domain=False, ticks=False))
    base = alt.Chart(alt.NamedData("kept")).transform_filter(f"{AT_REST} && isValid(datum.mean)")
    errors = base.mark_rule(color=ACCENT, strokeWidth=3).encode(across("low"), y, x2="high:Q")
    means = base.mark_point(color=ACCENT, filled=True, size=70, opacity=1).encode(across("mean"), y)
    last = (
        alt.Chart(alt.NamedData("kept"))
        .transform_filter(f"{AT_REST} && isValid(datum.last)")
        .mark_point(shape="diamond", size=90, stroke=INK, fill=PAPER, strokeWidth=1.6, opacity=1)
        .encode(across("last"), y)
    )
    layers = [errors, last, means]
    if exact is not None:
        truth = alt.Chart(alt.Data(values=[{"exact": exact}])).mark_rule(color=INK, strokeDash=[4, 3])
        layers.insert(0, truth.encode(across("exact")))
    return finish(alt.layer(*layers))
