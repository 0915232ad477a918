"""Learners' own data on the server: how long they are kept, and who can see them."""

import re
from collections import OrderedDict
from html import escape
from urllib.parse import parse_qsl

import numpy as np
import pytest

from lessons.catalogue import topic_info
from lessons.data.columns import Column
from lessons.data.messages import Messages
from lessons.own import labelled
from lessons.own.points import OwnPoints
from lessons.own.store import OWN_DATA, keep_own
from lessons.own.taking import Choice
from lessons.topics.logistic import LogisticSettings
from pages.lesson import uploads
from pages.lesson.lessons import library
from pages.lesson.state import Visit
from tests.lessons.data.workbooks import workbook
from tests.pages.lesson.own_files import FILES, TABLE, TAKES, of_its_kind
from tests.pages.visits import app, buttons, choose, follow, head, press, said, upload

every = pytest.mark.parametrize("stage", FILES)
NOBODYS = "0123456789abcdef" * 2


# ---- a topic's own data ----------------------------------------------------------------------------------------------


def place() -> Visit:
    return Visit("logistic", LogisticSettings(), view="step")


@pytest.fixture
def made() -> list[str]:
    """Return the digests of some points, each with one point more than the one before."""
    return [keep_own(labelled.OwnPoints(np.arange(2.0 * n).reshape(n, 2), np.arange(n) % 2)) for n in range(1, 4)]


def test_lessons_and_other_data_do_not_lose_them(made):
    here = place()
    here.change(data="own", own=made[0])
    lesson = library().for_stage("logistic")[0]
    here.open(lesson, lesson.steps[0])
    assert here.settings.own == ""
    assert "own=" not in here.link()
    here.leave_lesson()
    for data, expected in (("own", made[0]), ("few", ""), ("own", made[0])):
        here.change(data=data)
        assert here.settings.own == expected
    assert f"own={made[0]}" in here.link()


def test_back_and_forward_lead_from_points_to_points(made):
    here, links = place(), []
    for digest in made:
        here.change(data="own", own=digest)
        links.append({**dict(parse_qsl(here.link())), "t": "0"})
    for number in (1, 0, 1, 2):
        here.follow(links[number], again=True)
        assert here.settings.own == made[number]
        assert here.notes == []


@pytest.mark.parametrize("bad", ["x", NOBODYS[1:], NOBODYS.upper(), f"{NOBODYS}\n", "../" * 9, "٣" * 32])
def test_nonsense_is_said_and_left_out(bad, made):
    here = place()
    here.follow({"data": "own", "own": bad})
    assert here.settings.own == ""
    assert "no digest of anybody's data; it is left out" in here.notes[0]
    here.change(own=made[0])
    here.follow({"data": "own", "own": bad, "seed": "3"})
    assert here.settings.own == made[0], "the learner's own are still there"


def test_a_link_to_other_data_has_none():
    here = place()
    here.follow({"data": "few", "own": NOBODYS})
    assert (here.settings.own, here.own, here.notes) == ("", "", [])


# ---- pages -----------------------------------------------------------------------------------------------------------


def told(page) -> str:
    return " ".join(box.value for box in page.info)


def plays(page) -> bool:
    return any(each.proto.component_name == "samplescope_player" for each in page.get("bidi_component"))


@every
def test_a_link_shows_them_to_whoever_has_it(stage):
    mine = upload(app(topic_info(stage).page, data="own"), FILES[stage])
    assert any("Anyone with the link can see them" in caption.value for caption in mine.caption)
    link = dict(parse_qsl(head(mine)["link"]))
    assert len(link["own"]) == 32
    other = app(topic_info(stage).page, **link)
    assert head(other)["chain"] == head(mine)["chain"]
    assert head(other)["data"] == head(mine)["data"]
    assert head(other)["link"] == head(mine)["link"]
    assert not said(other)


@every
def test_the_file_outlives_a_lesson_and_other_data(stage):
    page = upload(app(topic_info(stage).page, data="own"), FILES[stage])
    chain = head(page)["chain"]
    follow(page, lesson=library().for_stage(stage)[0].id)
    assert head(page)["chain"] != chain
    follow(page, data="own", seed=7)
    assert head(page)["chain"] == chain


@every
def test_when_they_are_gone_the_page_says_so_and_another_upload_helps(stage, monkeypatch):
    monkeypatch.setattr(OWN_DATA, "_entries", OrderedDict())
    page = upload(app(topic_info(stage).page, data="own"), FILES[stage])
    link = dict(parse_qsl(head(page)["link"]))
    now = OWN_DATA.clock()
    monkeypatch.setattr(OWN_DATA, "clock", lambda: now + OWN_DATA.lifetime)
    other = app(topic_info(stage).page, **link)
    assert not other.exception
    assert not plays(other)
    assert "no longer here" in told(other)
    upload(other, FILES[stage], "again.csv")
    assert plays(other)
    assert dict(parse_qsl(head(other)["link"]))["own"] == link["own"], "the same data have the same name"


@every
def test_data_of_nobody_are_none(stage):
    page = app(topic_info(stage).page, data="own", own=NOBODYS)
    assert not page.exception
    assert "no longer here" in told(page)
    assert not plays(page)


def test_data_of_another_kind_are_none():
    page = upload(app("crp_mixture.py", data="own"), TABLE)
    link = dict(parse_qsl(head(page)["link"]))
    other = app("logistic.py", data="own", own=link["own"])
    assert "no longer here" in told(other)
    assert not other.exception


def test_names_that_would_be_shown_belong_to_the_data():
    numbers, texts = np.arange(6.0).reshape(3, 2), ("win cash", "call me")
    columns = [tuple(map(Column, names)) for names in (("a", "b"), ("a", "c"), ("ab", ""))]
    columns.append((Column("a", 170.0), Column("b")))
    names = [keep_own(OwnPoints(numbers, each)) for each in columns]
    names += [keep_own(Messages(texts, [0, 1], classes, notes)) for classes in ("xy", "xz") for notes in ((), ("n",))]
    assert len(set(names)) == len(names)


def test_where_points_can_be_clicked_one_can_begin_anew():
    page = app("logistic.py", data="own", own=NOBODYS)
    press(page, "Remove all points")
    assert plays(page)
    assert head(page)["data"]["points"]["x"] == []
    assert "Remove all points" not in buttons(page)


def test_a_file_on_the_page_does_not_take_the_place_of_a_link_that_was_followed():
    page = upload(app("crp_mixture.py", data="own"), TABLE)
    first = dict(parse_qsl(head(page)["link"]))
    choose(page, "Standardise", False)
    assert dict(parse_qsl(head(page)["link"]))["own"] != first["own"]
    follow(page, **(first | {"seed": "3"}))
    assert dict(parse_qsl(head(page)["link"]))["own"] == first["own"]


@pytest.mark.parametrize("stage", ["climb_mixture", "jumps"])
def test_points_that_are_typed_are_read_as_a_file_is(stage):
    typed = TABLE.decode()
    page = app(topic_info(stage).page, data="own")
    assert not plays(page)
    page.text_area[0].set_value(typed).run()
    assert plays(page)
    uploaded = upload(app(topic_info(stage).page, data="own"), TABLE)
    assert head(page)["link"] == head(uploaded)["link"]
    other = app(topic_info(stage).page, **dict(parse_qsl(head(page)["link"])))
    assert head(other)["data"] == head(page)["data"]
    page.text_area[0].set_value("height\n1.5\n1.7\ntall\n1.9").run()
    (error,) = page.error
    assert "What you typed" in error.value
    assert "row 4 says" in error.value


# ---- what was read, and corrections ----------------------------------------------------------------------------------

ODD = of_its_kind(  # files of which much is to be said
    "mood,review\nup,so good &amp; so\ndown,caf\xe9 bad\nup,\ndown,no\nup,yes yes\n".encode("cp1252"),
    b"# made by hand\na,b,c\n1,2,0\n2,NA,1\n4,4,1\n5,1,0\n6,2,1\n7,7\n",
    b"# made by hand\nid;n;x;y;z\n1;2 %;1,5;2,5;a\n2;3 %;NA;3,5;b\n3;5 %;2,5;-999\n4;7 %;9,5;1,5;a\n",
)


def chips(page) -> dict[tuple[str, str], object]:
    """Return the chip that is pressed of each way to read a file, by its name and whose choice it is."""
    return {tuple(group.label.split(": ")): group.value for group in page.pills if ": " in group.label}


def read_as(page, label: str, value: object) -> None:
    next(group for group in page.pills if group.label.startswith(f"{label}: ")).set_value(value).run()
    assert not page.exception


def captions(page) -> str:
    return re.sub(r"\\(.)", r"\1", "\n".join(caption.value for caption in page.caption))


@every
def test_all_that_a_reader_notes_is_on_the_page(stage):
    takes = TAKES[stage]
    notes = takes.take(ODD[stage], "own.csv", Choice()).notes
    assert len(notes) > 2
    page = upload(app(topic_info(stage).page, data="own"), ODD[stage])
    assert [note for note in notes if note not in captions(page)] == []


@every
def test_a_file_of_any_name_can_be_brought(stage):
    page = app(topic_info(stage).page, data="own")
    assert [*page.file_uploader[0].proto.type] == []
    upload(page, ODD[stage], "SMSSpamCollection")
    assert not page.error


@every
def test_each_column_has_a_type_and_a_part_and_the_first_rows_are_there(stage):
    page = upload(app(topic_info(stage).page, data="own"), ODD[stage])
    takes = TAKES[stage]
    sheet = takes.read(ODD[stage], "own.csv")
    boxes = {box.label: box for box in page.selectbox}
    guessed = takes.guess(sheet, Choice())
    for name in sheet.names:
        assert boxes[f"{name}: part"].value == guessed.get(name, "not used")
        assert boxes[f"{name}: type"].options == ["number", "category", "text"]
    html = " ".join(element.proto.body for element in page.get("html"))
    assert all(f"<li>{escape(cell)}</li>" in html for cell in sheet.preview()[0])
    assert [label for label, _ in chips(page)] == ["Separator", "Decimal sign", "First row", "Encoding"]


THOUSANDS = b"city\tincome\trent\nA\t52,310\t1,150\nB\t48,025\t980\nC\t61,700\t1,420\nD\t39,990\t875\n"


def test_what_cannot_be_told_is_told_by_hand_and_the_link_shows_it():
    page = upload(app("crp_mixture.py", data="own"), THOUSANDS)
    assert "could be 1150 or 1.15" in page.error[0].value.replace("\\", "")
    assert not plays(page)
    read_as(page, "Decimal sign", ".")
    assert [box.value for box in page.error] == []
    assert plays(page)
    choose(page, "Standardise", False)
    points = head(page)["link"]
    assert [column.shift for column in page.session_state["topic crp_mixture"].settings.own_data.columns] == [0, 0]
    read_as(page, "Decimal sign", ",")
    assert head(page)["link"] != points
    other = app("crp_mixture.py", **dict(parse_qsl(points)))
    assert "Marks between thousands were left out: “52,310” in row 2" in captions(other)
    assert any("52,310" in element.proto.body for element in other.get("html"))


def test_the_way_a_file_is_read_is_pressed_and_can_be_left_to_the_reader_again():
    page = upload(app("crp_mixture.py", data="own"), "größe;b\n1;2\n3;4\n5;7\n".encode("cp1252"))
    guessed = {
        ("Separator", "guessed"): ";",
        ("Decimal sign", "not known"): None,
        ("First row", "guessed"): True,
        ("Encoding", "guessed"): "Windows-1252",
    }
    assert chips(page) == guessed
    read_as(page, "Encoding", "Mac Roman")
    assert chips(page)["Encoding", "chosen"] == "Mac Roman"
    assert f"{'größe'.encode('cp1252').decode('mac roman')}: part" in [box.label for box in page.selectbox]
    read_as(page, "Encoding", None)
    assert chips(page) == guessed
    read_as(page, "Encoding", "Shift JIS")
    assert "byte 0xf6 in row 1 is not Shift JIS" in page.error[0].value.replace("\\", "")
    assert chips(page)["Encoding", "chosen"] == "Shift JIS", "it can still be changed"


def test_the_first_row_is_data_if_one_says_so():
    page = upload(app("gibbs_text.py", data="own"), b"ham,no\nspam,win it\nham,call me now\nspam,so so\n")
    read_as(page, "First row", False)
    assert "4 messages were read: 2 ham, 2 spam" in captions(page), captions(page)
    choose(page, "column 1: part", "not used")
    assert "4 messages were read: 4 without a label" in captions(page)


def test_a_second_file_with_other_columns_is_read_anew():
    page = upload(app("crp_mixture.py", data="own"), TABLE)
    choose(page, "weight: part", "not used")
    upload(page, b"a,b,c\n1,2,3\n4,5,7\n8,1,2\n", "other.csv")
    assert not page.error
    boxes = {box.label: box.value for box in page.selectbox}
    assert [boxes[f"{name}: part"] for name in "abc"] == ["x", "y", "not used"]


class Bar:
    """A bar that notes where it has been, and whether it is gone."""

    def __init__(self, at: int) -> None:
        self.been, self.gone = [at], False

    def progress(self, at: int, said: str) -> None:
        assert said == f"Reading the file: {at} %"
        self.been.append(at)

    def empty(self) -> None:
        self.gone = True


@pytest.mark.parametrize(
    ("last", "read"), [("5,6", True), ('"5', False), (None, True)], ids=["read", "refused", "workbook"]
)
def test_a_large_file_shows_a_bar_while_it_is_read(monkeypatch, last, read):
    bars = []
    monkeypatch.setattr(uploads.st, "progress", lambda at: bars.append(Bar(at)) or bars[-1])
    rows = "".join(f"{row % 7},{row % 5}\n" for row in range(3000))
    raw = f"x,y\n{rows}{last}\n".encode()
    if last is None:
        raw = workbook({"1": [["x", "y"], *([row % 7, row % 5] for row in range(3000))]})
    page = app("crp_mixture.py", data="own")
    bars.clear()  # a run has one too
    monkeypatch.setattr(uploads, "LARGE", len(raw))
    upload(page, raw)
    assert bool(page.error) is not read
    bar = bars[0]
    assert bar.gone
    assert bar.been == sorted(set(bar.been))
    assert len(bar.been) > 5
    assert last is not None or [at for at in bar.been if 0 < at < 70], "it is unpacked first"
    assert bar.been[-1] >= 95, "a quotation mark that is not closed is seen at the end"
    bars.clear()
    upload(page, TABLE, "small.csv")
    assert [bar for bar in bars if bar.been[1:]] == []
