"""Lessons as files: their schema, their reader, and the problems that it reports.

It knows the samplers, but nothing of the screen.
"""

from lessons.reader.files import Reading, parse_lesson, read_lesson
from lessons.reader.library import Library
from lessons.reader.problems import Problem
from lessons.reader.questions.answers import Choice
from lessons.reader.schema import Lesson, Step, Then
from lessons.stages import STAGES
from lessons.stages.settings import StageSettings, read_int, read_text

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
