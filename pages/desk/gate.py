"""Who may write: whoever knows the secret, which the environment holds; without one, nobody."""

from __future__ import annotations

import hashlib
import hmac
import os
import time
from pathlib import Path

import streamlit as st

from lessons.reader.saving import name_of
from pages.server.paths import base_path
from pages.server.rate import Rate
from pages.shell.lessons import carried
from pages.shell.options import wants

STUDIO = "SAMPLESCOPE_STUDIO"  # the environment's variable
SHORTEST = 8  # characters of a secret
COOKIE = "samplescope_studio"
HOURS = 12  # for which a browser may go on, after a reload or a restart as well
FILE, STEP = "file", "step"  # in the address
OPEN = "studio is open"  # the session's
RATE = Rate(1 / 10, 5)  # tries of an address, and
RATE_OF_ALL = Rate(1, 50)  # of all together

_pass = st.components.v2.component(
    "samplescope_pass",
    js="""export default ({ data: [cookie] }) => {
  document.cookie = cookie + (location.protocol === "https:" ? "; Secure" : "");
}""",
)


def secret() -> str:
    """Return the secret; "" if there is none that would do."""
    given = os.environ.get(STUDIO, "")
    return given if len(given) >= SHORTEST else ""


def is_open() -> bool:
    """Return whether this session may write; a browser that was let in brings a pass."""
    if not secret():
        return False
    if not st.session_state.get(OPEN):
        st.session_state[OPEN] = is_valid(st.context.cookies.get(COOKIE, ""))
    return bool(st.session_state[OPEN])


def give_pass() -> None:
    """Have the browser keep what it shows to be let in again; it holds the time at which it ends, and no secret."""
    lasts = 3600 * HOURS
    shown = _signed(int(time.time()) + lasts)
    _pass(data=[f"{COOKIE}={shown}; path={base_path()}/; max-age={lasts}; SameSite=Strict"], key="studio pass")


def is_valid(shown: str) -> bool:
    """Return whether a pass was made with today's secret and has not ended."""
    ends = shown.partition(".")[0]
    if not ends.isascii() or not ends.isdecimal() or len(ends) > 12 or not secret():
        return False
    return hmac.compare_digest(shown.encode(), _signed(int(ends)).encode()) and int(ends) > time.time()


def _signed(ends: int) -> str:
    return f"{ends}.{hmac.new(secret().encode(), f'studio {ends}'.encode(), hashlib.sha256).hexdigest()}"


def way_in(path: Path | None = None, step: str = "") -> None:
    """Draw a link to the studio, to a step of a file in it, for whoever has the instructor's notes on."""
    if secret() and wants("instructor"):
        where = {} if path is None else {FILE: name_of(path), STEP: step}
        label = "Studio" if path is None else "Edit this step"
        st.page_link("studio.py", label=label, icon=":material/edit_note:", query_params=carried(**where))


def draw() -> None:
    """Ask for the secret, or say how there comes to be one."""
    if not secret():
        st.info(
            f"The studio is off. Whoever runs this server switches it on by a secret of {SHORTEST} characters or more "
            f"in the environment: `{STUDIO}=… make run LESSONS=../mine`",
            icon=":material/lock:",
        )
        return
    with st.form("gate", width=420):
        typed = st.text_input("The studio’s secret", type="password", autocomplete="current-password")
        if not st.form_submit_button("Open", type="primary") or not typed:
            return
    said = let_in(typed, st.context.ip_address or "")
    if said:
        st.error(said, icon=":material/lock:")
    else:
        st.session_state[OPEN] = True
        st.rerun()


def let_in(typed: str, client: str) -> str:
    """Return "" if this is the secret, else a sentence; each address has a few tries at once."""
    if not RATE.allows(client) or not RATE_OF_ALL.allows("all"):
        return "Too many tries. Wait for ten seconds, then try once more."
    digests = (hashlib.sha256(text.encode()).digest() for text in (typed, secret()))
    return "" if hmac.compare_digest(*digests) else f"That is not it: the secret is what {STUDIO} holds."
