"""The head of a topic's page for those who preview a link: chats and forums read it, and run no scripts."""

import sys
from urllib.parse import parse_qsl

import anyio
from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pages.http.paths import base_path

HEAD = b"<head>"
TELLER = "pages.embed.preview"  # loaded with the routes: the first page after a start waits for neither


class Preview:
    """ASGI middleware that puts OpenGraph's elements into Streamlit's page, where its address is a topic's."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, with the preview if it is for a topic's page."""
        topic = scope["path"].removeprefix(f"{base_path()}/") if scope["type"] == "http" else ""
        teller = sys.modules.get(TELLER)
        if not teller or topic not in teller.STAGES or scope["method"] != "GET":
            await self.app(scope, receive, send)
            return
        held: list[Message] = []

        async def hold(message: Message) -> None:
            held.append(message)

        await self.app(scope, receive, hold)
        start, *parts = held
        body = b"".join(part.get("body", b"") for part in parts)
        if start["status"] == 200 and HEAD in body:
            values = dict(parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True))
            site = f"{str(Request(scope).base_url).rstrip('/').removesuffix(base_path())}{base_path()}"
            told = await anyio.to_thread.run_sync(teller.metas, topic, values, site)
            body = body.replace(HEAD, HEAD + told.encode(), 1)
            headers = MutableHeaders(scope=start)
            headers["content-length"] = str(len(body))
            del headers["etag"]
        await send(start)
        await send({"type": "http.response.body", "body": body})
