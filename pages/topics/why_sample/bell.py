"""Bell numbers: clusterings of up to sixty points, and the time to add up that many terms."""

import math
from functools import cache

from pages.drawing.cards import quiet, table
from pages.drawing.numbers import counted
from pages.drawing.palette import ACCENT
from pages.topics.why_sample.run import Clusterings
from samplers.partitions import bell_numbers

MOST_POINTS = 60
# Of the table, which is two columns wide: each number around which something changes, and that lessons name.
ROWS = ((10, 15, 21, 24, 25), (26, 33, 40, 50, 60))
A_SECOND = 10**9  # terms that a machine adds up
YEAR = 31_556_952.0  # seconds
UNIVERSE = 13.8e9 * YEAR
UNITS = (
    (UNIVERSE, "ages of the universe"),
    (YEAR, "years"),
    (86_400.0, "days"),
    (3_600.0, "hours"),
    (60.0, "minutes"),
    (1.0, "seconds"),
)
LIMITS = (
    (1.0, "what the machine adds up in one second"),
    (100 * YEAR, "in a hundred years"),
    (UNIVERSE, "in the age of the universe"),
)
WIDE, TALL, LEFT, BOTTOM = 420, 162, 40, 142  # of the curve, in pixels, which a phone nearly has; and its axes' places


def bell(run: Clusterings, t: int) -> str:
    """Return the Bell numbers as a curve, on which the points on the screen are marked, and as a table."""
    del t
    every = counted(len(run.partitions), "clustering")
    return (
        quiet(
            f"The {run.points} points on the screen have {every}, a Bell number. "
            "The machine adds up 1,000,000,000 terms a second."
        )
        + _curve(run.points)
        + _table()
    )


@cache
def _curve(here: int) -> str:
    """Return the number of clusterings against the number of points, on a logarithmic scale, as SVG."""
    places = [(_across(n), _down(number)) for n, number in enumerate(bell_numbers(MOST_POINTS)) if n]
    lines = "".join(
        f'<path d="M{LEFT} {y:.1f}H{WIDE}" stroke="var(--soft)" stroke-dasharray="5 4"/>'
        f'<text x="{WIDE}" y="{y - 4:.1f}" text-anchor="end">{said}</text>'
        for said, y in ((said, _down(A_SECOND * seconds)) for seconds, said in LIMITS)
    )
    ticks = "".join(
        f'<text x="{_across(n):.1f}" y="{BOTTOM + 15}" text-anchor="middle">{n}</text>' for n in range(10, 61, 10)
    )
    tens = "".join(
        f'<text x="{LEFT - 6}" y="{_down(10.0**power) + 4:.1f}" text-anchor="end">{said}</text>'
        for power, said in ((0, "1"), (30, "10³⁰"), (60, "10⁶⁰"))
    )
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    x, y = places[here - 1]
    return (
        f'<svg class="bell" viewBox="0 0 {WIDE} {TALL}" style="max-width:{WIDE / 16:g}rem;margin-bottom:10px" '
        'role="img" fill="var(--soft)" '
        'aria-label="The number of clusterings of 1 to 60 points, which grows past all that a machine can add up.">'
        f'{lines}{ticks}{tens}<path d="M{LEFT} 6V{BOTTOM}H{WIDE}" fill="none" stroke="var(--soft)"/>'
        f'<polyline points="{points}" fill="none" stroke="{ACCENT}" stroke-width="2.5"/>'
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="{ACCENT}"/>'
        f'<text x="{_across(55):.1f}" y="{BOTTOM + 15}" text-anchor="middle">points</text></svg>'
    )


def _across(points: int) -> float:
    return LEFT + (WIDE - LEFT - 12) * points / MOST_POINTS


def _down(number: float) -> float:
    return BOTTOM - (BOTTOM - 10) * math.log10(number) / 60


@cache
def _table() -> str:
    numbers = bell_numbers(MOST_POINTS)
    parts = []
    for column in ROWS:
        rows = [(str(n), _large(numbers[n]), _time(numbers[n])) for n in column]
        parts.append(f"<div>{table(('points', 'clusterings', 'a machine needs'), rows)}</div>")
    return f'<div class="sideways">{"".join(parts)}</div>'


def _large(number: int) -> str:
    """Return a whole number, from ten million on as a · 10ⁿ."""
    if number < 10_000_000:
        return f"{number:,}"
    mantissa, power = f"{number:.2e}".split("e+")
    return f"{mantissa}·10<sup>{int(power)}</sup>"


def _time(number: int) -> str:
    """Return the time in which a machine adds up a number of terms."""
    seconds = number / A_SECOND
    if seconds < 1:
        return "less than a second"
    size, unit = next(pair for pair in UNITS if seconds >= pair[0])
    many = seconds / size
    return f"{f'{many:.2g}' if many < 100 else _large(round(many))} {unit}"
