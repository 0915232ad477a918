"""Uploads: a learner's file, checked for its size and read once; the link holds the digest of the data chosen in it."""

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import streamlit as st

from lessons.data.layout import How
from lessons.data.sheet import Sheet, Told, unheard
from lessons.own.store import Brought, brought_with, held, keep_own
from lessons.own.taking import Taking
from pages.contract.place import Place
from pages.contract.uploads import Upload
from pages.drawing.markdown import plain
from pages.lesson import panel
from pages.lesson.widgets import pressed

LARGE = 1_000_000  # bytes, from which on reading takes more than a moment
MOST_TYPED = 20_000  # characters
KEEPING = (
    "The server keeps your data while this page is open, and for two hours after their last use. Anyone with the link "
    "can see them."
)
LENT = "The data of a lesson are in use."


@dataclass(frozen=True)
class Typed:
    """A learner's typed data, read as a file would be."""

    file_id: str  # the text itself: another text is another file
    name: str = "What you typed"  # what it is called in messages

    @property
    def size(self) -> int:
        """The number of bytes."""
        return len(self.getvalue())

    def getvalue(self) -> bytes:
        """Return the bytes."""
        return self.file_id.encode()


def draw(place: Place[Any], upload: Upload) -> None:
    """Draw the upload and the choice, and take what is chosen; or draw the reason why the file cannot be read.

    Later runs of the script keep what has changed since.
    """
    label, key, more = upload.widget
    file: Any = st.file_uploader(label, key=key, help=more)
    if file is None:
        file = _typed(upload)
    with st.container(key="drop-said"):
        st.caption("You can also drop a file on the picture.")
    st.caption(KEEPING)
    if file is not None:
        _take(place, upload, file)
    else:
        _tell_earlier(upload, place.settings)
    _offer_none(place, upload)


def _typed(upload: Upload) -> Typed | None:
    """Draw the box to type or paste in, and return what it holds, if there is anything."""
    text: str = st.text_area(
        "Or paste or type them",
        key=f"{upload.widget[1]} typed",
        placeholder=upload.example,
        height=100,
        max_chars=MOST_TYPED,
        help="A row for each, as in a file or a spreadsheet. Press outside the box to take them.",
    )
    return Typed(text) if text.strip() else None


def _tell_earlier(upload: Upload, settings: Any) -> None:
    """Say what was read of a file that somebody brought earlier, if there is one."""
    earlier = LENT if held(settings.own) else upload.earlier
    if said := (earlier if settings.own_data is not None else "") or upload.idle:
        st.caption(said)
    if brought := brought_with(settings.own):
        with st.expander("What was read"):
            st.html(brought.table)
            tell(brought.notes)


def _take(place: Place[Any], upload: Upload, file: Any) -> None:
    """Draw what was read of a file, and take what is chosen in it; or draw the reason why it cannot be read."""
    key = f"{upload.widget[1]} {hashlib.sha256(file.file_id.encode()).hexdigest()[:8]}"
    sheet = None
    try:
        sheet = read_once(file, f"{upload.widget[1]} read", upload.takes, panel.asked(key))
        sheet, choice = panel.columns(key, sheet, upload.takes, _standardises(upload))
        data, notes = upload.takes.make(sheet, choice)
    except ValueError as error:
        st.error("\n\n".join(plain(line) for line in str(error).split("\n")))
    else:
        notes = (*notes, *filter(None, [upload.said]))
        taken = f"{place.stage} own choice"
        if st.session_state.get(taken) != (file.file_id, choice):
            st.session_state[taken] = (file.file_id, choice)
            place.change(own=keep_own(data, Brought(choice, panel.told(sheet, choice), notes)))
        tell(notes)
    panel.reading(key, sheet)


def _standardises(upload: Upload) -> bool:
    if not upload.standardise:
        return True
    on: bool = st.toggle("Standardise", True, key=f"{upload.widget[1]} standardise", help=upload.standardise)
    return on


def _offer_none(place: Place[Any], upload: Upload) -> None:
    """Draw the button that removes all data, where a learner can begin with none."""
    found = place.settings.own_data
    there = upload.remove and (found is None or len(found.labels))
    if there and pressed(upload.remove, icon=":material/delete:"):
        place.change(own=keep_own(type(place.settings).takes.none))
        st.rerun()


def tell(notes: Sequence[str]) -> None:
    """Say what was read, changed and left out."""
    st.caption("\n".join(f"- {plain(note)}" for note in notes))


@contextmanager
def _bar(size: int) -> Iterator[Told]:
    """Show a bar while a file of this size in bytes is read, and yield what moves it; a small one is there at once."""
    if size < LARGE:
        yield unheard
        return
    drawn, bar = -1, st.progress(0)

    def told(share: float) -> None:
        nonlocal drawn
        if (percent := int(100 * share)) > drawn:
            drawn = percent
            bar.progress(percent, f"Reading the file: {percent} %")

    try:
        yield told
    finally:
        bar.empty()


def read_once(file: Any, key: str, takes: Taking[Any], how: How) -> Sheet:
    """Return the data of an uploaded file.

    Parameters
    ----------
    file : UploadedFile or Typed
        Of Streamlit's object only ``getvalue`` copies the bytes.
    key : str
        The session's key for the content, or for the error.
    takes : Taking
        How the topic takes data from a file.
    how : How
        How it is to be read, as far as that is not left to the reader.

    Raises
    ------
    ValueError
        The error of the reader, also when the same file is read again.
    """
    kept: Any = st.session_state.get(key)
    if kept is None or kept[0] != (file.file_id, how):
        try:
            takes.check_size(file.size, file.name)
            with _bar(file.size) as told:
                kept = (file.file_id, how), takes.read(file.getvalue(), file.name, how, told), None
        except ValueError as error:
            kept = (file.file_id, how), None, error
        st.session_state[key] = kept
    if kept[2] is not None:
        raise kept[2]
    return kept[1]
