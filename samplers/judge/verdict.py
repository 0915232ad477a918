"""The verdict on a rule: its conditionals against the right ones, and its long run against the posterior."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from scipy.sparse import csr_array

from samplers.diagnostics.convergence import sweeps_to_separate
from samplers.enumerated import stationary
from samplers.judge.problem import Known, Problem
from samplers.judge.table import BrokenRuleError, State

SAME = 1e-9  # the largest difference of two probabilities that are equal but for rounding
SWEEPS, SETTLED = 400, 1e-12  # after how many a long run that moves by more than this is solved for
Rows = Callable[[int], csr_array]  # of a rule on some points; see `Table.rows`
Kind = Literal["right", "invariant", "known", "unknown", "broken", "reducible", "periodic"]


class Counterexample(NamedTuple):
    """The smallest update in which a rule differs from the right one."""

    points: int
    site: Any  # what is updated
    state: State  # before the update
    reached: Sequence[State]  # to which the update may lead
    right: Sequence[float]  # their right probabilities
    given: Sequence[float]  # those of the rule


@dataclass(frozen=True)
class Verdict:
    """What the judge found.

    Parameters
    ----------
    kind : str
        ``"right"``: the conditional in every update. ``"invariant"``: other weights, which leave the posterior
        unchanged. ``"known"``: a known error. ``"unknown"``: another error. ``"broken"``: no probabilities in some
        update. ``"reducible"``, ``"periodic"``: the chain cannot reach some states, or does not settle.
    text : str
        The verdict in plain sentences.
    distance : float, optional
        The total variation distance of the rule's long run from the posterior; None where there is no long run.
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
        return 0.0 if self.distance is None else min(0.9, 1 - self.distance)


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
        return verdict_on(problem, rows)
    except BrokenRuleError as error:
        return Verdict("broken", _broken(problem, error))


def verdict_on(problem: Problem, rows: Rows) -> Verdict:
    """Return the verdict on a rule that is given by its rows on some points; see `Table.rows`."""
    known, given = problem.at(problem.points), rows(problem.points)
    table, size = known.table, len(known.table.states)
    many = f"each of {size:,} × {len(table.sites)} updates"
    if _off(given, known.right).max() < SAME:
        return Verdict("right", f"Right: the conditional in {many}. Your chain's long run is the posterior.", 0.0)
    steps = [given[number * size : (number + 1) * size] for number in range(len(table.sites))]
    counterexample = _smallest(problem, rows)
    closed = _closed_class(steps)
    if not closed.all():
        out = table.states[int(np.argmin(closed))]
        text = f"Your sweep cannot return to {size - int(closed.sum()):,} of {size:,} states, such as {_said(out)}."
        return Verdict("reducible", text, counterexample=counterexample)
    if _period(steps) > 1:
        text = "Your sweep goes round in a circle: the chain never settles."
        return Verdict("periodic", text, counterexample=counterexample)
    if np.abs(_after(steps, table.posterior) - table.posterior).max() < SAME:
        text = f"these are not the conditionals, but a sweep leaves the posterior of all {size:,} states as it is."
        return Verdict("invariant", f"Right: {text}", 0.0)
    limit = _long_run(steps)
    distance = float(np.abs(limit - table.posterior).sum() / 2)
    named = _named(problem, rows)
    sweeps = sweeps_to_separate(limit, table.posterior)
    when = f"a histogram would show it after about {sweeps:,} sweeps" if sweeps else "no histogram would show it"
    what = f"This is: {named}. " if named else "This is not the conditional. "
    text = f"{what}In the long run the chain is {distance:.3f} from the posterior; {when}."
    return Verdict("known" if named else "unknown", text, distance, named, counterexample, sweeps)


def _named(problem: Problem, rows: Rows) -> str | None:
    """Return the known error that a rule equals, if there is one."""
    given = rows(problem.named_on)
    return next((name for name, wrong in problem.errors.items() if _off(wrong, given).max() < SAME), None)


def _smallest(problem: Problem, rows: Rows) -> Counterexample | None:
    """Return the first update, with the fewest points, in which a rule differs most."""
    for points in range(problem.least, problem.points + 1):
        known, given = problem.at(points), rows(points)
        off = _off(given, known.right)
        if off.max() >= SAME:
            update = int(np.argmax(off > off.max() - SAME))
            return _counterexample(known, points, update, given[[update]].toarray()[0])
    return None


def _counterexample(known: Known, points: int, update: int, given: np.ndarray) -> Counterexample:
    right = known.right[[update]].toarray()[0]
    there = np.flatnonzero((right > 0) | (given > 0)).tolist()
    reached = [known.table.states[place] for place in there]
    return Counterexample(points, *known.table.where(update), reached, right[there].tolist(), given[there].tolist())


def _off(one: csr_array, other: csr_array) -> np.ndarray:
    """Return the largest difference of two rules' probabilities in each update, shape (updates,)."""
    return abs(one - other).max(axis=1).toarray().ravel()


def _broken(problem: Problem, error: BrokenRuleError) -> str:
    label = [*problem.lines][error.line]
    values = ", ".join(f"{name} = {value:.4g}" for name, value in error.knows.items() if isinstance(value, float))
    return f"The weight of {label} {error} where {values}: update {error.site} of {_said(error.state)}."


def _said(state: State) -> str:
    """Return a state as digits that start from 1."""
    return " ".join(str(label + 1) for label in state)


# ---- chains ----------------------------------------------------------------------------------------------------------


def _after(steps: Sequence[csr_array], distribution: np.ndarray) -> np.ndarray:
    """Return a distribution after a sweep, from the matrices of its updates."""
    for step in steps:
        distribution = distribution @ step
    return distribution


def _long_run(steps: Sequence[csr_array]) -> np.ndarray:
    """Return the stationary distribution of a sweep whose states all lead to one another."""
    size = steps[0].shape[0]
    found = np.full(size, 1 / size)
    for _ in range(SWEEPS):
        before, found = found, _after(steps, found)
        if np.abs(found - before).sum() < SETTLED:
            return found
    return stationary(_after(steps, np.eye(size)))


def _reached(steps: Sequence[csr_array], start: np.ndarray) -> np.ndarray:
    """Return which states some sweeps can reach from these, shape (states,)."""
    found = start
    while True:
        after = found | (_after(steps, found.astype(float)) > 0)
        if (after == found).all():
            return found
        found = after


def _closed_class(steps: Sequence[csr_array]) -> np.ndarray:
    """Return which states a chain that began with the first one comes back to for ever, shape (states,)."""
    backwards = [step.T.tocsr() for step in reversed(steps)]
    start = np.arange(steps[0].shape[0]) == 0
    while True:
        ahead = _reached(steps, start)
        left = ahead & ~_reached(backwards, start)
        if not left.any():
            return ahead
        start = np.arange(len(left)) == np.argmax(left)


def _period(steps: Sequence[csr_array]) -> int:
    """Return the period of a chain whose states all lead to one another: 1 if some sweep can stay where it is."""
    stays = np.prod([step.diagonal() for step in steps], axis=0)
    if stays.any():
        return 1
    depth = np.full(len(stays), -1)
    depth[0], period, t = 0, 0, 0
    front = depth == 0
    while front.any():
        t += 1
        reached = _after(steps, front.astype(float)) > 0
        for seen in np.unique(depth[reached & (depth >= 0)]):
            period = int(np.gcd(period, t - seen))
        front = reached & (depth < 0)
        depth[front] = t
    return period
