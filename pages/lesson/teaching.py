"""The page *How this teaches*: the app's rules, with sources, and the questions before and after each topic."""

from pathlib import Path

import streamlit as st

from lessons.catalogue import TOPICS
from lessons.check.again import AFTER, BEFORE, around_id
from pages.lesson.lessons import carried, plan
from pages.lesson.page import begin, title
from pages.lesson.state import arrive

TEXT = Path(__file__).with_suffix(".md").read_text("utf-8")


def show() -> None:
    """Draw the page."""
    begin()
    arrive("teaching")
    title("How this teaches")
    st.markdown(TEXT)
    for topic in TOPICS:
        if topic.items and plan().shows(topic.stage):
            with st.container(horizontal=True, vertical_alignment="center"):
                st.markdown(f"**{topic.title}**", width=260)
                for when in (BEFORE, AFTER):
                    query = carried(lesson=around_id(when, topic.stage))
                    st.page_link(topic.page, label=when.capitalize(), query_params=query)
