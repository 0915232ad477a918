"""A course, as in ``course.yaml``: the lessons of a class, their order, and when they open."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field, ValidationError
from pydantic_core import PydanticCustomError

from lessons.format.keys import Names, Strict, Text
from lessons.format.language import ENGLISH, Language
from lessons.format.problems import Position, Problem, Report
from lessons.format.prose import check_plain
from lessons.format.schema import KEBAB_CASE
from lessons.format.texts import check_texts
from lessons.format.values import Values
from lessons.format.wording import report_errors
from lessons.settings.settings import shortened
from lessons.topics import STAGES

FILE = re.compile(r"(?:(?P<name>.*)\.)?course\.ya?ml", re.IGNORECASE)
DAY = re.compile(r"\d{4}-\d\d-\d\d")
WHOLE = "all"  # the name of the whole map, without a course


def _moment(value: Any) -> datetime:
    try:
        found = datetime.fromisoformat(value)
    except (TypeError, ValueError):
        raise PydanticCustomError(
            "moment", 'this should be a day, or a day and a time, such as "2026-10-12" or "2026-10-12 09:00"'
        ) from None
    try:
        return found if found.tzinfo else found.astimezone()
    except (OverflowError, OSError, ValueError):
        raise PydanticCustomError("moment", "this is beyond what a calendar can hold") from None


def _last(value: Any) -> datetime:
    """Return a moment; for a day without a time, its last minute."""
    return _moment(f"{value} 23:59" if isinstance(value, str) and DAY.fullmatch(value) else value)


def _address(value: str) -> str:
    if not re.fullmatch(r"https?://\S+", value):
        raise PydanticCustomError("address", "this should be an address that begins with https://")
    return value


Instant = Annotated[datetime, BeforeValidator(_moment)]
Deadline = Annotated[datetime, BeforeValidator(_last)]


class Section(Strict):
    """A part of a course: its title, the ids of its lessons in order, and when it opens."""

    title: Text = Field(description="What learners see above its lessons.")
    lessons: Annotated[Names, Field(min_length=1)] = Field(description="The ids of its lessons, in order.")
    open_from: Instant | None = Field(default=None, description="The day, or the day and the time, when it opens.")
    due: Deadline | None = Field(default=None, description="The day, or the day and the time, when it is due.")


class CourseKeys(Strict):
    """The keys of a course file."""

    title: Text = Field(description="What learners see above the course map.")
    language: Language = Field(
        default=ENGLISH, description="The language of its titles, and of the lessons beside it, such as de."
    )
    sections: Annotated[tuple[Section, ...], Field(strict=False)] = Field(
        default=(), description="Its parts, each with its lessons; all lessons by their topics if left out."
    )
    hide: Names = Field(default=(), description="Topics and lessons that are not part of it.")
    hand_in: Text | None = Field(default=None, description="Where learners hand in their work, in plain text.")
    ask: Text | None = Field(
        default=None, description="What My work asks for beside the name: student number, say, or matriculation number."
    )
    live: Annotated[str, AfterValidator(_address)] | None = Field(
        default=None, description="The address of the app, to which a published course links for what needs a server."
    )


@dataclass(frozen=True)
class Course:
    """A valid course file."""

    name: str  # its name in links: "week3" for ``week3.course.yaml``, "" for ``course.yaml``
    path: Path  # the file
    keys: CourseKeys  # the content of the file
    # the line, column and name of every lesson in its sections, and of everything that it hides
    places: tuple[tuple[Position, str], ...] = ()

    def has(self, lesson: str) -> bool:
        """Return whether a lesson is in one of the sections; always true without sections."""
        sections = self.keys.sections
        return not sections or any(lesson in section.lessons for section in sections)


def is_course(path: Path) -> bool:
    """Return whether a file's name is that of a course."""
    return FILE.fullmatch(path.name) is not None


def read_course(text: str, path: Path, report: Report) -> Course | None:
    """Parse a course file, and report its problems; return None if it cannot be used."""
    match = FILE.fullmatch(path.name)
    name = (match["name"] or "") if match else ""
    if name and not re.fullmatch(KEBAB_CASE, name):
        report((1, 1), f"links name the course '{shortened(name)}'; write small letters, digits and hyphens")
    if path.suffix == ".yml" and (other := path.with_suffix(".yaml")).exists():
        report((1, 1), f"{other.name} is there as well, for the same course; keep one of the two")
    if name == WHOLE:
        report((1, 1), f"?course={WHOLE} is the whole map; give the file another name")

    values = Values(text, 1, report)
    if not values.readable:
        return None
    try:
        keys = CourseKeys.model_validate(values.data)
    except ValidationError as error:
        report_errors(error, values, report, CourseKeys)
        return None
    check_texts(values, report)
    check_plain("title", keys.title, values.place(("title",)), report)
    for key in ("hand_in", "ask"):
        check_plain(key, getattr(keys, key) or "", values.place((key,)), report)
    named: list[tuple[Position, str]] = []
    first: dict[str, int] = {}
    for number, section in enumerate(keys.sections):
        check_plain("title", section.title, values.place(("sections", number, "title")), report)
        if section.due and section.open_from and section.due <= section.open_from:
            report(values.place(("sections", number, "due")), "it is due before it opens")
        for index, lesson in enumerate(section.lessons):
            place = values.place(("sections", number, "lessons", index))
            if lesson in first:
                report(place, f"'{lesson}' is in line {first[lesson]} as well; list a lesson once")
            first.setdefault(lesson, place[0])
            named.append((place, lesson))
    named += [(values.place(("hide", index)), hidden) for index, hidden in enumerate(keys.hide)]
    return Course(name, path, keys, tuple(named))


def misfits(course: Course, lessons: Collection[str]) -> list[Problem]:
    """Return a problem for each lesson or topic that a course names, and that is no topic and not among these ids."""
    listed = sum(len(section.lessons) for section in course.keys.sections)
    found = []
    for number, (place, name) in enumerate(course.places):
        kind, known = ("lesson", [*lessons]) if number < listed else ("topic or lesson", [*STAGES, *lessons])
        if name not in known:
            near = get_close_matches(name[:100], known, 1, 0.6)
            hint = f"did you mean '{near[0]}'?" if near else "a lesson goes by the id in its front matter"
            found.append(Problem(course.path, *place, f"there is no {kind} '{shortened(name)}' ({hint})"))
    return found
