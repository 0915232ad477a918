"""An event of the player changes its place in the same way for all hosts."""

from collections.abc import Container
from typing import Any, get_args

from lessons.settings.settings import ONE
from pages.contract.events import Dialled, Event, Move, Open, Rest, Touch, Turn, Zoom
from pages.contract.place import Place
from pages.contract.stage import Stage

RUN = "run"  # a tile of a wall


def follow(event: Event, stage: Stage[Any], place: Place[Any], total: int, hands: Container[str]) -> bool:
    """Change a place as an event of the player asks for.

    The arguments hold only what is needed of a film: a reference to the film would keep it in memory, when the server
    wants to drop its run.

    Parameters
    ----------
    event : Event
        What the player reports.
    stage : Stage
        The topic.
    place : Place
        Where the learner is; it is changed.
    total : int
        The last iteration of the film.
    hands : container of str
        The film's parameters, among them those that a learner can drag.

    Returns
    -------
    bool
        Whether the event means something here: it may have crossed with a change of page.
    """
    settings = place.settings
    if isinstance(event, Rest | Zoom | Open):
        at = max(0, min(event.t, total))
    match event:
        case Rest():
            place.t = at
        case Turn():
            turn(place, event.by)
        case Touch() if event.hand in hands:
            if not stage.missing(settings) and (event.done or stage.follows(settings)):
                stage.touched(place, event)
        case Zoom() if event.level in stage.levels(settings):
            place.t = at
            stage.zoom(place, event.level)
            place.view = next(iter(place.settings.views))
        case Open() if event.what == RUN and settings.many:
            place.t = at
            place.seed = settings.first_on_wall(place.seed) + event.which - 1
            place.change(runs=ONE)
        case Open() if event.what in stage.opens:
            place.t = at
            stage.open(place, event)
        case Move() if not stage.missing(settings):
            stage.moved(place, event)
        case Dialled():
            dialled(place, event)
        case _:
            return False
    return True


def turn(place: Place[Any], by: int) -> None:
    """Go to the start of the next chapter of a run, or to the end of the previous one."""
    settings = place.settings.chapter(by)
    if settings is not None:
        place.settings, place.t = settings, 0 if by > 0 else settings.iterations


def dialled(place: Place[Any], told: Dialled) -> None:
    """Set the value to which a learner has turned a dial, and the iteration."""
    if told.name in place.settings.dials:  # the report may have crossed with a change of page
        kind: Any = type(place.settings).model_fields[told.name].annotation
        place.t = told.t
        options = get_args(kind)
        place.change(**{told.name: options[int(told.value)] if options else kind(told.value)})
