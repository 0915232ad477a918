"""CSV as spreadsheets read it right: letters are letters, and what a learner wrote is no formula."""

import csv
import io
from collections.abc import Iterable, Sequence

ENCODING = "utf-8-sig"  # by its mark at the start they know that this is UTF-8


def as_csv(rows: Iterable[Sequence[str]]) -> str:
    """Return rows as CSV, in which what looks like a formula is marked as text."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerows([f"'{cell}" if cell[:1] in "=+-@\t\r" and cell else cell for cell in row] for row in rows)
    return out.getvalue()
