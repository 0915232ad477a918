"""Problems of arrivals, at tables and at a buffet, and of bits that say which row has which feature."""

from collections.abc import Iterator
from itertools import product
from math import exp
from typing import Any

import numpy as np
from scipy import special

from samplers.buffet.linear_gaussian import Bit, FeatureState, LinearGaussian
from samplers.buffet.wrong import OwnFeaturesDropped
from samplers.crp.seating import CRPSeating, SeatingState
from samplers.judge.problem import Limit, Name, Own, Problem
from samplers.judge.table import Option, State, Table
from samplers.partitions import partitions
from samplers.recipe import Conditional

# ---- arrivals --------------------------------------------------------------------------------------------------------

ALPHA = 1.7
NEWCOMER = ("newcomer",)
SEAT = {
    "n": Name("n", "how many customers sit at the table"),
    "alpha": Name("α", "the concentration"),
    "total": Name("total", "how many customers are seated"),
    "tables": Name("K", "how many tables are in use"),
}
OPEN = {name: SEAT[name] for name in ("alpha", "total", "tables")}


def seated(labels: State) -> SeatingState:
    """Return the restaurant in which customers sit at these tables."""
    state = SeatingState()
    for table in labels:
        state.seat(table)
    return state


def _at_the_door(
    rule: CRPSeating, state: SeatingState, site: object, conditional: object
) -> Iterator[tuple[int, dict[str, float]]]:
    shared = {"alpha": rule.concentration, "total": float(len(state)), "tables": float(len(state.counts))}
    for count in state.counts:
        yield 0, {"n": float(count)} | shared
    yield 1, shared


def _seats(points: int) -> Table:
    states = [labels for size in range(1, points + 1) for labels in partitions(size)]
    rule = CRPSeating(ALPHA)

    def options(site: str, labels: State) -> Iterator[Option]:
        for table, (line, known) in enumerate(_at_the_door(rule, seated(labels), site, None)):
            yield Option(line, known, (table,))

    return Table(states, NEWCOMER, lambda *case: [*options(*case)], outcomes=[(table,) for table in range(points + 1)])


CRP_SEATING = Problem(
    "crp-seating",
    "Where does the next customer sit?",
    {"a table": SEAT, "a new table": OPEN},
    ("n / (total + alpha)", "alpha / (total + alpha)"),
    _seats,
    5,
    wrong={
        "tables are counted, not customers": [("1", "alpha"), ("1 / (tables + alpha)", "alpha / (tables + alpha)")],
        "α is forgotten at a new table": [("n", "1"), ("n / (total + 1)", "1 / (total + 1)")],
        "only the new table's share has α below": [("n / total", "alpha / (total + alpha)")],
        "the newcomer is counted": [("n + 1", "alpha")],
        "a table's own count below, not that of all": [("n / (n + alpha)", "alpha / (total + alpha)")],
        "α at every table": [("n + alpha", "alpha")],
        "α is shared among the tables": [("n + alpha / tables", "alpha"), ("n", "alpha / tables")],
        "a new table for each table in use": [("n", "alpha * tables")],
        "one is taken off": [("n - 1", "alpha")],
        "the count as a power": [("n ** 2", "alpha")],
        "the logarithm of the count": [("log(n)", "log(alpha)"), ("log(n)", "alpha"), ("log(n + 1)", "alpha")],
        "a new table is as good as a customer": [("n", "alpha / (total + alpha)"), ("n / total", "alpha")],
    },
    limits=(Limit("as α goes to 0", {"alpha": 1e-9}), Limit("where α is 1", {"alpha": 1.0})),
    noun="customers",
    knows=_at_the_door,
)

MANY = (1, 2, 3, 10, 30, 100)  # customers
TABLES = {
    "alpha": Name("α", "the concentration"),
    "N": Name("N", "how many customers there are"),
    "seated": Name("seated", "how many are seated when each of them comes, 0 … N − 1: a list"),
}


def _tables(points: int) -> Table:
    def options(site: str, case: State) -> list[Option]:
        (customers,) = case
        seated = list(map(float, range(customers)))
        return [Option(0, {"alpha": ALPHA, "N": float(customers), "seated": seated}, (0,))]

    return Table([(customers,) for customers in MANY[:points]], NEWCOMER, options, form="value", outcomes=((0,),))


EXPECTED_TABLES = Problem(
    "expected-tables",
    "How many tables are expected?",
    {"E[K]": TABLES},
    ("sum(alpha / (alpha + seated))",),
    _tables,
    len(MANY),
    wrong={
        "α log N taken as exact": [("alpha * log(N)",)],
        "α log(1 + N/α) taken as exact": [("alpha * log(1 + N / alpha)",)],
        "one customer too many": [("sum(alpha / (alpha + seated + 1))",)],
        "one customer too few": [("sum(alpha / (alpha + seated - 1))",)],
        "α is forgotten above": [("sum(1 / (alpha + seated))",)],
        "the share of a table in use": [("sum(seated / (alpha + seated))",)],
        "the last customer's share for each": [("N * alpha / (alpha + N - 1)",)],
    },
    limits=(Limit("as α goes to 0", {"alpha": 1e-9}),),
    noun="customers",
)

RATE = 2.3
DISH = {
    "m": Name("m", "how many customers before this one took the dish"),
    "customer": Name("customer", "the number of this customer, from 1"),
    "offered": Name("offered", "how many customers before this one were offered the dish, or brought it"),
    "alpha": Name("α", "the concentration"),
}
NEW_DISHES = {name: DISH[name] for name in ("alpha", "customer")}


def _dishes(points: int) -> Table:
    cases = [
        (customer, offered, taken)
        for customer in range(1, points + 1)
        for offered in range(min(customer, 2) - 1, customer)
        for taken in range(min(offered, 1), offered + 1)
    ]

    def options(site: str, case: State) -> list[Option]:
        customer, offered, taken = map(float, case)
        known = {"alpha": RATE, "customer": customer}
        dish = Option(0, known | {"m": taken, "offered": offered}, (0,))
        return [dish, Option(1, known, (1,))] if taken else [Option(1, known, (1,))]

    return Table(cases, NEWCOMER, options, form="value", outcomes=((0,), (1,)))


BUFFET_LINE = Problem(
    "buffet-line",
    "Which dishes does the next customer take?",
    {"the probability of a dish": DISH, "the mean number of new dishes": NEW_DISHES},
    ("m / customer", "alpha / customer"),
    _dishes,
    6,
    wrong={
        "new dishes for everyone": [("m / customer", "alpha")],
        "more new dishes for each later customer": [("m / customer", "alpha * customer")],
        "refused dishes are counted": [("offered / customer", "alpha / customer")],
        "the customer does not count": [
            ("m / (customer - 1)", "alpha / customer"),
            ("m / (customer - 1)", "alpha / (customer - 1)"),
        ],
        "α in the share of a dish, as at a restaurant": [
            ("m / (customer - 1 + alpha)", "alpha / customer"),
            ("m / (customer - 1 + alpha)", "alpha / (customer - 1 + alpha)"),
            ("m / (customer + alpha)", "alpha / customer"),
            ("m / (customer + alpha)", "alpha / (customer + alpha)"),
        ],
        "only among those who were offered the dish": [("m / offered", "alpha / customer")],
        "the customer is one of the takers": [("(m + 1) / customer", "alpha / customer")],
        "one new dish, shared": [("m / customer", "1 / customer")],
    },
    limits=(Limit("where α is 1", {"alpha": 1.0}),),
    noun="customers",
)

# ---- bits ------------------------------------------------------------------------------------------------------------

ROWS = ((1.9, 0.2), (2.2, 1.7), (0.1, 1.6), (1.0, 0.9))
FEATURES, CONCENTRATION, NOISE, SPREAD = 2, 1.0, 0.8, 1.5
ON = {
    "n": Name("n", "how many other rows have the feature"),
    "rows": Name("N", "how many rows there are"),
    "fit": Name("fit", "the density of the row if it has the feature"),
    "fit_off": Name("fit_off", "the density of the row if it does not"),
    "mine": Name("mine", "1 if the row has the feature now, and else 0"),
    "alpha": Name("α", "the concentration"),
    "fit_dropped": Name("fit_dropped", "the same as fit, as if the row had no features of its own"),
    "fit_off_dropped": Name("fit_off_dropped", "the same as fit_off, as if the row had no features of its own"),
}


def as_matrix(labels: State) -> np.ndarray:
    """Return the matrix of the bits that are listed row by row."""
    return np.reshape(labels, (-1, FEATURES))


def features(points: int, rule: type[LinearGaussian] = LinearGaussian) -> LinearGaussian:
    """Return a sampler of the first rows."""
    return rule(ROWS[:points], CONCENTRATION, NOISE, SPREAD)


def _of_a_bit(
    sampler: LinearGaussian, lifted: FeatureState, site: Bit, conditional: Conditional
) -> Iterator[tuple[int, dict[str, float]]]:
    """Yield the names and values of the lines for a shared bit: off and on, the options in the order of a sampler."""
    dropping: Any = OwnFeaturesDropped(sampler.data, sampler.concentration, sampler.noise, sampler.spread)
    mine = float(lifted.matrix[site.row, lifted.features.index(site.feature)])
    column = lifted.matrix[:, lifted.features.index(site.feature)]
    known = {"n": float(column.sum()) - mine, "rows": float(len(column)), "mine": mine, "alpha": lifted.concentration}
    for name, found in (("", conditional), ("_dropped", dropping.score(lifted, site))):
        known[f"fit_off{name}"], known[f"fit{name}"] = (exp(value) for value in found.terms[sampler.fit])
    yield 1, known
    yield 0, known


def _bits(points: int) -> Table:
    """Return the updates of shared bits; a bit that no other row has belongs to another update, and stays."""
    sampler: Any = features(points)
    states = [bits for bits in product((0, 1), repeat=points * FEATURES) if as_matrix(bits).any(axis=0).all()]
    posterior = special.softmax([sampler.log_joint(sampler.state(as_matrix(bits))) for bits in states])

    def options(site: Bit, bits: State) -> list[Option]:
        place = site.row * FEATURES + site.feature
        if sum(bits[site.feature :: FEATURES]) == bits[place]:
            return []
        state = sampler.state(as_matrix(bits))
        sampler.forget(state, site)
        found = _of_a_bit(sampler, state, site, sampler.score(state, site))
        return [
            Option(line, known, (*bits[:place], bit, *bits[place + 1 :])) for bit, (line, known) in enumerate(found)
        ]

    sites = [Bit(row, feature) for row in range(points) for feature in range(FEATURES)]
    return Table(states, sites, options, posterior)


OFF = "(rows - n) * fit_off"
IBP_BIT = Problem(
    "ibp-bit",
    "Has a row a feature?",
    {"on": ON, "off": ON},
    ("n * fit", OFF),
    _bits,
    4,
    least=2,
    wrong={
        "own features are dropped": [("n * fit_dropped", "(rows - n) * fit_off_dropped")],
        "the count includes the row": [
            ("(n + mine) * fit", "(rows - n - mine) * fit_off"),
            ("(n + mine) * fit", OFF),
        ],
        "the row is not one of those without it": [("n * fit", "(rows - 1 - n) * fit_off")],
        "the counts are forgotten": [("fit", "fit_off")],
        "the fits are forgotten": [("n", "rows - n"), ("n * fit", "(rows - n) * fit")],
        "the rows without it are forgotten": [
            ("n * fit", "fit_off"),
            ("n * fit", "rows * fit_off"),
        ],
        "on and off exchanged": [("(rows - n) * fit", "n * fit_off")],
        "α at a feature that others have": [
            ("(n + alpha) * fit", OFF),
            ("(n + alpha / 2) * fit", OFF),
            ("n * fit", "(rows - n + alpha) * fit_off"),
        ],
        "the fit counts twice": [("n * fit ** 2", "(rows - n) * fit_off ** 2")],
    },
    limits=(
        Limit("where both fits are equal", dict.fromkeys(["fit", "fit_off", "fit_dropped", "fit_off_dropped"], 1.0)),
    ),
    noun="rows",
    first=0,
    columns=FEATURES,
    own=Own(
        lambda points: {
            "rows": ROWS[:points],
            "features": FEATURES,
            "concentration": CONCENTRATION,
            "noise": NOISE,
            "spread": SPREAD,
        },
        {
            "rows": "the rows of numbers",
            "features": "how many bits a row has; labels are the bits, row by row",
            "concentration": "α",
            "noise": "the standard deviation of the noise",
            "spread": "the standard deviation of the loadings",
        },
    ),
    knows=_of_a_bit,
)
