"""``make quick`` runs the tests that belong to a change."""

from pathlib import Path

import pytest

from tests.touched import ON_SCREEN, ROOT, file_of, touched_by

SOURCES = {
    ".py",
    ".js",
    ".ts",
    ".css",
    ".md",
    ".sh",
    ".tsv",
    ".toml",
    ".yaml",
    ".conf",
    ".svg",
    ".lock",
    ".txt",
    ".html",
}


@pytest.mark.parametrize(
    ("changed", "test"),
    [
        ("samplers/crp/seating.py", "tests/samplers/crp/test_seating.py"),
        ("pages/topics/gibbs_text/panels.py", "tests/pages/topics/gibbs_text/test_film.py"),
        ("pages/player/player.js", "tests/pages/player/test_player.py"),
        ("pages/player/player.js", "tests/js/test_js.py"),
        ("tests/js/classroom/line.test.js", "tests/js/test_js.py"),
        ("lessons/text-1-word-by-word.md", "tests/pages/topics/gibbs_text/test_app.py"),
        ("lessons/text-1-word-by-word.md", f"tests/lessons/shipped/test_lessons.py::{ON_SCREEN}[text-1-word-by-word]"),
        ("lessons/format/markdown.py", "tests/lessons/check/test_warnings.py"),
        ("tests/samplers/test_chain.py", "tests/samplers/test_chain.py"),
        ("tests/samplers/markov.py", "tests/samplers/test_chain.py"),
        ("app.py", "tests/test_imports.py"),
    ],
)
def test_a_file_has_its_tests(changed, test):
    assert Path(test) in touched_by(Path(changed))


def test_a_file_with_a_test_of_its_own_has_no_other():
    assert len(touched_by(Path("samplers/crp/seating.py"))) == 1


def test_every_file_of_the_project_has_a_test_that_is_there():
    folders = ("samplers", "lessons", "pages", "bench", "deploy", "tests")
    found = [*ROOT.glob("*"), *(path for folder in folders for path in (ROOT / folder).rglob("*"))]
    sources = [path.relative_to(ROOT) for path in found if path.is_file() and path.suffix in SOURCES]
    assert len(sources) > 500
    without = [path for path in sources if not any(file_of(test).is_file() for test in touched_by(path))]
    assert without == []
    assert [path for path in sources if len(touched_by(path)) > 12] == [], "they would not be quick"
