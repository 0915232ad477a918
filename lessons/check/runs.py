"""Run what lessons claim: the ends of their runs, the outcomes that are asked for, and the ways to their goals."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import islice
from math import nan

from pydantic import ValidationError

from lessons.check.again import unproved
from lessons.check.numbers import NotRunError, outcomes
from lessons.failing import words_of
from lessons.format.goals import Goal, Way
from lessons.format.guesses import Span, exactly
from lessons.format.lesson import Lesson, Step
from lessons.format.problems import Problem
from lessons.format.schema import RIGHT
from lessons.format.values import Location
from lessons.settings.settings import StageSettings

SEEDS_TRIED = 8  # one after the other, where a goal is to be reached with several


def run_steps(lesson: Lesson) -> list[Problem]:
    """Run the steps of a lesson that name an outcome, and report where it is not what the lesson says.

    Nothing is raised: whatever a step raises is a problem of that step.
    """
    found = []
    for step in lesson.steps:
        try:
            goals = ((("goals", goal.id), wrong) for goal in step.goals for wrong in _try(lesson, step, goal))
            said = [*_run(lesson, step), *goals, *unproved(lesson, step)]
        except Exception as error:
            said = [((), f"this step cannot be run: {error if isinstance(error, NotRunError) else words_of(error)}")]
        found += [Problem(lesson.path, *step.places.get(where, (step.line, 1)), message) for where, message in said]
    return found


def _run(lesson: Lesson, step: Step) -> list[tuple[Location, str]]:
    expected, end = _expected(step)
    if end is None:
        return []
    settings = lesson.settings_after(step)
    measured = outcomes(settings, lesson.seed_for(step), end)
    said = []
    for name, (where, value) in expected.items():
        if not value.rounds(measured[name]):
            message = f"expected {value.low:.10g} {name} after {end} {settings.unit}, got {measured[name]:.10g}"
            if where == RIGHT:
                message += f" (it is asked for in line {step.places[step.ask.way, 'outcome'][0]})"
            said.append((where, message))
    return said


def _try(lesson: Lesson, step: Step, goal: Goal) -> Iterator[str]:
    """Say if a goal is reached before anything is done, or if it is not by the way that the lesson says."""
    here, at, seed = lesson.settings_for(step), step.at or 0, lesson.seed_for(step)
    view = step.open or next(iter(here.views))
    if goal.is_near(here, at, view) and goal.is_reached_by(_outcomes(here, seed, at, goal)):
        yield f"the goal '{goal.id}' is reached already when the step opens"
    there, at, seed = goal.way(here, at, seed)
    view = goal.keys.open or view
    if at > there.iterations:
        yield f"the way to '{goal.id}' ends at {at}; there are {there.iterations} {there.unit}"
    elif goal.keys.reach and there.opened is not None:
        yield f"the goal '{goal.id}' cannot be reached: a run that is opened step by step is not measured"
    elif not goal.is_near(there, at, view):
        yield f"this way does not lead to the goal '{goal.id}': its settings or its iteration are not the goal's"
    elif goal.keys.reach and not there.unknown:
        seeds = range(seed, seed + (SEEDS_TRIED if goal.keys.seeds > 1 else 1))
        reaching = (each for each in seeds if goal.is_reached_by(_outcomes(there, each, at, goal)))
        if len(list(islice(reaching, goal.keys.seeds))) < goal.keys.seeds:
            first = _outcomes(there, seed, at, goal)
            said = ", ".join(f"{name} {first[name]:.10g}" for name in goal.keys.reach)
            way = "this way does" if goal.keys.way != Way() else "no `way` is given, and the shortest does"
            yield f"{way} not reach the goal '{goal.id}': it comes to {said}"


def untried(lesson: Lesson, step: Step) -> list[Goal]:
    """Return the goals that are taken on trust: there is no run before a learner has brought data."""
    here, seed, found = lesson.settings_for(step), lesson.seed_for(step), []
    for goal in step.goals:
        with suppress(ValidationError):  # a way that leads nowhere is reported when it is tried
            found += [goal] if goal.way(here, step.at or 0, seed)[0].unknown else []
    return found


def _outcomes(settings: StageSettings, seed: int, t: int, goal: Goal) -> Mapping[str, float]:
    wanted = goal.keys.reach and settings.opened is None
    return outcomes(settings, seed, t) if wanted else {}


def _expected(step: Step) -> tuple[dict[str, tuple[Location, Span]], int | None]:
    """Return the outcomes that a step states, each with its place, and the iteration; None if it states none."""
    if step.kind == "run":
        return {name: (("expect", name), exactly(value)) for name, value in step.expect.items()}, step.until
    ask = step.ask
    if ask.outcome is None:
        return {}, None
    where = RIGHT if RIGHT in step.places else (ask.way, "outcome")
    value = step.answers.right_span or exactly(nan)
    return {ask.outcome: (where, value)}, (step.at or 0) + step.then.advance
