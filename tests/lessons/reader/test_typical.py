"""Single runs that lessons show are typical ones, or the text says that they are not."""

import re

from lessons.reader.seeds import ends_at, tried
from pages.shell.lessons import library

CHEAP = 8_000  # labels, customers or tosses that are drawn with one seed; longer runs would take minutes
RARE = re.compile(r"\b(rare|most runs|a quarter of|evening in three|evenings of 20)\b")


def stated_runs():
    for lesson in library().lessons:
        for step in lesson.steps:
            settings, end = lesson.settings_after(step), ends_at(step)
            stated = {*step.expect, *step.measured, *([step.ask.outcome] if step.ask and step.ask.outcome else [])}
            if stated and end and end * getattr(settings, "size", 1) <= CHEAP:
                yield lesson, step, stated


def decimals(number):
    """Return the digits behind the point of a number that a lesson states."""
    return len(f"{number:.9f}".rstrip("0").partition(".")[2])


def test_a_single_run_is_typical_or_said_to_be_rare():
    """A run's stated outcome lies between the quartiles over 21 seeds."""
    checked, rare = 0, []
    for lesson, step, stated in stated_runs():
        own = lesson.seed_for(step)
        found = tried(lesson, step, sorted({own, *range(1, 21)}))
        if found is None:
            continue
        checked += 1
        values = dict(zip(found.limits, found.values[own], strict=True))
        digits = {name: decimals(step.expect[name]) if name in step.expect else 9 for name in stated & values.keys()}
        odd = [
            name
            for name, many in digits.items()
            if not round(found.limits[name][0], many) <= round(values[name], many) <= round(found.limits[name][1], many)
        ]
        text = " ".join([step.body, *(choice.reason or "" for choice in step.choices)])
        if odd and not RARE.search(" ".join(text.split())):
            rare.append(f"{lesson.id}#{step.id}: {', '.join(odd)}")
    assert checked > 20
    assert not rare, "take a seed that check --seeds calls typical, or say that the run is rare"
