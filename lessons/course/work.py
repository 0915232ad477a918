"""A learner's work as one small file, to keep or hand in, and what its answers are worth."""

import hashlib
import re
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field, ValidationError

from lessons.course.library import Library
from lessons.format.keys import Strict
from lessons.format.lesson import Lesson, Step

LARGEST = 1_000_000  # bytes of a file
MOST_ANSWERS, MOST_MOMENTS, MOST_CHOICES = 1_000, 20, 40
LONGEST_NAME, LONGEST_NOTE, LONGEST_LINK, LONGEST = 80, 400, 2_000, 2_000  # characters
NO_FILE = "this is not a “My work” file"

Name = Annotated[str, Field(pattern=r"^[a-z0-9-]{1,100}$")]
WHEN = "%Y-%m-%dT%H:%M:%SZ"
MOMENTS = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
When = Annotated[str, Field(pattern=rf"^({MOMENTS.pattern})?$")]
Keys = Annotated[
    tuple[Annotated[str, Field(max_length=LONGEST)], ...], Field(strict=False, min_length=1, max_length=MOST_CHOICES)
]


Kept = Annotated[str, Field(pattern=r"^\.(sure/[a-z0-9-]{1,100}|idea)/[a-z0-9-]{1,100}$")]


@dataclass(frozen=True)
class Tries:
    """The tries at a question: their number, the times of the first and the last (UTC), and the first answer."""

    many: int
    began: str
    at: str
    first: tuple[str, ...]


class Given(Strict):
    """An answer: keys of choices, a number, or reached goals, each with its seed.

    Older files lack the tries, their times and the first answer.
    """

    lesson: Name
    step: Name
    answer: Keys
    version: str = Field(default="", max_length=20)
    tries: int = Field(default=0, ge=0, le=99_999)
    began: When = ""
    at: When = ""
    first: Keys | None = None

    @property
    def at_first(self) -> tuple[str, ...]:
        """The first answer if it is known, else the last one."""
        return self.first or self.answer


class KeptMoment(Strict):
    """A moment that the learner kept: a topic's link, with a note."""

    topic: str = Field(pattern=r"^[a-z_]{1,40}$")
    link: str = Field(max_length=LONGEST_LINK)
    note: str = Field(default="", max_length=LONGEST_NOTE)


class Work(Strict):
    """All of a learner's work that the browser keeps."""

    samplescope: Literal["work"] = "work"
    schema_: Literal[1] = Field(default=1, alias="schema")
    name: str = Field(default="", max_length=LONGEST_NAME)
    number: str = Field(default="", max_length=LONGEST_NAME)
    answers: Annotated[tuple[Given, ...], Field(strict=False, max_length=MOST_ANSWERS)] = ()
    moments: Annotated[tuple[KeptMoment, ...], Field(strict=False, max_length=MOST_MOMENTS)] = ()
    # how sure the learner was of an answer, and when an idea comes back, as `lessons.review` keeps both
    kept: dict[Kept, Keys] = Field(default_factory=dict, max_length=MOST_ANSWERS)

    def as_json(self) -> str:
        """Return the file's text."""
        return self.model_dump_json(by_alias=True, indent=1)


def read_work(content: bytes) -> Work:
    """Return the work in a file.

    Raises
    ------
    ValueError
        If the file is invalid, with a sentence that says why.
    """
    if len(content) > LARGEST:
        raise ValueError(f"the file has {len(content):,} bytes; a “My work” file has at most {LARGEST:,}")
    try:
        return Work.model_validate_json(content, by_alias=True)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"]))
        raise ValueError(f"{NO_FILE}: {f'{place}: ' if place else ''}{first['msg'][:200]}") from None


def merged(here: Given, there: Given, library: Library) -> Given:
    """Merge two browsers' answers to a question: the right one wins, else the later one, else `there`.

    The result has the larger number of tries and the earlier first answer, so importing a file twice changes nothing.
    """
    right = [judged(one, library).right is True for one in (here, there)]
    later = here.at > there.at if here.at and there.at else False
    taken = here if right == [True, False] or (right[0] == right[1] and later) else there
    early = min((one for one in (here, there) if one.began), key=lambda one: one.began, default=taken)
    return taken.model_copy(
        update={"tries": max(here.tries, there.tries), "began": early.began, "first": early.first, "at": taken.at}
    )


# ---- what an answer is worth -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Verdict:
    """An answer, checked against the current lesson."""

    # lesson, step: none where there is none of that id
    lesson: Lesson | None
    step: Step | None
    answer: str  # in words, as the question has them
    right: bool | None  # none where that cannot be said
    remark: str = ""  # why the answer does not fit the lesson, ``""`` if it does
    some: bool = False  # whether some goals of the step are reached


def version(step: Step) -> str:
    """Return eight characters that stand for a question: they change with its text, its choices and its goals."""
    choices = [(choice.id, choice.text, choice.correct) for choice in step.choices]
    asked = repr((step.title, step.body, choices, [(goal.id, goal.text) for goal in step.goals]))
    return hashlib.sha256(asked.encode()).hexdigest()[:8]


def judged(given: Given, library: Library) -> Verdict:
    """Hold an answer against the lesson as it is now."""
    plain = ", ".join(given.answer)
    lesson = library.lesson(given.lesson)
    if lesson is None:
        return Verdict(None, None, plain, None, "there is no lesson with this id")
    step = next((step for step in lesson.steps if step.id == given.step), None)
    if step is None:
        return Verdict(lesson, None, plain, None, "the lesson has no step with this id")
    if not (step.choices or step.goals) or not step.can_have(given.answer):
        return Verdict(lesson, step, plain, None, "the question has changed: this is no longer an answer to it")
    changed = given.version not in ("", version(step))
    remark = "the question has changed since this was handed in" if changed else ""
    some = bool(step.goals) and reached(step, given.answer) > 0
    return Verdict(lesson, step, in_words(step, given.answer), is_right(step, given.answer), remark, some)


def in_words(step: Step, answer: tuple[str, ...]) -> str:
    """Return an answer as learners read it: choices' texts, a number, or the goals that were reached."""
    if step.goals:
        return f"{reached(step, answer)} of {len(step.goals)} goals reached"
    return step.answers.in_words(answer)


def reached(step: Step, answer: tuple[str, ...]) -> int:
    """Return how many of a step's goals have been reached, as often as they ask."""
    names = [key.partition(" ")[0] for key in answer]
    return sum(names.count(goal.id) >= goal.keys.seeds for goal in step.goals)


def is_right(step: Step, answer: tuple[str, ...]) -> bool:
    """Return whether an answer is all right, or all goals are reached."""
    return reached(step, answer) == len(step.goals) if step.goals else step.is_right(answer)
