"""The odds of a new message as they move word by word: a line for each draw, and their average, as an SVG."""

from collections.abc import Callable, Sequence
from html import escape

import numpy as np

from pages.drawing.palette import color

TICKS = {np.log(p / (1 - p)): said for p, said in ((0.9, "90"), (0.99, "99"), (0.9999, "99.99"), (1 - 1e-6, "99.9999"))}
LEFT, TOP, HIGH, RIGHT = 62, 6, 150, 16  # pixels: margins, the height without labels
WIDE = 442  # a phone shows type of 13.5 pixels at 10 or more in a picture of this width
STEPS = ((45, 25, 50), (24, 55, 80), (17, 90, 94))  # pixels for a word: for its label at an angle, so far down
MOST_STEP = 52
LONGEST = 11  # characters of a word
LEAST, FARTHEST = 2.4, 30.0  # log odds to which the picture reaches


def fan(
    words: Sequence[str], average: np.ndarray, draws: np.ndarray, pair: tuple[int, int], letters: tuple[str, str]
) -> str:
    """Return the picture; the odds are drawn as a log ratio, and written as probabilities.

    Parameters
    ----------
    words : sequence of str
        In reading order.
    average, draws : numpy.ndarray
        Log odds of one class to another, before the first word and after each; shape (words + 1,), and for each draw,
        shape (draws, words + 1).
    pair, letters : (int, int), (str, str)
        The two classes, and theirs.
    """
    step = min(MOST_STEP, max(STEPS[-1][0], (WIDE - LEFT - RIGHT) / (len(words) + 1)))
    angle, below = next((angle, below) for least, angle, below in STEPS if step >= least)
    width = max(WIDE, round(LEFT + step * (len(words) + 1) + RIGHT))
    ends = np.abs(np.clip(draws, -FARTHEST, FARTHEST)).max(axis=1)
    reach = max(1.1 * float(np.abs(average).clip(0, FARTHEST).max()), float(np.quantile(ends, 0.9)), LEAST)

    def y(odds: float) -> float:
        return TOP + HIGH * (0.5 - float(np.clip(odds, -reach, reach)) / (2 * reach))

    def x(place: int) -> float:
        return LEFT + step * (place + 0.35)

    def line(odds: np.ndarray) -> str:
        return " ".join(f"{x(place):.1f},{y(value):.1f}" for place, value in enumerate(odds.tolist()))

    middle = y(0)
    halves = (
        f'<rect x="{LEFT}" y="{top:.1f}" width="{width - LEFT}" height="{HIGH / 2:.1f}" fill="{color(k)}" '
        'fill-opacity="0.1"/>'
        for top, k in zip((TOP, middle), pair, strict=True)
    )
    lines = "".join(f'<polyline points="{line(odds)}" class="draw"/>' for odds in draws)
    dots = "".join(
        f'<circle cx="{x(place):.1f}" cy="{y(value):.1f}" r="3.6" fill="{color(pair[0 if value >= 0 else 1])}"/>'
        for place, value in enumerate(average.tolist())
    )
    labels = "".join(
        f'<text transform="translate({x(place) - 5 * (angle > 25):.1f} {TOP + HIGH + 12}) rotate({angle})">'
        f"{escape(_short(word))}</text>"
        for place, word in enumerate(("weights", *words))
    )
    end = 1 / (1 + np.exp(-float(np.clip(average[-1], -FARTHEST, FARTHEST))))
    told = f"{escape(' '.join(words), quote=True)}; at the end {100 * end:.3g} %."
    return (
        f'<svg class="fan" viewBox="0 0 {width} {TOP + HIGH + below}" role="img" '
        f'aria-label="Odds of class {letters[0]} to {letters[1]}, word by word: {told}">'
        f"{''.join(halves)}{_ticks(reach, y, width, letters)}{lines}"
        f'<polyline points="{line(average)}" class="average"/>{dots}{labels}</svg>'
    )


def _ticks(reach: float, y: Callable[[float], float], width: int, letters: tuple[str, str]) -> str:
    """Return lines at a half and at two probabilities of each class."""
    inside = [odds for odds in TICKS if odds < 0.95 * reach][-2:]
    lines = [(0.0, "50")] + [
        (sign * odds, f"{letter} {TICKS[odds]}")
        for odds in inside
        for sign, letter in zip((1, -1), letters, strict=True)
    ]
    return "".join(
        f'<path d="M{LEFT} {y(odds):.1f}H{width}" class="grid"/>'
        f'<text x="{LEFT - 4}" y="{y(odds) + 3.5:.1f}" class="tick">{said}&#8239;%</text>'
        for odds, said in lines
    )


def _short(word: str) -> str:
    return word if len(word) <= LONGEST else f"{word[: LONGEST - 1]}…"
