"""The desk at which a learner writes a rule, as a part of a page."""

from collections.abc import Callable, Sequence

import streamlit as st

from pages.judge.packing import RuleAsked, described
from pages.player.modules import loader
from pages.player.turns import session
from samplers.judge.bank import PROBLEMS

_desk = st.components.v2.component("samplescope_rule", js=loader("judge/component.js"), isolate_styles=False)


def desk(
    problem: str, name: str, given: Sequence[str] | None, seed: int, take: Callable[[Sequence[str]], None]
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
    """
    key = f"rule {name}"

    def proved() -> None:
        texts = st.session_state[key].proved
        if isinstance(texts, list) and all(isinstance(text, str) for text in texts):
            take(texts)

    told: RuleAsked = {
        "problem": described(PROBLEMS[problem]),
        "name": name,
        "given": given,
        "seed": seed,
        "session": session(),
    }
    _desk(key=key, data=[told], on_proved_change=proved)
