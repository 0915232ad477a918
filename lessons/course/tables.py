"""Tables of what a class handed in: a row per answer, and grades with a row per learner, for a gradebook as well."""

from collections.abc import Iterable, Iterator, Sequence

from lessons.course.gradebook import Class, GradedAnswer
from lessons.course.learners import HandedIn, Platform
from lessons.course.library import Library
from lessons.course.work import judged

ANSWERS = (
    "file",
    "name",
    "number",
    "lesson",
    "step",
    "question",
    "answer",
    "right",
    "tries",
    "first_answer",
    "right_at_first",
    "first_time",
    "last_time",
    "remark",
)
LEARNER = ("name", "number", "id", "file", "questions", "answered", "right", "right_at_first", "late")
MOODLE = ("Identifier", "Full name", "ID number", "Grade", "Maximum Grade", "Last modified (grade)")
CANVAS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")

Row = tuple[str, ...]


def answers(files: Iterable[HandedIn], library: Library) -> Iterator[Row]:
    """Give the names of the columns, then a row for each answer."""
    yield ANSWERS
    words = {True: "yes", False: "no", None: ""}
    for one in files:
        for given in one.work.answers:
            found = judged(given, library)
            title = found.step.title if found.step else ""
            first = judged(given.model_copy(update={"answer": given.first}), library) if given.first else None
            began = (first.answer, words[first.right]) if first else ("", "")
            who = (one.file, one.name, one.work.number)
            said = (given.lesson, given.step, title, found.answer, words[found.right], str(given.tries or ""))
            yield (*who, *said, *began, given.began, given.at, found.remark)


def grades(found: Class) -> Iterator[Row]:
    """Give the names of the columns, then a row for each learner; what is late counts, and is told apart.

    Of all questions, of each section and of each lesson it has the percentage right, and right at the first try.
    """
    parts = {"percent": range(len(found.questions)), **found.sections, **found.lessons}
    yield (*LEARNER, *(name for part in parts for name in (part, f"{part} at first")))
    for one, row in zip(found.files, found.answers, strict=True):
        marks = [answer.mark for answer in row]
        right, first = sum(answer.right for answer in row), marks.count("first")
        numbers = (len(row), len(row) - marks.count("none"), right, first, sum(answer.late for answer in row))
        shares = (_percent(row, part, first=at_first) for part in parts.values() for at_first in (False, True))
        yield (one.name, one.work.number, one.id, one.file, *map(str, numbers), *shares)


def for_platform(found: Class, platform: Platform, *, first: bool) -> Iterator[Row]:
    """Give the same in the columns that a platform's gradebook imports; with `first`, the first tries count.

    Moodle takes it as the grading worksheet of an assignment, or as a CSV of grades; Canvas as its gradebook, with an
    assignment for each section of the course.
    """
    everything: dict[str, Sequence[int]] = {"Samplescope": range(len(found.questions))}
    parts = found.sections or everything
    extra = parts if platform == "canvas" else found.sections
    yield (*(CANVAS if platform == "canvas" else MOODLE), *extra)
    if platform == "canvas":
        yield ("    Points Possible", "", "", "", "", *("100" for _ in extra))
    for one, row in zip(found.files, found.answers, strict=True):
        known = one.id if one.platform == platform else ""
        shares = (_percent(row, part, first=first) for part in extra.values())
        if platform == "canvas":
            yield (one.name, known, one.work.number, "", "", *shares)
        else:
            (all_of_it,) = (_percent(row, part, first=first) for part in everything.values())
            yield (f"Participant {known}" if known else "", one.name, one.work.number, all_of_it, "100", "", *shares)


def _percent(row: Sequence[GradedAnswer], part: Sequence[int], *, first: bool) -> str:
    """Return how much of some questions is right, in per cent."""
    right = sum(row[number].mark == "first" if first else row[number].right for number in part)
    return f"{100 * right / len(part) if part else 0:.0f}"
