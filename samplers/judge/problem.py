"""A problem for the judge: an update, the names that a rule may use, the right rule, and the errors that are known."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_array

from samplers.judge.rule import Rule
from samplers.judge.table import BrokenRuleError, Form, State, Table

NAMED_ON = 5
CASES = "cases"  # the noun of points that are cases of their own, and not the data of one

Texts = Sequence[str]  # a rule, one expression a line
Rows = Callable[[int], csr_array]  # of a rule on some points; see `Table.rows`
Knows = Callable[[Any, Any, Any, Any], Iterable[tuple[int, Mapping[str, float | Sequence[float]]]]]


class Name(NamedTuple):
    """A name that a rule may use: how the screen writes it, and what it means."""

    symbol: str
    meaning: str


class Known(NamedTuple):
    """A problem on some points: its states, sites, outcomes and posterior (see `Table`), and the right rule's rows."""

    states: Sequence[State]
    sites: Sequence[Any]
    outcomes: Sequence[State]
    posterior: np.ndarray | None
    right: csr_array
    table: Table

    def where(self, update: int) -> tuple[Any, State]:
        """Return the site and the state of an update."""
        site, state = divmod(int(update), len(self.states))
        return self.sites[site], self.states[state]


class Limit(NamedTuple):
    """Names that take a number in a limit, where an error may not show."""

    said: str  # "where all fits are equal"
    values: Mapping[str, float]


@dataclass(frozen=True)
class Own:
    """The arguments of a learner's own program: the data, and how its labels are listed.

    Parameters
    ----------
    data : callable
        ``data(points)`` returns what its argument ``data`` has, by name.
    meaning : mapping of str to str
        What each of these is.
    listed_as : callable, optional
        Maps labels to their entry among the states.
    """

    data: Callable[[int], Mapping[str, Any]]
    meaning: Mapping[str, str]
    listed_as: Callable[[State], State] = tuple


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
    wrong : mapping of str to sequence, optional
        The known errors by name, in plain words. Each has one form or several, which are rules, or ``rows(points)`` of
        a sampler; see `Table.rows`.
    limits : sequence of Limit, optional
        Where it is worth looking whether an unknown error still holds.
    noun : str, optional
        What the points are; `CASES` if each is a case of its own.
    first : {1, 0}, optional
        How the screen writes the label 0: the number from which its lesson counts.
    columns : int, optional
        How many labels of a state are in one row, where it is a matrix.
    same : float, optional
        The largest difference from what is right that is put down to rounding.
    own : Own, optional
        For a program of the learner's own; without it, she can write rules only.
    knows : callable, optional
        ``knows(sampler, lifted, site, conditional)`` yields for each option of an update of any sampler of the model
        its line, and what that line may know. With it, a chain of any data can move by a rule: see
        `samplers.judge.written`.
    """

    id: str
    title: str
    lines: Mapping[str, Mapping[str, Name]]
    right: Texts
    make: Callable[[int], Table]
    points: int
    least: int = 1
    wrong: Mapping[str, Sequence[Texts | Rows]] = field(default_factory=dict)
    limits: Sequence[Limit] = ()
    noun: str = "points"
    first: int = 1
    columns: int | None = None
    same: float = 1e-9
    own: Own | None = None
    knows: Knows | None = None

    @cached_property
    def _known(self) -> dict[int, Known]:
        return {}

    @cached_property
    def errors(self) -> Mapping[str, Sequence[csr_array]]:
        """The rows of each known error on the first points, in every form that has probabilities."""
        return {name: [*self._rows_of(forms)] for name, forms in self.wrong.items()}

    @cached_property
    def failures(self) -> Mapping[str, Sequence[np.ndarray]]:
        """The values of each known error for each option, in the forms that are rules; some have no probabilities."""
        table = self.at(self.points).table
        return {
            name: [table.weights(self.read(form)) for form in forms if not callable(form)]
            for name, forms in self.wrong.items()
        }

    def _rows_of(self, forms: Sequence[Texts | Rows]) -> list[csr_array]:
        table, found = self.at(self.named_on).table, []
        for form in forms:
            try:
                found.append(
                    form(self.named_on) if callable(form) else table.rows(table.probabilities(self.read(form)))
                )
            except BrokenRuleError:
                continue
        return found

    @property
    def form(self) -> Form:
        """The reading of a line; see `Table`."""
        return self.at(self.least).table.form

    @property
    def named_on(self) -> int:
        """The number of points on which a rule is compared with known errors: enough to tell them apart."""
        return max(self.least, min(NAMED_ON, self.points))

    def at(self, points: int) -> Known:
        """Return the problem on its first points; it is made at the first call."""
        if points not in self._known:
            table = self.make(points)
            right = table.rows(table.probabilities(self.read(self.right)))
            self._known[points] = Known(table.states, table.sites, table.outcomes, table.posterior, right, table)
        return self._known[points]

    def described(self) -> str:
        """Return the description for a learner who writes a program."""
        lines = [f"{self.id}: {self.title}"]
        if self.own is not None:
            lines += ["", "def update(i, labels, data, draw), or def sweep(labels, data, draw), with"]
            lines += [f"  data.{name}: {meaning}" for name, meaning in self.own.meaning.items()]
        lines += ["", "def weight(line, names), with"]
        for label, names in self.lines.items():
            lines += [
                f'  line "{label}":',
                *(f'    names["{name}"]: {meaning}' for name, (_, meaning) in names.items()),
            ]
        return "\n".join(lines)

    def said(self, state: State) -> str:
        """Return a state as the screen writes it: a matrix row by row."""
        labels = [str(label + self.first) for label in state]
        wide = self.columns or len(labels)
        return " | ".join(" ".join(labels[start : start + wide]) for start in range(0, len(labels), wide))

    def read(self, texts: Texts) -> list[Rule]:
        """Return the lines of a rule as they are read, or raise `RuleError` at the first that cannot be."""
        return [Rule(text, names) for text, names in zip(texts, self.lines.values(), strict=True)]
