"""Show what the runs of a lesson end with: every name that ``expect`` could take there, and what it means."""

from collections.abc import Iterator
from math import isnan

from lessons.reader.numbers import outcomes
from lessons.reader.schema import Lesson, Step
from lessons.reader.seeds import ends_at


def endings(lesson: Lesson) -> Iterator[str]:
    """Yield the lines that show the result of each run and each question of a lesson, step by step."""
    yield f"{lesson.path.as_posix()}: {lesson.title}"
    for step in lesson.steps:
        end = ends_at(step)
        if end is not None:
            yield ""
            yield from _ending(lesson, step, end)


def _ending(lesson: Lesson, step: Step, end: int) -> Iterator[str]:
    settings = lesson.settings_after(step)
    where = f"  line {step.line}, {step.kind} {{#{step.id}}}"
    if settings.opened is not None:
        yield f"{where}: opened step by step, and not measured"
        return
    unit = settings.counted_as if end == 1 else settings.unit
    yield f"{where}: after {end} {unit}, seed {lesson.seed_for(step)}"
    try:
        found = outcomes(settings, lesson.seed_for(step), end)
    except (ValueError, ArithmeticError) as error:
        yield f"    it cannot be run: {error}"
        return
    values = {name: "none" if isnan(value) else f"{value:.6g}" for name, value in found.items()}
    wide, high = max(map(len, values)), max(map(len, values.values()))
    for name, value in values.items():
        yield f"    {name:<{wide}}  {value:>{high}}   {settings.measured[name]}"
