"""Addresses of uploads that prove where they come from, for browsers that send no cookie.

Streamlit protects uploads against requests that other sites forge: a page repeats a cookie in a header. In a frame of
another site, as a learning platform shows the app, browsers neither keep nor send this cookie, and each upload would be
rejected. There a signature in the file's address takes its place. Only the page learns the address, by its WebSocket,
which no other site can open.
"""

import hashlib
import hmac
import secrets
from collections.abc import Callable, Sequence

from starlette.types import Scope
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadFileUrlInfo
from streamlit.web.server.starlette.starlette_app_utils import generate_xsrf_token_string
from streamlit.web.server.starlette.starlette_server_config import XSRF_COOKIE_NAME

from pages.server.mended import put_around
from pages.server.uploads import Uploads

KEY = secrets.token_bytes(32)  # a session, and so its files, belongs to one process
HEADER = b"x-xsrftoken"


def sign_uploads() -> None:
    """Have Streamlit sign the addresses that it gives to a page for its files."""
    put_around(MemoryUploadedFileManager, "get_upload_urls", sign)


def sign(
    theirs: Callable[..., list[UploadFileUrlInfo]],
    files: MemoryUploadedFileManager,
    session_id: str,
    file_names: Sequence[str],
) -> list[UploadFileUrlInfo]:
    """Return the addresses, each with a signature at the end of the file's id."""
    return [
        UploadFileUrlInfo(*(f"{value}.{signature(session_id, found.file_id)}" for value in found))
        for found in theirs(files, session_id, file_names)
    ]


def signature(session: str, file: str) -> str:
    """Return the signature of a session's file."""
    return hmac.new(KEY, f"{session}/{file}".encode(), hashlib.sha256).hexdigest()


def vouched(scope: Scope) -> Scope:
    """Return a request for an upload, with a cookie and its header if it has none and its address is signed."""
    session, _, last = scope["path"].partition(Uploads.path)[2].partition("/")
    file, _, given = last.rpartition(".")
    if any(name == HEADER for name, _ in scope["headers"]):
        return scope
    if not hmac.compare_digest(given.encode(), signature(session, file).encode()):
        return scope
    token = generate_xsrf_token_string().encode()
    others = [(name, value) for name, value in scope["headers"] if name != b"cookie"]
    pair = [(b"cookie", XSRF_COOKIE_NAME.encode() + b"=" + token), (HEADER, token)]
    return {**scope, "headers": [*others, *pair]}
