"""Files as people bring them: each is read as it was meant, or refused with a place and a remedy; nothing silently."""

import io
import subprocess
import sys

import pyarrow as pa
import pytest
from pyarrow import parquet as pq

from lessons.data import workbook as workbook_reader
from lessons.data.csv_text import OwnDataError
from lessons.data.layout import How
from lessons.data.messages import messages_of
from lessons.own.series import IN_TIME
from lessons.own.taking import Choice, Taking
from lessons.topics import STAGES
from tests.lessons.data.wild import CASES, Case, all_said, described, sheet_of
from tests.lessons.data.workbooks import workbook

ROWS = "1,2\n3,4\n5,7\n"
TABLES = {
    "thousands, or decimals": Case(
        "n01_thousands_tab.tsv", "city:t, income:t, rent:t", 6, said="could be 1150 or 1.15"
    ),
    "thousands, as was said": Case(
        "n01_thousands_tab.tsv", "city:t, income:n, rent:n", 6, 1150.0, how=How(decimal=".")
    ),
    "decimals, as was said": Case("n01_thousands_tab.tsv", "city:t, income:n, rent:n", 6, 1.15, how=How(decimal=",")),
    "row numbers of R": Case(
        "n03_r_row_names_sorted_by_class.csv",
        "column 1:r, Sepal.Length:n, Sepal.Width:n, Species:c",
        30,
        "setosa",
        "1 to 30, one up in each row",
    ),
    "write.table of R": Case(
        "n05_r_write_table.csv", "row name:r, eruptions:n, waiting:n", 12, 54, "the first cell of each row was read as"
    ),
    "a header that ends in a comma": Case(
        "n06_header_ends_in_comma.csv", "id:r, diagnosis:c, radius:n, texture:n", 12, 15
    ),
    "rows that end in a comma": Case("n08_rows_end_in_comma.csv", "x:n, y:n, cls:c", 12, "a"),
    "gaps and a far point": Case(
        "n10_logistic_gaps_and_far_point.csv", "income:n, age:n, bought:n", 61, 0, "99999 in “income”, row"
    ),
    "one bad label": Case("n11_logistic_one_bad_label.csv", "x:n, y:n, label:t", 11, "0", "row 12 says “1?”"),
    "classes that are words": Case(
        "n12_logistic_classes_are_words.csv",
        "sepal_length:n, sepal_width:n, petal_length:n, petal_width:n, species:c",
        14,
        "setosa",
    ),
    "years as names": Case(
        "n13_years_as_names.csv", "region:t, 1990:n, 2000:n, 2010:n", 4, 3.5, "taken for column names"
    ),
    "a true minus": Case("n14_unicode_minus.csv", "t:n, v:n", 5, -3.5),
    "a true minus, typed": Case("n15_unicode_minus_generative.csv", "x:n, y:n, cls:c", 12, "a"),
    "comments above": Case("n16_comment_lines_above.csv", "year:n, month:n, average:n", 4, 315.7, "3 lines that begin"),
    "a sentinel": Case("n18_sentinel_-999.csv", "temp:n, salinity:n", 16, -999, "-999 occurs 4 times in “salinity”"),
    "spaces between cells": Case("n19_r_space_separated.txt", "row name:r, eruptions:n, waiting:n", 12, 54),
    "a comment that has the names": Case("# x y\n1 2\n3 4\n5 6\n", "x:n, y:n", 3, 2, "begins with #"),
    "a column called #": Case("#,name,hp\n1,a,45\n2,b,60\n3,c,80\n", "#:r, name:t, hp:n", 3, 45),
    "a title": Case(
        "Monthly means\n\nyear,month,mean\n1958,3,315\n1958,4,317\n1959,5,317\n",
        "year:n, month:n, mean:n",
        3,
        315,
        "Row 1 above the table is left out",
    ),
    "a title with a comma": Case(
        "Table 3, monthly means\nyear,month,mean\n1958,3,315\n1958,4,317\n1959,5,317\n",
        "year:n, month:n, mean:n",
        3,
        315,
        "Row 1 above the table is left out",
    ),
    "a title from a spreadsheet": Case(
        "Means,,\nyear,month,mean\n1958,3,315\n1958,4,317\n1959,5,317\n",
        "year:n, month:n, mean:n",
        3,
        315,
        "Row 1 above the table is left out",
    ),
    "a source below": Case(f"x,y\n{ROWS}Source: a book\n", "x:n, y:n", 3, 2, "row 5"),
    "bars": Case("x|y\n1|2\n3|4\n5|7\n", "x:n, y:n", 3, 2),
    "decimal commas between semicolons": Case("x;y\n1,5;2,5\n3,5;4,5\n5,5;6,5\n", "x:n, y:n", 3, 2.5),
    "decimal commas between tabs": Case("x\ty\n1,5\t2,5\n2,5\t3,5\n3,5\t1,5\n", "x:n, y:n", 3, 2.5),
    "decimal commas in quotes": Case('x,y\n"1,5","2,5"\n"3,5","4,5"\n"5,5","6,25"\n', "x:n, y:n", 3, 2.5),
    "thousands in quotes": Case('x,y\n"1,500","2,500"\n"3,500","4,500"\n"900","800"\n', "x:n, y:n", 3, 2500),
    "thousands beside decimal points": Case(
        "rate;income\n0.5;1,150\n0.7;980\n0.9;2,300\n", "rate:n, income:n", 3, 1150
    ),
    "three decimals beside decimal commas": Case("x;y\n0,5;1,150\n0,7;2,375\n0,9;3,125\n", "x:n, y:n", 3, 1.15),
    "points between thousands": Case("x;y\n0,5;1.150\n0,7;2.300\n0,9;3.125\n", "x:n, y:n", 3, 1150),
    "points between thousands, or decimals": Case(
        "a;b\n1.150;1\n2.300;2\n3.125;3\n", "a:t, b:n", 3, 1, "“1.150” in row 2 could be 1.15 or 1150"
    ),
    "three decimals in one column": Case("a\n1.150\n2.300\n3.125\n", "a:n", 3, 1.15),
    "names in the middle": Case("x,y\n1,2\n3,4\nx,y\n5,6\n7,8\n", "x:t, y:t", 5, "2", "row 4 says “x”"),
    "PassengerId": Case("PassengerId,Age\n1,22\n2,38\n3,26\n", "PassengerId:r, Age:n", 3, 22),
    "three decimals after a point": Case("x,y\n1,1.150\n2,2.375\n3,3.125\n", "x:n, y:n", 3, 1.15),
    "both signs in two columns": Case(
        "a;b;c\n0.5;0,5;1,150\n0.7;0,7;2,300\n0.9;0,9;3,125\n", "a:n, b:n, c:t", 3, "1,150", "could be 1150 or 1.15"
    ),
    "both signs in a column": Case("x;y\n1,5;1\n2.25;2\n3;3\n", "x:t, y:n", 3, 1, "has a comma (“1,5”)"),
    "Swiss thousands": Case("x;y\n1;1'234.50\n2;2'000.00\n3;999.25\n", "x:n, y:n", 3, 1234.5),
    "narrow spaces between thousands": Case("x;y\n1;1\u202f234,5\n2;2\u202f000,0\n3;999,5\n", "x:n, y:n", 3, 1234.5),
    "non-breaking spaces around": Case("x;y\n1;\u00a05\u00a0\n2;\u00a06\u00a0\n3;\u00a07\u00a0\n", "x:n, y:n", 3, 5),
    "an en dash as minus": Case("x,y\n1,–5\n2,–6\n3,7\n", "x:n, y:n", 3, -5),
    "dashes for gaps": Case("x,y\n1,5\n2,–\n3,7\n4,8\n", "x:n, y:n", 4, 5),
    "per cent": Case("x;y\n1;5 %\n2;6 %\n3;7,5 %\n", "x:n, y:n", 3, 5),
    "per cent in some": Case("x;y\n1;5 %\n2;6\n3;7 %\n", "x:n, y:t", 3, "5 %", "has a per cent sign"),
    "units": Case("x,y\n1,5 kg\n2,6 kg\n3,7 kg\n", "x:n, y:t", 3, "5 kg"),
    "a row of units": Case("x,y\ncm,kg\n1,5\n2,6\n3,7\n", "x cm:n, y kg:n", 3, 5, "Rows 1 and 2 were both"),
    "no names": Case(ROWS, "column 1:n, column 2:n", 3, 2, "no column names"),
    "no names, and classes": Case(
        "5.1,3.5,setosa\n4.9,3.0,setosa\n6.4,3.2,versicolor\n", "column 1:n, column 2:n, column 3:c", 3, "setosa"
    ),
    "no names, as was said": Case("a,b\nc,d\ne,f\n", "column 1:t, column 2:t", 3, "b", how=How(header=False)),
    "names that are numbers, as was said": Case("1,2\n3,4\n5,7\n6,8\n", "1:n, 2:n", 3, 4, how=How(header=True)),
    "years as data": Case("1990,1.5\n1991,2.5\n1992,3.5\n", "column 1:n, column 2:n", 3, 1.5),
    "an index of pandas": Case(",x,y\n0,1.5,2\n1,2.5,3\n2,3.5,4\n", "column 1:r, x:n, y:n", 3, 2),
    "Unnamed: 0": Case("Unnamed: 0,x\n0,1.5\n1,2.5\n2,3.5\n", "Unnamed: 0:r, x:n", 3, 1.5),
    "times in turn": Case("time,x\n1,1.5\n2,2.5\n3,3.5\n", "time:n, x:n", 3, 1.5),
    "too few names": Case("x,y\n1,5,2,5\n2,5,3,5\n3,5,4,5\n", "", said="Row 1 has 2 cells, and rows 2, 3 and 4 have 4"),
    "too many names": Case("x,y,z\n1,5\n2,5\n3,5\n", "", said="Row 1 has 3 cells, and rows 2, 3 and 4 have 2"),
    "rows of another width": Case(f"x,y\n{ROWS}8\n9,1,2\n", "x:n, y:n", 3, 2, "rows 5 and 6"),
    "a column without a cell": Case("x,y,z\n1,2,\n3,4,\n5,7,\n", "x:n, y:n, z:e", 3),
    "an empty column within": Case("x,y,z\n1,,2\n3,,4\n5,,7\n", "x:n, y:e, z:n", 3, 2, "no cell says anything"),
    "Excel's hint": Case("sep=;\nx;y\n1;2\n3;4\n5;7\n", "x:n, y:n", 3, 2),
    "Windows-1252": Case("größe;x\n1;2\n3;4\n5;7\n".encode("cp1252"), "größe:n, x:n", 3, 2, "read as Windows-1252"),
    "another encoding, as was said": Case(
        "длина;x\n1;2\n3;4\n5;7\n".encode("cp1251"), "длина:n, x:n", 3, 2, how=How("Windows-1251")
    ),
    "UTF-16": Case("größe\tx\n1\t2\n3\t4\n5\t7\n".encode("utf-16"), "größe:n, x:n", 3, 2),
    "blanks and tabs": Case(
        '18.0  8  307.0\t"a car"\n15.0  8  350.0\t"a van"\n16.0  8  304.0\t"a bus"\n',
        "column 1:n, column 2:n, column 3:n, column 4:t",
        3,
        "a car",
    ),
    "dates": Case("date,x\n2020-01-01,5\n2020-01-02,6\n2020-01-03,7\n", "date:t, x:n", 3, 5),
    "hexadecimal": Case("x,y\n0x1F,5\n0x2F,6\n0x3F,7\n", "x:t, y:n", 3, 5),
    "powers of ten": Case("x,y\n1e3,5\n2E-3,6\n3e+2,7.5e1\n", "x:n, y:n", 3, 5),
    "a sentinel once": Case(
        "x,y\n1,5\n2,6\n3,-999\n4,7\n5,8\n", "x:n, y:n", 5, 5, "-999 in “y”, row 4, is far from all other"
    ),
    "another separator, as was said": Case("x;y,z\n1;2,3\n4;5,6\n7;8,9\n", "x;y:t, z:n", 3, 3, how=How(separator=",")),
    "a list on one line": Case("1 2 3 4 5\n", "", said="one line, of 5 numbers"),
    "only comments": Case("# a\n# b\n", "", said="only lines that begin with #"),
}


@pytest.mark.parametrize("case", TABLES.values(), ids=TABLES)
def test_tables(case):
    if not case.columns:
        with pytest.raises(OwnDataError) as refused:
            sheet_of(case)
        assert case.said in str(refused.value)
        return
    sheet = sheet_of(case)
    assert described(sheet) == case.columns
    assert sheet.rows == case.rows
    last = sheet.columns[-1]
    assert case.value in ("", last.cell(0) if isinstance(case.value, str) else last.values[0])
    assert case.said in all_said(sheet)


ONE = ("Are we still on for lunch at noon",)
TEXTS = {
    "SMSSpamCollection": ("SMSSpamCollection", "6 ham, 6 spam"),
    "labels of 0 and 1": ("m01_text_spam_1_0.csv", "labels in “spam”. 12 messages were read: 6 0, 6 1"),
    "no names": ("m03_no_header_label_text.csv", "6 ham, 6 spam"),
    "other names": ("m04_review_sentiment.csv", "Texts are in “review”, labels in “sentiment”"),
    "quoted lines between tabs": ("m07_tab_quoted_multiline.tsv", "12 messages were read: 6 ham, 6 spam"),
    "Unicode text of Excel": ("m09_excel_unicode_text_multiline.txt", "3 messages were read: 2 ham, 1 spam"),
    "NaN for a label": ("m10_labels_NaN.csv", "4 ham, 4 spam, 4 without a label"),
    "a vocabulary of one word": ("m12_one_word_vocabulary.txt", "2 ham, 1 spam"),
    "bars": ("label|text\nham|Call me, soon\nspam|Win now\nham|See you, Bob\n", "2 ham, 1 spam"),
    "bars without names": ("ham|Call me now\nspam|Win it now\nham|See you, Bob\nspam|So win it\n", "2 ham, 2 spam"),
    "texts first": ('"Call me, now",ham\n"Win it, now",spam\n"See you, Bob",ham\n"So, win it",spam\n', "2 ham, 2 spam"),
    "fastText": ("__label__ham call me\n__label__spam win now\n", "1 ham, 1 spam"),
    "JSON lines": (
        '{"text": "call\\nme", "label": "ham"}\n{"text": "win", "label": null}\n',
        "1 ham, 1 without a label",
    ),
    "prose": ("Hello, world\nBye, world\nHey, you\n", "3 without a label"),
    "prose with a tab in one line": ("Hello\tworld\nBye\nHey\nSo long\n", "4 without a label"),
    "three columns of tabs": (
        "id\tsentence\tmood\n1\tso good it is\tup\n2\tso bad it is\tdown\n3\tnot bad at all\tup\n4\tno good\tdown\n",
        "Texts are in “sentence”, labels in “mood”",
    ),
    "quotes in lines of tabs": ('ham\t"Go" she said\nspam\tso "it" goes\nham\t"no\n', "2 ham, 1 spam"),
    "a header of one text column": ('text\n"one, two"\nthree\n', "2 without a label"),
    "labels of two cases": ("Ham\tone\nHAM\ttwo\nspam\tthree\n", "2 ham, 1 spam"),
    "NA among labels": ("label,text\nNA,one two\nham,two three\nn/a,so so\nspam,three\n", "1 ham, 1 spam, 2 without"),
}


@pytest.mark.parametrize(("file", "said"), TEXTS.values(), ids=TEXTS)
def test_texts(file, said):
    found = messages_of(sheet_of(Case(file, ""), texts=True))
    assert said in " ".join(found.notes)
    assert not any({"ham", "spam", "positive", "negative", "label"} & {*text.split()} for text in found.texts)


def test_texts_keep_their_lines_and_lose_their_quotes():
    found = messages_of(sheet_of(Case("m07_tab_quoted_multiline.tsv", ""), texts=True))
    assert found.texts[0] == "Are we still on for lunch at noon\nbye for now"
    found = messages_of(sheet_of(Case("m09_excel_unicode_text_multiline.txt", ""), texts=True))
    assert found.texts == ("one line", "two lines,\nin one cell", "three\nlines\nhere")


def test_what_has_no_texts_says_what_to_call_them():
    with pytest.raises(OwnDataError, match=r"no column of texts among “a” and “label”\. Call it text"):
        messages_of(sheet_of(Case("a,label\n1,x\n2,y\n3,x\n", ""), texts=True))


def parquet(columns: dict[str, list[object]]) -> bytes:
    file = io.BytesIO()
    pq.write_table(pa.table(columns), file)
    return file.getvalue()


def test_parquet_is_read_as_a_table_is():
    raw = parquet({"x": [1.5, None, 2.5], "who": ["a", 'b, "c"', "a"]})
    sheet = sheet_of(Case(raw, ""))
    assert described(sheet) == "x:n, who:c"
    assert sheet.column("who").cells == ["a", 'b, "c"', "a"]


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"PAR1 and no more", "cannot be read"),
        (parquet({"x": [[1], [2, 3], []]}), "cannot be read"),
        (parquet({"x": list(range(3_000_001))}), "too large to be read. Keep the columns"),
    ],
    ids=["damaged", "lists", "large"],
)
def test_parquet_that_cannot_be_used_is_refused(raw, said):
    with pytest.raises(OwnDataError, match=said):
        sheet_of(Case(raw, ""))


BOOK = workbook(
    {
        "Read me": [["Made by hand"]],
        "Data": [
            ["Means, by hand"],
            [],
            ["city", "income", "share", "note"],
            ["A", 1150, 0.5, "so, so"],
            ["B", 980.25, None, 'the "best"'],
            ["C", 1e21, -3, "two\nlines"],
        ],
        "2": [["a", "b"], [1, 2], [3, 4], [5, 6]],
    }
)


def test_of_a_workbook_the_sheet_with_the_most_cells_is_read_and_another_may_be_chosen():
    sheet = sheet_of(Case(BOOK, ""))
    assert described(sheet) == "city:t, income:n, share:n, note:t"
    assert sheet.row_numbers.tolist() == [4, 5, 6], "as the program shows them"
    assert sheet.column("income").values.tolist() == [1150, 980.25, 1e21]
    assert [sheet.column("note").cell(row) for row in range(3)] == ["so, so", 'the "best"', "two\nlines"]
    assert "Of the workbook’s 3 sheets “Data” was read." in sheet.notes
    assert (sheet.tables, sheet.how.sheet) == (("Read me", "Data", "2"), "Data")
    other = sheet_of(Case(BOOK, "", how=How(sheet="2", encoding="Shift JIS", separator=";")))
    assert described(other) == "a:n, b:n"
    assert other.how.sheet == "2"


def test_texts_are_read_from_a_workbook():
    raw = workbook(
        {"Messages": [["label", "text"], ["ham", "Call me, soon"], ["spam", "Win\tnow"], ["ham", "So be it"]]}
    )
    assert "2 ham, 1 spam" in " ".join(messages_of(sheet_of(Case(raw, ""), texts=True)).notes)


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (BOOK.replace(b"PK\x01\x02", b"PK\x01\x03"), "spreadsheet or a zip archive"),
        (BOOK[:2000] + bytes(30) + BOOK[2030:], "workbook cannot be read"),
        (b"\xd0\xcf\x11\xe0" + bytes(2000), "workbook cannot be read"),
        (workbook({"Empty": []}), "no cells"),
    ],
    ids=["an archive", "damaged", "old and damaged", "empty"],
)
def test_workbooks_that_cannot_be_used_are_refused(raw, said):
    with pytest.raises(OwnDataError, match=said):
        sheet_of(Case(raw, ""))


@pytest.mark.parametrize(
    ("limit", "most", "said"),
    [
        ("LARGEST_UNPACKED", 1_000, "when it is unpacked"),
        ("MOST_CELLS", 20, "has 6 rows of 4 cells, more than 20 in all"),
    ],
)
def test_a_workbook_with_more_than_can_be_read_is_refused(monkeypatch, limit, most, said):
    monkeypatch.setattr(workbook_reader, limit, most)
    with pytest.raises(OwnDataError, match=said):
        sheet_of(Case(BOOK, ""))


def test_the_app_starts_without_the_libraries_for_files():
    code = "import sys, pages.router; print(sorted({'python_calamine', 'pyarrow.parquet'} & {*sys.modules}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_every_file_here_is_a_case():
    known = {case.file for case in TABLES.values()} | {file for file, _ in TEXTS.values()}
    assert {path.name for path in CASES.iterdir()} <= known


TAKES = [*{id(takes): takes for model in STAGES.values() if isinstance(takes := model.takes, Taking)}.values()]


@pytest.mark.parametrize("takes", TAKES, ids=lambda takes: takes.kind.__name__)
def test_no_note_on_a_file_is_lost_on_the_way_to_a_topic(takes):
    taken = 0
    for file, how in [
        *((case.file, case.how) for case in TABLES.values()),
        *((file, How()) for file, _ in TEXTS.values()),
    ]:
        try:
            sheet = sheet_of(Case(file, "", how=how), texts=takes.texts)
            notes = takes.make(sheet, Choice()).notes
        except OwnDataError:
            continue
        taken += 1
        assert [note for note in sheet.notes if note not in notes] == [], file
    assert taken > 5


SERIES = {
    "years and months": ("n16_comment_lines_above.csv", "average"),
    "many years": (
        "year,month,mean\n" + "".join(f"{1958 + row // 12},{row % 12 + 1},{row * 7 % 11}\n" for row in range(60)),
        "mean",
    ),
    "a clock of decimals": ("t,v\n0.1,5\n0.2,3\n0.3,4\n0.4,1\n", "v"),
    "states that rest": ("t,s\n1,0\n2,0\n3,0\n4,0\n5,1\n6,1\n", "s"),
    "what only grows, and years": ("people,year\n3,1990\n4,1991\n7,1992\n", "people"),
    "nothing else": ("x\n1\n2\n3\n", "x"),
}


@pytest.mark.parametrize(("file", "column"), SERIES.values(), ids=SERIES)
def test_a_series_is_not_its_own_clock(file, column):
    assert IN_TIME.guess(sheet_of(Case(file, "")), Choice()) == {column: "y"}
