"""A look at code while it runs: which functions one step calls, which lines of them run, and with what values.

The step is made again under Python's own tracing, so that what is shown is what ran. Values are written down when a
function returns, since states change in place.
"""

import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, TypeVar

import samplers
from pages.code.source import RETURNS, Source, Statement, source_of
from pages.code.values import said
from samplers.chain import Chain
from samplers.recipe import updates

HOME = Path(samplers.__file__).parent
TOOLS = tuple(str(HOME / name) for name in ("checks.py", "portable.py"))  # of no interest here
DEEPEST = 3  # calls below one of the functions that are followed

T = TypeVar("T")


@dataclass(frozen=True)
class Way:
    """Code lines of the beats of a kind of step."""

    followed: tuple[Callable[..., Any], ...]  # the functions that the step leads through
    beats: tuple[frozenset[str], ...]  # for each beat, what its statements in these functions bind, change or call
    passed_over: frozenset[str] = frozenset()  # names of functions that are called, and not looked into

    @property
    def codes(self) -> list[CodeType]:
        """The code of the functions."""
        return [function.__code__ for function in self.followed]

    def beat_of(self, statement: Statement) -> int:
        """Return the beat of a statement of these functions, from 1; 0 if it belongs to none."""
        return next((beat for beat, names in enumerate(self.beats, 1) if names & statement.names), 0)


def names(*beats: str) -> tuple[frozenset[str], ...]:
    """Return the names of each beat, which are given with spaces between."""
    return tuple(frozenset(beat.split()) for beat in beats)


# A new sampler by the recipe needs no way of its own: its loop is `updates`.
GIBBS = Way((updates,), names("sites forget", "score", "uniform pick draw", "remember"))


@dataclass
class WatchedCall:
    """A function that was called."""

    code: CodeType  # the function's
    depth: int  # how many calls below one of the functions that are followed; 0 for these
    beat: int  # the beat in which it was called, from 1; 0 if in none
    owner: object
    ran: set[int] = field(default_factory=lambda: {0})  # the numbers of the statements that ran
    values: dict[int, str] = field(default_factory=dict)  # what became of what they change, by statement, as HTML

    @property
    def source(self) -> Source:
        """The function's source."""
        return source_of(self.code)


def watch(way: Way, step: Callable[[], T], upto: int | None = None) -> tuple[T, tuple[WatchedCall, ...]]:
    """Make a step, and return what it returns and the calls of our own functions, in order.

    With `upto`, they are as they were when this many followed functions had been called by another and had returned.
    """
    watching, before = _Watching(way, upto), sys.gettrace()  # a debugger's, or that of a measurement of coverage
    sys.settrace(watching)
    try:
        made = step()
    finally:
        sys.settrace(before)
    return made, tuple(watching.calls)


def watch_updates(chain: Chain[Any], t: int, many: int = 1) -> tuple[WatchedCall, ...]:
    """Make the first updates of sweep t of a Gibbs sampler again, and return the calls; none at the start."""
    if not t:
        return ()
    sampler: Any = chain.sampler
    made = updates(sampler, chain[t - 1].copy(), chain.rng(t))
    return watch(GIBBS, lambda: [next(made) for _ in range(many)])[1]


class _Watching:
    """The function that Python calls whenever a function is called, with all that it has seen."""

    def __init__(self, way: Way, left: int | None) -> None:
        self.calls: list[WatchedCall] = []
        self._way, self._codes, self._left = way, way.codes, left  # calls that are still to return
        self._open: dict[FrameType, WatchedCall] = {}

    def __call__(self, frame: FrameType, event: str, arg: object) -> Any:
        call = None if self._left == 0 else self._call_of(frame)
        if call is None:
            return None
        self.calls.append(call)
        self._open[frame] = call
        lines = {line: number for number, one in enumerate(call.source.statements) for line in one.lines}
        first = call.source.first

        def step(frame: FrameType, event: str, arg: object) -> Any:
            if self._left == 0:
                return None
            if event == "line":
                call.ran.add(lines.get(frame.f_lineno - first, 0))
            elif event == "return":
                del self._open[frame]
                call.values = dict(_values(call, frame, arg))
                if self._open and not call.depth:
                    self._returned()
            return step

        return step

    def _returned(self) -> None:
        """Count a followed function that another one called; after the last one, write down what the others hold."""
        if self._left is None:
            return
        self._left -= 1
        for frame, call in self._open.items() if not self._left else ():
            call.values = dict(_values(call, frame, None))

    def _call_of(self, frame: FrameType) -> WatchedCall | None:
        """Return a call if it is to be looked into; its lines are still to run."""
        code = frame.f_code
        if not code.co_filename.startswith(str(HOME)) or code.co_filename in TOOLS:
            return None
        above = frame.f_back
        while above is not None and above.f_code.co_name.startswith("<"):  # a comprehension, say
            above = above.f_back
        caller = self._open.get(above) if above else None
        owner = frame.f_locals.get("self")
        if code in self._codes:
            return WatchedCall(code, 0, self._beat(caller, above), owner)
        name = code.co_name
        is_property = isinstance(getattr(type(owner), name, None), property)
        aside = name.startswith("__") or "<" in code.co_qualname or is_property
        if caller is None or aside or name in self._way.passed_over:
            return None
        stays = caller.depth == 0 or owner is None or owner is caller.owner
        beat = self._beat(caller, above)
        return WatchedCall(code, caller.depth + 1, beat, owner) if stays and beat and caller.depth < DEEPEST else None

    def _beat(self, caller: WatchedCall | None, frame: FrameType | None) -> int:
        if caller is None or frame is None:
            return 0
        if caller.depth:
            return caller.beat
        line = frame.f_lineno - caller.source.first
        return next((self._way.beat_of(one) for one in caller.source.statements if line in one.lines), 0)


def _values(call: WatchedCall, frame: FrameType, returned: object) -> Iterator[tuple[int, str]]:
    """Yield the values that statements have left: each is shown beside the last one that changed it."""
    told: set[str] = set()
    for number in sorted(call.ran, reverse=True):
        statement = call.source.statements[number]
        fresh = [place for place in statement.changes if place not in told]
        told.update(fresh)
        if RETURNS in statement.names:
            text = said(returned)
            parts = [f"→ {text}"] if text else []
        else:
            found = [(place, said(_value_of(place, frame))) for place in fresh]
            alone = len(statement.changes) == 1 and number > 0 and "=" in call.source.lines[statement.lines[0]]
            parts = [f"= {text}" if alone else f"{place} = {text}" for place, text in found if text]
        if parts:
            yield number, ", ".join(parts)


def _value_of(place: str, frame: FrameType) -> object:
    """Return the value of a name, an attribute or an item of a function's; None if there is none any more."""
    try:
        return eval(place, frame.f_globals, frame.f_locals)
    except (LookupError, AttributeError, NameError):
        return None


def of_a_kind(calls: Iterable[WatchedCall]) -> dict[CodeType, WatchedCall]:
    """Return each function's last call in which anything ran, in the order in which they were called first."""
    return {call.code: call for call in calls if len(call.ran) > 1 or not call.depth}
