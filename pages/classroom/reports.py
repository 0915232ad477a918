"""Reports on a room's questions and runs, for learners and for instructors."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from html import escape

import numpy as np

from lessons.format.guesses import read_guess
from lessons.format.lesson import Step
from lessons.settings.law import Law
from pages.classroom import questions
from pages.classroom.hands import HandsRound
from pages.classroom.news import (
    Act,
    Bars,
    HandsState,
    Heap,
    RelayState,
    RelayWatched,
    Results,
    RoundListed,
    RoundState,
    RoundWatched,
    Row,
    Table,
)
from pages.classroom.reference import compared
from pages.classroom.relay import HALVES, RelayRound
from pages.classroom.room import Core, Round
from pages.classroom.store import FORGOTTEN, Answer, Answers, Member
from pages.drawing.bins import Bins
from samplers.relay import distance, distances

FEWEST = 5  # answers from which a share says something
TALK = (0.35, 0.7)  # shares of right answers between which learners gain from talking to each other
LINEUP = "lineup"  # the chart
SIMULATED, BEYOND = 400, 0.01  # halves of a class that follow the right rule, and how rarely one is called wrong
MOST_TEXTS = 200  # answers in words that the instructor sees
Given = Mapping[str, Answer]  # the answers to a round, by member


def round_for_all(asked: Round, given: Given, first: Given) -> RoundState:
    """Return a round as everyone sees it: with the tally once it is shown, and the right answer once it is revealed.

    `first` are the answers of the first vote on the same question.
    """
    described, shown, revealed = asked.described, asked.shown and not asked.open, asked.revealed and not asked.open
    state: RoundState = {
        **described,  # type: ignore[typeddict-item]
        "id": asked.id,
        "lesson": asked.lesson,
        "step": asked.step,
        "open": asked.open,
        "answers": len(given),
        "until": asked.until,
        "made": asked.made is not None,
        "shown": shown,
        "revealed": revealed,
    }
    if shown:
        state.update(_results(asked, given, first))  # type: ignore[typeddict-item]
        if described["kind"] == "text":
            state["tally"] = {text: many for text, many in state["tally"].items() if text in asked.picked}
    if revealed:
        state["right"] = asked.found[1].answers.right if asked.found else []
        state["reason"] = questions.reason(asked.found[1]) + _reference(asked, given) if asked.found else ""
    return state


def round_for_instructor(asked: Round, given: Given, first: Given) -> RoundWatched:
    """Return the tally of the round on the screens, which only the instructor sees, at any time."""
    results = _results(asked, given, first)
    if asked.described["kind"] == "text":
        results["tally"] = dict(list(results["tally"].items())[:MOST_TEXTS])
    return {**results, "picked": list(asked.picked), "act": next_act(asked, given)}


def next_act(asked: Round, given: Given) -> Act:
    """Return the next act after a vote, by the share of right answers; "" while it is open, or of too few answers.

    Below 35 % few would gain from talking, and above 70 % few are left to convince (Vickrey and others 2015).
    """
    if asked.found is None or asked.open or asked.revealed or len(given) < FEWEST:
        return ""
    step = asked.found[1]
    share = sum(_is_right(step, one.keys) for one in given.values()) / len(given)
    return "hint" if share < TALK[0] else "talk" if share <= TALK[1] else "explain"


def _is_right(step: Step, keys: tuple[str, ...]) -> bool:
    """Return whether an answer is right; a rule says itself what it has come to, and is not proved again."""
    return keys[-1:] == step.answers.right_keys[-1:] if step.form.problem else step.is_right(keys)


def _reference(asked: Round, given: Given) -> str:
    """Return a sentence about classes that see replicates alone, if the question is a lineup; else ""."""
    if asked.found is None or asked.found[1].ask.on != LINEUP:
        return ""
    (right,) = asked.found[1].answers.right_keys
    return compared(questions.tally(one.keys for one in given.values()), right)


def _results(asked: Round, given: Given, first: Given) -> Results:
    """Return the tally and, beside it, that of the first vote or of an earlier class."""
    rules = asked.described["kind"] == "rule"
    part = slice(-1 if rules else 0, None)  # a rule counts as the choice that it came to
    now, voted = (questions.tally(one.keys[part] for one in each.values()) for each in (given, first))
    before, said = (voted, "first vote") if asked.first and first else (None, "")
    if asked.before is not None:
        before, said = asked.before, "earlier class"
    bars = _bars(asked, now, before) if asked.described["kind"] == "number" else None
    found: Results = {"tally": now, "bars": bars, "before": before, "before_said": said}
    if rules:
        found["examples"] = {one.keys[-1]: ", ".join(one.keys[:-1]) for one in given.values()}
    return found


def _bars(asked: Round, now: Mapping[str, int], before: Mapping[str, int] | None) -> Bars | None:
    """Return the bars of answers that are numbers, with room for the right one once it is known; None without any."""
    limits, grain = asked.described["limits"] or (), asked.described["grain"]
    right = [asked.found[1].answers.right] if asked.revealed and asked.found else []
    numbers = _numbers([*now, *(before or ()), *limits, *right])
    if not numbers:
        return None
    bins = Bins.of(np.array(numbers), step=grain)

    def counts(tally: Mapping[str, int]) -> list[int]:
        times = [many for key, many in tally.items() if _numbers([key])]
        return bins.counts(np.array(_numbers(tally)), np.array(times)).astype(int).tolist()

    return {
        "low": bins.low,
        "width": bins.width,
        "ends": (min(numbers), max(numbers)),
        "now": counts(now),
        "before": None if before is None else counts(before),
    }


def hands_for_all(hands: HandsRound, points: Iterable[tuple[int, float]]) -> HandsState:
    """Return a round of runs as everyone sees it, with the outcomes by learners' indices."""
    found, law = sorted(points), Law(**hands.exact) if hands.exact else None
    return {
        "id": hands.id,
        "page": hands.page,
        "vary": hands.vary,
        "outcome": hands.outcome,
        "label": hands.label,
        "unit": hands.unit,
        "t": hands.t,
        "open": hands.open,
        "folded": hands.folded,
        "mean": law.mean if law else None,
        "n": len({index for index, _ in found}),
        "points": found,
        "heap": _heap([value for _, value in found], law) if found else None,
    }


def _heap(found: Sequence[float], law: Law | None) -> Heap:
    """Return the bins of outcomes, as on a wall of many runs."""
    values = np.array(found)
    bins = Bins.of(values, law)
    return {
        "low": bins.low,
        "width": bins.width,
        "number": bins.number,
        "places": bins.bin_of(values).tolist(),
        "shares": bins.shares(law).tolist() if bins.lawful else [],
    }


def relay_for_all(relay: RelayRound) -> RelayState:
    """Return a relay as everyone sees it: who holds which chain is nowhere in it."""
    return {
        "id": relay.id,
        "title": relay.title,
        "names": list(relay.names),
        "exact": list(relay.weights),
        "halves": list(HALVES[: len(relay.rules)]) if relay.weights else [""],
        "places": [one.state for one in relay.walkers],
        "counts": [list(each) for each in relay.counts],
        "steps": relay.steps,
        "open": relay.open,
    }


def relay_for_instructor(relay: RelayRound) -> RelayWatched:
    """Return how far each half of a relay is from the target, and once it is over, which half is too far."""
    if not relay.weights:
        return {"distances": [], "limits": [], "slips": [], "found": []}
    far = [distance(each, relay.weights) for each in relay.counts]
    long = [tuple(relay.walkers[number].steps for number in relay.chains(half)) for half in range(len(relay.rules))]
    limits = [] if relay.open else [limit_of(relay.weights, each) for each in long]
    found = [half for half, off, limit in zip(HALVES, far, limits, strict=False) if off > limit]
    return {"distances": far, "limits": limits, "slips": list(relay.slips), "found": found}


@lru_cache(64)
def limit_of(weights: tuple[float, ...], steps: tuple[int, ...]) -> float:
    """Return the distance that a half with the right rule exceeds once in a hundred times, by simulated halves.

    Parameters
    ----------
    weights : tuple of float
        The target.
    steps : tuple of int
        How many steps each chain of the half has done.
    """
    if not any(steps):
        return 1.0
    return float(np.quantile(distances(weights, steps, SIMULATED, np.random.default_rng(SIMULATED)), 1 - BEYOND))


def _numbers(told: Iterable[object]) -> list[float]:
    return [number for one in told if (number := read_guess(str(one), questions.NUMBERS)) is not None]


def list_for_instructor(core: Core, given: Answers) -> list[RoundListed]:
    """Return all questions, rounds of runs and relays of a room, in order."""

    def listed(one: Round | HandsRound) -> RoundListed:
        answers = len(given.get(one.id, {}))
        return {"id": one.id, "title": _title(core, one), "answers": answers, "open": one.open}

    asked: list[RoundListed] = [{**listed(one), "lesson": one.lesson, "step": one.step} for one in core.rounds]
    runs: list[RoundListed] = [{**listed(one), "hands": True} for one in core.hands]
    relays: list[RoundListed] = [
        {"id": one.id, "title": one.title, "answers": one.steps, "open": one.open, "relay": True} for one in core.relays
    ]
    return sorted([*asked, *runs, *relays], key=lambda one: one["id"])


def table(core: Core, members: Mapping[str, Member], given: Answers, here: Mapping[int, bool]) -> Table:
    """Return a table of learners against questions and rounds of runs, with all answers.

    Returns
    -------
    dict
        ``rounds``, with their titles as HTML, and ``rows``: index, name, whether she follows (None if she is not here),
        and for each round None, or the answer in words and whether it is right (None if no answer is).
    """
    both: list[Round | HandsRound] = [*core.rounds, *core.hands]
    asked = sorted(both, key=lambda one: one.id)
    known = sorted((one.index, name, one.name) for name, one in members.items() if one.name != FORGOTTEN)
    rows: list[Row] = [
        {
            "index": index,
            "name": name,
            "follows": here.get(index),
            "cells": [_cell(one, given.get(one.id, {}).get(member)) for one in asked],
        }
        for index, member, name in known
    ]
    titles = [escape(_title(core, one)) if isinstance(one, HandsRound) else _title(core, one) for one in asked]
    return {"rounds": [{"id": one.id, "title": title} for one, title in zip(asked, titles, strict=True)], "rows": rows}


def _title(core: Core, one: Round | HandsRound) -> str:
    """Return the title of a question, as HTML, with the number of a further vote; or that of a round of runs."""
    if isinstance(one, HandsRound):
        return f"Hands on: {one.label}"
    vote = 1 + sum(other.id < one.id and other.asks_the_same(one) for other in core.rounds)
    return f"{one.title} · vote {vote}" if vote > 1 else one.title


def _cell(asked: Round | HandsRound, given: Answer | None) -> tuple[str, bool | None] | None:
    if given is None:
        return None
    if isinstance(asked, HandsRound):
        return ", ".join(given.keys), None
    if asked.made:
        return asked.in_words(given.keys), None
    if asked.found is None or not asked.found[1].can_have(given.keys):
        return ", ".join(given.keys), None
    return asked.in_words(given.keys), asked.found[1].is_right(given.keys)
