"""The upload of chains: one file or several, of which two parameters are picked."""

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from html import escape
from typing import Any

import streamlit as st

from lessons.chains.chains import AS_IN_FILE, MOST_CHAINS, MOST_DRAWS, Chains, chains_of
from lessons.chains.source import File
from lessons.own.draws import OwnDraws, Picked, drawn
from lessons.own.store import Brought, brought_with, held, keep_own
from pages.contract.uploads import OF_CHAINS
from pages.drawing.markdown import plain
from pages.http.uploaded import of_session
from pages.lesson.state import Visit
from pages.lesson.typed import number_field
from pages.lesson.uploads import KEEPING, LENT, tell

KEY = "own chains"
KINDS = ("csv", "txt", "tsv", "parquet", "nc", "nc4", "h5", "zip")
MOST_SHOWN = 1_000  # parameters to choose from
PREVIEW = 6  # draws


def draw(place: Visit[Any]) -> None:
    """Draw the upload and the choices, and take what is picked; or draw the reason why nothing can be read."""
    room = of_session()
    files: Any = st.file_uploader(
        "Files of draws",
        KINDS,
        key=KEY,
        accept_multiple_files=True,
        max_upload_size=room,
        help=f"{OF_CHAINS} At most {room} MB together.",
    )
    with st.container(key="drop-said"):
        st.caption("You can also drop the files on the picture.")
    st.caption(KEEPING)
    if files:
        _take(place, files)
    else:
        _tell_earlier(place.settings)


def _take(place: Visit[Any], files: Sequence[Any]) -> None:
    ids = "".join(sorted(file.file_id for file in files))
    key = f"{KEY} {hashlib.sha256(ids.encode()).hexdigest()[:8]}"
    with st.container(key="read-as"):
        try:
            chains = _kept(f"{KEY} opened", key, lambda: chains_of(_sorted(files)))
            picked = _picks(place, key, chains)
            data, notes = _kept(f"{KEY} drawn", (key, picked), lambda: drawn(chains, picked))
        except ValueError as error:
            st.error("\n\n".join(plain(line) for line in str(error).split("\n")))
            return
        tell(notes)
        taken = f"{place.stage} own choice"
        if st.session_state.get(taken) != (key, picked):
            st.session_state[taken] = (key, picked)
            place.change(own=keep_own(data, Brought(picked, _table(data), notes)))


def _sorted(files: Sequence[Any]) -> list[File]:
    return sorted(File(file.name, file.getvalue()) for file in files)


def _kept(name: str, key: object, make: Any) -> Any:
    """Return the value of a function, or raise its error; it is called once for a key."""
    kept = st.session_state.get(name)
    if kept is None or kept[0] != key:
        try:
            with st.spinner("Reading the draws"):
                kept = key, make(), None
        except ValueError as error:
            kept = key, None, error
        st.session_state[name] = kept
    if kept[2] is not None:
        raise kept[2]
    return kept[1]


def _picks(place: Visit[Any], key: str, chains: Chains) -> Picked:
    """Draw what can be picked, and return it; what is not changed stays as it is guessed."""
    names = chains.names[:MOST_SHOWN]
    guess = chains.guess()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        across = st.selectbox("Across", names, names.index(guess[0]), key=f"{key} across")
        others = [name for name in names if name != across]
        usual = guess[1] if guess[1] in others else others[0]
        up = st.selectbox("Up", others, others.index(usual), key=f"{key} up")
    if len(chains.names) > MOST_SHOWN:
        st.caption(f"The first {MOST_SHOWN:,} of {len(chains.names):,} parameters can be chosen here.")
    picked = Picked((across, up))
    with st.expander("How the files are read"):
        split = _whole(
            place,
            f"{key} split",
            "Chains, one after the other",
            (1, MOST_CHAINS),
            help="If one file holds several chains and no column tells them apart. Guessed: 1.",
            placeholder="1",
        )
        warmup = _whole(
            place,
            f"{key} warmup",
            "Warm-up draws of each chain",
            (0, MOST_DRAWS),
            placeholder="as the files say",
            help="They are drawn and not counted. Guessed: those before CmdStan’s line “Adaptation terminated”, or in "
            "ArviZ’s groups of warm-up.",
        )
    return replace(picked, split=split or 1, warmup=AS_IN_FILE if warmup is None else warmup)


def _whole(place: Visit[Any], name: str, label: str, limits: tuple[int, int], **look: Any) -> int | None:
    """Draw a field for a whole number, and return it; None while it is empty."""
    typed = f"{name} typed"

    def take(value: float | None) -> None:
        st.session_state[typed] = value

    found: int | None = st.session_state.get(typed)
    number_field(place, name, label, found, limits, take, whole=True, **look)
    return found


def _table(data: OwnDraws) -> str:
    """Return the first draws of the first chain as HTML."""
    heads = "".join(f'<th scope="col">{escape(name)}</th>' for name in data.names)
    rows = "".join(
        f"<tr>{''.join(f'<td>{value:.6g}</td>' for value in row)}</tr>" for row in data.values[0, :PREVIEW].tolist()
    )
    return f'<table class="own-sheet"><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>'


def _tell_earlier(settings: Any) -> None:
    """Say what was read of files that somebody brought earlier, if there are any."""
    if settings.own_data is not None:
        st.caption(LENT if held(settings.own) else "Your earlier chains are in use.")
    if brought := brought_with(settings.own):
        with st.expander("What was read"):
            st.html(brought.table)
            tell(brought.notes)
