"""Runs and data that the server keeps, under which names, for how long and how much of it."""

from itertools import combinations
from threading import Thread
from types import SimpleNamespace

import numpy as np
import pytest

from lessons.kept import Cache
from lessons.own.store import OWN_DATA, digest_of

LIFETIME = 7_200.0


def test_arrays_have_one_name_only_if_they_are_the_same_in_shape_type_and_content():
    column = np.arange(4.0)
    others = [
        (column,),
        (column[:, None],),
        (column.reshape(2, 2),),
        (column.reshape(2, 2).T,),
        (column.astype(np.float32),),
        (column[:2], column[2:]),
        (column, column),
        (column + 1,),
    ]
    names = [digest_of(*arrays) for arrays in others]
    assert all(one != other for one, other in combinations(names, 2))
    assert digest_of(column.copy()) == digest_of(column)
    assert {len(name) for name in names} == {32}, "128 bits"


@pytest.fixture
def clock() -> SimpleNamespace:
    return SimpleNamespace(now=1e6)


@pytest.fixture
def store(clock) -> Cache:
    """Return a store with room for a hundred bytes."""
    return Cache(100, LIFETIME, lambda: clock.now)


# ---- the store -------------------------------------------------------------------------------------------------------


def test_data_are_there_for_those_who_ask_for_their_kind(store):
    store.keep("a", "text", 4)
    assert store.get("a", str) == "text"
    assert store.get("a", int) is None
    assert store.get("b", str) is None
    assert store.get("", str) is None


def test_data_go_when_nobody_has_used_them_for_their_time(store, clock):
    store.keep("used", "x", 1)
    store.keep("left", "y", 1)
    clock.now += LIFETIME - 1
    assert store.get("used", str) == "x"
    assert store.get("left", int) is None, "asking for another kind is no use"
    clock.now += 1
    assert store.get("left", str) is None
    clock.now += LIFETIME - 2
    assert store.get("used", str) == "x"
    clock.now += LIFETIME
    assert store.get("used", str) is None


def test_data_used_longest_ago_make_room(store, clock):
    for name in "abcd":
        clock.now += 1
        store.keep(name, name, 25)
    store.get("a", str)
    store.keep("e", "e", 26)
    assert [name for name in "abcde" if store.get(name, str)] == ["a", "d", "e"]
    store.keep("e", "e", 26)
    assert [name for name in "ade" if store.get(name, str)] == ["a", "d", "e"], "the same data count once"


def test_threads_share_it(store):
    def work(first: int) -> None:
        for number in range(first, first + 500):
            store.keep(f"{number}", number, 10)
            store.get(f"{number - 1}", int)

    threads = [Thread(target=work, args=(1_000 * n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    there = [n for n in range(4_000) if store.get(f"{n}", int) is not None]
    assert len(there) == 10
    assert OWN_DATA.budget >= 4 * 10_000_000, "the largest file has room, each of its characters in four bytes"


def test_what_is_larger_than_all_the_room_is_not_kept(store):
    store.keep("small", "s", 10)
    store.keep("large", "l", 101)
    assert [store.get(name, str) for name in ("small", "large")] == [None, None]
    assert store.bytes == 0


def test_what_is_shared_is_made_once_and_counts_as_large_as_it_is_now(store, clock):
    growing = SimpleNamespace(nbytes=10)
    assert store.shared("run", lambda: growing) is growing
    growing.nbytes = 30
    assert store.shared("run", lambda: SimpleNamespace(nbytes=1)) is growing
    clock.now += 1
    assert store.shared("another", lambda: SimpleNamespace(nbytes=2)).nbytes == 2
    assert store.bytes == 32, "although nobody has asked for the first again"
    growing.nbytes = 99
    clock.now += 1
    store.shared("another", lambda: growing)
    assert (store.bytes, store.get("run", SimpleNamespace)) == (2, None), "it has grown out of the room"
    large = Cache(10_000)
    assert large.shared("truth", lambda: np.zeros(100)) is large.shared("truth", lambda: np.ones(1))
    assert large.bytes == 800
    assert large.shared("corpus", lambda: [np.zeros(100)])
    assert large.bytes > 1_600, "with all that it holds"
