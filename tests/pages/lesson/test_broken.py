"""The pages while a lesson is broken, mended or gone."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from lessons.format.folders import LESSONS as LESSONS_FROM
from pages.lesson.lessons import read_anew
from tests.pages.lesson.covers import LESSONS, ROOT, TOPIC, cover, instructors, listed
from tests.pages.visits import app, check, form, options, said, told


def broken(path: Path) -> None:
    path.write_text(path.read_text("utf-8").replace("minutes: 8", "minuets: 8", 1), "utf-8")


def captions(test: AppTest) -> list[str]:
    return [caption.value for caption in test.caption]


def test_a_lesson_that_breaks_keeps_its_last_valid_version(folder):
    test = app()
    broken(folder / "crp-1-seating.md")
    test.run()
    assert not test.exception
    assert "A lesson is being edited at the moment; the rest of the course works." in captions(test)
    assert not test.code, "what is wrong concerns the instructor"
    instructors(test)
    assert (
        test.code[0].value.splitlines()[1]
        == "lessons/crp-1-seating.md:7:1: unknown key 'minuets' (did you mean 'minutes'?)"
    )
    assert str(folder) not in test.code[0].value
    assert list(listed(cover())) == [lesson.id for lesson in LESSONS]
    test.query_params["lesson"] = "crp-seating"
    test.switch_page(TOPIC).run()
    assert not test.exception
    assert f"## {LESSONS[0].steps[0].title}" in [markdown.value for markdown in test.markdown]


def test_a_run_that_does_not_come_out_as_its_lesson_says_is_listed_for_the_instructor(tmp_path, monkeypatch):
    text = (ROOT / "lessons/crp-1-seating.md").read_text("utf-8").replace("id: crp-seating", "id: mine", 1)
    (tmp_path / "mine.md").write_text(text.replace("expect: {tables: 2,", "expect: {tables: 3,"), "utf-8")
    monkeypatch.setenv(LESSONS_FROM, str(tmp_path))
    read_anew()
    test = app()
    assert not test.code
    instructors(test)
    assert "some runs do not end as the text says" in test.warning[0].value
    line = text[: text.index("expect: {tables: 2,")].count("\n") + 1
    assert test.code[0].value.endswith(f"/mine.md:{line}:10: expected 3 tables after 4 customers, got 2")
    monkeypatch.undo()
    read_anew()


@pytest.mark.parametrize(
    "content",
    [
        b"\x00\xff\xfe\x00" * 100,
        b"---\nschema: 1\n",
        b"",
        b"# no front matter",
        b"---\na: &a [*a, *a]\n---\n",
        "---\nschema: [€\n---".encode(),
    ],
    ids=["binary", "unclosed", "empty", "no front matter", "aliases", "yaml"],
)
def test_a_lesson_that_was_never_valid_is_a_card_and_the_others_work(folder, content):
    (folder / "crp-1-seating.md").write_bytes(content)
    test = app()
    assert not test.exception
    assert "lessons/crp-1-seating.md:" in instructors(test).code[0].value
    assert list(listed(cover())) == [lesson.id for lesson in LESSONS[1:]]
    test.query_params["lesson"] = LESSONS[1].id
    test.switch_page(TOPIC).run()
    assert not test.exception
    assert f"## {LESSONS[1].steps[0].title}" in [markdown.value for markdown in test.markdown]
    assert f"1 · {LESSONS[1].title}" in test.selectbox[0].options
    test.query_params.clear()
    test.query_params["lesson"] = "crp-seating"
    test.run()
    assert not test.exception
    assert "no lesson of that name" in said(test)


def test_a_lesson_that_is_mended_is_served_again(folder):
    path = folder / "crp-1-seating.md"
    whole = path.read_text("utf-8")
    path.write_text("nothing", "utf-8")
    test = app()
    assert any("being edited" in caption for caption in captions(test))
    path.write_text(whole, "utf-8")
    test.run()
    assert not any("being edited" in caption for caption in captions(test))


@pytest.mark.parametrize("keep", [0, 1])
def test_without_lessons_the_course_map_and_free_play_work(folder, keep):
    for path in sorted(folder.glob("*.md"))[keep:]:
        path.unlink()
    test = app()
    assert not test.exception
    test.switch_page(TOPIC).run()
    assert not test.exception


def test_a_lesson_that_vanishes_while_it_is_open_leaves_free_play(folder):
    test = app(TOPIC, lesson="crp-order")
    (folder / "crp-3-order.md").unlink()
    test.run()
    assert not test.exception
    assert "## Chinese restaurant" in [markdown.value for markdown in test.markdown]
    assert said(test) == "The lesson that you had open is no longer here. This is free play."
    test.selectbox[0].select("crp-seating").run()
    assert not test.warning


def test_a_step_that_vanishes_while_it_is_open_leads_to_the_first(folder):
    test = app(TOPIC, lesson="crp-seating", step="second")
    path = folder / "crp-1-seating.md"
    path.write_text(path.read_text("utf-8").replace("{#second}", "{#number-two}"), "utf-8")
    test.run()
    assert not test.exception
    assert f"## {LESSONS[0].steps[0].title}" in [markdown.value for markdown in test.markdown]
    assert said(test) == "The step that you had open is no longer here. This is the lesson's first one."
    test.button(key="next").click().run()
    assert not test.warning


def test_an_edit_that_drops_the_answer_that_was_given_asks_again(folder):
    test = app(TOPIC, lesson="crp-seating", step="fifth")
    check(test, "1/3")
    path = folder / "crp-1-seating.md"
    lines = path.read_text("utf-8").splitlines(keepends=True)
    at = lines.index("- [ ] 1/3\n")
    path.write_text("".join(lines[:at] + lines[at + 2 :]), "utf-8")
    test.run()
    assert not test.exception
    assert form(test)["state"]["note"] == "The question has changed since you answered it."
    assert options(test) == ["1/5", "1/4"]
    assert form(test)["state"]["given"] is None
    check(test, "1/5")
    assert len(told(test, True)) == 1
