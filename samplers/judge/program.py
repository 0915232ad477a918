"""The judge for a program of a learner's own: exact, as its only source of chance is run through every path.

She writes one function::

    def update(i, labels, data, draw):    # redraws one site
    def sweep(labels, data, draw):        # redraws all of them

It returns the new labels, or changes the list that it gets. ``draw(weights)`` returns an option, with a probability in
proportion to its weight. What ``data`` has is in the problem's `Own`. For any problem, also one without labels, she can
write a function of what a line of the rule may know::

    def weight(line, names):              # the weight of "a table", from names["n"] and the others

Her program is executed, so it belongs on the machine of someone who trusts it; the app never does that.
"""

import contextlib
import io
import traceback
from collections import namedtuple
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, reduce
from types import CodeType
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from samplers.judge.bank import PROBLEMS
from samplers.judge.limit import OutOfTimeError, within
from samplers.judge.paths import (
    Draw,
    DrawError,
    NotReproducibleError,
    TooManyPathsError,
    ends,
)
from samplers.judge.problem import Known, Own, Problem
from samplers.judge.table import BrokenRuleError, State, at
from samplers.judge.verdict import SWEEP, Verdict, verdict_on

SECONDS = 30.0
FILE = "<program>"
KINDS = ("sweep", "update", "weight")
Program = str | Mapping[str, Any] | Callable[..., Any]


class ProgramError(Exception):
    """A program that cannot be judged; the text is a sentence on why."""


def judge_program(problem: Problem, program: Program, seconds: float = SECONDS, file: str = FILE) -> Verdict:
    """Return the verdict on a program; nothing that goes wrong in it is raised.

    Parameters
    ----------
    problem : Problem
        What it should do.
    program : str, mapping or callable
        Its text; or what it defines, by name; or the function ``sweep``, ``update`` or ``weight`` itself.
    seconds : float, optional
        How long all its runs together may take.
    file : str, optional
        The name of its file, for messages.
    """
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            return within(seconds, lambda: _judged(problem, program, file))
    except ProgramError as error:
        return Verdict("broken", str(error))
    except OutOfTimeError:
        return Verdict("broken", f"Your program did not finish within {seconds:g} seconds.")
    except TooManyPathsError as error:
        return Verdict("broken", f"Your program {error}, which are too many to list.")
    except NotReproducibleError:
        text = "With the same choices of draw, your program does not do the same again: draw must be its only chance, "
        return Verdict("broken", f"{text}and nothing may be kept from one call to the next.")


def grade(problem: str, program: Program, seconds: float = SECONDS) -> tuple[float, str]:
    """Return a score from 0 to 1 and the verdict as text, which is the form that graders take.

    Parameters
    ----------
    problem : str
        The id of a problem of the bank.
    program, seconds
        As for `judge_program`.

    Raises
    ------
    KeyError
        If there is no such problem.

    Examples
    --------
    >>> def weight(line, names):
    ...     return names["n"] + 1 if line == "a table" else names["alpha"]
    >>> score, message = grade("crp-seating", weight)
    >>> print(message.partition(".")[0])
    This is: the newcomer is counted
    """
    verdict = judge_program(PROBLEMS[problem], program, seconds)
    return verdict.score, told(verdict)


def told(verdict: Verdict) -> str:
    """Return a verdict as text, with its smallest counterexample."""
    example = verdict.counterexample
    if example is None:
        return verdict.text
    lines = [
        f"  to {_listed(reached)}: right {right:.4f}, yours {given:.4f}"
        for reached, right, given in zip(example.reached, example.right, example.given, strict=True)
    ]
    update = "a sweep from" if example.site == SWEEP else f"update {example.site} of"
    where = f"Smallest counterexample: {update} {_listed(example.state)}"
    return "\n".join([verdict.text, where, *lines])


def _listed(state: State) -> str:
    return f"[{', '.join(map(str, state))}]"


def _judged(problem: Problem, program: Program, file: str) -> Verdict:
    name, function = _function(program, file)
    file = getattr(getattr(function, "__code__", None), "co_filename", file)
    if name == "weight":
        return verdict_on(problem, lambda points: _rows_by_weights(problem, function, points, file))
    if problem.own is None:
        raise ProgramError(f"“{problem.id}” has no labels to update: write weight(line, names).")
    runs = Runs(problem.own, function, name, file)
    if name == "update":
        return verdict_on(problem, lambda points: runs.rows(problem.at(points), points))
    swept = Swept(problem)
    return verdict_on(swept, lambda points: runs.rows(swept.at(points), points))


def _function(program: Program, file: str) -> tuple[str, Callable[..., Any]]:
    """Return the name and the function that a program defines."""
    if callable(program):
        found: Mapping[str, Any] = {getattr(program, "__name__", ""): program}
    elif isinstance(program, str):
        found = _executed(program, file)
    else:
        found = program
    for name in KINDS:
        if callable(found.get(name)):
            return name, found[name]
    raise ProgramError(
        "Your program must define sweep(labels, data, draw), update(i, labels, data, draw) or weight(line, names)."
    )


def _executed(text: str, file: str) -> Mapping[str, Any]:
    names: dict[str, Any] = {"__name__": "program"}
    try:
        code: CodeType = compile(text, file, "exec")
    except SyntaxError as error:
        raise ProgramError(f"Line {error.lineno} of your program is not Python: {error.msg}.") from None
    except ValueError as error:
        raise ProgramError(f"Your program is not Python: {error}.") from None
    with _blamed(file):
        exec(code, names)
    return names


@contextlib.contextmanager
def _blamed(file: str) -> Iterator[None]:
    """Say on which line of her program an exception was raised."""
    try:
        yield
    except ProgramError:
        raise
    except (Exception, SystemExit) as error:
        own = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
        where = f"Line {own[-1].lineno} of your program" if own else "Your program"
        what = str(error) if isinstance(error, DrawError) else f"{type(error).__name__}: {error}".rstrip(": ")
        raise ProgramError(f"{where}: {what}.") from None


# ---- labels ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Runs:
    """All runs of a function that changes labels.

    Parameters
    ----------
    own : Own
        What it gets.
    function : callable
        ``sweep`` or ``update``.
    name : str
        Which of the two.
    file : str
        The name of its file.
    """

    own: Own
    function: Callable[..., Any]
    name: str
    file: str

    def rows(self, known: Known, points: int) -> csr_array:
        """Return the probability of each state after each update; see `samplers.judge.table.Table.rows`."""
        told_of = self.own.data(points)
        data = namedtuple("Data", told_of)(**told_of)
        place = {state: number for number, state in enumerate(known.states)}
        update, target, chances = [], [], []
        for number, site in enumerate(known.sites):
            for start, state in enumerate(known.states):

                def run(draw: Draw, site: Any = site, state: State = state) -> int:
                    return self._end(site, state, data, draw, place)

                for end, chance in ends(run).items():
                    update.append(number * len(place) + start)
                    target.append(end)
                    chances.append(chance)
        return csr_array((chances, (update, target)), (len(known.sites) * len(place), len(place)))

    def _end(self, site: Any, state: State, data: Any, draw: Draw, place: Mapping[State, int]) -> int:
        labels = list(state)
        with _blamed(self.file):
            returned = self.function(*([site] if self.name == "update" else []), labels, data, draw)
        try:
            reached = tuple(int(label) for label in (labels if returned is None else returned))
            if len(reached) == len(state):
                return place[self.own.listed_as(reached)]
        except (TypeError, ValueError, KeyError):
            pass
        said = str(labels if returned is None else returned)[:80]
        raise ProgramError(f"From {_listed(state)} your program came to {said}: these are no labels of this problem.")


@dataclass(frozen=True, eq=False)
class Swept:
    """A problem of which whole sweeps are judged, on as few points as known errors need."""

    problem: Problem

    @property
    def points(self) -> int:
        """The number of points on which sweeps are judged."""
        return self.problem.named_on

    @property
    def named_on(self) -> int:
        """The same."""
        return self.points

    @property
    def least(self) -> int:
        """The smallest number of points."""
        return self.problem.least

    @property
    def same(self) -> float:
        """The largest difference that is put down to rounding."""
        return self.problem.same

    @cached_property
    def errors(self) -> Mapping[str, list[csr_array]]:
        """The sweeps of each known error."""
        return {name: [_sweep(rows) for rows in forms] for name, forms in self.problem.errors.items()}

    def said(self, state: State) -> str:
        """Return a state as the screen writes it."""
        return self.problem.said(state)

    def at(self, points: int) -> Known:
        """Return the problem with one site, which is the sweep."""
        known = self.problem.at(points)
        return known._replace(sites=(SWEEP,), right=_sweep(known.right))


def _sweep(rows: csr_array) -> csr_array:
    """Return the matrix of a sweep, from those of its updates one below the other."""
    size = rows.shape[1]
    return csr_array(reduce(lambda a, b: a @ b, [rows[top : top + size] for top in range(0, rows.shape[0], size)]))


# ---- weights ---------------------------------------------------------------------------------------------------------


def _rows_by_weights(problem: Problem, function: Callable[..., Any], points: int, file: str) -> csr_array:
    table, labels = problem.at(points).table, [*problem.lines]
    found = np.ones(len(table.line))
    for number, known in enumerate(table.known):
        for row, option in enumerate(np.flatnonzero(table.line == number)):
            names = {name: at(value, row) for name, value in known.items()}
            found[option] = _number(function, labels[number], names, file)
    try:
        return table.rows(table.normalised(found))
    except BrokenRuleError as error:
        names = {name: value for name, value in error.knows.items() if isinstance(value, float)}
        said = ", ".join(f"{name} = {value:.4g}" for name, value in names.items())
        raise ProgramError(f"The weight of {labels[error.line]} {error}, where {said}.") from None


def _number(function: Callable[..., Any], line: str, names: Mapping[str, Any], file: str) -> float:
    with _blamed(file):
        value = function(line, dict(names))
    try:
        return float(value)
    except (TypeError, ValueError):
        raise ProgramError(f"weight must return a number, and returned {str(value)[:60]} for {line}.") from None
