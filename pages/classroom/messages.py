"""Messages in a room. A browser's message is JSON with one name in it, whose value is checked here."""

import json
import unicodedata
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, model_validator

from lessons.catalogue import TOPICS

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


def _perhaps_a_line(text: str) -> str:
    return _a_line(text) if text else ""


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


class RelayOn(Said):
    """A relay of what the instructor shows; or of a question to a mind, about a whole number from `low` to `high`."""

    question: Annotated[str, Field(max_length=LONGEST_QUESTION), AfterValidator(_perhaps_a_line)] = ""
    low: int = Field(default=0, ge=-(10**6), le=10**6)
    high: int = Field(default=100, ge=-(10**6), le=10**6)


class Acted(Said):
    """A step of a chain that a learner holds: the `step`-th, from 0, in which it moves or stays."""

    relay: int
    chain: int = Field(ge=0, le=1_000)
    step: int = Field(ge=0, le=10**6)
    moves: bool


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
    "hand": TypeAdapter(int),
    "act": TypeAdapter(Acted),
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
    "relay": TypeAdapter(RelayOn),
    "stop_relay": TypeAdapter(Yes),
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
