"""Our side of each comparison runs, and an answer that is off is seen; no peer is needed for that."""

from importlib import import_module

import numpy as np
import pytest

from bench.peers import Answer, Comparison, Done, Side, measure, verdict
from bench.peers.__main__ import MODULES, lines

DRAWS = 200
COMPARISONS = {
    comparison.name: comparison
    for name in MODULES
    for comparison in import_module(f"bench.peers.{name}").comparisons(DRAWS)
}


def alone(comparison: Comparison, peer=None) -> Comparison:
    """The comparison with one peer, or with none."""
    return comparison._replace(peers={"fake": peer} if peer else {})


def off(side: Side, by: float) -> Side:
    """A peer that gives another side's answers, so far off."""
    answers = {what: Answer(np.add(found.values, by), found.errors) for what, found in side.answers.items()}
    return Side("fake", answers, lambda: Done(1))


def text(comparison: Comparison, results) -> str:
    return "\n".join(lines(comparison, results))


@pytest.mark.parametrize("name", COMPARISONS)
def test_our_side_runs_and_a_peer_that_is_off_is_seen(name):
    comparison = COMPARISONS[name]
    ours = comparison.ours()
    peers = {"right": lambda: off(ours, 0), "wrong": lambda: off(ours, 9)}
    mine, right, wrong = results = measure(comparison._replace(ours=lambda: ours, peers=peers), rounds=1)
    assert mine.seconds > 0
    assert bool(mine.verdicts) == bool(comparison.truth)
    assert all(verdict.same for verdict in mine.verdicts)
    assert right.same == comparison.same_work
    assert not wrong.same
    assert text(comparison, results).count("NO:") == comparison.same_work


COUNTED = Comparison(
    "name",
    "Work.",
    "sweep",
    1e-6,
    lambda: Side("ours", {"mean": Answer(1.0, 0.01)}, lambda: Done(1, lambda: [0, 1, 1, 0, 1, 0, 0, 1])),
    {},
    counted="number",
)


def fake(draws=(0, 1, 1, 0, 1, 0, 0, 1), seconds=None) -> Side:
    return Side("fake", {"mean": Answer(1.0, 0.01)}, lambda: Done(1, lambda: draws, seconds))


def test_draws_that_are_off_are_seen():
    good, bad = (
        measure(alone(COUNTED, lambda draws=draws: fake(draws)))[1] for draws in (fake().work().draws(), (8, 9) * 4)
    )
    assert good.same
    assert len(good.verdicts) == 2
    assert not bad.same
    assert "none: other work" in text(COUNTED, [good, bad])


def test_a_clock_of_its_own_counts():
    assert measure(alone(COUNTED, lambda: fake(seconds=50.0)))[1].seconds == 50


@pytest.mark.parametrize("trouble", [ImportError("No module named 'fake'\nand more"), RuntimeError()])
def test_a_peer_that_cannot_be_had_is_said_and_the_others_run(trouble):
    def missing():
        raise trouble

    results = measure(COUNTED._replace(peers={"missing": missing, "fake": fake}))
    assert [result.name for result in results] == ["ours", "fake", "missing"]
    assert results[1].same
    told = text(COUNTED, results).splitlines()[-1]
    assert told.startswith("| missing | not measured |")
    assert type(trouble).__name__ in told
    assert "and more" not in told


def test_a_peer_whose_work_fails_is_said_as_well():
    def work():
        raise ValueError("no")

    assert measure(alone(COUNTED, lambda: Side("fake", {}, work)))[1].trouble == "ValueError: no"


def test_a_peer_without_an_answer_is_not_the_same():
    assert not measure(alone(COUNTED, lambda: Side("fake", {}, lambda: Done(1))))[1].same


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (Answer(1.0), Answer(1.0), True),
        (Answer([1.0, 2.0]), Answer([1.0, 2.1]), False),
        (Answer([1.0, 2.0], 0.03), Answer([1.0, 2.1]), True),
        (Answer(1.0), Answer(float("nan")), False),
        (Answer(1.0, float("nan")), Answer(1.0), False),
    ],
)
def test_answers_are_the_same_within_four_errors(one, other, same):
    assert verdict("what", one, other, 1e-9).same == same
