"""A learner's own file as features of different types, with cells that are missing."""

import numpy as np
import pytest

from lessons.data.csv_features import kind_of, likely_label, typed
from lessons.data.csv_text import OwnDataError
from lessons.data.sheet import read_sheet

FILE = """length,link,sender,kind
1.5,yes,friend,ham
2.5,no,,ham
NA,yes,list,spam
4.0,no,list,
6.0,,friend,spam
7.0,yes,friend,ham
9.0,no,list,spam
"""


def cells(text=FILE):
    return read_sheet(text.encode(), "own.csv")


def test_columns_are_read_as_text_and_types_are_guessed():
    found = cells()
    assert found.names == ("length", "link", "sender", "kind")
    assert found.rows == 7
    assert [kind_of(column) for column in found.columns] == ["number", "category", "category", "category"]
    assert found.column("length").cells[2] == found.column("sender").cells[1] == ""
    assert likely_label(found) == "kind"


def test_missing_cells_stay_missing_and_numbers_are_standardised():
    found, notes = typed(cells(), {"length": "number", "link": "category", "sender": "category"}, "kind", 300)
    assert found.classes == ("ham", "spam")
    assert found.labels.tolist() == [0, 0, 1, -1, 1, 0, 1]
    assert [feature.levels for feature in found.features] == [(), ("no", "yes"), ("friend", "list")]
    assert np.isnan(found.values).tolist() == [
        [False, False, False],
        [False, False, True],
        [True, False, False],
        [False, False, False],
        [False, True, False],
        [False, False, False],
        [False, False, False],
    ]
    assert np.nanmean(found.values[:, 0]) == pytest.approx(0)
    assert np.nanstd(found.values[:, 0]) == pytest.approx(1)
    lengths = [float(cell) if cell else np.nan for cell in cells().column("length").cells]
    assert found.columns[0].own(found.values[:, 0]) == pytest.approx(lengths, nan_ok=True)
    assert [(column.name, column.standardised) for column in found.columns[1:]] == [("link", False), ("sender", False)]
    assert found.values[0, 1:].tolist() == [1, 0]
    assert " ".join(notes) == (
        "1 label missing: hidden, in row 5. 3 cells missing: left out of the product, in rows 3, 4 and 6."
    )


def test_numbers_are_sorted_as_numbers_where_they_are_categories():
    found = cells("score;class\n10;1\n9;0\n10;0\n2,5;1\n")
    assert found.column("score").levels == ["2,5", "9", "10"]
    made, _ = typed(found, {"score": "category"}, "class", 300)
    assert made.values[:, 0].tolist() == [2, 1, 2, 0]


def test_a_large_file_is_thinned_the_same_way_every_time():
    text = "x,y\n" + "\n".join(f"{i},{i % 2}" for i in range(100_000))
    found, notes = typed(cells(text), {"x": "number"}, "y", 300)
    again, _ = typed(cells(text), {"x": "number"}, "y", 300)
    assert found.values.shape == (300, 1)
    assert (np.diff(found.values[:, 0]) > 0).all()
    np.testing.assert_array_equal(found.values, again.values)
    assert "Of 100,000 rows 300 are kept" in notes[-1]


def test_a_column_that_never_changes_says_nothing():
    found, notes = typed(cells("a,b,c\n7,1,u\n7,2,v\n7,3,u\n"), {"a": "number", "b": "number"}, "c", 300)
    assert found.values[:, 0].tolist() == [0, 0, 0]
    assert "“a” never changes" in " ".join(notes)


def test_words_among_numbers_are_missing_and_said():
    found, notes = typed(cells("a,c\n1,u\nx,v\n3,u\ny,v\n"), {"a": "number"}, "c", 300)
    assert np.isnan(found.values[:, 0]).tolist() == [False, True, False, True]
    assert "“a”: 2 cells without a number, such as “x”: treated as missing." in notes


@pytest.mark.parametrize(
    ("text", "kinds", "label", "message"),
    [
        ("a,b\n1,u\n2,u\n", {"a": "number"}, "b", "The class “b” has 1 different value; two or three are needed"),
        ("a,b\n1,u\n2,v\n3,w\n4,x\n", {"a": "number"}, "b", "has 4 different values; two or three"),
        ("a,b\n,u\n,v\n", {"a": "number"}, "b", "“a” has no number in any row"),
        ("a,b\nz,u\nz,v\n", {"a": "category"}, "b", "“a” has 1 different value; a category needs 2 to 6"),
        ("a,b\n" + "".join(f"k{i},{i % 2}\n" for i in range(8)), {"a": "category"}, "b", "8 different values"),
        ("a\n1\n2\n", {}, "a", "at least 2 columns are needed"),
        ("a,b\n1,u\n", {}, "a", "There is 1 row of 2 cells, and at least 2 are needed"),
        ("", {}, "a", "own.csv: The file is empty"),
    ],
)
def test_what_cannot_be_used_is_said(text, kinds, label, message):
    with pytest.raises(OwnDataError, match=message):
        typed(cells(text), kinds, label, 300)


def test_rows_of_another_width_are_left_out_and_counted():
    found = cells("a,b\n1,u\n2\n3,v\n4,u,9\n")
    assert [column.cells for column in found.columns] == [["1", "3"], ["u", "v"]]
    assert found.notes == (
        "2 rows are left out for having more or fewer cells than the 2 of the column names: rows 3 and 5.",
    )
