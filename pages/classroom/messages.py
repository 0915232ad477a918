"""Messages in a room. A browser's message is JSON with one name in it, whose value is checked here."""

import json
import unicodedata
from typing import Annotated, Any, Literal, NotRequired, TypedDict

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, model_validator

from lessons.catalogue import TOPICS
from pages.form.value import FormQuestion

LONGEST = 4_096  # characters of a message; a longer one is not read at all
LONGEST_NAME, LONGEST_QUERY, MOST_KEYS, LONGEST_KEY = 40, 2_000, 40, 1_000
LONGEST_QUESTION, MOST_CHOICES, LONGEST_TEXT = 400, 8, 200  # characters and choices of a question made on the spot
LONGEST_TIMER, MOST_PICKED = 600, 40  # seconds; answers in words that are shown
MOST_VALUES = 500  # learners of a round that each have a value of their own
Key = Annotated[str, Field(max_length=LONGEST_KEY)]
PAGES = {"", *(info.stage for info in TOPICS)}  # "" is the map


class NotSaidError(ValueError):
    """A message that cannot be carried out; its text is a sentence for its sender."""


def clean_line(text: str, longest: int) -> str:
    """Return a text as one line of visible characters, without control characters or changes of direction."""
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
        raise ValueError("a link cannot have these characters")
    return text


class Said(BaseModel):
    """A part of a message: extra fields are errors, and types are not converted."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class Hello(Said):
    """A request to join: the browser's random name, that of its page, and the last state that it has.

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
    """News that a learner's `run`-th run, from 0, has reached iteration `t`."""

    hands: int
    run: int = Field(default=0, ge=0, le=100)
    t: int = Field(ge=0)


class Shown(Said):
    """The instructor's place: a page, its link's query, the player's state, and which of her browsers leads."""

    page: Annotated[str, AfterValidator(_known_page)]
    query: Annotated[str, Field(max_length=LONGEST_QUERY), AfterValidator(_visible)] = ""
    t: int = Field(default=0, ge=0, le=10**9)
    playing: bool = False
    speed: float = Field(default=1.0, gt=0, le=10_000, strict=False)
    by: str = Field(default="", pattern=r"^[a-z0-9]{0,12}$")


class Asked(Said):
    """A lesson's step whose question is asked."""

    lesson: str = Field(max_length=100)
    step: str = Field(max_length=100)


class Made(Said):
    """A question made on the spot: with choices, or answered by a number or in words."""

    kind: Literal["choices", "number", "text"]
    text: Annotated[str, Field(max_length=LONGEST_QUESTION), AfterValidator(_a_line)]
    choices: Annotated[
        tuple[Annotated[str, Field(max_length=LONGEST_TEXT), AfterValidator(_a_line)], ...],
        Field(strict=False, max_length=MOST_CHOICES),
    ] = ()

    @model_validator(mode="after")
    def _has_its_choices(self) -> "Made":
        if (self.kind == "choices") != (len({*self.choices}) > 1) or len({*self.choices}) != len(self.choices):
            raise ValueError("give at least two different choices, or ask for a number or for words")
        return self


class Unmasked(Said):
    """The answers in words that everyone may see."""

    round: int
    texts: Annotated[tuple[Key, ...], Field(strict=False, max_length=MOST_PICKED)]


class HandsOn(Said):
    """A round in which each learner runs what the instructor shows, with a seed or a setting of her own."""

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
    "fold_hands": TypeAdapter(bool),
    "lock": TypeAdapter(bool),
    "remove": TypeAdapter(int),
    "revoke": TypeAdapter(int),
    "table": TypeAdapter(Yes),
    "result": TypeAdapter(int),
    "end": TypeAdapter(Yes),
}


def read(text: str, *, instructor: bool = False) -> tuple[str, Any]:
    """Return a message's name and what it says; who leads the class can say more.

    Raises
    ------
    NotSaidError
        If the text is no valid message.
    """
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        raise NotSaidError("This message is not JSON.") from None
    if not isinstance(message, dict) or len(message) != 1:
        raise NotSaidError("A message has exactly one name.")
    name, value = next(iter(message.items()))
    known = INSTRUCTOR if instructor else LEARNER
    if name not in known:
        only = " Only the instructor can send that one." if name in INSTRUCTOR else ""
        raise NotSaidError(f"There is no message of that name.{only}")
    try:
        return name, known[name].validate_python(value)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        place = ".".join([name, *(str(part) for part in first["loc"])])[:80]
        raise NotSaidError(f"{place}: {first['msg']}.") from None


# ---- what browsers get -----------------------------------------------------------------------------------------------


class Question(FormQuestion):
    """A question as learners see it: its form, its text as HTML, and of what kind answers are."""

    # text, ask: all of the text, and its last paragraph
    text: str
    ask: str
    kind: Literal["choices", "number", "text", "rule"]  # a rule is written on the page
    names: bool  # whether a number is the name of a mark, so that answers have no mean


class Bars(TypedDict):
    """The bars of answers that are numbers: where the first begins, how wide each is, and how many answers are in each.

    `ends` are the lowest and the highest number that have room there.
    """

    low: float
    width: float
    ends: tuple[float, float]
    now: list[int]
    before: list[int] | None


class RoundState(Question):
    """A question that was asked: with the tally once it is shown, and the right answer once that is revealed."""

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
    examples: NotRequired[dict[str, str]]
    bars: NotRequired[Bars | None]
    before: NotRequired[dict[str, int] | None]
    before_said: NotRequired[str]
    right: NotRequired[list[str] | float]
    reason: NotRequired[str]


class Results(TypedDict):
    """The tally of a question, its bars if answers are numbers, and the tally of the first vote or an earlier class.

    `examples` are rules that learners wrote, one for each choice that rules came to.
    """

    tally: dict[str, int]
    examples: NotRequired[dict[str, str]]
    bars: Bars | None
    before: dict[str, int] | None
    before_said: str


Act = Literal["", "hint", "talk", "explain"]  # after a vote: by the share of right answers, which is not said


class RoundWatched(Results):
    """The tally of a question, which only the instructor gets, at any time, and what to do next once it is closed."""

    picked: list[str]
    act: Act


class Heap(TypedDict):
    """The bins of outcomes: where the first begins, how wide each is, and the bin of each outcome.

    `shares` has the exact probability of each bin; it is empty where that is not known.
    """

    low: float
    width: float
    number: int
    places: list[int]
    shares: list[float]


class HandsState(TypedDict):
    """A round of runs with their outcomes, each with the learner's index, and their exact mean, if it is known."""

    id: int
    page: str
    vary: str
    outcome: str
    label: str
    unit: str
    t: int
    open: bool
    folded: bool
    mean: float | None
    n: int
    points: list[tuple[int, float]]
    heap: Heap | None


class State(TypedDict):
    """The state of a room that everyone in it gets."""

    number: int
    code: str
    show: Shown | None
    free: bool
    paused: bool
    locked: bool
    ended: bool
    people: int
    trouble: str
    round: RoundState | None
    hands: HandsState | None


class OwnRun(TypedDict):
    """A learner's runs: their settings, with those of the next run if there may be one, and their outcomes."""

    id: int
    sets: list[dict[str, str | int | float]]
    values: list[float | None]


class You(TypedDict):
    """A learner's own data in a room."""

    index: int
    name: str
    follows: bool
    round: int | None
    keys: list[str] | None
    counted: bool
    late: bool
    hands: OwnRun | None


class Run(TypedDict):
    """A learner's run, for the instructor."""

    index: int
    name: str
    value: float
    set: dict[str, str | int | float]


class RoundListed(TypedDict):
    """An entry of the list of all questions and rounds of runs."""

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
    """The state of a room that only instructors get."""

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
    """A question, or a round of runs, of the table."""

    id: int
    title: str


class Row(TypedDict):
    """A learner's row of the table; see `pages.classroom.reports.table`."""

    index: int
    name: str
    follows: bool | None
    cells: list[tuple[str, bool | None] | None]


class Table(TypedDict):
    """Learners against questions."""

    rounds: list[Column]
    rows: list[Row]


class Result(TypedDict):
    """The result of an earlier round: of a question, or of runs."""

    round: RoundState | None
    hands: HandsState | None


class News(TypedDict, total=False):
    """A message to a browser, which has one of these fields."""

    state: State
    you: You
    watch: Watch
    table: Table
    result: Result
    sorry: str
    clock: float
    beat: bool
