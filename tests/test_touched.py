"""``make quick`` runs the tests that belong to a change."""

from pathlib import Path

import pytest

from tests.touched import touched_by


@pytest.mark.parametrize(
    ("changed", "test"),
    [
        ("samplers/crp/seating.py", "tests/samplers/crp/test_seating.py"),
        ("pages/stages/gibbs_text/panels.py", "tests/pages/stages/gibbs_text/test_film.py"),
        ("pages/player/player.js", "tests/pages/player/test_player.py"),
        ("pages/player/player.js", "tests/js/test_js.py"),
        ("tests/js/room/line.test.js", "tests/js/test_js.py"),
        ("lessons/text-1-word-by-word.md", "tests/pages/stages/gibbs_text/test_app.py"),
        ("tests/samplers/test_chain.py", "tests/samplers/test_chain.py"),
        ("tests/samplers/markov.py", "tests/samplers/test_chain.py"),
        ("app.py", "tests/test_imports.py"),
    ],
)
def test_a_file_has_its_tests(changed, test):
    assert Path(test) in touched_by(Path(changed))


def test_a_file_with_a_test_of_its_own_has_no_other():
    assert len(touched_by(Path("samplers/crp/seating.py"))) == 1
