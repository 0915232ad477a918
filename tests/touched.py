"""Name the test files that a change touches, for ``make quick``: the tests lie in the same tree as the code.

``python -m tests.touched`` looks at what git says has changed since the main branch.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def touched_by(changed: Path) -> set[Path]:
    """Return the tests of a file, by paths from the root: its own test file, else all beside which that would lie."""
    if changed.suffix == ".md" and changed.parent == Path("lessons"):
        return {Path("tests/lessons/test_glossary.py"), *_beside(Path("tests/pages/stages") / _stage(ROOT / changed))}
    if changed.suffix == ".js" and changed.parts[:2] != ("tests", "browser"):
        return {Path("tests/js/test_js.py"), *_beside(Path("tests") / changed.parent)}
    if changed.parts[0] == "tests":
        return {changed} if changed.name.startswith("test_") else _beside(changed.parent)
    own = Path("tests") / changed.with_name(f"test_{changed.stem}.py")
    return {own} if (ROOT / own).is_file() else _beside(own.parent)


def _beside(folder: Path) -> set[Path]:
    return {path.relative_to(ROOT) for path in (ROOT / folder).glob("test_*.py")}


def _stage(lesson: Path) -> str:
    lines = lesson.read_text("utf-8").splitlines() if lesson.is_file() else []
    return next((line.removeprefix("stage:").strip() for line in lines if line.startswith("stage:")), "")


def _changed() -> set[Path]:
    def git(*words: str) -> list[str]:
        return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()

    base = git("merge-base", "HEAD", "main")[0]
    return {Path(name) for name in git("diff", "--name-only", base) + git("ls-files", "--others", "--exclude-standard")}


if __name__ == "__main__":
    found = {test for path in _changed() for test in touched_by(path) if (ROOT / test).is_file()}
    sys.stdout.write(" ".join(sorted(map(str, {Path("tests/test_imports.py"), *found}))))
