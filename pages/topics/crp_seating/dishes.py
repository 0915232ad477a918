"""The Dirichlet process behind the restaurant: each table serves a dish from a base distribution."""

from dataclasses import dataclass

import numpy as np

from pages.drawing.cards import quiet
from pages.drawing.numbers import probability
from pages.drawing.palette import color
from pages.topics.crp_seating.menu import ENDS, NAMED, dishes, shares
from pages.topics.crp_seating.run import SeatingRun

WIDE, HIGH, FOOT = 460, 170, 26  # pixels: the picture, and below its axis


@dataclass(frozen=True, eq=False)
class Served:
    """The dishes that the next customer may eat."""

    tables: np.ndarray  # names of the tables in use, from 1, shape (tables,)
    places: np.ndarray  # their dishes, drawn from G₀, the standard normal
    shares: np.ndarray  # the probability of each
    fresh: float  # the probability of a new dish, drawn from G₀


def served(run: SeatingRun, t: int) -> Served:
    """Return the dishes of the customer after the t-th, with their probabilities by the seating rule."""
    counts = np.asarray(run.counts[t], float)
    tables = np.flatnonzero(counts)
    (own,), (fresh,) = shares(counts[None], run.settings)
    return Served(tables + 1, dishes(run.seed, len(counts))[tables], own[tables], float(fresh))


def panel(run: SeatingRun, t: int) -> str:
    """Return the dishes and their shares after t customers, as a picture with what it says."""
    if run.settings.door == "stick":
        return quiet(
            "With the broken stick, the probability of a dish is the length of its table's piece, and that never "
            "changes. To see the dishes of the seating rule, choose <b>Recipe: Seating rule</b>."
        )
    now, discount = served(run, t), run.settings.discount
    left = f"{'(α + K d)' if discount else 'α'} / (n + α) = <b>{probability(now.fresh)}</b>"
    return (
        "<p>Each table serves one dish, drawn from a base distribution <i>G</i>₀ when the table opens. Each table's "
        "dish has a bar: its height is the probability that the next customer eats it. The curve is what is left "
        f"for a new dish, {left}, spread as <i>G</i>₀ is.</p>{_picture(now)}"
        '<p class="quiet">With more customers the curve sinks, and the bars settle at one draw from the '
        f"<b>{'Pitman–Yor' if discount else 'Dirichlet'} process</b>: made of bars, though <i>G</i>₀ is smooth. The "
        "larger α, the more bars, and the nearer they come to <i>G</i>₀.</p>"
    )


def _across(place: float) -> float:
    """Return how far to the right a place is, in pixels."""
    low, high = ENDS
    return 12 + (WIDE - 24) * (place - low) / (high - low)


def _picture(now: Served) -> str:
    places = np.linspace(*ENDS, 121)
    curve = now.fresh * np.exp(-0.5 * places**2) / np.sqrt(2 * np.pi)
    top = max(now.shares.max(initial=0.0), curve.max())

    def above(value: float) -> float:
        return float(HIGH - (HIGH - 22) * value / top)

    path = " ".join(f"{_across(x):.1f},{above(y):.1f}" for x, y in zip(places.tolist(), curve.tolist(), strict=True))
    ticks = "".join(
        f'<text x="{_across(x):.1f}" y="{HIGH + 18}">{str(x).replace("-", "−")}</text>' for x in range(-3, 4)
    )
    bars = "".join(
        _bar(int(table), _across(place), above(share), probability(share), named=share >= NAMED)
        for table, place, share in zip(now.tables.tolist(), now.places.tolist(), now.shares.tolist(), strict=True)
    )
    told = f"{len(now.tables)} dishes, and {probability(now.fresh)} for a new one"
    return (
        f'<svg class="dishes" viewBox="0 0 {WIDE} {HIGH + FOOT}" role="img" aria-label="The next dish: {told}.">'
        f'<path class="base" d="M{_across(ENDS[0]):.1f},{HIGH} {path} {_across(ENDS[1]):.1f},{HIGH}Z"/>'
        f'<path class="axis" d="M0,{HIGH}H{WIDE}"/>{ticks}{bars}</svg>'
    )


def _bar(table: int, x: float, y: float, share: str, *, named: bool) -> str:
    name = f'<text x="{x:.1f}" y="{y - 6:.1f}">{table}</text>' if named else ""
    return (
        f'<g data-mark="table-{table}"><title>Table {table}: {share}</title>'
        f'<path d="M{x:.1f},{HIGH}V{y:.1f}" stroke="{color(table - 1)}"/>{name}</g>'
    )
