"""The state of a session: one typed object per topic."""

from collections import deque
from dataclasses import dataclass, field
from typing import Any, Generic
from urllib.parse import urlencode

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from lessons.catalogue import topic_info
from lessons.course.plan import moment
from lessons.flow import Place, Screen, screen, source_of
from lessons.format.lesson import Lesson, Step
from lessons.linked import OWN_KEYS, address, misspelt, read, silent
from lessons.settings.settings import Settings
from lessons.topics import STAGES
from pages.drawing.markdown import plain
from pages.lesson import drafts
from pages.lesson.address import parameters
from pages.lesson.answers import answered, hear_first, known, leave_at
from pages.lesson.lessons import COURSE, library, plan
from pages.lesson.options import wants
from pages.lesson.widgets import Drawn
from pages.player.player import Reel


@dataclass
class Visit(Generic[Settings]):
    """The place of a learner in one topic as its session keeps it, with what its page remembers.

    The fields that topics know are described in `pages.contract.place.Place`.
    """

    stage: str
    settings: Settings
    seed: int = 7
    t: int = 0
    lesson: str | None = None
    step: str | None = None
    view: str = ""
    far: int = 0  # see `lessons.flow.Place`
    held: bool = False  # whether a hand is on a chart or a dial: what is passed on the way reaches no goal
    notes: list[str] = field(default_factory=list)  # on the parts of a link that could not be used as they were
    gone: str = ""  # a sentence about a lesson or step that no longer exists, or a lesson that is not open yet
    reel: Reel = field(default_factory=Reel)  # where the browser's player is
    screened: tuple[str | None, str | None, Settings, int] | None = None  # lesson, step and run of the last film
    own: str = ""
    lent: str = ""  # the digest of the data of the lesson that was opened last
    cover: bool = False  # whether the topic's cover is open
    covered: bool = False  # whether the cover was drawn since the learner came to the page
    read: tuple[str | None, str | None] | None = None  # the lesson and the step whose text was drawn last
    guesses: dict[str, int | None] = field(default_factory=dict)
    widgets: dict[str, Drawn] = field(default_factory=dict)  # see `pages.lesson.widgets`
    links: deque[str] = field(default_factory=lambda: deque(maxlen=200))  # links that this page wrote itself
    followed: str | None = None  # the last link that was followed, until the player has written its own

    # ---- the place as a value --------------------------------------------------------------------------------------

    def here(self) -> Place[Settings]:
        """Return the place as a value."""
        lesson, step = self.current() or (None, None)
        where = self.seed, self.t, self.view, self.own, self.lent, self.far
        return Place(self.stage, self.settings, lesson, step, *where)

    def screen(self) -> Screen:
        """Return the learner's screen."""
        return screen(self.here(), known())

    def _go(self, there: Place[Settings]) -> None:
        """Go to another place of the same step."""
        self.settings, self.seed, self.t, self.view = there.settings, there.seed, there.t, there.view
        self.own, self.lent = there.own, there.lent
        if there.walks is not None:
            self.reel.go_to(self.t, walk=there.walks)

    # ---- lessons ---------------------------------------------------------------------------------------------------

    def current(self) -> tuple[Lesson, Step] | None:
        """Return the open lesson and step, or None in free play."""
        lesson = library().lesson(self.lesson) if self.lesson else None
        if lesson is None or lesson.stage != self.stage:
            return None
        step = next((step for step in lesson.pages if step.id == self.step), lesson.steps[0])
        return lesson, step

    @property
    def shown(self) -> tuple[str, ...]:
        """The names of the controls that the step shows; all of them in free play."""
        return self.here().shown

    def open(self, lesson: Lesson, step: Step) -> None:
        """Go to a step of a lesson; see `lessons.flow.Place.opened`."""
        there = self.here().opened(lesson, step)
        if step.kind != "end" or self.lesson != lesson.id:
            leave_at(lesson, step)
            self.cover, self.notes, self.gone = False, [], ""
        self.lesson, self.step, self.far = lesson.id, step.id, 0
        self._go(there)

    def leave_lesson(self) -> None:
        """Play freely from here."""
        self.cover = False
        self.lesson = self.step = None
        self.notes, self.gone = [], ""

    # ---- changes ---------------------------------------------------------------------------------------------------

    def move(self, t: int, *, walk: bool = False) -> None:
        """Send the player to an iteration."""
        self._go(self.here().moved(t, walk=walk))

    def change(self, **changes: Any) -> None:
        """Change settings; the iteration stays the same, or the last one if the new run is shorter."""
        self._go(self.here().changed(**changes))
        self.notes = []

    def answered(self) -> None:
        """Do what the step says under `then`."""
        self._go(self.here().answered())
        self.notes = []

    # ---- the address bar -------------------------------------------------------------------------------------------

    def link(self) -> str:
        """Return the short query string of this place without the iteration, which the player adds."""
        link = address(self.here())
        if link not in self.links:
            self.links.append(link)
        return link

    def source(self) -> str:
        """Return topic, settings and seed; see `lessons.flow.source_of`."""
        return source_of(self.stage, self.settings, self.seed)

    def follow(self, values: dict[str, str], *, again: bool = False, arrived: bool = False) -> None:
        """Go where the address bar says, unless this page wrote that address itself.

        With `again`, also go to an address that the page wrote: Back and Forward lead there. Whoever has `arrived` from
        another page goes to any address. Parameters that are not part of our links belong to others (embed, utm_source
        …) and stay in the address.
        """
        names, odd = (*OWN_KEYS, *type(self.settings).model_fields), misspelt(self.stage, values, [COURSE])
        values = {name: value for name, value in values.items() if name in names}
        asked = urlencode({name: value for name, value in values.items() if name != "t"})
        own = "t" in values and not arrived  # the player never leaves the iteration out
        here = own and bool(self.links) and asked in (self.link(), self.here().link)
        known = asked in self.links or asked == self.followed
        if not values or here or (known and not (again or arrived)):
            self.followed = asked if asked == self.followed else None
            return
        notes = self._follow_lesson(values)
        there, more = read(self.here(), values)
        self._go(there)
        notes += [*more, *odd]
        current = self.current()
        if current and current[1].kind == "predict" and answered(*current) is None:
            self.t = current[1].at or 0  # the link may come from after the answer, and would show it
        self.move(self.t)
        self.notes = notes
        self.followed = asked  # last: if a click interrupts this run, the next one must follow the link again

    def miss(self) -> None:
        """Leave an open lesson or step that no longer exists, with a sentence that says so."""
        lesson = library().lesson(self.lesson) if self.lesson else None
        if self.lesson and (lesson is None or lesson.stage != self.stage):
            self.leave_lesson()
            self.gone = "The lesson that you had open is no longer here. This is free play."
        elif lesson and self.step not in [step.id for step in lesson.pages]:
            self.open(lesson, lesson.steps[0])
            self.gone = "The step that you had open is no longer here. This is the lesson's first one."
        elif lesson:
            self._take_news(lesson)

    def _take_news(self, lesson: Lesson) -> None:
        """Go on with the data that the open lesson has now, where those that it had are in use."""
        before, self.lent = self.lent, lesson.held.digest if lesson.held else ""
        now: Any = self.settings
        if before and self.lent not in ("", before) and now.own == before:
            self.settings = now.model_copy(update={"own": self.lent})
            self.move(self.t)

    def _follow_lesson(self, values: dict[str, str]) -> list[str]:
        """Open the lesson and step of the link, or else free play; return notes on names that were not found."""
        lesson = library().lesson(values["lesson"]) if "lesson" in values else None
        if lesson and lesson.draft and not drafts.seen() and not wants("instructor"):
            lesson = None
        opens = plan().opens(lesson) if lesson and not drafts.seen() else None  # its author need not wait
        if lesson is None or lesson.stage != self.stage or opens:
            self.leave_lesson()
            meant = silent(self.stage)
            self.settings, self.seed, self.t, self.view = meant.settings, meant.seed, 0, meant.view
            if lesson and opens:
                self.gone = f"The lesson **{plain(lesson.title)}** opens on {moment(opens)}. Until then, play freely."
                return []
            if lesson:
                return [
                    f"The lesson “{lesson.title}” is in the topic {topic_info(lesson.stage).title}; this is free play."
                ]
            if "lesson" in values:
                return ["There is no lesson of that name here; this is free play."]
            return ["The link names a step, but no lesson; this is free play."] if "step" in values else []
        asked = values.get("step", lesson.steps[0].id)
        step = next((step for step in lesson.pages if step.id == asked), lesson.steps[0])
        self.open(lesson, step)
        self.t = step.at or 0
        return [] if step.id == asked else [f"This lesson has no step of that name; it opens at “{step.title}”."]


def arrive(page: str) -> bool:
    """Return whether the learner has just come to this page; every page calls this when it begins."""
    before, st.session_state["page"] = st.session_state.get("page"), page
    return bool(before != page)


def went_back() -> bool:
    """Return whether the learner came by the browser's Back or Forward."""
    context = get_script_run_ctx()
    return context is not None and context.is_history_navigation


def visit(stage: str) -> Visit:
    """Return this session's place in a topic, moved to where the address bar says."""
    key = f"topic {stage}"
    if key not in st.session_state:
        settings = STAGES[stage]()
        st.session_state[key] = Visit(stage, settings, view=next(iter(settings.views)))
    place: Visit = st.session_state[key]
    values = parameters()
    if "lesson" in values:
        hear_first()  # the step opens differently if its question has been answered
    arrived, again = arrive(stage), went_back()
    if arrived:
        place.screened = None  # the player that showed it is gone
    place.follow(values, again=again, arrived=arrived)
    if arrived or again:  # a link that names a place leads there, any other to the cover
        place.covered = False
        place.cover = not {*OWN_KEYS, *type(place.settings).model_fields} & {*values}
    place.miss()
    return place


def known_visit(stage: str) -> Visit | None:
    """Return this session's place in a topic; None if the learner has not been there."""
    return st.session_state.get(f"topic {stage}")
