"""The Pydantic models of a lesson file, and the lesson that a valid file becomes."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, InstanceOf, create_model
from pydantic_core import PydanticCustomError

from lessons.format.data_file import Data, given, with_data
from lessons.format.goals import Goal, GoalKeys
from lessons.format.keys import Finite, Iteration, Names, Seed, Strict, Text
from lessons.format.language import ENGLISH, Language
from lessons.format.links import Link
from lessons.format.offered import Offer
from lessons.format.problems import Position
from lessons.format.questions.answers import Answers, Choice, Keys
from lessons.format.questions.draw import Draw
from lessons.format.questions.kind import Form, QuestionKind
from lessons.format.questions.number import Number
from lessons.format.questions.pick import Pick
from lessons.format.questions.picture import Pictured
from lessons.format.questions.place import Placed
from lessons.format.questions.rule import Rule
from lessons.format.questions.share import Share
from lessons.format.questions.strike import Strike
from lessons.format.questions.ticks import Ticks
from lessons.format.values import Location
from lessons.own.store import Held
from lessons.settings.settings import StageSettings
from lessons.topics import STAGES

KEBAB_CASE = r"^[a-z0-9]+(-[a-z0-9]+)*$"

LINES, LONGEST_LINE = 3, 120  # lines of a summary, characters per line
RIGHT: Location = ("right choice",)  # its key among the places of a step
END = "end"  # the id of the page after the last step

Lock = Literal["play", "step", "back", "scrub", "controls"]
WORDS = ("captions", "messages", "inspector")  # what a question can hide besides charts and single views


def _known_stage(name: str) -> str:
    if name not in STAGES:
        raise PydanticCustomError("unknown_name", "unknown stage", {"options": list(STAGES)})
    return name


def _three_lines(lines: tuple[str, ...]) -> tuple[str, ...]:
    if len(lines) != LINES or max(map(len, lines)) > LONGEST_LINE:
        raise PydanticCustomError("lines", f"this should be {LINES} lines of {LONGEST_LINE} characters at most")
    return lines


class FrontMatter(Strict):
    """The front matter: the keys between the two lines of ``---`` at the top of a lesson file."""

    schema_: Literal[1] = Field(alias="schema", description="The version of this format: 1.")
    id: str = Field(pattern=KEBAB_CASE, description="A name that stays: links and progress use it.")
    title: Text = Field(description="What learners see above the lesson.")
    stage: Annotated[str, AfterValidator(_known_stage)] = Field(
        description="The stage that the lesson plays on.", json_schema_extra={"enum": list(STAGES)}
    )
    track: Text = Field(description="The group of lessons that it belongs to on the course map.")
    language: Language = Field(
        default=ENGLISH, description="The language of its text, such as de; its course's if left out."
    )
    minutes: int = Field(ge=1, le=240, description="How long it takes.")
    objectives: Annotated[tuple[Text, ...], Field(strict=False, min_length=1)] = Field(
        description="What a learner can do afterwards."
    )
    summary: Annotated[tuple[Text, ...], Field(strict=False), AfterValidator(_three_lines)] = Field(
        description="What the learner has seen, in three lines, for the end of the lesson."
    )
    data: Data | None = Field(default=None, description="A file of data beside the lesson, on which it runs.")
    stage_settings: dict[str, Any] = Field(
        default={}, description="The stage's settings; a setting that is left out has its default."
    )
    seed: Seed = Field(default=0, description="The seed of the chain.")
    show: Names = Field(default=(), description='The controls that are shown: names of settings, or "seed".')
    charts: Names = Field(
        default=(), description="The charts that are shown, the main picture first; all of them if left out."
    )
    everyday: Annotated[tuple[Text, ...], Field(strict=False)] = Field(
        default=(), description="Words of the glossary that it uses in their everyday sense: they are not explained."
    )
    sure: bool = Field(default=False, description="Whether its predictions also ask how sure the learner is.")
    draft: bool = Field(default=False, description="Whether only instructors see it, with their notes on.")
    source: str = Field(default="", description="Where the material comes from.")


class Then(Strict):
    """The changes of the stage after a prediction."""

    advance: Iteration = Field(default=0, description="Number of iterations by which the stage moves on.")
    settings: dict[str, Any] = Field(default={}, description="Changes to the step's settings.")
    open: str | None = Field(default=None, description="The inspector's view that opens.")


class Again(Strict):
    """Another run on which a question comes back, with another right answer that the run gives."""

    seed: Seed | None = Field(default=None, description="A seed other than the step's.")
    settings: dict[str, Any] = Field(default={}, description="Changes to the step's settings.")
    text: Text | None = Field(default=None, description="The question, if the step's own text is about its own run.")
    reason: Text | None = Field(default=None, description="The reason of the right answer, for the same case.")


class StepKeys(Strict):
    """The keys of every kind of step."""

    settings: dict[str, Any] = Field(default={}, description="Changes to the lesson's stage_settings.")
    seed: Seed | None = Field(default=None, description="A seed other than the lesson's.")
    at: Iteration | None = Field(
        default=None, description="The iteration at which the step opens; left out: where the learner is."
    )
    show: Names | None = Field(default=None, description="Controls other than the lesson's.")
    charts: Names | None = Field(default=None, description="Charts other than the lesson's; [] for all of them.")
    open: str | None = Field(default=None, description="The inspector's view that opens with the step.")
    publish: Offer | None = Field(
        default=None, description="Values of its controls; a published course has all their combinations."
    )


class WithGoals(StepKeys):
    """The keys of the kinds of steps that can have goals."""

    goals: dict[str, GoalKeys] = Field(default={}, description="When each goal is reached, by the ids of the goals.")


class Explain(WithGoals):
    """Text beside the stage."""

    kind: Literal["explain"]


class Question(StepKeys):
    """The keys of both kinds of steps with a question."""

    at: Iteration = Field(description="The iteration of the question, after a link or a reload as well.")
    number: Number | None = Field(default=None, description="Asks for a number, typed or by a slider.")
    pick: Pick | None = Field(default=None, description="Asks for a mark of a chart, to be clicked.")
    draw: Draw | None = Field(default=None, description="Asks for a marker or a level, to be placed on a chart.")
    place: Placed | None = Field(default=None, description="Asks for one of a few places on a chart.")
    picture: Pictured | None = Field(default=None, description="Asks for one of the charts, to be pressed.")
    share: Share | None = Field(default=None, description="Asks for a share, as the part of a bar that is divided.")
    rule: Rule | None = Field(default=None, description="Asks for the rule of an update, which is written and proved.")
    strike: Strike | None = Field(default=None, description="Asks for the wrong line, which is struck out.")
    multiple: bool = Field(default=False, description="Whether several choices may be right.")
    order: Literal["shuffled", "fixed"] = Field(
        default="shuffled",
        description="The order of the choices: shuffled (numbers: sorted), or as in the file.",
    )
    hide: Names = Field(
        default=WORDS, description="What is hidden until the answer: charts, views, captions, messages, inspector."
    )
    idea: Text = Field(default="", description="The glossary's term that it asks about: with one, it comes back.")
    again: Again | None = Field(default=None, description="Another run on which it comes back.")

    asks: Names = Field(
        default=(), description="The marks that it asks about, which learners see when it is asked; see STAGES.md."
    )

    @property
    def ways(self) -> list[QuestionKind]:
        """The kinds of question among its keys: at most one in a valid lesson."""
        return [kind for name in type(self).model_fields if isinstance(kind := getattr(self, name), QuestionKind)]

    @property
    def ask(self) -> QuestionKind:
        """The kind of its question: choices to tick, if its keys name no other kind."""
        return next(iter(self.ways), Ticks(multiple=self.multiple, order=self.order))


class Predict(Question):
    """A question to answer before the stage moves."""

    kind: Literal["predict"]
    lock: Annotated[tuple[Lock, ...], Field(strict=False, min_length=1)] = Field(
        default=("play", "step", "back", "scrub", "controls"),
        description="What is locked until the answer.",
    )
    then: Then = Field(default=Then(), description="What happens after the answer.")
    sure: bool | None = Field(default=None, description="Whether it also asks how sure the learner is.")


class Run(StepKeys):
    """A run that the learner watches, and that the checker repeats."""

    kind: Literal["run"]
    until: Iteration = Field(description="The iteration at which the run ends.")
    expect: dict[str, Finite] = Field(
        default={}, description="What must hold when the run ends, rounded as it is written."
    )


class Quiz(Question):
    """A question about what the learner has seen."""

    kind: Literal["quiz"]
    why: bool = Field(default=False, description="Whether it asks for the one of three clauses that explains it.")

    @property
    def ask(self) -> QuestionKind:
        """The kind of its question; clauses to tick if it asks why."""
        return Ticks(multiple=self.multiple, order=self.order, why=True) if self.why and not self.ways else super().ask


class Sandbox(WithGoals):
    """Free play with all controls."""

    kind: Literal["sandbox"]


Kind = Literal["explain", "predict", "run", "quiz", "sandbox", "end"]  # the end has no block
StepBlock = Annotated[Explain | Predict | Run | Quiz | Sandbox, Field(discriminator="kind")]
KINDS: dict[str, type[StepKeys]] = {
    "explain": Explain,
    "predict": Predict,
    "run": Run,
    "quiz": Quiz,
    "sandbox": Sandbox,
}


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
    def form(self) -> Form:
        """The form beside the picture."""
        return self.ask.form(self.choices)

    @property
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

    def charts_for(self, step: Step) -> tuple[str, ...]:
        """Return the charts that a step shows, the main picture first; none if it shows all, as a wall does."""
        if self.settings_for(step).many:
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


def json_schema() -> dict[str, Any]:
    """Return one JSON Schema of the front matter, the step block and the settings of every stage."""
    stages: Any = create_model("Stages", **{name: (model, model()) for name, model in STAGES.items()})  # type: ignore[call-overload]
    parts = create_model("LessonFile", front_matter=(FrontMatter, ...), step=(StepBlock, ...), stages=(stages, ...))
    return parts.model_json_schema()
