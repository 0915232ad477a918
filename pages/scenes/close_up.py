"""One sweep of a Gibbs sampler, opened: its updates, each in four beats, replayed on demand."""

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, Self, TypeVar
from weakref import WeakKeyDictionary

import numpy as np

from lessons.kept import weight
from lessons.settings.settings import StageSettings
from pages.code.listing import listing
from pages.code.mistakes import of_class
from pages.code.watch import GIBBS, WatchedCall, watch
from pages.contract.case import RuleOption
from pages.contract.place import Place
from pages.contract.waiting import NotYet
from pages.drawing.cards import Option, dart, numbered, quiet
from pages.player.kept import RUNS
from pages.player.run import SPARSE
from pages.player.turns import SlicedWork, time_slice
from pages.scenes import written
from samplers import Chain, Conditional, Update, updates
from samplers.judge.problem import Problem
from samplers.judge.written import WrittenConditional, known_of, right_of
from samplers.recipe import GibbsSampler, S

FORGET, SCORE, SAMPLE, REMEMBER = 1, 2, 3, 4  # the beats of an update
TITLES = ("Forget", "Score", "Sample", "Remember")
WAITING = quiet("Not yet.")
SWEEP_BY_SWEEP: dict[str, Any] = {  # for a film of whole sweeps
    "label": "sweep {t} of {total}",
    "strides": (("Sweep", 1),),
}
BYTES = 36  # of the site of each update of a sweep
OPENED = 4  # updates of a sweep to keep open
# Bytes of a state of each chain, and of a beat beside it, as of the first that was opened: weighing them anew took most
# of a card's time.
A_STATE: WeakKeyDictionary[Chain[Any], int] = WeakKeyDictionary()
A_BEAT: WeakKeyDictionary[Chain[Any], int] = WeakKeyDictionary()


@dataclass(frozen=True)
class Beat(Generic[S]):
    """The four beats of one update."""

    update: Update  # the site, its conditional and the drawn value
    # before, lifted, after: the state before the site was forgotten, without it, and with its new value
    before: S
    lifted: S
    after: S
    calls: tuple[WatchedCall, ...] = ()  # the code that ran, if it was watched

    @property
    def is_block(self) -> bool:
        """Whether the update redrew a block, and not a label."""
        return isinstance(self.update.site, str)


class CloseUp(Generic[S]):
    """One sweep, update by update: exactly the updates that the chain made.

    The length is the number of updates, and iterating replays all of them once. Indexing replays the sweep up to one
    update, in slices of time: `NotYet` has the progress.

    Attributes
    ----------
    sweep : int
        The number of the sweep, from 1.
    before : State
        The state before the sweep, which does not change.
    sites : list of int or str
        The sites of the sweep, in order.
    film : object
        The data that a film has made from the updates so far.
    """

    def __init__(self, chain: Chain[S], sweep: int, before: S) -> None:
        self.sweep, self.before = sweep, before
        assert isinstance(chain.sampler, GibbsSampler)
        self._sampler: GibbsSampler[S] = chain.sampler
        self._chain = chain
        if chain not in A_STATE:
            self._weigh()
        self.sites = self.visited()
        self.film: Any = None
        self._opened: dict[tuple[int, bool], SlicedWork[Beat[S]]] = {}
        self._lock = threading.Lock()

    @property
    def nbytes(self) -> int:
        """About how many bytes it takes, with its film and the states around opened updates."""
        opened = A_STATE[self._chain] + A_BEAT.get(self._chain, 0) * len(self._opened)
        return BYTES * len(self) + opened + getattr(self.film, "nbytes", 0)

    def _weigh(self, beat: Beat[S] | None = None) -> None:
        """Measure the state before the sweep, and a beat with what it does not share with that state."""
        seen: set[int] = set()
        weight(self._sampler, seen)  # shared by all states
        A_STATE[self._chain] = weight(self.before, seen)
        if beat:
            A_BEAT[self._chain] = weight((beat.update, beat.before, beat.lifted, beat.after), seen)

    def __len__(self) -> int:
        """Return the number of updates."""
        return len(self.sites)

    def __iter__(self) -> Iterator[Beat[S]]:
        """Yield the updates in order, each with copies of the states around it."""
        state = self.before.copy()
        before = state.copy()
        for update in self.updates(state):
            beat = self._beat(update, before, state.copy())
            yield beat
            before = beat.after

    def __getitem__(self, number: int) -> Beat[S]:
        """Return one update with the states around it, or raise `NotYet` after a slice of computing."""
        return self.open(number)

    def open(self, number: int, *, watched: bool = False) -> Beat[S]:
        """Return the same; with `watched`, also the code that ran, which takes about fifty times as long."""
        number = range(len(self))[number]
        with self._lock, time_slice() as over:
            work = self._opened.pop((number, watched), None) or SlicedWork(self._open(number, watched))
            self._opened[number, watched] = work
            for old in list(self._opened)[:-OPENED]:
                del self._opened[old]
            if work.until(over):
                return work.made
        raise self.not_yet(work.pieces, number, lambda: self.open(number, watched=watched))

    def visited(self) -> list[Any]:
        """Return the sites of the sweep, which must not depend on the draws."""
        return list(self._sampler.sites(self.before))

    def updates(self, state: S) -> Iterator[Update]:
        """Replay the sweep, in place, on a copy of the state before it."""
        return updates(self._sampler, state, self._chain.rng(self.sweep))

    def not_yet(self, done: int, total: int, more: Callable[[], object]) -> NotYet:
        """Return the exception with the number of replayed updates and of all; `more` replays more."""
        return NotYet(f"Replaying the sweep: {done:,} of {total:,} updates", done / total, more, self.sweep)

    def _open(self, number: int, watched: bool) -> Generator[None, None, Beat[S]]:
        state = self.before.copy()
        made = self.updates(state)
        for _ in range(number):
            next(made)
            yield
        before = state.copy()
        update, calls = watch(GIBBS, lambda: next(made)) if watched else (next(made), ())
        return self._beat(update, before, state, calls)

    def _beat(self, update: Update, before: S, after: S, calls: tuple[WatchedCall, ...] = ()) -> Beat[S]:
        lifted = before.copy()
        self._sampler.forget(lifted, update.site)
        beat = Beat(update, before, lifted, after, calls)
        if self._chain not in A_BEAT:
            self._weigh(beat)
        return beat


class Replay(ABC):
    """The frames of an opened sweep, four for each update: replayed in slices, and shared by sessions.

    A subclass makes its arrays before it calls this constructor.
    """

    def __init__(self, close_up: CloseUp[Any]) -> None:
        self.sweep, self.close_up = close_up.sweep, close_up
        self._work = SlicedWork(self.replayed())
        self._lock = threading.Lock()

    @abstractmethod
    def replayed(self) -> Generator[None, None, None]:
        """Keep the numbers of the start and of each update, and yield after each update."""

    @property
    def nbytes(self) -> int:
        """About how many bytes the filled rows of the arrays take."""
        arrays = [array.nbytes for array in list(vars(self).values()) if isinstance(array, np.ndarray)]
        sparse = sum(size for size in arrays if size >= SPARSE)
        return sum(arrays) - sparse + sparse * self._work.pieces // len(self.close_up)

    def grow(self, t: int, seconds: float | None = None) -> int:
        """Make frames up to t for one time slice or `seconds`; return the last one made.

        The start comes with the first update, so this one is made in any case.
        """
        with self._lock, time_slice(seconds) as over:
            if self._made < max(t, 1):
                self._work.until(lambda: self._made > 0 and (self._made >= t or over()))
        return self._made

    @property
    def _made(self) -> int:
        return 4 * self._work.pieces

    def whole(self) -> Self:
        """Return itself with all its numbers, or raise `NotYet` after a slice."""
        with self._lock, time_slice() as over:
            if self._work.until(over):
                return self
        raise self.close_up.not_yet(self._work.pieces, len(self.close_up), self.whole)


def chapter_of(close_up: CloseUp[Any], kinds: str, item: str, last: int) -> dict[str, Any]:
    """Return the arguments of a film of one sweep: length, label, strides and neighbours.

    Parameters
    ----------
    close_up : CloseUp
        The sweep.
    kinds, item : str
        The words for what is updated, by the number in the column ``kind``: ``"point|α"``; and the column of its
        number.
    last : int
        The last sweep of the run.
    """
    return {
        "total": 4 * len(close_up),
        "label": f"sweep {close_up.sweep} · {{kind:{kinds}}} {{{item}}} · {{beat:start|forget|score|sample|remember}}",
        "strides": (("Beat", 1), (kinds.split("|")[0].capitalize(), 4)),
        "before": close_up.sweep > 1,
        "after": close_up.sweep < last,
    }


# ---- a step, opened --------------------------------------------------------------------------------------------------

C = TypeVar("C", covariant=True)


class Opens(Protocol[C]):
    """A run whose steps can be opened."""

    def reach(self, t: int) -> None:
        """Compute all steps up to t, or raise `NotYet`."""
        ...

    def close_up(self, step: int) -> C:
        """Return the close-up of a step, from 1, or raise `NotYet`."""
        ...


def opened(key: str, run: Opens[C], step: int) -> C:
    """Return the close-up of a step of the run with this key, or raise `NotYet`; sessions share it."""
    run.reach(step)
    return RUNS.shared(f"{key} step {step}", lambda: run.close_up(step))


# ---- from the whole run to one step, and back ------------------------------------------------------------------------


def zoom_iteration(place: Place[Any], step_by: str, lowest: int | None) -> None:
    """Open this iteration, at least the `lowest` one; with None, go back to the whole run."""
    t = step_shown(place.settings, place.t)
    place.change(step_by=step_by, **({} if lowest is None else {"iteration": max(t, lowest)}))
    place.move(t if lowest is None else 0)


# ---- the inspector ---------------------------------------------------------------------------------------------------


def step_shown(settings: StageSettings, t: int) -> int:
    """Return the step of the run at frame t: t itself, or the opened step."""
    return t if settings.opened is None else settings.opened


def under_way(t: int) -> tuple[int, int]:
    """Return the update, from 0, that frame t of a close-up shows, and the beat that it has reached."""
    return (t - 1) // 4, (t - 1) % 4 + 1


def beats_of(frames: np.ndarray) -> np.ndarray:
    """Return the beat of each frame of a close-up, 0 at its start."""
    return np.where(frames == 0, 0, (frames - 1) % 4 + 1)


def four_beats(bodies: Sequence[str], reached: int = REMEMBER, main: int = 0) -> str:
    """Return four cards, empty beyond the beat that is reached; `main` is the card to look at, or 0."""
    told = (body if reached >= number else WAITING for number, body in enumerate(bodies, FORGET))
    return numbered(*zip(TITLES, told, strict=True), main=main)


def step_cards(
    scene: Any, t: int, start: str, begin: str, titles: Sequence[str], bodies: Callable[[Any, int], Sequence[str]]
) -> str:
    """Return the cards of step t of a run, or of an opened step up to frame t.

    Before the first step there is the text `start`, and before an opened one `begin`; ``bodies(opened, frame)`` returns
    the contents of the cards, and the last frame shows all of a step.
    """
    step = scene.step(t)
    if not step:
        return start
    found: Any = opened(scene.key, scene.run, step)
    if scene.settings.opened is not None and not t:
        return begin
    shown = bodies(found, found.total if scene.settings.opened is None else min(t, found.total))
    return f'<div class="moves">{numbered(*zip(titles, shown, strict=True))}</div>'


@dataclass(frozen=True)
class UpdateCards:
    """A topic's cards of an update; a scene is a `pages.scenes.scene.RunScene`."""

    # start, begin: the texts before the first sweep, and before the first update of an opened sweep, as HTML
    start: str
    begin: str
    # ``writer(scene, beat, reached)`` returns the four cards of an update, by the name of the block that it redraws or
    # else by the type of its site; ``str`` stands for all other blocks
    writers: Mapping[str | type, Callable[[Any, Beat[Any], int], Sequence[str]]]
    # ``chosen(scene, close_up)`` returns the number of the chosen update, whose code is shown; None if there is none
    chosen: Callable[[Any, Any], int | None]
    # ``notes(scene, beat)`` returns notes beside the code of a site that is no block, by the names in it
    notes: Callable[[Any, Beat[Any]], Mapping[str, str]]
    # ``whole(scene, close_up)`` returns the cards for a whole sweep, if not those of the chosen update
    whole: Callable[[Any, Any], str] | None = None
    look: str = ""  # the class in the style sheet of a block's cards, if they have their own
    # ``options(scene, beat)`` returns the options of a label, if learners can write the rule of its update
    options: Callable[[Any, Beat[Any]], Sequence[Option]] | None = None

    def card(self, scene: Any, view: str, t: int) -> str:
        """Return the view ``"update"`` or ``"code"`` at frame t, or raise `NotYet`."""
        step = scene.step(t)
        close_up = opened(scene.key, scene.run, step) if step else None
        if view == "code":
            return self.code(scene, close_up, t)
        if close_up is None:
            return self.start
        if scene.settings.opened is not None:
            return self.beat_by_beat(scene, close_up, t)
        if self.whole:
            return self.whole(scene, close_up)
        number = self.chosen(scene, close_up)
        assert number is not None  # else a topic has cards for the whole sweep
        return four_beats(self.bodies(scene, close_up[number]))

    def bodies(self, scene: Any, beat: Beat[Any], reached: int = REMEMBER) -> Sequence[str]:
        """Return the contents of the four cards of an update."""
        if isinstance(beat.update.conditional, WrittenConditional):
            return self._by_rule(scene, beat, reached)
        site = beat.update.site
        return (self.writers.get(site) or self.writers[type(site)])(scene, beat, reached)

    def _by_rule(self, scene: Any, beat: Beat[Any], reached: int) -> Sequence[str]:
        """Return the cards of an update by a learner's rule: its numbers take the place of those of the right rule."""
        assert self.options is not None
        conditional, at = beat.update.conditional, beat.update.uniform
        assert at is not None  # a label is drawn from its options
        options = self.options(scene, beat)
        scored = written.score(conditional, options, beat.update.value if reached >= SAMPLE else -1)
        sampled = f"<p>Random number: {at:.3f}{', but there is no bar to hit' if conditional.fault else ''}.</p>"
        sampled += "" if conditional.fault else dart(options, at, "dart")
        forgot, _, _, remembered = self.writers[type(beat.update.site)](scene, beat, reached)
        return forgot, scored, sampled, remembered

    def case(self, scene: Any, beat: Beat[Any], problem: Problem) -> list[RuleOption] | None:
        """Return the names and values of a rule's lines for the options of an update; None for one that has no line."""
        conditional = beat.update.conditional
        if beat.is_block or self.options is None or not isinstance(conditional, Conditional):
            return None
        sampler = right_of(scene.run.sampler)
        known = known_of(problem, sampler, beat.lifted, beat.update.site, conditional)
        return written.case_of((option.name for option in self.options(scene, beat)), known)

    def beat_by_beat(self, scene: Any, close_up: CloseUp[Any], t: int) -> str:
        """Return the cards of the update under way in frame t, up to the beat that is reached."""
        if t == 0:
            return self.begin
        number, reached = under_way(min(t, 4 * len(close_up)))
        beat = close_up[number]
        cards = four_beats(self.bodies(scene, beat, reached), reached, reached)
        return f'<div class="{self.look}">{cards}</div>' if self.look and beat.is_block else cards

    def code(self, scene: Any, close_up: CloseUp[Any] | None, t: int) -> str:
        """Return the code of the update in frame t, of the chosen one in a whole sweep, or only the loop."""
        number, main = None if close_up is None else self.chosen(scene, close_up), 0
        if scene.settings.opened is not None and close_up is not None:
            number, main = under_way(min(t, 4 * len(close_up))) if t else (None, 0)
        beat = None if close_up is None or number is None else close_up.open(number, watched=True)
        notes = self.notes(scene, beat) if beat and not beat.is_block else {}
        return listing(GIBBS, beat.calls if beat else (), of_class(scene.run.sampler), notes, main)
