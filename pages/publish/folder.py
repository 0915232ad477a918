"""The folder of a published course: made beside the last one, resumed if stopped, and put in its place when whole."""

import hashlib
import json
import os
import shutil
from pathlib import Path

MARK = "samplescope.json"  # says that a folder is ours, and what was made from what


class NotOursError(ValueError):
    """A folder that is not a published course is in the way; the message says what to do."""


class Folder:
    """A folder in the making, beside the place where it will be.

    Parameters
    ----------
    place : pathlib.Path
        Where the course will be. A course that is there stays as it is until `finish`.

    Raises
    ------
    NotOursError
        If something else is there.
    """

    def __init__(self, place: Path) -> None:
        self.place = place.resolve()
        self.before = self.place.with_name(f".{self.place.name}.before")
        if self.before.exists() and not self.place.exists():  # stopped between the two renames of `finish`
            self.before.rename(self.place)
        ours = self.place.is_dir() and (not any(self.place.iterdir()) or (self.place / MARK).is_file())
        if self.place.exists() and not ours:
            raise NotOursError(
                f"{place} is there already, and is not a published course; name another folder with --out"
            )
        self.part = self.place.with_name(f".{self.place.name}.part")
        for folder in ("packs", "app", "made"):
            (self.part / folder).mkdir(parents=True, exist_ok=True)

    def write(self, name: str, text: str | bytes) -> None:
        """Write a file, unless it is there: the names of packs, scripts and fonts come from their contents."""
        path = self.part / name
        if path.exists() and name.startswith(("packs/", "app/")):
            return
        before = self.place / name
        if before.exists() and name.startswith(("packs/", "app/")):
            shutil.copyfile(before, path)
            return
        part = path.with_name(f"{path.name}.{os.getpid()}.part")
        part.write_bytes(text.encode() if isinstance(text, str) else text)
        part.replace(path)

    def named(self, name: str, text: str) -> str:
        """Write a file with its content's digest in its name; return its address."""
        stem, _, kind = name.rpartition(".")
        address = f"{stem}-{hashlib.sha256(text.encode()).hexdigest()[:12]}.{kind}"
        self.write(address, text)
        return address

    def made(self, lesson: str, key: str) -> list[str] | None:
        """Return the packs of a lesson that was made from the same, by this run or an earlier one; else None."""
        for folder in (self.part, self.place):
            try:
                found = json.loads((folder / "made" / f"{lesson}.json").read_text("utf-8"))
            except (OSError, ValueError):
                continue
            packs: list[str] = found["packs"]
            if found["key"] == key and all((folder / name).is_file() for name in packs):
                if folder == self.place:
                    for name in packs:
                        self.write(name, "")
                    self.note(lesson, key, packs)
                return packs
        return None

    def note(self, lesson: str, key: str, packs: list[str]) -> None:
        """Note that a lesson is whole, with its own file as the first of its packs."""
        self.write(f"made/{lesson}.json", json.dumps({"key": key, "packs": packs}))

    def finish(self, page: str, kept: set[str], lessons: list[str]) -> None:
        """Write the page, drop what no lesson needs, and put the folder in its place."""
        self.write("index.html", page)
        self.write(MARK, json.dumps({"samplescope": "published", "lessons": lessons}, indent=1))
        for path in [*(self.part / "packs").iterdir(), *(self.part / "app").iterdir(), *(self.part / "made").iterdir()]:
            name = path.relative_to(self.part).as_posix()
            if name not in kept and path.stem not in lessons:
                path.unlink()
        shutil.rmtree(self.before, ignore_errors=True)
        if self.place.exists():
            self.place.rename(self.before)
        self.part.rename(self.place)
        shutil.rmtree(self.before, ignore_errors=True)

    @property
    def size(self) -> int:
        """The bytes of all files, once finished."""
        return sum(path.stat().st_size for path in self.place.rglob("*") if path.is_file())
