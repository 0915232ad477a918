"""The page of a topic: text on the left, the stage on the right, the inspector below the stage."""

from collections.abc import Container, Sequence
from contextlib import nullcontext, suppress
from typing import Any

import streamlit as st

from lessons.flow import Screen, source_of
from pages.contract.events import Dialled, Event, Rest, Touch, Turn
from pages.contract.film import Film
from pages.contract.following import follow
from pages.contract.stage import Stage, stage_of
from pages.contract.waiting import NotYet
from pages.drawing.numbers import counted
from pages.lesson import goals, tools
from pages.lesson.controls import offers
from pages.lesson.cover import cover
from pages.lesson.drop import drop
from pages.lesson.frame import frame
from pages.lesson.page import begin, stay
from pages.lesson.state import Visit, visit
from pages.lesson.text import text
from pages.lesson.widgets import bound, forget_press, pressed
from pages.player.cards import cards
from pages.player.player import Message, draw_again, message, play
from pages.player.turns import one_slice

ASK_AGAIN = 0.25  # seconds after which the browser asks for the next slice of computing
WAITED = "waited for"


def show(name: str) -> None:
    """Draw a topic's page."""
    begin()
    place = visit(name)
    if place.cover and not st.context.is_embedded:
        place.covered = True
        cover(place)
        return
    seen = place.screen()
    if seen.views and place.view not in seen.views:
        place.view = seen.views[0]
    alone = bool(st.context.is_embedded) and place.current() is None
    halves: Sequence[Any] = [st.container(), None] if alone else st.columns([0.71, 0.29], gap="medium")
    stand, words = halves  # the stage comes first, for the keyboard and on a phone
    picture = stand.container(key="stage")
    with picture:
        frame(seen.charts, cards=bool(seen.views))
    if not alone:
        with words, st.container(key="text"):
            place.read = (place.lesson, place.step)
            text(place)
    stage = stage_of(name)
    with picture:
        drop(place)
        if missing := stage.missing(place.settings):
            st.info(missing, icon=":material/upload_file:")
        else:
            _prepare(stage, place)
            if _play(stage, place):
                _inspect(stage, place)
    forget_press()


def _prepare(stage: Stage, place: Visit) -> None:
    """Have made ahead what this step of a lesson shows, before and after its answer, and what the next step shows."""
    current = place.current()
    if current is None:
        return
    lesson, step = current
    at = lesson.pages.index(step)
    here, *others = lesson.pages[at : at + 2]
    wanted = [(here, lesson.settings_for(here)), (here, lesson.settings_after(here))]
    wanted += [(other, lesson.settings_for(other)) for other in others]
    for one, settings in wanted:
        if settings.many and not stage.missing(settings):
            stage.prepare(settings, lesson.seed_for(one))


@st.fragment(key="stage")
def _play(stage: Stage, place: Visit) -> bool:
    """Mount the player; if the film takes longer than a slice of computing, draw the progress and return False."""
    _check(stage, place)
    with one_slice():
        try:
            film = stage.film(place.settings, place.seed)
        except NotYet as wait:
            if last := _last(stage, place):  # the learner may be turning or dragging something there
                _mount(stage, place, *last)
            else:
                st.empty()  # a fragment finds its place by its number
            _wait_for(wait, stage, place)
            return False
        place.screened = place.lesson, place.step, place.settings, place.seed
        place.t = min(place.t, film.total)  # settings may allow for more
        _mount(stage, place, film, place.source())
    _waited()
    return True


def _last(stage: Stage, place: Visit) -> tuple[Film, str] | None:
    """Return the film that this step showed last, with its source, if the server still has it."""
    if place.screened is None or place.screened[:2] != (place.lesson, place.step):
        return None
    try:
        return stage.film(*place.screened[2:]), source_of(place.stage, *place.screened[2:])
    except NotYet:
        return None


def _check(stage: Stage, place: Visit) -> None:
    """Draw the page again if the learner's own data are gone, or if its text is of another step."""
    stay()
    if stage.missing(place.settings) or place.read not in (None, (place.lesson, place.step)):
        st.rerun()


def _mount(stage: Stage, place: Visit, film: Film, source: str) -> None:
    total, hands = film.total, frozenset(film.params)
    data = message_of(stage, place, film, source)
    play(data, film.chain, place.reel, lambda event: _hear(event, stage, place, total, hands))


def message_of(stage: Stage, place: Visit, film: Film, source: str) -> Message:
    """Return the player's message for a place: its film, by its source, and what the learner can see and do there."""
    seen = place.screen()
    return message(
        film,
        place.reel,
        seen,
        at=min(place.t, film.total),
        source=source,
        link=place.here().link,
        address=place.link(),
        covered=place.covered,
        offers=offers(stage, place, seen.controls),
    )


def _hear(event: Event, stage: Stage[Any], place: Visit, total: int, hands: Container[str]) -> Sequence[str]:
    """Handle an event of the player, and return the parts of the page that must run again."""
    before = place.screen()
    place.held = isinstance(event, Touch | Dialled) and not event.done
    if isinstance(event, Turn) and event.by > 0:  # Play has come to this chapter's end, and does not rest there
        _at_end(place, total)
    if not follow(event, stage, place, total, hands):
        return ("stage",)
    if isinstance(event, Rest):
        place.far = max(place.far, place.t)
    match event:
        case Rest() if place.screen().done == before.done and not _at_a_desk(place, before):
            return ("stage", "readout")  # the stage confirms the report
        case Touch(done=False):
            return ("stage", "readout")  # a control may show the number as well
        case Dialled(done=False):
            return ("stage",)  # until it is let go only the charts follow
    return ("app",)


def _at_end(place: Visit, total: int) -> None:
    """Tick the goals that hold at the end of a film."""
    place.t = total
    with suppress(NotYet):  # outcomes of a run, which a chapter of it does not have
        goals.look(place)


def _at_a_desk(place: Visit, seen: Screen) -> bool:
    """Return whether the learner writes a rule that the stage plays: the desk has the numbers of its update."""
    question = seen.question
    return question is not None and question.step.form.problem in place.settings.ruled


@st.fragment(key="readout")
def _inspect(stage: Stage, place: Visit) -> None:
    _check(stage, place)
    seen = place.screen()
    bar = _views(place, seen.views) if seen.views else None  # a wall has none
    with one_slice():
        try:
            if bar:
                if not seen.locked:
                    with bar:
                        tools.draw(place, stage.actions(place))
                about = place.current() and place.view in stage.about  # then the main picture is lower
                with st.container(key="about") if about else nullcontext(), st.container(key="inspector"):
                    _view(stage, place)
            if goals.look(place):
                st.rerun()
            _waited()
        except NotYet as wait:
            _wait_for(wait, stage, place)


def _views(place: Visit, views: Sequence[str]) -> Any:
    """Draw the views to choose from, and return the bar that they are in."""

    def choose(view: str) -> None:
        place.view = view
        draw_again(["stage", "readout"])  # the stage, because the link names the view

    look = bound(place, "view", place.view, choose, among=(place.lesson, place.step, views))
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
    return bar


def _view(stage: Stage, place: Visit) -> None:
    """Draw the open view; the browser asks later for cards that take longer than a slice of computing."""
    try:
        stage.film(place.settings, place.seed).reach(place.t)
        html = stage.written(place.settings, place.seed, place.view, place.t)
    except NotYet:
        html = ""
    cards(html, place.source(), place.view, place.t)


def _wait_for(wait: NotYet, stage: Stage, place: Visit) -> None:
    """Draw the progress of a long computation, and go on with it at each request; or explain that it is too long."""
    interval = None if wait.endless else ASK_AGAIN
    st.fragment(_wait, run_every=interval)(wait, stage, place)


def _waited() -> None:
    """Clear the place of `_wait_for`: Streamlit keeps what an inner fragment drew when the outer one runs again."""
    st.empty()


def _wait(wait: NotYet, stage: Stage, place: Visit) -> None:
    if st.session_state.get(WAITED) is not wait:  # the first slice was computed before this was drawn
        st.session_state[WAITED] = wait
    elif not wait.endless:
        try:
            with one_slice():
                wait.more()
        except NotYet as still:
            wait = still
        else:
            del st.session_state[WAITED]
            st.rerun()
    if wait.endless:
        st.warning(
            f"**{wait}.** The rest would take about {_in_words(wait.left)} of computing, which is too long to wait "
            "for. Look at an earlier iteration, or use fewer data.",
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
    """Return a duration in words, in whole seconds or minutes."""
    number, unit = (round(seconds), "second") if seconds < 90 else (round(seconds / 60), "minute")
    return counted(number, unit)
