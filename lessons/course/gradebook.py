"""The work that a class handed in: what each learner did, and a page of that and of the questions that were hard."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from html import escape
from pathlib import Path
from urllib.parse import urlencode

from lessons.course.learners import HandedIn
from lessons.course.library import Library
from lessons.course.work import WHEN, Given, Work, is_right, judged, reached
from lessons.format.course_file import Course, Section
from lessons.format.lesson import Lesson, Step
from lessons.format.printed import as_html as printed
from lessons.format.printed import inline

STYLE = Path(__file__).with_suffix(".css")
HARDEST = 5  # questions of which the page says what was answered instead
MARKS = {"first": "✓", "later": "✓₂", "part": "◐", "wrong": "✗", "none": "·"}
SAID = {
    "first": "right at the first try",
    "later": "right at a later try",
    "part": "some of the goals",
    "wrong": "not right",
    "none": "not answered",
}


@dataclass(frozen=True)
class Question:
    """A question, or a step with goals, and by when it is due, as its course says."""

    lesson: Lesson
    step: Step
    due: datetime | None = None


@dataclass(frozen=True)
class GradedAnswer:
    """A learner's result on a question: a key of `MARKS`, in words, and whether it came after it was due."""

    mark: str
    words: str = ""
    late: bool = False

    @property
    def right(self) -> bool:
        """Whether it is right, at whichever try."""
        return self.mark in ("first", "later")


class Class:
    """A class and its questions.

    Parameters
    ----------
    files : sequence of HandedIn
        What was handed in, one file for each learner.
    library : Library
        The lessons.
    course : Course, optional
        Whose lessons count, with what is due; all lessons that anybody has worked at, if left out.
    section : str, optional
        The title of the only section of the course that counts; all of them, if left out.

    Attributes
    ----------
    questions : tuple of Question
        In the order of the course, or of the library.
    answers : list of list of GradedAnswer
        Of each learner, in the order of the questions.
    sections, lessons : dict of str to list of int
        The places of the questions of each section, by its title, and of each lesson, by its id.
    """

    def __init__(
        self, files: Sequence[HandedIn], library: Library, course: Course | None = None, section: str = ""
    ) -> None:
        self.files, self._library = files, library
        parts = [part for part in (course.keys.sections if course else ()) if section in ("", part.title)]
        self.questions = tuple(_questions(files, library, parts))
        self.answers = [[self._answer(one.work, question) for question in self.questions] for one in files]
        self.lessons: dict[str, list[int]] = {}
        for number, question in enumerate(self.questions):
            self.lessons.setdefault(question.lesson.id, []).append(number)
        self.sections: dict[str, list[int]] = {}
        for part in parts:
            numbers = [number for name in part.lessons for number in self.lessons.get(name, ())]
            self.sections.setdefault(part.title, []).extend(numbers)

    def _answer(self, work: Work, asked: Question) -> GradedAnswer:
        given = next((one for one in work.answers if (one.lesson, one.step) == (asked.lesson.id, asked.step.id)), None)
        if given is None:
            return GradedAnswer("none")
        found = judged(given, self._library)
        late = bool(asked.due and given.at and datetime.strptime(f"{given.at}+0000", f"{WHEN}%z") > asked.due)
        return GradedAnswer(_mark(asked.step, given, found.right), found.answer, late)

    def right_at_first(self, number: int) -> float:
        """Return the share of the answers to a question that were right at the first try; 0 without answers."""
        given = [row[number].mark for row in self.answers if row[number].mark != "none"]
        return given.count("first") / len(given) if given else 0.0

    def answered(self, number: int) -> int:
        """Return how many answered a question."""
        return sum(row[number].mark != "none" for row in self.answers)

    def page(self, address: str) -> str:
        """Return the class as one HTML page, whose questions link to where they are asked."""
        title = f"A class of {len(self.files)}"
        keys = ", ".join(f"{MARKS[mark]} {SAID[mark]}" for mark in MARKS)
        body = (
            f"<h1>{title}</h1><p>{len(self.questions)} questions. {keys}; late answers are underlined.</p>"
            f"{self._hard(address)}{self._by_lesson(address)}"
        )
        style = STYLE.read_text("utf-8")
        head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{title}</title>'
        return f'<!doctype html><html lang="en"><head>{head}<style>{style}</style></head><body>{body}</body></html>\n'

    def _hard(self, address: str) -> str:
        """Return the questions that fewest answered right at first, each with the answer most often given instead."""
        asked = [number for number in range(len(self.questions)) if self.answered(number)]
        hard = [number for number in asked if self.right_at_first(number) < 1]
        hard = sorted(hard, key=self.right_at_first)[:HARDEST]
        if not hard:
            return ""
        lines = []
        for number in hard:
            question = self.questions[number]
            others = Counter(self._others(number))
            instead = f"<p>Most often instead: <b>{inline(others.most_common(1)[0][0])}</b></p>" if others else ""
            lines.append(
                f"<li><a href='{_link(question, address)}'>{inline(question.step.title)}</a>, "
                f"{inline(question.lesson.title)}: {self.right_at_first(number):.0%} right at the first try of "
                f"{self.answered(number)}.{instead}<details><summary>Question</summary>{printed(question.step.body)}"
                "</details></li>"
            )
        return f"<section><h2>What was hard</h2><ol>{''.join(lines)}</ol></section>"

    def _others(self, number: int) -> Iterator[str]:
        """Give the answers to a question that were not right, the first of each learner as far as it is known."""
        asked = self.questions[number]
        for one in self.files:
            for given in one.work.answers:
                if (given.lesson, given.step) == (asked.lesson.id, asked.step.id):
                    first = judged(given.model_copy(update={"answer": given.at_first}), self._library)
                    if first.right is False and not asked.step.goals:
                        yield first.answer

    def _by_lesson(self, address: str) -> str:
        """Return a table for each lesson: questions by learners."""
        found = []
        for numbers in self.lessons.values():
            first = self.questions[numbers[0]]
            heads = "".join(
                f"<th><a href='{_link(self.questions[n], address)}'>{inline(self.questions[n].step.title)}</a></th>"
                for n in numbers
            )
            rows = "".join(
                f"<tr><th>{escape(one.name or one.file)}</th>{''.join(_cell(row[number]) for number in numbers)}</tr>"
                for one, row in zip(self.files, self.answers, strict=True)
            )
            shares = "".join(
                f"<td>{f'{self.right_at_first(n):.0%}' if self.answered(n) else '–'}</td>" for n in numbers
            )
            due = f"<p>Due {first.due:%Y-%m-%d %H:%M}</p>" if first.due else ""
            found.append(
                f"<section><h2>{inline(first.lesson.title)}</h2>{due}<div><table><thead><tr><th></th>{heads}</tr></thead>"
                f"<tbody>{rows}</tbody><tfoot><tr><th>right at first</th>{shares}</tr></tfoot></table></div></section>"
            )
        return "".join(found)


def _cell(answer: GradedAnswer) -> str:
    late = " late" if answer.late else ""
    said = escape(", ".join(filter(None, [answer.words, SAID[answer.mark], late.strip()])), quote=True)
    return f'<td class="{answer.mark}{late}" title="{said}">{MARKS[answer.mark]}</td>'


def _mark(step: Step, given: Given, right: bool | None) -> str:
    if right is None:
        return "none"
    if not right:
        return "part" if step.goals and reached(step, given.answer) else "wrong"
    if step.goals or given.first is None:
        return "first" if step.goals or given.tries <= 1 else "later"
    return "first" if step.can_have(given.first) and is_right(step, given.first) else "later"


def _questions(files: Sequence[HandedIn], library: Library, sections: Sequence[Section]) -> Iterator[Question]:
    due = {name: section.due for section in sections for name in section.lessons}
    worked = {given.lesson for one in files for given in one.work.answers}
    names = list(due) or [lesson.id for lesson in library.lessons if lesson.id in worked]
    for lesson in filter(None, map(library.lesson, names)):
        for step in lesson.steps:
            if step.choices or step.goals:
                yield Question(lesson, step, due.get(lesson.id))


def _link(question: Question, address: str) -> str:
    where = urlencode({"lesson": question.lesson.id, "step": question.step.id})
    return escape(f"{address.rstrip('/')}/{question.lesson.stage}?{where}", quote=True)
