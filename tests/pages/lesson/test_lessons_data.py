"""A lesson's own data on the page and in what leaves it: downloads, hand-outs, drafts, classes, published courses."""

import os
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import pytest

from lessons.catalogue import topic_info
from lessons.check.files import parse_lesson
from lessons.course.recorded import Seen, lesson_of, seen_of, whole
from lessons.data.messages import Messages
from lessons.format.folders import LESSONS
from lessons.format.lesson import Lesson
from lessons.own.store import held, keep_own
from lessons.topics import STAGES
from pages.classroom.hands import Finding, hands_round
from pages.classroom.messages import HandsOn, NotSaidError, Shown
from pages.contract.stage import stage_of
from pages.download.handout import handout
from pages.download.taking import python
from pages.lesson.lessons import library, read_anew
from pages.publish.lesson import Writer
from samplers import Chain
from tests.lessons.format import own_data
from tests.lessons.format.own_data import SAMPLES
from tests.pages.topics.few import predict_little
from tests.pages.visits import app, buttons, choose, follow, head, upload

every = pytest.mark.parametrize("stage", SAMPLES)


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let the app read lessons from a folder."""
    monkeypatch.setenv(LESSONS, str(tmp_path))
    monkeypatch.setattr("pages.lesson.page.BEAT", 0.0)  # each run looks at the files
    monkeypatch.setattr("pages.lesson.lessons.KEPT", tmp_path / "kept")
    monkeypatch.setattr("pages.lesson.lessons.FOLDER", tmp_path)
    yield tmp_path
    monkeypatch.undo()
    read_anew()


def lesson_on(stage: str, folder: Path) -> Lesson:
    own_data.write(folder, stage)
    read_anew()
    lesson = library().lesson("with-data")
    assert lesson is not None, library().problems
    return lesson


def opened(stage: str, **values: str) -> Any:
    page = app(topic_info(stage).page, **values)
    assert not page.exception
    return page


def uploads(page: Any) -> int:
    return len(page.get("file_uploader"))


def folded(page: Any) -> int:
    return sum(len(fold.get("file_uploader")) for fold in page.expander)


# ---- on the page -----------------------------------------------------------------------------------------------------


@every
def test_a_step_plays_on_them_and_its_link_leads_there(stage, mine):
    lesson = lesson_on(stage, mine)
    page = opened(stage, lesson="with-data", step="look")
    link = dict(parse_qsl(head(page)["link"]))
    assert f"own={lesson.held.digest}" in head(page)["source"]
    assert link["data"] == "own"
    assert "own" not in link, "the lesson may get other data"
    assert not uploads(page)
    assert head(opened(stage, **link))["source"] == head(page)["source"]


@every
def test_free_play_goes_on_with_them_and_a_reload_as_well(stage, mine):
    lesson = lesson_on(stage, mine)
    page = opened(stage, lesson="with-data", step="look")
    source = head(page)["source"]
    page.session_state[f"topic {stage}"].leave_lesson()
    page.run()
    assert head(page)["source"] == source
    link = dict(parse_qsl(head(page)["link"]))
    assert link["own"] == lesson.held.digest
    assert any("The data of a lesson are in use" in caption.value for caption in page.caption)
    other = opened(stage, **link)
    assert head(other)["source"] == source


def test_the_page_follows_the_file_and_keeps_what_was_valid(mine):
    first = lesson_on("crp_mixture", mine).held.digest
    page = opened("crp_mixture", lesson="with-data", step="look")
    file = mine / "größen.csv"
    file.write_bytes(own_data.TABLE.replace("150", "151").encode("cp1252"))
    os.utime(file, ns=(1, 1))
    page.run()
    second = library().lesson("with-data").held.digest
    assert second != first
    assert f"own={second}" in head(page)["source"]
    file.write_text("")
    os.utime(file, ns=(2, 2))
    page.run()
    assert not page.exception
    assert f"own={second}" in head(page)["source"]
    assert "The file is empty" in str(library().problems)


def test_a_learners_own_data_are_not_lost_to_a_lesson(mine):
    lesson = lesson_on("crp_mixture", mine)
    page = upload(opened("crp_mixture", data="own"), b"a,b\n1,2\n3,5\n4,4\n9,1\n")
    own = dict(parse_qsl(head(page)["link"]))["own"]
    follow(page, lesson="with-data", step="play")
    assert lesson.held.digest in head(page)["source"]
    place = page.session_state["topic crp_mixture"]
    place.change(concentration=2.0)
    assert (place.settings.own, place.own) == (lesson.held.digest, own)
    place.leave_lesson()
    place.change(data="three_blobs")
    place.change(data="own")
    assert place.settings.own == own


def test_in_a_lesson_its_own_data_come_back(mine):
    lesson = lesson_on("crp_mixture", mine)
    page = opened("crp_mixture", lesson="with-data", step="play")
    choose(page, "Data", "three_blobs")
    choose(page, "Data", "own")
    assert lesson.held.digest in head(page)["source"]
    assert uploads(page), "learners may load others"
    assert folded(page)


@every
def test_learners_load_others_where_the_lesson_shows_that_control_but_not_before_they_have_answered(stage, mine):
    def shown(text: str) -> str:
        return text.replace("seed: 7", "seed: 7\nshow: [data]")

    own_data.write(mine, stage, edit=shown)
    read_anew()
    page = opened(stage, lesson="with-data", step="look")
    assert uploads(page) == folded(page) == 1, (
        "they are the lesson's, and a projector shows nothing that is folded away"
    )
    assert uploads(opened(stage, lesson="with-data", step="before")) == 0, "the controls are locked"
    assert not folded(opened(stage, data="own"))


def test_points_that_were_changed_go_back_to_the_lessons(mine):
    lesson = lesson_on("logistic", mine)
    page = opened("logistic", lesson="with-data", step="look")
    assert "The first points again" not in buttons(page)
    place = page.session_state["topic logistic"]
    place.change(own=keep_own(type(lesson.held.data)(lesson.held.data.points[1:], lesson.held.data.labels[1:])))
    page.run()
    next(button for button in page.button if button.label == "The first points again").click().run()
    assert place.settings.own == lesson.held.digest


def test_a_goal_is_reached_on_them(mine):
    own_data.write(mine, "crp_mixture", edit=lambda text: text.replace("{at: 3}", "{at: 3, reach: {tables: [1, 24]}}"))
    read_anew()
    page = opened("crp_mixture", lesson="with-data", step="play")
    page.session_state["topic crp_mixture"].t = 3
    page.run()
    assert any(":green[" in markdown.value for markdown in page.markdown)


# ---- what leaves the page --------------------------------------------------------------------------------------------


@every
def test_the_script_prints_the_numbers_of_the_run(stage, mine, capsys):
    lesson = lesson_on(stage, mine)
    settings = lesson.settings_for(lesson.steps[1])
    text = python(stage_of(stage), settings, 7, 4)[0].decode()
    exec(compile(text, "run.py", "exec"), {"__name__": "run"})
    printed = capsys.readouterr().out
    sampler = settings.sampler()
    for name, value in sampler.variables(Chain(sampler, 7)[4]).items():
        print(name, "=", value)
    assert printed.startswith(capsys.readouterr().out)


@every
def test_a_hand_out_draws_them(stage, mine):
    page = handout(lesson_on(stage, mine), stage_of(stage))
    assert '<figure><img src="data:image/svg+xml;base64,' in page


@every
def test_a_published_course_has_their_runs(stage, mine, monkeypatch):
    predict_little(monkeypatch)
    lesson = lesson_on(stage, mine)
    if stage == "gibbs_topics":  # each of its cards takes a while, and all are written
        monkeypatch.setattr(STAGES[stage], "iterations", 8)
    files: dict[str, str] = {}
    found = Writer(library(), frozenset({"with-data"})).published(lesson, files.__setitem__)
    asked = found["steps"][0]["asked"]["message"]["source"]
    assert f"own={lesson.held.digest}" in asked
    assert {asked, found["steps"][1]["asked"]["message"]["source"]} <= {*found["films"]}
    assert files


@every
def test_a_draft_of_a_lesson_names_the_file(stage, mine):
    lesson = lesson_on(stage, mine)
    page = opened(stage, lesson="with-data", step="look")
    seen = seen_of(stage, whole(head(page)["link"], library()))
    assert seen.settings == lesson.settings_for(lesson.steps[1])
    draft = parse_lesson(lesson_of([seen, Seen(seen.settings, 8, 2, seen.view)]), mine / "draft.md")
    assert draft.problems == ()
    assert draft.lesson.held is lesson.held


def test_a_draft_names_no_data_of_a_learner():
    own = keep_own(Messages(("one", "two"), [-1, -1], ()))
    seen = Seen(STAGES["gibbs_text"](data="own", own=own), 1, 1, "update")
    with pytest.raises(ValueError, match="A lesson names a file beside it"):
        lesson_of([seen])


def test_a_class_runs_them_and_nobodys_else(mine):
    lesson = lesson_on("crp_mixture", mine)
    said = HandsOn(vary="seed", outcome="tables", t=5)
    hands = hands_round(Shown(page="crp_mixture", query="lesson=with-data&step=look&data=own&seed=7"), said)
    settings = lesson.settings_for(lesson.steps[1])
    assert held(hands.settings["own"]) is lesson.held
    assert float(Finding(hands, 0, "").found()) == settings.measure(Chain(settings.sampler(), 8), 5)["tables"]
    own = keep_own(type(lesson.held.data)(lesson.held.data.data[1:], lesson.held.data.columns))
    with pytest.raises(NotSaidError, match="your own"):
        hands_round(Shown(page="crp_mixture", query=f"data=own&own={own}"), said)
