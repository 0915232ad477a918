"""The top of every page: the navigation, and a style sheet for everything outside Streamlit's theme."""

from copy import copy
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from lessons.catalogue import TOPICS
from lessons.settings.settings import shortened
from pages.drawing.markdown import plain
from pages.lesson import drafts
from pages.lesson.lessons import carried, latest, plan, unknown_course
from pages.lesson.options import wants

HERE = Path(__file__).parent
CSS = " ".join(f"{(HERE / 'style.css').read_text()} {(HERE.parent / 'form/form.css').read_text()}".split())
BEAT = 0.5  # seconds between looks at the lesson folders; open browsers get news of anything saved later
READ = "lessons read"  # in the session: the token of the lessons with which its page was drawn
EMBEDDED = ".stMainBlockContainer { padding-top: 0; } .st-key-player { top: 0; }"  # there is no header
PRESENT = (HERE / "present.css").read_text()


def navigation() -> Any:
    """Check for changed lesson files, draw the navigation, and return the page that the address names."""
    st.session_state[READ] = latest(BEAT)
    course = plan()
    pages = [_page("home.py", "Samplescope", "visible", home=True)]
    pages += [_page(topic.page, topic.title, "visible" if course.shows(topic.stage) else "hidden") for topic in TOPICS]
    pages += [_page("work.py", "My work", "hidden"), _page("studio/studio.py", "Studio", "hidden")]
    pages += [_page("museum.py", "Museum of errors", "hidden"), _page("review.py", "Review", "hidden")]
    pages += [_page("teaching.py", "How this teaches", "hidden")]
    page = st.navigation(pages, position="hidden" if st.context.is_embedded else "top")
    st.session_state["opened"] = page_drawn(), page, dict(st.query_params)
    return page


def _page(*described: Any, home: bool = False) -> Any:
    """Return a page for one run, which marks it; to make one, Streamlit looks for its file."""
    return copy(_made(*described, home))


@cache
def _made(file: str, title: str, visibility: Literal["visible", "hidden"], home: bool) -> Any:
    return st.Page(file, title=title, visibility=visibility, default=home)


def stay() -> None:
    """Go back to the page that was opened last, if a part of an earlier page is about to be drawn.

    The browser may send a report just before a learner opens another page, and it may arrive after that. The report
    names the earlier page, and Streamlit would show that page, empty.
    """
    shown, page, params = st.session_state["opened"]
    if page_drawn() != shown:
        st.switch_page(page, query_params=params)


def page_drawn() -> str | None:
    """Return Streamlit's name for the page that is being drawn."""
    run = get_script_run_ctx()
    return run.page_script_hash if run else None


class Html(NamedTuple):
    """HTML that Streamlit takes as it is; in a text it looks for each line's indent, 1 ms for a style sheet."""

    text: str

    def _repr_html_(self) -> str:
        return self.text


def begin() -> None:
    """Draw the parts that every page has."""
    draft = drafts.seen()
    shown = f'<i hidden data-draft="{draft[0]}"></i>' if draft else ""  # the studio waits for it
    st.html(Html(f"<style>{CSS}{PRESENT * wants('present')}{EMBEDDED * bool(st.context.is_embedded)}</style>{shown}"))
    if name := unknown_course():
        st.warning(f"**The link was not quite right.** There is no course “{plain(shortened(name))}” here.")


def title(text: str, *ways: tuple[str, str, str]) -> None:
    """Draw the head of a page beside the course map: its title, the way back, and ways to others like it.

    Parameters
    ----------
    text : str
        The title.
    *ways : tuple of str
        The file, label and icon of each other page. An icon is written whole: the font is cut to those that are found.
    """
    with st.container(horizontal=True, vertical_alignment="center"):
        st.title(text, anchor=False)
        for file, label, icon in (("home.py", "Course map", ":material/map:"), *ways):
            st.page_link(file, label=label, icon=icon, query_params=carried())
        view_options()


def view_options() -> None:
    """Draw the display switches, which hold for the session."""
    options = {
        "present": ("Present", "Larger type, for a projector"),
        "instructor": ("Instructor's notes", "Shows the notes under each step, and opens lessons before their day"),
    }
    with st.popover("Display", icon=":material/visibility:"):
        for option, (label, help_text) in options.items():
            key = f"switch {option}"
            st.toggle(label, wants(option), key=key, help=help_text, on_change=_switch, args=(option, key))
        class_doors()


def class_doors() -> None:
    """Draw the buttons for joining and leading a class, which work in the browser; see `pages.classroom`."""
    doors = {"": "Join a class", "lead": "Lead a class"}
    buttons = [f'<button type="button" data-class-door="{door}">{label}</button>' for door, label in doors.items()]
    st.html(f'<div class="doors">{"".join(buttons)}</div>', width="content")


def _switch(option: str, key: str) -> None:
    st.session_state[f"option {option}"] = st.session_state[key]
