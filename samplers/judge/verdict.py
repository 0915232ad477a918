"""The verdict on a rule: its conditionals against the right ones, and its long run against the posterior."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Literal, NamedTuple, Protocol

import numpy as np
from scipy.sparse import csr_array

from samplers.diagnostics.convergence import sweeps_to_separate
from samplers.judge.long_run import after, closed_class, long_run, period
from samplers.judge.problem import CASES, Known, Problem, Rows
from samplers.judge.rule import Rule
from samplers.judge.table import CASE, GIVEN, BrokenRuleError, State, Table

SAME = 1e-9  # the largest difference of two probabilities that are equal but for rounding
IN_THE_LIMIT = 1e-6  # the same, where a number that is nearly 0 stands for a limit
SWEEP = "sweep"  # the only site, where whole sweeps are judged
WEIGHT_OF = {"weights": "weight of ", "logarithms": "log weight of "}  # before the label of a line, by its form
Kind = Literal["right", "invariant", "known", "unknown", "broken", "reducible", "periodic"]


class Judged(Protocol):
    """The target with which a rule is compared: a `Problem`, or whole sweeps of one."""

    @property
    def points(self) -> int:
        """The number of points on which a rule is judged."""

    @property
    def least(self) -> int:
        """The smallest number of points."""

    @property
    def named_on(self) -> int:
        """The number of points on which a rule is compared with known errors."""

    @property
    def same(self) -> float:
        """The largest difference that is put down to rounding."""

    @property
    def errors(self) -> Mapping[str, Sequence[csr_array]]:
        """The rows of each known error."""

    def at(self, points: int) -> Known:
        """Return the problem on its first points."""

    def said(self, state: State) -> str:
        """Return a state as the screen writes it."""


class Counterexample(NamedTuple):
    """The smallest update in which a rule differs from the right one."""

    points: int
    site: Any  # what is updated
    state: State  # before the update
    reached: Sequence[State]  # to which the update may lead
    right: Sequence[float]  # their right probabilities
    given: Sequence[float]  # those of the rule
    shared: Mapping[str, float | Sequence[float]]  # what a rule may know of all of them alike, by name


@dataclass(frozen=True)
class Verdict:
    """The verdict of the judge.

    Parameters
    ----------
    kind : str
        ``"right"``: the conditional in every update. ``"invariant"``: other weights, which leave the posterior
        unchanged. ``"known"``: a known error. ``"unknown"``: another error. ``"broken"``: no probabilities in some
        update. ``"reducible"``, ``"periodic"``: the chain cannot reach some states, or does not settle.
    text : str
        The verdict in plain sentences.
    distance : float, optional
        The total variation distance of the rule's long run from the posterior, and None where there is no long run. Of
        a formula that no chain runs by, its largest error in any case.
    named : str, optional
        The known error that it is.
    counterexample : Counterexample, optional
        The smallest update in which it differs from the right rule.
    sweeps : int, optional
        After how many sweeps, if they were independent, a histogram would show the distance; None if never.
    """

    kind: Kind
    text: str
    distance: float | None = None
    named: str | None = None
    counterexample: Counterexample | None = None
    sweeps: int | None = None

    @property
    def score(self) -> float:
        """1 for a right rule, and else how near its long run comes: 1 minus the distance, at most 0.9."""
        if self.kind in ("right", "invariant"):
            return 1.0
        return 0.0 if self.distance is None else max(0.0, min(0.9, 1 - self.distance))


def judge(problem: Problem, texts: Sequence[str]) -> Verdict:
    """Return the verdict on a rule, one expression a line, as a learner wrote it.

    Raises
    ------
    RuleError
        If a line cannot be read.
    """
    rules = problem.read(texts)

    def rows(points: int) -> csr_array:
        table = problem.at(points).table
        return table.rows(table.probabilities(rules))

    try:
        found = verdict_on(problem, rows)
    except BrokenRuleError as error:
        return _broken(problem, rules, rows, error)
    if found.kind == "right":
        return replace(found, text=f"{found.text}{_form(problem, rules)}")
    if found.kind == "invariant" and _accepts_nothing(problem, rules):
        text = "Your rule accepts no proposal. That leaves the posterior unchanged, but the chain as well."
        return Verdict("unknown", text, counterexample=_smallest(problem, rows))
    if found.kind == "unknown":
        return replace(found, text=f"{found.text}{_place(problem, texts)}{_limits(problem, rules)}")
    return found


def verdict_on_error(problem: Problem, name: str) -> Verdict:
    """Return the verdict on a known error, in the first of its forms."""
    form = problem.wrong[name][0]
    return verdict_on(problem, form) if callable(form) else judge(problem, form)


def verdict_on(problem: Judged, rows: Rows) -> Verdict:
    """Return the verdict on a rule that is given by its rows on some points; see `Table.rows`."""
    rows = cache(rows)
    known, given = problem.at(problem.points), rows(problem.points)
    off = _off(given, known.right)
    if known.posterior is None:
        return _on_cases(problem, rows, known, given, off)
    size = len(known.states)
    if off.max() < problem.same:
        return Verdict("right", f"Right: {_each(known)}. Your chain's long run is the posterior.", 0.0)
    steps = [given[number * size : (number + 1) * size] for number in range(len(known.sites))]
    counterexample, named = _smallest(problem, rows), _named(problem, rows)
    closed = closed_class(steps)
    if not closed.all():
        out = problem.said(known.states[int(np.argmin(closed))])
        text = f"In the end your sweep cannot return to {size - int(closed.sum()):,} of {size:,} states, such as {out}."
        return Verdict("reducible", f"{_this_is(named)}{text}", None, named, counterexample)
    if period(steps) > 1:
        text = "Your sweep goes round in a circle: the chain never settles."
        return Verdict("periodic", f"{_this_is(named)}{text}", None, named, counterexample)
    if np.abs(after(steps, known.posterior) - known.posterior).max() < problem.same:
        text = (
            f"these are not the usual probabilities, but a sweep leaves the posterior of all {size:,} states as it is."
        )
        return Verdict("invariant", f"Right: {text}", 0.0)
    limit = long_run(steps)
    distance = float(np.abs(limit - known.posterior).sum() / 2)
    sweeps = sweeps_to_separate(limit, known.posterior)
    when = f"a histogram would show it after about {sweeps:,} sweeps" if sweeps else "no histogram would show it"
    what = _this_is(named) or "This is not right. "
    text = f"{what}In the long run the chain is {distance:.3f} from the posterior; {when}."
    return Verdict("known" if named else "unknown", text, distance, named, counterexample, sweeps)


def _each(known: Known) -> str:
    """Say what has been compared."""
    size = len(known.states)
    if known.sites == (SWEEP,):
        return f"the probabilities of a sweep from each of {size:,} states"
    what = "acceptance" if known.table.form == "ratio" else "conditional"
    return f"the {what} in each of {size:,} × {len(known.sites)} updates"


def _on_cases(problem: Judged, rows: Rows, known: Known, given: csr_array, off: np.ndarray) -> Verdict:
    """Return the verdict on a formula, in cases that no chain connects."""
    table, cases = known.table, f"{len(off):,} cases"
    if off.max() < problem.same:
        return Verdict("right", f"Right in each of {cases}.{_nearness(table, given)}", 0.0)
    if table.exact is not None and _from_exact(table, given) <= _from_exact(table, known.right):
        return Verdict("right", f"Right: not the usual formula, but no worse.{_nearness(table, given)}", 0.0)
    smallest = _smallest(problem, rows)  # which may be none of these cases, and worse
    apart = np.abs(np.subtract(smallest.right, smallest.given)) if smallest else np.zeros(1)
    if table.form == "value":
        distance = max(float(abs(given - known.right).max()), float(apart.max()))
        far = f"In {int((off >= problem.same).sum()):,} of {cases} it is not right, at worst by {distance:.3g}."
    else:
        distance = max(float(abs(given - known.right).sum(axis=1).max()), float(apart.sum())) / 2
        far = f"In {int((off >= problem.same).sum()):,} of {cases} the probabilities are not right: "
        far += f"at worst {distance:.3f} of all probability is at the wrong place."
    named = _named(problem, rows)
    what = _this_is(named) or "This is not right. "
    return Verdict("known" if named else "unknown", what + far, distance, named, smallest)


def _from_exact(table: Table, values: csr_array) -> float:
    assert table.exact is not None
    return float(np.abs(values.toarray()[table.update, table.target] - table.exact).max())


def _nearness(table: Table, given: csr_array) -> str:
    """Say how far a formula is from the integral that it approximates."""
    if table.exact is None:
        return ""
    off = _from_exact(table, given)
    return f" It is within {off:.2g} of what quadrature gives{'' if off > SAME else ', to its last digits'}."


def _this_is(named: str | None) -> str:
    return f"This is: {named}. " if named else ""


def _named(problem: Judged, rows: Rows) -> str | None:
    """Return the known error that a rule equals, if there is one."""
    given = rows(problem.named_on)
    return next(
        (
            name
            for name, forms in problem.errors.items()
            if any(_off(given, wrong).max() < problem.same for wrong in forms)
        ),
        None,
    )


def _smallest(problem: Judged, rows: Rows) -> Counterexample | None:
    """Return the first update, with the fewest points, in which a rule differs most."""
    for points in range(problem.least, problem.points + 1):
        try:
            known, given = problem.at(points), rows(points)
        except BrokenRuleError:  # with fewer points than those on which it is judged
            continue
        off = _off(given, known.right)
        if off.max() >= problem.same:
            update = int(np.argmax(off > off.max() - SAME))
            return _counterexample(known, points, update, given[[update]].toarray()[0])
    return None


def _counterexample(known: Known, points: int, update: int, given: np.ndarray) -> Counterexample:
    right = known.right[[update]].toarray()[0]
    there = np.flatnonzero((right != 0) | (given != 0)).tolist()
    reached = [known.outcomes[place] for place in there]
    shared = {} if known.sites == (SWEEP,) else known.table.shared(update)
    return Counterexample(points, *known.where(update), reached, right[there].tolist(), given[there].tolist(), shared)


def _off(given: csr_array, right: csr_array) -> np.ndarray:
    """Return the largest difference from what is right in each update, relative to values above 1, shape (updates,)."""
    off = abs(given - right).max(axis=1).toarray().ravel()
    return np.asarray(off / np.maximum(1.0, abs(right).max(axis=1).toarray().ravel()))


def _broken(problem: Problem, rules: Sequence[Rule], rows: Rows, error: BrokenRuleError) -> Verdict:
    """Return the verdict on a rule that gives no probabilities somewhere."""
    given = problem.at(problem.points).table.weights(rules)
    named = next(
        (
            name
            for name, forms in problem.failures.items()
            if any(np.allclose(given, wrong, rtol=SAME, atol=0, equal_nan=True) for wrong in forms)
        ),
        None,
    )
    label = [*problem.lines][error.line].removeprefix("the ")
    what = WEIGHT_OF.get(problem.form, "")
    text = f"The {what}{label} {error} {_in(problem, error)}."
    with suppress(BrokenRuleError):
        if _off(rows(problem.least), problem.at(problem.least).right).max() < problem.same:
            text += f" It is right {_with(problem.noun, problem.least)}."
    return Verdict("broken", f"{_this_is(named)}{text}", named=named)


# ---- what else there is to say ---------------------------------------------------------------------------------------


def _form(problem: Problem, rules: Sequence[Rule]) -> str:
    """Say of a right rule that its weights are others, of which only the proportions are the same."""
    table = problem.at(problem.points).table
    if table.form not in ("weights", "logarithms"):
        return ""
    given, right = table.weights(rules), table.weights(problem.read(problem.right))
    if np.allclose(given, right, rtol=SAME, atol=0):
        return ""
    if table.form == "logarithms":
        return " Your logarithms differ from the usual ones by a constant in each update, which changes no probability."
    return " Your weights are a multiple of the usual ones in each update: only their proportions count."


def _accepts_nothing(problem: Problem, rules: Sequence[Rule]) -> bool:
    table = problem.at(problem.points).table
    return table.form == "ratio" and not table.weights(rules)[table.line != GIVEN].any()


def _place(problem: Problem, texts: Sequence[str]) -> str:
    """Say which line of an unknown error is wrong, if the others are right beside the right one."""
    if len(texts) < 2:
        return ""
    known = problem.at(problem.named_on)
    for number, label in enumerate(problem.lines):
        mended = [*texts[:number], problem.right[number], *texts[number + 1 :]]
        with suppress(BrokenRuleError):
            given = known.table.rows(known.table.probabilities(problem.read(mended)))
            if _off(given, known.right).max() < problem.same:
                return f" Only the line of {label} is wrong."
    return ""


def _limits(problem: Problem, rules: Sequence[Rule]) -> str:
    """Say in which limits an unknown error still gives the right probabilities."""
    found, right = [], problem.read(problem.right)

    def holds(points: int, instead: Mapping[str, float]) -> bool:
        table = problem.at(points).table
        try:
            both = [table.rows(table.probabilities(each, instead)) for each in (rules, right)]
        except BrokenRuleError:
            return False
        return bool(_off(*both).max() < IN_THE_LIMIT)

    held = [points for points in range(problem.least, problem.points) if holds(points, {})]
    if held:
        found.append(_with(problem.noun, held[-1]))
    found += [limit.said for limit in problem.limits if holds(problem.named_on, limit.values)]
    if not found:
        return ""
    *rest, last = found
    return f" It is still right {', '.join(rest)}{' and ' if rest else ''}{last}."


def _with(noun: str, number: int) -> str:
    if noun == CASES:
        return "in the first case" if number == 1 else f"in the first {number} cases"
    return f"with one {noun.removesuffix('s')}" if number == 1 else f"with {number} {noun}"


def _in(problem: Problem, error: BrokenRuleError) -> str:
    """Say where a rule gives no probabilities: by what it knows there, and of an update by its state as well."""
    numbers = [f"{name} = {value:.4g}" for name, value in error.knows.items() if isinstance(value, float)]
    if error.site == CASE:  # its state has no meaning for the learner, but the lists have
        lists = {name: value for name, value in error.knows.items() if not isinstance(value, float)}
        numbers += [f"{name} = [{', '.join(f'{one:.4g}' for one in value)}]" for name, value in lists.items()]
        return f"where {', '.join(numbers)}"
    before = f"where {', '.join(numbers)}: " if numbers else "in "
    return f"{before}{_where(problem, error.site, error.state)}"


def _where(problem: Problem, site: Any, state: State) -> str:
    """Return an update, whose place is counted from 1, or a customer who is new."""
    if isinstance(site, str):
        return f"{site} {problem.said(state)}"
    place = " ".join(str(number + 1) for number in (site if isinstance(site, tuple) else (site,)))
    return f"update {place} of {problem.said(state)}"
