"""Shared by every chart of a film: the parameters that the player sets, and a few settings of Altair."""

from __future__ import annotations

from typing import Any

import altair as alt
import pandas  # noqa: F401  Altair looks whether it is there: it must not find it while another thread half has it

INK, SOFT, PAPER, ACCENT = (alt.ExprRef(name) for name in ("ink", "soft", "paper", "accent"))
SPECS = 256  # charts of a kind that a process keeps: their axes may depend on a learner's own data
NOW = "floor(frame + 1e-9)"  # the iteration that has been reached; the rest of `frame` is movement towards the next


def plane_axes(x: tuple[float, float], y: tuple[float, float], titles: tuple[str, str]) -> tuple[alt.X, alt.Y]:
    """Return the axes of a plane, with their domains and titles."""

    def look(domain: tuple[float, float], title: str) -> dict[str, Any]:
        scale = alt.Scale(domain=list(domain), nice=False)
        return {"title": title, "scale": scale, "axis": alt.Axis(grid=False, tickCount=5)}

    return alt.X("x:Q", **look(x, titles[0])), alt.Y("y:Q", **look(y, titles[1]))


def finish(chart: Any) -> dict[str, Any]:
    """Return the chart as Vega-Lite, with the player's parameters and nothing that would fetch from a network."""
    names = {"frame": 0, "ink": "#000", "soft": "#555", "paper": "#fff", "accent": "#1F6F78"}
    spec: dict[str, Any] = chart.add_params(
        *(alt.param(name=name, value=value) for name, value in names.items())
    ).to_dict()
    spec.pop("config", None)  # colours and type come from the page's theme
    spec.pop("$schema", None)
    return spec | {"padding": 4}
