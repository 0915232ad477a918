"""The lessons as a class meets them at a moment: all that there are, or what a course makes of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from lessons.reader.course import Course
from lessons.reader.schema import Lesson


@dataclass(frozen=True)
class Part:
    """A section of a course, with those of its lessons that there are; `opens` is None if it is open by now.

    `due` is when it is to be handed in.
    """

    title: str
    lessons: tuple[Lesson, ...]
    opens: datetime | None = None
    due: datetime | None = None


class Plan:
    """Which lessons are on the course map, in which order, under which numbers.

    Without sections it is all lessons, counted by topics; with sections it is theirs, counted from first to last.

    Parameters
    ----------
    lessons : sequence of Lesson
        All that there are.
    course : Course, optional
        What chooses among them.
    now : datetime, optional
        The moment, with its time zone; all is open if left out.
    early : bool, optional
        Whether lessons are open before their time, as to who teaches them.

    Attributes
    ----------
    title, language, hand_in : str
        The course's; "" without one.
    parts : tuple of Part
        Its sections.
    lessons : tuple of Lesson
        Those of the plan, in order, whether they are open or not.
    early : bool
        As above.
    """

    def __init__(
        self,
        lessons: Sequence[Lesson],
        course: Course | None = None,
        now: datetime | None = None,
        *,
        early: bool = False,
    ) -> None:
        self.early = early
        self._hidden = frozenset(course.keys.hide if course else ())
        shown = {lesson.id: lesson for lesson in lessons if not self._hidden & {lesson.id, lesson.stage}}
        self.title, self.language = (course.keys.title, course.keys.language) if course else ("", "")
        self.hand_in = (course.keys.hand_in or "") if course else ""
        self.parts = tuple(
            Part(
                section.title,
                tuple(shown[name] for name in section.lessons if name in shown),
                section.open_from if now and section.open_from and section.open_from > now else None,
                section.due,
            )
            for section in (course.keys.sections if course else ())
        )
        by_parts = tuple(lesson for part in self.parts for lesson in part.lessons)
        self.lessons = by_parts if self.parts else tuple(shown.values())
        self._opens = {lesson.id: part.opens for part in self.parts for lesson in part.lessons if part.opens}

    def shows(self, stage: str) -> bool:
        """Return whether a topic is part of it."""
        return stage not in self._hidden

    def opens(self, lesson: Lesson) -> datetime | None:
        """Return the moment at which a lesson opens that is not open yet; None if it is."""
        return None if self.early else self._opens.get(lesson.id)

    def seen_from(self, lesson: Lesson) -> datetime | None:
        """Return the moment from which on learners see a lesson, None if they do by now."""
        return self._opens.get(lesson.id)

    def for_stage(self, stage: str) -> tuple[Lesson, ...]:
        """Return the lessons of a topic that are open."""
        return tuple(lesson for lesson in self.lessons if lesson.stage == stage and not self.opens(lesson))

    def number(self, lesson: Lesson) -> int | None:
        """Return a lesson's number, from 1; None if it is not part of the plan."""
        ids = [other.id for other in self._beside(lesson)]
        return ids.index(lesson.id) + 1 if lesson.id in ids else None

    def after(self, lesson: Lesson) -> Lesson | None:
        """Return the next lesson, open or not: of the topic or, with sections, of the course; None after the last."""
        number = self.number(lesson)
        return None if number is None else next(iter(self._beside(lesson)[number:]), None)

    def _beside(self, lesson: Lesson) -> tuple[Lesson, ...]:
        """Return the lessons among which one is counted."""
        return self.lessons if self.parts else self.for_stage(lesson.stage)


def moment(when: datetime) -> str:
    """Return a moment in words: "Monday 12 October 2026, 09:00 (CEST)"."""
    return f"{when:%A} {when.day} {when:%B %Y, %H:%M} ({when.tzname()})"
