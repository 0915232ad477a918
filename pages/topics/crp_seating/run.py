"""One run of the restaurant process: the chain for some settings and a seed, its arrivals and its film."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from lessons.topics.crp_seating import CRPSeatingSettings
from pages.contract.charts import Chart
from pages.contract.columns import FLOAT32, UINT8, UINT16, Columns, Data
from pages.contract.film import Film
from pages.drawing.counts import growth, over_runs
from pages.drawing.numbers import rounded
from pages.drawing.palette import COLORS
from pages.topics.crp_seating import charts, menu
from pages.topics.crp_seating.bar import ENDS
from pages.topics.crp_seating.floor import DOOR, Floor, plan
from samplers import Chain, Conditional
from samplers.crp.facts import table_count_moments, table_count_pmf
from samplers.crp.seating import CRPSeating

RESTAURANTS = 1_000
RANKS = 14
BYTES = 3_000  # a customer
NEVER = -1  # an arrival that does not come


@dataclass(frozen=True)
class Arrival:
    """The arrival of one customer: options, weights and choice."""

    order: int  # their place in the order of arrival, from 1
    person: int  # their number on the floor: the order in which they came before any shuffling, from 1
    # names of the tables in use before, in the order of the options; the last option is a new table
    tables: tuple[int, ...]
    counts: tuple[int, ...]  # customers at these tables before
    conditional: Conditional  # the conditional distribution of the choice
    option: int  # what was chosen
    uniform: float | None  # the number in [0, 1) that chose it; None of shuffled customers, who draw nothing
    name: int  # name of the table where they sit now


class SeatingRun:
    """All customers of one run, seated when it is made: 500 take about 10 ms.

    The floor plan needs the final sizes, so that no table ever has to move.

    Parameters
    ----------
    settings : CRPSeatingSettings
        What the learner chose.
    seed : int
        Of the chain; the shuffled orders and the many restaurants draw from streams of their own.
    """

    def __init__(self, settings: CRPSeatingSettings, seed: int) -> None:
        self.settings, self.seed, self.total = settings, seed, settings.customers
        self.sampler = settings.sampler()
        self.chain: Chain[Any] = Chain(self.sampler, seed)
        self.tables = self.chain[self.total].assignments  # of each person, in their first order
        self.order = np.arange(self.total)  # who comes when
        if settings.shuffle:
            self.order = np.random.default_rng((seed, self.total, settings.shuffle)).permutation(self.total)
        first = [person - 1 for person in self.first if person <= self.total]
        self.order = np.array([*first, *self.order[~np.isin(self.order, first)]])

    @property
    def first(self) -> list[int]:
        """Customers in the learner's own order, by their numbers from 1."""
        named = filter(None, self.settings.arrivals.split("."))
        return [person for person in dict.fromkeys(map(int, named)) if person]

    def moved(self, which: int, to: int) -> str:
        """Return the learner's own order after the arrival at place `which` has been put to place `to`, from 1."""
        order = (self.order + 1).tolist()
        order.insert(to - 1, order.pop(which - 1))
        return ".".join(map(str, order[: max(which, to, len(self.first))]))

    @property
    def nbytes(self) -> int:
        """About how many bytes it takes, with its film."""
        return BYTES * self.total

    @cached_property
    def counts(self) -> np.ndarray:
        """Customers at each table after each arrival, shape (customers + 1, tables)."""
        sits = np.zeros((self.total + 1, self.tables.max() + 1), np.uint16)
        sits[np.arange(1, self.total + 1), self.tables[self.order]] = 1
        return sits.cumsum(axis=0, dtype=np.uint16)

    @cached_property
    def table_numbers(self) -> np.ndarray:
        """Numbers of occupied tables after each arrival, shape (customers + 1,)."""
        return (self.counts > 0).sum(axis=1)

    @property
    def shuffled(self) -> bool:
        """Whether the customers come in another order than that in which they chose."""
        return bool((self.order != np.arange(self.total)).any())

    @property
    def rule(self) -> CRPSeating:
        """The seating rule, whichever door was chosen."""
        return CRPSeating(self.settings.concentration, self.settings.discount)

    @property
    def has_stick(self) -> bool:
        """Whether customers throw darts at a stick; shuffled ones throw none."""
        return self.settings.door == "stick" and not self.shuffled

    def arrival(self, t: int) -> Arrival:
        """Return how the t-th customer came to sit where they sit, t from 1."""
        seated = self.tables[self.order[: t - 1]]
        names, first = np.unique(seated, return_index=True)
        names = names[np.argsort(first)]  # tables by order of opening, as the sampler numbers them
        person = int(self.order[t - 1])
        name = int(self.tables[person])
        if self.shuffled:  # nobody draws: the seating is given, and the rule says how likely each choice was
            state = self.rule.init(np.random.default_rng(0))
            for table in seated:
                state.seat(int(np.flatnonzero(names == table)[0]))
            conditional = self.rule.score(state, t - 1)
            option, uniform = int(np.flatnonzero(names == name)[0]) if name in names else len(names), None
        else:
            _, conditional, option, uniform = self.chain.record(t)[0]
        counts = tuple(int(np.sum(seated == table)) for table in names)
        return Arrival(t, person + 1, tuple(int(n) + 1 for n in names), counts, conditional, option, uniform, name + 1)

    # ---- the film --------------------------------------------------------------------------------------------------

    @cached_property
    def film(self) -> Film:
        """Return the film of the run."""
        settings = self.settings
        mean, variance = table_count_moments(self.total, settings.concentration, settings.discount)
        sd = np.sqrt(variance)
        simple = settings.discount == 0  # the two approximations hold without a discount only
        shares, exact, low, high = self._restaurants()
        floor = plan(np.append(self.counts[-1], 1))  # there is always room for a new table
        n = np.arange(1, self.total + 1)
        log1p, log = settings.concentration * np.log1p(n / settings.concentration), settings.concentration * np.log(n)
        most = float(np.ceil(max(mean[-1] + 4 * sd[-1], self.table_numbers[-1] + 1, log1p[-1] if simple else 0)))
        names = list(range(1, len(floor.tables) + 1))
        data: Data = {
            "customers": self._people(floor),
            "tables": {
                "x": rounded(floor.tables[:, 0]),
                "y": rounded(floor.tables[:, 1]),
                "name": names,
                "table": names,  # of these alone: the mark that is picked
                "color": [table % len(COLORS) for table in range(len(floor.tables))],
                "count": UINT16,
                "dish": rounded(menu.dishes(self.seed, len(floor.tables))),
            },
            "door": {"x": [DOOR[0]], "y": [DOOR[1]], "label": ["door"]},
            "facts": {
                "t": n.tolist(),
                "mean": rounded(mean),
                "low": rounded(np.maximum(mean - sd, 0)),
                "high": rounded(mean + sd),
                "log1p": rounded(log1p),
                "log": rounded(log),
            },
            "path": {"t": list(range(self.total + 1)), "number": self.table_numbers.tolist()},
            "many": {"number": list(range(low, high + 1)), "share": rounded(shares), "exact": rounded(exact)},
            "now": {"many": UINT16},
            "ranks": {"rank": list(range(1, self._ranks + 1)), "table": UINT16, "color": UINT8, "count": UINT16},
            "say": dict.fromkeys(("customers", "tables", "largest", "alone"), UINT16)
            | dict.fromkeys(("mean", "fresh"), FLOAT32),
            "base": {"fresh": FLOAT32},
            **self._bar(),
        }
        return Film(
            key=f"crp_seating {settings.model_dump_json()} {self.seed}",
            charts=self._charts(simple),
            data=data,
            columns=lambda start, stop: self._frames(start, stop, mean),
            total=self.total,
            label="customer {t} of {total}",
            params={
                "spacing": round(floor.spacing, 4),
                "most": most,
                "many_span": (low, high),
                "many_top": 1.15 * float(max(shares.max(), exact.max())),
                "alpha": settings.concentration,
                "bite": settings.discount,
                "largest": float(
                    np.ceil(1.15 * max(2, int(self.counts[-1].max())))
                ),  # room for the tallest bar's number
            },
        )

    @property
    def _ranks(self) -> int:
        return min(RANKS, int(self.counts.shape[1]))

    def _people(self, floor: Floor) -> dict[str, list]:
        places = np.zeros((self.total, 2))
        for table, count in enumerate(self.counts[-1]):
            places[self.tables == table] = floor.chairs(table, int(count))
        arrival = np.empty(self.total, int)
        arrival[self.order] = np.arange(1, self.total + 1)
        return {
            "x": rounded(places[:, 0]),
            "y": rounded(places[:, 1]),
            "person": list(range(1, self.total + 1)),
            "name": (self.tables + 1).tolist(),
            "color": (self.tables % len(COLORS)).tolist(),
            "arrival": arrival.tolist(),
        }

    def _bar(self) -> Data:
        """Return the bar's parts, a row for each table and one for a new one, and each customer's dart.

        Of a stick, a row has the ends of its piece and the arrival that breaks it off; a shuffled customer throws no
        dart.
        """
        tables = self.counts.shape[1]
        ends, since = np.zeros(tables + 1), [NEVER] * tables
        darts, arrivals = [0.0], [NEVER]
        if not self.shuffled:
            darts = [self.chain.record(t)[0].uniform for t in range(1, self.total + 1)]
            arrivals = list(range(1, self.total + 1))
        if self.has_stick:
            ends[1:] = self._stick
            since = [int(np.argmax(self.tables == table)) + 1 for table in range(tables)]
        return {
            "bar": {
                "part": [*range(1, tables + 1), 0],
                "color": [table % len(COLORS) for table in range(tables)] + [0],
                "was": UINT16,
                "next": UINT16,
                "from": [*rounded(ends[:-1]), 0],
                "to": [*rounded(ends[1:]), 0],
                "since": [*since, NEVER],
            },
            "darts": {"at": darts, "arrival": arrivals},
        }

    @cached_property
    def _stick(self) -> np.ndarray:
        """Ends of the tables' pieces, shape (tables,)."""
        return np.cumsum(self.chain[self.total].sticks)

    def _ends(self, start: int, stop: int) -> Columns:
        """Return where the bar's parts begin after `start` arrivals and on: the bar that decided, and the next one."""
        if self.has_stick:
            left = np.append(0.0, self._stick)
            opened = np.minimum(np.arange(len(left)), self.table_numbers[start:stop, None])
            before = after = left[opened]
        elif self.settings.moves_by:
            before, after = self._by_rule[np.maximum(np.arange(start, stop) - 1, 0)], self._by_rule[start:stop]
        else:
            seated = np.maximum(np.arange(start - 1, stop), 0)
            weights = np.maximum(self.counts[seated] - self.settings.discount, 0)
            begin = np.pad(weights.cumsum(axis=1), ((0, 0), (1, 0))) / (seated[:, None] + self.settings.concentration)
            before, after = begin[:-1], begin[1:]
        return {("bar", "was"): np.round(before * ENDS), ("bar", "next"): np.round(after * ENDS)}

    @cached_property
    def _by_rule(self) -> np.ndarray:
        """Where the bar's parts begin before each arrival by a learner's rule, and before the one after the last.

        Shape (customers + 1, tables + 1).
        """
        begin = np.zeros((self.total + 1, self.counts.shape[1] + 1))
        for seated in range(self.total + 1):
            chances = np.nan_to_num(self.scored(seated).probabilities)[:-1].cumsum()
            begin[seated, 1 : len(chances) + 1] = chances
            begin[seated, len(chances) + 1 :] = chances[-1] if len(chances) else 0
        return begin

    def scored(self, seated: int) -> Conditional:
        """Return the conditional of the customer who comes after a number of others."""
        found: Conditional = self.sampler.score(self.chain[seated], seated)
        return found

    def _restaurants(self) -> tuple[np.ndarray, np.ndarray, int, int]:
        """Return the shares of many restaurants and the exact probabilities, from `low` to `high` tables.

        The restaurants follow the chosen recipe; the exact probabilities are those of the seating rule.
        """
        rng = np.random.default_rng((self.seed, RESTAURANTS))
        drawn = self.sampler.simulate_table_counts(self.total, RESTAURANTS, rng)
        exact = table_count_pmf(self.total, self.settings.concentration, self.settings.discount)
        likely = np.flatnonzero(exact > 5e-4)
        low, high = int(min(likely[0], drawn.min())), int(max(likely[-1], drawn.max()))
        shares = np.bincount(drawn, minlength=self.total + 1) / RESTAURANTS
        return shares[low : high + 1], exact[low : high + 1], low, high

    def _charts(self, simple: bool) -> list[Chart]:
        total = self.total
        legend = [("accent", "this restaurant"), ("ink", "exact mean ± sd")]
        if simple:
            legend += [("dashed", "α log(1 + n/α)"), ("dotted", "α log n")]
        below = "the tables' probabilities end to end, and the dart that chose"
        if self.has_stick:
            below = "a stick: the pieces that tables have broken off, what is left of it, and the latest dart"
        return [
            Chart(
                "room",
                "Restaurant",
                "· {customers} {customers:customers|customer|customers}, {tables} {tables:tables|table|tables}, "
                "largest {largest}",
                "Tables as circles that grow with the customers who sit at them; the next customer waits at the door. "
                f"Below, {below}.",
                charts.room(total <= 80, self.has_stick),
                aspect="4 / 3",
            ),
            Chart(
                "trace",
                "Tables against customers",
                "· {tables}, exact mean {mean}",
                "The number of tables as customers arrive, with its exact mean and standard deviation.",
                growth(total, "customers", ("log1p", "log") if simple else ()),
                legend,
            ),
            Chart(
                "many",
                f"Tables after {total}",
                "",
                f"Number of tables in {RESTAURANTS:,} restaurants of {total}, beside the exact probabilities.",
                over_runs("many", "tables", "restaurants"),
                [("block", f"{RESTAURANTS:,} restaurants"), ("ink", "exact")],
            ),
            Chart(
                "sizes",
                "Table sizes",
                "· with one customer: {alone}",
                "Customers at each table, the largest table first.",
                charts.sizes(),
            ),
            menu.chart(self.settings.discount),
        ]

    def _frames(self, start: int, stop: int, mean: np.ndarray) -> Columns:
        counts, tables = self.counts[start:stop], self.table_numbers[start:stop]
        fresh = menu.shares(counts, self.settings)[1]
        ranked = np.argsort(-counts.astype(np.int32), axis=1, kind="stable")[:, : self._ranks]
        return {
            ("say", "customers"): np.arange(start, stop),
            ("say", "tables"): tables,
            ("say", "largest"): counts.max(axis=1, initial=0),
            ("say", "alone"): (counts == 1).sum(axis=1),
            ("say", "mean"): np.append(0.0, mean)[start:stop],
            **self._ends(start, stop),
            ("say", "fresh"): fresh,
            ("base", "fresh"): fresh,
            ("tables", "count"): np.pad(counts, ((0, 0), (0, 1))),
            ("now", "many"): tables,
            ("ranks", "count"): np.take_along_axis(counts, ranked, axis=1),
            ("ranks", "table"): ranked + 1,
            ("ranks", "color"): ranked % len(COLORS),
        }
