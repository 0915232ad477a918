"""Whatever a file holds, it is read or refused in a sentence, and nothing else happens."""

import csv
import io

import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st

from lessons.data.csv_table import OwnDataError, read_csv
from tests.lessons.data.reading import read


def check_whatever_was_read(raw):
    """Nothing but a refusal may come of any bytes; and what is read keeps what its docstring says."""
    try:
        table = read_csv(raw, "any")
    except OwnDataError:
        return
    assert table.rows.shape == (len(table.row_numbers), len(table.columns))
    assert len(set(table.columns)) == len(table.columns) > 0
    assert not np.isinf(table.rows).any()
    assert (np.diff(table.row_numbers) > 0).all()
    for standardise in (False, True):
        try:
            points, *_ = table.points(table.columns[:2], standardise, most=5)
        except OwnDataError:
            continue
        assert points.shape == (len(points), min(2, len(table.columns)))
        assert 3 <= len(points) <= 5
        assert np.isfinite(points).all()


@given(st.binary(max_size=200))
@example(b"\xff\xfe")
@example(b"\xff\xfe\x00\x00")
@example(b"\x00\xd8")
@settings(max_examples=300, deadline=None)
def test_any_bytes(raw):
    check_whatever_was_read(raw)


@given(
    st.text(alphabet='0123456789.,;\t\n\r"eE+-_ naNif#xÄ\u2028\ufeff\x85', max_size=80),
    st.sampled_from(["utf-8", "utf-16"]),
)
@settings(max_examples=500, deadline=None)
def test_any_text(text, encoding):
    check_whatever_was_read(text.encode(encoding))


CELLS = st.one_of(
    st.floats().map(repr),
    st.integers().map(str),
    st.sampled_from(
        ["", "NA", "inf", "1,5", "2.5", " 3 ", "x", "<b>", "1e400", "a\nb", 'say "no"', "1_0", "٣", "\u00a04"]
    ),
)


@given(
    st.integers(1, 4).flatmap(lambda width: st.lists(st.lists(CELLS, min_size=width, max_size=width), max_size=12)),
    st.sampled_from(",;\t"),
)
@settings(max_examples=300, deadline=None)
def test_any_table(rows, separator):
    file = io.StringIO()
    csv.writer(file, delimiter=separator).writerows(rows)
    check_whatever_was_read(file.getvalue().encode())


@given(
    st.lists(st.tuples(*[st.floats(-1e30, 1e30)] * 2), min_size=3, max_size=12),
    st.sampled_from(",;\t"),
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]),
)
@settings(max_examples=100, deadline=None)
def test_numbers_come_back_exactly(rows, separator, encoding):
    text = "\n".join(separator.join(map(repr, row)) for row in [("x", "y"), *rows]).replace("'", "")
    assert read(text.encode(encoding)).rows.tolist() == [list(row) for row in rows]
