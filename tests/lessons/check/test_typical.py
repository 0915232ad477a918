"""Single runs that lessons show are typical ones, or the text says that they are not."""

import re
from functools import cache
from types import SimpleNamespace

from lessons.check import seeds
from lessons.check.numbers import outcomes
from lessons.check.seeds import ends_at, tried
from lessons.format.questions.pick import Pick
from pages.lesson.lessons import library

CHEAP = 8_000  # labels, customers or tosses that are drawn with one seed; longer runs would take minutes
ENOUGH = 6  # of up to 21 outcomes, on one side of one of them and itself: the quartile of that side is among them
RARE = re.compile(r"\b(rare|most runs|a quarter of|evening in three|evenings of 20)\b")


def stated_runs():
    for lesson in library().lessons:
        for step in lesson.steps:
            settings, end = lesson.settings_after(step), ends_at(step)
            stated = {*step.expect, *step.measured}
            if step.ask and step.ask.outcome and not isinstance(step.ask, Pick):  # a mark is no quantity
                stated.add(step.ask.outcome)
            if stated and end and end * getattr(settings, "size", 1) <= CHEAP:
                yield lesson, step, stated


def decimals(number):
    """Return the digits behind the point of a number that a lesson states."""
    return len(f"{number:.9f}".rstrip("0").partition(".")[2])


def surely_typical(found, own, stated):
    """Whether so many seeds lie on each side of each stated outcome that none of the other seeds can make it rare."""
    columns = list(zip(*found.values.values(), strict=True))
    sides = [
        sum(value <= middle for value in column) >= ENOUGH <= sum(value >= middle for value in column)
        for name, column, middle in zip(found.limits, columns, found.values[own], strict=True)
        if name in stated
    ]
    return bool(sides) and all(sides)


def test_a_single_run_is_typical_or_said_to_be_rare(monkeypatch):
    """A run's stated outcome lies between the quartiles over 21 seeds, of which no more are run than it takes."""
    monkeypatch.setattr(seeds, "outcomes", SimpleNamespace(__wrapped__=cache(outcomes.__wrapped__)))
    checked, rare = 0, []
    for lesson, step, stated in stated_runs():
        text = " ".join([step.body, *(choice.reason or "" for choice in step.choices)])
        if RARE.search(" ".join(text.split())):
            continue
        own = lesson.seed_for(step)
        every = list(dict.fromkeys((own, *range(1, 21))))
        for many in (*range(ENOUGH + 4, len(every)), len(every)):
            found = tried(lesson, step, every[:many])
            if found is not None and surely_typical(found, own, stated):
                break
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
        if odd:
            rare.append(f"{lesson.id}#{step.id}: {', '.join(odd)}")
    assert checked > 20
    assert not rare, "take a seed that check --seeds calls typical, or say that the run is rare"
