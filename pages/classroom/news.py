"""The messages that browsers of a class get."""

from typing import Literal, NotRequired, TypedDict

from pages.classroom.messages import Shown
from pages.form.value import FormQuestion


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


class RelayState(TypedDict):
    """A relay: where its chains are, those of half A first, and how often each half has visited each state.

    `exact` has the probability of each state; it is empty for a mind, whose distribution is unknown.
    """

    id: int
    title: str
    names: list[str]
    exact: list[float]
    halves: list[str]
    places: list[int]
    counts: list[list[int]]
    steps: int
    open: bool


class Hand(TypedDict):
    """A chain that a learner holds: where it is, what is proposed, and what her rule needs to move or stay.

    The dart is thrown when she presses; it lands on a bar of which the part `bar` says to move.
    """

    relay: int
    chain: int
    step: int
    here: str
    there: str
    ratio: float | None
    bar: float | None
    dart: float | None
    rule: str


class RelayWatched(TypedDict):
    """A relay's distances from the exact distribution, and once it is closed, up to what distance a half is exact.

    `slips` are the steps of each half that were not by its rule; `found` the halves beyond the limit.
    """

    distances: list[float]
    limits: list[float]
    slips: list[int]
    found: list[str]


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
    relay: RelayState | None


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
    hand: Hand | None


class Run(TypedDict):
    """A learner's run, for the instructor."""

    index: int
    name: str
    value: float
    set: dict[str, str | int | float]


class RoundListed(TypedDict):
    """An entry of the list of all questions, rounds of runs and relays."""

    id: int
    title: str
    answers: int
    open: bool
    lesson: NotRequired[str]
    step: NotRequired[str]
    hands: NotRequired[bool]
    relay: NotRequired[bool]


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
    relay: RelayWatched | None
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
    """The result of an earlier round: of a question, of runs, or of a relay."""

    round: RoundState | None
    hands: HandsState | None
    relay: RelayState | None


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
