"""The screen of a lesson's place, and the place to which an event leads: values, for all hosts and for tests.

A host keeps a `Place` and `Answers`, and draws the `Screen` that follows from both; it decides nothing itself. Charts,
views and controls are names here.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Generic
from urllib.parse import urlencode

from lessons.check.again import wrong_rules
from lessons.format.goals import Goal
from lessons.format.lesson import Lesson, Step
from lessons.format.questions.answers import Keys
from lessons.format.questions.kind import Drawn
from lessons.settings.settings import Settings, StageSettings

PLAYER = ("play", "step", "back", "scrub")  # its actions that can be locked
TOLD = 2  # misses, after which the right answer is told


def name_of(lesson: Lesson, step: Step) -> str:
    """Return the name under which an answer is kept."""
    return f"{lesson.id}/{step.id}"


def source_of(stage: str, settings: StageSettings, seed: int) -> str:
    """Return topic, settings and seed as the routes read them; all that moves depends on these alone."""
    given = {name: value for name, value in settings.model_dump().items() if value is not None}
    return f"{stage}?{urlencode({**given, 'seed': seed})}"


@dataclass(frozen=True)
class Answers:
    """A learner's answers, and the misses after which a right answer is shown."""

    given: Mapping[str, Keys] = field(default_factory=dict)  # by `name_of`
    misses: Mapping[str, int] = field(default_factory=dict)  # wrong answers of this session, by `name_of`
    of_class: bool = False  # whether a class answers, and gets the right answer from its instructor

    def to(self, lesson: Lesson, step: Step) -> Keys | None:
        """Return the answer to a question; None if there is none, or none that is valid."""
        keys = self.given.get(name_of(lesson, step))
        return keys if keys is not None and step.can_have(keys) else None

    def with_one(self, lesson: Lesson, step: Step, keys: Keys) -> "Answers":
        """Return the answers with one more."""
        name = name_of(lesson, step)
        counts = not step.form.problem  # a rule is repaired as often as a learner likes
        missed = self.misses.get(name, 0) + (counts and not step.is_right(keys))
        return replace(self, given={**self.given, name: keys}, misses={**self.misses, name: missed})

    def settled(self, lesson: Lesson, step: Step) -> bool:
        """Return whether a question has been answered, and cannot be tried again: then nothing hides its answer."""
        keys = self.to(lesson, step)
        told = step.once or self.of_class or self.misses.get(name_of(lesson, step), 0) >= TOLD
        return keys is not None and (step.is_right(keys) or told)


# ---- places ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Place(Generic[Settings]):
    """Where a learner is in a topic. Each verb returns the place to which an event leads."""

    stage: str
    settings: Settings
    lesson: Lesson | None = None  # None in free play, like the step
    step: Step | None = None
    seed: int = 7
    t: int = 0  # the iteration at which the player rests
    view: str = ""  # the open one of the inspector
    own: str = ""  # the digest of the learner's own data that were used here last
    lent: str = ""  # the digest of the data of the lesson that was opened last
    far: int = 0  # the last iteration that the player has come to in this step: a run that is done stays so
    walks: bool | None = field(default=None, compare=False)  # how an event sends the player here: step by step, at once

    def opened(self, lesson: Lesson, step: Step) -> "Place[Settings]":
        """Go to a step of a lesson, with its settings, seed and iteration. The lesson's end changes none of these."""
        if step.kind == "end" and self.lesson and self.lesson.id == lesson.id:
            return replace(self, step=step, walks=None)
        lent = lesson.held.digest if lesson.held else ""
        there = replace(self, lent=lent, walks=None).using(lesson.settings_for(step))
        there = replace(there, lesson=lesson, step=step, seed=lesson.seed_for(step))
        there = replace(there, view=step.open or next(iter(there.settings.views)))
        moved = (there.settings, there.seed) != (self.settings, self.seed)
        return there.moved(step.at or 0) if moved or step.at is not None else there

    def answered(self) -> "Place[Settings]":
        """Go where the step says under `then`, once its question has been answered."""
        assert self.step is not None
        then = self.step.then
        there = self.changed(**then.settings)
        there = replace(there, view=then.open or there.view)
        return there.moved(there.t + then.advance, walk=True) if then.advance else there

    def moved(self, t: int, *, walk: bool = False) -> "Place[Settings]":
        """Send the player to an iteration."""
        return replace(self, t=max(0, min(t, self.settings.iterations)), walks=walk)

    def changed(self, **changes: Any) -> "Place[Settings]":
        """Change settings; the iteration stays the same, or the last one if the new run is shorter."""
        there = replace(self, walks=None).using(self.settings.model_validate({**self.settings.model_dump(), **changes}))
        return there.moved(there.t) if there.t > there.settings.iterations else there

    def using(self, settings: Any) -> "Place[Settings]":
        """Take settings, with the digest of own data if they use such data, else without one.

        They are the open lesson's, or else those that the learner had here last.
        """
        if "own" not in type(settings).model_fields:
            return replace(self, settings=settings)
        if settings.data != "own":
            return replace(self, settings=settings.model_copy(update={"own": ""}))
        own = settings.own if settings.own and settings.own != self.lent else self.own
        digest = settings.own or (self.lesson and self.lent) or own or self.lent
        return replace(self, own=own, settings=settings.model_copy(update={"own": digest}))

    @property
    def source(self) -> str:
        """Topic, settings and seed; see `source_of`."""
        return source_of(self.stage, self.settings, self.seed)

    @property
    def link(self) -> str:
        """The query string that names everything here but the iteration; `lessons.linked` has the short one."""
        named = self.settings.model_dump()
        if self.lesson and self.lent and named["own"] == self.lent:
            del named["own"]  # a lesson's data have no name in a link, as the lesson may get others
        step = {"lesson": self.lesson.id, "step": self.step.id} if self.lesson and self.step else {}
        parts = {**step, **named, "seed": self.seed, "view": self.view}
        fields = type(self.settings).model_fields
        emptied = {name for name, value in parts.items() if value == "" and name in fields and fields[name].default}
        return urlencode({name: value for name, value in parts.items() if value not in (None, "") or name in emptied})

    @property
    def shown(self) -> tuple[str, ...]:
        """The names of the controls that the step shows; all of them in free play."""
        return self.lesson.show_for(self.step) if self.lesson and self.step else self.settings.controls


# ---- screens ---------------------------------------------------------------------------------------------------------


class AskedGuess(Drawn):
    """How the player draws a guess on a chart."""

    chart: str
    guess: str | None  # None until it is checked: then the browser alone knows it
    outcome: str | None
    reveal: int  # the iteration from which on the outcome shows
    hand: bool  # whether learners can set the guess on the chart
    veil: bool  # whether the chart shows only its axes until the question is answered


@dataclass(frozen=True)
class Asked:
    """A step's question, and how its learner has answered it."""

    lesson: Lesson
    step: Step
    given: Keys | None  # None while it is open
    settled: bool  # whether it cannot be tried again
    outdated: bool  # whether it has changed since it was answered

    @property
    def right(self) -> bool:
        """Whether the answer is completely right."""
        return self.given is not None and self.step.is_right(self.given)


@dataclass(frozen=True)
class Screen:
    """The screen at a place: all that a learner sees and can do. An open question withholds some of it."""

    charts: tuple[str, ...] = ()  # the main picture first; all of the film's charts if empty
    hidden: tuple[str, ...] = ()  # charts that are withheld; the one that the question is about has a veil instead
    captions: bool = True  # whether those above the charts are shown
    messages: bool = True  # whether the stage's are
    views: tuple[str, ...] = ()  # of the inspector that can be opened; a wall has none, and uses their space
    code: tuple[str, ...] = ()  # the questions about a wrong rule, any of which uncovers its code; see `name_of`
    controls: tuple[str, ...] = ()  # settings in their order, and ``seed``
    lock: tuple[str, ...] = ()  # actions of the player (``play``, ``step``, ``back``, ``scrub``), and ``controls``
    until: int | None = None  # the iteration at which Play stops on the way to the end
    question: Asked | None = None
    guess: AskedGuess | None = None  # if the question asks for one on a chart
    ticks: tuple[int, ...] = ()  # how often each goal of the step has been reached, at most as often as it asks
    done: bool = False  # whether the question is answered, the run is at its end, and all goals are reached

    @property
    def locked(self) -> bool:
        """Whether settings, dials, seed, charts' handles and the buttons beside the inspector are disabled."""
        return "controls" in self.lock


def screen(place: Place[Any], answers: Answers) -> Screen:
    """Return the screen of a learner with these answers at a place."""
    settings, lesson, step = place.settings, place.lesson, place.step
    views = () if settings.many else tuple(settings.views)
    if lesson is None or step is None:
        return Screen(views=views, controls=_controls(place))
    about = _about_rule(settings, lesson)
    found = not about or any(answers.settled(lesson, one) for one in about)
    keys = answers.to(lesson, step)
    ticks = tuple(_ticks(goal, keys) for goal in step.goals)
    reached = all(many == goal.keys.seeds for many, goal in zip(ticks, step.goals, strict=True))
    if step.until is not None:
        done = max(place.t, place.far) >= step.until
    else:
        done = reached and not (step.choices and keys is None)
    seen = Screen(
        charts=lesson.charts_for(step, place.settings),
        views=views if found else tuple(view for view in views if view != "code"),
        code=tuple(name_of(lesson, one) for one in about),
        controls=_controls(place),
        until=step.until,
        ticks=ticks,
        done=done,
    )
    if step.choices:
        return _asking(seen, place, lesson, step, answers)
    return _untold(seen, step) if _invented_later(lesson, step, answers) else seen


def _invented_later(lesson: Lesson, step: Step, answers: Answers) -> bool:
    """Return whether a later step asks for a rule of the learner's own, and has not been answered yet."""
    later = (one for one in lesson.steps if one.line > step.line)
    return any(one.form.own and not answers.settled(lesson, one) for one in later)


def _untold(seen: Screen, step: Step) -> Screen:
    """Return a screen without captions and cards, which have the rule; a view that the step opens by name stays."""
    return replace(seen, views=tuple(view for view in seen.views if view == step.open), captions=False)


def _asking(seen: Screen, place: Place[Any], lesson: Lesson, step: Step, answers: Answers) -> Screen:
    """Return a screen with its question, without what that withholds until it is settled."""
    given, settled = answers.to(lesson, step), answers.settled(lesson, step)
    outdated = given is None and name_of(lesson, step) in answers.given
    guess = _guess(step, given, answers.of_class)
    seen = replace(seen, question=Asked(lesson, step, given, settled, outdated), guess=guess)
    if settled:
        return seen
    views = lesson.views_hidden(step)
    lock: tuple[str, ...] = step.lock
    captions = "captions" not in step.hide
    if step.form.problem and step.form.problem not in place.settings.ruled:
        captions = False  # the stage plays the right rule, whose numbers would tell it
    elif step.form.problem:  # the stage plays the learner's, once it is there
        if place.settings.moves_by:
            views = seen.views[1:]
        else:
            lock = (*PLAYER, *(action for action in lock if action not in PLAYER))
    return replace(
        seen,
        lock=lock,
        hidden=tuple(chart for chart in lesson.charts_hidden(step) if chart != step.ask.on),
        views=tuple(view for view in seen.views if view not in views),
        captions=captions,
        messages="messages" not in step.hide and not step.asks_why,  # a message may say why
    )


def _guess(step: Step, given: Keys | None, of_class: bool) -> AskedGuess | None:
    """Return the guess that a question asks for on a chart, or on the bar below the picture (""), which is no chart.

    A class's guesses are drawn by its own page.
    """
    if step.ask.on is None and not step.ask.by_hand:
        return None
    return {
        "chart": step.ask.on or "",
        **step.ask.drawn(step.choices),
        "guess": None if given is None or of_class else given[0],
        "outcome": step.answers.right_keys[0] if given else None,
        "reveal": (step.at or 0) + step.then.advance,
        "hand": not given and step.ask.by_hand,
        "veil": not given and step.veiled,
    }


def _controls(place: Place[Any]) -> tuple[str, ...]:
    """Return the names of a step's controls; on a wall of runs, or a step that leads to one, `runs` is among them."""
    settings, lesson, step = place.settings, place.lesson, place.step
    many = settings.many or (lesson and step and lesson.settings_after(step).many)
    shown = {*place.shown, *(["runs"] if many else [])}
    return tuple(name for name in (*type(settings).model_fields, "seed") if name in shown and settings.matters(name))


def _about_rule(settings: StageSettings, lesson: Lesson) -> list[Step]:
    """Return a lesson's questions about the wrong rule of the settings; none if the rule is right."""
    wrong = wrong_rules(settings)
    return [step for step in lesson.steps if wrong and step.choices and wrong & wrong_rules(lesson.settings_for(step))]


# ---- goals -----------------------------------------------------------------------------------------------------------


def goals_near(place: Place[Any], answers: Answers) -> list[Goal]:
    """Return the goals that the learner has yet to reach with this seed, and may have reached: a run's outcomes say."""
    if place.lesson is None or place.step is None:
        return []
    keys = answers.to(place.lesson, place.step) or ()
    left = [goal for goal in place.step.goals if _ticks(goal, keys) < goal.keys.seeds]
    return [
        goal for goal in left if tick_of(goal, place) not in keys and goal.is_near(place.settings, place.t, place.view)
    ]


def tick_of(goal: Goal, place: Place[Any]) -> str:
    """Return the key under which it is kept that a goal was reached with this seed."""
    return f"{goal.id} {place.seed}"


def _ticks(goal: Goal, keys: Keys | None) -> int:
    """Return with how many seeds a goal has been reached."""
    return min(goal.keys.seeds, sum(key.partition(" ")[0] == goal.id for key in keys or ()))
