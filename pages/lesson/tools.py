"""A topic's tools, drawn: each kind of `pages.contract.tools` as a widget of Streamlit."""

from collections.abc import Callable, Iterable
from contextlib import nullcontext
from typing import Any

import streamlit as st

from lessons.catalogue import topic_info
from pages.contract.place import Place
from pages.contract.tools import (
    Computation,
    Failed,
    Field,
    Link,
    Note,
    Number,
    Own,
    Pick,
    Press,
    Several,
    Slide,
    Take,
    Tool,
    Verdict,
)
from pages.contract.uploads import Upload
from pages.drawing.markdown import plain
from pages.lesson import own_chains, uploads
from pages.lesson.lessons import carried
from pages.lesson.state import Visit
from pages.lesson.typed import kept, number_field
from pages.lesson.widgets import bound, bound_choice, pressed
from pages.player.player import draw_again

LOOKED_AT = ["stage", "readout"]  # the stage as well, because the link names what is picked


def draw(place: Visit, tools: Iterable[Tool]) -> None:
    """Draw tools one after another: a stage makes each of them when those before it have been drawn and used."""
    for tool in tools:
        match tool:
            case Press():
                _press(tool)
            case Pick(pills=True):
                _pills(place, tool)
            case Pick():
                _pick(place, tool)
            case Several():
                _several(place, tool)
            case Slide():
                _slide(place, tool)
            case Number():
                _number(place, tool)
            case Field():
                _field(place, tool)
            case Computation():
                _computation(tool)
            case Note(icon=""):
                st.caption(plain(tool.text))
            case Note():
                st.info(plain(tool.text), icon=tool.icon)
            case Verdict():
                _beside(f"**{plain(tool.words)}** ({tool.chance:.2f})")
            case Link():
                there = carried(**tool.values)
                st.page_link(topic_info(tool.topic).page, label=tool.label, icon=tool.icon or None, query_params=there)
            case Own():
                with st.expander("Your own data instead") if tool.folded else nullcontext():
                    _own(place, tool)


def _beside(words: str) -> None:
    st.markdown(words, width="content")


def _sets(place: Place[Any], name: str) -> Take:
    return lambda value: place.change(**{name: value})


def _taken(take: Take) -> Callable[[Any], None]:
    """Return a callback that draws again the parts of the page that show what was taken."""

    def taken(value: object) -> None:
        take(value)
        draw_again(LOOKED_AT)

    return taken


def _press(tool: Press) -> None:
    look: dict[str, Any] = {"icon": tool.icon or None, "help": tool.help}
    if tool.looks:
        st.button(tool.label, on_click=_taken(lambda _: tool.act()), args=(None,), **look)
    elif pressed(tool.label, **look):
        tool.act()
        st.rerun()


def _labelled(beside: str) -> dict[str, Any]:
    """Write the words beside a widget, and return the look of one that has them in place of its label."""
    if not beside:
        return {}
    _beside(beside)
    return {"label_visibility": "collapsed"}


def _pick(place: Visit, tool: Pick) -> None:
    look = _labelled(tool.beside)
    if tool.width:
        look |= {"label_visibility": "collapsed", "width": tool.width}
    take = _taken(tool.take or _sets(place, tool.name))
    look |= bound_choice(place, f"inspected {tool.name}", [*tool.options], tool.value, take)
    st.selectbox(tool.label, format_func=tool.options.__getitem__, help=tool.help, **look)


def _pills(place: Visit, tool: Pick) -> None:
    look = _labelled(tool.beside)
    take = _taken(tool.take or _sets(place, tool.name))
    look |= bound(place, tool.name, tool.value, take, tool.among)
    words, default = tool.options.__getitem__, look.pop("value")
    st.pills(tool.label, [*tool.options], default=default, format_func=words, help=tool.help, **look)


def _several(place: Visit, tool: Several) -> None:
    look = bound(place, tool.name, tool.value, _taken(tool.take), tool.among)
    st.pills(
        tool.label,
        [*tool.options],
        selection_mode="multi",
        default=look.pop("value"),
        format_func=tool.options.__getitem__,
        label_visibility="collapsed",
        **look,
    )


def _slide(place: Visit, tool: Slide) -> None:
    look = _labelled(tool.beside)
    take = _taken(_sets(place, tool.name))
    look |= bound(place, f"inspected {tool.name}", getattr(place.settings, tool.name), take)
    st.slider(tool.label, tool.low, tool.high, step=tool.step, help=tool.help, width=tool.width, **look)


def _number(place: Visit, tool: Number) -> None:
    if not tool.icon:
        _beside(tool.label)
    number_field(
        place,
        f"inspected {tool.name}",
        tool.label,
        min(getattr(place.settings, tool.name), tool.most),
        (1, tool.most),
        kept(_taken(_sets(place, tool.name))),
        whole=True,
        label_visibility="collapsed",
        width=tool.width,
        icon=tool.icon or None,
        help=tool.help,
    )


def _field(place: Visit, tool: Field) -> None:
    st.text_input(
        tool.label,
        max_chars=tool.longest,
        label_visibility="collapsed",
        placeholder=tool.hint,
        icon=tool.icon or None,
        width=tool.width,
        **bound(place, tool.name, tool.value, _taken(tool.take), tool.among),
    )


def _computation(tool: Computation) -> None:
    if pressed(tool.label, icon=tool.icon or None):
        with st.spinner(tool.meanwhile):
            try:
                st.session_state[tool.key] = tool.compute()
            except Failed as error:
                st.error(plain(str(error)))
    found = st.session_state.get(tool.key)
    if found is not None:
        st.html(tool.show(found))


def _own(place: Visit, tool: Own) -> None:
    if isinstance(tool.upload, Upload):
        uploads.draw(place, tool.upload)
    else:
        own_chains.draw(place)
