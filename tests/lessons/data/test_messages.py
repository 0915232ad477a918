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

from lessons.data.messages import DATA, Messages, MessagesError, check_file, read_messages, six_messages, toy_messages
from lessons.data.words import tokens

LONG_LABEL = "this label has 36 characters, at most 30 are allowed; write a short label, and the message after it"
PLACED = re.compile(r"my\.csv:(\d+):(\d+): .+; .+")


def read(content):
    return read_messages(content if isinstance(content, bytes) else content.encode(), "my.csv")


def refusal(content):
    with pytest.raises(MessagesError) as caught:
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
    written = [(label, text.replace("\n", " ") if separator == "\t" else text) for label, text in written]
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
            ("a label, a tab and a message.", "3 messages were read: 1 ham, 1 spam, 1 without a"),
        ),
        (
            "a\n \nb\n",
            ("without a label. To give labels", "2 messages were read: 2 without", "1 blank line was skipped."),
        ),
        (
            "\n\n\na\n\n\n",
            ("5 blank lines were skipped.", "1 message was read: 1 without a label.", "only one message"),
        ),
        ("id,sms\n1,a\n2,\n", ("Line 1 was read as names of columns: texts are in column 2, no column has labels.",)),
        ("sms,type\na,b\n,b\n", ("texts are in column 1, labels in column 2.", "1 row was left out, without a text.")),
        ("ham\ta\nham\tb\n", ("Only one class has labels, ham; add messages of another one",)),
        (b"ham\tcaf\xe9 \xa35 \x92\nspam\tb\n", ("not UTF-8 (byte 0xe9 in line 1), so it was read as Windows-1252",)),
        (
            b"ham\ta\nspam\tb \xe9 and on and on \x81\n",
            ("(byte 0xe9 in line 2), so it was read as Windows-1252", "1 control"),
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
    with pytest.raises(MessagesError, match=r"my\.csv:1:1: the first line has no column brief and art; it says Art"):
        read_messages(content, "my.csv", text="Brief", label="Art")


def test_nothing_is_noted_that_is_not_so():
    assert read("ham\ta\nspam\tb\n").notes == (
        "Each line was read as a label, a tab and a message.",
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
        ("", "1:1: the file is empty; write one message a line, or a label, a tab and the message"),
        (" \n\t\r\n", "1:1: the file is empty; write one message a line, or a label, a tab and the message"),
        ("ham\t\nspam\t \n", "1:1: no row has a text; write one message a line, or a label, a tab and the message"),
        ("label,text\n", "1:1: no row has a text; write one message a line, or a label, a tab and the message"),
        (
            "\n\na,label\n",
            "3:1: the header has a column label but none for texts; call that text, message, sms, body or v2",
        ),
        ("a\tb\n\nc\td\ne\n", "4:1: this line has no tab; write a label, a tab and the message"),
        ("text,label\na, b,ham\n", "2:6: this row has more cells than the header, which has 2; put texts in quotes"),
        ("label,text\n\n'a\",b, c\n", "3:8: this row has more cells than the header, which has 2; put texts in quotes"),
        (
            'text,type\n"a\nb",c\na,b,c\n',
            "4:5: this row has more cells than the header, which has 2; put texts in quotes",
        ),
        (
            'text,label\n"a\nb","ham" x\n"c",d\n',
            "3:4: this quote is not closed where the text ends; close it, and double each quote inside",
        ),
        (
            'text,label\na,b\n"c,d\n',
            "3:1: this quote is not closed where the text ends; close it, and double each quote inside",
        ),
        (
            "a text first\tham\n" + "A much longer text that stands first\tham\n" * 2,
            f"2:1: {LONG_LABEL}\nmy.csv:3:1: {LONG_LABEL}",
        ),
        (
            "".join(f"class {number}\ta\n" for number in range(9)),
            "9:1: 'class 8' is one class too many, at most 8 can be told apart; "
            "join some classes, or leave out the labels",
        ),
        (
            b"PK\x03\x04abc",
            "1:1: by its first bytes this is a spreadsheet or a zip archive; save it as CSV or plain text in UTF-8",
        ),
        (
            "ham\ta".encode("utf-16")[:-1],
            "1:1: the text is damaged, byte 0x61 in line 1 is not UTF-16; save it as CSV or plain text in UTF-8",
        ),
        (
            b"ab\0cdefghijklmnopqrstuvwxyz" * 9,
            "1:1: this is not a text file: 9 control characters were found; save it as CSV or plain text in UTF-8",
        ),
        (
            bytes(range(1, 9)),
            "1:1: this is not a text file: 8 control characters were found; save it as CSV or plain text in UTF-8",
        ),
        (
            b"a" * 10_000_001,
            "1:1: the file has 10.0 MB, and at most 10 MB can be read; keep the messages that you need",
        ),
    ],
)
def test_place_cause_and_remedy(content, expected):
    assert refusal(content) == f"my.csv:{expected}"


def test_eight_classes_are_read():
    assert len(read("".join(f"{number}\ta\n" for number in range(8))).classes) == 8


def test_five_problems_are_listed_and_no_more():
    lines = refusal("a\tb\n" * 60 + "c\n" * 9).split("\n")
    assert len(lines) == 6
    assert lines[-1] == "my.csv:65:1: reading stopped here; there may be more problems"


@pytest.mark.parametrize("name", ["", " \n", "a\nb", "x" * 1000, "\0"])
def test_any_name_makes_one_line(name):
    with pytest.raises(MessagesError) as caught:
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
    try:
        found = read(content)
    except MessagesError as error:
        lines = content.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
        for problem in str(error).split("\n"):
            line, column = map(int, PLACED.fullmatch(problem).groups())
            assert 1 <= line <= len(lines)
            assert 1 <= column <= len(lines[line - 1]) + 1
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
    with pytest.raises(MessagesError, match=r"my.csv:1:1: the file has 200.0 MB, and at most 10 MB can be read; keep"):
        check_file(200_000_000, "my.csv")
