"""A problem for the judge: an update, the names that a rule may use, the right rule, and the errors that are known."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from scipy.sparse import csr_array

from samplers.judge.rule import Rule
from samplers.judge.table import Table

NAMED_ON = 5


class Name(NamedTuple):
    """A name that a rule may use: how the screen writes it, and what it means."""

    symbol: str
    meaning: str


class Known(NamedTuple):
    """A problem on some points: its table, and the rows of the right rule; see `Table.rows`."""

    table: Table
    right: csr_array


@dataclass(frozen=True, eq=False)
class Problem:
    """An update whose rule a learner writes.

    Parameters
    ----------
    id, title : str
        For links, and for learners.
    lines : mapping of str to (mapping of str to Name)
        For each line of the rule, by its label, the names that it may use.
    right : sequence of str
        The right rule, line by line.
    make : callable
        ``make(points)`` returns the table of the problem on its first points.
    points : int
        The number of points on which a rule is judged; fewer give the smallest counterexample.
    least : int, optional
        The smallest number of points.
    wrong : mapping of str to callable, optional
        ``rows(points)`` of each known error, by its name; see `Table.rows`.
    """

    id: str
    title: str
    lines: Mapping[str, Mapping[str, Name]]
    right: Sequence[str]
    make: Callable[[int], Table]
    points: int
    least: int = 1
    wrong: Mapping[str, Callable[[int], csr_array]] = field(default_factory=dict)

    @cached_property
    def _known(self) -> dict[int, Known]:
        return {}

    @cached_property
    def errors(self) -> Mapping[str, csr_array]:
        """The rows of each known error on the first points."""
        return {name: rows(self.named_on) for name, rows in self.wrong.items()}

    @property
    def named_on(self) -> int:
        """The number of points on which a rule is compared with known errors: enough to tell them apart."""
        return max(self.least, min(NAMED_ON, self.points))

    def at(self, points: int) -> Known:
        """Return the problem on its first points; it is made at the first call."""
        if points not in self._known:
            table = self.make(points)
            self._known[points] = Known(table, table.rows(table.probabilities(self.read(self.right))))
        return self._known[points]

    def read(self, texts: Sequence[str]) -> list[Rule]:
        """Return the lines of a rule as they are read, or raise `RuleError` at the first that cannot be."""
        return [Rule(text, names) for text, names in zip(texts, self.lines.values(), strict=True)]
