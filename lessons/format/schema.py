"""The Pydantic models of a lesson file, and the lesson that a valid file becomes."""

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, create_model
from pydantic_core import PydanticCustomError

from lessons.format.beats import Beat
from lessons.format.data_file import Data
from lessons.format.goals import GoalKeys
from lessons.format.keys import Finite, Iteration, Names, Seed, Strict, Text
from lessons.format.language import ENGLISH, Language
from lessons.format.offered import Offer
from lessons.format.questions.draw import Draw
from lessons.format.questions.kind import QuestionKind
from lessons.format.questions.number import Number
from lessons.format.questions.pick import Pick
from lessons.format.questions.picture import Pictured
from lessons.format.questions.place import Placed
from lessons.format.questions.rule import Rule
from lessons.format.questions.share import Share
from lessons.format.questions.strike import Strike
from lessons.format.questions.ticks import Ticks
from lessons.format.values import Location
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
    pick: Pick | None = Field(default=None, description="Asks for a mark of a chart, to be pressed.")
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
    yours: Annotated[tuple[Beat, ...], Field(strict=False)] = Field(
        default=(), description="The beats of an opened update that the learner fills: forget, score, sample, remember."
    )
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


def json_schema() -> dict[str, Any]:
    """Return one JSON Schema of the front matter, the step block and the settings of every stage."""
    stages: Any = create_model("Stages", **{name: (model, model()) for name, model in STAGES.items()})  # type: ignore[call-overload]
    parts = create_model("LessonFile", front_matter=(FrontMatter, ...), step=(StepBlock, ...), stages=(stages, ...))
    return parts.model_json_schema()
