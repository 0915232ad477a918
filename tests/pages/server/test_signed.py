"""Uploads by a browser that sends no cookie, into Streamlit's own routes."""

from types import SimpleNamespace

import pytest
from starlette.applications import Starlette
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.web.server.starlette.starlette_routes import create_upload_routes

from pages.server.door import Door
from pages.server.signed import sign_uploads
from tests.loop import awaited
from tests.pages.server.asking import reply_of

sign_uploads()
BODY = b'--x\r\ncontent-disposition: form-data; name="file"; filename="own.csv"\r\n\r\nx,y\r\n--x--\r\n'
HEADERS = {"content_type": "multipart/form-data; boundary=x", "content_length": str(len(BODY))}


@pytest.fixture
def files():
    return MemoryUploadedFileManager("/_stcore/upload_file")


@pytest.fixture
def ask(files):
    """Return a function that asks for an upload, or for its removal, and returns the status."""
    known = SimpleNamespace(is_active_session=lambda session: session in ("mine", "other"))
    served = Door(Starlette(routes=create_upload_routes(known, files, None)))

    def asked(address: str, method: str = "PUT", **headers: str) -> int:
        return awaited(reply_of(served, address, method=method, body=BODY, **{**HEADERS, **headers})).status

    return asked


def test_a_page_puts_its_files_and_removes_them_without_a_cookie(files, ask):
    first, second = files.get_upload_urls("mine", ["own.csv", "more.csv"])
    assert first.file_id != second.file_id
    assert ask(first.upload_url) == 204
    (kept,) = files.get_files("mine", [first.file_id, second.file_id])
    assert (kept.name, kept.data) == ("own.csv", b"x,y")
    assert ask(first.delete_url, "DELETE") == 204
    assert not files.get_files("mine", [first.file_id])


@pytest.mark.parametrize("method", ["PUT", "DELETE"])
def test_nobody_else_does(files, ask, method):
    """Not with an address of one's own making, nor with another page's signature, nor with one that was changed."""
    address = files.get_upload_urls("mine", ["own.csv"])[0].upload_url
    file, _, signature = address.rpartition("/")[2].rpartition(".")
    for forged in (
        f"mine/{file}",
        f"mine/{file}.",
        f"mine/{file}.ü",
        f"mine/another.{signature}",
        f"other/{file}.{signature}",
        f"mine/{file}.{signature[:-1]}{'0' if signature[-1] != '0' else '1'}",
    ):
        assert ask(f"/_stcore/upload_file/{forged}", method) == 403


def test_a_cookie_that_came_is_looked_at_as_ever(files, ask):
    address = files.get_upload_urls("mine", ["own.csv"])[0].upload_url
    assert ask(address, cookie="_streamlit_xsrf=ab", x_xsrftoken="ab") == 204
    assert ask(address, cookie="_streamlit_xsrf=ab", x_xsrftoken="cd") == 403
    assert ask(address, x_xsrftoken="ab") == 403


def test_limits_hold_for_signed_addresses(files, ask):
    address = files.get_upload_urls("mine", ["own.csv"])[0].upload_url
    assert ask(address, content_length="25004097") == 413
    assert ask(address, content_length="") == 411
