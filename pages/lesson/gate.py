"""Access to the studio: only people with the secret from the environment may write; without one, writing is off.

On one's own machine, `pages.studio` makes the secret, and a link with it opens the studio.
"""

import hashlib
import hmac
import logging
import time
from functools import lru_cache
from pathlib import Path

import streamlit as st

from lessons.course.saving import name_of
from lessons.installed import called
from pages.http.clients import shortened
from pages.http.paths import base_path, pass_path
from pages.http.rate import Rate
from pages.http.studio import SHORTEST, STUDIO, TOKEN, opens_by_link, secret
from pages.lesson.lessons import carried
from pages.lesson.options import wants

LOCAL = ("localhost", "127.0.0.1", "::1")  # where only this machine reaches the server
COOKIE = "samplescope_studio"
STUDIO_HERE = called("make studio LESSONS=../mine", "samplescope studio ../mine")
APP_HERE = called("make run LESSONS=../mine", "samplescope --lessons ../mine")
HOURS = 12  # a browser's pass lasts this long, through reloads and restarts
FILE, STEP = "file", "step"  # in the address
OPEN, PASS, LEFT = "studio is open", "studio's pass", "studio was left"  # the session's
RATE = Rate(1 / 10, 5)  # tries from one address
RATE_OF_ALL = Rate(1, 50)  # tries from all addresses together
LOG = logging.getLogger("samplescope")

_pass = st.components.v2.component(  # the server turns it into a cookie that no script can read, or deletes that
    "samplescope_pass",
    js="""export default ({ data: [address, pass] }) => {
  fetch(address, pass ? { method: "POST", headers: { authorization: `Bearer ${pass}` } } : { method: "DELETE" });
}""",
)


def is_open() -> bool:
    """Return whether this session may write: it gave the secret, or its browser has a valid pass."""
    if not secret() or st.session_state.get(LEFT):
        return False
    if not st.session_state.get(OPEN):
        st.session_state[OPEN] = is_valid(st.context.cookies.get(COOKIE, ""))
    return bool(st.session_state[OPEN])


def by_link() -> None:
    """Let in whoever comes by the link with the secret, which leaves the address; only on one's own machine."""
    if TOKEN not in st.query_params:
        return
    token = st.query_params[TOKEN]
    del st.query_params[TOKEN]
    if not _is_alone():
        return
    if let_in(token, st.context.ip_address or ""):
        st.error("This link is of an earlier start. The terminal shows the one that opens the studio.")
    else:
        _enter()


def _is_alone() -> bool:
    """Return whether only this machine reaches the server, and links with the secret open the studio."""
    return opens_by_link() and st.get_option("server.address") in LOCAL


def _enter() -> None:
    st.session_state[OPEN], st.session_state[LEFT] = True, False
    st.session_state[PASS] = _signed(int(time.time()) + 3600 * HOURS)


def give_pass() -> None:
    """Give a browser that was let in a pass to show the next time; the pass holds the time at which it expires."""
    if shown := st.session_state.get(PASS):
        _pass(data=[pass_path(), shown], key="studio pass")


def log_out() -> None:
    """Close the studio in this browser; the gate then deletes its pass."""
    st.session_state[OPEN], st.session_state[LEFT] = False, True
    st.session_state.pop(PASS, None)


def is_valid(shown: str) -> bool:
    """Return whether a pass was signed with the current secret and has not expired."""
    ends = shown.partition(".")[0]
    if not ends.isascii() or not ends.isdecimal() or len(ends) > 12 or not secret():
        return False
    return hmac.compare_digest(shown.encode(), _signed(int(ends)).encode()) and int(ends) > time.time()


def cookie(shown: str) -> str:
    """Return the header that makes a browser keep a pass until it expires; an empty pass deletes it."""
    lasts = max(0, int(shown.partition(".")[0]) - int(time.time())) if shown else 0
    return f"{COOKIE}={shown}; Path={base_path()}/; Max-Age={lasts}; HttpOnly; SameSite=Strict"


def _signed(ends: int) -> str:
    return f"{ends}.{hmac.new(_key(secret()), f'studio {ends}'.encode(), hashlib.sha256).hexdigest()}"


@lru_cache
def _key(secret: str) -> bytes:
    """Return the key that signs passes; it is slow to compute, which slows down guessing the secret from a pass."""
    return hashlib.scrypt(secret.encode(), salt=b"samplescope studio", n=2**14, r=8, p=1)


def way_in(path: Path | None = None, step: str = "") -> None:
    """Draw a link to the studio, at a step of a file if one is given, when the instructor's notes are on."""
    if secret() and wants("instructor"):
        where = {} if path is None else {FILE: name_of(path), STEP: step}
        label = "Studio" if path is None else "Edit this step"
        st.page_link("studio.py", label=label, icon=":material/edit_note:", query_params=carried(**where))


def draw() -> None:
    """Ask for the secret, or explain how to set one."""
    if st.session_state.get(LEFT):
        _pass(data=[pass_path(), ""], key="studio pass")
    if not secret():
        st.info(
            f"The studio is off. On your own machine, stop the app and start it with `{STUDIO_HERE}`, "
            "which opens the studio. On a server that others reach, start it with a secret of "
            f"{SHORTEST} characters or more in the environment: `{STUDIO}=… {APP_HERE}`",
            icon=":material/lock:",
        )
        return
    if _is_alone():
        st.caption("The terminal shows a link that opens the studio.")
    with st.form("gate", width=420):
        typed = st.text_input("The studio’s secret", type="password", autocomplete="current-password")
        if not st.form_submit_button("Open", type="primary") or not typed:
            return
    said = let_in(typed, st.context.ip_address or "")
    if said:
        st.error(said, icon=":material/lock:")
    else:
        _enter()
        st.rerun()


def let_in(typed: str, client: str) -> str:
    """Return "" if this is the secret, else an error message; each address has a few tries at a time."""
    if not RATE.allows(client) or not RATE_OF_ALL.allows("all"):
        return "Too many tries. Wait ten seconds, then try again."
    digests = (hashlib.sha256(text.encode()).digest() for text in (typed, secret()))
    if hmac.compare_digest(*digests):
        return ""
    LOG.warning("a wrong secret for the studio, from %s", shortened(client))
    return f"That is the wrong secret: it should be the value of {STUDIO}."
