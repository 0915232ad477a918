"""Warn of settings that do nothing where a lesson sets them, shows them, or makes them a goal's condition."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any, Literal, get_args, get_origin

from pydantic import ValidationError
from pydantic.fields import FieldInfo

from lessons.format.lesson import Lesson, Step
from lessons.format.problems import Position, Report
from lessons.format.values import Location, Values
from lessons.settings.settings import StageSettings, limits
from lessons.topics import STAGES

SEED = "seed"


def warn_of_idle(lesson: Lesson, front: Values, report: Report) -> None:
    """Warn of each setting that does nothing, in no step to which it belongs, whatever learners set there.

    The lesson is a valid one, and `front` has the places in its front matter.
    """
    within = {step.id: list(_reached(lesson, step)) for step in lesson.steps}
    for name in _run_by(lesson, lesson.stage_settings):
        everywhere = (there for step in lesson.steps for there in within[step.id])
        _warn(name, everywhere, front.key_place(("stage_settings", name)), report)
    showing = [step for step in lesson.steps if step.show is None and step.kind != "sandbox"]
    for number, name in enumerate(lesson.show):
        _warn(name, (there for step in showing for there in within[step.id]), front.place(("show", number)), report)
    for step in lesson.steps:
        for where, name in _named(lesson, step):
            _warn(name, within[step.id], step.places.get(where, (step.line, 1)), report)
        for goal in step.goals:
            with suppress(ValidationError):  # a way that leads nowhere is reported when it is tried
                there, _, _ = goal.way(lesson.settings_for(step), step.at or 0, lesson.seed_for(step))
                for name in goal.keys.settings:
                    where = ("goals", goal.id, "settings", name)
                    _warn(name, [there], step.places.get(where, (step.line, 1)), report)


def _run_by(lesson: Lesson, names: Iterable[str]) -> list[str]:
    """Return the settings by which something runs: of a look `matters` says only if it has a control of its own."""
    return [name for name in names if name not in STAGES[lesson.stage].looks]


def _named(lesson: Lesson, step: Step) -> Iterator[tuple[Location, str]]:
    yield from ((("settings", name), name) for name in _run_by(lesson, step.settings))
    yield from ((("then", "settings", name), name) for name in _run_by(lesson, step.then.settings))
    yield from ((("show", number), name) for number, name in enumerate(step.show or ()))


def _warn(name: str, settings: Iterable[StageSettings], place: Position, report: Report) -> None:
    first = None
    for there in settings:
        if there.matters(name):
            return
        first = first or there
    if first is not None:
        report.warn(place, f"{name} does nothing {_while(first, name)}")


def _while(settings: StageSettings, name: str) -> str:
    """Return the other setting that keeps one from doing anything, in words."""
    for other in type(settings).model_fields:
        for changed in _with(settings, other) if other != name else ():
            if changed.matters(name):
                return f"while {other} is {getattr(settings, other)}; with {other}: {getattr(changed, other)} it would"
    return "as the other settings are"


def _reached(lesson: Lesson, step: Step) -> Iterator[StageSettings]:
    """Yield the settings of a step before and after its question, and those that one shown control makes of them."""
    for settings in (lesson.settings_for(step), lesson.settings_after(step)):
        yield settings
        for name in lesson.show_for(step):
            if name != SEED:
                yield from _with(settings, name)


def _with(settings: StageSettings, name: str) -> Iterator[StageSettings]:
    """Yield settings with each other option of one of them, as far as they are valid."""
    for option in _options(type(settings).model_fields[name]):
        if option != getattr(settings, name):
            with suppress(ValidationError):
                yield type(settings).model_validate({**settings.model_dump(), name: option})


def _options(field: FieldInfo) -> tuple[Any, ...]:
    """Return the values of a setting to try: all words of a choice, or the ends of a number."""
    if get_origin(field.annotation) is Literal:
        return get_args(field.annotation)
    return tuple(end for end in limits(field) if end is not None)
