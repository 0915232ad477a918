"""The charts with which topics open, drawn ahead: ``python -m pages.player.opening``.

Altair takes longer to load than the rest of a topic. With these charts in a file, the first page does not wait for it.
The file is for one version of the code. A server that lacks it has another process write it, for the next start.
"""

import os
import subprocess
import sys
from contextlib import suppress
from functools import partial
from pathlib import Path

from lessons.flow import Place
from lessons.installed import CACHE
from lessons.topics import STAGES
from pages.contract.stage import stage_of
from pages.contract.waiting import patiently
from pages.drawing.once import note, take_up
from pages.player import modules
from pages.player.worker import stand_back

FOLDER = CACHE / "charts"
COMMAND = (sys.executable, "-m", "pages.player.opening")


def take_up_kept() -> None:
    """Take up the charts in the file, if it is there."""
    with suppress(OSError), _file().open(encoding="utf-8") as lines:
        take_up(lines)


def have_drawn() -> None:
    """Have another process write the file, if it is missing, and wait for that process."""
    if not _file().exists():
        with suppress(OSError):
            subprocess.run(COMMAND, cwd=modules.ROOT, stderr=subprocess.DEVNULL, check=False)


def draw() -> None:
    """Draw what each topic opens with, and write it where it can be written, if the code is the same by then."""
    noted = note()
    for topic in STAGES:
        stage, place = stage_of(topic), Place(topic, STAGES[topic]())
        patiently(partial(stage.film, place.settings, place.seed))
        for view in place.settings.views:
            patiently(partial(stage.written, place.settings, place.seed, view, 0))
    if modules._build() != modules.BUILD:
        return
    with suppress(OSError):
        FOLDER.mkdir(parents=True, exist_ok=True)
        for older in FOLDER.iterdir():
            older.unlink(missing_ok=True)
        part = _file().with_suffix(f".{os.getpid()}.part")  # several processes may share the folder
        part.write_text("".join(f"{key}\t{chart}\n" for key, chart in noted.items()), "utf-8")
        part.replace(_file())


def _file() -> Path:
    return FOLDER / f"{modules.BUILD}.txt"


if __name__ == "__main__":
    stand_back()
    draw()
