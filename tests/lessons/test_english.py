"""Lessons are written as lessons/STYLE.md says, as far as a machine can hold it."""

from pathlib import Path

import pytest

from lessons.reader import Library
from lessons.topics import TOPICS
from tests.lessons.english import FOREIGN, SPELLING, grade, plain, sentences, syllables, texts

LIBRARY = Library([Path(__file__).parents[2] / "lessons"])
MOST_WORDS, HARDEST = 25, 9.0


@pytest.mark.parametrize("lesson", LIBRARY.lessons, ids=lambda lesson: lesson.path.stem)
def test_a_lesson_is_plain_english(lesson):
    read = list(texts(lesson))
    long = [(step, " ".join(said)) for step, text in read for said in sentences(text) if len(said) > MOST_WORDS]
    foreign = [(step, word) for step, text in read for word in FOREIGN.findall(plain(text))]
    other = [(step, word) for step, text in read for word in SPELLING.findall(plain(text))]
    assert (long, foreign, other) == ([], [], [])
    assert grade("\n\n".join(text for _, text in read)) <= HARDEST


def test_covers_and_glossary_are_plain_english():
    read = [text for topic in TOPICS for text in (topic.title, topic.line, topic.about)]
    read += [term.meaning for term in LIBRARY.terms]
    assert [said for text in read for said in sentences(text) if len(said) > MOST_WORDS] == []
    assert [found for text in read for found in FOREIGN.findall(plain(text)) + SPELLING.findall(plain(text))] == []


def test_what_is_hard_to_read_is_found():
    hard = (
        "Notwithstanding considerable computational complexity, exact marginalisation over combinatorial assignment "
        "configurations necessitates systematically enumerating exponentially proliferating alternatives."
    )
    assert grade(hard) > HARDEST
    assert grade("You draw a table. The chain moves.") < 3


def test_sentences_are_cut_where_they_end():
    text = "The mean of $x. y$ is 2.93, e.g. here. **It** [moves](#mark:a)!\n\n- One thing\n- another"
    assert [len(words) for words in sentences(text)] == [8, 2, 2, 1]
    assert [syllables(word) for word in ("draw", "table", "marginal")] == [1, 2, 3]


def test_words_of_the_list_are_found():
    said = "Nobody foretells so many, who wants it is told, and the color is normalized."
    assert len(FOREIGN.findall(said)) == 5
    assert len(SPELLING.findall(said)) == 2
