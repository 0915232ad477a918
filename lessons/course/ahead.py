"""Lessons read by another process, where a server would be the first to read them: ``python -m lessons.course.ahead``.

Lessons are measured as they are read, and that loads pandas, Arrow and SciPy's statistics: 85 MB, which a server that
reads them itself never gives back. It takes up what the process has kept.
"""

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from threading import Lock

from lessons.course.library import Library, label
from lessons.course.remembered import kept_by
from lessons.format.folders import SHIPPED, folders
from lessons.installed import CACHE, ROOT

KEPT = CACHE / "lessons"  # the last valid versions, and the readings of all
COMMAND = (sys.executable, "-m", "lessons.course.ahead")
_lock = Lock()


def have_read(kept: Path = KEPT) -> None:
    """Have another process read the lessons, if no process with this code has, and wait for it."""
    folder = kept / label(SHIPPED)
    with _lock, suppress(OSError):  # if it does not start, the server reads them itself
        folder.mkdir(parents=True, exist_ok=True)
        if os.access(folder, os.W_OK) and not kept_by(folder).exists():
            subprocess.run((*COMMAND, kept), cwd=ROOT, stderr=subprocess.DEVNULL, check=False)


if __name__ == "__main__":
    Library(folders(), Path(sys.argv[1]))
