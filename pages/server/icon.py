"""The app's icon at the address of Streamlit's.

If it were given to `st.set_page_config`, Streamlit would load Pillow before the first page, and encode it in every run.
An app's own routes come before Streamlit's.
"""

from pathlib import Path

from starlette.requests import Request
from starlette.responses import FileResponse
from starlette.routing import Route

from pages.http.paths import base_path

FILE = Path(__file__).parents[1] / "lesson/icon.svg"


async def icon(_: Request) -> FileResponse:
    """Return the icon; browsers go by its type, not by its name."""
    return FileResponse(FILE, media_type="image/svg+xml", headers={"Cache-Control": "public, max-age=86400"})


ICON = Route(f"{base_path()}/favicon.png", icon)
