"""The work that a class handed in: a page of who did what and which questions were hard, and a row for each learner."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from html import escape
from pathlib import Path
from urllib.parse import urlencode

from lessons.reader.course import Course
from lessons.reader.library import Library
from lessons.reader.printed import as_html as printed
from lessons.reader.printed import inline
from lessons.reader.schema import Lesson, Step
from lessons.reader.work import WHEN, Given, Work, is_right, judged, reached

STYLE = Path(__file__).with_suffix(".css")
GRADES = ("name", "file", "questions", "answered", "right", "right_at_first", "late", "percent")
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


class Class:
    """A class and its questions.

    Parameters
    ----------
    works : sequence of (str, Work)
        What was handed in, each with the name of its file.
    library : Library
        The lessons.
    course : Course, optional
        Whose lessons count, with what is due; all lessons that anybody has worked at, if left out.

    Attributes
    ----------
    questions : tuple of Question
        In the order of the course, or of the library.
    answers : list of list of GradedAnswer
        Of each learner, in the order of the questions.
    """

    def __init__(self, works: Sequence[tuple[str, Work]], library: Library, course: Course | None = None) -> None:
        self.works, self._library = works, library
        self.questions = tuple(_questions(works, library, course))
        self.answers = [[self._answer(work, question) for question in self.questions] for _, work in works]

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

    def grades(self) -> Iterator[tuple[str, ...]]:
        """Give a row for each learner, with the columns of `GRADES`; what is late counts, and is told apart."""
        many = len(self.questions)
        for (file, work), row in zip(self.works, self.answers, strict=True):
            marks = Counter(answer.mark for answer in row)
            right = marks["first"] + marks["later"]
            numbers = (many, many - marks["none"], right, marks["first"], sum(answer.late for answer in row))
            yield (work.name, file, *map(str, numbers), f"{100 * right / many if many else 0:.0f}")

    def page(self, address: str) -> str:
        """Return the class as one HTML page, whose questions link to where they are asked."""
        title = f"A class of {len(self.works)}"
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
        for _, work in self.works:
            for given in work.answers:
                if (given.lesson, given.step) == (asked.lesson.id, asked.step.id):
                    first = judged(given.model_copy(update={"answer": given.at_first}), self._library)
                    if first.right is False and not asked.step.goals:
                        yield first.answer

    def _by_lesson(self, address: str) -> str:
        """Return a table for each lesson: questions by learners."""
        found = []
        for lesson in dict.fromkeys(question.lesson.id for question in self.questions):
            numbers = [number for number, question in enumerate(self.questions) if question.lesson.id == lesson]
            first = self.questions[numbers[0]]
            heads = "".join(
                f"<th><a href='{_link(self.questions[n], address)}'>{inline(self.questions[n].step.title)}</a></th>"
                for n in numbers
            )
            rows = "".join(
                f"<tr><th>{escape(work.name or file)}</th>{''.join(_cell(row[number]) for number in numbers)}</tr>"
                for (file, work), row in zip(self.works, self.answers, strict=True)
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


def _questions(works: Sequence[tuple[str, Work]], library: Library, course: Course | None) -> Iterator[Question]:
    sections = course.keys.sections if course else ()
    due = {name: section.due for section in sections for name in section.lessons}
    worked = {given.lesson for _, work in works for given in work.answers}
    names = list(due) or [lesson.id for lesson in library.lessons if lesson.id in worked]
    for lesson in filter(None, map(library.lesson, names)):
        for step in lesson.steps:
            if step.choices or step.goals:
                yield Question(lesson, step, due.get(lesson.id))


def _link(question: Question, address: str) -> str:
    where = urlencode({"lesson": question.lesson.id, "step": question.step.id})
    return escape(f"{address.rstrip('/')}/{question.lesson.stage}?{where}", quote=True)
