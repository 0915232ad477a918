"""What every chart of a film shares: the parameters that the player sets, and a few habits of Altair."""

from __future__ import annotations

from typing import Any

import altair as alt
import pandas  # noqa: F401  Altair looks whether it is there: it must not find it while another thread half has it

INK, SOFT, PAPER, ACCENT = (alt.ExprRef(name) for name in ("ink", "soft", "paper", "accent"))
NOW = "floor(frame + 1e-9)"  # the iteration that has been reached; the rest of `frame` is movement towards the next


def finish(chart: Any) -> dict[str, Any]:
    """Return the chart as Vega-Lite, with the player's parameters and nothing that would fetch from a network."""
    names = {"frame": 0, "ink": "#000", "soft": "#555", "paper": "#fff", "accent": "#1F6F78"}
    spec: dict[str, Any] = chart.add_params(
        *(alt.param(name=name, value=value) for name, value in names.items())
    ).to_dict()
    spec.pop("config", None)  # colours and type come from the page's theme
    spec.pop("$schema", None)
    return spec | {"padding": 4}
