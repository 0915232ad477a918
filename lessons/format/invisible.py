"""Invisible and unreadable characters, which come with text that was copied or saved wrongly."""

import re
import unicodedata
from collections.abc import Sequence

from lessons.format.problems import Report

# blanks that are none for YAML, signs without width, and those that turn the direction of writing
UNSEEN = re.compile(r"[\u00a0\u00ad\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff]")
# what no text has: control characters, what stands for a letter that was lost, and what shows text in another order
_NEVER = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ufffd\u202d\u202e]")


def name_of(sign: str) -> str:
    """Return how an invisible sign is named."""
    called = unicodedata.name(sign, "control character").lower()
    return f"U+{ord(sign):04X}, {called}"


def check_signs(lines: Sequence[str], first: int, report: Report) -> None:
    """Warn of signs in prose, which begins at this line from 0, that learners would see as boxes, or not at all."""
    for number, line in enumerate(lines[first:], first):
        for match in _NEVER.finditer(line):
            place = number + 1, match.start() + 1
            if match[0] == "\ufffd":
                report.warn(place, "this sign (U+FFFD) stands for a letter that was lost in saving; type it anew")
            else:
                report.warn(place, f"there is an invisible sign here ({name_of(match[0])}); delete it")
