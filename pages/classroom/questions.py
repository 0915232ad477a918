"""A question as a room asks it: what learners see of it, which answers count, and which is right.

It comes from a lesson's step, or was made on the spot: then it has no lesson and no right answer.
"""

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from html import escape

from lessons.format.guesses import ELSE, read_guess, written
from lessons.format.language import ENGLISH
from lessons.format.lesson import Lesson, Step
from lessons.format.printed import as_html
from pages.classroom.messages import LONGEST_TEXT, Made, clean_line
from pages.classroom.news import Question
from pages.form.value import FormOption, asking
from pages.lesson.lessons import library

MOST_TEXT = 2_000  # characters of HTML
RIGHT_RULE, OTHER_RULE = "the right rule", "another error"
NUMBERS = -1e300, 1e300  # bars have room for no others


def question(lesson: str, step: str) -> tuple[Lesson, Step] | None:
    """Return a lesson and its step that asks something; None if there is none of these names."""
    found = library().lesson(lesson)
    return next(((found, one) for one in found.steps if one.id == step and one.choices), None) if found else None


def described(lesson: str, step: str) -> Question | None:
    """Return a question as learners see it; None if the lesson no longer has it."""
    return _described(lesson, step, library().token)


@lru_cache(256)
def _described(lesson: str, step: str, _token: str) -> Question | None:
    found = question(lesson, step)
    if found is None:
        return None
    asked, form = found[1], found[1].form
    shown = asking(*found)
    return {
        **shown,
        "name": "",  # the server keeps what was answered
        "rule": None,
        "options": [_covered(asked, option) for option in shown["options"]] if form.problem else shown["options"],
        "text": _text(asked.body),
        "ask": _text(asked.body.rstrip().rpartition("\n\n")[2]),
        "kind": "rule" if form.problem else "choices" if form.lists else "number",
        "names": asked.ask.names,
    }


def reason(asked: Step) -> str:
    """Return as HTML why the right answer is right."""
    return "".join(_text(choice.reason) for choice in asked.choices if choice.correct)


def _covered(asked: Step, option: FormOption) -> FormOption:
    """Return an option of a rule; the right one is not given away."""
    choice = next(one for one in asked.choices if one.key == option["key"])
    hidden = RIGHT_RULE if choice.correct else OTHER_RULE
    return {**option, "html": hidden} if choice.correct or choice.text == ELSE else option


def described_made(made: Made) -> Question:
    """Return a question made on the spot as learners see it; the language of its words is unknown."""
    options: list[FormOption] = [{"key": str(n), "html": escape(text)} for n, text in enumerate(made.choices, 1)]
    look = "one" if made.kind == "choices" else made.kind
    return {**_plain(escape(made.text), "", "auto"), "kind": made.kind, "look": look, "options": options}


def as_answer_made(made: Made, keys: tuple[str, ...]) -> tuple[str, ...] | None:
    """Return the form in which an answer to such a question is counted; None if it is no possible answer."""
    (key, *more) = keys
    if more:
        return None
    match made.kind:
        case "choices":
            return keys if key in map(str, range(1, len(made.choices) + 1)) else None
        case "number":
            guess = read_guess(key, NUMBERS)
            return None if guess is None else (written(guess),)
        case "text":
            text = clean_line(key, LONGEST_TEXT)
            return (text,) if text else None


def forgotten() -> Question:
    """Return the notice for learners whose question is no longer in its lesson."""
    return _plain("This question is no longer in its lesson.", ENGLISH, "ltr")


def _plain(title: str, lang: str, dir: str) -> Question:
    """Return a question that is a title alone."""
    return {
        "name": "",
        "title": title,
        "text": "",
        "ask": "",
        "lang": lang,
        "dir": dir,
        "kind": "choices",
        "look": "one",
        "hint": "",
        "empty": "A number",
        "grain": 0.0,
        "limits": None,
        "options": [],
        "rule": None,
        "own": "",
        "names": False,
    }


def _text(markdown: str) -> str:
    """Return Markdown as HTML; "" if it has pictures or is too long for a message."""
    text = as_html(markdown)
    return text if "<img" not in text and len(text) <= MOST_TEXT else ""


def tally(answers: Iterable[tuple[str, ...]]) -> dict[str, int]:
    """Return how often each choice was ticked, or each number given, sorted by number or by key."""
    counts = Counter(key for keys in answers for key in keys)
    return dict(sorted(counts.items(), key=lambda pair: (read_guess(pair[0]) or 0.0, pair[0])))
