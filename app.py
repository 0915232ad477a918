"""Samplescope: see Bayesian samplers work. ``streamlit run app.py`` finds the ASGI app in this file."""

import sys
from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware

from pages.http.errors import say_sorry
from pages.server.direct import DirectConnection
from pages.server.door import Door
from pages.server.headers import SecurityHeaders
from pages.server.icon import ICON
from pages.server.nested import NESTED
from pages.server.packed import Packed
from pages.server.preview import Preview
from pages.server.start import OWN, start
from pages.server.straight import StraightOn
from pages.server.symbols import Symbols

sys.setswitchinterval(0.001)  # a thread that computes soon lets another one go on, which may only have to answer

app = st.App(
    Path(__file__).parent / "pages/router.py",
    lifespan=start,
    routes=[OWN, ICON, NESTED],
    middleware=[
        Middleware(SecurityHeaders),
        Middleware(Door),
        Middleware(StraightOn, routes=OWN),
        Middleware(DirectConnection),
        Middleware(Preview),
        Middleware(Symbols),
        Middleware(Packed),
    ],
    on_script_error=say_sorry,
)
