"""One run of the buffet: the chain for some settings and a seed, what each customer chose, and its film."""

from collections.abc import Callable
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from lessons.topics.ibp_buffet import IBPBuffetSettings
from pages.contract.charts import Chart
from pages.contract.columns import FLOAT32, UINT16, Column, Data
from pages.contract.film import Film
from pages.drawing.counts import growth, over_runs
from pages.drawing.numbers import rounded
from pages.drawing.palette import COLORS
from pages.topics.ibp_buffet.line import BAR, ENDS, LEFT, MOST_TALL, MOST_WIDE, line
from samplers import Chain, Update
from samplers.buffet.exact import dishes_of_a_customer, dishes_overall, harmonic, left_order, new_dishes_of_a_customer
from samplers.buffet.prior import NEW

BUFFETS = 1_000
WIDEST, TALLEST = 15.0, 8.0  # of a cell
LEAST = 5e-4  # probability of a number that is shown


class Last(NamedTuple):
    """The dishes of the last customer that are counted."""

    titles: tuple[str, str]  # in the buffet, and in the finite model
    law: Callable[[int, float, int | None], np.ndarray]  # of their number, by customers, concentration and columns


LAST = {
    "all": Last(("Dishes", "Dishes"), lambda _, *setting: dishes_of_a_customer(*setting)),
    "new": Last(("New dishes", "Untouched columns"), new_dishes_of_a_customer),
}


class BuffetRun:
    """All customers of one run, who are served when it is made.

    Parameters
    ----------
    settings : IBPBuffetSettings
        What the learner chose.
    seed : int
        Of the chain; the many buffets draw from a stream of their own.

    Attributes
    ----------
    matrix : numpy.ndarray
        Who has taken what, shape (customers, dishes), dishes in the order in which the sampler numbers them.
    places : numpy.ndarray
        Place of each dish, from 0, shape (dishes,).
    """

    def __init__(self, settings: IBPBuffetSettings, seed: int) -> None:
        self.settings, self.seed, self.total = settings, seed, settings.customers
        self.sampler = settings.sampler()
        self._records: dict[int, list[Update]] = {}
        self.chain = Chain(self.sampler, seed, on_step=self._records.__setitem__)
        self.matrix = self.chain[self.total].matrix
        self.places = np.arange(self.matrix.shape[1])
        if settings.order == "left":
            self.places[left_order(self.matrix)] = np.arange(len(self.places))

    @property
    def nbytes(self) -> int:
        """About how many bytes it takes, with its film."""
        return 300 * self.matrix.size + 20_000

    def choices(self, t: int) -> list[Update]:
        """Return the updates of the t-th customer, from 1: one for each dish in the line, and one for the new ones."""
        return self._records[t]

    def counts(self, t: int) -> list[int]:
        """Return the count of each dish before the t-th customer, as the rule has it."""
        return self.chain[t - 1].counts

    @cached_property
    def dish_numbers(self) -> np.ndarray:
        """Numbers of dishes after each customer, shape (customers + 1,)."""
        found: np.ndarray = np.maximum.accumulate(self.matrix, axis=0).sum(axis=1)
        return np.append(0, found)

    @cached_property
    def new(self) -> np.ndarray:
        """Numbers of new dishes by customer, shape (customers,)."""
        return np.diff(self.dish_numbers)

    @property
    def plates(self) -> np.ndarray:
        """Numbers of dishes by customer, shape (customers,)."""
        return self.matrix.sum(axis=1)

    # ---- the film --------------------------------------------------------------------------------------------------

    @cached_property
    def film(self) -> Film:
        """Return the film of the run."""
        settings, total = self.settings, self.total
        setting = settings.concentration, settings.number_of_columns
        moments = np.array([_moments(dishes_overall(t, *setting)) for t in range(1, total + 1)])
        mean, sd = moments.T
        overall, *last = self.sampler.simulate(total, BUFFETS, np.random.default_rng((self.seed, BUFFETS)))
        drawn = overall, last[settings.last == "new"]
        exact, limits = self._laws(*setting), self._laws(settings.concentration)
        columns = max(1, len(self.places))
        cell, row = min(WIDEST, MOST_WIDE / columns), min(TALLEST, MOST_TALL / total)
        params: dict[str, Any] = {
            "cell": cell,
            "row": row,
            "wide": cell * columns,
            "share": self.sampler.share,
            "most": float(np.ceil(max(mean[-1] + 3 * sd[-1], self.dish_numbers[-1] + 1))),
        }
        data: Data = {
            **self._places(cell, row),
            "facts": {
                "t": list(range(1, total + 1)),
                "mean": rounded(mean),
                "low": rounded(np.maximum(mean - sd, 0)),
                "high": rounded(mean + sd),
                "limit": rounded([settings.concentration * harmonic(t) for t in range(1, total + 1)]),
            },
            "path": {"t": list(range(total + 1)), "number": self.dish_numbers.tolist()},
            **self._counted(mean),
        }
        for name, *numbers in zip(("many", "plates"), drawn, exact, limits, strict=True):
            data[name], params[f"{name}_span"], params[f"{name}_top"] = _distribution(*numbers)
        return Film(
            key=f"ibp_buffet {settings.model_dump_json()} {self.seed}",
            charts=self._charts(),
            data=data,
            total=total,
            label="customer {t} of {total}",
            params=params,
        )

    def _laws(self, concentration: float, columns: int | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Return how all dishes are distributed, and those of the last customer that are counted."""
        overall = dishes_overall(self.total, concentration, columns)
        return overall, LAST[self.settings.last].law(self.total, concentration, columns)

    def _places(self, cell: float, row: float) -> Data:
        """Return the places of dishes, of customers, and of what they have taken."""
        x = LEFT + (self.places + 0.5) * cell
        y = BAR - 4 - (np.arange(self.total) + 0.5) * row
        customers, dishes = np.nonzero(self.matrix)
        first = self.matrix.argmax(axis=0)[dishes] == customers
        numbers = len(self.places)
        return {
            "cells": {
                "x": rounded(x[dishes]),
                "y": rounded(y[customers]),
                "customer": (customers + 1).tolist(),
                "dish": (dishes + 1).tolist(),
                "color": (dishes % len(COLORS)).tolist(),
                "first": first.tolist(),
            },
            "rows": {
                "y": rounded(y),
                "customer": list(range(1, self.total + 1)),
                "total": self.plates.tolist(),
                "new": self.new.tolist(),
                "mean": rounded([self.sampler.new_mean(t) for t in range(1, self.total + 1)]),
            },
            "dishes": {
                "x": rounded(x),
                "dish": list(range(1, numbers + 1)),
                "color": [dish % len(COLORS) for dish in range(numbers)],
                **self._served(),
            },
        }

    def _served(self) -> dict[str, Column]:
        """Return the columns of the dishes: counts and random numbers of the last customer, and of the next one."""
        shape = self.total + 2, len(self.places)
        counts, darts = np.zeros(shape, np.uint16), np.zeros(shape, np.uint16)  # 0: the dish is not there yet
        for t in range(1, self.total + 1):
            before = self.counts(t)
            counts[t, : len(before)] = np.add(before, 1)
            darts[t, : len(before)] = [
                round(ENDS * (update.uniform or 0.0)) for update in self.choices(t) if update.site != NEW
            ]
        counts[-1] = np.add(self.chain[self.total].counts, 1)
        return UINT16.made(was=counts[:-1], next=counts[1:], dart=darts[:-1], coming=darts[1:])

    def _counted(self, mean: np.ndarray) -> Data:
        """Return how many customers, dishes and plates there are in every frame."""
        dishes, plates, new = self.dish_numbers, np.append(0, self.plates), np.append(0, self.new)
        said = UINT16.made(customers=np.arange(self.total + 1), dishes=dishes, plate=plates, new=new)
        said |= UINT16.made(single=dishes == 1) | FLOAT32.made(mean=np.append(0, mean))  # `single` is for plurals
        counted = {"all": plates, "new": new}[self.settings.last]
        return {"now": UINT16.made(many=dishes, plates=counted), "say": said}

    def _charts(self) -> list[Chart]:
        total, finite = self.total, self.settings.model == "finite"
        words = f"the finite model with {self.settings.columns} columns" if finite else "the buffet"
        last = LAST[self.settings.last].titles[finite]
        exact = [("block", f"{BUFFETS:,} runs"), ("ink", "exact")]
        if finite:
            exact.append(("ink dot", "the buffet"))
        return [
            Chart(
                "line",
                "Columns" if finite else "Buffet",
                "· customer {customers} takes {plate} · {dishes} {single:columns|column} taken so far"
                if finite
                else "· customer {customers} takes {plate}, {new} of them new · {dishes} {single:dishes|dish} so far",
                f"Customers down and dishes across, by {words}: a cell for each dish that a customer has taken, with a "
                "plus where it was the first time. Above, the probability of each dish for this customer, and "
                "the dart that decided.",
                line(finite, mean=self.settings.rule != "new dishes for everyone"),
                aspect="4 / 3",
            ),
            Chart(
                "trace",
                "Dishes against customers",
                "· {dishes}, exact mean {mean}",
                "The number of dishes as customers come, with its exact mean and standard deviation.",
                growth(total, "customers", ("limit",) if finite else ()),
                [("accent", "this run"), ("ink", "exact mean ± sd"), *([("dashed", "the buffet")] if finite else [])],
            ),
            Chart(
                "many",
                f"Dishes after {total}",
                "",
                f"Number of dishes in {BUFFETS:,} runs of {total} customers, beside the exact probabilities.",
                over_runs("many", "dishes", "runs", finite),
                exact,
            ),
            Chart(
                "plates",
                f"{last} of customer {total}",
                "",
                f"{last} that customer {total} takes in {BUFFETS:,} runs, beside the exact probabilities.",
                over_runs("plates", "dishes", "runs", finite),
                exact,
            ),
        ]


def _moments(probabilities: np.ndarray) -> tuple[float, float]:
    """Return mean and standard deviation of a number from 0."""
    numbers = np.arange(len(probabilities))
    mean = float(numbers @ probabilities)
    return mean, float(np.sqrt((numbers - mean) ** 2 @ probabilities))


def _distribution(
    drawn: np.ndarray, exact: np.ndarray, limit: np.ndarray
) -> tuple[dict[str, list], tuple[float, float], float]:
    """Return shares beside probabilities, from the least to the most number that is shown; and where both axes end."""
    size = max(len(exact), len(limit), int(drawn.max()) + 1)
    exact, limit = (np.pad(known, (0, size - len(known))) for known in (exact, limit))
    shares = np.bincount(drawn, minlength=size) / len(drawn)
    likely = np.flatnonzero((exact > LEAST) | (limit > LEAST) | (shares > 0))
    low, high = int(likely[0]), int(likely[-1])
    shown = slice(low, high + 1)
    data: dict[str, list] = {
        "number": list(range(low, high + 1)),
        "share": rounded(shares[shown]),
        "exact": rounded(exact[shown]),
        "limit": rounded(limit[shown]),
    }
    return data, (low, high), 1.15 * float(max(shares.max(), exact.max(), limit.max()))
