"""A learner's file is read, or refused in a sentence; whatever the bytes are, nothing else happens."""

import ast
import io
import zipfile
from pathlib import Path

import numpy as np
import pytest

from lessons.data import csv_table as own_data
from lessons.data import csv_text, gathered, judged, layout, sheet, text_layout
from lessons.data.csv_table import OwnDataError, read_csv
from lessons.data.csv_text import value_of
from lessons.data.sheet import check_file
from tests.lessons.data.reading import read, refusal
from tests.work import calls

PLAIN = "x,y\n1,2\n3,4\n5,6\n"
VALUES = [[1, 2], [3, 4], [5, 6]]


@pytest.mark.parametrize("module", [own_data, csv_text, gathered, judged, layout, sheet, text_layout])
def test_it_knows_nothing_of_the_screen(module):
    imports = list(ast.walk(ast.parse(Path(module.__file__).read_text("utf-8"))))
    names = {node.module for node in imports if isinstance(node, ast.ImportFrom)}
    names |= {alias.name for node in imports if isinstance(node, ast.Import) for alias in node.names}
    assert not {name.partition(".")[0] for name in names} & {"streamlit", "altair", "pandas"}


@pytest.mark.parametrize(
    "text",
    [
        PLAIN,
        PLAIN.replace(",", ";"),
        PLAIN.replace(",", "\t"),
        PLAIN.replace(",", ", "),
        PLAIN.replace("\n", "\r\n"),
        PLAIN.replace("\n", "\r"),
        PLAIN.rstrip(),
        '"x","y"\n"1","2"\n3,"4"\n5, "6"\n',
        "x;y\n1,0;2,0\n3,0;4\n5;6e0\n",
        "x\ty\n1,0\t2,0\n3,0\t4\n5\t6\n",
        "sep=;\nx;y\n1;2\n3;4\n5;6\n",
        "\n" + PLAIN.replace("\n", "\n\n,\n"),
    ],
)
def test_ways_to_write_the_same_table(text):
    table = read(text)
    assert table.columns == ("x", "y")
    assert table.rows.tolist() == VALUES
    assert [note for note in table.notes if "decimal commas" not in note] == []


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252", "latin-1"]
)
def test_encodings(encoding):
    table = read("größe,y\n1,2\n3,4\n5,6\n".encode(encoding))
    assert table.columns == ("größe", "y")
    assert table.rows.tolist() == VALUES
    guessed = (
        "The file is not UTF-8 (byte 0xf6 in row 1), so it was read as Windows-1252: "
        "check its letters and money signs. If they are wrong, choose another encoding, or save the file as UTF-8.",
    )
    assert table.notes == (guessed if encoding in ("cp1252", "latin-1") else ())


def test_numbers_come_out_read_only_with_their_rows():
    table = read("x,y\n1,2\n\n3,4\n,\n5,6\n")
    assert table.row_numbers.tolist() == [2, 4, 6]
    for values in (table.rows, table.row_numbers):
        with pytest.raises(ValueError, match="read-only"):
            values[0] = 0


def test_a_file_without_names():
    table = read("1,2\n3,4\n5,6\n")
    assert table.columns == ("column 1", "column 2")
    assert table.rows.tolist() == VALUES
    assert table.notes == ("The file has no column names; the columns are called column 1, column 2 and so on.",)
    assert read("nan,2\n3,4\n5,6\n7,8\n").rows[0, 1] == 2
    assert read("who,2019\nAnna,1\nBob,2\nCid,3\n").columns == ("2019",)


def test_names_that_are_partly_numbers():
    table = read("time,2019\n1,2\nNA,4\n5,6\n7,8\n")
    assert table.columns == ("time", "2019")
    assert table.notes == ("Row 1 holds text as well as numbers, and was taken for column names.",)


def test_a_single_column_with_decimal_commas():
    table = read("x\n1,5\n2,5\n3\n")
    assert table.rows.tolist() == [[1.5], [2.5], [3]]
    assert table.notes == ("Commas were read as decimal commas: “1,5” in row 2, for example.",)


def test_where_two_separators_fit_the_one_that_makes_numbers_is_taken():
    assert read("1,5;2,5\n3,5;4,5\n5,5;6,5\n").rows.tolist() == [[1.5, 2.5], [3.5, 4.5], [5.5, 6.5]]


def test_semicolons_in_text_do_not_separate():
    assert read("what,x\na; b,1\nc; d,2\ne; f,3\n").rows.tolist() == [[1], [2], [3]]


def test_names_that_repeat_or_are_missing():
    table = read("x,,x,x (2)\n" + "1,2,3,4\n" * 3)
    assert table.columns == ("x", "column 2", "x (2)", "x (2) (2)")
    assert table.notes == ("Several columns have the same name; the later ones are called “x (2)” and “x (2) (2)”.",)


def test_names_stay_plain_text_in_one_line():
    table = read('<script>alert(1)</script>,"two\nlines",' + "n" * 200 + "\n" + "1,2,3\n" * 3)
    assert table.columns == ("<script>alert(1)</script>", "two lines", "n" * 59 + "…")


def test_a_thousand_columns():
    row = ",".join("1" * 1000)
    table = read(",".join(f"c{place}" for place in range(1000)) + f"\n{row}\n{row}\n{row}\n")
    assert len(table.columns) == 1000
    assert refusal(f"{row},1\n{row},1\n") == (
        "my.csv: Row 1 has 1,001 cells; at most 1,000 columns can be read. Keep those that you need."
    )


def test_columns_of_text_are_left_out_with_place_and_remedy():
    table = read("who,rt,few,x\nAnna,1,,1\nBob,fast,2,2\nCid,3,,3\nDan,slow,1,4\n")
    assert table.columns == ("x",)
    assert table.notes == (
        "“rt” cannot be used: row 3 says “fast”, which is not a number, and 1 other row likewise. "
        "Correct this or empty the cell, and load the file again.",
        "“who” has text in most rows, such as “Anna” in row 2, and cannot be used.",
        "“few” has fewer than 3 numbers and cannot be used.",
    )


def test_many_faults_are_counted():
    table = read("x,a,b,c,d,e\n1,1,1,1,1,1\n2,?!,?!,?!,?!,?!\n3,1,1,1,1,1\n")
    assert len(table.notes) == 4
    assert table.notes[-1] == "The same is true of 2 more columns."


@pytest.mark.parametrize("cell", ["1_000", "1.2o", "12 %%", '"1,50,0"', "0x10", "1;2", "12:30", "2024-01-01", "true"])
def test_what_is_no_number(cell):
    assert f"row 3 says “{cell.strip(chr(34))}”" in read(f"x,y\n1,2\n{cell},4\n5,6\n7,8\n").notes[0]


def test_commas_and_points_in_one_column():
    assert read("x;y\n1.234;2\n1,5;3\n4;5\n").notes == (
        "“x” cannot be used: row 3 has a comma (“1,5”) and row 2 a point (“1.234”). Write all numbers in one way, "
        "without a mark between thousands.",
    )


def test_ragged_rows():
    table = read("x,y\n1,2\n3\n4,5,6\n5,6,\n7,8\n9,10\n")
    assert table.row_numbers.tolist() == [2, 5, 6, 7]
    assert table.notes == (
        "2 rows are left out for having more or fewer cells than the 2 of the column names: rows 3 and 4.",
    )


def zipped():
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("x.csv", PLAIN)
    return file.getvalue()


SAVE = "In the program that it comes from, save it as CSV (UTF-8) and load that file."
REFUSED = {
    "": "The file is empty. Load one that has names of columns and rows below.",
    "\ufeff\n , ;\t\n": "The file is empty. Load one that has names of columns and rows below.",
    "x,y\n": "There are no rows of numbers below the column names, and at least 3 are needed. Add rows.",
    "x,y\n1,2\n": "There is 1 row of numbers below the column names, and at least 3 are needed. Add rows.",
    "1,2\n3,4\n": "There are 2 rows of numbers in the file, and at least 3 are needed. Add rows.",
    "a,b\nc,d\ne,f\ng,h\n": (
        "There is no column of numbers alone. “a” and “b” have text in most rows, such as “c” in row 2, and cannot be "
        "used. "
        "Separate the cells by commas, semicolons or tabs; write numbers as 1.5, or between semicolons or tabs as 1,5; "
        "leave cells without a number empty."
    ),
    "x,y\n1,5,2,5\n1,5,2,5\n": (
        "Row 1 has 2 cells, and rows 2 and 3 have 4. Give each column one name, and delete lines above the names; "
        "where numbers have decimal commas, separate the cells by semicolons."
    ),
    'x,y\n1,2\n3,"4\n5,6\n': (
        "Row 3 cannot be read (unexpected end of data). Look there for a quotation mark that is not closed, or that "
        "belongs to a text and must be written twice; or for a cell of more than 131,072 characters."
    ),
    "x,y\n1,2\n" + "a" * 1_000_000 + ",2\n1,2\n": (
        "Row 3 cannot be read (field larger than field limit (131072)). Look there for a quotation mark that is not "
        "closed, or that belongs to a text and must be written twice; or for a cell of more than 131,072 characters."
    ),
    b"x,y\n1,2\n\x00\x01,3": f"This is not a text file: row 3 has the character U+0000. {SAVE}",
    b"x,y\r\r\n1,\x81\n": f"The text is damaged: byte 0x81 in row 3 is not a letter in any known encoding. {SAVE}",
    PLAIN.encode("utf-16")[:-1]: f"The text is damaged: byte 0x0a in row 4 is not UTF-16. {SAVE}",
    zipped(): f"By its first bytes this is a spreadsheet or a zip archive, not a CSV file. {SAVE}",
    b"1" * 20_000_001: "The file has 20.0 MB; at most 20 MB can be read. Keep the columns and rows that you need.",
}


@pytest.mark.parametrize(("text", "message"), REFUSED.items(), ids=range(len(REFUSED)))
def test_refusals(text, message):
    assert refusal(text) == f"my.csv: {message}"


def test_the_name_of_a_file_is_kept_short():
    with pytest.raises(OwnDataError, match=r"^n{59}…: The file is empty"):
        read("", name="n" * 500)
    with pytest.raises(OwnDataError, match=r"^The file: The file is empty"):
        read("", name=" ")


def test_points_leave_out_rows_without_numbers():
    table = read("x,y,z\n1,2,\n ,3,\nNA,inf,\nn/a,4,1\nNaN,-inf,2\n7,1e300,3\n8,9,4\n10,11,5\n")
    points, _, notes = table.points(["x", "y"], standardise=False)
    assert points.tolist() == [[1, 2], [8, 9], [10, 11]]
    assert notes == (
        "5 rows are left out, because a chosen column has no number there, or one beyond ±1e+30: "
        "rows 3, 4, 5 and 2 more.",
    )


def test_too_few_points():
    table = read("x,y\n1,\n2,3\n,4\n5,6\n7,\n,\n,8\n")
    with pytest.raises(OwnDataError) as caught:
        table.points(["x", "y"], standardise=False)
    assert str(caught.value) == (
        "Only 2 rows can be used, and at least 3 are needed: a number is missing in rows 2, 4, 6 and 8. "
        "Fill in the cells or choose another column."
    )


def test_points_come_in_the_order_of_the_choice():
    points, _, notes = read(PLAIN).points(["y", "x"], standardise=False)
    assert points.tolist() == [[2, 1], [4, 3], [6, 5]]
    assert notes == ()
    assert read(PLAIN).points(["y"], standardise=False)[0].shape == (3, 1)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ([], "Choose one column, or two different ones; got none."),
        (["x", "x"], "Choose one column, or two different ones; got “x” and “x”."),
        (["x", "y", "z"], "Choose one column, or two different ones; got “x”, “y” and “z”."),
        (["x", "z"], "There is no column “z” of numbers; there are “x” and “y”."),
    ],
)
def test_choices_that_cannot_be(columns, message):
    with pytest.raises(OwnDataError) as caught:
        read(PLAIN).points(columns, standardise=False)
    assert str(caught.value) == message


@pytest.mark.parametrize("scale", [1, 1e-300, 1e29, 5e-324])
def test_standardising(scale):
    table = read("x,y\n" + "".join(f"{number * scale!r},{number**2 + 1e6}\n" for number in range(1, 10)))
    points, columns, _ = table.points(["x", "y"], standardise=True)
    assert points.mean(axis=0) == pytest.approx([0, 0], abs=1e-9)
    assert points.std(axis=0) == pytest.approx([1, 1])
    assert [column.name for column in columns] == ["x", "y"]
    assert columns[0].own(points[:, 0]) == pytest.approx(np.arange(1, 10) * scale, rel=1e-9, abs=1e-299)
    assert columns[1].own(points[:, 1]) == pytest.approx(np.arange(1, 10) ** 2 + 1e6)


def test_a_column_keeps_its_mean_and_its_standard_deviation():
    table = read("height,weight\n" + "".join(f"{160 + 20 * (i % 2)},{50 + 8 * (i // 2)}\n" for i in range(4)))
    _, columns, _ = table.points(["height", "weight"], standardise=True)
    assert [(column.shift, column.scale) for column in columns] == [(170, 10), (54, 4)]
    assert not any(column.standardised for column in table.points(["height"], standardise=False)[1])


def test_a_constant_column_is_not_standardised():
    table = read("x,y\n0.1,2\n0.1,3\n0.1,4\n,5\n")
    assert table.points(["x"], standardise=False)[0].tolist() == [[0.1]] * 3
    with pytest.raises(OwnDataError) as caught:
        table.points(["x", "y"], standardise=True)
    assert str(caught.value) == (
        "“x” is 0.1 in every row that can be used, so it cannot be standardised. "
        "Choose another column, or leave the columns as they are."
    )


def test_a_million_rows():
    text = "x,y\n" + "".join(f"{row / 8},{row % 31}\n" for row in range(1_000_000))
    table = read(text)
    points, _, notes = table.points(["x", "y"], standardise=False)
    assert notes == ("1,000,000 rows can be used; 500 of them are kept, drawn at random, the same every time.",)
    assert points.shape == (500, 2)
    assert (np.diff(points[:, 0]) > 0).all()
    assert abs(points[:, 0].mean() * 8 / 1e6 - 0.5) < 4 / np.sqrt(12 * 500)
    assert np.array_equal(points, table.points(["x", "y"], standardise=False)[0])


def test_the_work_for_a_file_grows_as_its_rows_do():
    """Each million rows takes about a second: fourteen calls of functions a row, nearly all of them in C."""
    few, many = ("x,y\n" + "".join(f"{row / 8},{row % 31}\n" for row in range(rows)) for rows in (5_000, 10_000))
    work = [calls(lambda text=text: read(text).points(["x", "y"], standardise=False)) for text in (few, many)]
    assert work[1] < 2.1 * work[0]
    assert work[1] < 14 * 10_000


def test_too_many_cells():
    assert "the file has more than 3,000,000 cells, which is too much" in refusal("1,2,3,4,5,6,7\n" * 500_000)


def test_a_file_that_is_too_large_is_refused_by_its_size_alone():
    check_file(20_000_000, "my.csv")
    with pytest.raises(OwnDataError, match=r"my.csv: The file has 200.0 MB; at most 20 MB can be read. Keep the"):
        check_file(200_000_000, "my.csv")


def test_a_file_with_too_many_rows_is_refused_before_they_are_read(monkeypatch):
    monkeypatch.setattr("lessons.data.sheet._fill", None)
    with pytest.raises(OwnDataError, match=r"long.csv: With 9,000,000 rows of 1 cell the file has more than 3,000,000"):
        read_csv(b"a\n" * 9_000_000, "long.csv")


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ("1.234,50", 1234.5),
        ("1.234.567", 1234567),
        ("-1.234.567,8", -1234567.8),
        ("1,234.50", 1234.5),
        ("1 234,5", 1234.5),
        ("1\u202f234,5", 1234.5),
        ("1'234.50", 1234.5),
        ("12,5 %", 12.5),
        ("12.5%", 12.5),
        ("0,234", 0.234),
        ("1.234", 1.234),
        ("1.23,4", None),
        ("12.34.56", None),
        ("1_000 %", None),
        ("nan %", None),
        ("%", None),
    ],
)
def test_marks_between_thousands_and_per_cent_signs(cell, value):
    assert value_of(cell) == value


def test_what_has_two_readings_has_them_by_the_sign_before_decimals():
    assert value_of("1,234", ",") == 1.234
    assert value_of("1,234", ".") == value_of("1.234", ",") == 1234
    assert value_of("1.234,50", ".") is None


def test_a_column_with_marks_between_thousands_is_read_and_one_that_could_be_either_is_not():
    assert read("x\n1.234,50\n999,5\n2.000,00\n").rows.tolist() == [[1234.5], [999.5], [2000]]
    with pytest.raises(OwnDataError, match=r"has a comma \(“1\.234,50”\) and row 3 a point"):
        read("x\n1.234,50\n1.234\n2.000,00\n")


def test_per_cent_signs_are_left_out_and_said_so_but_in_a_column_that_mixes_them():
    table = read("x;y\n12,5 %;1\n3 %;2\n4 %;3\n")
    assert table.rows[:, 0].tolist() == [12.5, 3, 4]
    assert "Per cent signs were left out: “12,5 %” in row 2, for example." in table.notes
    with pytest.raises(OwnDataError, match=r"row 2 has a per cent sign .* and row 3 none"):
        read("x\n12,5 %\n0,5\n4 %\n")


@pytest.mark.parametrize("word", ["k. A.", "#NV", "keine Angabe", "--", "#DIV/0!", "n.d."])
def test_words_among_numbers_are_gaps_and_said_so(word):
    numbers = "\n".join(map(str, range(20)))
    table = read(f"x;y\n{numbers.replace(chr(10), f';1{chr(10)}')};1\n{word};2\n")
    assert table.columns == ("x", "y")
    assert np.isnan(table.rows[-1, 0])
    assert f"“{word}” in “x” is read as missing: 1 cell, the first in row 22." in table.notes


@pytest.mark.parametrize("word", ["<0,5", "l2", "1o"])
def test_a_word_with_a_digit_among_numbers_is_a_slip(word):
    numbers = "\n".join(map(str, range(20)))
    with pytest.raises(OwnDataError, match="row 22 says"):
        read(f"x\n{numbers}\n{word}\n")


def test_words_among_few_numbers_are_no_gaps():
    with pytest.raises(OwnDataError, match=r"row 5 says “k\. A\.”, which is not a number"):
        read("x\n1\n2\n3\nk. A.\n")
