"""Both stores do the same: each operation wholly or not at all, whoever else asks at the same time."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from pages.classroom.sqlite import SQLiteStore
from pages.classroom.store import FORGOTTEN, Answer, Kept, Member

ROOM = Kept("seal", 1, (), False, '{"a": "é"}')
CODE = "KX7M2PQ9"


@pytest.fixture
def store(new_store):
    store = new_store()
    assert store.add(CODE, ROOM)
    return store


def opened(store, *rounds: int) -> Kept:
    """Open these rounds and no others."""
    room = store.find(CODE)
    room = room._replace(number=room.number + 1, open=rounds)
    assert store.change(CODE, room)
    return room


def test_a_room_is_found_as_it_was_kept(store, new_store):
    assert not store.add(CODE, ROOM._replace(seal="other"))
    assert new_store().find(CODE) == ROOM
    assert store.find("23456789") is None


def test_a_state_follows_the_one_before_it(store):
    assert not store.change(CODE, ROOM._replace(number=3))
    assert store.change(CODE, ROOM._replace(number=2, body="{}"))
    assert not store.change(CODE, ROOM._replace(number=2, body="[]"))
    assert not store.change("23456789", ROOM._replace(number=2))
    assert store.find(CODE).body == "{}"


def test_members_keep_their_index_and_their_name(store):
    assert [store.join(CODE, who, None) for who in "abac"] == [0, 1, 0, 2]
    store.join(CODE, "b", "Ada")
    store.join(CODE, "b", None)
    assert store.members(CODE) == {"a": Member(0, ""), "b": Member(1, "Ada"), "c": Member(2, "")}
    assert store.join("23456789", "a", None) is None


def test_an_answer_counts_while_its_round_is_open_and_the_last_one_does(store):
    said = [Answer(1, "a", ("x", "y"), 1.0), Answer(1, "a", ("z",), 2.0), Answer(2, "a", ("é",), 1.5)]
    assert not store.answer(CODE, said[0])
    opened(store, 1, 2)
    assert all(store.answer(CODE, one) for one in said)
    opened(store, 2)
    assert not store.answer(CODE, Answer(1, "b", ("x",), 3.0))
    assert not store.answer("23456789", said[0])
    assert store.answers(CODE) == {1: {"a": said[1]}, 2: {"a": said[2]}}


def test_answers_and_the_closing_of_their_round_at_once_lose_nothing(store):
    opened(store, 1)

    def answer(number: int) -> bool:
        return store.answer(CODE, Answer(1, f"m{number % 40}", (f"{number}",), float(number)))

    with ThreadPoolExecutor(8) as threads:
        told = threads.map(answer, range(120))
        closed = threads.submit(lambda: (opened(store), store.answers(CODE).get(1, {})))
        counted = {f"m{number % 40}" for number, counts in enumerate(told) if counts}
    assert set(closed.result()[1]) == counted == set(store.answers(CODE).get(1, {}))


def test_two_processes_change_a_state_one_after_the_other(store, new_store):
    stores = [store, new_store()]

    def change(number: int) -> int:
        tries = 1
        while True:
            room = stores[number % 2].find(CODE)
            if stores[number % 2].change(CODE, room._replace(number=room.number + 1, body=f"{room.body},{number}")):
                return tries
            tries += 1

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(change, range(20)))
    assert store.find(CODE).number == 21
    assert sorted(store.find(CODE).body.split(",")[1:]) == sorted(map(str, range(20)))


def test_what_was_missed_is_told_later_and_nothing_older_wins(store):
    opened(store, 1)
    store.join(CODE, "a", "Ada")
    store.answer(CODE, Answer(1, "a", ("new",), 9.0))
    members = {"a": Member(0, "Ada"), "b": Member(1, "Bo")}
    missed = {1: {"a": Answer(1, "a", ("old",), 5.0), "b": Answer(1, "b", ("x",), 6.0)}}
    later = ROOM._replace(number=7, body="{}")
    for _ in range(2):
        store.restore(CODE, later, members, missed)
        assert store.find(CODE) == later
        assert {who: one.keys for who, one in store.answers(CODE)[1].items()} == {"a": ("new",), "b": ("x",)}
        assert store.members(CODE) == members
    store.restore(CODE, ROOM, {}, {})
    assert store.find(CODE) == later, "an older state does not come back"


def test_who_is_forgotten_leaves_no_answer_and_no_name(store):
    opened(store, 1, 2)
    for who, name in (("a", "Ada"), ("b", "Bo")):
        store.join(CODE, who, name)
        for number in (1, 2):
            store.answer(CODE, Answer(number, who, ("x",), 1.0))
    store.forget(CODE, "a")
    assert store.members(CODE) == {"a": Member(0, FORGOTTEN), "b": Member(1, "Bo")}
    assert {number: [*given] for number, given in store.answers(CODE).items()} == {1: ["b"], 2: ["b"]}
    assert store.join(CODE, "c", None) == 2, "an index is not given twice"
    store.forget("23456789", "a")


def test_who_was_forgotten_while_the_store_did_not_answer_is_so_later(store):
    opened(store, 1)
    store.join(CODE, "a", "Ada")
    store.answer(CODE, Answer(1, "a", ("x",), 1.0))
    store.restore(CODE, store.find(CODE), {"a": Member(0, FORGOTTEN)}, {})
    assert store.members(CODE)["a"].name == FORGOTTEN
    assert not store.answers(CODE).get(1)


def test_a_room_that_was_lost_is_told_anew(store):
    store.restore("23456789", ROOM, {"a": Member(0, "")}, {1: {"a": Answer(1, "a", ("x",), 6.0)}})
    assert store.find("23456789") == ROOM
    assert store.answers("23456789")[1]["a"].keys == ("x",)


def test_rooms_are_deleted_a_while_after_their_end_or_their_last_sign_of_life(store):
    store.add("23456789", ROOM)
    opened(store, 1)
    store.join(CODE, "a", "Ada")
    store.answer(CODE, Answer(1, "a", ("x",), 0.0))
    start = time.time()
    assert store.sweep(start - 60) == 0
    time.sleep(0.02)
    store.present(CODE, "[]")
    assert store.sweep(start) == 1, "only the one that nobody is in"
    room = store.find(CODE)
    store.change(CODE, room._replace(number=room.number + 1, ended=True))
    end = time.time()
    time.sleep(0.02)
    store.present(CODE, "[]")
    store.join(CODE, "b", None)
    assert store.sweep(end) == 1, "who still looks at it does not keep it"
    assert (store.find(CODE), store.members(CODE), store.answers(CODE)) == (None, {}, {})


def test_closing_waits_for_a_thread_that_uses_the_file(tmp_path):
    """SQLite crashes if a file is closed while another thread reads it."""
    store = SQLiteStore(tmp_path / "rooms.sqlite")
    with ThreadPoolExecutor(1) as other:
        with store._open() as file:
            closing = other.submit(store.close)
            with pytest.raises(TimeoutError):
                closing.result(0.05)
            file.execute("SELECT 1")
        closing.result(5)
    assert store.find(CODE) is None, "it is opened again"
    store.close()


def test_no_trace_is_left_of_a_room(store, redis_server):
    if not store.shared:
        with store._open() as file:
            file.execute("DELETE FROM rooms")
        return
    opened(store, 1)
    store.join(CODE, "a", "Ada")
    store.answer(CODE, Answer(1, "a", ("x",), 0.0))
    store.present(CODE, "[]")
    assert store.sweep(time.time() + 1) == 1
    assert store._redis.keys() == []
