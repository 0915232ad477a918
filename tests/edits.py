"""Random edits of the app's lessons: of their signs, and of the settings and numbers that they name."""

import random
import re
from collections.abc import Callable

from lessons.format.patch import written
from lessons.topics import STAGES
from pages.lesson.lessons import FOLDER
from tests.lessons.format.values import values_of

LESSONS = [path.read_text("utf-8") for path in sorted(FOLDER.glob("*.md")) if "\nstage: " in path.read_text("utf-8")]
HOSTILE = (
    "---\n", "## A {#a}\n", "```step\n", "```\n", "::: hint\n", ":::\n", "- [x] a\n", "  > c\n", "$", "`", "<b>", "\t",
    "kind: run\n", "until: 3\n", "at: -1\n", "at: 1e400\n", "seed: .nan\n", "settings: {a: b}\n", "hide: [all]\n",
    "![](a)", "? [a]\n", "&a ", "*a ", "<<: *a\n", "!!python/name:os.system ", "2024-01-01", "[" * 300, "{" * 300,
    "> " * 300, "\ufeff", "\x85", "\u2028", "\x00", "\\", "===\n", "1. [x] a\n", "# B\n", "9" * 5_000, "{#a}", "٣",
)  # fmt: skip
FEW = 40  # iterations at which a number is asked for: more would only take longer

_PAIRS = re.compile(r"(?m)^( *(?:[\w]+: *\{[^\n]*)?\b(?:stage_)?settings: *\{)")
_NUMBER = re.compile(r"(?<![\w#.-])\d+(?:\.\d+)?(?![\w.-])")
_STAGE = re.compile(r"(?m)^stage: (\w+)$")

Edit = Callable[[str, random.Random], str]


def edited(chance: random.Random, lessons: list[str] | None = None) -> str:
    """Return a lesson with one to four edits."""
    text = chance.choice(lessons or LESSONS)
    for _ in range(chance.randint(1, 4)):
        text = chance.choice(EDITS)(text, chance)
    return text


def _cut(text: str, chance: random.Random) -> str:
    start = chance.randint(0, len(text))
    return text[:start] + text[start + chance.randint(1, 80) :]


def _put(text: str, chance: random.Random) -> str:
    place, other = chance.randint(0, len(text)), chance.choice(LESSONS)
    start = chance.randint(0, len(other))
    return text[:place] + chance.choice([chance.choice(HOSTILE), other[start : start + 80]]) + text[place:]


def _lines(text: str, chance: random.Random) -> str:
    """Put a few lines elsewhere."""
    lines = text.split("\n")
    start, many = chance.randrange(len(lines)), chance.randint(1, 6)
    moved, rest = lines[start : start + many], lines[:start] + lines[start + many :]
    place = chance.randint(0, len(rest))
    return "\n".join([*rest[:place], *moved, *rest[place:]])


def _set(text: str, chance: random.Random) -> str:
    """Set a setting to one of its values, mostly of the lesson's own topic, wherever settings are set."""
    own = _STAGE.search(text)
    stage = own[1] if own and own[1] in STAGES and chance.random() < 0.9 else chance.choice([*STAGES])
    name, values = chance.choice(list(values_of(STAGES[stage])))
    pair = written({name: chance.choice(values)})[1:-1]
    places = [match.end() for match in _PAIRS.finditer(text)]
    if not places or chance.random() < 0.2:
        return text.replace("\nminutes:", f"\nstage_settings: {{{pair}}}\nminutes:", 1)
    at = chance.choice(places)
    return text[:at] + pair + ", " * (text[at : at + 1] != "}") + text[at:]


def _ask(text: str, chance: random.Random) -> str:
    """Ask for an outcome where a number stands."""
    own, places = _STAGE.search(text), list(_NUMBER.finditer(text))
    if own is None or own[1] not in STAGES or not places:
        return text
    name, number = chance.choice([*STAGES[own[1]].measured]), chance.choice(places)
    raw = chance.choice([f"{{{name}}}", f"{{{name} at {chance.randint(0, FEW)}}}"])
    return text[: number.start()] + raw + text[number.end() :]


def _count(text: str, chance: random.Random) -> str:
    """Write another number in place of one."""
    places = list(_NUMBER.finditer(text))
    if not places:
        return text
    number = chance.choice(places)
    new = chance.choice(["0", "1", "2", "-1", "0.5", str(FEW), "4294967295", "4294967296", "1.0", "1e3"])
    return text[: number.start()] + new + text[number.end() :]


EDITS: tuple[Edit, ...] = (_cut, _put, _lines, _set, _set, _ask, _count)
