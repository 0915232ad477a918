"""A question as a room asks it: what learners see of it, which answers count, and which is right.

It comes from a lesson's step, or was made on the spot: then it has no lesson and no right answer.
"""

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from html import escape

from lessons.format.guesses import ELSE, read_guess, written
from lessons.format.language import ENGLISH, direction
from lessons.format.order import in_order
from lessons.format.printed import as_html, inline
from lessons.format.questions.answers import Choice as Answer
from lessons.format.questions.kind import Form
from lessons.format.schema import Lesson, Step
from pages.classroom.messages import LONGEST_TEXT, Choice, Made, Question, clean_line
from pages.lesson.lessons import library

MOST_TEXT = 2_000  # characters of HTML
RIGHT_RULE, OTHER_RULE = "the right rule", "another error"
NUMBERS = -1e300, 1e300  # bars have room for no others


def question(lesson: str, step: str) -> tuple[Lesson, Step] | None:
    """Return a lesson and its step that asks something; None if there is none of these names."""
    found = library().lesson(lesson)
    return next(((found, one) for one in found.steps if one.id == step and one.choices), None) if found else None


def described(lesson: str, step: str) -> Question | None:
    """Return a question as learners see it; None if the lesson no longer has it.

    Returns
    -------
    dict
        ``title``, ``text``, its last paragraph ``ask``, and ``choices`` are HTML in the language ``lang``, written in
        the direction ``dir``. ``kind`` is ``choices``, ``number``, ``text``, or ``rule``, which is
        written on the page; a number lies within ``limits`` and moves by ``step_by``, and has no mean if it ``names`` a
        mark. ``by_hand`` is true where learners can answer in
        the picture, and ``hint`` says how.
    """
    return _described(lesson, step, library().token)


@lru_cache(256)
def _described(lesson: str, step: str, _token: str) -> Question | None:
    found = question(lesson, step)
    if found is None:
        return None
    asked, form = found[1], found[1].form
    choices = in_order(lesson, asked) if form.lists or form.problem else ()
    return {
        "title": inline(asked.title),
        "text": _text(asked.body),
        "ask": _text(asked.body.rstrip().rpartition("\n\n")[2]),
        "lang": found[0].language,
        "dir": direction(found[0].language),
        "kind": "rule" if form.problem else "choices" if form.lists else "number",
        "by_hand": asked.ask.by_hand,
        "hint": form.hint,
        "multiple": form.look == "several",
        "choices": [{"key": choice.key, "html": _words(form, choice)} for choice in choices],
        "limits": list(form.limits) if form.limits else None,
        "step_by": None if form.lists else form.grain,
        "names": asked.ask.names,
    }


def reason(asked: Step) -> str:
    """Return as HTML why the right answer is right."""
    return "".join(_text(choice.reason) for choice in asked.choices if choice.correct)


def _words(form: Form, choice: Answer) -> str:
    """Return a choice as learners see it; of a rule, the right one is not given away."""
    if form.problem and (choice.correct or choice.text == ELSE):
        return RIGHT_RULE if choice.correct else OTHER_RULE
    return inline(form.words(choice))


def described_made(made: Made) -> Question:
    """Return a question made on the spot as learners see it; the language of its words is unknown."""
    choices: list[Choice] = [{"key": str(n), "html": escape(text)} for n, text in enumerate(made.choices, 1)]
    return {**_plain(escape(made.text), "", "auto"), "kind": made.kind, "choices": choices}


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
    """Return what learners see of a question that is no longer in its lesson."""
    return _plain("This question is no longer in its lesson.", ENGLISH, "ltr")


def _plain(title: str, lang: str, dir: str) -> Question:
    """Return a question that is a title alone."""
    return {
        "title": title,
        "text": "",
        "ask": "",
        "lang": lang,
        "dir": dir,
        "kind": "choices",
        "by_hand": False,
        "hint": "",
        "multiple": False,
        "choices": [],
        "limits": None,
        "step_by": None,
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
