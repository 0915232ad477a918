"""The drawing of tools: what a learner changes with one is shown by the stage, the cards and the link."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
import streamlit as st

from lessons.topics.ibp_features import IBPFeaturesSettings
from pages.contract.tools import Field, Number, Pick, Press, Several, Slide, Tool
from pages.lesson import tools, typed
from pages.lesson.state import Visit

WORDS = {1: "one", 2: "two"}
KINDS: list[tuple[Callable[[Visit], Tool], Any, str, Any]] = [  # a tool, a report of the browser, and what it sets
    (lambda _: Pick("row", "Row", WORDS, 1, width=90), 2, "row", 2),
    (lambda _: Pick("row", "Row", WORDS, 1, pills=True, beside="Row"), 2, "row", 2),
    (lambda place: Several("on", "On", WORDS, [1], lambda on: place.change(turned=sum(on))), [1, 2], "turned", 3),
    (lambda _: Slide("angle", "Turn", 0, 90, width=150), 30, "angle", 30),
    (lambda _: Number("row", "Row", 9), "4", "row", 4),
    (lambda place: Field("f", "F", "", lambda text: place.change(row=len(text)), longest=9, width=99), "abc", "row", 3),
]


class Drawn(SimpleNamespace):
    """Streamlit with widgets that note how they are drawn."""

    def __init__(self) -> None:
        super().__init__(**{name: getattr(st, name) for name in ("session_state", "markdown", "container")})
        for name in ("selectbox", "pills", "slider", "text_input", "button"):
            setattr(self, name, self._note)
        self.look: dict[str, Any] = {}

    def _note(self, *_: object, **look: Any) -> None:
        self.look = look


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> Drawn:
    drawn = Drawn()
    for module in (tools, typed):
        monkeypatch.setattr(module, "st", drawn)
    monkeypatch.setattr(tools, "draw_again", lambda parts: setattr(drawn, "again", parts))
    return drawn


@pytest.mark.parametrize(("make", "reported", "name", "value"), KINDS)
def test_what_a_tool_changes_is_drawn_again_on_the_stage_as_well(drawn, make, reported, name, value):
    place = Visit("ibp_features", IBPFeaturesSettings())
    tools.draw(place, [make(place)])
    st.session_state[drawn.look["key"]] = reported
    drawn.look["on_change"]()
    assert getattr(place.settings, name) == value
    assert drawn.again == ["stage", "readout"], "the link on the stage names what is picked"


def test_a_button_for_what_is_looked_at_draws_that_again(drawn):
    place = Visit("ibp_features", IBPFeaturesSettings())
    tools.draw(place, [Press("Go", lambda: place.change(row=3), looks=True)])
    drawn.look["on_click"](*drawn.look["args"])
    assert (place.settings.row, drawn.again) == (3, ["stage", "readout"])


def test_after_any_other_button_the_page_is_drawn_anew_before_the_next_tool_is_made(drawn, monkeypatch):
    class Anew(Exception):  # noqa: N818, as Streamlit stops a run
        pass

    def anew() -> None:
        raise Anew

    place, made = Visit("ibp_features", IBPFeaturesSettings()), []

    def of_a_stage():
        yield Press("Go", lambda: place.change(row=3))
        made.append("another")

    drawn.rerun = anew
    monkeypatch.setattr(tools, "pressed", lambda label, **_: label == "Go")
    with pytest.raises(Anew):
        tools.draw(place, of_a_stage())
    assert (place.settings.row, made) == (3, [])
