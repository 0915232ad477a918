"""The mode in which the data are one of twenty tiles, and the others are replicates, each from another draw."""

import threading
from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar, Generic, NamedTuple, Protocol, TypeVar

import numpy as np

from lessons.settings.lineups import LAST, ROUNDS, LineupSettings
from pages.code.listing import listing
from pages.code.watch import Way
from pages.contract.charts import Chart
from pages.contract.columns import FLOAT32, UINT8, Columns
from pages.contract.events import Open
from pages.contract.film import Film
from pages.contract.moment import Moment, ShownChain
from pages.contract.place import Place
from pages.contract.stage import Stage
from pages.contract.tools import Tool
from pages.contract.waiting import NotYet
from pages.drawing.cards import quiet
from pages.drawing.numbers import significant
from pages.drawing.plates import Diagram
from pages.drawing.wall import LEAST, lineup
from pages.player.turns import SlicedWork, time_slice
from pages.scenes.points.scene import domain
from pages.scenes.shared import shared
from samplers.diagnostics.lineup import TILES, line_up, stands_out

S = TypeVar("S", bound=LineupSettings)

ROOM = 0.05  # around the points of a tile, in their span
BEYOND = 2  # tiles that may reach beyond either end of the range
RADIUS = 0.062  # of a point, in units of the wall
DRAWING = "Drawing replicates"
CLOSED = "Press the tile that you take for the data: the numbers and the chain come with the answer."


class Marks(NamedTuple):
    """The discs of all tiles, each of shape (tiles, discs)."""

    # x, y: the place in its tile, from 0 to 1
    x: np.ndarray
    y: np.ndarray
    color: np.ndarray  # from 0
    radius: np.ndarray  # in units of the wall, 0 for none


class Round(Protocol[S]):
    """One lineup, of data and a run of their own, which may have to be made.

    Attributes
    ----------
    settings, seed : LineupSettings, int
        Of the run.
    place : int
        That of the data, from 0.
    """

    settings: S
    seed: int
    place: int

    def grow(self) -> bool:
        """Draw replicates for a slice of time; return whether all are drawn."""
        ...

    def reach(self) -> None:
        """Draw all replicates; raise `NotYet` if a slice is not enough."""
        ...

    def tiles(self) -> np.ndarray:
        """Return the content of each tile, with the data at their place."""
        ...


class Drawn:
    """The replicates of one run, which sessions share.

    Parameters
    ----------
    settings, seed : LineupSettings, int
        Of the run.
    """

    def __init__(self, settings: LineupSettings, seed: int) -> None:
        self._work, self._lock = SlicedWork(settings.replicates(seed)), threading.Lock()

    def grow(self, seconds: float | None = None) -> bool:
        """Draw replicates for a slice of time; return whether all are drawn."""
        with self._lock, time_slice(seconds) as over:
            return self._work.until(over)

    @property
    def pieces(self) -> int:
        """The pieces of work that are done."""
        return self._work.pieces

    @property
    def replicates(self) -> list[np.ndarray]:
        """The replicates, once all are drawn."""
        return self._work.made


@shared
def drawn(settings: LineupSettings, seed: int) -> Drawn:
    """Return the replicates of a run, which may have to be drawn."""
    return Drawn(settings, seed)


class PlainRound(Generic[S]):
    """One lineup, from 0, whose replicates are drawn by the settings."""

    def __init__(self, settings: S, seed: int, number: int) -> None:
        self.settings, self.seed = settings.of_round(seed, 2 * number)
        self.place = settings.place(seed, 2 * number)
        self.drawn = drawn(self.settings, self.seed)

    def grow(self) -> bool:
        """Draw replicates for a slice of time; return whether all are drawn."""
        return self.drawn.grow()

    def reach(self) -> None:
        """Draw all replicates; raise `NotYet` if a slice is not enough."""
        if not self.grow():
            raise NotYet(f"{DRAWING}: {self.drawn.pieces:,} updates so far", 0.0, self.reach, 0)

    def tiles(self) -> np.ndarray:
        """Return the content of each tile, with the data at their place."""
        return line_up(self.settings.observed(), self.drawn.replicates, self.place)


def shares(values: np.ndarray) -> np.ndarray:
    """Return numbers of all tiles, shape (tiles, N), as shares of one range, with some room beside them.

    The range leaves out the same number of tiles at either end. It treats all tiles alike: one made for the data would
    give them away, as they alone could not reach beyond it.
    """
    ends = np.sort(values.min(axis=1))[BEYOND], np.sort(values.max(axis=1))[-1 - BEYOND]
    low, high = domain(np.array(ends), ROOM)
    share: np.ndarray = np.clip((values - low) / (high - low), 0, 1)
    return share


class Lineups(Stage[S]):
    """Five lineups: in one step all tiles are alike, in the next the data's is marked.

    Parameters
    ----------
    runs : mapping of str to Stage
        The stages that show a round's run by itself, by the mode of its settings: the other rows of the table.

    Attributes
    ----------
    number : tuple of str and callable
        A number of what a tile shows, in words and as a function: it is small where the model misses something.
    way : Way
        The code that draws a replicate.
    inside, rim : str
        What a tile shows, and where marks are that lie beyond it, in words.
    least : int
        Pixels across, of the smallest disc.
    """

    opens = ("tile",)
    number: ClassVar[tuple[str, Callable[[np.ndarray], float]]]
    way: ClassVar[Way]
    inside: ClassVar[str]
    rim: ClassVar[str] = "Points beyond a tile are at its rim."
    least: ClassVar[int] = LEAST

    def __init__(self, runs: Mapping[str, Stage[Any]]) -> None:
        self.runs = runs

    @abstractmethod
    def marks(self, made: Any) -> Marks:
        """Return the discs of a round's tiles."""

    def round(self, settings: S, seed: int, number: int) -> Any:
        """Return a lineup, from 0."""
        return PlainRound(settings, seed, number)

    def film(self, settings: S, seed: int) -> Film:
        first = self.round(settings, seed, 0)
        first.reach()
        discs = self.marks(first).x.size
        steps = np.arange(settings.iterations + 1)
        shown = np.zeros((len(steps), TILES))
        places = np.array([settings.place(seed, int(t)) for t in steps])
        shown[steps, places] = steps % 2

        def columns(start: int, stop: int) -> Columns:
            numbers = {t // 2 for t in range(start, stop)}
            rounds = {number: self.marks(self.round(settings, seed, number)) for number in numbers}
            each = [rounds[t // 2] for t in range(start, stop)]
            return {
                ("discs", name): np.array([getattr(marks, name) for marks in each]).reshape(stop - start, discs)
                for name in Marks._fields
            }

        return Film(
            key=f"lineups {self.name} {settings.model_dump_json()} {seed}",
            charts=[self._chart()],
            data={
                "tiles": {"number": list(range(1, TILES + 1))} | UINT8.made(shown=shown),
                "discs": {"tile": np.repeat(np.arange(TILES), discs // TILES).tolist()}
                | dict.fromkeys(("x", "y", "radius"), FLOAT32.of(discs))
                | {"color": UINT8.of(discs)},
                "say": UINT8.made(open=steps % 2, round=1 + steps // 2)
                | FLOAT32.made(tile=np.where(steps % 2, places + 1, np.nan)),
            },
            columns=columns,
            total=settings.iterations,
            label=f"step {{t}} of {{total}}, round {{round}} of {ROUNDS}",
            grow=lambda t: self._grown(settings, seed, t),
        )

    def _grown(self, settings: S, seed: int, t: int) -> int:
        """Draw replicates of the rounds up to step t, for a slice of time; return the last step that is there."""
        for number in range(t // 2 + 1):
            if not self.round(settings, seed, number).grow():
                return 2 * number - 1
        return t

    def _chart(self) -> Chart:
        return Chart(
            "lineup",
            "Which one is the data?",
            "· {open:press the tile that you take for the data|the data are tile }{tile}",
            f"{TILES} tiles with {self.inside} each, and a number: one is the data, the others are replicates that the "
            f"model draws, each from another draw of the posterior. {self.rim}".rstrip(),
            lineup(TILES, self.least),
        )

    def cards(self, settings: S, seed: int, view: str, t: int) -> str:
        if view == "code":
            return listing(self.way)
        if t % 2 == 0:
            return quiet(CLOSED)
        made = self.round(settings, seed, t // 2)
        made.reach()
        return self.told(made, view)

    def told(self, made: Any, view: str) -> str:
        """Return a view of a round once its data are known: here the number of each tile, the smallest first."""
        words, measure = self.number
        tiles = made.tiles()
        values = [measure(tile) for tile in tiles]
        found = stands_out(tiles, measure)
        listed = ", ".join(
            f"<b>tile {tile + 1}, the data: {significant(values[tile])}</b>"
            if tile == made.place
            else f"{tile + 1}: {significant(values[tile])}"
            for tile in np.argsort(values, kind="stable").tolist()
        )
        says = "this number finds the data" if found == made.place else f"by this number you would press {found + 1}"
        return f"<p>{words}, the smallest first: {listed}.</p>{quiet(f'So {says}. A guess finds them 1 time in 20.')}"

    def moment(self, settings: S, seed: int, t: int) -> Moment:
        """Return the run of the round at hand."""
        own, of_run = settings.of_round(seed, t)
        return self.runs[own.mode].moment(own, of_run, min(LAST, own.iterations))

    def chains(self, settings: S, seed: int, t: int) -> list[ShownChain]:
        own, of_run = settings.of_round(seed, t)
        return [*self.runs[own.mode].chains(own, of_run, min(LAST, own.iterations))]

    def model(self, settings: S, seed: int, t: int) -> Diagram:
        own, of_run = settings.of_round(seed, t)
        return self.runs[own.mode].model(own, of_run, 0)

    def missing(self, settings: S) -> str | None:
        own, _ = settings.of_round(0, 0)
        return self.runs[own.mode].missing(own)

    def extra(self, place: Place[S]) -> Iterable[Tool]:
        own, _ = place.settings.of_round(place.seed, place.t)
        return self.runs[own.mode].extra(place)

    def open(self, place: Place[S], mark: Open) -> None:
        """Show which tile the data are; after that, go to the run, at the draw that a tile's replicate is from."""
        if mark.t % 2 == 0:
            place.move(mark.t + 1)
            return
        (own, seed), tile = place.settings.of_round(place.seed, mark.t), mark.which - 1
        of_data = place.settings.place(place.seed, mark.t)
        if tile == of_data or not 0 <= tile < TILES:
            return
        changes: dict[str, Any] = {name: getattr(own, name) for name in ("shown", "data_seed", *own.of_chain)}
        place.seed = seed
        place.change(**changes)
        place.move(own.drawn_at(tile - (tile > of_data)))
