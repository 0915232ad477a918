"""Lessons as files: their schema, their reader, and the problems that it reports.

It knows the samplers, but nothing of the screen.
"""

from lessons.check.files import Reading, parse_lesson, read_lesson
from lessons.course.library import Library
from lessons.format.problems import Problem
from lessons.format.questions.answers import Choice
from lessons.format.schema import Lesson, Step, Then
from lessons.settings.settings import StageSettings, read_int, read_text
from lessons.topics import STAGES

__all__ = [
    "STAGES",
    "Choice",
    "Lesson",
    "Library",
    "Problem",
    "Reading",
    "StageSettings",
    "Step",
    "Then",
    "parse_lesson",
    "read_int",
    "read_lesson",
    "read_text",
]
