"""Messages in a room. Those of browsers are JSON with one name in it, each of a form that is checked here."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Sequence
from typing import Annotated, Any, Literal, NotRequired, TypedDict

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, model_validator

from lessons.topics import TOPICS

LONGEST = 4_096  # characters of a message, before which nothing is even read
LONGEST_NAME, LONGEST_QUERY, MOST_KEYS, LONGEST_KEY = 40, 2_000, 40, 1_000
LONGEST_QUESTION, MOST_CHOICES, LONGEST_TEXT = 400, 8, 200  # characters and choices of a question made on the spot
LONGEST_TIMER, MOST_PICKED = 600, 40  # seconds; answers in words that are shown
MOST_VALUES = 500  # learners of a round that each have a value of their own
Key = Annotated[str, Field(max_length=LONGEST_KEY)]
PAGES = {"", *(info.stage for info in TOPICS)}  # "" is the map


class NotSaidError(ValueError):
    """A message that cannot be followed; its text is a sentence for whoever sent it."""


def clean_line(text: str, longest: int) -> str:
    """Return a text as one line of visible characters: no controls, and nothing that turns the writing round."""
    spaced = " ".join(text.split())
    return "".join(sign for sign in spaced if unicodedata.category(sign)[0] != "C")[:longest].strip()


def clean_name(name: str) -> str:
    """Return a name as one line; see `clean_line`."""
    return clean_line(name, LONGEST_NAME)


def _known_page(page: str) -> str:
    if page not in PAGES:
        raise ValueError("there is no page of that name")
    return page


def _a_line(text: str) -> str:
    text = " ".join(text.split())
    if not text.isprintable() or not text:
        raise ValueError("write something, on one line")
    return text


def _visible(text: str) -> str:
    if not text.isprintable():
        raise ValueError("a link has no such characters")
    return text


class Said(BaseModel):
    """A part of a message: nothing else is in it, and no type is guessed."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class Hello(Said):
    """Who comes in: a name for this browser that it made up itself, that of its page, and what it has heard before.

    With the secret it leads or, as a `screen`, shows the class on a projector.
    """

    member: str = Field(pattern=r"^[A-Za-z0-9_-]{22}$")
    name: str | None = Field(default=None, max_length=200)
    screen: bool = False
    secret: str = Field(default="", max_length=100)
    session: str = Field(default="", max_length=32)
    after: int = Field(default=0, ge=0)


class Given(Said):
    """An answer: keys of choices, or a number as text."""

    round: int
    keys: Annotated[tuple[Key, ...], Field(strict=False, min_length=1, max_length=MOST_KEYS)]


class Found(Said):
    """Word that a learner's own run, of which it is the `run`-th from 0, has come to iteration `t`."""

    hands: int
    run: int = Field(default=0, ge=0, le=100)
    t: int = Field(ge=0)


class Shown(Said):
    """Where the instructor is: a page, what its link says, and the player; and by which of her browsers."""

    page: Annotated[str, AfterValidator(_known_page)]
    query: Annotated[str, Field(max_length=LONGEST_QUERY), AfterValidator(_visible)] = ""
    t: int = Field(default=0, ge=0, le=10**9)
    playing: bool = False
    speed: float = Field(default=1.0, gt=0, le=10_000, strict=False)
    by: str = Field(default="", pattern=r"^[a-z0-9]{0,12}$")


class Asked(Said):
    """A step of a lesson, whose question is asked."""

    lesson: str = Field(max_length=100)
    step: str = Field(max_length=100)


class Made(Said):
    """A question that is made on the spot: one with choices, or answered by a number or in words."""

    kind: Literal["choices", "number", "text"]
    text: Annotated[str, Field(max_length=LONGEST_QUESTION), AfterValidator(_a_line)]
    choices: Annotated[
        tuple[Annotated[str, Field(max_length=LONGEST_TEXT), AfterValidator(_a_line)], ...],
        Field(strict=False, max_length=MOST_CHOICES),
    ] = ()

    @model_validator(mode="after")
    def _has_its_choices(self) -> Made:
        if (self.kind == "choices") != (len({*self.choices}) > 1) or len({*self.choices}) != len(self.choices):
            raise ValueError("a question has two different choices at least, or is answered freely")
        return self


class Unmasked(Said):
    """The answers in words that all are shown."""

    round: int
    texts: Annotated[tuple[Key, ...], Field(strict=False, max_length=MOST_PICKED)]


class HandsOn(Said):
    """A round in which each learner runs what is shown, with a seed or a setting of her own."""

    vary: str = Field(max_length=100)
    values: Annotated[tuple[str | int | float, ...], Field(strict=False, max_length=MOST_VALUES)] = ()
    outcome: str = Field(max_length=100)
    t: int = Field(ge=1, le=10**6)


class Before(Said):
    """An earlier class's answers to the same question."""

    tally: Annotated[dict[str, Annotated[int, Field(ge=0, le=10**6)]], Field(max_length=200)]


Name = Annotated[str, Field(max_length=200)]
Yes = Literal[True]
LEARNER: dict[str, TypeAdapter[Any]] = {
    "hello": TypeAdapter(Hello),
    "name": TypeAdapter(Name),
    "answer": TypeAdapter(Given),
    "follows": TypeAdapter(bool),
    "lost": TypeAdapter(bool),
    "forget": TypeAdapter(Yes),
    "found": TypeAdapter(Found),
}
INSTRUCTOR: dict[str, TypeAdapter[Any]] = LEARNER | {
    "show": TypeAdapter(Shown),
    "ask": TypeAdapter(Asked),
    "make": TypeAdapter(Made),
    "again": TypeAdapter(int),
    "timer": TypeAdapter(Annotated[int, Field(ge=0, le=LONGEST_TIMER)]),
    "close": TypeAdapter(Yes),
    "tally": TypeAdapter(bool),
    "reveal": TypeAdapter(Yes),
    "unmask": TypeAdapter(Unmasked),
    "away": TypeAdapter(Yes),
    "recall": TypeAdapter(int),
    "before": TypeAdapter(Before),
    "pause": TypeAdapter(bool),
    "hands": TypeAdapter(HandsOn),
    "stop_hands": TypeAdapter(Yes),
    "lock": TypeAdapter(bool),
    "remove": TypeAdapter(int),
    "revoke": TypeAdapter(int),
    "table": TypeAdapter(Yes),
    "end": TypeAdapter(Yes),
}


def read(text: str, *, instructor: bool = False) -> tuple[str, Any]:
    """Return a message's name and what it says.

    Parameters
    ----------
    text : str
        As it came.
    instructor : bool, optional
        Whether it may drive the room.

    Raises
    ------
    NotSaidError
        If it is none.
    """
    try:
        told = json.loads(text)
    except (ValueError, RecursionError):
        raise NotSaidError("This message is no JSON.") from None
    if not isinstance(told, dict) or len(told) != 1:
        raise NotSaidError("A message says one thing.")
    name, value = next(iter(told.items()))
    known = INSTRUCTOR if instructor else LEARNER
    if name not in known:
        only = " Only the instructor can say that." if name in INSTRUCTOR else ""
        raise NotSaidError(f"Nothing of that name can be said here.{only}")
    try:
        return name, known[name].validate_python(value)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        place = ".".join([name, *(str(part) for part in first["loc"])])[:80]
        raise NotSaidError(f"{place}: {first['msg']}.") from None


# ---- what browsers are told ------------------------------------------------------------------------------------------


class Choice(TypedDict):
    """One of the answers to choose from."""

    key: str
    html: str


class Question(TypedDict):
    """A question as learners see it; see `pages.classroom.questions.described`."""

    title: str
    text: str
    ask: str
    lang: str
    dir: str
    kind: Literal["choices", "number", "text"]
    by_hand: bool
    hint: str
    multiple: bool
    choices: list[Choice]
    limits: list[float] | None
    step_by: float | None


class RoundTold(Question):
    """A question that was asked: with its answers once they are shown, and what is right once that is revealed."""

    id: int
    lesson: str
    step: str
    open: bool
    answers: int
    until: float | None
    made: bool
    shown: bool
    revealed: bool
    tally: NotRequired[dict[str, int]]
    before: NotRequired[dict[str, int] | None]
    before_said: NotRequired[str]
    right: NotRequired[list[str] | float]


class Results(TypedDict):
    """How a question is answered, and how it was before, by this class or by another one."""

    tally: dict[str, int]
    before: dict[str, int] | None
    before_said: str


class RoundWatched(Results):
    """What the instructor alone hears of a question: how it is answered, at any time."""

    picked: list[str]


class Exact(TypedDict):
    """The exact distribution of an outcome; see `lessons.stages.law`."""

    said: str
    mean: float
    values: NotRequired[Sequence[float]]
    shares: NotRequired[Sequence[float]]


class HandsTold(TypedDict):
    """A round of runs, with the values that were found, by the learners' indices."""

    id: int
    page: str
    vary: str
    outcome: str
    label: str
    unit: str
    t: int
    open: bool
    exact: Exact | None
    n: int
    points: list[tuple[int, float]]


class State(TypedDict):
    """What all in a room know."""

    number: int
    code: str
    show: Shown | None
    free: bool
    paused: bool
    locked: bool
    ended: bool
    people: int
    trouble: str
    round: RoundTold | None
    hands: HandsTold | None


class OwnRun(TypedDict):
    """A learner's own runs: their settings, one more than have been made if that may be, and what they found."""

    id: int
    sets: list[dict[str, str | int | float]]
    values: list[float | None]


class You(TypedDict):
    """What is on record of a learner."""

    index: int
    name: str
    follows: bool
    round: int | None
    keys: list[str] | None
    counted: bool
    late: bool
    hands: OwnRun | None


class Run(TypedDict):
    """A learner's run, as the instructor sees it."""

    index: int
    name: str
    value: float
    set: dict[str, str | int | float]


class RoundListed(TypedDict):
    """A question, or a round of runs, of the list of all that were asked."""

    id: int
    title: str
    answers: int
    open: bool
    lesson: NotRequired[str]
    step: NotRequired[str]
    hands: NotRequired[bool]


class LinkListed(TypedDict):
    """A link by which another browser leads."""

    id: int
    used: bool


class Watch(TypedDict):
    """What instructors alone are told."""

    people: int
    follow: int
    lost: int
    names: list[tuple[int, str, bool, bool]]
    round: RoundWatched | None
    rounds: list[RoundListed]
    hands: list[Run] | None
    links: list[LinkListed]
    notice: str


class Column(TypedDict):
    """A question of the table."""

    id: int
    title: str


class Row(TypedDict):
    """A learner's row of the table; see `pages.classroom.told.table`."""

    index: int
    name: str
    follows: bool | None
    cells: list[tuple[str, bool | None] | None]


class Table(TypedDict):
    """Learners against questions."""

    rounds: list[Column]
    rows: list[Row]


class Told(TypedDict, total=False):
    """A message to a browser, which has one of these."""

    state: State
    you: You
    watch: Watch
    table: Table
    sorry: str
    clock: float
    beat: bool
