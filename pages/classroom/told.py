"""What each side is told of a room's questions and runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import cast

from pages.classroom import questions
from pages.classroom.hands import HandsRound
from pages.classroom.messages import Exact, HandsTold, Results, RoundListed, RoundTold, RoundWatched, Row, Table
from pages.classroom.room import Core, Round
from pages.classroom.store import FORGOTTEN, Answer, Answers, Member

MOST_TEXTS = 200  # answers in words that the instructor hears of
Given = Mapping[str, Answer]  # the answers to a round, by member


def tally_of(asked: Round, given: Given) -> dict[str, int]:
    """Return how often each answer was given."""
    return questions.tally(one.keys for one in given.values())


def round_for_all(asked: Round, given: Given, first: Given) -> RoundTold:
    """Return a round as all browsers hear of it: how it was answered once that is shown, what is right once revealed.

    Parameters
    ----------
    asked : Round
        The round.
    given : mapping
        Its answers.
    first : mapping
        Those of the round in which the same was asked before.
    """
    described, shown, revealed = asked.described, asked.shown and not asked.open, asked.revealed and not asked.open
    told: RoundTold = {
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
        told.update(_results(asked, given, first))  # type: ignore[typeddict-item]
        if described["kind"] == "text":
            told["tally"] = {text: many for text, many in told["tally"].items() if text in asked.picked}
    if revealed:
        found = questions.question(asked.lesson, asked.step)
        told["right"] = questions.right(found[1]) if found else []
    return told


def round_for_instructor(asked: Round, given: Given, first: Given) -> RoundWatched:
    """Return what the instructor alone hears of the round on the screens: how it is answered, at any time."""
    told = _results(asked, given, first)
    if asked.described["kind"] == "text":
        told["tally"] = dict(list(told["tally"].items())[:MOST_TEXTS])
    return {**told, "picked": list(asked.picked)}


def _results(asked: Round, given: Given, first: Given) -> Results:
    """Return the tally and, beside it, what was answered before: by this class, or by another one."""
    before, said = (tally_of(asked, first), "first vote") if asked.first and first else (None, "")
    if asked.before is not None:
        before, said = asked.before, "earlier class"
    return {"tally": tally_of(asked, given), "before": before, "before_said": said}


def hands_for_all(hands: HandsRound, points: Iterable[tuple[int, float]]) -> HandsTold:
    """Return a round of runs as all browsers hear of it, with the values that were found, by the learners' indices."""
    found = sorted(points)
    return {
        "id": hands.id,
        "page": hands.page,
        "vary": hands.vary,
        "outcome": hands.outcome,
        "label": hands.label,
        "unit": hands.unit,
        "t": hands.t,
        "open": hands.open,
        "exact": cast("Exact | None", hands.exact),
        "n": len({index for index, _ in found}),
        "points": found,
    }


def list_for_instructor(core: Core, given: Answers) -> list[RoundListed]:
    """Return all that was asked in a room, questions and runs, in its order."""

    def answers(number: int) -> int:
        return len(given.get(number, {}))

    asked: list[RoundListed] = [
        {
            "id": one.id,
            "title": one.title,
            "answers": answers(one.id),
            "open": one.open,
            "lesson": one.lesson,
            "step": one.step,
        }
        for one in core.rounds
    ]
    runs: list[RoundListed] = [
        {
            "id": one.id,
            "title": f"Hands on: {one.label}",
            "answers": answers(one.id),
            "open": one.open,
            "hands": True,
        }
        for one in core.hands
    ]
    return sorted([*asked, *runs], key=lambda one: one["id"])


def table(core: Core, members: Mapping[str, Member], given: Answers, here: Mapping[int, bool]) -> Table:
    """Return learners against questions: what each of them answered, and whether that was right.

    Returns
    -------
    dict
        ``rounds``, with their titles, and ``rows``: index, name, whether she is here (None if not) and follows, and for
        each round None, or the answer in words and whether it is right (None if nothing is).
    """
    asked = list(core.rounds)
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
    return {"rounds": [{"id": one.id, "title": one.title} for one in asked], "rows": rows}


def _cell(asked: Round, given: Answer | None) -> tuple[str, bool | None] | None:
    if given is None:
        return None
    if asked.made:
        return questions.in_words_made(asked.made, given.keys), None
    found = questions.question(asked.lesson, asked.step)
    if found is None or not found[1].can_have(given.keys):
        return ", ".join(given.keys), None
    return questions.in_words(found[1], given.keys), found[1].is_right(given.keys)
