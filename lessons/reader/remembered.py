"""What was read of a folder's files at an earlier start, so that a start reads again only what has changed since."""

from __future__ import annotations

import hashlib
import os
import pickle
import sys
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.metadata import version
from pathlib import Path

from lessons.reader.files import Reading, Stamp

ROOT = Path(__file__).parents[2]
READ_BY = ("pydantic", "markdown-it-py", "PyYAML", "latex2mathml", "numpy", "scipy")
NAME = "readings-{}.pickle"

Readings = dict[Path, tuple[Stamp | None, Reading]]


@cache
def seal() -> str:
    """Return what stands for the code that reads lessons and checks them, and for that of the libraries it uses."""
    files = sorted(path for folder in ("lessons", "samplers") for path in (ROOT / folder).rglob("*.py"))
    stamps = [(str(path), path.stat().st_mtime_ns, path.stat().st_size) for path in files]
    said = repr((sys.version, [version(name) for name in READ_BY], stamps))
    return hashlib.sha256(said.encode()).hexdigest()[:16]


def remembered(folder: Path) -> Readings:
    """Return the readings that were kept in a folder, by this very code; none if there are none that can be read.

    They are a pickle: whoever can write to that folder can write to the app's code beside it.
    """
    try:
        found: Readings = pickle.loads((folder / NAME.format(seal())).read_bytes())
    except Exception:  # it may be of any kind where a file was cut off
        return {}
    return found


def remember(folder: Path, readings: Mapping[Path, tuple[Stamp | None, Reading]]) -> None:
    """Keep the readings without problems, in place of those that were kept; a read-only installation keeps none."""
    valid = {path: (stamp, reading) for path, (stamp, reading) in readings.items() if not reading.problems}
    kept = folder / NAME.format(seal())
    part = kept.with_suffix(f".{os.getpid()}.part")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        part.write_bytes(pickle.dumps(valid))
        part.replace(kept)
        _remove(path for path in folder.glob(NAME.format("*")) if path != kept)
    except OSError:
        return


def _remove(paths: Iterable[Path]) -> None:
    for path in paths:
        path.unlink(missing_ok=True)
