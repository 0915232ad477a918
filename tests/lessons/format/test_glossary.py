"""The glossary: how it is read, what is wrong with one, and which words of a lesson it marks."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons.check.files import parse_lesson
from lessons.course.library import Library
from lessons.course.template import GLOSSARY
from lessons.format.glossary import LONGEST, Term, marked, without
from lessons.format.placeholders import MESSAGE
from pages.lesson.lessons import library as shipped
from tests.lessons.format.sample import check

PATH = Path("glossary.md")
GOOD = """# Words

What stands here is for instructors.

## sweep, sweeps

One round of updates:
every unknown is drawn "once".

## log joint
A logarithm.
"""
SWEEP = Term(("sweep", "sweeps"), 'One round of updates: every unknown is drawn "once".')
LOG_JOINT = Term(("log joint",), "A logarithm.")
TERMS = (SWEEP, LOG_JOINT, Term(("MAP",), "A mode."))
LINK = re.compile(r'\[([^][]+)\]\(#term "(?:[^"\\]|\\.)*"\)')


def test_terms_have_forms_and_a_meaning():
    reading = parse_lesson(GOOD, PATH)
    assert reading.problems == ()
    assert reading.lesson is None
    assert reading.terms == (SWEEP, LOG_JOINT)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("every unknown", "every $z$", "6:1: a meaning is plain text; leave out $"),
        ("A logarithm.", "", "10:1: 'log joint' has no meaning; write a sentence below it"),
        ("## log joint", "## sweeps", "10:1: 'sweeps' is in line 5 as well; a form belongs to one term"),
        ("## log joint", "## log joint,", "10:1: write a term and its other forms after ##"),
        ("A logarithm.", "m" * (LONGEST + 1), f"11:1: this meaning has {LONGEST + 1} characters"),
        (GOOD, "# Words\n", "1:1: there is no term; write ## sweep, and its meaning below"),
        (GOOD, " ", "1:1: the file is empty"),
    ],
)
def test_problems_have_a_place_and_a_remedy(old, new, said):
    reading = parse_lesson(GOOD.replace(old, new), PATH)
    assert reading.terms == ()
    assert str(reading.problems[0]).startswith(f"glossary.md:{said}")


def test_the_first_use_in_a_lesson_is_marked_and_no_other():
    first, second = marked(("Sweeps here, sweep there.", "A sweep and its log\njoint."), TERMS)
    assert first == r'[Sweeps](#term "One round of updates: every unknown is drawn \"once\".") here, sweep there.'
    assert second == 'A sweep and its [log\njoint](#term "A logarithm.").'


@pytest.mark.parametrize(
    "text",
    [
        "`sweep`",
        "``a ` sweep``",
        "$sweep$ and $$\nsweep\n$$",
        "```\nsweep\n```",
        "~~~ text\nsweep",
        "[a sweep](there) and ![a sweep](picture.png)",
        "### A sweep",
        "resweep, sweeper, sweep-line",
        "the map of a SWEEP",
    ],
)
def test_what_is_no_prose_or_another_word_stays_as_it_is(text):
    assert marked((text,), TERMS) == (text,)


PIECES = [
    "sweep",
    "Sweeps",
    "log joint",
    "MAP",
    " ",
    "\n",
    "$",
    "$$",
    "`",
    "```",
    "~~~",
    "[",
    "](",
    ")",
    "\\",
    "#",
    "-",
    '"',
    "*",
]


@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
def test_marks_only_add_links(text):
    (after,) = marked((text,), TERMS)
    assert LINK.sub(r"\1", after) == LINK.sub(r"\1", text)
    assert len(LINK.findall(after)) <= len(TERMS) + len(LINK.findall(text))


def test_without_a_glossary_nothing_is_marked(tmp_path):
    assert Library([tmp_path]).terms == ()
    assert marked(("A sweep.",), ()) == ("A sweep.",)


def test_a_glossary_that_breaks_keeps_its_last_valid_version(tmp_path):
    path = tmp_path / "glossary.md"
    path.write_text(GOOD)
    library = Library([tmp_path])
    assert library.lessons == ()
    path.write_text(GOOD.replace("A logarithm.", ""))
    library.refresh()
    assert library.terms == (SWEEP, LOG_JOINT)
    assert list(library.problems) == [path]
    assert len(check(tmp_path)) == 1
    path.unlink()
    library.refresh()
    assert library.terms == ()


def test_the_terms_of_the_course_are_marked_in_its_lessons():
    library = shipped()
    names = [term.forms[0] for term in library.terms]
    assert names == sorted(names, key=str.lower), "in the order in which one looks them up"
    for lesson in library.lessons:
        bodies = tuple(step.body for step in lesson.steps)
        found = [match for body in marked(bodies, library.terms) for match in LINK.findall(body)]
        assert len(found) == len(set(found))
    assert "[MAP](#term" not in "".join(marked(("Each map.",), library.terms))


def test_words_that_a_lesson_uses_every_day_are_no_terms():
    assert without(TERMS, ["Sweep", "map"]) == (LOG_JOINT,)
    assert marked(("a sweep of sweeps",), without(TERMS, ["sweeps"])) == ("a sweep of sweeps",)


def test_what_the_template_wrote_is_warned_of():
    reading = parse_lesson(GLOSSARY, PATH)
    assert reading.problems == ()
    (warning,) = reading.warnings
    assert (GLOSSARY.split("\n")[warning.line - 1][:10], warning.message) == ("Write here", MESSAGE)
