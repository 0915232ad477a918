"""A question as data, and its state: page, class and published course draw both, and paper prints the first."""

from collections.abc import Callable, Sequence
from typing import TypedDict

from lessons.flow import PLAYER, Asked, name_of
from lessons.format.glossary import TARGET
from lessons.format.language import direction, english_within
from lessons.format.lesson import Lesson, Step
from lessons.format.links import LESSON, MARK
from lessons.format.order import in_order
from lessons.format.pictures import with_pictures
from lessons.format.printed import OUTSIDE, as_html, inline
from lessons.format.questions.answers import Keys
from pages.contract.case import RuleOption
from pages.drawing.numbers import significant
from pages.judge.packing import RuleProblem, described
from samplers.judge.bank import PROBLEMS

MORE = "True, but there is more."


class FormOption(TypedDict):
    """A choice, as HTML."""

    key: str
    html: str


class RuleQuestion(TypedDict):
    """A rule to write: its problem, the seed of its chain, the files of a published course, and the stage's update."""

    problem: RuleProblem
    seed: int
    file: str  # in a published course, with all that the judge knows of the problem
    museum: str  # in a published course, with the known errors as HTML
    written: Sequence[str]  # the lines by which the stage moves; empty if there are none yet
    case: Sequence[RuleOption] | None  # the update on the stage; None if the desk plays the rule itself


class FormQuestion(TypedDict):
    """A question as it is asked; `look` and what follows are described at `lessons.format.questions.kind.Form`."""

    name: str  # under which the browser keeps what is not checked yet; "" if it keeps nothing
    title: str  # HTML
    lang: str
    dir: str
    look: str
    hint: str
    empty: str
    grain: float
    limits: Sequence[float] | None
    options: Sequence[FormOption]  # in the order in which learners see them; empty if the answer is a number
    rule: RuleQuestion | None
    own: str  # the rule that the guess makes, which runs once it is given, see pages/form/own.js; "" if it makes none


class FormSaid(TypedDict):
    """A reason: of something right, of something wrong, or of neither."""

    right: bool | None
    html: str


class FormState(TypedDict):
    """The state of a question: what a learner has answered, and what is said to it."""

    given: Sequence[str] | None
    words: str  # the answer, where no sentence repeats it
    note: str  # above the form
    locked: str  # what is locked until the answer
    said: Sequence[FormSaid]
    told: str  # the right answer with its reason; "" while it is not told
    again: str  # the words for another try; "" if there is none
    more: str  # a link below all that is said; "" if there is none


class FormShown(TypedDict):
    """The message to the component on a page."""

    question: FormQuestion
    state: FormState
    session: str


def asking(lesson: Lesson, step: Step, *, lettered: bool = True) -> FormQuestion:
    """Return a step's question; where the picture has no letters, as on paper, its choices are without them, too."""
    form = step.form
    choices = in_order(lesson.id, step) if form.lists or form.problem else ()
    options = {choice.key: form.words(choice) if lettered else choice.text for choice in choices}
    return {
        "name": name_of(lesson, step),
        "title": inline(step.title),
        "lang": lesson.language,
        "dir": direction(lesson.language),
        "look": form.look,
        "hint": form.hint,
        "empty": form.empty,
        "grain": form.grain,
        "limits": form.limits,
        "options": [{"key": key, "html": inline(text)} for key, text in options.items()],
        "rule": _rule(lesson, step) if form.problem else None,
        "own": form.own,
    }


def _rule(lesson: Lesson, step: Step) -> RuleQuestion:
    problem, seed = described(PROBLEMS[step.form.problem]), lesson.seed_for(step)
    return {"problem": problem, "seed": seed, "file": "", "museum": "", "written": (), "case": None}


def html_of(lesson: Lesson, text: str, address: Callable[[str], str | None]) -> str:
    """Return a lesson's Markdown as HTML, with its pictures.

    Parameters
    ----------
    address : callable
        Returns where a link to the lesson with an id leads; None if nowhere: then its words alone stay.
    """

    def leads(link: str) -> str | None:
        if link.startswith(LESSON):
            return address(link.removeprefix(LESSON))
        return link if link.startswith((*OUTSIDE, MARK, TARGET)) else None

    return as_html(with_pictures(text, lesson.pictures), leads)


# ---- its state ---------------------------------------------------------------------------------------------------


def standing(asked: Asked, html: Callable[[str], str], more: str = "") -> FormState:
    """Return the state of a question.

    Parameters
    ----------
    asked : Asked
        The question, and how it was answered.
    html : callable
        Makes HTML of a lesson's Markdown.
    more : str, optional
        A link as HTML, once there is an answer.
    """
    step, given = asked.step, asked.given
    told = given is not None and asked.settled and not asked.right
    return {
        "given": given,
        "words": inline(step.answers.in_words(given)) if given and step.form.lists and not step.ask.guessed else "",
        "note": "The question has changed since you answered it." if asked.outdated else "",
        "locked": locked(step),
        "said": said_to(asked.lesson, step, given, html) if given else [],
        "told": right_answer(step, html) if told else "",
        "again": "" if given is None or asked.settled else step.form.again,
        "more": more if given else "",
    }


def locked(step: Step) -> str:
    """Return a sentence about what is locked until the answer; "" if nothing is."""
    parts = {
        "the player": set(PLAYER) <= {*step.lock},
        "going on": "play" in step.lock and "back" not in step.lock,
        "controls": "controls" in step.lock,
    }
    what = " and ".join(name for name, is_locked in parts.items() if is_locked)
    verb = "is" if what == "going on" or what == "the player" else "are"
    return f"{what[0].upper()}{what[1:]} {verb} locked until you have answered." if what else ""


def said_to(lesson: Lesson, step: Step, given: Keys, html: Callable[[str], str]) -> list[FormSaid]:
    """Return the reasons of what was chosen, each after how far off it is."""
    chosen = step.chosen(given)
    far = ours(lesson, how_far(step, given))
    said: list[FormSaid] = [{"right": one.correct, "html": far + html(one.reason)} for one in chosen]
    if step.ask.several and not step.is_right(given) and all(one.correct for one in chosen):
        said.append({"right": None, "html": ours(lesson, MORE)})
    return said


def how_far(step: Step, given: Keys) -> str:
    """Return a Markdown sentence that compares guess and outcome; "" where no guess was asked for."""
    return step.ask.how_far(step.choices, given, lambda off: significant(off, grouped=True))


def ours(lesson: Lesson, words: str) -> str:
    """Return words of ours, among those of a lesson, as a paragraph of HTML; "" if there are none."""
    return f"<p{english_within(lesson.language)}>{inline(words)}</p>" if words else ""


def right_answer(step: Step, html: Callable[[str], str]) -> str:
    """Return the right answer, and its reason."""
    right = [choice for choice in step.choices if choice.correct]
    return "".join(f"<p><b>{inline(choice.text)}</b></p>{html(choice.reason)}" for choice in right)
