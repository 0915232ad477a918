"""A learner's calibration as rows of HTML: the share of right answers, by how sure she was of them."""

from collections.abc import Sequence

from lessons.review import LEVELS, Calibration


def curve(rows: Sequence[Calibration]) -> str:
    """Return a row for each level: its words, a dot on a line from 0 to 100 % with its interval, and the counts.

    `pages/publish/calibration.js` writes the same.
    """
    return f'<div class="calibration">{"".join(map(_row, rows))}{_axis()}</div>'


def _row(row: Calibration) -> str:
    left, wide, at = (_per_cent(share) for share in (row.low, row.high - row.low, row.right / row.many))
    return (
        f'<span>{LEVELS[row.level]}</span><span class="track"><i style="left: {left}; width: {wide}"></i>'
        f'<b style="left: {at}"></b></span><span>{row.right} of {row.many} right</span>'
    )


def _axis() -> str:
    return '<span></span><span class="axis"><span>0 %</span><span>50 %</span><span>100 %</span></span><span></span>'


def _per_cent(share: float) -> str:
    return f"{int(share * 1000 + 0.5) / 10}%"
