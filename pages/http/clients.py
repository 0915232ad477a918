"""The client of a request: its address, and whether it is one of our pages; and the answer to come back later."""

import ipaddress
import math
from urllib.parse import urlsplit

import streamlit as st
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.types import Scope


def address_of(scope: Scope) -> str:
    """Return the address of a client; for IPv6, its network of 64 bits, which one client may have to itself."""
    host = scope["client"][0] if scope.get("client") else ""
    if ":" not in host:
        return host
    try:
        whole = ipaddress.IPv6Address(host.partition("%")[0])
    except ValueError:
        return host
    if whole.ipv4_mapped or whole.is_loopback:
        return str(whole.ipv4_mapped or whole)
    return str(ipaddress.IPv6Network((whole, 64), strict=False).network_address)


def shortened(address: str) -> str:
    """Return an address for the log, without the part that identifies a person."""
    if ":" in address:
        return ":".join(address.split(":")[:3]) + "::"
    return address.rpartition(".")[0] + ".0" if "." in address else address


def refusal(status: int, seconds: float) -> PlainTextResponse:
    """Return the answer to come back after a number of seconds."""
    whole = max(1, math.ceil(seconds))
    text = f"Too much at once: try again in {whole} second{'s' * (whole > 1)}."
    return PlainTextResponse(text, status, {"cache-control": "no-store", "retry-after": str(whole)})


def ours(socket: HTTPConnection) -> bool:
    """Return whether one of our pages asks, or no page at all: pages of other sites may not."""
    origin = socket.headers.get("origin")
    if origin is None or origin in (st.get_option("server.corsAllowedOrigins") or ()):
        return True
    return urlsplit(origin).netloc == socket.headers.get("host", "")
