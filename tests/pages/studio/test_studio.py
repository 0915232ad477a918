"""The studio without a browser: its files, their pictures and data."""

import time

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from lessons.course.saving import earlier, save_data, save_picture
from lessons.course.template import lesson_from
from pages.lesson import gate
from pages.studio.desk import Desk, checked
from tests.pages.studio.instructor import SECRET, told
from tests.pages.visits import app, follow, press


@pytest.fixture
def studio(monkeypatch, mine) -> AppTest:
    monkeypatch.setattr(gate, "is_open", lambda: True)
    return app("studio/studio.py")


def said(page: AppTest) -> str:
    return "\n".join(one.value for part in ("caption", "info", "error", "code") for one in getattr(page, part))


def labels(page: AppTest) -> list[str]:
    return [button.label for button in page.button]


def test_the_first_page_lists_files_with_their_problems_and_leads_to_each(monkeypatch, mine):
    monkeypatch.setattr(gate, "is_open", lambda: True)
    mine.with_name("week-4.md").write_text(lesson_from("week-4").replace("until: 10", "until: ten"))
    wrong = lesson_from("week-5").replace("until: 10", "until: 10\nexpect: {tables: 9}")
    mine.with_name("week-5.md").write_text(wrong)
    mine.with_name("WEEK-6.MD").write_text(lesson_from("week-6"))
    page = app("studio/studio.py")
    assert "WEEK-6.MD: this file is not read" in "\n".join(caption.value for caption in page.caption).replace("\\", "")
    assert "week-3.md · Chinese restaurant · 10 min · no problems" in said(page)
    assert "\n1 problem\n" in said(page)
    assert "**week-4.md**" in labels(page)
    assert "week-5.md · Chinese restaurant · 10 min · 1 problem" in said(page)
    press(page, next(label for label in labels(page) if label.startswith("Line 39: until")))
    here = page.session_state["desk"]
    assert (here.path.name, here.jump) == ("week-4.md", 39)
    press(page, "My lessons")
    assert here.path is None
    assert "file" not in page.query_params


def test_a_file_is_renamed_and_deleted_and_comes_back(studio, mine):
    press(studio, "**Week 3**")
    here = studio.session_state["desk"]
    here.hear(told(here, here.text.replace("Watch", "Look"), saves=1))
    studio.text_input[2].set_value("readme")
    press(studio, "Rename")
    assert "A name has small letters" in said(studio)
    studio.text_input[2].set_value("week-9")
    press(studio, "Rename")
    new = mine.with_name("week-9.md")
    assert (here.path, mine.exists(), new.exists()) == (new, False, True)
    assert len(earlier(new)) == 1
    text = here.text
    press(studio, "Delete")
    assert (here.path, new.exists()) == (None, False)
    assert "week-9.md is deleted" in said(studio)
    press(studio, "Bring back week-9.md")
    assert (here.path, here.text, new.exists()) == (new, text, False)
    here.save()
    assert new.read_text() == text


def test_what_differs_from_an_earlier_version_is_shown(studio, mine):
    press(studio, "**Week 3**")
    here = studio.session_state["desk"]
    before = here.text
    here.hear(told(here, before.replace("until: 10", "until: 12"), saves=1))
    studio.run()
    assert "-until: 10\n+until: 12" in said(studio)
    press(studio, "Put it into the editor")
    assert here.text == before
    assert "Nothing differs." in said(studio.run())


def test_a_course_and_a_glossary_are_begun_and_are_valid(studio, mine):
    for what, name in (("course", "course.yaml"), ("glossary", "glossary.md")):
        press(studio, f"Begin a {what}")
        here = studio.session_state["desk"]
        assert here.path == mine.with_name(name)
        assert not here.path.exists()
        assert here.look().problems == ()
        address = (
            studio.query_params["file"][0]
            if isinstance(studio.query_params["file"], list)
            else studio.query_params["file"]
        )
        assert app("studio/studio.py", file=address).session_state["desk"].text == here.text  # after a reload
        here.save()
        press(studio, "My lessons")
        assert f"Begin a {what}" not in labels(studio)
    assert "lessons: [week-3]" in mine.with_name("course.yaml").read_text()


PNG = b"\x89PNG\r\n\x1a\nIEND"


def test_pictures_lie_beside_the_lesson_and_stand_below_the_cursor(here, mine):
    assert save_picture(mine.parent, "Drei Tische.JPG", PNG) == "drei-tische.png"  # by its content
    assert save_picture(mine.parent, "drei tische.png", PNG) == "drei-tische.png"
    for name, held, why in (
        ("drei tische.png", PNG + b"2", "there is a file"),
        ("x.png", b"<script>", "not a picture"),
        ("x.png", PNG + bytes(600_000), "at most"),
    ):
        with pytest.raises(ValueError, match=why):
            save_picture(mine.parent, name, held)
    here.line = 1 + here.text[: here.text.index("Write here what to look at")].count("\n")
    here.insert("![Tables](drei-tische.png)")
    assert "while it runs.\n\n![Tables](drei-tische.png)\n\n```step" in here.text
    for no_prose in ("schema: 1", "until: 10"):
        here.line = 1 + here.text[: here.text.index(no_prose)].count("\n")
        here.insert("![Tables](drei-tische.png)")
    for heading in ("{#predict}", "{#watch}"):
        assert f"{heading}\n\n![Tables](drei-tische.png)\n\nWrite here" in here.text
    assert checked(mine, here.text).problems == ()


def test_a_draft_is_for_instructors_with_their_notes_on(mine):
    mine.write_text(mine.read_text().replace("minutes: 10", "minutes: 10\ndraft: true"))
    page = app("crp_seating.py", lesson="week-3", step="watch")
    for title in ("## Watch", "## Try it"):
        notes = title == "## Try it"
        if notes:
            next(one for one in page.toggle if one.label == "Instructor's notes").set_value(True).run()
            follow(page, lesson="week-3", step="try")
        assert (title in [text.value for text in page.markdown]) == notes
        titles = next(box for box in page.selectbox if box.label == "Lesson").options
        assert any("Week 3 (draft)" in title for title in titles) == notes


# ---- the form --------------------------------------------------------------------------------------------------------


def test_a_file_of_data_is_dropped_chosen_and_left(monkeypatch, mine):
    mine.write_text(lesson_from("week-3", "crp_mixture"))
    monkeypatch.setenv(gate.STUDIO, SECRET)
    monkeypatch.setattr(type(st.context), "cookies", {gate.COOKIE: gate._signed(int(time.time()) + 100)})
    page = app("studio/studio.py", file=f"{mine.parent.name}/week-3.md")
    here: Desk = page.session_state["desk"]
    box = next(box for box in page.file_uploader if box.label == "Drop a file of data here")
    box.upload("Meine Größen.csv", b"a;b;c\n1,5;2;x\n2,5;3;y\n4,5;9;z\n", "text/csv").run()
    assert not page.exception
    assert (mine.parent / "Meine-Größen.csv").is_file()
    assert 'data: "Meine-Größen.csv"' in here.text
    assert here.look().lesson.held.data.columns[1].name == "b"
    assert any(note.message == "3 points." for note in here.look().notes)
    columns = next(box for box in page.multiselect if box.label == "Columns")
    assert columns.options == ["a", "b", "c"]
    columns.set_value(["b"]).run()
    assert 'data: {file: "Meine-Größen.csv", columns: [b]}' in here.text
    assert len(here.look().lesson.held.data.columns) == 1
    choice = next(box for box in page.selectbox if box.label == "The lesson runs on")
    choice.set_value("The topic’s own data").run()
    assert "data:" not in here.text.partition("\n---")[0]
    assert here.look().lesson.held is None


def test_a_file_that_the_topic_cannot_read_is_not_kept(monkeypatch, mine):
    mine.write_text(lesson_from("week-3", "crp_mixture"))
    monkeypatch.setenv(gate.STUDIO, SECRET)
    monkeypatch.setattr(type(st.context), "cookies", {gate.COOKIE: gate._signed(int(time.time()) + 100)})
    page = app("studio/studio.py", file=f"{mine.parent.name}/week-3.md")
    box = next(box for box in page.file_uploader if box.label == "Drop a file of data here")
    box.upload("none.csv", b"", "text/csv").run()
    assert "The file is empty" in " ".join(error.value for error in page.error)
    assert not (mine.parent / "none.csv").exists()


def test_a_file_of_data_is_never_overwritten(mine):
    assert save_data(mine.parent, "../heights.CSV", b"a") == "heights.csv"
    assert save_data(mine.parent, "heights.csv", b"a") == "heights.csv"
    assert save_data(mine.parent, "weights.md", b"b") == "weights.csv", "it takes the place of no lesson"
    with pytest.raises(ValueError, match="there is a file heights"):
        save_data(mine.parent, "heights.csv", b"b")
