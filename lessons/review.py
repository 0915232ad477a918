"""Which questions come back, and when: Leitner's boxes, the same in the app and in a published course.

An idea is a card. The first answer to any of its questions puts it into the first box; each time it is due and comes
back, a right answer moves it one box on, and a wrong one back to the first. Its box says after how many days it is due.
Everything follows from what the browser keeps: answers, their tries, how sure the learner was, and a record of each
idea. `pages/publish/review.js` has the same functions, and a test compares them.
"""

import hashlib
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from lessons.course.work import WHEN
from lessons.format.lesson import Lesson

DAYS = (1, 3, 7, 16, 35)  # after which an idea is due, by its box
DAY = 86_400  # seconds
DEAL = 5  # questions of one review, about two minutes
AGO = 3  # lessons finished since, after which one counts as old on the same day
TRIES, SURE, IDEA, BEFORE, OFF = ".tries/", ".sure/", ".idea/", ".before/", ".review/off"  # names of what is kept
KNOW, HIT, MISS = "know", "right", "wrong"
LEVELS = {"guess": "A guess", "think": "I think so", KNOW: "I know"}  # how sure, with the words for it
ASKED = "How sure are you of your answer?"
Z = 1.96  # standard deviations to each side of an interval of 95 %

Kept = Mapping[str, Sequence[str]]  # all that a browser keeps: texts by name


class Returning(NamedTuple):
    """A question that can come back: its idea, in letters that a name may have, its lesson and its step."""

    idea: str
    lesson: str
    step: str

    @property
    def name(self) -> str:
        """The name under which its answer is kept."""
        return f"{self.lesson}/{self.step}"


class Card(NamedTuple):
    """An idea that the learner has met: the question that asks about it next, and when it is due (POSIX seconds)."""

    ask: Returning
    due: float
    missed: bool  # whether the learner was sure of a wrong answer, and has not been right about the idea since


def slug(idea: str) -> str:
    """Return the name under which an idea is kept."""
    words = re.findall("[a-z0-9]+", idea.lower())
    return "-".join(words)[:80] if words else hashlib.sha256(idea.encode()).hexdigest()[:16]


def returning(lessons: Iterable[Lesson]) -> tuple[Returning, ...]:
    """Return the questions of lessons that can come back, in order."""
    found = ((lesson, step) for lesson in lessons for step in lesson.steps if step.returns)
    return tuple(Returning(slug(step.idea), lesson.id, step.id) for lesson, step in found)


def seconds(text: str) -> float:
    """Return a kept moment in POSIX seconds; 0, long ago, for an answer of a time before moments were kept."""
    try:
        return datetime.strptime(text, WHEN).replace(tzinfo=UTC).timestamp()
    except ValueError:
        return 0.0


def cards(asked: Sequence[Returning], kept: Kept) -> list[Card]:
    """Return the ideas that a learner has met, each with its next question; both in the order of the course."""
    by_idea: dict[str, list[Returning]] = {}
    for one in asked:
        if one.name in kept:
            by_idea.setdefault(one.idea, []).append(one)
    return [_card(idea, met, kept) for idea, met in by_idea.items()]


def _card(idea: str, met: Sequence[Returning], kept: Kept) -> Card:
    box, at, last = _record(idea, kept)
    if box is None:
        at = max(seconds(_tries(one.name, kept)) for one in met)
    names = [one.name for one in met]
    turn = (names.index(last) + 1) % len(met) if last in names else 0
    sure = [tuple(kept.get(SURE + name, ())) for name in names]
    missed = not box and (KNOW, MISS) in sure
    ask = met[sure.index((KNOW, MISS))] if missed and box is None else met[turn]
    return Card(ask, at + DAYS[box or 0] * DAY, missed)


def _record(idea: str, kept: Kept) -> tuple[int | None, float, str]:
    """Return an idea's box, when it came back last, and by which question; no box if it never has."""
    box, at, last = (*kept.get(IDEA + idea, ()), "", "", "")[:3]
    return (min(int(box), len(DAYS) - 1), seconds(at), last) if box.isdecimal() else (None, 0.0, "")


def _tries(name: str, kept: Kept) -> str:
    """Return when a question was answered last, as it is kept."""
    return (*kept.get(TRIES + name, ()), "", "", "")[2]


def deal(asked: Sequence[Returning], kept: Kept, now: float) -> list[Card]:
    """Return the ideas that come back now: those that were missed with confidence first, then the most overdue."""
    due = [card for card in cards(asked, kept) if card.due <= now]
    return sorted(due, key=_urgency)[:DEAL]


def next_due(asked: Sequence[Returning], kept: Kept) -> float | None:
    """Return when the next idea is due; None if the learner has met none."""
    return min((card.due for card in cards(asked, kept)), default=None)


def _urgency(card: Card) -> tuple[bool, float]:
    return not card.missed, card.due


def before(
    asked: Sequence[Returning], lessons: Mapping[str, Sequence[str]], kept: Kept, lesson: str, now: float
) -> Returning | None:
    """Return the question before a lesson: of a lesson finished a day ago, or with three finished since.

    Parameters
    ----------
    asked : sequence of Returning
        The questions that can come back, in the order of the course.
    lessons : mapping of str to sequence of str
        The names of the answers of each lesson of the course, by its id, in order.
    kept : mapping of str to sequence of str
        All that the browser keeps.
    lesson : str
        The id of the lesson that opens.
    now : float
        The moment in POSIX seconds.

    Returns
    -------
    Returning or None
        None if there is no such lesson, if it has no ancestor or has been begun, or if the question was skipped.
    """
    names = lessons.get(lesson, ())
    begun = BEFORE + lesson in kept or any(name in kept for name in names)
    if lesson not in lessons or lesson == next(iter(lessons)) or begun:
        return None
    done = finished(lessons, kept)
    old = {one for one, at in done.items() if at <= now - DAY or sum(later > at for later in done.values()) >= AGO}
    known = [one for one in asked if one.lesson in old - {lesson}]
    rested = [card for card in cards(known, kept) if _record(card.ask.idea, kept)[1] <= now - DAY]
    return min(rested, key=_urgency).ask if rested else None


def finished(lessons: Mapping[str, Sequence[str]], kept: Kept) -> dict[str, float]:
    """Return when each lesson was finished, by its id: when the last of its questions was answered."""
    whole = {one: names for one, names in lessons.items() if names and all(name in kept for name in names)}
    return {one: max(seconds(_tries(name, kept)) for name in names) for one, names in whole.items()}


def reviewed(one: Returning, kept: Kept, now: float, *, right: bool) -> tuple[str, str, str]:
    """Return the record of an idea after it came back: its box, the moment, and the question.

    A right answer before the idea is due leaves it in its box.
    """
    box, at, _ = _record(one.idea, kept)
    on = box is None or now >= at + DAYS[box] * DAY
    moved = min((box or 0) + on, len(DAYS) - 1) if right else 0
    return str(moved), f"{datetime.fromtimestamp(now, UTC):{WHEN}}", one.name


# ---- how sure, and how often right -----------------------------------------------------------------------------------


class Calibration(NamedTuple):
    """The first answers that a learner gave at one level of sureness: how often right, with Wilson's 95 % interval."""

    level: str
    right: int
    many: int
    low: float
    high: float


def calibration(kept: Kept) -> list[Calibration]:
    """Return a learner's calibration, from the least sure level to the surest; those without an answer are left out."""
    said = [tuple(keys) for name, keys in kept.items() if name.startswith(SURE) and len(keys) == 2]
    found = []
    for level in LEVELS:
        right, many = said.count((level, HIT)), said.count((level, HIT)) + said.count((level, MISS))
        if many:
            found.append(Calibration(level, right, many, *wilson(right, many)))
    return found


def wilson(right: int, many: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval of a share (Wilson 1927, J. Am. Stat. Assoc. 22)."""
    share, z2 = right / many, Z * Z
    middle = (share + z2 / (2 * many)) / (1 + z2 / many)
    half = Z * math.sqrt(share * (1 - share) / many + z2 / (4 * many * many)) / (1 + z2 / many)
    return max(0.0, middle - half), min(1.0, middle + half)
