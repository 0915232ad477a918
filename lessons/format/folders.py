"""The folders that lessons come from: the one of the app, and those that an instructor names beside it."""

import os
from pathlib import Path

SHIPPED = Path(__file__).resolve().parents[1]
LESSONS = "SAMPLESCOPE_LESSONS"  # the environment's variable: folders, between them a colon (on Windows a semicolon)


def folders() -> list[Path]:
    """Return the folders that lessons come from, that of the app first; one that is not there may come later."""
    return list(dict.fromkeys([SHIPPED, *named()]))


def missing() -> list[str]:
    """Return a sentence on each folder that the environment names and that is not there now."""
    return [
        f"{LESSONS} names {folder}, which is {'a file' if folder.exists() else 'not there'}: no lessons come from it; "
        "name folders that exist"
        for folder in named()
        if not folder.is_dir()
    ]


def named() -> list[Path]:
    """Return the folders that the environment names."""
    parts = [part.strip() for part in os.environ.get(LESSONS, "").split(os.pathsep)]
    return [Path(os.path.expanduser(part)).resolve() for part in parts if part]
