"""Files that look like lessons and are not read, each with what to do about it."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from lessons.check.files import GLOSSARY, NO_LESSONS, is_hidden
from lessons.format.course_file import is_course
from lessons.format.folders import LESSONS
from lessons.format.problems import Problem

ENDINGS = (".markdown", ".mdown", ".mkd", ".mdx", ".mdtext", ".txt", ".rtf", ".text")  # that editors give to lessons
HEAD = 2_000  # bytes of a file to search for its front matter
MOST = 1_000  # files below a folder that are looked at
NAME = "the name of a lesson ends in .md, and of a course in course.yaml; rename the file to {}"


def passed_over(folder: Path) -> list[Problem]:
    """Return a warning for each file in a folder, or in one right below it, that looks like a lesson and is not read.

    Names that begin with a dot are left alone.
    """
    with suppress(OSError):
        return [Problem(path, 1, 1, f"this file is not read: {why}", kind="warning") for path, why in _unread(folder)]
    return []


def _unread(folder: Path) -> Iterator[tuple[Path, str]]:
    here = sorted(path for path in folder.iterdir() if not is_hidden(path))
    for path in here:
        if path.is_file() and (name := _meant(path)) is not None:
            yield path, NAME.format(name)
    looked = 0
    for below in here:
        for path in sorted(below.iterdir()) if below.is_dir() and not below.is_symlink() else ():
            looked += 1
            if looked > MOST:
                return
            if path.suffix.lower() == ".md" and not is_hidden(path) and _begins_as_lesson(path):
                why = f"lessons lie in {folder.name or 'the folder'} itself; move it there, or name {below.name} in"
                yield path, f"{why} {LESSONS} as a folder of its own"


def _meant(path: Path) -> str | None:
    """Return the name that a file should have to be read; None if it has one, or is no lesson."""
    stem, ending = path.name.removesuffix(path.suffix), path.suffix.lower()
    if ending == ".md":
        meant = GLOSSARY if path.name.lower() == GLOSSARY else f"{stem}.md"
        return meant if meant != path.name and stem.lower() not in NO_LESSONS else None
    if ending not in ENDINGS:
        return None
    if is_course(Path(stem)):
        return stem
    stem = stem[:-3] if stem.lower().endswith(".md") else stem
    return f"{stem}.md" if stem.lower() not in NO_LESSONS and _begins_as_lesson(path) else None


def _begins_as_lesson(path: Path) -> bool:
    """Return whether a file has the front matter of a lesson."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        head = file.read(HEAD).removeprefix(b"\xef\xbb\xbf").lstrip()
    return head.startswith(b"---") and b"\nstage:" in head.replace(b"\r", b"\n")
