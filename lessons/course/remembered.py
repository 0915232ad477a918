"""Readings of lesson files that outlive a restart, so that a start reads only the files that have changed."""

import hashlib
import os
import pickle
import sys
from collections.abc import Mapping
from functools import cache
from importlib.metadata import version
from pathlib import Path

from lessons.check.files import Reading, Stamp, stamp_of

ROOT = Path(__file__).parents[2]
READ_BY = ("pydantic", "markdown-it-py", "PyYAML", "latex2mathml", "numpy", "scipy")
CODE, WORDS = (".py", ".tsv", ".txt"), "topics/*.yaml"  # code and data, and the words of settings and views
NAME = "readings-{}.pickle"

Readings = dict[Path, tuple[Stamp | None, Reading]]


@cache
def seal() -> str:
    """Return a digest of the code and data that read and check lessons: readings of any other are left alone."""
    every = (path for folder in ("lessons", "samplers") for path in (ROOT / folder).rglob("*"))
    paths = sorted(path for path in every if path.suffix in CODE or path.match(WORDS))
    stamps = [(str(path), *(stamp_of(path) or ())) for path in paths]
    said = repr((sys.version, [version(name) for name in READ_BY], stamps))
    return hashlib.sha256(said.encode()).hexdigest()[:16]


def kept_by(folder: Path) -> Path:
    """Return the file in a folder that has the readings of this very code."""
    return folder / NAME.format(seal())


def remembered(folder: Path) -> Readings:
    """Return the readings that this very code kept in a folder; none if they cannot be read.

    They are a pickle, which can run code as it is read: the folder is the server's own, like its compiled modules.
    """
    try:
        found: Readings = pickle.loads(kept_by(folder).read_bytes())
    except Exception:  # it may be of any kind where a file was cut off
        return {}
    return found


def remember(folder: Path, readings: Mapping[Path, tuple[Stamp | None, Reading]]) -> None:
    """Keep the readings without problems, in place of those that were kept, if they can be kept."""
    valid = {path: (stamp, reading) for path, (stamp, reading) in readings.items() if not reading.problems}
    kept = kept_by(folder)
    part = kept.with_suffix(f".{os.getpid()}.part")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        part.write_bytes(pickle.dumps(valid))
        part.replace(kept)
        for path in folder.glob(NAME.format("*")):
            if path != kept:
                path.unlink(missing_ok=True)
    except Exception:  # a read-only installation; or a reading of a kind that cannot be kept, which must harm none
        return
