"""Why this customer sits there, and why the order of the arrivals does not matter, with the numbers in the formulas."""

from __future__ import annotations

from collections import Counter
from html import escape

import numpy as np

from pages.parts.inspector import Option, badge, card, cards, dart, fractions, score_table
from pages.stages.crp_seating.evening import Arrival, Evening
from samplers.crp_facts import arrival_fractions, log_joint

FRACTIONS_SHOWN = 14
TABLES_SHOWN = 8


def customer(evening: Evening, t: int) -> str:
    """Return the four beats of the t-th arrival as HTML."""
    if t == 0:
        return (
            '<p class="quiet">Nobody is seated yet. Press <b>Step</b> (or the right arrow): the first customer comes '
            "in, and here you will see why they sit where they sit.</p>"
        )
    arrival = evening.arrival(t)
    options = _options(evening, arrival)
    tables = len(arrival.tables)
    opened = arrival.option == tables
    after = 1 if opened else arrival.counts[arrival.option] + 1
    sits = "opens, with one customer" if opened else f"now seats {after}"
    return cards(
        card(1, "Arrive", f"<p>{_who(evening, arrival)} comes in. {_company(t - 1, tables)}</p>"),
        card(2, "Score", score_table(options, arrival.option, _formula(evening, arrival)), main=True),
        card(3, "Sample", _sample(arrival, options)),
        card(
            4,
            "Sit down",
            f"<p>Table {badge(str(arrival.name), arrival.name - 1)} {sits}. "
            f"That makes {_count(t, 'customer')} at {_count(tables + opened, 'table')}.</p>",
        ),
    )


def _who(evening: Evening, arrival: Arrival) -> str:
    late = f", number {arrival.order} to arrive tonight," if evening.shuffled else ""
    return f"Customer {arrival.person}{late}"


def _company(seated: int, tables: int) -> str:
    if not seated:
        return "Nobody is here yet, so there is only one thing to do: open a table."
    return f"{_count(seated, 'customer sits', 'customers sit')} at {_count(tables, 'table')}."


def _options(evening: Evening, arrival: Arrival) -> list[Option]:
    settings, seated = evening.settings, arrival.order - 1
    probabilities = arrival.conditional.probabilities
    bottom = f"{seated + settings.concentration:g}"
    stick = "length of stick" in arrival.conditional.terms
    options = []
    for i, (table, count) in enumerate(zip(arrival.tables, arrival.counts, strict=True)):
        top = f"{count}" if not settings.discount else f"({count} − {settings.discount:g})"
        terms = f"stick {probabilities[i]:.4f}" if stick else f"{top} / {bottom}"
        options.append(Option(f"table {table}", str(table), table - 1, terms, float(probabilities[i])))
    tables = len(arrival.tables)
    top = f"{settings.concentration:g}"
    if settings.discount and tables:
        top = f"({top} + {tables} · {settings.discount:g})"
    terms = f"left {probabilities[-1]:.4f}" if stick else f"{top} / {bottom}"
    return [*options, Option("a new table", "+", None, terms, float(probabilities[-1]))]


def _formula(evening: Evening, arrival: Arrival) -> str:
    if "length of stick" in arrival.conditional.terms:
        return "p(table) = its piece of the stick; p(new) = what is left"
    if evening.settings.discount:
        return "p(table) = (there − d) / (seated + α), p(new) = (α + K d) / (seated + α)"
    return "p(table) = there / (seated + α), p(new) = α / (seated + α)"


def _sample(arrival: Arrival, options: list[Option]) -> str:
    if arrival.conditional.dart is None:
        return "<p>No dart: shuffled customers go where they sat before. Score tells how likely that was.</p>"
    return (
        f"<p>A dart at the bar of probabilities hits {arrival.conditional.dart:.3f}.</p>"
        f"{dart(options, arrival.conditional.dart)}"
    )


def evening_view(evening: Evening) -> str:
    """Return the probability of the whole seating (eq. 8) by order of arrival and by table, as HTML."""
    rule, first = evening.rule, evening.tables
    rows = [_order_row("As they came", evening, first)]
    if evening.shuffled:
        rows.append(_order_row(f"Shuffle {evening.settings.shuffle}", evening, first[evening.order]))
    sizes = sorted(Counter(first.tolist()).items())
    by_table = " ".join(_table_factor(evening, table, count) for table, count in sizes[:TABLES_SHOWN])
    more = f" … {len(sizes) - TABLES_SHOWN} more" if len(sizes) > TABLES_SHOWN else ""
    log_p = _minus(log_joint(first, rule.concentration, rule.discount))
    return (
        f'<table class="orders">{"".join(rows)}</table>'
        f'<p class="regrouped"><b>Regrouped by table:</b> {by_table}{more}, over the same denominators. '
        f"Only the sizes are left: log p = <b>{log_p}</b> (eq. 8), whoever came first.</p>"
    )


def _order_row(name: str, evening: Evening, tables: np.ndarray) -> str:
    rule = evening.rule
    numerators, denominators = arrival_fractions(tables, rule.concentration, rule.discount)
    log_product = float(np.sum(np.log(numerators) - np.log(denominators)))
    product = fractions(numerators, denominators, [int(table) + 1 for table in tables], FRACTIONS_SHOWN)
    log_p = f"log p = <b>{_minus(log_product)}</b>"
    return f'<tr><th scope="row">{escape(name)}</th><td>{product}</td><td class="log">{log_p}</td></tr>'


def _table_factor(evening: Evening, table: int, count: int) -> str:
    d = evening.settings.discount
    steps = [f"{seat - d:g}" for seat in range(1, count)]
    if len(steps) > 4:
        steps = [*steps[:2], "…", steps[-1]]
    opening = "α" if not (d and table) else f"(α + {table} · {d:g})"
    return f'<span class="factor">{badge(str(table + 1), table)} {" · ".join([opening, *steps])}</span>'


def _minus(value: float) -> str:
    return f"{value:.4f}".replace("-", "−")


def _count(number: int, one: str, many: str | None = None) -> str:
    return f"{number} {one}" if number == 1 else f"{number} {many or one + 's'}"
