"""The data that a published course hands to its scripts; Python makes all of them beforehand."""

from collections.abc import Mapping, Sequence
from typing import TypedDict

from pages.form.value import FormQuestion
from pages.player.player import Message

Packs = Mapping[str, str]  # names of files, by the number of the hundred iterations that each holds


class Filed(TypedDict):
    """The files of a film: its charts, its frames, what is drawn at rest, and the cards of each view."""

    film: str
    frames: Packs
    stills: Packs
    cards: Mapping[str, Packs]


class Scene(TypedDict):
    """The stage of a step, before or after the answer to its question, or with another run."""

    values: Mapping[str, str]  # of the controls by which learners choose among the step's runs, as they read them
    message: Message  # with which the player opens the step
    view: str  # that opens
    views: Sequence[tuple[str, str]]  # that can be opened, with their names for learners
    code: Sequence[str]  # the questions any of which uncovers the code; empty if it is not hidden


class Control(TypedDict):
    """A control of a published step: its name, its title, and the values that the published runs have."""

    name: str
    title: str
    values: Sequence[str]


class Answer(TypedDict):
    """A choice that can be made, with its words, and what is said to it, after how it compares with the right one."""

    key: str
    words: str
    right: bool
    said: str


class Reasoned(TypedDict):
    """The numbers from `low` to `high`, null without an end, with what is said of them."""

    low: float | None
    high: float | None
    right: bool
    reason: str


class Question(FormQuestion):
    """A question with its possible answers, and what is said about each.

    An answer to a rule is its lines, and the key of the option that it comes to.
    """

    answers: Sequence[Answer]  # in the order of the file; empty if the answer is a number
    lines: Sequence[Reasoned]  # the numbers, in the order in which they count; empty if choices are listed
    # exact, off: sentences about a number that is exactly right, and about any other, with gaps: {guess}, {off}, {side}
    exact: str
    off: str
    partly: str  # a sentence about some of the right choices; "" if there is one
    guessed: bool  # whether a sentence says how far off a guess was
    once: bool  # whether there is one try alone
    right: Sequence[str]  # the right answer
    # words, shown: the right answer in words, and with its reason
    words: str
    shown: str
    locked: str  # a sentence about what is locked until the answer
    again: str  # the words for another try


class Target(TypedDict):
    """A goal, and the iterations at which it is reached, by the sources of runs; `open` is the view it needs, or ""."""

    id: str
    html: str
    reason: str
    seeds: int
    open: str
    reached: Mapping[str, Sequence[int]]


class Told(TypedDict):
    """A step of a lesson."""

    id: str
    title: str
    html: str
    hints: Sequence[str]
    at: int | None  # the iteration at which it opens; None where the learner is
    until: int | None
    unit: str  # the word for one iteration
    asked: Scene  # the stage as the step opens before any answer
    answered: Scene | None  # the same once its question is answered
    then: Scene | None  # the stage right after the answer
    advance: int  # by how many iterations the answer moves the run on
    runs: Sequence[Scene]  # the runs that the step offers, its own first; empty if there are no others
    controls: Sequence[Control]  # the controls that choose among these runs
    question: Question | None
    goals: Sequence[Target]
    set: str  # its settings and seed, in words
    missing: str  # what the step can do in the app alone; "" if nothing
    version: str  # identifies the question as it is now, for the file of answers


class Published(TypedDict):
    """A lesson: its steps, the end included; its films' files, by their sources; views for which charts make room."""

    id: str
    title: str
    language: str
    dir: str
    summary: Sequence[str]
    read_on: Sequence[str]
    steps: Sequence[Told]
    films: Mapping[str, Filed]
    about: Sequence[str]


class OnMap(TypedDict):
    """A lesson on the map: its number and words, its minutes, the ids of its questions, and its file."""

    id: str
    number: int
    title: str
    language: str
    dir: str
    topic: str
    minutes: int
    questions: Sequence[str]
    file: str


class Section(TypedDict):
    """A part of the map: its words, the pictures of its topics, and when it is due, "" if it is not."""

    title: str
    line: str
    pictures: Sequence[str]
    due: str
    lessons: Sequence[OnMap]


class Course(TypedDict):
    """The map of a course."""

    title: str
    language: str
    dir: str
    sections: Sequence[Section]
    glossary: Sequence[tuple[str, str]]
    # hand_in, ask: where to hand in, and what to ask for beside the name; "" if nothing
    hand_in: str
    ask: str
    live: str  # where the app is; "" if nowhere
    scorm: bool  # whether a platform keeps the answers, by SCORM
    vega: str
