"""The questions of checker, studio, app and hand-outs to a file: whatever is in it, nothing is raised."""

import os
import pickle
from datetime import UTC, datetime
from pathlib import Path

from lessons.check.files import Reading, parse_lesson
from lessons.check.runs import run_steps, untried
from lessons.check.seeds import endings, tried
from lessons.course.plan import Plan, moment
from lessons.course.work import version
from lessons.failing import UNFORESEEN
from lessons.format.course_file import misfits
from lessons.format.glossary import Term, marked, without
from lessons.format.lesson import Lesson
from lessons.format.markdown import outline
from lessons.format.offered import offered
from lessons.format.problems import Report
from pages.download.handout import handout, notes
from pages.lesson.handed_in import set_to

SEEDS = range(1, 3 if "FUZZ" in os.environ else 2)


def used(text: str, path: Path, terms: tuple[Term, ...] = (), *, run: bool = True) -> Reading:
    """Return a reading of a text, which all have used that use one; fail if an error was met that nobody foresaw.

    Its steps are run as well, unless `run` says no.
    """
    reading = parse_lesson(text, path)
    lines = reading.source.split("\n")
    for problem in (*reading.problems, *reading.warnings):
        assert 1 <= problem.line <= len(lines)
        assert 1 <= problem.column <= len(lines[problem.line - 1]) + 1
        problem.framed(reading.source)
        assert UNFORESEEN not in problem.message, problem
    assert (reading.lesson is None) == bool(reading.problems or not reading.is_lesson)
    outline(reading.source, Report(path))  # as the studio takes apart what is being typed
    assert pickle.loads(pickle.dumps(reading)) == reading
    if reading.course:
        misfits(reading.course, ["crp-one"])
        plan = Plan([], reading.course, datetime(2026, 10, 12, tzinfo=UTC))
        assert all(moment(when) for part in plan.parts for when in (part.opens, part.due) if when)
    if reading.lesson:
        _used(reading.lesson, terms)
    if reading.lesson and run:
        _run(reading.lesson)
    return reading


def _used(lesson: Lesson, terms: tuple[Term, ...]) -> None:
    Plan([lesson]).after(lesson)
    bodies = marked(tuple(step.body for step in lesson.pages), without(terms, lesson.everyday))
    assert len(bodies) == len(lesson.pages)
    assert handout(lesson)
    assert notes(lesson)
    for step in lesson.pages:
        settings = lesson.settings_for(step)
        set_to(settings), lesson.settings_after(step), lesson.charts_for(step), lesson.charts_hidden(step)
        lesson.views_hidden(step), offered(step.publish, settings, lesson.seed_for(step), lesson.show_for(step))
        if step.kind != "end":
            untried(lesson, step), version(step)
        if step.choices:
            answers = step.answers
            assert answers.can_have(answers.right_keys)
            assert step.is_right(answers.right_keys)
            answers.in_words(answers.right_keys), step.ask.comparison(step.choices), step.form.words(step.choices[0])


def _run(lesson: Lesson) -> None:
    said = [problem.message for problem in run_steps(lesson)]
    assert not [one for one in (*said, *endings(lesson)) if UNFORESEEN in one]
    for step in lesson.steps:
        tried(lesson, step, SEEDS)
