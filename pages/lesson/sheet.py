"""The style sheet of pages without Streamlit: the theme's colours, and what the app itself adds to it."""

import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
FONT = '"Source Sans", "Source Sans 3", system-ui, sans-serif'
NAMES = {  # of colours, in the theme and in style sheets
    "primaryColor": "primary",
    "backgroundColor": "background",
    "textColor": "text",
    "borderColor": "border",
    "linkColor": "link",
}


def sheet() -> str:
    """Return the style sheet, with the theme that the browser prefers, or that of the page's ``data-theme``."""
    theme = tomllib.loads((ROOT / ".streamlit/config.toml").read_text("utf-8"))["theme"]

    def colors(which: str) -> str:
        return f"color-scheme: {which}; " + "".join(f"--st-{NAMES[key]}-color: {theme[which][key]};" for key in NAMES)

    app = (Path(__file__).parent / "style.css").read_text("utf-8")
    return (
        f":root {{ --st-font: {FONT}; {colors('light')} }}\n"
        f"@media (prefers-color-scheme: dark) {{ :root {{ {colors('dark')} }} }}\n"
        f':root[data-theme="light"] {{ {colors("light")} }}\n:root[data-theme="dark"] {{ {colors("dark")} }}\n{app}'
    )
