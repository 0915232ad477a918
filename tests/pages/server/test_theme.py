"""Browsers get the theme of the configuration, which is read once; Streamlit itself reads it for every run."""

import pytest
from streamlit.proto.NewSession_pb2 import CustomThemeConfig
from streamlit.runtime import app_session

from pages.server.theme import _themes, read_theme_once

RUNS = 3
SECTIONS = ("theme", "theme.dark", "theme.light.sidebar")


@pytest.fixture(params=[True, False], ids=["once", "Streamlit's own"])
def once(request, monkeypatch):
    """Return whether the theme is read once, with Streamlit's own function in its place where it is not."""
    theirs = app_session._populate_theme_msg
    theirs = getattr(theirs, "__wrapped__", theirs)
    monkeypatch.setattr(app_session, "_populate_theme_msg", theirs)
    _themes.clear()
    if request.param:
        read_theme_once()
        read_theme_once()  # once is enough
    return request.param


def themed(populate) -> bytes:
    theme = CustomThemeConfig()
    for part, section in zip((theme, theme.dark, theme.light.sidebar), SECTIONS, strict=True):
        populate(part, section)
    assert theme.dark.primary_color
    return theme.SerializeToString(deterministic=True)


def test_the_theme_is_the_same_and_read_once(once, monkeypatch):
    theirs = getattr(app_session._populate_theme_msg, "__wrapped__", app_session._populate_theme_msg)
    expected = themed(theirs)
    reads = []
    read = app_session.config.get_options_for_section
    monkeypatch.setattr(app_session.config, "get_options_for_section", lambda name: reads.append(name) or read(name))
    assert {themed(app_session._populate_theme_msg) for _ in range(RUNS)} == {expected}
    assert sorted(reads) == sorted(SECTIONS * (1 if once else RUNS))
