"""The panel of a file: what was read in it, and how a learner corrects that.

The first rows are a table; above each column are its type and its part. What is not changed stays as guessed.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from html import escape
from typing import Any

import streamlit as st

from lessons.data.decode import ENCODINGS
from lessons.data.layout import SEPARATORS, How
from lessons.data.phrases import short
from lessons.data.sheet import Sheet
from lessons.data.sheet_column import Kind
from lessons.own.taking import NOT_USED, Choice, Taking
from pages.drawing.markdown import plain
from pages.lesson.page import Html

GUESS = ""
NAMES = SEPARATORS | {":": "colon", "\n": "none: each line is a cell"}
MARKS = {".": "point", ",": "comma"}
HEADER = {True: "names", False: "data"}
TYPES: tuple[Kind, ...] = ("number", "category", "text")
MOST_SHOWN = 8  # columns that are shown unless all are asked for
LONGEST_CELL = 40  # characters
WIDTH = 124  # of a column, in pixels: a part of the third is in sight where there is room for two


def asked(key: str) -> How:
    """Return how the file with this key in the session is to be read, as far as a learner said."""
    header = _chosen(f"{key} header")
    return How(
        _chosen(f"{key} encoding") or "",
        _chosen(f"{key} separator") or "",
        _chosen(f"{key} decimal") or "",
        header if isinstance(header, bool) else None,
        sheet=_chosen(f"{key} sheet") or "",
    )


def _chosen(key: str) -> Any:
    return st.session_state.get(key)


def reading(key: str, sheet: Sheet | None) -> None:
    """Draw how a file is read: separator, decimal sign, first row, encoding, sheet; each can be changed."""
    now = sheet.how if sheet else How()
    kept = f"{key} sheets"  # also while one of them cannot be read
    tables: tuple[str, ...] = sheet.tables if sheet else st.session_state.get(kept, ())
    st.session_state[kept] = tables
    with st.container(key="read-as"):
        if tables:
            _chips("Sheet", f"{key} sheet", dict(zip(tables, tables, strict=True)), now.sheet)
        else:
            _chips("Separator", f"{key} separator", NAMES, now.separator)
        _chips("Decimal sign", f"{key} decimal", MARKS, now.decimal)
        _chips("First row", f"{key} header", HEADER, now.header)
        if not tables:
            known = filter(None, dict.fromkeys([*ENCODINGS, now.encoding]))
            _chips("Encoding", f"{key} encoding", {name: name for name in known}, now.encoding)


def _chips(label: str, key: str, names: Mapping[Any, str], guess: Any) -> None:
    """Draw ways to read a file as chips: the one in use is pressed, and to press it again leaves it to the reader."""
    chosen = _chosen(key)
    chips, told = f"{key} chips", chosen not in (None, GUESS)
    now = chosen if told else guess
    st.session_state[chips] = now if now in names else None

    def take() -> None:
        pressed = st.session_state[chips]
        st.session_state[key] = GUESS if pressed is None else pressed

    said = "chosen" if told else "guessed" if now in names else "not known"
    st.pills(f"{label}: {said}", [*names], format_func=names.__getitem__, key=chips, on_change=take)


def columns(key: str, sheet: Sheet, takes: Taking[Any], standardise: bool) -> tuple[Sheet, Choice]:
    """Draw the first rows with the type and the part of each column above it.

    Returns
    -------
    Sheet
        The same, with the types that a learner chose.
    Choice
        What is chosen in it. Of a file that is read otherwise it begins with the guess.

    Raises
    ------
    ValueError
        If nothing in the file can be used, in words for people.
    """
    problem: ValueError | None = None
    guessed: dict[str, str] = {}
    try:
        guessed = dict(takes.guess(sheet, Choice()))
    except ValueError as error:  # a learner may still choose
        problem = error
    key = f"{key} {hashlib.sha256(repr((sheet.how, guessed)).encode()).hexdigest()[:8]}"
    sheet = _retyped(key, sheet)
    shown = _shown(key, sheet, guessed)
    chosen: dict[str, str] = {}
    with st.container(horizontal=True, vertical_alignment="bottom", key="sheet"):
        _numbers(sheet)
        for name in shown:
            chosen[name] = _column(key, sheet, name, takes, guessed)
    with st.expander("Why these types"):
        st.caption("\n".join(f"- {_why(sheet, name)}" for name in shown))
    parts = {
        name: chosen.get(name) or st.session_state.get(f"{key} part {name}", guessed.get(name, NOT_USED))
        for name in sheet.names
    }
    st.session_state[f"{key} parts"] = parts
    if problem and {*parts.values()} == {NOT_USED}:
        raise problem
    return sheet, takes.choice(parts, standardise, sheet.how)


def _retyped(key: str, sheet: Sheet) -> Sheet:
    """Return a sheet with the types that a learner chose."""
    kinds = [(name, st.session_state.get(f"{key} type {name}")) for name in sheet.names]
    said = tuple((name, kind) for name, kind in kinds if kind and kind != _type(sheet.column(name).kind))
    return replace(sheet.retyped(dict(said)), how=replace(sheet.how, kinds=said)) if said else sheet


def told(sheet: Sheet, choice: Choice) -> str:
    """Return the first rows of the columns that are used as HTML, with their types and parts."""
    parts = {**dict.fromkeys(choice.columns, "used"), choice.label: "label", choice.text: "text"}
    used = [name for name in sheet.names if name in parts]
    heads = "".join(
        f'<th scope="col">{escape(name)}<br><small>{sheet.column(name).kind}, {parts[name]}</small></th>'
        for name in used
    )
    places = [sheet.names.index(name) for name in used]
    rows = "".join(
        f"<tr>{''.join(f'<td>{escape(_cell(row[place]))}</td>' for place in places)}</tr>" for row in sheet.preview()
    )
    return f'<table class="own-sheet"><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>'


def _shown(key: str, sheet: Sheet, guessed: Mapping[str, str]) -> list[str]:
    """Return the columns that are drawn: those with a part, and the first ones; or all, if that is asked for."""
    names = list(sheet.names)
    if len(names) <= MOST_SHOWN or st.toggle(f"Show all {len(names)} columns", key=f"{key} all"):
        return names
    others = [name for name in names if name not in guessed]
    kept = {*guessed, *others[: max(0, MOST_SHOWN - len(guessed))]}
    return [name for name in names if name in kept]


def _type(kind: Kind) -> Kind:
    return "number" if kind == "running number" else kind if kind in TYPES else "text"


def _why(sheet: Sheet, name: str) -> str:
    column = sheet.column(name)
    return f"**{plain(name)}**, {column.kind}: {plain(column.why)}"


def _numbers(sheet: Sheet) -> None:
    cells = "".join(f"<li>{row}</li>" for row in sheet.row_numbers[: len(sheet.preview())].tolist())
    with st.container(key="sheet-rows", width=44):
        st.html(Html(f'<b>row</b><ol class="cells" aria-label="Row numbers">{cells}</ol>'))


def _column(key: str, sheet: Sheet, name: str, takes: Taking[Any], guessed: Mapping[str, str]) -> str:
    """Draw a column with its menus, and return its part."""
    column, place = sheet.column(name), sheet.names.index(name)
    options = [NOT_USED, *takes.parts]

    def take() -> None:
        _make_room(key, sheet.names, name, takes, guessed)

    with st.container(key=f"sheet-column-{place}", width=WIDTH):
        st.html(Html(f"<b>{escape(name)}</b>"))
        st.selectbox(
            f"{name}: type",
            TYPES,
            TYPES.index(_type(column.kind)),
            key=f"{key} type {name}",
            label_visibility="collapsed",
        )
        part: str = st.selectbox(
            f"{name}: part",
            options,
            options.index(guessed.get(name, NOT_USED)),
            key=f"{key} part {name}",
            on_change=take,
            label_visibility="collapsed",
        )
        cells = "".join(f"<li>{escape(_cell(row[place]))}</li>" for row in sheet.preview())
        st.html(Html(f'<ol class="cells" aria-label="First cells of {escape(name)}">{cells}</ol>'))
    return part


def _cell(text: str) -> str:
    line = short(text)
    return (line if len(line) <= LONGEST_CELL else f"{line[: LONGEST_CELL - 1]}…") or "\u00a0"


def _make_room(key: str, names: Sequence[str], name: str, takes: Taking[Any], guessed: Mapping[str, str]) -> None:
    """Take a part that a column got away from another one, if it may have fewer columns; x and y change places."""
    part, before = st.session_state[f"{key} part {name}"], st.session_state.get(f"{key} parts", guessed).get(name)
    left = before if {part, before} == {"x", "y"} else NOT_USED
    if part == NOT_USED:
        return
    others = [
        other
        for other in names
        if other != name and st.session_state.get(f"{key} part {other}", guessed.get(other)) == part
    ]
    for other in others[: max(0, len(others) + 1 - takes.parts[part])]:
        st.session_state[f"{key} part {other}"] = left
