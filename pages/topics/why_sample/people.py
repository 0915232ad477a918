"""The mode in which a class is the chain: in a round, thirty chains are each passed to a person."""

from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from lessons.topics.why_sample.people import HALF
from pages.code.ways import code_of_step
from pages.contract.charts import TOLD, Chart
from pages.contract.columns import FLOAT32, UINT8
from pages.contract.film import Film
from pages.drawing.numbers import rounded
from pages.topics.why_sample import people_cards, people_picture
from pages.topics.why_sample.layout import layout
from pages.topics.why_sample.people_run import HALVES, PeopleRun
from pages.topics.why_sample.placed import fixed, line_of, scale_of
from pages.topics.why_sample.visiting import Visiting
from samplers.partitions import named


class FilmedPeople(PeopleRun):
    """The rounds of a class, and their film."""

    @cached_property
    def film(self) -> Film:
        """The film; the same settings and seed make the same one."""
        at = np.arange(1, self.total + 1)
        noise, names = self.noise, [named(partition) for partition in self.partitions]
        a, b = self.distances.T
        here, there, chance, dart = self._hands()
        return Film(
            key=f"why_sample {self.settings.model_dump_json()} {self.seed}",
            charts=_charts(self, tuple(names)),
            data={
                **fixed(self),
                "pucks": self._pucks(),
                "points": {
                    **line_of(self),
                    **{field: [0] * self.points for field in ("held", "next", "color")},
                },
                "heaps": {
                    "name": names * 2,
                    "number": [*range(1, len(names) + 1)] * 2,
                    "half": np.repeat(HALVES, len(names)).tolist(),
                    **FLOAT32.made(share=self.heaps.reshape(self.total + 1, -1)),
                },
                "hand": {
                    "row": [0, 1],
                    **UINT8.made(which=np.stack([here, there], axis=1)),
                    **FLOAT32.made(share=np.stack([self.exact[here], self.exact[there]], axis=1)),
                },
                "toss": FLOAT32.made(chance=chance[:, None], dart=dart[:, None]),
                "floor": {"t": at.tolist(), "noise": rounded(noise)},
                "past": FLOAT32.made(a=a, b=b),
                "say": FLOAT32.made(a=a, b=b) | UINT8.made(begun=np.minimum(np.arange(self.total + 1), 1)),
            },
            total=self.total,
            label="round {t} of {total}",
            strides=(("1", 1), ("10", 10)),
            params={
                "scale": scale_of(self),
                "bars_top": min(1.0, 1.3 * float(max(self.exact.max(), self.heaps[1:].max()))),
                "least": float(f"{noise[-1] / 3:.1g}"),
            },
        )

    def _hands(self) -> tuple[np.ndarray, ...]:
        """Return the next step of chain 1 of half A, if any: where it is, proposal, chance of moving, and dart."""
        passed = [self.passed(t) for t in range(1, self.total + 1)]
        found = [[each.proposed[0], each.chances[0], each.darts[0]] for each in passed]
        there, chance, dart = np.array([*found, [self.where[-1, 0, 0], np.nan, np.nan]]).T
        return self.where[:, 0, 0], there.astype(int), chance, dart

    def _pucks(self) -> dict[str, Any]:
        x, y = layout(self.points).places.T
        now = self.where.reshape(self.total + 1, -1)
        after = np.append(now[1:], now[-1:], axis=0)
        many = np.array([[(half[:, None] == half).sum(axis=0) for half in each] for each in self.where])
        return {
            "half": np.repeat([0, 1], HALF).tolist(),
            **FLOAT32.made(x=x[now], y=y[now], nx=x[after], ny=y[after], many=many.reshape(now.shape)),
        }


def _charts(run: PeopleRun, names: tuple[str, ...]) -> list[Chart]:
    halves = [
        (f"{color} solid", f"half {half}") for half, color in zip(HALVES, people_picture.HALF_COLORS, strict=True)
    ]
    return [
        Chart(
            "clusterings",
            "The class is the chain",
            f"· {HALF} chains in each half",
            f"All {len(names)} clusterings of {run.points} points, a ring as large as the exact posterior, and the "
            "chains that are there, on the left of half A, on the right of half B: a larger puck for more chains.",
            people_picture.clusterings(run.points),
            [("ring", "exact posterior", TOLD), *halves],
            aspect="4 / 3",
        ),
        Chart(
            "bars",
            "Two heaps",
            "· visits of each half",
            "The share of each clustering among the visits of half A and half B, and its exact posterior.",
            people_picture.heaps(names),
            [*halves, ("ink", "exact posterior", TOLD)],
        ),
        Chart(
            "distance",
            "Distance to the exact posterior",
            "· {begun:no visits yet|half A }{a}{begun:|, half B }{b}",
            "The total variation distance of each half's visits from the exact posterior, round by round.",
            people_picture.distance(run.total),
            [*halves, ("dashed", "right rule, on average")],
        ),
        Chart(
            "hand",
            "The next hand",
            "· chain 1 of half A",
            "What the next person gets: the posterior of where the chain is and of the proposal, and the bar and dart.",
            people_picture.hand(names),
            tall=0.6,
        ),
    ]


class People(Visiting[FilmedPeople]):
    """The rounds of a class."""

    makes = FilmedPeople
    views: ClassVar = {"update": people_cards.passed, "code": code_of_step, **Visiting.exact}
