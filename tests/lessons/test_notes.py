"""The instructor's notes: each lesson of the course has one of its own, in plain English."""

from collections import Counter

import pytest

from pages.lesson.lessons import library
from tests.lessons.english import FOREIGN, SPELLING, plain

LESSONS = library().lessons
LEAST, LONGEST = 10, 130  # words of a lesson's notes, and of one note


def notes(lesson):
    return [step.instructor for step in lesson.steps if step.instructor]


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.id)
def test_each_lesson_has_a_note_in_plain_english(lesson):
    read = notes(lesson)
    assert sum(len(note.split()) for note in read) >= LEAST, "say what to ask first, what goes wrong, and how long"
    for note in read:
        assert len(note.split()) <= LONGEST
        assert FOREIGN.findall(plain(note)) + SPELLING.findall(plain(note)) == []


def test_no_two_notes_are_alike():
    many = Counter(note for lesson in LESSONS for note in notes(lesson))
    assert [note for note, count in many.items() if count > 1] == []


def test_most_lessons_say_how_long_they_take_in_class():
    timed = [lesson for lesson in LESSONS if "minute" in " ".join(notes(lesson)).lower() + " "]
    assert len(timed) >= 90
