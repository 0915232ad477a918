"""Numbers as people write them: decimal commas and points, marks between thousands, typographic signs, per cent.

What can be read in two ways has two readings. `pages/player/typed.js` reads likewise in the browser.
"""

import math
import re
from typing import Literal, NamedTuple

Mark = Literal["", ".", ","]
"""The sign before the decimals: a point or a comma; "" to tell it by the numbers."""

LARGEST_NUMBER = 1e30  # its pictures are drawn in 32 bits, which end at 3e38
_SIGNS = str.maketrans(
    dict.fromkeys("−–‐‑﹣－", "-")
    | dict.fromkeys("\u00a0\u202f\u2009\u2007\u2002\u2003\u200a", " ")
    | {"’": "'", "＋": "+"}
)
_OF_NUMBERS = re.compile(r"[\d\s+\-−–‐‑﹣－＋.,'’%eE]*")
_POINT = re.compile(r"(?P<whole>[+-]?\d*)\.(?P<rest>\d*)(?P<power>e[+-]?\d+)?", re.ASCII | re.IGNORECASE)
_COMMA = re.compile(r"(?P<whole>[+-]?\d*),(?P<rest>\d+)(?P<power>e[+-]?\d+)?", re.ASCII | re.IGNORECASE)
_WHOLE = re.compile(r"[+-]?\d+(e[+-]?\d+)?", re.ASCII | re.IGNORECASE)
_THOUSANDS = re.compile(
    r"(?P<whole>[+-]?\d{1,3}(?P<mark>[.,' ])\d{3}(?:(?P=mark)\d{3})*)(?:(?!(?P=mark))(?P<point>[.,])(?P<rest>\d+))?",
    re.ASCII,
)
_FRACTION = re.compile(r"([+-]?\d+(?:[.,]\d+)?) ?[/⁄] ?(\d+(?:[.,]\d+)?)", re.ASCII)
_HALVES = {"½": "1/2", "¼": "1/4", "¾": "3/4", "⅓": "1/3", "⅔": "2/3"}


class Written(NamedTuple):
    """A number as somebody wrote it."""

    # point, comma: the number if the sign before decimals is a point, and if it is a comma; None if it cannot be that
    point: float | None
    comma: float | None
    percent: bool = False  # whether a per cent sign follows, which the number leaves out

    @property
    def certain(self) -> bool:
        """Whether there is one reading only."""
        return self.point is None or self.comma is None or self.point == self.comma

    @property
    def mark(self) -> Mark:
        """The sign before decimals that this number shows; "" if it shows none."""
        return "," if self.point is None else "." if self.comma is None else ""

    def by(self, mark: Mark) -> float | None:
        """Return the number by a sign before decimals; without one as it is certain, or by a point."""
        if mark == ",":
            return self.comma
        return self.point if mark == "." or self.point is not None else self.comma


class NumberError(ValueError):
    """The typed text is no number, or could be two; the message says how to write it."""


def plain(text: str) -> str:
    """Return a text with plain signs: a hyphen for every kind of minus, a space for every kind of space."""
    return (text if text.isascii() else text.translate(_SIGNS)).strip()


def may_be_number(text: str) -> bool:
    """Return whether a text has only signs that numbers have, which quickly rules out most other texts."""
    return bool(_OF_NUMBERS.fullmatch(text))


def written(text: str) -> Written | None:
    """Return the number that a text writes; None for any other text.

    Examples
    --------
    >>> written("−1.234,50")
    Written(point=None, comma=-1234.5, percent=False)
    >>> written("1,150").certain
    False
    """
    text = plain(text)
    number = text.removesuffix("%").rstrip()
    percent = number != text
    if _WHOLE.fullmatch(number):
        value = float(number)
        return Written(value, value, percent)
    point = comma = None
    if found := _THOUSANDS.fullmatch(number):
        whole, mark, sign, rest = found.group("whole", "mark", "point", "rest")
        value = float(f"{whole.replace(mark, '')}.{rest or 0}")
        leading = whole.lstrip("+-")[0] == "0"  # 0,123 has no thousands
        if not leading or mark in "' ":
            point = value if mark != "." and sign != "," else None
            comma = value if mark != "," and sign != "." else None
    if point is None and (found := _POINT.fullmatch(number)):
        point = _decimal(found)
    if comma is None and (found := _COMMA.fullmatch(number)):
        comma = _decimal(found)
    return None if point is None and comma is None else Written(point, comma, percent)


def _decimal(found: re.Match[str]) -> float | None:
    whole, rest, power = found.group("whole", "rest", "power")
    return float(f"{whole}.{rest}{power or ''}") if rest or whole.strip("+-") else None


def typed(text: str, low: float = -math.inf, high: float = math.inf, *, whole: bool = False) -> float:
    """Return a number that somebody has typed.

    Decimals follow a comma or a point; a point is always taken for one where it can be, as the app prints numbers so.
    Fractions are divided, and per cent are hundredths. If it must be `whole`, other readings do not count.

    Raises
    ------
    NumberError
        If it is none, could be two, or lies outside the range.

    Examples
    --------
    >>> typed("12,28"), typed("−1"), typed("1/2"), typed("5 %"), typed("1 000")
    (12.28, -1.0, 0.5, 0.05, 1000.0)
    >>> typed("1.150", whole=True)
    1150.0
    """
    text = plain(text)
    value = _fraction(_HALVES.get(text, text))
    if value is None:
        value = _read(text, whole)
    if not math.isfinite(value):
        raise NumberError(f"“{text[:30]}” is too large.")
    if whole and value != math.floor(value):
        near = [_said(one) for one in (math.floor(value), math.ceil(value)) if low <= one <= high]
        raise NumberError(f"{_said(value)} is not a whole number. Write {' or '.join(near) or _range(low, high)}.")
    if not low <= value <= high:
        raise NumberError(f"{_said(value)} is outside the range: {_range(low, high)}.")
    return value


def _read(text: str, whole: bool) -> float:
    """Return the number that a text writes, which has one reading only."""
    found = written(text)
    if found is None:
        raise NumberError(
            f"“{text[:30]}” is not a number. Write it as {'12 or 1200' if whole else '1.5, 1,5, 3/2 or 150 %'}."
        )
    number = found.by(found.mark)
    if not found.certain:
        able = [one for one in (found.point, found.comma) if one == math.floor(one or 0)] if whole else []
        if len(able) == 1:
            (number,) = able
        elif whole or "," in text:
            first, second = _said(found.point), _said(found.comma)
            decimals = "" if whole else "0" if "." in second else ".0"
            raise NumberError(f"“{text[:30]}” could be {first} or {second}. Write {first} or {second}{decimals}.")
    return (math.nan if number is None else number) / (100 if found.percent else 1)


def _fraction(text: str) -> float | None:
    if not (found := _FRACTION.fullmatch(text)):
        return None
    above, below = (float(part.replace(",", ".")) for part in found.groups())
    if not below:
        raise NumberError(f"“{text[:30]}” divides by nothing.")
    return above / below


def _said(value: float | None) -> str:
    return "no number" if value is None else f"{value:.10g}".replace("-", "−")


def _range(low: float, high: float) -> str:
    if math.isinf(high):
        return f"at least {_said(low)}"
    return f"at most {_said(high)}" if math.isinf(low) else f"{_said(low)} to {_said(high)}"
