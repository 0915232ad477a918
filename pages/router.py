"""The script behind every page: it routes to the page that is asked for."""

import streamlit as st

from pages.server.start import load_pages, shown

load_pages()

from pages.classroom.panel import classroom  # noqa: E402
from pages.lesson.answers import store  # noqa: E402
from pages.lesson.page import navigation  # noqa: E402

st.set_page_config(page_title="Samplescope", layout="wide")  # its icon: see pages/server/icon.py
page = navigation()
store()
classroom()
page.run()
shown.set()
