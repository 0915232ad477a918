"""The ends of a lesson's runs: by every name that ``expect`` could take there, and with many seeds, some typical."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isnan

import numpy as np

from lessons.check.numbers import NotRunError, outcomes
from lessons.check.runs import untried
from lessons.format.goals import Goal
from lessons.format.lesson import Lesson, Step
from lessons.settings.settings import SEED_HIGH

MOST = 1_000  # seeds at once
LOW, HIGH = 25, 75  # percentiles between which an outcome is typical

_RANGE = re.compile(r"(\d{1,10})(?:(?:\.\.|-)(\d{1,10}))?")


def seeds_of(text: str) -> range:
    """Return the seeds that "1..50" names, both ends included; one number names the seeds from 1 to it.

    Raises
    ------
    ValueError
        If the text names none, or more than `MOST`.
    """
    match = _RANGE.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"seeds are written as 1..50, and not as '{text[:40]}'")
    first, last = (int(match[1]), int(match[2])) if match[2] else (1, int(match[1]))
    if not first <= last <= SEED_HIGH or last - first >= MOST:
        raise ValueError(f"'{text[:40]}' is not a range of at most {MOST:,} seeds up to {SEED_HIGH}")
    return range(first, last + 1)


@dataclass(frozen=True)
class Tried:
    """One step with many seeds."""

    step: Step
    end: int  # the iteration at which it ends
    values: Mapping[int, tuple[float, ...]]  # by seed, the outcomes in the order of `limits`
    limits: Mapping[str, tuple[float, float]]  # by outcome, the 25th and the 75th percentile

    def is_typical(self, seed: int) -> bool:
        """Return whether each outcome of a seed lies between the percentiles."""
        found = self.values.get(seed)
        return found is not None and all(
            low <= value <= high for value, (low, high) in zip(found, self.limits.values(), strict=True)
        )


def ends_at(step: Step) -> int | None:
    """Return the iteration at which a step ends; None if that is the learner's choice."""
    return step.until if step.kind == "run" else (step.at or 0) + step.then.advance if step.choices else None


def tried(lesson: Lesson, step: Step, seeds: Sequence[int]) -> Tried | None:
    """Run a step with many seeds.

    The outcomes are those that the step states; of a step that states none, all in which runs can differ.

    Returns
    -------
    Tried or None
        None if the step has no end, is looked at closely, cannot be run, or comes to the same with each seed.
    """
    settings, end = lesson.settings_after(step), ends_at(step)
    if end is None or settings.opened is not None or not type(settings).seeded:
        return None
    asked = step.ask.outcome if step.ask else None
    stated = dict.fromkeys((*step.expect, *([asked] if asked else []), *step.measured))
    differing = type(settings).outcomes()
    names = [name for name in stated if name in differing] or list(differing)
    try:
        found = {seed: outcomes.__wrapped__(settings, seed, end) for seed in seeds}
    except NotRunError:
        return None
    table = {name: np.array([run[name] for run in found.values()], float) for name in names}
    table = {name: column for name, column in table.items() if np.isfinite(column).all() and np.ptp(column) > 0}
    if not table:
        return None
    values = {seed: tuple(float(found[seed][name]) for name in table) for seed in found}
    middle = {name: np.percentile(column, (LOW, HIGH)).tolist() for name, column in table.items()}
    limits = {name: (low, high) for name, (low, high) in middle.items()}
    return Tried(step, end, values, limits)


def table(lesson: Lesson, seeds: Sequence[int]) -> Iterator[str]:
    """Yield the lines of a table for each step and goal of a lesson, and which seeds are typical in all steps."""
    yield f"{lesson.path.as_posix()}: {lesson.title}"
    found = [one for step in lesson.steps if (one := tried(lesson, step, seeds))]
    for number, one in enumerate(found):
        yield ""
        like = next((other for other in found[:number] if (other.end, other.values) == (one.end, one.values)), None)
        head = _head(lesson, one.step, one.end)
        yield from _rows(lesson, one) if like is None else [f"{head}: as in line {like.step.line}"]
    for step in lesson.steps:
        for goal in step.goals:
            yield from _goal_rows(lesson, step, goal, seeds)
    shared = [one for one in found if one.step.seed is None]  # the others keep their own
    typical = [seed for seed in seeds if shared and all(one.is_typical(seed) for one in shared)]
    yield ""
    if not shared:
        yield "  no step uses the lesson's seed" if not found else "  every step has a seed of its own"
    else:
        yield f"  typical in all steps that have the lesson's seed: {', '.join(map(str, typical)) or 'none'}"
        yield f"  the lesson has seed {lesson.seed}"


def _head(lesson: Lesson, step: Step, end: int) -> str:
    settings = lesson.settings_after(step)
    unit = settings.counted_as if end == 1 else settings.unit
    return f"  line {step.line}, {step.kind} {{#{step.id}}}: after {end} {unit}"


def _rows(lesson: Lesson, one: Tried) -> Iterator[str]:
    yield f"{_head(lesson, one.step, one.end)}; * is typical"
    starred = {seed for seed in one.values if one.is_typical(seed)}
    yield from _grid([*one.limits], one.values, starred, lesson.seed_for(one.step), "this step's seed")
    for name, end in ((f"{LOW} %", 0), (f"{HIGH} %", 1)):
        yield _row(f"{name:>8} ", [*one.limits], [pair[end] for pair in one.limits.values()])


def _grid(
    names: Sequence[str], values: Mapping[int, Sequence[float]], starred: Collection[int], own: int, owned: str
) -> Iterator[str]:
    """Yield a row of outcomes for each seed, with a star at some and a remark at the one that the lesson has."""
    yield "    " + "    seed  " + "  ".join(name.rjust(_width(name)) for name in names)
    for seed, found in values.items():
        yield _row(f"{seed:>8}{'*' if seed in starred else ' '}", names, found) + f"   {owned}" * (seed == own)


def _row(head: str, names: Sequence[str], values: Sequence[float]) -> str:
    cells = (f"{value:>{_width(name)}.6g}" for name, value in zip(names, values, strict=True))
    return f"    {head} {'  '.join(cells)}"


def _width(name: str) -> int:
    return max(len(name), 9)


def _goal_rows(lesson: Lesson, step: Step, goal: Goal, seeds: Sequence[int]) -> Iterator[str]:
    """Yield a table of what the way to a goal comes to with each seed, and which seed is the first to reach it.

    There is none for a goal without an outcome, and none where its run is opened step by step.
    """
    line = step.places.get(("goals", goal.id), (step.line, 1))[0]
    try:
        there, end, own = goal.way(lesson.settings_for(step), step.at or 0, lesson.seed_for(step))
        if not goal.keys.reach or there.opened is not None or end > there.iterations:
            return
        found = {seed: outcomes.__wrapped__(there, seed, end) for seed in seeds}
    except (ValueError, NotRunError):
        return  # which is a problem of the lesson
    unit = there.counted_as if end == 1 else there.unit
    yield ""
    yield f"  line {line}, goal {{#{goal.id}}}: by its way, after {end} {unit}; * reaches it"
    reaching = [seed for seed, run in found.items() if goal.is_reached_by(run)]
    names = [*goal.keys.reach]
    values = {seed: [run[name] for name in names] for seed, run in found.items()}
    yield from _grid(names, values, reaching, own, "its way's seed")
    first = f"first by seed {reaching[0]}" if reaching else "give it another way, or ask for less"
    yield f"    reached by {len(reaching)} of {len(values)} seeds; {first}"


def endings(lesson: Lesson) -> Iterator[str]:
    """Yield the lines that show the result of each run and each question of a lesson, step by step."""
    yield f"{lesson.path.as_posix()}: {lesson.title}"
    for step in lesson.steps:
        end = ends_at(step)
        if end is not None:
            yield ""
            yield from _ending(lesson, step, end)
        for goal in untried(lesson, step):
            yield ""
            yield f"  line {step.line}, goal {{#{goal.id}}}: not tried, as it needs a learner's own data"


def _ending(lesson: Lesson, step: Step, end: int) -> Iterator[str]:
    settings = lesson.settings_after(step)
    if settings.opened is not None:
        yield f"  line {step.line}, {step.kind} {{#{step.id}}}: opened step by step, and not measured"
        return
    yield f"{_head(lesson, step, end)}, seed {lesson.seed_for(step)}"
    try:
        found = outcomes(settings, lesson.seed_for(step), end)
    except NotRunError as error:
        yield f"    it cannot be run: {error}"
        return
    values = {name: "none" if isnan(value) else f"{value:.6g}" for name, value in found.items()}
    wide, high = max(map(len, values)), max(map(len, values.values()))
    for name, value in values.items():
        yield f"    {name:<{wide}}  {value:>{high}}   {settings.measured[name]}"
