"""The same work in what people would pick instead: ``make peers``, in an environment of its own.

A comparison is a module in this folder with a function ``comparisons(draws)``. Each has our side and those of others,
and what all must agree on: numbers that do not depend on who computes them, with their Monte-Carlo errors. Where they
do not agree it is not the same work, and no ratio is given. All sides take turns in one process, so that a ratio holds
on a busy machine as well.
"""

import math
import statistics
import time
from collections.abc import Callable, Iterable, Mapping
from importlib.metadata import version
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from samplers.diagnostics.convergence import diagnose, frequencies_with_error

ERRORS = 4.0  # how many standard errors two answers may lie apart beyond the tolerance
ROUNDS = 7


class Answer(NamedTuple):
    """Numbers that all sides must agree on, and their Monte-Carlo standard errors; 0 where there is no chance."""

    values: ArrayLike
    errors: ArrayLike = 0.0


class Done(NamedTuple):
    """The result of one call of a side.

    Attributes
    ----------
    units : float
        How many units of work: sweeps, say.
    draws : callable, optional
        Returns one number for each draw of the call; it is called when the clock stands still.
    seconds : float, optional
        What the peer's own clock says, where a call does more than the work.
    """

    units: float
    draws: Callable[[], ArrayLike] | None = None
    seconds: float | None = None


class Side(NamedTuple):
    """One way to do the work, ready to go: whatever is compiled or warmed up has been."""

    name: str
    answers: Mapping[str, Answer]
    work: Callable[[], Done]


class Comparison(NamedTuple):
    """A piece of work, and those who do it.

    Attributes
    ----------
    name, work : str
        A title; data, model, prior, and what is checked.
    unit : str
        What the times are for.
    tolerance : float
        How far answers may lie apart beyond four Monte-Carlo errors, for rounding; above 0.
    ours : callable
        Returns our side.
    peers : mapping
        The others by name; a call that raises is a peer that cannot be had.
    truth : callable, optional
        Returns exact answers, which our side and the others are held to; if left out, the others are held to ours.
    counted : str, optional
        What the draws are of, where effective draws a second are compared.
    same_work : bool, optional
        False if the others have another model, so that there is nothing to agree on.
    """

    name: str
    work: str
    unit: str
    tolerance: float
    ours: Callable[[], Side]
    peers: Mapping[str, Callable[[], Side]]
    truth: Callable[[], Mapping[str, Answer]] | None = None
    counted: str = ""
    same_work: bool = True


class Verdict(NamedTuple):
    """The largest difference of two answers, and the largest that is allowed."""

    what: str
    apart: float
    allowed: float  # above 0

    @property
    def share(self) -> float:
        """The difference as a share of the allowed one."""
        return self.apart / self.allowed

    @property
    def same(self) -> bool:
        """Whether the answers are the same; nan is not."""
        return self.apart <= self.allowed


class Result(NamedTuple):
    """One side's line: medians over the rounds, and what its answers are worth.

    Attributes
    ----------
    seconds : float or None
        For a unit of work; None if the side could not be had.
    ratio : float or None
        The median of its time over ours, round by round.
    effective : float or None
        Effective draws a second.
    verdicts : tuple of Verdict
        One for each answer.
    trouble : str
        Why it could not be had.
    """

    name: str
    seconds: float | None = None
    ratio: float | None = None
    effective: float | None = None
    verdicts: tuple[Verdict, ...] = ()
    trouble: str = ""

    @property
    def same(self) -> bool:
        """Whether every answer agrees, and there is one."""
        return bool(self.verdicts) and all(verdict.same for verdict in self.verdicts)


def named(package: str, words: str) -> str:
    """Return the name of a peer with its version."""
    return f"{package} {version(package)}, {words}"


def of_draws(draws: ArrayLike) -> Answer:
    """Return the mean of draws, shape (draws,) or (chains, draws), with its error."""
    error = diagnose(draws).mcse_mean
    return Answer(float(np.mean(draws)), math.nan if error is None else error)


def of_frequencies(draws: ArrayLike, values: Iterable[int]) -> Answer:
    """Return how often each value occurs in draws, with its error."""
    return Answer(*frequencies_with_error(draws, list(values)))


def verdict(what: str, one: Answer, other: Answer, tolerance: float) -> Verdict:
    """Compare two answers, number by number, and return the pair of which the most was asked."""
    apart = np.abs(np.subtract(one.values, other.values)).ravel()
    allowed = np.broadcast_to(tolerance + ERRORS * np.hypot(one.errors, other.errors), apart.shape)
    worst = int(np.argmax(apart / allowed))
    return Verdict(what, float(apart[worst]), float(allowed[worst]))


def measure(comparison: Comparison, rounds: int = ROUNDS) -> list[Result]:
    """Return our result and those of all peers, who have taken turns."""
    ours, troubles = comparison.ours(), []
    sides = [ours]
    for name, build in comparison.peers.items():
        try:
            side = build()
            side.work()
        except Exception as error:
            troubles.append(Result(name, trouble=_reason(error)))
        else:
            sides.append(side)
    ours.work()
    turns = [[_turn(side) for side in sides] for _ in range(rounds)]
    truth = comparison.truth() if comparison.truth else {}
    results: list[Result] = []
    held_to: Mapping[str, Answer] = truth
    for side, taken in zip(sides, zip(*turns, strict=True), strict=True):
        seconds = [time / done.units for time, done in taken]
        draws = _draws([done for _, done in taken])
        answers = {**side.answers, **_mean(draws, comparison.counted)}
        results.append(
            Result(
                side.name,
                statistics.median(seconds),
                statistics.median(
                    mine * turn[0][1].units / turn[0][0] for mine, turn in zip(seconds, turns, strict=True)
                ),
                None if draws is None else _effective(draws) / sum(time for time, _ in taken),
                tuple(
                    verdict(what, answer, held_to[what], comparison.tolerance)
                    for what, answer in answers.items()
                    if what in held_to
                ),
            )
        )
        held_to = held_to if len(results) > 1 else {**answers, **truth}
    return results + troubles


def _turn(side: Side) -> tuple[float, Done]:
    """Return the seconds of a call, by the side's own clock if it has one, and what it has done."""
    start = time.perf_counter()
    done = side.work()
    elapsed = time.perf_counter() - start
    return elapsed if done.seconds is None else done.seconds, done


def _draws(runs: list[Done]) -> np.ndarray | None:
    """Return the draws of a side, shape (rounds, draws of a call); None if it has none."""
    found: list[Any] = [run.draws() for run in runs if run.draws]
    return np.array(found, float) if found else None


def _mean(draws: np.ndarray | None, counted: str) -> dict[str, Answer]:
    """Return the mean of draws; nothing if they are all the same, as the error is not known then."""
    return {} if draws is None or not np.ptp(draws) else {f"mean {counted}": of_draws(draws)}


def _effective(draws: np.ndarray) -> float:
    return diagnose(draws).ess_bulk or math.nan


def _reason(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return f"{type(error).__name__}: {lines[0]}" if lines else type(error).__name__
