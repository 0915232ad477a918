"""The controls of a stage, made from its settings, with the names, limits and explanations of lessons and links."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args, get_origin

import streamlit as st
from pydantic.fields import FieldInfo

from lessons.settings.settings import OWN, SEED_HIGH, SEED_LOW, flags_of, limits
from pages.contract.charts import Dial
from pages.contract.following import RUN
from pages.contract.place import Place
from pages.contract.stage import Stage
from pages.lesson.state import Visit
from pages.lesson.typed import kept, number_field
from pages.lesson.widgets import bound, bound_choice
from pages.player.player import Offers

FEW = 3  # as many controls, with the seed, need no headings


@dataclass(frozen=True)
class Group:
    """Controls under a heading that folds them away.

    Attributes
    ----------
    heading : str
        The heading.
    names : list of str
        The settings that the controls change.
    open : bool
        Whether the controls are in view when the page opens.
    """

    heading: str
    names: list[str]
    open: bool


def controls(place: Visit) -> None:
    """Draw the controls of the step; each change of a control changes the topic's settings."""
    seen = place.screen()
    above, groups = grouped(place, seen.controls)
    _pairs(place, above, seen.locked)
    if "seed" in seen.controls:
        _seed(place, seen.locked)
    for group in groups:
        with st.expander(group.heading, expanded=group.open):
            _pairs(place, group.names, seen.locked)


def grouped(place: Visit, shown: Sequence[str]) -> tuple[list[str], list[Group]]:
    """Return which controls of a step are always in view, and which the stage's headings fold away.

    A few controls need no headings. In free play the stage's first heading is open, and in a lesson each with a control
    that the step names.
    """
    names = [name for name in shown if name not in ("seed", *place.settings.dials)]
    folds = place.settings.folds if len(names) + ("seed" in shown) > FEW else {}
    above = [name for name in names if not any(name in folded for folded in folds.values())]
    within = {heading: [name for name in folded if name in names] for heading, folded in folds.items()}
    first = next(iter(folds), None) if place.lesson is None else None
    return above, [
        Group(heading, under, heading == first or _named(place, under)) for heading, under in within.items() if under
    ]


def _named(place: Visit, names: Sequence[str]) -> bool:
    """Return whether the text of the open step, or one of its goals, has the title of one of these controls in bold."""
    current = place.current()
    said = "\n".join([current[1].body, *(goal.text for goal in current[1].goals)]) if current else ""
    return any(f"**{type(place.settings).model_fields[name].title}**" in said for name in names)


def _pairs(place: Visit, shown: Sequence[str], locked: bool) -> None:
    fields = type(place.settings).model_fields
    for pair in (shown[i : i + 2] for i in range(0, len(shown), 2)):
        for column, name in zip(st.columns(len(pair)), pair, strict=True):
            with column:
                _control(place, name, fields[name], locked)


def dials(place: Place[Any], shown: Sequence[str]) -> list[Dial]:
    """Return the step's dials: those of the controls it shows that are beside the charts."""
    return [_dial(place, name) for name in shown if name in place.settings.dials]


def offers(stage: Stage[Any], place: Place[Any], shown: Sequence[str]) -> Offers:
    """Return the ways to act on the charts of a place; on a wall, runs are opened."""
    settings = place.settings
    levels, opens = ((), (RUN,)) if settings.many else (stage.levels(settings), stage.opens)
    return Offers(dials(place, shown), levels, opens, stage.follows(settings))


def _dial(place: Place[Any], name: str) -> Dial:
    field = type(place.settings).model_fields[name]
    value = getattr(place.settings, name)
    words = str(field.title), str(field.description)
    if options := get_args(field.annotation):
        return Dial(name, *words, 0, len(options) - 1, 1, options.index(value), _said(field))
    return Dial(name, *words, *limits(field), flags_of(field)["step"], value)


def _said(field: FieldInfo) -> tuple[str, ...]:
    """Return the options of a choice in the words that learners read."""
    names = flags_of(field)["words"]
    return tuple(names.get(option, words(option)) for option in get_args(field.annotation))


def _control(place: Visit, name: str, field: FieldInfo, locked: bool) -> None:
    value = getattr(place.settings, name)
    look: dict[str, Any] = {"help": field.description, "disabled": locked}

    def change(value: object) -> None:
        place.change(**{name: value})

    if get_origin(field.annotation) is Literal:
        options = get_args(field.annotation)
        said = dict(zip(options, _said(field), strict=True))
        if name == "data" and place.lesson and place.lent:
            said[OWN] = "The lesson’s data"
        look |= bound_choice(place, name, options, value, change)
        st.selectbox(str(field.title), format_func=said.__getitem__, **look)
        return
    number: Any = field.annotation  # int or float: all numbers of a slider must have one type
    low, high = map(number, limits(field))
    if flags_of(field).get("typed"):
        number_field(place, name, str(field.title), value, (low, high), kept(change), whole=number is int, **look)
        return
    look |= bound(place, name, value, change)
    st.slider(str(field.title), low, high, step=number(flags_of(field)["step"]), **look)


def words(option: str) -> str:
    """Return an option in the words that learners read: capitalised, unless it begins with a symbol."""
    text = option.replace("_", " ")
    return text[:1].upper() + text[1:] if re.match(r"[a-z]{2}", text) else text


def _seed(place: Visit, locked: bool) -> None:

    def reseed(seed: Any) -> None:
        place.seed = seed

    def another() -> None:
        reseed(place.seed + 1 if place.seed < SEED_HIGH else SEED_LOW)

    with st.container(horizontal=True, vertical_alignment="bottom"):
        number_field(
            place,
            "seed",
            "Seed",
            place.seed,
            (SEED_LOW, SEED_HIGH),
            kept(reseed),
            whole=True,
            disabled=locked,
            help="The same seed gives the same run, here and in a link.",
        )
        st.button("Next seed", on_click=another, icon=":material/casino:", disabled=locked)
