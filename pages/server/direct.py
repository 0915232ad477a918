"""Pages that connect at once: their HTML says where the server is, which the browser would find out by trying."""

import gzip
import json

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import config

from lessons.catalogue import ORDER
from pages.http.paths import base_path

PAGES = ("", *ORDER, "work", "review", "teaching", "museum", "studio")
HEAD = b"<head>"
QUICKLY = 6  # the level of compression; higher ones gain nothing
# Streamlit's code reads it when it starts. The server's address is that of the page, without the page's name. With both
# values the browser connects at once, and asks for all settings meanwhile. If it can't, it tries as it always does.
SCRIPT = """<script>{
  const parts = location.pathname.split("/").filter(Boolean);
  const base = [location.origin, ...parts.slice(0, parts.length - NAMES)].join("/");
  window.__streamlit = { BACKEND_BASE_URL: base, HOST_CONFIG: HOST };
}</script>"""


class DirectConnection:
    """ASGI middleware that tells each page the address of its server.

    Otherwise the browser asks below the page's own address and then beside it whether a server is there, which takes
    two round trips and a pause of 0.1 s each time a page is opened by its address.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request; one for a page gets the script."""
        page = scope.get("path", "").removeprefix(base_path()).strip("/")
        if scope["type"] != "http" or scope["method"] != "GET" or page not in PAGES:
            return await self.app(scope, receive, send)
        held: list[Message] = []

        async def with_script(message: Message) -> None:
            held.append(message)
            if message["type"] == "http.response.body" and not message.get("more_body"):
                start, *parts = held
                body = b"".join(part.get("body", b"") for part in parts)
                told = body.replace(HEAD, HEAD + script(1 if page else 0), 1)
                if told != body:
                    headers = MutableHeaders(scope=start)
                    if "gzip" in Headers(scope=scope).get("accept-encoding", ""):
                        told = gzip.compress(told, QUICKLY)
                        headers["content-encoding"] = "gzip"
                    headers.add_vary_header("Accept-Encoding")
                    headers["content-length"] = str(len(told))
                await send(start)
                await send({"type": "http.response.body", "body": told})

        plain = [(name, value) for name, value in scope["headers"] if name != b"accept-encoding"]
        await self.app({**scope, "headers": plain}, receive, with_script)
        return None


def script(names: int) -> bytes:
    """Return the script for a page whose address ends with this many names."""
    host = {"allowedOrigins": config.get_option("client.allowedOrigins"), "useExternalAuthToken": False}
    return SCRIPT.replace("NAMES", str(names)).replace("HOST }", f"{json.dumps(host)} }}").encode()
