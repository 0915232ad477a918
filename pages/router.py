"""The script behind every page: it routes to the page that is asked for."""

from pathlib import Path

import streamlit as st

from pages.server.start import load_pages, shown

load_pages()

from pages.classroom.panel import classroom  # noqa: E402
from pages.shell.answers import store  # noqa: E402
from pages.shell.page import navigation  # noqa: E402

st.set_page_config(page_title="Samplescope", page_icon=str(Path(__file__).parent / "shell/icon.svg"), layout="wide")
page = navigation()
store()
classroom()
page.run()
shown.set()
