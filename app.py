"""Samplescope: see Bayesian samplers work. ``streamlit run app.py`` finds the ASGI app in this file."""

from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware

from pages.server.errors import say_sorry
from pages.server.headers import SecurityHeaders
from pages.server.routes import routes

app = st.App(
    Path(__file__).parent / "pages/router.py",
    routes=routes(),
    middleware=[Middleware(SecurityHeaders)],
    on_script_error=say_sorry,
)
