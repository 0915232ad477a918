"""Problems of the judge's bank as data: what the desk shows of one, its tables, and all that the judge knows of it."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, TypedDict

import numpy as np

from samplers.judge.problem import Problem
from samplers.judge.table import Table, at
from samplers.judge.verdict import Counterexample, Verdict

PLAYED = 4  # points with which a learner's rule plays: states that are few enough to be looked at

Known = Sequence[float | Sequence[float]]


class RuleName(TypedDict):
    """A name that a line may use, as it is typed and as it is written, with its meaning."""

    name: str
    symbol: str
    meaning: str


class RuleLine(TypedDict):
    """A line of a rule: what it weighs, and the names that it may use."""

    label: str
    names: Sequence[RuleName]


class RuleProblem(TypedDict):
    """A problem as the desk shows it."""

    id: str
    title: str
    form: str  # what a line gives; see `samplers.judge.table.Table`
    lines: Sequence[RuleLine]
    points: int  # the points of the table by which a rule plays
    proved_on: int  # those of the chain by which it is proved; 0 if it is proved by cases that no chain connects
    noun: str  # what the points are
    # first, columns: how a label 0 is written, and how many labels are in a row of a state that is a matrix
    first: int
    columns: int | None


class RuleRows(TypedDict):
    """The knowledge of a line: its names, and the different rows of their values."""

    names: Sequence[str]
    rows: Sequence[Known]


class RuleTable(TypedDict):
    """A table; see `samplers.judge.table.Table`."""

    points: int
    form: str
    states: Sequence[Sequence[int]]
    sites: Sequence[int | str | Sequence[int]]
    outcomes: Sequence[Sequence[int]]  # empty if these are the states
    posterior: Sequence[float] | None
    exact: Sequence[float] | None
    knows: Sequence[RuleRows]
    counts: Sequence[int]  # the number of options of each update
    # line, row, target: of each option: its line, the row of what that line knows, and its place among the outcomes
    line: Sequence[int]
    row: Sequence[int]
    target: Sequence[int]
    share: Sequence[float]  # of each option; empty if all are 1


class RuleMatrix(TypedDict):
    """The rows of a sampler, as entries of a sparse matrix."""

    update: Sequence[int]
    target: Sequence[int]
    probability: Sequence[float]


class RuleForms(TypedDict):
    """A known error: its name, and its forms, which are rules or the rows of samplers."""

    name: str
    rules: Sequence[Sequence[str]]
    matrices: Sequence[RuleMatrix]


class RuleLimit(TypedDict):
    """A limit in which an error may not show; see `samplers.judge.problem.Limit`."""

    said: str
    values: Mapping[str, float]


class RulePack(TypedDict):
    """All that a judge needs to know of a problem; see `samplers.judge.problem.Problem`."""

    lines: Mapping[str, Sequence[str]]
    right: Sequence[str]
    points: int
    least: int
    named_on: int
    noun: str
    first: int
    columns: int | None
    same: float
    tables: Sequence[RuleTable]
    wrong: Sequence[RuleForms]
    limits: Sequence[RuleLimit]


class RuleCounterexample(TypedDict):
    """The smallest update in which a rule differs; see `samplers.judge.verdict.Counterexample`."""

    points: int
    site: int | str | Sequence[int]
    state: Sequence[int]
    reached: Sequence[Sequence[int]]
    right: Sequence[float]
    given: Sequence[float]
    shared: Mapping[str, float | Sequence[float]]


class RuleVerdict(TypedDict):
    """A verdict; see `samplers.judge.verdict.Verdict`."""

    kind: str
    text: str
    distance: float | None
    named: str | None
    counterexample: RuleCounterexample | None
    sweeps: int | None


def described(problem: Problem) -> RuleProblem:
    """Return a problem as the desk shows it."""
    lines: list[RuleLine] = [
        {"label": label, "names": [{"name": name, **one._asdict()} for name, one in names.items()]}  # type: ignore[typeddict-item]
        for label, names in problem.lines.items()
    ]
    points = max(problem.least, min(PLAYED, problem.points))
    table = problem.at(points).table
    return {
        "id": problem.id,
        "title": problem.title,
        "form": table.form,
        "lines": lines,
        "points": points,
        "proved_on": 0 if table.posterior is None else problem.points,
        "noun": problem.noun,
        "first": problem.first,
        "columns": problem.columns,
    }


@lru_cache(64)
def table_of(problem: Problem, points: int) -> RuleTable:
    """Return the table of a problem on its first points."""
    table = problem.at(points).table
    knows, row = zip(*(_rows(table, line) for line in range(len(table.known))), strict=True)
    rows = np.zeros(len(table.line), int)
    for line, places in enumerate(row):
        rows[table.line == line] = places
    same = table.outcomes is table.states
    return {
        "points": points,
        "form": table.form,
        "states": [[*map(int, state)] for state in table.states],
        "sites": [_plain(site) for site in table.sites],
        "outcomes": [] if same else [[*map(int, outcome)] for outcome in table.outcomes],
        "posterior": None if table.posterior is None else table.posterior.tolist(),
        "exact": None if table.exact is None else table.exact.tolist(),
        "knows": knows,
        "counts": np.bincount(table.update, minlength=table.updates).tolist(),
        "line": table.line.astype(int).tolist(),
        "row": rows.tolist(),
        "target": table.target.tolist(),
        "share": [] if (table.share == 1).all() else table.share.tolist(),
    }


def _rows(table: Table, line: int) -> tuple[RuleRows, list[int]]:
    """Return the different rows of what a line knows, and for each of its options the place among them."""
    known = table.known[line]
    many = int((table.line == line).sum())
    found: dict[Any, int] = {}
    places = []
    for number in range(many):
        values = [at(value, number) for value in known.values()]
        key = tuple(tuple(one) if isinstance(one, list) else one for one in values)
        places.append(found.setdefault(key, len(found)))
    return {
        "names": [*known],
        "rows": [[list(one) if isinstance(one, tuple) else one for one in row] for row in found],
    }, places


def _plain(site: Any) -> Any:
    """Return a site as JSON writes it."""
    return [_plain(one) for one in site] if isinstance(site, tuple) else site if isinstance(site, str) else int(site)


@lru_cache(64)
def packed(problem: Problem) -> RulePack:
    """Return all that a judge needs to know of a problem."""
    return {
        "lines": {label: [*names] for label, names in problem.lines.items()},
        "right": [*problem.right],
        "points": problem.points,
        "least": problem.least,
        "named_on": problem.named_on,
        "noun": problem.noun,
        "first": problem.first,
        "columns": problem.columns,
        "same": problem.same,
        "tables": [table_of(problem, points) for points in range(problem.least, problem.points + 1)],
        "wrong": [
            {
                "name": name,
                "rules": [[*form] for form in forms if not callable(form)],
                "matrices": [_matrix(form(problem.named_on)) for form in forms if callable(form)],
            }
            for name, forms in problem.wrong.items()
        ],
        "limits": [{"said": limit.said, "values": limit.values} for limit in problem.limits],
    }


def _matrix(rows: Any) -> RuleMatrix:
    entries = rows.tocoo()
    update, target = (place.tolist() for place in entries.coords)
    return {"update": update, "target": target, "probability": entries.data.tolist()}


def told(verdict: Verdict) -> RuleVerdict:
    """Return a verdict as the desk shows it."""
    found = verdict.counterexample
    return {
        "kind": verdict.kind,
        "text": verdict.text,
        "distance": verdict.distance,
        "named": verdict.named,
        "counterexample": None if found is None else _shown(found),
        "sweeps": verdict.sweeps,
    }


def _shown(found: Counterexample) -> RuleCounterexample:
    return {
        "points": found.points,
        "site": _plain(found.site),
        "state": [*map(int, found.state)],
        "reached": [[*map(int, state)] for state in found.reached],
        "right": [*found.right],
        "given": [*found.given],
        "shared": found.shared,
    }
