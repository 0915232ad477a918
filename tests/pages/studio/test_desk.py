"""The desk of the studio without a browser: what is typed, saved, and seen as a draft."""

import pytest

import pages.lesson.drafts
import pages.studio.desk
from lessons.check.files import parse_lesson
from lessons.course.saving import earlier
from lessons.course.template import lesson_from
from pages.lesson import gate
from pages.lesson.lessons import library
from pages.studio.desk import Desk, checked
from tests.pages.studio.instructor import told
from tests.pages.visits import app, press


def test_what_is_typed_is_checked_and_saved(here, mine):
    text = here.text.replace("until: 10", "until: 10\nexpect: {tables: 9}")
    here.hear(told(here, text))
    assert not here.look().problems  # nothing is run while one types
    assert mine.read_text() == here.base != text
    here.hear(told(here, text, saves=1))
    assert mine.read_text() == text
    assert here.clean
    assert [problem.line for problem in here.look().problems] == [40]
    assert "with 1 problem: learners see it all the same." in here.said


def test_what_is_begun_is_written_when_it_is_saved_and_not_before(monkeypatch, mine):
    monkeypatch.setattr(gate, "is_open", lambda: True)
    page, new = app("studio/studio.py", file=f"{mine.parent.name}/week-3.md"), mine.with_name("week-4.md")
    for what in ("Begin", "Duplicate"):
        fields = page.text_input if what == "Begin" else page.text_input[1:]
        fields[0].set_value("week-4")
        press(page, what)
        here = page.session_state["desk"]
        assert (here.path, here.clean, new.exists()) == (new, False, False)
        assert here.said.startswith("Not saved yet: learners see your changes only")
        assert not here.elsewhere
        assert f"id: {new.stem}" in here.text
        assert page.query_params["file"] == f"{mine.parent.name}/week-4.md"
        assert page.selectbox[0].value == f"{mine.parent.name}/week-4.md"
    assert library().lesson("week-4") is None
    here.save()
    assert new.read_text() == here.text
    assert here.clean


def test_a_file_that_was_begun_is_there_after_a_reload_and_no_other_place_is(monkeypatch, mine):
    monkeypatch.setattr(gate, "is_open", lambda: True)
    here = app("studio/studio.py", file=f"{mine.parent.name}/week-4.md").session_state["desk"]
    assert here.path == mine.with_name("week-4.md")
    assert here.fresh, "the browser puts in what it has kept"
    for elsewhere in ("other/week-4.md", f"{mine.parent.name}/../week-4.md", "week-4.md", f"{mine.parent.name}/readme"):
        assert app("studio/studio.py", file=elsewhere).session_state["desk"].path is None


def test_a_broken_text_is_saved_and_said_and_the_last_valid_one_is_shown(here):
    here.look()
    here.hear(told(here, here.text.replace("kind: run", "kind: walk"), saves=1))
    reading = here.look()
    assert reading.problems[0].line == 38
    assert "learners keep its last valid version" in here.said
    assert here.shown is not None
    assert here.shown.id == "week-3"


@pytest.mark.parametrize(
    "odd", [{"version": "x-1"}, {"text": None}, {"line": "1"}, {"kept": 3}, {"text": "x" * 300_000}]
)
def test_what_crossed_or_makes_no_sense_is_not_heard(here, odd):
    before = here.text
    for nonsense in (told(here, "new") | odd, None, [1]):
        here.hear(nonsense)
    assert here.text == before


def test_of_two_versions_neither_is_lost(here, mine):
    here.hear(told(here, "mine", saves=1))
    mine.write_text("theirs")
    here.hear(told(here, "mine again", saves=2))
    assert here.elsewhere
    assert here.said.startswith("Not saved")
    assert mine.read_text() == "theirs"
    here.keep_mine()
    assert mine.read_text() == "mine again"
    assert earlier(mine)[0].read_text() == "theirs"
    mine.write_text("theirs again")
    here.take_theirs()
    assert here.text == "theirs again"
    assert not here.fresh  # the browser does not bring its own back
    assert earlier(mine)[0].read_text() == "mine again"


def test_a_text_from_before_a_reload_belongs_to_the_version_of_then(here, mine):
    before = here.seen
    mine.write_text("theirs")
    again = Desk()
    again.open(mine)
    again.hear(told(again, "mine", kept=before))
    assert again.elsewhere
    assert not again.clean


def test_how_a_lesson_fits_the_others_is_checked(mine):
    text = lesson_from("week-3").replace("Write here what to look", "[Back](#lesson:none) and look")
    assert "none" in checked(mine, text).problems[0].message
    twin = mine.with_name("twin.md")
    twin.write_text(text)
    assert "taken by week-3.md" in checked(twin, lesson_from("week-3")).problems[0].message


def test_a_draft_is_seen_by_whoever_has_its_key_alone(mine):
    draft = parse_lesson(lesson_from("week-3").replace('"Week 3"', '"A draft"'), mine).lesson
    pages.lesson.drafts.put("k" * 32, draft)
    links = {"lesson": "week-3", "step": "watch"}
    shown = [app("crp_seating.py", **links, **more) for more in ({}, {"draft": "k" * 32}, {"draft": "l" * 32})]
    titles = [next(box for box in page.selectbox if box.label == "Lesson").options for page in shown]
    assert ["8 · A draft" in title for title in titles] == [False, True, False]
    assert library().lesson("week-3").title == "Week 3"
    section = '  - {title: "Later", lessons: [week-3], open_from: "2999-01-01"}'
    mine.with_name("course.yaml").write_text(f'title: "Ours"\nsections:\n{section}\n')
    for more, opens in (({}, False), ({"draft": "k" * 32}, True)):  # whoever writes a lesson need not wait for its day
        page = app("crp_seating.py", **links, **more)
        assert ("## Watch" in [text.value for text in page.markdown]) == opens
