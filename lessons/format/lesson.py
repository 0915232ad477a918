"""A lesson and its steps, as they are read from a file."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from pydantic import Field, InstanceOf

from lessons.format.beats import Beat, allotted
from lessons.format.data_file import given, with_data
from lessons.format.goals import Goal
from lessons.format.links import Link
from lessons.format.problems import Position
from lessons.format.questions.answers import Answers, Choice, Keys
from lessons.format.questions.kind import Form, QuestionKind
from lessons.format.questions.ticks import Ticks
from lessons.format.schema import END, Again, FrontMatter, Kind, Lock, Then
from lessons.format.values import Location
from lessons.own.store import Held
from lessons.settings.settings import StageSettings
from lessons.topics import STAGES


@dataclass(frozen=True)
class Step:
    """One step of a lesson. Keys that its kind lacks have their defaults."""

    # id, title: the id and the title in the heading
    id: str
    title: str
    line: int  # the line of the heading in the file, from 1
    kind: Kind = "explain"
    body: str = ""  # the prose, in Markdown as written
    choices: tuple[Choice, ...] = ()  # as its kind of question arranges them; empty unless it is predict or quiz
    goals: tuple[Goal, ...] = ()  # in the order of the file; empty unless the kind is explain or sandbox
    hints: tuple[str, ...] = ()  # markdown, in the order of the file
    instructor: str = ""  # notes for the instructor, in Markdown
    settings: Mapping[str, Any] = field(default_factory=dict)
    seed: int | None = None
    at: int | None = None
    show: tuple[str, ...] | None = None
    charts: tuple[str, ...] | None = None
    open: str | None = None
    publish: Mapping[str, tuple[Any, ...]] | None = None
    ask: QuestionKind = field(default_factory=Ticks)  # the kind of its question
    idea: str = ""  # the glossary's term that its question asks about
    again: Again | None = None
    yours: tuple[Beat, ...] = ()  # the beats of an opened update that its question leaves to the learner
    sure: bool | None = None  # whether it also asks how sure the learner is; None leaves it to the lesson
    lock: tuple[Lock, ...] = ()
    hide: tuple[str, ...] = ()
    asks: tuple[str, ...] = ()
    then: Then = field(default_factory=Then)
    until: int | None = None
    expect: Mapping[str, float] = field(default_factory=dict)
    measured: tuple[str, ...] = ()  # the outcomes whose numbers its text states
    # the places in the file of its block's keys, such as ``("expect", "tables")``
    places: Mapping[Location, Position] = field(default_factory=dict, compare=False, repr=False)

    @property
    def answers(self) -> Answers:
        """The possible answers to its question."""
        return self.ask.answers(self.choices)

    @property
    def veiled(self) -> bool:
        """Whether the question's chart is hidden except for its axes."""
        return self.ask.on in self.hide

    @property
    def once(self) -> bool:
        """Whether there is one try: the picture answers a guess, and a prediction, as soon as it is checked.

        A quiz can be tried again, and what it hides waits until its answer is right or shown.
        """
        return self.ask.guessed or self.kind == "predict"

    @property
    def asks_why(self) -> bool:
        """Whether its choices are clauses, one of which explains what was seen."""
        return isinstance(self.ask, Ticks) and self.ask.why

    @cached_property
    def form(self) -> Form:
        """The form beside the picture, which first says whose each beat is, if some are the learner's."""
        form = self.ask.form(self.choices)
        return replace(form, hint=f"{allotted(self.yours)} {form.hint}".rstrip()) if self.yours else form

    @cached_property  # each page asks all steps of the course
    def returns(self) -> bool:
        """Whether its question comes back in *Review*; to write a rule takes longer than there is time for."""
        return bool(self.idea and self.choices and not self.form.problem)

    def can_have(self, keys: Keys) -> bool:
        """Return whether these keys are a possible answer: keys of choices, or a number as text.

        For a step with goals, they are the reached goals, each with its seed.
        """
        if self.goals:
            return {key.partition(" ")[0] for key in keys} <= {goal.id for goal in self.goals}
        return self.answers.can_have(keys)

    def chosen(self, keys: Keys) -> tuple[Choice, ...]:
        """Return the choices that an answer ticks, or the line for a number."""
        return self.answers.chosen(keys)

    def is_right(self, keys: Keys) -> bool:
        """Return whether an answer is completely right."""
        right = {choice.key for choice in self.choices if choice.correct}
        return {choice.key for choice in self.chosen(keys)} == right


class Lesson(FrontMatter):
    """A valid lesson: its front matter, the file that it came from, and its steps.

    Attributes
    ----------
    links : tuple of Link
        The links to other lessons.
    pictures : mapping of str to str
        The pictures beside it, by their names in the text, each as a data address.
    track_place : tuple of int
        The line and column of its track.
    held : Held or None
        The data of its file, if it has one.
    again_of : str
        The id of the lesson whose question this one asks again; "" for a lesson of a file.
    """

    path: Path
    steps: tuple[Step, ...]
    links: tuple[Link, ...] = ()
    pictures: Mapping[str, str] = Field(default={})
    track_place: Position = (1, 1)
    held: InstanceOf[Held] | None = None
    again_of: str = ""

    @property
    def pages(self) -> tuple[Step, ...]:
        """The steps, then the end: a summary beside the stage, which stays as the last step leaves it."""
        last = self.steps[-1]
        end = Step(
            id=END,
            title="What you have seen",
            line=last.line,
            kind="end",
            settings={**last.settings, **last.then.settings},
            seed=last.seed,
            at=last.until or (last.at or 0) + last.then.advance,
            show=(),
            charts=last.charts,
        )
        return (*self.steps, end)

    def settings_for(self, step: Step) -> StageSettings:
        """Return the stage's settings in a step: the lesson's, overridden by the step's."""
        return self._settings(step.settings)

    def settings_after(self, step: Step) -> StageSettings:
        """Return the stage's settings in a step after the answer to its question."""
        return self._settings({**step.settings, **step.then.settings})

    def _settings(self, changes: Mapping[str, Any]) -> StageSettings:
        begins = given(self.stage, self.held) if self.data else {}
        return STAGES[self.stage].model_validate(with_data(begins, {**self.stage_settings, **changes}))

    def seed_for(self, step: Step) -> int:
        """Return the seed of the chain in a step."""
        return self.seed if step.seed is None else step.seed

    def asks_sure(self, step: Step) -> bool:
        """Return whether a step also asks how sure the learner is: a prediction, the first time that it is asked."""
        asked = step.kind == "predict" and not step.form.problem and not self.again_of
        return asked and (self.sure if step.sure is None else step.sure)

    def charts_hidden(self, step: Step) -> tuple[str, ...]:
        """Return the charts that a step hides until it is answered; the question's own chart keeps its axes."""
        return tuple(chart for chart in STAGES[self.stage].charts if chart in step.hide)

    def charts_for(self, step: Step, settings: StageSettings | None = None) -> tuple[str, ...]:
        """Return the charts that a step shows, the main picture first; none if it shows all, as a wall does.

        The settings are the learner's, who may have opened a run of the wall; else those of the step.
        """
        if (settings or self.settings_for(step)).many:
            return ()
        return self.charts if step.charts is None else step.charts

    def views_hidden(self, step: Step) -> tuple[str, ...]:
        """Return the inspector's views that a step hides until it is answered, except the one that it opens.

        The code has the same numbers as the first view, and is hidden with it.
        """
        first, *others = STAGES[self.stage].views
        hidden = {*step.hide} | ({"code"} if first in step.hide else set())
        return tuple(view for view in (first, *others) if view != step.open and {view, "inspector"} & hidden)

    def show_for(self, step: Step) -> tuple[str, ...]:
        """Return the names of the controls that a step shows; a sandbox shows all of them.

        With another seed, what a step asks or states of its run would be false: it has the seed only if it names it.
        """
        if step.show is not None:
            return step.show
        if step.kind == "sandbox":
            return STAGES[self.stage].controls
        of_run = step.choices or step.measured or step.expect
        return tuple(name for name in self.show if not (of_run and name == "seed"))
