"""Uploads: a learner's file, checked for its size and read once; the link holds the digest of the data chosen in it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import streamlit as st

from lessons.own.store import held, keep_own
from pages.contract.place import Place
from pages.shell.page import plain
from pages.shell.widgets import pressed

T = TypeVar("T")
MOST_TYPED = 20_000  # characters
KEEPING = (
    "The server keeps your data while this page is open, and for two hours after their last use. Anyone with the link "
    "can see them."
)
LENT = "The data of a lesson are in use."
GONE = (
    "**These data are no longer here.** The server keeps data for two hours after their last use, or for less time if "
    "people upload a lot. Upload them again among the controls."
)


@dataclass(frozen=True)
class Typed:
    """What a learner has typed, read as a file would be.

    Attributes
    ----------
    file_id : str
        The text itself: another text is another file.
    name : str
        What it is called in messages.
    """

    file_id: str
    name: str = "What you typed"

    @property
    def size(self) -> int:
        """The number of bytes."""
        return len(self.getvalue())

    def getvalue(self) -> bytes:
        """Return the bytes."""
        return self.file_id.encode()


@dataclass(frozen=True)
class Upload:
    """The learner's own data of a topic: from a file, or made on the screen.

    Attributes
    ----------
    widget : (str, str, str or None)
        The label of the upload, its key, and its help.
    reading : (callable, callable)
        As for `read_once`.
    choose : callable
        ``choose(read)`` draws the choice among what was read, and returns it with the chosen data and a caption; None
        if nothing is chosen.
    ask : str or None
        What is asked of a learner who has no data; None if these can be made on the screen.
    earlier : str
        The caption while there is no file, but data from an earlier one.
    idle : str or None
        The caption while there are neither.
    remove : str
        The button that goes back to none, where some can be made on the screen.
    example : str
        What a learner may type instead, as it is shown in the empty box; "" if there is no box.
    """

    widget: tuple[str, str, str | None]
    reading: tuple[Callable[[int, str], None], Callable[[bytes, str], Any]]
    choose: Callable[[Any], tuple[tuple[object, ...], Any, str] | None]
    ask: str | None = None
    earlier: str = ""
    idle: str | None = None
    remove: str = ""
    example: str = ""

    def missing(self, settings: Any) -> str | None:
        """Return what a learner must do if their own data are gone, or were never there; None if all is well."""
        if settings.data != "own" or settings.own_data is not None:
            return None
        if self.remove:
            return f"{GONE} Or start again: **{self.remove}**."
        return GONE if settings.own else self.ask

    def draw(self, place: Place[Any]) -> None:
        """Draw the upload and the choice, and take what is chosen; or draw the reason why the file cannot be read.

        Later runs of the script keep what has changed since.
        """
        label, key, more = self.widget
        file: Any = st.file_uploader(label, type=["csv", "tsv", "txt"], key=key, help=more)
        if file is None and self.example:
            file = self._typed()
        st.caption(KEEPING)
        if file is None:
            earlier = LENT if held(place.settings.own) else self.earlier
            if idle := (earlier if place.settings.own_data is not None else "") or self.idle:
                st.caption(idle)
        else:
            try:
                self._take(place, read_once(file, f"{key} read", *self.reading), file.file_id)
            except ValueError as error:
                st.error("\n\n".join(plain(line) for line in str(error).split("\n")))
        self._offer_none(place)

    def _typed(self) -> Typed | None:
        """Draw the box to type in, and return what it holds, if there is anything."""
        text: str = st.text_area(
            "Or type them",
            key=f"{self.widget[1]} typed",
            placeholder=self.example,
            height=100,
            max_chars=MOST_TYPED,
            help="A row for each, as in a file. A click outside the box takes them.",
        )
        return Typed(text) if text.strip() else None

    def _take(self, place: Place[Any], read: Any, file: str) -> None:
        if (chosen := self.choose(read)) is None:
            return
        choice, data, said = chosen
        key = f"{place.stage} own choice"
        if st.session_state.get(key) != (file, *choice):
            st.session_state[key] = (file, *choice)
            place.change(own=keep_own(data))
        if said:
            st.caption(said)

    def _offer_none(self, place: Place[Any]) -> None:
        """Draw the button that removes all data, where a learner can begin with none."""
        found = place.settings.own_data
        there = self.remove and (found is None or len(found.labels))
        if there and pressed(self.remove, icon=":material/delete:"):
            place.change(own=keep_own(type(place.settings).takes.none))
            st.rerun()


def read_once(file: Any, key: str, check_size: Callable[[int, str], None], read: Callable[[bytes, str], T]) -> T:
    """Return the content of an uploaded file.

    Parameters
    ----------
    file : UploadedFile or Typed
        Of Streamlit's object only ``getvalue`` copies the bytes.
    key : str
        The session's key for the content, or for the error.
    check_size : callable
        ``check_size(bytes, name)`` raises a `ValueError` if the file is too large to be read.
    read : callable
        ``read(content, name)`` returns what the file holds, or raises a `ValueError`.

    Raises
    ------
    ValueError
        The error of the reader, also when the same file is read again.
    """
    kept: Any = st.session_state.get(key)
    if kept is None or kept[0] != file.file_id:
        try:
            check_size(file.size, file.name)
            with st.spinner("Reading the file …"):
                kept = file.file_id, read(file.getvalue(), file.name), None
        except ValueError as error:
            kept = file.file_id, None, error
        st.session_state[key] = kept
    if kept[2] is not None:
        raise kept[2]
    return kept[1]
