"""Further files, invented after those that others bring: encodings, names in two rows, JSON, labels on either side."""

import numpy as np
import pytest

from lessons.data.csv_table import table_of
from lessons.data.csv_text import OwnDataError
from lessons.data.messages import messages_of
from lessons.own.taking import Choice
from lessons.topics import STAGES
from tests.lessons.data.wild import Case, check, sheet_of
from tests.lessons.data.workbooks import workbook

PEOPLE = [[170, 60, "m"], [180, 80, "f"], [165, 55, "m"]]
TABLES = {
    "a wrong byte in UTF-8": Case(
        "nâme,x\ncafé,2\n".encode() + b"caf\xe9,4\nb,5\n", "nâme:c, x:n", 3, said="UTF-8, but for byte 0xe9 in row 3"
    ),
    "UTF-8 taken for another": Case(
        "größe;x\n1;2\n3;4\n5;6\n".encode().decode("cp1252"), "grÃ¶ÃŸe:n, x:n", 3, said="“Ã¶” in row 1 looks like"
    ),
    "Cyrillic": Case(
        "имя;рост;вес\nАня;1;2\nБор;3;4\nВал;5;7\n".encode("cp1251"),
        "имя:t, рост:n, вес:n",
        3,
        said="read as Windows-1251",
    ),
    "degrees": Case("x;t\n1;5\n2;6\n3;7°\n4;8\n".encode("cp1252"), "x:n, t:t", 4, said="row 4 says “7°”"),
    "euros beyond letters": Case("a;p\n1;5 €\n2;6 €\n3;7 €\n".encode("cp1252"), "a:n, p:t", 3, said="“5 €” in row 2"),
    "a comment between semicolons": Case(
        "# stations; 2020\nname;x;y\nA;1,5;2\nB;2,5;3\nC;3,5;5\n",
        "name:t, x:n, y:n",
        3,
        said="1 line that begins with #",
    ),
    "rows in quotes": Case('"a,b"\n"1,2"\n"3,4"\n"5,7"\n', "a:n, b:n", 3, said="in quotation marks as a whole"),
    "rows and cells in quotes": Case(
        '"name,""x"""\n"a,""1"""\n"b,""2"""\n"c,""3"""\n', "name:t, x:n", 3, said="in quotation marks as a whole"
    ),
    "one column of decimal commas in quotes": Case(
        '"height"\n"1,5"\n"2,5"\n"3,5"\n', "height:n", 3, said="decimal commas"
    ),
    "quotes with backslashes": Case('name,x\n"a \\"b\\"",1\n"c",2\n', "", said="Row 2 cannot be read"),
    "lines in names": Case(
        '"height\n(cm)","weight\n(kg)"\n170,60\n180,80\n165,55\n', "height (cm):n, weight (kg):n", 3
    ),
    "units in brackets": Case(
        "h,w\n(cm),[kg]\n1,5\n2,6\n3,7\n", "h (cm):n, w [kg]:n", 3, said="Rows 1 and 2 were both"
    ),
    "units, but no unit of a class": Case("h,class\ncm,\n1,a\n2,b\n3,a\n", "h cm:n, class:c", 3, said="Rows 1 and 2"),
    "a gap in words below the names": Case("x,y\nND,2\n1,2\n3,4\n5,7\n", "x:t, y:n", 4, said="row 2 says “ND”"),
    "a limit below the names": Case("x,y\n<0.5,<0.1\n1,2\n3,4\n5,7\n", "x:t, y:t", 4, said="row 2 says “<0.5”"),
    "columns counted from 0": Case("0,1,2\n5.1,3.5,1.4\n4.9,3.0,1.4\n6.4,3.2,4.5\n", "0:n, 1:n, 2:n", 3),
    "columns and rows counted from 0": Case(
        ",0,1\n0,5.1,3.5\n1,4.9,3.0\n2,6.4,3.2\n", "column 1:r, 0:n, 1:n", 3, said="“column 1” says nothing but"
    ),
    "points between thousands, and commas": Case(
        "x,y\n1.234.567,2\n2.345.678,3\n3.456.789,4\n", "x:n, y:n", 3, said="Marks between thousands were left out"
    ),
    "sentinels of several sorts": Case(
        "q,y\n1,2\n77,3\n2,4\n88,5\n3,1\n99,2\n77,2\n88,3\n99,2\n", "q:n, y:n", 9, said="88 occurs 2 times in “q”"
    ),
    "a sentinel with decimals": Case(
        "x,y\n1.5,2\n-9999.99,3\n2.5,4\n-9999.99,5\n3.5,1\n", "x:n, y:n", 5, said="-9999.99 occurs 2 times in “x”"
    ),
    "gaps of databases": Case("x,y\n1,2\n\\N,3\n2,4\n<NA>,1\n(null),5\n3,3\n", "x:n, y:n", 6),
    "JSON in JSON": Case(
        '{"n":2,"data":[{"x":1,"at":{"y":2}},{"x":3,"at":{"y":4}},{"x":5,"at":{"y":7}}]}', "x:n, at.y:n", 3
    ),
    "JSON of columns": Case('{"x":{"0":1,"1":2,"2":4},"y":{"0":1.5,"1":2,"2":4}}', "x:n, y:n", 3),
    "JSON without names": Case("[[1,2],[3,4]]", "", said="this is JSON, but no rows of it"),
    "JSON with a damaged line": Case('{"x":1}\n{"x":\n{"x":5}\n', "", said="Row 2 is no JSON such as the first one"),
    "JSON with numbers as texts": Case(
        '{"x":"1,150"}\n{"x":"2,300"}\n{"x":"980"}\n', "x:t", 3, said="“1,150” in row 1 could be 1150 or 1.15"
    ),
    "a merged title": Case(
        workbook({"S": [["Survey", None, None], ["h", "w", "sex"], *PEOPLE]}), "h:n, w:n, sex:c", 3, said="Row 1 above"
    ),
    "merged names of groups": Case(
        workbook({"S": [[None, "Before", None], ["sex", "h", "w"], *[[row[2], *row[:2]] for row in PEOPLE]]}),
        "sex:c, Before h:n, Before w:n",
        3,
        said="Rows 1 and 2 were both read",
    ),
    "a table in the middle of a sheet": Case(
        workbook({"Empty": [], "S": [[], [None, None, "h", "w"], *([None, None, *row[:2]] for row in PEOPLE)]}),
        "h:n, w:n",
        3,
        said="“S” was read",
    ),
}


@pytest.mark.parametrize("case", TABLES.values(), ids=TABLES)
def test_tables(case):
    check(case)


TWO = "2 ham, 2 spam"
TEXTS = {
    "fastText with commas": ("__label__ham, call me, now\n__label__spam, win it\n", "1 ham, 1 spam"),
    "fastText with two labels": ("__label__ham __label__x call me, now\n__label__spam win\n", "has several labels"),
    "fastText with labels at the end": ("call me, now __label__ham\nwin it __label__spam\n", "1 ham, 1 spam"),
    "fastText with a line without": ("call me, now\n__label__ham hi\n__label__spam win\n", "1 without a label"),
    "JSON in JSON lines": (
        '{"text":"call me, now","of":{"label":"ham"}}\n{"text":"win","of":{"label":"spam"}}\n',
        "labels in “of.label”",
    ),
    "JSON lines with other names": (
        '{"text":"call me, now"}\n{"text":"win","label":"spam"}\n{"text":"hi","label":"ham"}\n',
        "1 ham, 1 spam, 1 without a label",
    ),
    "a list of JSON": (
        '[\n {"text":"call me, now","label":"ham"},\n {"text":"win","label":"spam"}\n]',
        "1 ham, 1 spam",
    ),
    "columns of JSON": ('{"text":["call me, now","win"],"label":["ham","spam"]}', "1 ham, 1 spam"),
    "braces that are no JSON": ("call me, now\n{smile} hello\n", "2 without a label"),
    "text, tab, label": ("call me, now\tham\nwin it\tspam\nhi there\tham\nso win\tspam\n", TWO),
    "label, colon, text": ("ham: call me, now\nspam: win it: now\nham: hi there\nspam: so win\n", TWO),
    "times with colons": ("10:30: call\n10:45: win\n10:30: so\n10:45: bye\n", "4 without a label"),
    "labels as 1 and 1.0": ('text,label\n"call me, now",1.0\nwin it,0.0\nhi there,1\nso win,0\n', "2 1.0, 2 0.0"),
    "unlabelled": ('label,text\nham,"call me, now"\nunlabeled,win\nspam,hi\n', "1 ham, 1 spam, 1 without a label"),
    "a comment above": ('# from here\nlabel,text\nham,"call me, now"\nspam,win it\n', "Row 1 above the table"),
    "a title above": ("My messages\n\nlabel;text\nham;call me, now\nspam;win it\n", "Row 1 above the table"),
    "hashtags": ("#call me, now\n#win it\n", "2 without a label"),
    "R's table": ('"label" "text"\n"1" "ham" "call me, now"\n"2" "spam" "win it"\n', "1 ham, 1 spam"),
    "line breaks of web pages": (
        'text,label\n"call me,<br /><br />now",ham\nwin it,spam\n',
        "1 message was cleared of <br>",
    ),
    "Chinese": ("label,text\nham,今天 天气 很好\nspam,明天 会 更好\n".encode("gb18030"), "read as GB18030"),
    "Japanese": ("label,text\nham,今日は いい 天気\nspam,当選 しました\n".encode("shift-jis"), "read as Shift JIS"),
    "Russian": ("label,text\nham,привет мир\nspam,выиграй приз\n".encode("koi8-r"), "read as KOI8-R"),
}


@pytest.mark.parametrize(("file", "said"), TEXTS.values(), ids=TEXTS)
def test_texts(file, said):
    found = messages_of(sheet_of(Case(file, ""), texts=True))
    assert said in " ".join(found.notes)
    assert {"ham", "spam", "br", "label"}.isdisjoint(" ".join(found.texts).replace("<", " ").split())


OTHERS = {
    "a web page": b"<html><body>hello</body></html>",
    "a document": b"{\\rtf1\\ansi call me}",
    "Weka": b"@relation sms\n@attribute text string\n@data\n'call me'\n",
    "lists of JSON": b'["ham","call me"]\n["spam","win it"]\n',
}


@pytest.mark.parametrize("raw", OTHERS.values(), ids=OTHERS)
def test_what_is_no_text_for_people_is_refused_with_what_to_do(raw):
    with pytest.raises(OwnDataError, match=r"By its beginning this is .*save it as CSV"):
        sheet_of(Case(raw, ""), texts=True)


@pytest.mark.parametrize("stage", ["logistic", "generative"])
def test_a_class_that_is_written_in_several_ways_is_one_or_its_values_are_named(stage):
    rows = [f"{row},{row * row % 7},{('0', '1.0', '1', '0.0')[row % 4]}" for row in range(12)]
    takes = STAGES[stage].takes
    taken = takes.make(sheet_of(Case("\n".join(["a,b,y", *rows]), "")), Choice())
    assert sorted(taken.data.labels.tolist()) == [0] * 6 + [1] * 6
    words = "\n".join(["a,b,y", *rows]).replace(".0", "x")
    with pytest.raises(OwnDataError, match="“0”, “0x”, “1” and “1x”"):
        takes.make(sheet_of(Case(words, "")), Choice())


def test_cells_of_databases_that_say_nothing_are_gaps():
    column = table_of(sheet_of(TABLES["gaps of databases"])).rows[:, 0]
    assert np.isnan(column).tolist() == [False, True, False, True, True, False]
