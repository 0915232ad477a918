"""Sweeps with a move that passes improbable clusterings: a split or merge, or swaps of a ladder's levels."""

from collections.abc import Callable, Iterable
from typing import Any, ClassVar

from lessons.topics.jumps import JumpsSettings
from pages.contract.events import Open
from pages.contract.film import Film
from pages.contract.place import Place
from pages.contract.tools import Press, Tool
from pages.scenes.close_up import opened
from pages.scenes.gibbs_stage import BEATS
from pages.scenes.ladder import cards as ladder_cards
from pages.scenes.ladder.run import SWEPT
from pages.scenes.points.scene import MixtureScene
from pages.topics.jumps import cards, ladder
from pages.topics.jumps.alone import Alone
from pages.topics.jumps.film import move_film


class Moves(Alone):
    """The stage of split–merge moves."""

    beats: ClassVar[Callable[..., Film]] = move_film
    opening_words = "Open this move"
    written_by: ClassVar = {"update": cards.move_cards, "code": cards.code}

    def cards(self, settings: JumpsSettings, seed: int, view: str, t: int) -> str:
        if view not in BEATS:
            return super().cards(settings, seed, view, t)
        scene = self.scene(settings, seed)
        scene.run.reach(scene.step(t))
        return self.written_by[view](scene, t)

    def levels(self, settings: JumpsSettings) -> tuple[str, ...]:
        return "Sweep", "Beat"

    def frames(self, scene: MixtureScene[JumpsSettings], sweep: int) -> int:
        return int(self.opened(scene, sweep).total)

    def opened(self, scene: MixtureScene[JumpsSettings], sweep: int) -> Any:
        """Return the move of a sweep, opened."""
        return opened(scene.key, scene.run, sweep)

    def open(self, place: Place[JumpsSettings], mark: Open) -> None:
        """Open this sweep: a move where a point of its last scan is in hand; other marks as in `PointsStage`."""
        if mark.what == "count":
            super().open(place, mark)
            return
        scene = self.scene(place.settings, place.seed)
        sweep = max(1, scene.step(place.t))
        frame = self.frame_of(self.opened(scene, sweep), mark.which - 1)
        place.change(step_by="update", sweep=sweep)
        place.view = "update"
        place.move(frame)

    def frame_of(self, move: Any, point: int) -> int:
        """Return the frame of an opened move at which a point is in hand, if it ever is."""
        points = move.move.points
        return int(move.first + points.index(point)) if point in points else 1

    def actions(self, place: Place[JumpsSettings]) -> Iterable[Tool]:
        def go() -> None:
            place.change(step_by="update", sweep=place.t)
            place.view = "update"
            place.move(0)

        if place.view in BEATS and place.settings.opened is None and place.t:
            yield Press(self.opening_words, go, ":material/zoom_in:")


class Ladders(Moves):
    """The stage of parallel tempering."""

    sweeps = ladder.ladder_sweeps_film
    beats = ladder.swap_film
    opening_words = "Open these swaps"
    written_by: ClassVar = {
        "update": lambda scene, t: ladder_cards.step(scene, t, ladder.WORDS),
        "code": ladder_cards.code,
    }

    def frame_of(self, move: Any, point: int) -> int:
        return SWEPT
