"""Write files of instructors' folders: whole or not at all, nowhere else, and without losing anybody's work.

Each version that is replaced stays in ``.earlier``, in the folder itself.
"""

import hashlib
import os
import re
import shutil
import threading
from datetime import datetime
from pathlib import Path

from lessons.check.files import LARGEST, NO_LESSONS, lesson_files
from lessons.course.template import LONGEST_NAME
from lessons.format.data_file import KINDS
from lessons.format.folders import LESSONS, folders, named
from lessons.format.pictures import media_type

EARLIER = ".earlier"  # the folder of earlier versions; no lessons are read from there
DATED = "%Y%m%d-%H%M%S-%f"  # in their names
MOST = 30  # earlier versions of one file that are kept

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]*")
_writing = threading.Lock()  # two sessions may save at once


class ChangedError(Exception):
    """The file is not what it was when it was read."""


def writable() -> list[Path]:
    """Return the folders in which files may be written: those that the environment names, and no others."""
    return [folder for folder in dict.fromkeys(named()) if folder.is_dir() and os.access(folder, os.W_OK)]


def new_file(folder: Path, name: str) -> Path:
    """Return the path of a new lesson.

    Raises
    ------
    ValueError
        If the name is none for a lesson, if the folder is none to write in, or if there is such a file.
    """
    name = name.strip().removesuffix(".md")
    if len(name) > LONGEST_NAME:
        raise ValueError(f"a name has at most {LONGEST_NAME} characters, and this one has {len(name)}")
    if not _NAME.fullmatch(name) or name in (*NO_LESSONS, "glossary"):
        raise ValueError("a name has small letters, digits, hyphens and underscores, such as week-3")
    return _free(folder / f"{name}.md")


def course_parts(folder: Path) -> dict[str, Path]:
    """Return the files of a course, besides lessons, that a folder does not have yet."""
    parts = {"course": folder / "course.yaml", "glossary": folder / "glossary.md"}
    return {what: path for what, path in parts.items() if not path.exists()}


def _kept(path: Path, held: bytes) -> str:
    """Write a new file; return its name, also where it is there already with the same bytes."""
    if not (path.is_file() and path.read_bytes() == held):
        with _writing:
            _free(path).write_bytes(held)
    return path.name


def _free(path: Path) -> Path:
    """Return a path, if a new file can be written there."""
    if path.parent not in writable():
        raise ValueError(f"{path.parent.name} cannot be written to: {LESSONS} names the folders that can")
    if path.exists() or path.is_symlink():
        raise ValueError(f"there is a file {path.name} already; choose another name")
    return path


def rename(path: Path, name: str) -> Path:
    """Rename a lesson, with its earlier versions; return its new path.

    Raises
    ------
    ValueError
        As `new_file`, or if the file is none that may be written.
    OSError
        If it cannot be renamed.
    """
    with _writing:
        if not may_write(path):
            raise ValueError(f"{path.name} is in no folder that may be written to")
        new = new_file(path.parent, name)
        versions = earlier(path)
        path.rename(new)
        for one in versions:
            one.rename(one.with_name(new.stem + one.name.removeprefix(path.stem)))
        return new


def delete(path: Path) -> None:
    """Delete a file; its text stays among the earlier versions, so that it can be brought back.

    Raises
    ------
    ValueError
        If the file is none that may be written.
    OSError
        If it cannot be deleted.
    """
    with _writing:
        if not may_write(path):
            raise ValueError(f"{path.name} is in no folder that may be written to")
        keep(path, path.read_bytes())
        path.unlink()


def deleted(folder: Path) -> dict[Path, Path]:
    """Return the latest version of each file of a folder that was deleted, by the path where it was."""
    dated = re.compile(r"(.+)\.\d{8}-\d{6}-\d{6}(\.\w+)")
    found: dict[Path, Path] = {}
    for one in sorted((folder / EARLIER).glob("*")):
        if (match := dated.fullmatch(one.name)) and not (path := folder / (match[1] + match[2])).exists():
            found[path] = one
    return found


def save_picture(folder: Path, name: str, held: bytes) -> str:
    """Write a picture beside the lessons of a folder; return the name by which they show it.

    Raises
    ------
    ValueError
        If it is none that lessons can show, or another picture has its name.
    OSError
        If it cannot be written.
    """
    plain = re.sub(r"[^a-z0-9]+", "-", Path(name).stem.lower()).strip("-")[:LONGEST_NAME] or "picture"
    kind = media_type(held, name[:40]).removeprefix("image/").removesuffix("+xml")
    path = folder / f"{plain}.{kind}"
    return _kept(path, held)


def save_data(folder: Path, name: str, held: bytes) -> str:
    """Write a file of data beside the lessons of a folder; return the name by which they name it.

    Raises
    ------
    ValueError
        If another file has its name.
    OSError
        If it cannot be written.
    """
    kind = Path(name).suffix.lower()
    plain = re.sub(r"[^\w-]+", "-", Path(name).stem).strip("-")[:LONGEST_NAME] or "data"
    path = folder / f"{plain}{kind if kind in KINDS else KINDS[0]}"
    return _kept(path, held)


def files() -> dict[str, Path]:
    """Return all files of lessons by their names with their folders, those that may be written first."""
    found: dict[str, Path] = {}
    for folder in dict.fromkeys([*writable(), *folders()]):
        for path in lesson_files(folder):
            short = f"{folder.name}/{path.name}"
            found[short if short not in found else path.as_posix()] = path
    return found


def name_of(path: Path) -> str:
    """Return the name that `files` has for a file, or will have for a new one."""
    return next((name for name, other in files().items() if other == path), f"{path.parent.name}/{path.name}")


def may_write(path: Path) -> bool:
    """Return whether a file is in a folder that may be written to; a link to elsewhere is not."""
    return path.parent in writable() and not path.is_symlink()


def read(path: Path) -> tuple[str, str]:
    r"""Return a file's text, with ``\n`` as the only line break, and its digest.

    Raises
    ------
    OSError
        If it cannot be read.
    UnicodeDecodeError
        If it is not UTF-8.
    """
    held = path.read_bytes()
    return held.decode("utf-8").replace("\r\n", "\n").replace("\r", "\n"), digest(held)


def read_anyhow(path: Path) -> str:
    """Return a file's text to look at: with a sign for each byte that is no text, "" if it cannot be read."""
    try:
        return path.read_bytes().decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
    except OSError:
        return ""


def digest(held: bytes | None) -> str:
    """Return the digest of a file's content; "" if there is no file."""
    return "" if held is None else hashlib.sha256(held).hexdigest()


def digest_of(path: Path) -> str:
    """Return the digest of a file as it is now; "" if it is gone or cannot be read."""
    try:
        return digest(_held(path))
    except OSError:
        return ""


def save(path: Path, text: str, seen: str) -> str:
    r"""Write a file, and keep the version before.

    Parameters
    ----------
    path : pathlib.Path
        One of `writable`'s files, or a `new_file`.
    text : str
        With ``\n`` as line break; a file that had others keeps them.
    seen : str
        The digest of the version that the text was made from, "" if there was none.

    Returns
    -------
    str
        The digest of the file as it is now.

    Raises
    ------
    ChangedError
        If the file is another one by now; nothing is written.
    ValueError
        If the place is none to write to, or the text is too long.
    OSError
        If it cannot be written; the file is as it was.
    """
    with _writing:
        before = _held(path)
        if digest(before) != seen:
            raise ChangedError(path.name)
        if not may_write(path):
            raise ValueError(f"{path.name} is in no folder that may be written to")
        crlf = before is not None and b"\r\n" in before
        held = text.replace("\n", "\r\n" if crlf else "\n").encode()
        if len(held) > LARGEST:
            raise ValueError(f"the text has {len(held):,} bytes; a lesson has at most {LARGEST:,}")
        if before is not None and before != held:
            keep(path, before)
        part = path.with_name(f".{path.name}.{os.getpid()}.part")
        try:
            part.write_bytes(held)
            if before is not None:
                shutil.copymode(path, part)
            os.replace(part, path)
        finally:
            part.unlink(missing_ok=True)
        return digest(held)


def keep(path: Path, held: bytes) -> None:
    """Keep a version of a file in the folder of earlier ones, and of these the latest alone."""
    folder = path.parent / EARLIER
    folder.mkdir(exist_ok=True)
    (folder / f"{path.stem}.{datetime.now():{DATED}}{path.suffix}").write_bytes(held)
    for old in earlier(path)[MOST:]:
        old.unlink(missing_ok=True)


def earlier(path: Path) -> list[Path]:
    """Return the earlier versions of a file that are kept, the latest first."""
    dated = re.compile(re.escape(path.stem) + r"\.\d{8}-\d{6}-\d{6}" + re.escape(path.suffix))
    found = (path.parent / EARLIER).glob(f"*{path.suffix}")
    return sorted((one for one in found if dated.fullmatch(one.name)), reverse=True)


def _held(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
