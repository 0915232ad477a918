"""A form for the step at hand, made from the schema: what is set in it is written into the step's own YAML."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import streamlit as st
from pydantic import BaseModel

from lessons.format.markdown import Outline, Section
from lessons.format.patch import Where, put, remove
from lessons.format.problems import Report
from lessons.format.schema import KINDS, WORDS, FrontMatter
from lessons.format.values import Values
from lessons.settings.settings import OWN as OWN_DATA
from lessons.settings.settings import StageSettings
from lessons.topics import STAGES
from pages.lesson.typed import kept, number_field
from pages.lesson.widgets import bound, bound_choice
from pages.studio.desk import Desk

OWN = ("kind", "schema", "id")  # keys that are set in the text alone, or by a box of their own
FENCE = "```"
MOST = 2**53 - 1  # of what a browser's field can hold


@dataclass(frozen=True)
class FormField:
    """One value that can be set: where, what it may be as JSON Schema has it, and of names which there are."""

    where: Where
    schema: Mapping[str, Any]
    options: tuple[str, ...] = ()

    @property
    def start(self) -> Any:
        """The value that it has when it is first set."""
        kind, first = self.schema["type"], self.schema.get("default")
        if first is not None:
            return first
        empty: dict[str, Any] = {"array": [], "boolean": False, "string": self.options[0] if self.options else "…"}
        return empty.get(kind, self.schema.get("minimum", int("exclusiveMinimum" in self.schema)))

    def has(self, value: Any) -> bool:
        """Return whether it may be this value, so that a widget can show it."""
        kind, low, high = self.schema["type"], self.schema.get("minimum"), self.schema.get("maximum")
        if kind == "array":
            names = {*map(str, value)} if isinstance(value, list) else {""}
            return names <= {*self.options} and len(names) == len(value)
        if kind in ("string", "boolean"):
            return type(value) is {"string": str, "boolean": bool}[kind] and (not self.options or value in self.options)
        right = type(value) is int or (kind == "number" and type(value) is float)
        return right and abs(value) <= MOST and (low is None or low <= value) and (high is None or value <= high)


def entries(part: type[BaseModel], stage: type[StageSettings]) -> dict[str, FormField]:
    """Return the keys of a step block or of the front matter that can be set, by dotted names."""
    schema = part.model_json_schema()
    return {".".join(entry.where): entry for entry in _entries(schema, schema.get("$defs", {}), stage, ())}


def _entries(
    schema: Mapping[str, Any], shared: Mapping[str, Any], stage: type[StageSettings], under: Where
) -> Iterator[FormField]:
    names = {
        "show": stage.controls,
        "charts": stage.charts,
        "chart": stage.charts,
        "open": tuple(stage.views),
        "outcome": tuple(stage.measured),
        "hide": tuple(dict.fromkeys((*WORDS, *stage.charts, *stage.views))),
    }
    for name, given in schema["properties"].items():
        one = next((kind for kind in given.get("anyOf", ()) if kind.get("type") != "null"), given)
        one = {**shared.get(one.get("$ref", "").rpartition("/")[2], {}), **given, **one}
        where = (*under, name)
        options = tuple(one.get("enum") or one.get("items", {}).get("enum") or names.get(name, ()))
        if name in OWN:
            continue
        if "properties" in one:
            yield from _entries(one, shared, stage, where)
        elif name in ("settings", "stage_settings"):
            for setting, limits in stage.model_json_schema()["properties"].items():
                if limits.get("lesson", True):
                    values = (value for value in limits.get("enum", ()) if value != OWN_DATA)
                    yield FormField((*where, setting), limits, tuple(values))
        elif name == "expect":
            for outcome, meaning in stage.measured.items():
                yield FormField((*where, outcome), {"type": "number", "description": meaning})
        elif one.get("type") in ("integer", "number", "boolean", "string") or options:
            yield FormField(where, one, options)


@dataclass(frozen=True)
class Block:
    """A piece of YAML in a text: its first line, from 0, and how many lines it has."""

    part: type[BaseModel]
    start: int
    many: int

    def text(self, whole: str) -> str:
        """Return it out of the whole text."""
        return "\n".join(whole.split("\n")[self.start : self.start + self.many])

    def put(self, whole: str, text: str) -> str:
        """Return the whole text with another one in its place."""
        lines = whole.split("\n")
        return "\n".join([*lines[: self.start], *text.rstrip("\n").split("\n"), *lines[self.start + self.many :]])


def block_of(pieces: Outline, section: Section | None, data: Mapping[str, Any]) -> Block | None:
    """Return the YAML of a step, or the front matter if there is no step; None if there is none that can be read."""
    if section is None:
        return None if pieces.front is None else Block(FrontMatter, 1, pieces.front.count("\n") + 1)
    kind = data.get("kind")
    if section.block is None or not section.block_closed or not isinstance(kind, str) or kind not in KINDS:
        return None
    return Block(KINDS[kind], section.block_line - 1, section.block.count("\n") + 1)


def with_block(text: str, pieces: Outline, section: Section) -> str:
    """Return a text in which a step that has no block has one, at its end."""
    lines = text.split("\n")
    end = next((other.line - 1 for other in pieces.sections if other.line > section.line), len(lines))
    while end and not lines[end - 1].strip():
        end -= 1
    return "\n".join([*lines[:end], "", f"{FENCE}step", "kind: explain", FENCE, *(lines[end:] or [""])])


def draw(here: Desk) -> None:
    """Draw the form for the step in which the cursor is."""
    pieces = here.pieces()
    section = here.section(pieces)
    front = _values(pieces.front)
    stage = STAGES.get(str(front.get("stage")))
    data = data_of(pieces, section)
    title = f"“{section.title}”" if section else "The whole lesson"
    with st.expander(f"Form: {title}", icon=":material/tune:", key="form"):
        block = block_of(pieces, section, data)
        if section is not None and section.block is None and not section.meant_line:
            st.caption("This step has only text.")
            st.button("Give it a step block", on_click=lambda: here.set(with_block(here.text, pieces, section)))
        elif block is None or stage is None:
            st.caption("The YAML here, or the lesson's stage, cannot be read: correct it in the text first.")
        else:
            name = f"{here.path} {section.id if section else ''}"
            _draw(here, block, data, entries(block.part, stage), name, front.get("stage_settings"))


def data_of(pieces: Outline, section: Section | None) -> dict[str, Any]:
    """Return the values of a step's YAML, or of the front matter if there is no step."""
    return _values(pieces.front if section is None else section.block)


def _values(yaml: str | None) -> dict[str, Any]:
    return Values(yaml, 1, Report(Path())).data if yaml else {}


def _draw(
    here: Desk, block: Block, data: Mapping[str, Any], known: Mapping[str, FormField], name: str, base: Any
) -> None:
    """Draw the form of a block: `base` are the lesson's own settings, with which a step's begin."""

    def write(*changes: tuple[Where, Any]) -> None:
        text = block.text(here.text)
        try:
            for where, value in changes:
                text = remove(text, where) if value is None else put(text, where, value)
        except ValueError as error:
            here.said = f"Not set: {error}. Correct it in the text."
        else:
            here.set(block.put(here.text, text))

    def become(kind: str) -> None:
        needed = KINDS[kind].model_json_schema()["required"]
        missing = {key: 10 if key == "until" else 0 for key in needed if key not in data and key != "kind"}
        write((("kind",), kind), *(((key,), value) for key, value in missing.items()))

    def choose(names: list[str]) -> None:
        other = [one for one in known if (one in names) != (one in present)]
        write(*((known[one].where, _start(known[one], base) if one in names else None) for one in other))

    present = [one for one, entry in known.items() if _at(data, entry.where) is not None]
    if "kind" in data:
        st.selectbox("kind", **bound_choice(here, f"{name} kind", list(KINDS), data["kind"], become))
    box = f"{name} keys {block.part.__name__}"
    shown = here.widgets[box].value if box in here.widgets else None
    order = shown if isinstance(shown, list) and {*shown} == {*present} else present  # as they were chosen
    look = bound(here, box, order, choose)
    st.multiselect(
        "What is set here", list(known), default=look.pop("value"), filter_mode="contains", select_all=False, **look
    )
    for number, one in enumerate(present):
        if number % 2 == 0:
            columns = st.columns(2)
        with columns[number % 2]:
            entry, value = known[one], _at(data, known[one].where)
            if entry.has(value):
                _widget(here, name, entry, value, lambda new, where=entry.where: write((where, new)))
            else:
                st.caption(f"Correct `{one}` in the text.")


def _widget(here: Desk, name: str, entry: FormField, value: Any, take: Any) -> None:
    label, kind = ".".join(entry.where), entry.schema["type"]
    about: dict[str, Any] = {"help": entry.schema.get("description")}
    if kind == "string" and entry.options:
        st.selectbox(label, **about, **bound_choice(here, f"{name} {label}", entry.options, value, take))
        return
    if kind in ("integer", "number"):
        low, high = (entry.schema.get(end, out) for end, out in (("minimum", -MOST), ("maximum", MOST)))
        number_field(here, f"{name} {label}", label, value, (low, high), kept(take), whole=kind == "integer", **about)
        return
    look = about | bound(here, f"{name} {label}", value, take)
    if kind == "array":
        st.multiselect(label, entry.options, default=look.pop("value"), **look)
    elif kind == "boolean":
        st.toggle(label, **look)
    else:
        st.text_input(label, **look)


def _start(entry: FormField, base: Any) -> Any:
    """Return the value with which an entry begins: of a setting that of the lesson."""
    value = _at(base, entry.where[-1:]) if "settings" in entry.where else None
    return value if entry.has(value) else entry.start


def _at(data: Any, where: Where) -> Any:
    for key in where:
        data = data.get(key) if isinstance(data, Mapping) else None
    return data
