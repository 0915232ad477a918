"""Limits on uploaded files, in bytes per session and in all, during the upload and afterwards."""

import asyncio
from collections import Counter

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import runtime

from pages.http.uploaded import of_session

OF_SESSION = 1_000_000 * of_session()  # bytes
OF_ALL = max(100_000_000, 2 * OF_SESSION)
COMING = 4  # files uploaded at the same time
PATIENCE = 20.0  # seconds for the next part of a file to arrive
MARGIN = 4_096  # bytes of a request around its file
LATER = 30  # seconds to wait when the server is full


class Uploads:
    """The files that Streamlit keeps for sessions, and those being uploaded."""

    path = "/_stcore/upload_file/"

    def __init__(self) -> None:
        self._coming: Counter[str] = Counter()  # bytes, by session
        self._places = asyncio.Semaphore(COMING)

    async def take(self, app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a file come in if there is room for it."""
        session = scope["path"].partition(self.path)[2].partition("/")[0]
        said = next((value for name, value in scope["headers"] if name == b"content-length"), b"")
        if not said.isdigit():
            await PlainTextResponse("Say how long the file is.", 411)(scope, receive, send)
            return
        size = int(said)
        if size > OF_SESSION or self._kept(session) + self._coming[session] + size > OF_SESSION + MARGIN:
            await PlainTextResponse("Your files are too large together: remove one first.", 413)(scope, receive, send)
            return
        if self._kept() + self._coming.total() + size > OF_ALL:
            text = f"The server is full just now: try again in {LATER} seconds."
            await PlainTextResponse(text, 503, {"retry-after": str(LATER)})(scope, receive, send)
            return
        self._coming[session] += size
        try:
            async with self._places:
                await app(scope, lambda: _part(receive), send)
        finally:
            self._coming[session] -= size
            if not self._coming[session]:
                del self._coming[session]

    def _kept(self, session: str | None = None) -> int:
        """Return the bytes of the files of a session, or of all sessions."""
        if not runtime.exists():
            return 0
        kept = getattr(runtime.get_instance().uploaded_file_mgr, "file_storage", {})
        files = kept.values() if session is None else [kept.get(session, {})]
        return sum(len(file.data) for each in list(files) for file in list(each.values()))


async def _part(receive: Receive) -> Message:
    """Return the next part of a file; without one for some time, the client counts as gone."""
    try:
        return await asyncio.wait_for(receive(), PATIENCE)
    except TimeoutError:
        return {"type": "http.disconnect"}
