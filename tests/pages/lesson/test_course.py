"""An instructor's course: the map that it makes, and how it goes along from page to page."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pages.lesson.lessons import library
from tests.pages.visits import app, said

COURSE = """\
title: Week <3>
language: de
sections:
  - title: Tables
    lessons: [crp-order, mixture-story]
  - title: Later
    open_from: "2999-01-01T09:00+00:00"
    lessons: [text-word-by-word]
"""


@pytest.fixture
def course(folder: Path) -> Path:
    (folder / "week3.course.yaml").write_text(COURSE)
    return folder


def links(test: AppTest) -> list[tuple[str, str, str]]:
    return [(link.proto.page, link.proto.query_string, link.proto.label) for link in test.get("page_link")]


def lessons(test: AppTest) -> list[str]:
    """Return the lessons that a topic's page offers."""
    (box,) = (box for box in test.selectbox if box.label == "Lesson")
    return box.options


def test_the_map_shows_the_sections_of_the_course(course):
    test = app(course="week3")
    assert not test.exception
    html = [element.proto.body for element in test.get("html")]
    titles = [("h1", "Week &lt;3&gt;"), ("h2", "Tables"), ("h2", "Later")]
    headings = [f'<{level} class="course" lang="de" dir="ltr">{title}</{level}>' for level, title in titles]
    assert [each for each in html if "<h" in each] == headings
    first, second = library().lesson("crp-order"), library().lesson("mixture-story")
    assert links(test)[:3] == [
        ("crp_seating", "lesson=crp-order&course=week3", f"**Start here · {first.minutes} min**"),
        ("crp_seating", "lesson=crp-order&course=week3", f"**1 · {first.title}**"),
        ("crp_mixture", "lesson=mixture-story&course=week3", f"**2 · {second.title}**"),
    ]
    assert all("course=week3" in query for _, query, _ in links(test))
    (later,) = (caption.value for caption in test.caption if caption.value.startswith("Opens"))
    assert later.startswith("Opens on Tuesday 1 January 2999, 09:00 (UTC) · 1 lesson · ")


def test_the_course_goes_along_and_a_lesson_leads_to_the_next_on_another_page(course):
    test = app("crp_seating.py", lesson="crp-order", step="end", course="week3")
    title = library().lesson("crp-order").title
    assert lessons(test) == [f"1 · {title}", "Free play"]
    after = library().lesson("mixture-story")
    assert links(test) == [
        ("crp_mixture", "lesson=mixture-story&course=week3", f"**Next lesson: {after.title} · {after.minutes} min**"),
        ("", "course=week3", "Course map"),
        ("work", "course=week3", "My work"),
    ]
    test.query_params.clear()
    test.query_params.update(lesson="mixture-story", step="end")
    test.switch_page("crp_mixture.py").run()
    assert not test.exception
    assert any("opens on Tuesday 1 January 2999" in markdown.value for markdown in test.markdown)


def test_a_lesson_before_its_time_says_when_it_opens(course):
    test = app("gibbs_text.py", lesson="text-word-by-word", course="week3")
    assert "opens on Tuesday 1 January 2999, 09:00" in said(test).replace("\\", "")
    assert lessons(test) == ["Free play"]
    test = app("gibbs_text.py", lesson="text-word-by-word")
    assert not test.warning, "the order of a course is no lock"


def test_with_the_instructors_notes_a_lesson_is_open_before_its_time_and_says_from_when(course):
    from_then = "Learners see this lesson from Tuesday 1 January 2999, 09:00 (UTC) on."
    test = app("gibbs_text.py", lesson="text-word-by-word", course="week3")
    test.toggle(key="switch instructor").set_value(True).run()
    title = library().lesson("text-word-by-word").title
    assert lessons(test)[0] == f"3 · {title}"
    test.selectbox[0].select_index(0).run()
    assert not test.exception
    assert not test.warning
    assert [caption.value for caption in test.caption if "Learners" in caption.value] == [from_then]
    test.switch_page("home.py").run()
    assert any(label == f"**3 · {title}**" for _, _, label in links(test))
    assert any(caption.value.startswith("Opens on Tuesday 1 January 2999") for caption in test.caption)
    test.toggle(key="switch instructor").set_value(False).run()
    assert not any(label == f"**3 · {title}**" for _, _, label in links(test))


def test_a_link_leads_to_a_lesson_that_is_not_part_of_the_course(course):
    test = app("crp_seating.py", lesson="crp-seating", step="end", course="week3")
    assert lessons(test)[1:] == [library().lesson("crp-seating").title, "Free play"]
    assert not test.warning
    assert not test.exception


def test_a_course_that_there_is_not_is_said_and_the_ordinary_map_shown(course):
    test = app(course="wek3<b>")
    assert "There is no course “wek3\\<b\\>” here." in said(test)
    assert test.title[0].value == "See samplers work"
    assert not any(query for _, query, _ in links(test)[1:])


def test_the_course_of_the_folder_is_open_without_a_name_and_hides_what_it_names(folder):
    (folder / "course.yaml").write_text("title: All\nhide: [coin, crp-seating]\n")
    test = app()
    labels = [label for _, _, label in links(test)]
    assert labels[1] == "**1 · Draws**"
    assert not any("One coin" in label for label in labels)
    assert lessons(app("crp_seating.py"))[0] == f"1 · {library().for_stage('crp_seating')[1].title}"
    assert len(links(app(course="all"))) == len(labels) + 1


def test_what_is_wrong_with_a_course_is_no_matter_of_learners(folder):
    (folder / "course.yaml").write_text("title: None\nsections:\n  - title: A\n    lessons: [no-such]\n")
    test = app()
    assert not test.exception
    assert not any("being edited" in caption.value for caption in test.caption)
    assert not test.code
    test.session_state["option instructor"] = True
    test.run()
    assert (
        test.code[0].value
        == "lessons/course.yaml:4:15: there is no lesson 'no-such' (a lesson goes by the id in its front matter)"
    )
