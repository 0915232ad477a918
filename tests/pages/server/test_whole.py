"""A message is taken in to the end of its callbacks, though the next one is there already."""

import pytest
from streamlit.runtime.scriptrunner import RerunData, RerunException
from streamlit.runtime.state import SessionState
from streamlit.runtime.state.safe_session_state import SafeSessionState

from pages.server.whole import take_in_whole


class Pressed(SessionState):
    """A session in which a callback sets something."""

    def on_script_will_rerun(self, *args, **named):
        self.safe["pressed"] = True


def cut():
    raise RerunException(RerunData())


def a_session() -> SafeSessionState:
    state = Pressed()
    state.safe = SafeSessionState(state, cut)
    return state.safe


def test_a_callback_is_not_cut_short_and_the_script_is(monkeypatch):
    monkeypatch.setattr(SafeSessionState, "on_script_will_rerun", SafeSessionState.on_script_will_rerun)
    take_in_whole()
    take_in_whole()  # once is enough
    session = a_session()
    session.on_script_will_rerun(None)
    assert session.filtered_state["pressed"]
    with pytest.raises(RerunException):
        session["pressed"]


def test_streamlit_itself_would_cut_it_short(monkeypatch):
    plain = SafeSessionState.on_script_will_rerun
    monkeypatch.setattr(SafeSessionState, "on_script_will_rerun", getattr(plain, "__wrapped__", plain))
    with pytest.raises(RerunException):
        a_session().on_script_will_rerun(None)
