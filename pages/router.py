"""The script behind every page: it routes to the page that is asked for."""

from pathlib import Path

import streamlit as st

from pages.room.panel import classroom
from pages.server.start import shown
from pages.shell.answers import store
from pages.shell.page import navigation

st.set_page_config(page_title="Samplescope", page_icon=str(Path(__file__).parent / "shell/icon.svg"), layout="wide")
page = navigation()
store()
classroom()
page.run()
shown.set()
