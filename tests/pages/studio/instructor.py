"""An instructor: the secret that is said, and what the editor sends as a text is typed."""

from pages.studio.desk import Desk

SECRET = "open sesame, then write"


def told(here: Desk, text: str, **more: object) -> dict:
    return {"version": here.version, "text": text, "line": 1, "sent": 1, "saves": here.saves, **more}
