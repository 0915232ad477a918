"""The desk at which a learner writes a rule, as a part of a page."""

from collections.abc import Callable, Sequence

import streamlit as st

from pages.contract.case import RuleOption
from pages.judge.packing import RuleAsked, described
from pages.player.modules import loader
from pages.player.turns import session
from samplers.judge.bank import PROBLEMS

_desk = st.components.v2.component("samplescope_rule", js=loader("judge/component.js"), isolate_styles=False)


def desk(
    problem: str,
    name: str,
    given: Sequence[str] | None,
    seed: int,
    take: Callable[[Sequence[str]], None],
    written: Sequence[str],
    case: Sequence[RuleOption] | None,
    write: Callable[[Sequence[str]], None],
) -> None:
    """Mount the desk of a question.

    Parameters
    ----------
    problem : str
        The id of the problem in the bank.
    name : str
        The question's name, under which the browser keeps what was written.
    given : sequence of str or None
        The lines that were proved; None before that.
    seed : int
        The seed of the chain that moves by the rule.
    take : callable
        Called with the lines once they are proved.
    written : sequence of str
        The lines by which the stage moves; none if there are none yet.
    case : sequence of RuleOption or None
        The update on the stage; None if the stage cannot play the rule, so that the desk does.
    write : callable
        Called with the lines when they are others and can be read, and with none when they are gone.
    """
    key = f"rule {name}"

    def heard(event: str, hear: Callable[[Sequence[str]], None]) -> None:
        texts = st.session_state[key][event]
        if isinstance(texts, list) and all(isinstance(text, str) for text in texts):
            hear(texts)

    told: RuleAsked = {
        "problem": described(PROBLEMS[problem]),
        "name": name,
        "given": given,
        "seed": seed,
        "session": session(),
        "written": written,
        "case": case,
    }
    _desk(
        key=key,
        data=[told],
        on_proved_change=lambda: heard("proved", take),
        on_wrote_change=lambda: heard("wrote", write),
    )
