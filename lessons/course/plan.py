"""The plan of lessons for a class at a moment: all lessons, or those of a course."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from lessons.format.course_file import Course
from lessons.format.lesson import Lesson


@dataclass(frozen=True)
class Part:
    """A section of a course, with those of its lessons that exist.

    `opens` is None if the section is already open. `due` is the deadline for handing in.
    """

    title: str
    lessons: tuple[Lesson, ...]
    opens: datetime | None = None
    due: datetime | None = None


class Plan:
    """The lessons of the course map, with their order and numbers.

    Without sections, these are all lessons, numbered within each topic. With sections, they are the sections' lessons,
    numbered from first to last.

    Parameters
    ----------
    lessons : sequence of Lesson
        All lessons.
    course : Course, optional
        The course that chooses among them.
    now : datetime, optional
        The moment, with its time zone; if left out, everything is open.
    early : bool, optional
        Whether drafts are shown, and lessons are open before their time, as for instructors.

    Attributes
    ----------
    title, language, hand_in, ask : str
        The course's title, its language, where to hand in, and what to ask for beside the name; "" without a course.
    parts : tuple of Part
        The sections of the course.
    lessons : tuple of Lesson
        The lessons of the plan, in order, open or not.
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
        seen = [lesson for lesson in lessons if early or not lesson.draft]
        shown = {lesson.id: lesson for lesson in seen if not self._hidden & {lesson.id, lesson.stage}}
        self.title, self.language = (course.keys.title, course.keys.language) if course else ("", "")
        self.hand_in = (course.keys.hand_in or "") if course else ""
        self.ask = (course.keys.ask or "") if course else ""
        self.live = (course.keys.live or "") if course else ""
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
        """Return whether the plan includes a topic."""
        return stage not in self._hidden

    def opens(self, lesson: Lesson) -> datetime | None:
        """Return the moment at which a lesson will open; None if it is open."""
        return None if self.early else self._opens.get(lesson.id)

    def seen_from(self, lesson: Lesson) -> datetime | None:
        """Return the moment from which learners will see a lesson; None if they see it already."""
        return self._opens.get(lesson.id)

    def for_stage(self, stage: str) -> tuple[Lesson, ...]:
        """Return the open lessons of a topic."""
        return tuple(lesson for lesson in self.lessons if lesson.stage == stage and not self.opens(lesson))

    def number(self, lesson: Lesson) -> int | None:
        """Return a lesson's number, from 1; None if the plan does not include it."""
        ids = [other.id for other in self._beside(lesson)]
        return ids.index(lesson.id) + 1 if lesson.id in ids else None

    def after(self, lesson: Lesson) -> Lesson | None:
        """Return the next lesson, open or not, of the topic or, with sections, of the course; None after the last."""
        number = self.number(lesson)
        return None if number is None else next(iter(self._beside(lesson)[number:]), None)

    def _beside(self, lesson: Lesson) -> tuple[Lesson, ...]:
        """Return the lessons among which a lesson is numbered."""
        return self.lessons if self.parts else self.for_stage(lesson.stage)


def moment(when: datetime) -> str:
    """Return a moment in words: "Monday 12 October 2026, 09:00 (CEST)"."""
    return f"{when:%A} {when.day} {when:%B %Y, %H:%M} ({when.tzname()})"
