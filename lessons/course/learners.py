"""Whose work a class handed in, by what each file says and by how platforms name their downloads."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from lessons.course.work import Work, read_work

Platform = Literal["moodle", "canvas"]
DOWNLOADS: dict[Platform, re.Pattern[str]] = {  # as they name the folder or the file of a submission
    "moodle": re.compile(r"(?P<name>.+)_(?P<id>\d+)_assignsubmission_\w+"),
    "canvas": re.compile(r"(?P<name>[^_/]+)_(late_)?(?P<id>\d+)_\d+_.+\.json", re.IGNORECASE),
}


@dataclass(frozen=True)
class HandedIn:
    """A file of work, and whose it is."""

    file: str  # its name in the folder of the class
    work: Work  # what it holds
    platform: Platform | None = None  # the platform whose download has it, if that can be told
    # id, called: the learner's id and name in the file's or the folder's name; "" without a platform
    id: str = ""
    called: str = ""

    @property
    def name(self) -> str:
        """The learner's name. Moodle's is whole; Canvas writes it in small letters without blanks."""
        own = " ".join(self.work.name.split())
        return (self.called or own) if self.platform == "moodle" else (own or self.called)

    @property
    def learner(self) -> tuple[str, str]:
        """The learner's identity, with its kind: a platform's id, else a student number, a name, or a file."""
        if self.platform:
            return self.platform, self.id
        number, name = self.work.number.strip().casefold(), self.name.casefold()
        return ("number", number) if number else ("name", name) if name else ("file", self.file)

    @property
    def at(self) -> str:
        """The time of the last answer; "" if none has one."""
        return max((given.at for given in self.work.answers), default="")


def handed_in(folder: Path, report: list[str]) -> Iterator[HandedIn]:
    """Give the work of each file of a folder; a file without work is reported, and left out."""
    for path in sorted(folder.rglob("*.json")):
        try:
            work = read_work(path.read_bytes())
        except (OSError, ValueError) as error:
            report.append(f"{path.as_posix()}: {error.strerror if isinstance(error, OSError) else error}")
        else:
            file = path.relative_to(folder).as_posix()
            yield HandedIn(file, work, *_named(file))


def _named(file: str) -> tuple[Platform | None, str, str]:
    """Return the platform, the id and the name in a file's path."""
    for platform, pattern in DOWNLOADS.items():
        for part in reversed(file.split("/")):
            if found := pattern.match(part):
                return platform, found["id"], found["name"]
    return None, "", ""


def latest(files: Iterable[HandedIn], report: list[str]) -> list[HandedIn]:
    """Return the last file of each learner, in the order of their first ones; report the files that do not count.

    The last one has the latest answer; of files that are alike in that, it is the last by name.
    """
    known: dict[tuple[str, str], HandedIn] = {}
    for one in files:
        other = known.get(one.learner)
        if other is None:
            known[one.learner] = one
            continue
        earlier, later = sorted((other, one), key=lambda each: (each.at, each.file))
        known[one.learner] = later
        report.append(f"{earlier.file}: {later.name or later.id} handed in later as {later.file}, which counts")
    return [*known.values()]
