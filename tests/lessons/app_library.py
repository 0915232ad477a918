"""The app's own lessons for tests: read once, by whichever process is the first to do so with this code."""

from functools import cache
from pathlib import Path

from lessons.course.ahead import KEPT
from lessons.course.library import Library
from lessons.format.folders import SHIPPED


@cache
def app_library(*more: Path) -> Library:
    """Return the library of the app's lessons, and those of other folders. To read them all takes eight seconds.

    What a file has is kept by its time and size, and by the code that reads it; one with problems is read each time.
    """
    return Library([SHIPPED, *more], KEPT)
