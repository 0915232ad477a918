"""The page of a topic: text on the left, the stage on the right, the inspector below the stage."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from typing import Any, ClassVar, Generic

import streamlit as st

from lessons.stages.settings import Settings
from pages.drawing.numbers import counted
from pages.drawing.plates import Diagram, panel
from pages.player.cards import cards
from pages.player.events import Dialled, Event, Guess, Move, Open, Rest, Touch, Turn, Zoom
from pages.player.player import Film, draw_again, message, play
from pages.player.turns import NotYet, one_slice
from pages.shell import goals, guess
from pages.shell.controls import dialled, dials
from pages.shell.cover import cover
from pages.shell.frame import frame
from pages.shell.page import begin, stay
from pages.shell.state import Topic, topic
from pages.shell.text import text
from pages.shell.widgets import bound, forget_press, pressed
from pages.shell.withheld import Withheld, withheld
from pages.take.moment import Moment, Shown

ASK_AGAIN = 0.25  # seconds after which the browser asks for the next slice of what is being waited for
WAITED = "waited for"
MODEL = "model"  # the view that all topics share


class Stage(ABC, Generic[Settings]):
    """Where a sampler, its controls and its charts meet; its settings say which views and charts there are.

    Attributes
    ----------
    name : str
        The name that lessons use: that of the stage's package.
    whole : str
        What the setting ``step_by`` is when the whole run is shown, and no close-up; "" where there are none.
    drawn : tuple of str
        The views of the inspector that hold widgets or charts, which a script draws; all others are cards alone.
    about : tuple of str
        Those that are what a lesson's step is about when it opens them, more than the picture above.
    opens : tuple of str
        Kinds of marks that a click opens: the word before the dash in their names.
    """

    name: ClassVar[str]
    whole: ClassVar[str] = ""
    drawn: ClassVar[tuple[str, ...]] = ()
    about: ClassVar[tuple[str, ...]] = ()
    opens: ClassVar[tuple[str, ...]] = ()
    by_name: ClassVar[dict[str, type[Stage[Any]]]] = {}  # those whose code has been loaded

    def __init_subclass__(cls) -> None:
        """Name the stage."""
        cls.name = cls.__module__.rpartition(".")[2]
        cls.by_name[cls.name] = cls

    @abstractmethod
    def film(self, settings: Settings, seed: int) -> Film:
        """Return the film of these settings and this seed."""

    @abstractmethod
    def cards(self, settings: Settings, seed: int, view: str, t: int) -> str:
        """Return a view of the inspector at iteration t as HTML, other than those that are `drawn`.

        It depends on its arguments alone, and may raise `NotYet`. Nothing may be `missing`, and t lies between 0 and
        the iterations of the settings.
        """

    def moment(self, settings: Settings, seed: int, t: int) -> Moment:
        """Return what is on the screen in frame t, to be taken away; nothing may be `missing`, and it may wait."""
        frame = None if settings.opened is None else t
        step = t if settings.opened is None else settings.opened
        return Moment(self.chains(settings, seed, step), settings.origins(), self.more(settings, seed, t), frame)

    def chains(self, settings: Settings, seed: int, t: int) -> Sequence[Shown]:
        """Return the chains that are on the screen at iteration t of the run."""
        return [Shown(settings.sampler(), seed, t)]

    def more(self, settings: Settings, seed: int, t: int) -> Mapping[str, Any]:
        """Return what the page makes of the state in frame t, as `Moment` has it; by default nothing."""
        return {}

    def model(self, settings: Settings, seed: int, t: int) -> Diagram:
        """Return the model as a picture, with what frame t redraws, where there is a view of it; may raise `NotYet`."""
        raise NotImplementedError

    def written(self, settings: Settings, seed: int, view: str, t: int) -> str:
        """Return a view as HTML: the model, which all topics draw alike, or one of the stage's own `cards`."""
        return panel(self.model(settings, seed, t)) if view == MODEL else self.cards(settings, seed, view, t)

    def inspect(self, place: Topic[Settings]) -> None:
        """Draw one of the views that are `drawn`, for the iteration at which the player rests."""
        return

    def extra(self, place: Topic[Settings]) -> None:
        """Draw below the controls, an upload for example; by default nothing."""
        return

    def opening(self, place: Topic[Settings]) -> None:
        """Draw above the controls in free play; by default nothing."""
        return

    def missing(self, settings: Settings) -> str | None:
        """Return a sentence on what the learner must load before anything can play; None if nothing is missing."""
        return None

    def measured(self, settings: Settings, seed: int, t: int) -> Mapping[str, float]:
        """Return the outcomes of a run on the learner's own data, which settings alone do not hold; by default none."""
        return {}

    def actions(self, place: Topic[Settings]) -> None:
        """Draw buttons beside the inspector's views; by default none."""
        return

    def levels(self, settings: Settings) -> Sequence[str]:
        """Return what Step can go by, from far to near, where another film shows the same run from nearer."""
        return ()

    def zoom(self, place: Topic[Settings], level: str) -> None:
        """Go to the same place of the run in the film that is stepped through by one of the `levels`."""
        raise NotImplementedError

    def follows(self, settings: Settings) -> bool:
        """Return whether a drag is told before it is over."""
        return False

    def touched(self, place: Topic[Settings], touch: Touch) -> None:
        """Handle a click or a drag on a chart that has a `hand`; only what `follows` is not yet over."""
        raise NotImplementedError

    def open(self, place: Topic[Settings], mark: Open) -> None:
        """Go to what a mark stands for that was clicked; it is of a kind that `opens`."""
        raise NotImplementedError

    def moved(self, place: Topic[Settings], move: Move) -> None:
        """Put what can be moved on the cards into another order; by default there is no such thing."""
        return


def show(stage: Stage) -> None:
    """Draw a topic's page."""
    begin()
    place = topic(stage.name)
    if place.cover and not st.context.is_embedded:
        place.covered = True
        cover(place)
        return
    views = _views(place, withheld(place))
    if views and place.view not in views:
        place.view = views[0]
    alone = bool(st.context.is_embedded) and place.current() is None
    stand, words = _halves(alone=alone)
    if not alone:
        with words, st.container(key="text"):
            place.read = (place.lesson, place.step)
            text(place, stage.extra, stage.opening)
    with stand, st.container(key="stage"):
        missing = stage.missing(place.settings)
        if not missing:
            current = place.current()
            frame(current[0].charts_for(current[1]) if current else (), cards=bool(views))
        if missing:
            st.info(missing, icon=":material/upload_file:")
        elif _play(stage, place):
            _inspect(stage, place)
    forget_press()


def _halves(*, alone: bool) -> Sequence[Any]:
    """Return where the stage stands, first for the keyboard and on a phone, and where the text does."""
    return [st.container(), None] if alone else st.columns([0.71, 0.29], gap="medium")


@st.fragment(key="stage")
def _play(stage: Stage, place: Topic) -> bool:
    """Mount the player; if the film takes longer than a slice, say how far it is, and return False."""
    _check(stage, place)
    with one_slice():
        try:
            film = stage.film(place.settings, place.seed)
        except NotYet as wait:
            where, last = place.screened
            if last and where == (place.lesson, place.step):
                _mount(stage, place, last)  # what is being turned or dragged there must stay
            _wait_for(wait, stage, place)
            return False
        place.screened = (place.lesson, place.step), film
        place.t = min(place.t, film.total)  # settings alone do not know how many points a learner's own data have
        _mount(stage, place, film)
    return True


def _check(stage: Stage, place: Topic) -> None:
    """Begin the page anew if a learner's own data are gone, or if its text is another step's: it ran long before."""
    stay()
    if stage.missing(place.settings) or place.read not in (None, (place.lesson, place.step)):
        st.rerun()


def _mount(stage: Stage, place: Topic, film: Film) -> None:
    kept = withheld(place)
    current = place.current()
    data = message(
        film,
        place.reel,
        at=place.t,
        source=place.source(),
        link=place.link(),
        covered=place.covered,
        until=current[1].until if current else None,
        lock=kept.lock,
        charts=current[0].charts_for(current[1]) if current else (),
        hide=kept.charts,
        quiet=kept.captions,
        dials=dials(place),
        levels=stage.levels(place.settings),
        opens=stage.opens,
        follows=stage.follows(place.settings),
        ask=guess.asked(place),
    )
    play(data, film, place.reel, lambda event: _hear(event, stage, place, film))


def _hear(event: Event, stage: Stage, place: Topic, film: Film) -> Sequence[str]:
    """Take in what a learner did with the player, and return which parts of the page run again."""
    match event:
        case Turn():
            place.turn(event.by)
            return ("app",)
        case Rest():
            was_done = _is_done(place)
            place.t = max(0, min(event.t, film.total))
            return ("stage", "readout") if _is_done(place) == was_done else ("app",)  # the stage says that it was heard
        case Touch() if event.hand in film.params:
            if not stage.missing(place.settings) and (event.done or stage.follows(place.settings)):
                stage.touched(place, event)
            return ("app",) if event.done else ("stage", "readout")  # a control may show the same number
        case Zoom() if event.level in stage.levels(place.settings):
            place.t = max(0, min(event.t, film.total))
            stage.zoom(place, event.level)
            place.view = next(iter(place.settings.views))
            return ("app",)
        case Open() if event.what in stage.opens:
            place.t = max(0, min(event.t, film.total))
            stage.open(place, event)
            return ("app",)
        case Move() if not stage.missing(place.settings):
            stage.moved(place, event)
            return ("app",)
        case Guess():
            guess.placed(place, event.value)
            return ("app",)
        case Dialled():
            dialled(place, event)
            if event.done:
                return ("app",)  # until then the charts alone follow
    return ("stage",)


def _is_done(place: Topic) -> bool:
    current = place.current()
    return current is not None and goals.is_done(place, *current)


def _views(place: Topic, kept: Withheld) -> list[str]:
    """Return the views that the learner can open now."""
    return [view for view in place.settings.views if view not in kept.views]


@st.fragment(key="readout")
def _inspect(stage: Stage, place: Topic) -> None:
    _check(stage, place)
    kept = withheld(place)
    views = _views(place, kept)
    if not views:
        return

    def choose(view: str) -> None:
        place.view = view
        draw_again(["stage", "readout"])  # the stage, because the link names the view

    look = bound(place, f"view {place.lesson} {place.step} {' '.join(views)}", place.view, choose)
    bar = st.container(horizontal=True, vertical_alignment="center", key="views")
    with bar:
        st.segmented_control(
            "Inspector",
            views,
            format_func=place.settings.views.__getitem__,
            required=True,
            label_visibility="collapsed",
            default=look.pop("value"),
            **look,
        )
    with one_slice():
        try:
            if not kept.controls:
                with bar:
                    stage.actions(place)
            about = place.current() and place.view in stage.about  # it stands on the screen: the picture is lower
            with st.container(key="about") if about else nullcontext(), st.container(key="inspector"):
                _view(stage, place)
            if goals.look(place, stage.measured):
                st.rerun()
        except NotYet as wait:
            _wait_for(wait, stage, place)


def _view(stage: Stage, place: Topic) -> None:
    """Draw the view that is open; cards that take longer than a slice are left to the browser, which asks for them."""
    film = place.screened[1]
    assert film is not None  # the player stands above
    if place.view in stage.drawn:
        film.reach(place.t)
        stage.inspect(place)
        return
    try:
        film.reach(place.t)
        html = stage.written(place.settings, place.seed, place.view, place.t)
    except NotYet:
        html = ""
    cards(html, place.source(), place.view, place.t)


def _wait_for(wait: NotYet, stage: Stage, place: Topic) -> None:
    """Say how far something is that takes longer than a slice, and go on while the browser asks; or say why not."""
    interval = None if wait.endless else ASK_AGAIN
    st.fragment(_wait, run_every=interval)(wait, stage, place)


def _wait(wait: NotYet, stage: Stage, place: Topic) -> None:
    if st.session_state.get(WAITED) is not wait:  # it has had its slice when it was first drawn
        st.session_state[WAITED] = wait
    elif not wait.endless:
        try:
            with one_slice():
                wait.more()
        except NotYet as still:
            wait = still
        else:
            st.rerun()
    if wait.endless:
        st.warning(
            f"**{wait}.** The rest would take about {_in_words(wait.left)} of computing, which is too long to wait "
            "for. Look at an earlier one, or take fewer data.",
            icon=":material/hourglass_disabled:",
        )
    else:
        left = f", about {_in_words(wait.left)} of computing left" if wait.left >= 1 else ""
        st.progress(min(max(wait.share, 0.0), 1.0), f"{wait}{left}")
    if place.settings.opened is not None and pressed(
        "Stop", icon=":material/stop:", help="Go to where the run has got to"
    ):
        place.change(step_by=stage.whole)
        place.move(wait.iteration)
        st.rerun()


def _in_words(seconds: float) -> str:
    """Return a time in whole seconds or minutes."""
    number, unit = (round(seconds), "second") if seconds < 90 else (round(seconds / 60), "minute")
    return counted(number, unit)
