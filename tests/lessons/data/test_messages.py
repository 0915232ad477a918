"""A file of messages is read, or refused in sentences; the messages that come with the lessons are what they claim."""

import csv
import io
import re
import unicodedata
from itertools import combinations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from lessons.data.messages import DATA, Messages, OwnDataError, check_file, read_messages, six_messages, toy_messages
from lessons.data.words import tokens

NAMES = "Give each column one name, and delete lines above the names; put texts with commas in quotes."
QUOTE = (
    "Look there for a quotation mark that is not closed, or that belongs to a text and must be written twice; or for a "
    "cell of more than 131,072 characters."
)
SAVE = "In the program that it comes from, save it as CSV (UTF-8) and load that file."


def read(content):
    return read_messages(content if isinstance(content, bytes) else content.encode(), "my.csv")


def refusal(content):
    with pytest.raises(OwnDataError) as caught:
        read(content)
    return str(caught.value)


def pairs(content):
    """Return the name of the class and the text of every message, None where the class is hidden."""
    found = read(content)
    names = [None if label < 0 else found.classes[label] for label in found.labels.tolist()]
    return list(zip(names, found.texts, strict=True))


EXPECTED = [("ham", "Hi, you"), ("spam", 'win "it"'), (None, "who")]


@pytest.mark.parametrize(
    "content",
    [
        'ham\tHi, you\nspam\twin "it"\n\twho\n',
        'HAM\tHi, you\r\nSpam\twin "it"\r\n?\twho',
        '\n\nham\tHi, you\n  \nspam\twin "it"\n Unknown \t who \n\n',
        'label\ttext\nham\tHi, you\nspam\twin "it"\n\twho\n',
        'text\tlabel\nHi, you\tham\nwin "it"\tspam\nwho\n',
        'label,text\nham,"Hi, you"\nspam,"win ""it"""\n,who\n',
        '\ufeffv1,v2,,,\nham,"Hi, you",,,\nspam,win "it",,,\nunknown,who,,\n',
        '"Class";"id";"SMS"\nham;1;Hi, you\n"spam"; 2; "win ""it"""\n;;who\n;;\n',
        'Body,Category\n"Hi, you",ham\n"win ""it""",SPAM\nwho,?\n',
        'type;"a;b";message;label\nx;;Hi, you;ham\n;;"win ""it""";spam\n;;who;\n',
    ],
)
def test_the_same_messages_in_many_forms(content):
    assert pairs(content) == EXPECTED
    assert read(content).classes == ("ham", "spam")


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("one\n\nTwo, too\n", [(None, "one"), (None, "Two, too")]),
        ("Text\none\nTwo, too; and\n", [(None, "one"), (None, "Two, too; and")]),
        ('text\n"one\ntwo"\n"three"\n', [(None, "one\ntwo"), (None, "three")]),
        ("a\tb\tc\n\t\td", [("a", "b\tc"), (None, "d")]),
        ('a\t"b\na\tc"', [("a", '"b'), ("a", 'c"')]),
        (f"text,{'what is this message about ' * 2},class\na,,b\n", [("b", "a")]),
        ('label\ttext\na\t"b\na\tc"', [("a", '"b'), ("a", 'c"')]),
        ('label,text\na,"b\n\nc"\n\nb,d', [("a", "b\n\nc"), ("b", "d")]),
        (
            "Text, or call, whenever you have the time to do so!\n",
            [(None, "Text, or call, whenever you have the time to do so!")],
        ),
        ("ham\tCall, text, mail\nham\tx", [("ham", "Call, text, mail"), ("ham", "x")]),
        ("a &lt;#&gt; b &amp; c &b; Q&notes\n", [(None, "a <#> b & c &b; Q&notes")]),
        ("a\x07b and \x1b[0m so \u202ec, as it is\n", [(None, "ab and [0m so c, as it is")]),
        ("e\u0301\n", [(None, "é")]),
        (
            "tabs\tare rare\nin\nthese\nlines\n",
            [(None, "tabs\tare rare"), (None, "in"), (None, "these"), (None, "lines")],
        ),
    ],
)
def test_texts_are_kept_whole(content, expected):
    assert pairs(content) == expected


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["ham", "spam", ""]), st.text(st.sampled_from("ab,;'\"£é \n"), max_size=8).map(str.strip)
        ),
        max_size=8,
    )
)
@settings(deadline=None)
def test_what_a_program_has_written_is_read_back(separator, written):
    if separator == "\t":  # there quotes around a whole text have no one meaning
        written = [(label, text.replace("\n", " ").lstrip('" ')) for label, text in written]
    file = io.StringIO()
    if separator == "\t":
        file.write("".join(f"{label}\t{text}\n" for label, text in [("ham", "first"), *written]))
    else:
        csv.writer(file, delimiter=separator).writerows([("label", "text"), ("ham", "first"), *written])
    expected = [("ham", "first"), *((label or None, text) for label, text in written if text)]
    assert pairs(file.getvalue()) == expected


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("b\t1\na\t2\nb\t3\n", ("b", "a")),
        ("spam\t1\nham\t2\n", ("ham", "spam")),
        ("spam\t1\nham\t2\nother\t3\n", ("spam", "ham", "other")),
        ("\t1\nspam\t\nham\t2\n", ("ham",)),
        ("1\n2\n", ()),
    ],
)
def test_the_order_of_the_classes(content, expected):
    assert read(content).classes == expected


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (
            "ham\ta\nspam\tb\n?\tc\n",
            ("read as a label (“ham” and “spam”) and a message.", "3 messages were read: 1 ham, 1 spam, 1 without a"),
        ),
        (
            "a\n \nb\n",
            ("without a label. To give labels", "2 messages were read: 2 without"),
        ),
        (
            "\n\n\na\n\n\n",
            ("1 message was read: 1 without a label.", "only one message"),
        ),
        ("id,sms\n1,a\n2,\n", ("Texts are in “sms”, no column has labels.",)),
        ("sms,type\na,b\n,b\n", ("Texts are in “sms”, labels in “type”.", "1 row was left out, without a text.")),
        ("ham\ta\nham\tb\n", ("Only one class has labels, ham; add messages of another one",)),
        (b"ham\tcaf\xe9 \xa35 \x92\nspam\tb\n", ("not UTF-8 (byte 0xe9 in row 1), so it was read as Windows-1252",)),
        (
            b"ham\ta\nspam\tb \xe9 and on and on \x81\n",
            ("(byte 0xe9 in row 2), so it was read as Windows-1252", "1 control"),
        ),
        ("a\x01b, and so on, and so forth\x7f\n", ("2 control characters were removed.",)),
        ("a &amp; b\n&lt;\nc & d\n", ("2 messages were cleared of codes such as &amp;.",)),
        ("w " * 20_001 + "\nb\n", ("1 message was cut after 20,000 words.",)),
        (
            "a\n" * 20_001,
            ("The file has more than 20,000 messages; the first 20,000 were read.", "20,000 messages were"),
        ),
    ],
)
def test_notes_say_what_was_read_and_dropped(content, expected):
    notes = " ".join(read(content).notes)
    assert all(part in notes for part in expected), notes


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_columns_of_any_name_can_be_asked_for(separator):
    rows = [("Art", "Wann", "Nachricht"), ("Post", "früh", "Brot"), ("Werbung", "spät", "Preis")]
    content = "".join(separator.join(row) + "\n" for row in rows).encode()
    found = read_messages(content, "my.csv", text="nachricht", label="ART")
    assert (found.texts, found.classes) == (("Brot", "Preis"), ("post", "werbung"))
    assert read_messages(content, "my.csv", text="Wann").texts == ("früh", "spät")
    with pytest.raises(
        OwnDataError, match=r"my\.csv: There is no column “Brief”; there are “Art”, “Wann” and “Nachricht”\."
    ):
        read_messages(content, "my.csv", text="Brief", label="Art")


def test_nothing_is_noted_that_is_not_so():
    assert read("ham\ta\nspam\tb\n").notes == (
        "Each row was read as a label (“ham” and “spam”) and a message.",
        "2 messages were read: 1 ham, 1 spam.",
    )
    assert len(read("a\n" * 20_000).notes) == 2
    assert len(read("w " * 20_000 + "\nb\n").notes) == 2


def test_a_windows_file_has_its_accents():
    found = read("ham\tcafé £5 don’t\nspam\tb\n".encode("cp1252"))
    assert found.texts == ("café £5 don’t", "b")


def test_long_texts_and_files_are_cut():
    assert len(read("w  " * 30_000).texts[0].split()) == 20_000
    found = read("spam\ta\n" * 20_000 + "ham\tb\n" * 5)
    assert len(found.texts) == 20_000
    assert found.classes == ("spam",)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("", "The file is empty. Load one that has one message a line, or a label, a tab and the message."),
        (" \n\t\r\n", "The file is empty. Load one that has one message a line, or a label, a tab and the message."),
        ("ham\t\nspam\t \n", "No row has a text. Write one message a line, or a label, a tab and the message."),
        ("label,text\n", "No row has a text. Write one message a line, or a label, a tab and the message."),
        (
            "\n\na,label\n",
            "There is no column of texts among “a” and “label”. Call it text, message, sms, body or v2, or choose it.",
        ),
        ("a\tb\n\nc\td\ne\n", "Row 4 has no tab. Write a label, a tab and the message."),
        ("text,label\na, b,ham\n", f"Row 1 has 2 cells, and row 2 has 3. {NAMES}"),
        ("label,text\n\n'a\",b, c\n", f"Row 1 has 2 cells, and row 3 has 3. {NAMES}"),
        (
            'text,type\n"a\nb",c\na,b,c\n',
            "Row 3 has 3 cells, and the first one 2. Put texts with separators in quotes.",
        ),
        (
            'text,label\n"a\nb","ham" x\n"c",d\n',
            f"Row 2 cannot be read (',' expected after '\"'). {QUOTE}",
        ),
        (
            'text,label\na,b\n"c,d\n',
            f"Row 3 cannot be read (unexpected end of data). {QUOTE}",
        ),
        (
            "a text first\tham\n" + "A much longer text that stands first\tham\n" * 2,
            "The labels in rows 2 and 3 have more than 30 characters. Write a short label, and the message after it; "
            "or choose another column.",
        ),
        (
            "".join(f"class {number}\ta\n" for number in range(9)),
            "There are 9 classes, class 0, class 1, class 2 and 6 more, and at most 8 can be told apart: row 9 has one "
            "too many. Join some classes, or choose no column of labels.",
        ),
        (
            b"PK\x03\x04abc",
            f"By its first bytes this is a spreadsheet or a zip archive, not a CSV file. {SAVE}",
        ),
        (
            "ham\ta".encode("utf-16")[:-1],
            f"The text is damaged: byte 0x61 in row 1 is not UTF-16. {SAVE}",
        ),
        (
            b"ab\0cdefghijklmnopqrstuvwxyz" * 9,
            f"This is not a text file: row 1 has the character U+0000. {SAVE}",
        ),
        (
            bytes(range(1, 9)),
            f"This is not a text file: row 1 has the character U+0001. {SAVE}",
        ),
        (
            b"a" * 10_000_001,
            "The file has 10.0 MB; at most 10 MB can be read. Keep the messages that you need.",
        ),
    ],
)
def test_place_cause_and_remedy(content, expected):
    assert refusal(content) == f"my.csv: {expected}"


def test_eight_classes_are_read():
    assert len(read("".join(f"{number}\ta\n" for number in range(8))).classes) == 8


@pytest.mark.parametrize("name", ["", " \n", "a\nb", "x" * 1000, "\0"])
def test_any_name_makes_one_line(name):
    with pytest.raises(OwnDataError) as caught:
        read_messages(b"", name)
    assert len(str(caught.value).split("\n")) == 1
    assert len(str(caught.value)) < 200


PIECES = st.sampled_from(
    [b"ham", b"spam", b"text", b"label", b"\t", b",", b";", b"\n", b"\r\n", b"\r", b'"', b'""', b" ", b"?", b"unknown",
     b"\xef\xbb\xbf", b"\xe9", b"\x81", b"\x00", b"\x0c", b"\xc2\x85", b"\xe2\x80\xa8", b"\xe2\x80\xae", b"&amp;",
     b"&#13;", b"&nbsp;", b"label,text\n", b"ham\tHi\n", b"spam\twin\n", b"text;type\n", b"text\n", b"a,label\n"]
)  # fmt: skip


@given(st.one_of(st.binary(max_size=80), st.lists(st.one_of(PIECES, st.binary(max_size=2)), max_size=25).map(b"".join)))
@example(b"text\n" + b'"' * 5_000)
@example(b"\xa0")
@example(b"text,label\n,,\x1f,")
@settings(deadline=None, max_examples=800)
def test_any_bytes_are_read_or_refused(content):
    refused = ""
    try:
        found = read(content)
    except OwnDataError as error:
        refused = str(error)
    if refused:
        assert re.fullmatch(r"my\.csv: [^\n]+\. [^\n]+\.", refused), "a cause, and what to do"
        return
    assert found.texts
    assert len(found.texts) == len(found.labels)
    assert len(set(found.classes)) == len(found.classes) <= 8
    assert set(found.labels.tolist()) - {-1} == set(range(len(found.classes)))
    for text in found.texts:
        assert text == text.strip() != ""
        assert not any(unicodedata.category(letter) == "Cc" for letter in text if letter not in "\t\n")
    assert all(note.endswith(".") for note in found.notes)


def test_messages_are_checked_and_kept():
    labels = np.array([0, -1])
    kept = Messages(("a", "b"), labels, ("ham",))
    labels[0] = -1
    assert kept.labels.tolist() == [0, -1]
    with pytest.raises(ValueError, match="read-only"):
        kept.labels[0] = 1
    for wrong in ([0], [0, 1], [0, -2]):
        with pytest.raises(ValueError, match="labels must be 2 integers, each -1 or below 1"):
            Messages(("a", "b"), np.array(wrong), ("ham",))


def test_the_lessons_messages_are_read_once_and_from_anywhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for load in (toy_messages, six_messages):
        load.cache_clear()
        assert load() is load()
        assert load().classes == ("ham", "spam")
        assert len(load().notes) == 2


@pytest.mark.parametrize("name", ["messages.tsv", "six_messages.tsv"])
def test_the_files_are_a_label_and_a_text_a_line(name):
    text = (DATA / name).read_bytes().decode("utf-8")
    assert text.endswith("\n")
    assert all(re.fullmatch(r"(ham|spam)\t[ -~£]+", line) for line in text[:-1].split("\n"))


def test_there_are_enough_toy_messages_of_both_classes():
    toy = toy_messages()
    assert len(toy.texts) == len(toy.labels) >= 200
    assert toy.labels.mean() == pytest.approx(0.45, abs=0.02)
    changes = (np.diff(toy.labels) != 0).mean()
    assert changes == pytest.approx(0.5, abs=0.1)  # they are mixed, so that any part of the file will do
    lengths = np.array([len(text.split()) for text in toy.texts])
    assert lengths.max() <= 25
    assert 5 <= (lengths < 4).sum() <= 12


def alike(texts):
    """Return the largest share of their words that two different messages have in common, and how many are the same."""
    bags = [set(tokens(text)) for text in texts]
    shares = [len(one & other) / len(one | other) for one, other in combinations(bags, 2)]
    return max(shares), len(texts) - len({tuple(tokens(text)) for text in texts})


def test_no_two_toy_messages_are_made_alike():
    texts = list(toy_messages().texts)
    share, same = alike(texts)
    assert share <= 0.5
    assert same == 0
    assert alike([*texts, texts[0].replace(texts[0].split()[0], "other")])[0] > 0.5
    assert alike([*texts, f"{texts[3].upper()}!"])[1] == 1


def test_toy_addresses_and_numbers_are_of_nobody():
    for text in toy_messages().texts:
        assert set(re.findall(r"\w+\.[a-z]{2,}", text)) <= {"example.org"}
        assert all(code.startswith("00") for code in re.findall(r"\b\d{5}\b", text))
        assert all(number == "100000" for number in re.findall(r"\d{6,}", text))


def test_both_classes_use_the_words_that_seem_to_tell():
    toy = toy_messages()
    by_class: list[set[str]] = [set(), set()]
    for text, label in zip(toy.texts, toy.labels.tolist(), strict=True):
        by_class[label].update(tokens(text))
    assert {"free", "win", "won", "call", "offer", "urgent", "prize", "now", "£", "#", "phone"} <= by_class[
        0
    ] & by_class[1]


def test_some_messages_repeat_a_word():
    thrice = re.compile(r"\b(\w+)\W+\1\W+\1\b", re.IGNORECASE)
    labels = [
        label
        for text, label in zip(toy_messages().texts, toy_messages().labels.tolist(), strict=True)
        if thrice.search(text)
    ]
    assert labels.count(0) >= 3
    assert labels.count(1) >= 3


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_the_encodings_of_tables_are_read(encoding):
    found = read_messages("ham\tcafé at nine\r\nspam\twin £5\n".encode(encoding), "my.txt")
    assert found.texts == ("café at nine", "win £5")
    assert found.classes == ("ham", "spam")


def test_a_file_that_is_too_large_is_refused_by_its_size_alone():
    check_file(10_000_000, "my.csv")
    with pytest.raises(OwnDataError, match=r"my.csv: The file has 200.0 MB; at most 10 MB can be read. Keep"):
        check_file(200_000_000, "my.csv")
