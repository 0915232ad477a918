"""Sentences on errors: those that tell an author something, and unforeseen ones."""

import traceback
from pathlib import Path

ROOT = Path(__file__).parents[1]
UNFORESEEN = "Samplescope itself fails here"


def place_of(error: BaseException) -> str:
    """Return the lines of our code in an error's traceback, the innermost first."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if Path(frame.filename).is_relative_to(ROOT)]
    ours = [f"{Path(frame.filename).relative_to(ROOT).as_posix()}:{frame.lineno}" for frame in reversed(frames)]
    return " < ".join(place for place in ours if not place.startswith(".")) or "code of a library"


def unforeseen(error: BaseException) -> str:
    """Return a sentence on an error that is a mistake of ours, with its type and the line where it was raised."""
    return f"{UNFORESEEN} ({type(error).__name__} at {place_of(error).partition(' < ')[0]}); please report it"


def words_of(error: BaseException) -> str:
    """Return an error's message: its own words if samplers raised it on purpose, or else that the fault is ours."""
    return str(error) if isinstance(error, ValueError | ArithmeticError) and str(error) else unforeseen(error)
