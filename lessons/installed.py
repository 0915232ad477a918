"""The place that the app runs from: a checkout, or the package `samplescope` in somebody's environment."""

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGED = (ROOT / "__main__.py").is_file()  # deploy/samplescope puts it there


def cache_folder() -> Path:
    """Return the folder of what outlives a start; an environment is not the app's to write in."""
    if not PACKAGED:
        return ROOT / ".cache"
    if sys.platform == "win32":
        usual = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData/Local")
    elif sys.platform == "darwin":
        usual = Path.home() / "Library/Caches"
    else:
        usual = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return usual / "samplescope"


def called(checkout: str, package: str) -> str:
    """Return a command as it is typed here: in a checkout, or where the package is installed."""
    return package if PACKAGED else checkout


CACHE = cache_folder()
