"""Controls of a stage, made from its settings: the same names, limits and explanations as in lessons and links."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, get_args, get_origin

import streamlit as st
from pydantic.fields import FieldInfo

from lessons.reader.settings import SEED_HIGH, SEED_LOW, limits
from pages.parts.player import Dial
from pages.parts.state import Topic


def controls(place: Topic) -> None:
    """Draw the controls of the step; a change of one changes the topic's settings."""
    fields = type(place.settings).model_fields
    shown = [name for name in _shown(place) if name not in place.settings.dials]
    for pair in (shown[i : i + 2] for i in range(0, len(shown), 2)):
        for column, name in zip(st.columns(len(pair)), pair, strict=True):
            with column:
                _control(place, name, fields[name])
    if "seed" in place.shown:
        _seed(place)


def dials(place: Topic) -> list[Dial]:
    """Return the controls of the step that stand beside the charts."""
    return [_dial(place, name) for name in _shown(place) if name in place.settings.dials]


def dialled(place: Topic, told: Mapping[str, Any]) -> None:
    """Take in where a learner has turned a dial, and at which iteration."""
    name = told["name"]
    if name in place.settings.dials:  # the report may have crossed with a change of page
        number: Any = type(place.settings).model_fields[name].annotation
        place.t = int(told["t"])
        place.change(**{name: number(told["value"])})


def _shown(place: Topic) -> list[str]:
    return [name for name in type(place.settings).model_fields if name in place.shown and place.settings.matters(name)]


def _dial(place: Topic, name: str) -> Dial:
    field = type(place.settings).model_fields[name]
    value = getattr(place.settings, name)
    return Dial(name, str(field.title), str(field.description), *limits(field), _extra(field)["step"], value)


def _extra(field: FieldInfo) -> dict[str, Any]:
    return field.json_schema_extra if isinstance(field.json_schema_extra, dict) else {}


def _control(place: Topic, name: str, field: FieldInfo) -> None:
    key = f"control {place.stage} {name}"
    st.session_state[key] = getattr(place.settings, name)  # a lesson or a link may have changed it

    def changed() -> None:
        place.change(**{name: st.session_state[key]})

    look: dict[str, Any] = {"key": key, "help": field.description, "on_change": changed}
    if get_origin(field.annotation) is Literal:
        st.selectbox(str(field.title), get_args(field.annotation), format_func=_words, **look)
        return
    number: Any = field.annotation  # int or float: a slider wants all of one type
    low, high = map(number, limits(field))
    draw = st.number_input if "typed" in _extra(field) else st.slider
    draw(str(field.title), low, high, step=number(_extra(field)["step"]), **look)


def _words(option: str) -> str:
    words = option.replace("_", " ")
    return words[:1].upper() + words[1:]


def _seed(place: Topic) -> None:
    key = f"control {place.stage} seed"
    st.session_state[key] = place.seed

    def changed() -> None:
        place.seed = int(st.session_state[key])

    def another() -> None:
        place.seed = place.seed + 1 if place.seed < SEED_HIGH else SEED_LOW

    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.number_input(
            "Seed",
            SEED_LOW,
            SEED_HIGH,
            key=key,
            on_change=changed,
            help="The same seed gives the same run, here and in a link.",
        )
        st.button("Next seed", on_click=another, icon=":material/casino:")
