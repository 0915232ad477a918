"""The charts of a proposal that is accepted or rejected, described once: the factors of its ratio, and the dart."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pages.contract.charts import Chart
from pages.contract.columns import FLOAT32, Data
from pages.drawing.charts import ACCENT, INK, PAPER, SOFT, axis, finish, if_, if_lit, marked, rows
from pages.drawing.lazy import alt
from pages.drawing.marks import beside, dart, written
from pages.drawing.once import drawn_once

ROOM = 1.25  # beyond the longest bar of the ratio
SUM = "sum = log ratio"
Span = Mapping[str, tuple[float, float]]


def charts(terms: tuple[str, ...], factors: str, proposal: str, params: Span, caption: str = "") -> list[Chart]:
    """Return both charts of a proposal.

    Parameters
    ----------
    terms : tuple of str
        The factors, and last their sum.
    factors, proposal : str
        Whose logs the bars are, and what is accepted or rejected, in words.
    params : mapping
        As `params_of` returns them.
    caption : str, optional
        That of the ratio.
    """
    return [
        Chart(
            "ratio",
            "The acceptance ratio",
            caption,
            f"The logs of the {factors} acceptance ratio as bars, and their sum.",
            ratio(terms),
            params=params,
        ),
        Chart(
            "accept",
            "Accept or reject",
            "{verdict:|· accepted|· rejected}",
            f"A bar from 0 to 1: the part in which the {proposal} is accepted, and the dart.",
            accept(),
            share=0.6,
        ),
    ]


def sets(terms: tuple[str, ...]) -> Data:
    """Return the data sets of both charts; ``"say"`` has the column ``verdict``, 1 for accepted and 2 for rejected."""
    return {
        "ratio": {"term": list(terms), "name": names_of(terms), "value": FLOAT32},
        "zero": {"value": [0]},
        "dice": {"p": FLOAT32, "at": FLOAT32},
    }


@drawn_once
def ratio(terms: tuple[str, ...]) -> dict[str, Any]:
    """Draw the log of each factor as a bar from 0, and their sum; a factor appears when it is known.

    The last of the terms is the sum.
    """
    said = names_of(terms)
    ends = [alt.ExprRef(f"ratio_span[{end}]") for end in (0, 1)]
    known = rows("ratio", "value").transform_calculate(
        mark=f"{list(terms)}[datum.i]", zero="0", label="format(datum.value, '+.2f')"
    )
    names = alt.Axis(grid=False, ticks=False, domain=False, labelFontSize=13)
    y = alt.Y("name:N", sort=said, title=None, axis=names, scale=alt.Scale(domain=said, padding=0.25))
    x = axis(alt.X, "value", ends, "log, in favour of the proposal when above 0", tickCount=5)
    bars = known.mark_bar(clip=True, opacity=0.75).encode(
        x,
        y,
        x2="zero:Q",
        color=if_("datum.term == 'sum'", INK, ACCENT),
        stroke=if_lit(INK, PAPER),
        strokeWidth=if_lit(3, 0.5),
    )
    zero = rows("zero").mark_rule(color=SOFT).encode(axis(alt.X, "value", ends, tickCount=5))
    texts = written(
        known.encode(x, y, alt.Text("label:N")),
        align=alt.ExprRef("datum.value < 0 ? 'right' : 'left'"),
        dx=alt.ExprRef("datum.value < 0 ? -5 : 5"),
        fontSize=12,
    )
    return finish(alt.layer(bars, zero, *texts).add_params(alt.param(name="ratio_span", value=[-1, 1])))


def names_of(terms: Sequence[str]) -> list[str]:
    """Return the names of the terms beside their bars."""
    return [*terms[:-1], SUM]


def params_of(values: Iterable[float]) -> Span:
    """Return the parameter with the ends of the axis of logs, with room for the numbers beside the bars."""
    found = [0.0, *values]
    low, high = ROOM * min(found), ROOM * max(found)
    room = 0.2 * (high - low) + 0.5
    return {"ratio_span": (round(low - room, 2), round(high + room, 2))}


@drawn_once
def accept() -> dict[str, Any]:
    """Draw the probability of acceptance as a part of a bar from 0 to 1, and the dart that falls on it."""
    x = axis(alt.X, "p", (0, 1), "probability of acceptance", grid=False, tickCount=5)
    y = axis(alt.Y, "y", (0, 1))
    known = rows("dice", "p").transform_calculate(zero="0", one="1", y="0.15", y2="0.55", mark="'probability'")
    accepted = known.mark_rect(color=ACCENT, opacity=0.7).encode(
        x, y, x2="zero:Q", y2="y2:Q", stroke=if_lit(INK, PAPER), strokeWidth=if_lit(3, 0.5)
    )
    rejected = known.mark_rect(color=SOFT, opacity=0.25).encode(x, y, x2="one:Q", y2="y2:Q")
    thrown = marked(rows("dice", "at"), "dart").transform_calculate(
        divider="datum.p", p="datum.at", y="0.66", said="format(datum.at, '.3f')"
    )
    thrown = thrown.transform_filter("told")
    # A guess at the divider has its own words there.
    close = "datum.at > 0.08 && datum.at < datum.divider && datum.divider < datum.at + 0.12"
    said = written(thrown.encode(x, y, alt.Text("said:N")), fontSize=12, dy=-2, **beside("datum.at", 7, close))
    return finish(alt.layer(rejected, accepted, dart(thrown, x, y), *said))
