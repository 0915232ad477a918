"""Security headers of every answer, with which browsers keep other sites out of the page."""

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pages.http.framing import framed_by as sites

# Vega compiles the expressions of charts (unsafe-eval), Streamlit loads components from blobs and styles its elements
# inline; nothing but a lesson's pictures comes from another server.
POLICY = {
    "default-src": "'self'",
    "script-src": "'self' 'unsafe-inline' 'unsafe-eval' blob:",
    "script-src-attr": "'none'",  # no scripts in markup, such as onerror="…"
    "style-src": "'self' 'unsafe-inline'",
    "img-src": "'self' data: blob: https:",
    "font-src": "'self' data:",
    "connect-src": "'self'",
    "worker-src": "'self' blob:",
    "object-src": "'none'",
    "base-uri": "'self'",
    "form-action": "'self'",
}


PARTS = ("text/javascript", "application/javascript", "text/css", "font/")  # kinds of files that make up a page
OF_PARTS = {"content-security-policy": "default-src 'none'", "x-content-type-options": "nosniff"}


class SecurityHeaders:
    """ASGI middleware that adds the headers.

    A page has its own policy. That of its scripts, styles and fonts, of which there are a hundred, says only that they
    do nothing by themselves.

    Parameters
    ----------
    framed_by : str, optional
        Origins whose pages may show the app in a frame, separated by spaces, or ``*``. If left out, the environment's
        `FRAMED_BY`; if that is not set either, no other site.
    """

    def __init__(self, app: ASGIApp, framed_by: str | None = None) -> None:
        self.app = app
        framed_by = sites() if framed_by is None else framed_by
        ancestors = f"'self' {framed_by}".strip()  # ourselves, as the studio shows the learner's view in a frame
        policy = {**POLICY, "frame-ancestors": ancestors}
        self.headers = {
            "content-security-policy": "; ".join(f"{name} {value}" for name, value in policy.items()),
            "x-content-type-options": "nosniff",
            "referrer-policy": "same-origin",
            "permissions-policy": "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request with the headers added."""
        if scope["type"] != "http":
            return await self.app(scope, receive, send)

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                is_part = headers.get("content-type", "").startswith(PARTS)
                headers.update(OF_PARTS if is_part else self.headers)
            await send(message)

        await self.app(scope, receive, with_headers)
        return None
