"""How large runs and opened steps are that the server keeps: as counted, and as all their objects are one by one."""

import gc
import sys
from functools import partial
from types import FunctionType, ModuleType
from typing import Any

import numpy as np
import pytest

from lessons.topics import STAGES
from pages.contract.stage import stage_of
from pages.contract.waiting import patiently
from pages.player.kept import RUNS
from pages.player.run import SPARSE
from pages.server.start import LARGE

DEEP = 45  # iterations: more than a run keeps the states of
FIRST = 6  # of these are looked at one by one
SEEDS = 51_001, 51_002  # of which no other test asks for a run
FIXED = 500_000  # bytes of films and scenes, about which the count is rough
TOPICS: list[tuple[str, dict[str, Any]]] = [
    ("crp_mixture", {}),
    ("gibbs_blobs", {}),
    ("gibbs_text", {}),
    ("gibbs_topics", {}),
    ("gibbs_topics", {"number": "learned"}),
    ("hidden_chain", {"data": "long", "method": "block"}),
    ("jumps", {}),
    ("climb_mixture", {}),
    ("logistic", {"method": "chain"}),
    ("walk_the_hill", {}),
    ("marginalise", {}),
]


def walked(root: object, seen: set[int], rows: int) -> int:
    """Add up all objects that one leads to, besides code and those seen before; of large arrays the rows that exist."""
    total, left = 0, [root]
    while left:
        thing = left.pop()
        if id(thing) in seen or isinstance(thing, (type, ModuleType)):
            continue
        seen.add(id(thing))
        if isinstance(thing, FunctionType):
            left += thing.__closure__ or ()
            continue
        total += sys.getsizeof(thing)
        if isinstance(thing, np.ndarray):
            if thing.base is None and thing.nbytes >= SPARSE:
                total -= thing.nbytes // len(thing) * max(0, len(thing) - rows)
            left.append(thing.base)
        left += gc.get_referents(thing)
    return total


def stepped(topic: str, changes: dict[str, Any], seed: int) -> list[Any]:
    """Return the entries that the server keeps of a learner who steps through a run, and then plays."""
    stage, settings, before = stage_of(topic), STAGES[topic](**changes), {*RUNS._entries}
    for t in (*range(FIRST), DEEP):
        film = patiently(partial(stage.film, settings, seed))
        patiently(partial(film.reach, t))
        film.packed(t, t + 1)
        patiently(partial(stage.written, settings, seed, next(iter(settings.views)), t))
    RUNS._weigh()
    return [entry for key, entry in RUNS._entries.items() if key not in before]


@pytest.mark.parametrize(("topic", "changes"), TOPICS)
def test_a_run_that_has_gone_deep_takes_about_as_much_as_is_counted(topic, changes):
    seen: set[int] = set()
    for entry in stepped(topic, changes, SEEDS[0]):  # what all runs of these settings share
        walked(entry.made, seen, DEEP + 1)
    entries = stepped(topic, changes, SEEDS[1])
    counted, held = sum(entry.size for entry in entries), sum(walked(one.made, seen, DEEP + 1) for one in entries)
    assert held <= 1.25 * counted
    assert counted <= 1.5 * held + FIXED


def test_arrays_that_fill_row_by_row_have_memory_of_their_own():
    assert SPARSE == LARGE
