"""Why this customer sits there, and why the order of the arrivals does not matter, with the numbers in the formulas."""

from collections import Counter
from collections.abc import Sequence
from html import escape

import numpy as np

from pages.code.listing import listing
from pages.code.watch import GIBBS, watch_updates
from pages.contract.case import RuleOption
from pages.drawing.cards import Option, badge, dart, fractions, numbered, pointing, quiet, score_table
from pages.drawing.numbers import counted, fixed
from pages.scenes import written
from pages.topics.crp_seating.run import Arrival, SeatingRun
from samplers.crp.facts import arrival_fractions, log_joint
from samplers.judge.problem import Problem
from samplers.judge.written import WrittenConditional, known_of

FRACTIONS_SHOWN = 14
TABLES_SHOWN = 8


def customer(run: SeatingRun, t: int) -> str:
    """Return the four beats of the t-th arrival as HTML."""
    if t == 0:
        return quiet(
            "The restaurant is empty. Press <b>Step</b> (or the right arrow): the first customer comes in, and this is "
            "where you will see how they chose."
        )
    arrival = run.arrival(t)
    options = _options(run, arrival)
    tables = len(arrival.tables)
    opened = arrival.option == tables
    after = 1 if opened else arrival.counts[arrival.option] + 1
    sits = "opens, with one customer" if opened else f"now seats {after}"
    company = f"{counted(t - 1, 'customer sits', 'customers sit')} at {counted(tables, 'table')}."
    if t == 1:
        company = "No table is open yet, so there is only one thing to do: open one."
    return numbered(
        ("Arrive", f"<p>{_who(run, arrival)} comes in. {company}</p>"),
        ("Score", _score(run, arrival, options)),
        ("Sample", _sample(arrival, options)),
        (
            "Sit down",
            f"<p>Table {_table(arrival.name)} {sits}. "
            f"That makes {counted(t, 'customer')} at {counted(tables + opened, 'table')}.</p>",
        ),
    )


def _table(name: int) -> str:
    """Return a table's number in its colour, which lights it."""
    return pointing(f"table-{name}", badge(str(name), name - 1))


def _who(run: SeatingRun, arrival: Arrival) -> str:
    late = f", number {arrival.order} to arrive tonight," if run.shuffled else ""
    return f"{pointing(f'customer-{arrival.person}', f'Customer {arrival.person}')}{late}"


def _options(run: SeatingRun, arrival: Arrival) -> list[Option]:
    settings, seated = run.settings, arrival.order - 1
    probabilities = arrival.conditional.probabilities
    bottom = f"{seated + settings.concentration:g}"
    stick = "length of stick" in arrival.conditional.terms
    options = []
    for table, count, p in zip(arrival.tables, arrival.counts, probabilities[:-1].tolist(), strict=True):
        top = f"{count}" if not settings.discount else f"({count} − {settings.discount:g})"
        terms = f"stick {p:.4f}" if stick else f"{top} / {bottom}"
        options.append(Option(f"table {table}", str(table), table - 1, terms, p, f"table-{table}"))
    tables = len(arrival.tables)
    top = f"{settings.concentration:g}"
    if settings.discount and tables:
        top = f"({top} + {tables} · {settings.discount:g})"
    terms = f"left {probabilities[-1]:.4f}" if stick else f"{top} / {bottom}"
    return [*options, Option("a new table", "+", None, terms, float(probabilities[-1]), "new")]


def _formula(run: SeatingRun, arrival: Arrival) -> str:
    if "length of stick" in arrival.conditional.terms:
        return "p(table) = its piece of the stick; p(new) = what is left"
    if run.settings.discount:
        return "p(table) = (there − d) / (seated + α), p(new) = (α + K d) / (seated + α)"
    return "p(table) = there / (seated + α), p(new) = α / (seated + α)"


def _score(run: SeatingRun, arrival: Arrival, options: list[Option]) -> str:
    if isinstance(arrival.conditional, WrittenConditional):
        return written.score(arrival.conditional, options, arrival.option)
    return score_table(options, arrival.option, _formula(run, arrival))


def case(run: SeatingRun, t: int, problem: Problem) -> list[RuleOption]:
    """Return the names and values of a rule's lines for the tables at the t-th arrival; at the end, at the last."""
    arrival = run.arrival(max(1, t))
    state = run.chain[arrival.order - 1]
    known = known_of(problem, run.rule, state, arrival.order - 1, arrival.conditional)
    return written.case_of((option.name for option in _options(run, arrival)), known)


def _sample(arrival: Arrival, options: list[Option]) -> str:
    if arrival.conditional.undefined:
        return "<p>There is no bar to hit.</p>"
    if arrival.uniform is None:
        return "<p>No dart: shuffled customers sit where they sat before. Score says how likely that was.</p>"
    return f"<p>{pointing('dart', f'Random number: {arrival.uniform:.3f}')}</p>{dart(options, arrival.uniform, 'dart')}"


def code(run: SeatingRun, t: int) -> str:
    """Return the code of the t-th arrival, as it ran."""
    if run.shuffled:
        return quiet("Shuffled customers sit where they sat before: nothing is drawn, so no code runs.")
    if not t:
        return listing(GIBBS)
    arrival = run.arrival(t)
    tables = len(arrival.tables)
    where = "a new table" if arrival.option == tables else f"table {arrival.tables[arrival.option]}"
    who = pointing(f"customer-{arrival.person}", f"customer {arrival.person}")
    return listing(GIBBS, watch_updates(run.chain, t), notes={"site": who, "value": where})


def evening_view(run: SeatingRun, t: int) -> str:
    """Return the probability of the seating after t arrivals by order of arrival, as HTML.

    After a shuffle the same people are put in two orders, as they first came and as they come now, and by table.
    """
    if t == 0:
        return quiet("The restaurant is empty. Each customer who sits down adds a fraction here.")
    seated = run.order[:t]
    first = run.tables[np.sort(seated)]
    fewer = run.shuffled and t < len(run.order)  # of a shuffled evening they need not be those who came first
    rows = [_order_row("As these came" if fewer else "As they came", run, first, () if run.shuffled else seated)]
    if run.shuffled:
        name = "Your order" if run.first else f"Shuffle {run.settings.shuffle}"
        rows.append(_order_row(name, run, run.tables[seated], seated))
    regrouped = _regrouped(run, first) if run.shuffled else ""  # before a shuffle a lesson asks what it would change
    return f'<table class="orders">{"".join(rows)}</table>{regrouped}'


def _regrouped(run: SeatingRun, first: np.ndarray) -> str:
    """Return the probability of a seating as a product by table, as HTML."""
    rule, sizes = run.rule, sorted(Counter(first.tolist()).items())
    shown = enumerate(sizes[:TABLES_SHOWN])
    by_table = " ".join(_table_factor(run, before, table, count) for before, (table, count) in shown)
    more = f" … {len(sizes) - TABLES_SHOWN} more" if len(sizes) > TABLES_SHOWN else ""
    log_p = fixed(log_joint(first, rule.concentration, rule.discount), 4)
    return (
        f'<p class="regrouped"><b>Regrouped by table:</b> {by_table}{more}, over the same denominators: '
        f"log p = <b>{log_p}</b>; only the sizes are left, whoever came first.</p>"
    )


def _order_row(name: str, run: SeatingRun, tables: np.ndarray, moves: Sequence[int] | np.ndarray) -> str:
    """Return a product, whose fractions can be moved if `moves` says whose they are."""
    rule = run.rule
    numerators, denominators = arrival_fractions(tables, rule.concentration, rule.discount)
    log_product = float(np.sum(np.log(numerators) - np.log(denominators)))
    product = fractions(numerators, denominators, [int(table) + 1 for table in tables], FRACTIONS_SHOWN, moves)
    log_p = f"log p = <b>{fixed(log_product, 4)}</b>"
    return f'<tr><th scope="row">{escape(name)}</th><td>{product}</td><td class="log">{log_p}</td></tr>'


def _table_factor(run: SeatingRun, before: int, table: int, count: int) -> str:
    """Return a table's factor in the probability of the seating, with a number of tables in use before it opens."""
    d = run.settings.discount
    steps = [f"{seat - d:g}" for seat in range(1, count)]
    if len(steps) > 4:
        steps = [*steps[:2], "…", steps[-1]]
    opening = "α" if not (d and before) else f"(α + {before} · {d:g})"
    return f'<span class="factor">{_table(table + 1)} {" · ".join([opening, *steps])}</span>'
