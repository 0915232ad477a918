"""The theme, read once: Streamlit reads its two hundred options at the start of every run of every script.

That takes 3 of the 30 ms in which a page of a lesson opens.
"""

from collections.abc import Callable

from streamlit import config
from streamlit.proto.NewSession_pb2 import CustomThemeConfig
from streamlit.runtime import app_session

from pages.server.mended import put_around

_themes: dict[str, CustomThemeConfig] = {}  # by section of the configuration


def read_theme_once() -> None:
    """Replace Streamlit's function, once."""
    put_around(app_session, "_populate_theme_msg", theme_once)
    config.on_config_parsed(_themes.clear, force_connect=True)


def theme_once(theirs: Callable[..., None], told: CustomThemeConfig, section: str = "theme") -> None:
    """Add the theme to a message, read from the configuration only after that has changed."""
    if section not in _themes:
        made = CustomThemeConfig()
        theirs(made, section)
        _themes[section] = made
    if _themes[section].ByteSize():
        told.MergeFrom(_themes[section])
