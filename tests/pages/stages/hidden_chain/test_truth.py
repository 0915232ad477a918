"""The view *Truth* of a hidden chain: what it compares, and whether it would show a mistake."""

import re

import pytest

from lessons.stages.hidden_chain import HiddenChainSettings
from pages.stages.hidden_chain import scene_of, truth

SWEEPS = 1_000
LONG = {"data": "long", "hours": 60}


@pytest.fixture
def drawn(monkeypatch):
    """Return a function that returns what is drawn after the sweeps, and what is said."""
    found = {}
    monkeypatch.setattr(truth, "draw", lambda *given: found.update(drawn=given))
    monkeypatch.setattr(truth.st, "caption", lambda said: found.update(said=said))
    monkeypatch.setattr(truth.st, "html", lambda said: found.update(said=said))

    def after(sweep=SWEEPS, **settings):
        found.clear()
        truth.draw_truth(scene_of(HiddenChainSettings(**settings), 7), sweep)
        return found

    return after


@pytest.mark.parametrize("data", [{}, LONG], ids=["paths", "changes"])
@pytest.mark.parametrize("rule", ["right", "drawn from the filter"])
def test_the_error_is_that_of_independent_draws_only_by_the_right_rule(drawn, data, rule):
    _, _, bars, curve, posterior = drawn(method="block", block_rule=rule, **data)["drawn"]
    assert len(posterior) == (60 if data else 2**8)
    assert posterior.sum() == pytest.approx(1)
    error = curve[-1]["error"] / curve[-1]["floor"]
    assert error < 1.3 if rule == "right" else error > 2  # a block's sweeps are independent, with given parameters
    off = [abs(bar["share"] - bar["exact"]) for bar in bars]
    assert (max(off) < 0.05) == (rule == "right")


def test_both_chains_are_compared_with_the_truth(drawn):
    said = drawn(compare="other", stay=0.95)["said"]
    single, floor, block = map(float, re.findall(r"0\.\d{3}", said))
    assert single > 1.5 * block, "one state at a time is slow here"
    assert block == pytest.approx(floor, rel=0.3)


def test_what_cannot_be_listed_says_so(drawn):
    assert "<b>Eight hours</b>" in drawn(parameters="drawn", **LONG)["said"]
    assert "Run some sweeps first" in drawn(sweep=0)["said"]
    assert drawn(parameters="drawn")["drawn"][4].shape == (2**8,)
