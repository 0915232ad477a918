"""The host of bare stages: an address leads to a place, and an event of the player to the next one.

It keeps nothing, on either side: an address, with an event if there is one, has all that an answer depends on, besides
the lessons as they are now. No answer of a learner's is read.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, TypedDict

from pydantic import ValidationError

from lessons.course.plan import Plan, moment
from lessons.flow import Answers, Place, screen
from lessons.format.lesson import Lesson
from lessons.linked import address, misspelt, read, silent
from lessons.topics import STAGES
from pages.contract.events import heard
from pages.contract.following import follow
from pages.contract.stage import Stage, stage_of
from pages.embed.standing import Standing
from pages.http.errors import BadAddressError
from pages.lesson.controls import offers
from pages.lesson.lessons import lessons_now
from pages.player.player import Message, Reel, message

KEYS = ("charts", "answered", "theme", "event")  # what the address of a stage has besides those of its place
ANSWERED = "answered"  # also the event that uncovers the answer


class Staged(TypedDict):
    """The answer to the browser: the player's message, and what is around it."""

    message: Message
    views: list[tuple[str, str]]  # of the inspector: name and title
    view: str  # the open one; "" if none is
    notes: list[str]  # on parts of the address that could not be used as they were
    asks: bool  # whether the lesson asks first, and hides something until then
    answered: bool
    walks: bool | None  # whether the player is sent to the message's iteration, and step by step


@dataclass(frozen=True)
class Asked:
    """An address, read."""

    place: Place[Any]
    charts: tuple[str, ...]  # those to show; empty for all
    answered: bool  # whether the step's question counts as answered
    opened: bool  # whether the cards are open
    notes: tuple[str, ...] = ()

    @property
    def answers(self) -> Answers:
        """The answers with which the screen is drawn: none, or the right one."""
        lesson, step = self.place.lesson, self.place.step
        if not (self.answered and lesson and step and step.choices):
            return Answers()
        return Answers().with_one(lesson, step, step.answers.right_keys)


def asked(topic: str, values: Mapping[str, str]) -> Asked:
    """Return the place and the parts that an address names.

    Raises
    ------
    BadAddressError
        If it names no topic, or a lesson, a step or a chart that is not there: the figure would be another one.
    """
    if topic not in STAGES:
        raise BadAddressError(f"There is no topic “{topic[:40]}”.")
    place = silent(topic)
    if "lesson" in values:
        place = _in_lesson(place, values)
    place, notes = read(place, values)
    charts = tuple(filter(None, values.get("charts", "").split(",")))
    for name in charts:
        if name not in place.settings.charts:
            raise BadAddressError(f"There is no chart “{name[:40]}” here: {', '.join(place.settings.charts)}.")
    notes += misspelt(topic, values, KEYS)
    ask = Asked(place, charts, values.get(ANSWERED) == "1", "view" in values, tuple(notes))
    if _waits(ask) and place.step and place.step.kind == "predict":  # the address may come from after the answer
        return replace(ask, place=place.moved(place.step.at or 0))
    return ask


def _in_lesson(place: Place[Any], values: Mapping[str, str]) -> Place[Any]:
    known = lessons_now()
    lesson = known.lesson(values["lesson"])
    if lesson is None or lesson.draft or lesson.stage != place.stage:
        raise BadAddressError("There is no lesson of that name in this topic.")
    _is_open(lesson, Plan(known.lessons, known.courses.get(""), datetime.now().astimezone()))
    named = values.get("step", lesson.steps[0].id)
    step = next((step for step in lesson.pages if step.id == named), None)
    if step is None:
        raise BadAddressError("This lesson has no step of that name.")
    return place.opened(lesson, step)


def _is_open(lesson: Lesson, plan: Plan) -> None:
    if opens := plan.opens(lesson):
        raise BadAddressError(f"The lesson “{lesson.title}” opens on {moment(opens)}.")


def staged(ask: Asked, event: str = "") -> Staged:
    """Return the stage of an address, after an event if there is one; may raise `NotYet`.

    Raises
    ------
    BadAddressError
        If the event is none, or data are missing.
    """
    stage = stage_of(ask.place.stage)
    if missing := stage.missing(ask.place.settings):
        raise BadAddressError(missing)
    after = _after(ask, event, stage) if event else replace(ask, place=replace(ask.place, walks=None))
    return _told(after, stage)


def _after(ask: Asked, event: str, stage: Stage[Any]) -> Asked:
    """Return the address to which an event of the player leads."""
    place, film = ask.place, stage.film(ask.place.settings, ask.place.seed)
    try:
        said = json.loads(event)
        if said["kind"] == ANSWERED:
            return replace(ask, place=place.answered(), answered=True) if _waits(ask) else ask
        happened = heard(said, film.chain)
    except (KeyError, TypeError, ValueError, ValidationError) as error:
        raise BadAddressError("This event is none of the player's.") from error
    here = Standing(place, ask.answers)
    if happened:
        follow(happened, stage, here, film.total, frozenset(film.params))
    return replace(ask, place=here.there)


def _waits(ask: Asked) -> bool:
    """Return whether the step has a question that hides something."""
    return bool(ask.place.step and ask.place.step.choices and not ask.answered)


def _told(ask: Asked, stage: Stage[Any]) -> Staged:
    place = ask.place
    film = stage.film(place.settings, place.seed)
    place = replace(place, t=min(place.t, film.total))
    seen = screen(place, ask.answers)
    seen = replace(seen, guess=seen.guess and {**seen.guess, "hand": False}, charts=ask.charts or seen.charts)
    view = place.view if place.view in seen.views else next(iter(seen.views), "")
    data = message(
        film,
        Reel(),
        seen,
        at=place.t,
        source=place.source,
        link=place.link,
        address=address(replace(place, view=_usual(place))),
        offers=offers(stage, Standing(place, ask.answers), seen.controls),
    )
    return {
        "message": data,
        "views": [(name, place.settings.views[name]) for name in seen.views],
        "view": view if ask.opened else "",
        "notes": [*ask.notes],
        "asks": _waits(ask),
        "answered": ask.answered,
        "walks": place.walks,
    }


def _usual(place: Place[Any]) -> str:
    """Return the view that an address does not name; the browser adds the open one."""
    here = silent(place.stage)
    return (here.opened(place.lesson, place.step) if place.lesson and place.step else here).view
