"""Lessons are written as lessons/STYLE.md says, as far as a machine can hold it."""

from pathlib import Path

import pytest

from lessons.catalogue import TOPICS
from lessons.format.shades import SHADES
from pages.lesson.lessons import library
from tests.lessons.english import (
    CLICKED,
    FOREIGN,
    SPELLING,
    foreign,
    grade,
    plain,
    sentences,
    syllables,
    texts,
    written,
)

ROOT = Path(__file__).parents[2]
LIBRARY = library()
CODE = ("samplers", "lessons", "pages")
SPOKEN = (".py", ".js", ".yaml")  # endings of files with words for learners
GUIDES = (
    "README.md",
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "lessons/README.md",
    "lessons/format/FORMAT.md",
    "lessons/format/STAGES.md",
)
MOST_WORDS, HARDEST = 25, 9.0


@pytest.mark.parametrize("lesson", LIBRARY.lessons, ids=lambda lesson: lesson.path.stem)
def test_a_lesson_is_plain_english(lesson):
    read = list(texts(lesson))
    long = [(step, " ".join(said)) for step, text in read for said in sentences(text) if len(said) > MOST_WORDS]
    words = [(step, word) for step, text in read for find in (FOREIGN, CLICKED) for word in find.findall(plain(text))]
    other = [(step, word) for step, text in read for word in SPELLING.findall(plain(text))]
    assert (long, words, other) == ([], [], [])
    assert grade("\n\n".join(text for _, text in read)) <= HARDEST


def test_covers_and_glossary_are_plain_english():
    read = [text for topic in TOPICS for text in (topic.title, topic.line, topic.about)]
    read += [term.meaning for term in LIBRARY.terms]
    assert [said for text in read for said in sentences(text) if len(said) > MOST_WORDS] == []
    assert [found for text in read for found in FOREIGN.findall(plain(text)) + SPELLING.findall(plain(text))] == []


def test_the_app_and_its_guides_are_plain_english():
    """Settings, messages, captions, cards and docstrings keep to the list of words; so do the guides."""
    files = [path for folder in CODE for path in sorted((ROOT / folder).rglob("*")) if path.suffix in SPOKEN]
    files += [ROOT / name for name in GUIDES] + sorted((ROOT / "deploy").glob("*.md"))
    found = {str(path.relative_to(ROOT)): words for path in files if (words := foreign(path))}
    assert found == {}


def test_no_text_names_a_shade_that_the_dark_theme_turns_round():
    """Of lessons, topics, glossary, captions, legends and cards, and of docstrings, which say what is drawn."""
    read = {f"{lesson.id}#{step}": text for lesson in LIBRARY.lessons for step, text in texts(lesson)}
    named = [f"{place}: {found}" for place, text in read.items() for found in SHADES.findall(plain(text))]
    files = [path for folder in CODE for path in (ROOT / folder).rglob("*") if path.suffix in (*SPOKEN, ".md")]
    named += [
        f"{path}:{line}: {found}" for path in files for line, text in written(path) for found in SHADES.findall(text)
    ]
    assert named == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("You see it from above: the darker, the higher.", ["darker"]),
        ("The dark line is exact, and pale dots are not chosen.", ["dark", "pale"]),
        ("A black line, two White cells and light bars", ["black line", "White cells", "light bars"]),
        ("the lighter, the less sure; the brightest pixel", ["the lighter", "the brightest"]),
        ("In the dark theme a light puck draws a black ball from a white urn. A grey dot is faint.", []),
        ("color-scheme: light dark;", []),
    ],
)
def test_shades_are_found(text, found):
    assert SHADES.findall(text) == found


def test_a_foreign_word_is_found_in_code_and_guides(tmp_path):
    planted = {
        "a.py": 'def f():\n    """Return what stands there."""\n    return f"it is refused by {f}, the law"\n',
        "b.js": 'say("Nobody can click it");\n// nobody reads comments\n',
        "d.yaml": "told: {refused: A word, why: It stands}\n",
        "c.md": "Fine: click it.\n\nThe mean stands above, told by `told`.\n",
    }
    expected = {
        "a.py": ["2: stands", "3: refused"],
        "b.js": ["1: Nobody", "1: click"],
        "c.md": ["3: stands", "3: told"],
    }
    expected["d.yaml"] = ["1: stands"]
    for name, text in planted.items():
        (tmp_path / name).write_text(text, "utf-8")
        assert foreign(tmp_path / name) == expected[name]


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
