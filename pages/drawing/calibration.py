"""A learner's calibration as a small drawing: the share of right answers, by how sure she was of them."""

from collections.abc import Sequence

from lessons.review import LEVELS, Calibration

WIDE, HIGH, LEFT, TOP = 150, 120, 44, 12  # pixels: of a level, of the axis, and what is left of it and above it


def curve(rows: Sequence[Calibration]) -> str:
    """Return the drawing as SVG, with a sentence for screen readers; `pages/publish/sure.js` draws the same."""
    marks = [_mark(number, row) for number, row in enumerate(rows)]
    points = " ".join(f"{_x(number):.1f},{_y(row.right / row.many):.1f}" for number, row in enumerate(rows))
    width = LEFT + WIDE * len(rows)
    said = "; ".join(f"{LEVELS[row.level]}: {row.right} of {row.many} right" for row in rows)
    lines = "".join(
        f'<line x1="{LEFT}" x2="{width}" y1="{_y(share):.1f}" y2="{_y(share):.1f}" class="grid"/>'
        f'<text x="{LEFT - 6}" y="{_y(share) + 4:.1f}" text-anchor="end">{share:.0%}</text>'
        for share in (0, 0.5, 1)
    )
    return (
        f'<svg class="calibration" viewBox="0 0 {width} {HIGH + 60}" width="{width}" role="img" aria-label="{said}">'
        f'{lines}<polyline points="{points}"/>{"".join(marks)}</svg>'
    )


def _mark(number: int, row: Calibration) -> str:
    x = _x(number)
    return (
        f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{_y(row.low):.1f}" y2="{_y(row.high):.1f}" class="range"/>'
        f'<circle cx="{x:.1f}" cy="{_y(row.right / row.many):.1f}" r="5"/>'
        f'<text x="{x:.1f}" y="{HIGH + 32}" text-anchor="middle">{LEVELS[row.level]}</text>'
        f'<text x="{x:.1f}" y="{HIGH + 50}" text-anchor="middle">{row.right} of {row.many}</text>'
    )


def _x(number: int) -> float:
    return LEFT + WIDE * (number + 0.5)


def _y(share: float) -> float:
    return TOP + HIGH * (1 - share)
