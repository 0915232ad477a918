"""Name the tests that a change touches, for ``make quick``: they lie in the same tree as the code.

``python -m tests.touched`` looks at what git says has changed since the main branch.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
TESTS = Path("tests")
ON_SCREEN = "test_every_step_opens_and_what_it_tells_is_on_its_screen"  # the test of each lesson
FEW = 6  # test files, from which on a folder's are too many for one change
# What lies beside no code of its own, with its tests; a folder stands for all within it.
ELSEWHERE = {
    "deploy": ["test_deploy.py"],
    ".streamlit": ["pages/test_config.py"],
    "README.md": ["test_readme.py"],
    "ARCHITECTURE.md": ["test_readme.py"],
    "Makefile": ["test_readme.py"],
    ".ci": ["test_readme.py"],
    "requirements": ["test_requirements.py"],
    "package": ["test_requirements.py"],
    "pyproject.toml": ["test_requirements.py"],
    "lessons/README.md": ["lessons/format/test_format.py", "samplers/judge/test_program.py"],
    "lessons/assignment.ipynb": ["samplers/judge/test_program.py"],
    "lessons/catalogue.py": ["lessons/test_linked.py", "pages/classroom/test_gain.py", "pages/download/test_script.py"],
    "lessons/glossary.md": ["lessons/format/test_glossary.py"],
    "bench": ["test_imports.py"],
    "pages/classroom": [f"pages/classroom/test_{name}.py" for name in ("panel", "hub", "routes")],
    "pages/lesson": [f"pages/lesson/test_{name}.py" for name in ("questions", "guess", "course", "controls")],
    "lessons/format": [f"lessons/check/test_{name}.py" for name in ("steps", "front_matter", "warnings")],
    "tests/browser": ["browser/test_driver.py"],
    "tests": ["test_touched.py"],
}


def touched_by(changed: Path) -> set[Path]:
    """Return the tests of a file, by paths from the root; a lesson has those of its topic.

    These are its own test file, else those of its folder that import it, else all of its folder or the one above.
    """
    if changed.suffix == ".md" and changed.parent == Path("lessons") and (stage := _stage(ROOT / changed)):
        own = TESTS / f"lessons/shipped/test_lessons.py::{ON_SCREEN}[{changed.stem}]"
        return {own, TESTS / "lessons/format/test_glossary.py", *_few(TESTS / "pages/topics" / stage)}
    if changed.suffix in (".js", ".ts") and changed.parts[:2] != ("tests", "browser"):
        return {TESTS / "js/test_js.py", *_few(TESTS / changed.parent)}
    if changed.parts[0] == "tests":
        found = {changed} if changed.name.startswith("test_") else _few(changed.parent)
        return found or _elsewhere(changed)
    own = TESTS / changed.with_name(f"test_{changed.stem}.py")
    if (ROOT / own).is_file():
        return {own}
    if importing := _importing(changed):
        film = TESTS / changed.parent / "test_film.py"
        return importing | ({film} if (ROOT / film).is_file() else set())
    return _elsewhere(changed) or _above(own.parent)


def file_of(test: Path) -> Path:
    """Return the file of a test, or of one test in it."""
    return ROOT / str(test).partition("::")[0]


def _importing(changed: Path) -> set[Path]:
    """Return the tests beside a module that take something from it."""
    name = ".".join(changed.with_suffix("").parts)
    taken = re.compile(
        rf"^(from {name} import|import {name}\b|from {re.escape(name.rpartition('.')[0])} import .*\b{changed.stem}\b)",
        re.M,
    )
    beside = (ROOT / TESTS / changed.parent).glob("test_*.py")
    return {
        path.relative_to(ROOT) for path in beside if changed.suffix == ".py" and taken.search(path.read_text("utf-8"))
    }


def _elsewhere(changed: Path) -> set[Path]:
    for place, tests in ELSEWHERE.items():
        if str(changed).startswith(place):
            return {TESTS / test for test in tests}
    return set()


def _above(folder: Path) -> set[Path]:
    """Return the tests of a folder, else of the one above it; at the top, that all files can be loaded."""
    while folder != TESTS:
        if found := _few(folder):
            return found
        folder = folder.parent
    return {TESTS / "test_imports.py"}


def _few(folder: Path) -> set[Path]:
    """Return the tests of a folder; of many, those named as the folder is, or as the page that it makes."""
    found = {path.relative_to(ROOT) for path in (ROOT / folder).glob("test_*.py")}
    if len(found) <= FEW:
        return found
    named = {path for path in found if path.stem in (f"test_{folder.name}", "test_app", "test_run", "test_film")}
    return named or set(sorted(found)[:FEW])


def _stage(lesson: Path) -> str:
    lines = lesson.read_text("utf-8").splitlines() if lesson.is_file() else []
    return next((line.removeprefix("stage:").strip() for line in lines if line.startswith("stage:")), "")


def _changed() -> set[Path]:
    def git(*words: str) -> list[str]:
        return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()

    base = git("merge-base", "HEAD", "main")[0]
    return {Path(name) for name in git("diff", "--name-only", base) + git("ls-files", "--others", "--exclude-standard")}


if __name__ == "__main__":
    found = {
        test for path in _changed() for test in touched_by(path) if (ROOT / str(test).partition("::")[0]).is_file()
    }
    sys.stdout.write(" ".join(sorted(map(str, {Path("tests/test_imports.py"), *found}))))
