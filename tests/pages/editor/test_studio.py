"""The studio without a browser: who is let in, what is on the desk, and what the form writes."""

import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import streamlit as st
from starlette.routing import Router
from streamlit.testing.v1 import AppTest

import pages.editor.desk
import pages.lesson.drafts
from lessons.check.files import parse_lesson
from lessons.course.saving import earlier, save_data, save_picture
from lessons.course.template import lesson_from
from lessons.format.folders import LESSONS
from lessons.format.schema import KINDS, FrontMatter
from lessons.topics import STAGES
from pages.editor import seeds
from pages.editor.desk import Desk, checked
from pages.editor.form import Block, block_of, entries, with_block
from pages.http.rate import Rate
from pages.http.studio import LINK, open_by_link
from pages.lesson import gate
from pages.lesson.lessons import library, read_anew
from pages.server.routes import routes
from tests.loop import awaited
from tests.pages.server.asking import reply_of
from tests.pages.visits import app, follow, press

SECRET = "open sesame, then write"


@pytest.fixture
def mine(tmp_path, monkeypatch) -> Path:
    monkeypatch.setenv(LESSONS, str(tmp_path))
    path = tmp_path / "week-3.md"
    path.write_text(lesson_from("week-3"))
    monkeypatch.setattr("pages.lesson.page.BEAT", 0.0)  # each run looks at the files
    read_anew()
    yield path
    read_anew()


@pytest.fixture
def here(mine) -> Desk:
    here = Desk()
    here.open(mine)
    return here


def told(here: Desk, text: str, **more: object) -> dict:
    return {"version": here.version, "text": text, "line": 1, "sent": 1, "saves": here.saves, **more}


def components(page: AppTest) -> list[str]:
    return [part.proto.component_name for part in page.get("bidi_component")]


# ---- the gate --------------------------------------------------------------------------------------------------------


def test_without_a_secret_the_page_says_how_there_comes_to_be_one(monkeypatch):
    for short in ("", "short"):
        monkeypatch.setenv(gate.STUDIO, short)
        page = app("studio.py", file="mine/week-3.md")
        assert "The studio is off" in page.info[0].value
        assert "make studio LESSONS=../mine" in page.info[0].value
        assert not page.text_input
        assert not any("editor" in name for name in components(page))


def test_the_secret_opens_and_nothing_else(monkeypatch, mine):
    monkeypatch.setenv(gate.STUDIO, SECRET)
    monkeypatch.setattr(type(st.context), "cookies", {})
    page = app("studio.py", file=f"{mine.parent.name}/week-3.md")
    page.text_input[0].set_value("Open sesame")
    press(page, "Open")
    assert "That is the wrong secret" in page.error[0].value
    page.text_input[0].set_value(SECRET)
    press(page, "Open")
    assert not page.error
    assert {"samplescope_editor", "samplescope_view", "samplescope_pass"} <= {*components(page)}


@pytest.fixture
def by_link(monkeypatch, mine) -> Callable[..., AppTest]:
    """Open the studio by a link, as at a server with this address."""
    config = st.get_option
    monkeypatch.setattr(type(st.context), "cookies", {})
    monkeypatch.setenv(LINK, "off")  # so that both are as they were afterwards
    monkeypatch.setenv(gate.STUDIO, "")
    secret = open_by_link()

    def opened(address: str | None = "localhost", token: str = secret) -> AppTest:
        option = lambda name: address if name == "server.address" else config(name)  # noqa: E731
        monkeypatch.setattr(st, "get_option", option)
        return app("studio.py", token=token, file=f"{mine.parent.name}/week-3.md")

    return opened


def test_on_ones_own_machine_a_link_opens_the_studio_and_its_secret_leaves_the_address(by_link):
    page = by_link()
    assert {"samplescope_editor", "samplescope_pass"} <= {*components(page)}
    assert "token" not in page.query_params


def test_a_link_of_an_earlier_start_opens_nothing_and_the_page_says_where_the_new_one_is(by_link):
    page = by_link(token="another, of an earlier start")
    assert "The terminal shows the one" in page.error[0].value
    assert page.text_input
    assert "samplescope_editor" not in components(page)


def test_where_others_reach_the_server_no_link_opens_the_studio(by_link, monkeypatch):
    for address in ("0.0.0.0", "192.168.1.7", None):
        page = by_link(address)
        assert page.text_input
        assert "samplescope_editor" not in components(page)
    monkeypatch.setenv(LINK, "off")
    assert "samplescope_editor" not in components(by_link())


def test_a_secret_that_is_there_stays_and_a_short_one_does_not(monkeypatch):
    monkeypatch.setenv(LINK, "off")
    for given in ("", "short", SECRET):
        monkeypatch.setenv(gate.STUDIO, given)
        assert (open_by_link() == given) == (given == SECRET)
        assert len(open_by_link()) >= gate.SHORTEST


def test_who_tries_too_often_waits(monkeypatch):
    monkeypatch.setenv(gate.STUDIO, SECRET)
    monkeypatch.setattr(gate, "RATE", Rate(0.001, 2))
    said = [gate.let_in(typed, "1.2.3.4") for typed in ("a", SECRET, SECRET)]
    assert said[1] == ""
    assert "That is the wrong secret" in said[0]
    assert "Too many tries" in said[2]
    assert gate.let_in(SECRET, "5.6.7.8") == ""


def test_a_pass_holds_for_its_time_and_its_secret(monkeypatch):
    monkeypatch.setenv(gate.STUDIO, SECRET)
    good, old = gate._signed(2_000_000_000), gate._signed(1_700_000_000)
    assert gate.is_valid(good)
    assert not any(
        map(gate.is_valid, (old, "", ".", "1", good + "0", "3" + good[1:], "²." + good, "9" * 50 + ".x", "é.é"))
    )
    monkeypatch.setenv(gate.STUDIO, "another one, as long")
    assert not gate.is_valid(good)
    monkeypatch.delenv(gate.STUDIO)
    assert not gate.is_valid(good)


def test_a_browser_keeps_its_pass_where_no_script_reads_it(monkeypatch):
    monkeypatch.setenv(gate.STUDIO, SECRET)
    good = gate._signed(int(time.time()) + 100)

    def ask(method, shown="", **headers):
        headers |= {"authorization": f"Bearer {shown}"} if shown else {}
        reply = awaited(reply_of(Router(routes()), "/pass", method=method, host="ours.example", **headers))
        return reply.status, reply.headers.get("set-cookie", "")

    status, cookie = ask("POST", good)
    assert status == 204
    assert re.fullmatch(f"{gate.COOKIE}={good}; Path=/; Max-Age=(99|100); HttpOnly; SameSite=Strict", cookie)
    assert ask("POST", good + "0") == (403, "")
    assert ask("POST") == (403, "")
    assert ask("POST", good, origin="https://elsewhere.example")[0] == 403
    assert ask("DELETE") == (204, f"{gate.COOKIE}=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict")


def test_who_logs_out_has_to_say_the_secret_again(monkeypatch, mine):
    monkeypatch.setenv(gate.STUDIO, SECRET)
    monkeypatch.setattr(type(st.context), "cookies", {gate.COOKIE: gate._signed(int(time.time()) + 100)})
    page = app("studio.py", file=f"{mine.parent.name}/week-3.md")
    assert "samplescope_editor" in components(page)
    assert "samplescope_pass" not in components(page), "a pass is given once, and ends when it does"
    press(page, "Log out")
    assert page.text_input[0].label == "The studio’s secret"
    assert {*components(page)} & {"samplescope_editor", "samplescope_pass"} == {"samplescope_pass"}


# ---- the desk --------------------------------------------------------------------------------------------------------


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
    page, new = app("studio.py", file=f"{mine.parent.name}/week-3.md"), mine.with_name("week-4.md")
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
    here = app("studio.py", file=f"{mine.parent.name}/week-4.md").session_state["desk"]
    assert here.path == mine.with_name("week-4.md")
    assert here.fresh, "the browser puts in what it has kept"
    for elsewhere in ("other/week-4.md", f"{mine.parent.name}/../week-4.md", "week-4.md", f"{mine.parent.name}/readme"):
        assert app("studio.py", file=elsewhere).session_state["desk"].path is None


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


# ---- a course --------------------------------------------------------------------------------------------------------


@pytest.fixture
def studio(monkeypatch, mine) -> AppTest:
    monkeypatch.setattr(gate, "is_open", lambda: True)
    return app("studio.py")


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
    page = app("studio.py")
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
        assert app("studio.py", file=address).session_state["desk"].text == here.text  # after a reload
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


def test_the_form_has_what_the_schema_has():
    known = entries(KINDS["predict"], STAGES["crp_seating"])
    assert {"at", "seed", "show", "hide", "lock", "settings.customers", "then.advance", "then.open", "number.axis"} <= {
        *known
    }
    assert not {"kind", "goals", "then.settings", "until"} & {*known}
    assert known["settings.customers"].schema["maximum"] == 500
    assert {"play", "scrub"} <= {*known["lock"].options}
    assert known["hide"].start == ["captions", "messages", "inspector"]
    assert {"minutes", "stage", "stage_settings.customers"} <= {*entries(FrontMatter, STAGES["crp_seating"])}


@pytest.mark.parametrize("stage", STAGES)
def test_every_entry_begins_with_a_value_that_it_may_have(stage):
    for part in (*KINDS.values(), FrontMatter):
        for name, entry in entries(part, STAGES[stage]).items():
            assert entry.has(entry.start), name
            assert entry.start or "exclusiveMinimum" not in entry.schema, name
            assert not entry.has({}), name


def test_the_form_writes_into_its_own_block_alone(here):
    here.line = 40
    pieces = here.pieces()
    section = here.section(pieces)
    block = block_of(pieces, section, {"kind": "run"})
    assert block.text(here.text) == "kind: run\nuntil: 10"
    assert block.put(here.text, "kind: run\nuntil: 12\n") == here.text.replace("until: 10", "until: 12")
    front = block_of(pieces, None, {})
    assert (front.part, front.text(here.text).split("\n")[0]) == (FrontMatter, "schema: 1")
    assert Block(FrontMatter, 1, 0).put("---\n---", "a: 1") == "---\na: 1\n---"


def test_a_step_without_a_block_gets_one(here):
    text = here.text.replace("```step\nkind: run\nuntil: 10\n```\n\n", "")
    here.set(text)
    here.line = 36
    pieces = here.pieces()
    changed = with_block(text, pieces, here.section(pieces))
    assert "while it runs.\n\n```step\nkind: explain\n```\n\n## Try it" in changed


ODD = [
    "kind: quiz\nat: 99999999999999999999",
    "kind: predict\nat: 0\nhide: [captions, captions]\nlock: [play, 1]\nopen: [a]",
    "kind: run\nuntil: x\nsettings: 3\nshow: a\nexpect: {tables: yes}",
    "kind: run\nuntil: 1\nsettings: {customers: 1.5, door: nowhere, concentration: 1}\nseed: -1\ncharts: {}",
    "kind: predict\nat: 0\nthen: {advance: {}}\nnumber: 3\npick: {chart: 7, limits: 2}\nmultiple: 1\norder: odd",
    "kind: [run]",
    "kind: run\nuntil: 1\nuntil: 2\n- a",
    "&a",
    "",
]


def test_whatever_stands_in_the_text_the_form_is_drawn(monkeypatch, mine):
    monkeypatch.setenv(gate.STUDIO, SECRET)
    monkeypatch.setattr(gate, "is_open", lambda: True)
    text = mine.read_text()
    page = app("studio.py", file=f"{mine.parent.name}/week-3.md")
    here = page.session_state["desk"]
    here.line = 40
    for odd in ODD:
        here.set(text.replace("kind: run\nuntil: 10", odd))
        page.run()
        assert not page.exception, odd
    here.line = 1
    for odd in ("stage: none", "stage: [coin]", "stage: crp_seating\nminutes: 1e9\nsource: 3\nlanguage: true"):
        here.set(text.replace("stage: crp_seating", odd))
        page.run()
        assert not page.exception, odd


def test_what_cannot_be_set_is_said(monkeypatch, mine):
    monkeypatch.setenv(gate.STUDIO, SECRET)
    monkeypatch.setattr(gate, "is_open", lambda: True)
    page = app("studio.py", file=f"{mine.parent.name}/week-3.md")
    here = page.session_state["desk"]
    text = here.text.replace("until: 10", "until: 10\nsettings: 3")
    here.set(text)
    here.line = 40
    page.run()
    keys = next(box for box in page.multiselect if box.label == "What is set here")
    keys.set_value([*keys.value, "settings.customers"]).run()
    assert here.text == text
    assert "no place for customers" in here.said
    keys = next(box for box in page.multiselect if box.label == "What is set here")
    keys.set_value(["until", "seed"]).run()
    assert here.text == text.replace("settings: 3", "settings: 3\nseed: 0")
    next(box for box in page.number_input if box.label == "seed").set_value(5).run()
    assert "\nseed: 5\n```" in here.text
    assert not page.exception


def test_a_seed_is_taken_by_the_step_at_hand_or_by_the_lesson(here):
    line = here.text.split("\n").index("## Watch {#watch}") + 1
    for at, where in ((line, "until: 10\nseed: 12"), (1, "seed: 12\nshow:")):
        here.line = at
        seeds.take(here, 12)
        assert where in here.text
    lesson = parse_lesson(here.text, here.path).lesson
    seeds._try(here, lesson, seeds.NO_ONE)
    assert isinstance(here.tried, seeds.Found)
    assert [run.step.id for run in here.tried.runs] == []  # the only step with an outcome of chance has its own
    seeds._try(here, lesson, "watch")
    assert 10 < sum(map(here.tried.is_typical, seeds.SEEDS)) < 50


# ---- data ------------------------------------------------------------------------------------------------------------


def test_a_file_of_data_is_dropped_chosen_and_left(monkeypatch, mine):
    mine.write_text(lesson_from("week-3", "crp_mixture"))
    monkeypatch.setenv(gate.STUDIO, SECRET)
    monkeypatch.setattr(type(st.context), "cookies", {gate.COOKIE: gate._signed(int(time.time()) + 100)})
    page = app("studio.py", file=f"{mine.parent.name}/week-3.md")
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
    page = app("studio.py", file=f"{mine.parent.name}/week-3.md")
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
