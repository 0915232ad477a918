"""Lessons as files: what they may say, how they are read, and what is wrong with them.

It knows the samplers, but nothing of the screen.
"""

from lessons.reader.files import Reading, check, parse_lesson, read_lesson
from lessons.reader.library import Library
from lessons.reader.problems import Problem
from lessons.reader.schema import Choice, Lesson, Step, Then
from lessons.reader.settings import StageSettings, read_int, read_text
from lessons.reader.stages import STAGES

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
    "check",
    "parse_lesson",
    "read_int",
    "read_lesson",
    "read_text",
]
