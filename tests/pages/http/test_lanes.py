"""Turns: address after address, within an address page after page, and nothing that nobody waits for any more."""

import asyncio
from itertools import count

import pytest

from pages.http import lanes
from pages.http.lanes import BusyError, Lane
from tests.loop import awaited


def lane(places=1, each=None):
    return Lane(places, each, count().__next__)


async def settled():
    for _ in range(20):
        await asyncio.sleep(0)


def test_who_asks_for_much_waits_behind_her_own_questions():
    order = []

    async def test():
        one = lane()
        await one.enter("first")

        async def come(address, page, name):
            await one.enter(address, page)
            order.append(name)
            one.leave(address)

        tasks = [asyncio.create_task(come("many", "", f"many {number}")) for number in range(3)]
        tasks += [
            asyncio.create_task(come("many", "hers", "her page")),
            asyncio.create_task(come("other", "", "other")),
        ]
        await settled()
        assert one.waiting == 5
        one.leave("first")
        await asyncio.gather(*tasks)
        assert one.waiting == 0

    awaited(test())
    assert order == ["many 0", "other", "her page", "many 1", "many 2"]


def test_an_address_leaves_a_place_to_others():
    async def test():
        three = lane(3, 2)
        many = [asyncio.create_task(three.enter("many")) for _ in range(4)]
        await settled()
        assert [task.done() for task in many] == [True, True, False, False]
        await asyncio.wait_for(three.enter("other"), 1)
        many[2].cancel()
        three.leave("many")
        await settled()
        assert many[3].done()
        assert not three.waiting

    awaited(test())


def test_who_leaves_in_her_turn_gives_it_back():
    async def test():
        one = lane()
        await one.enter("a")
        task = asyncio.create_task(one.enter("b"))
        await settled()
        one.leave("a")
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.wait_for(one.enter("c"), 1)

    awaited(test())


def test_the_same_is_done_once_and_as_soon_as_any_of_them_has_a_turn():
    done = []

    async def test():
        one = lane()
        await one.enter("a")

        def work(name):
            done.append(name)
            return name.upper()

        many = [asyncio.create_task(one.do(f"{n}", lambda n=n: work(f"{n}"), "many")) for n in range(3)]
        many.append(asyncio.create_task(one.do("shared", lambda: work("shared"), "many")))
        await settled()
        other = asyncio.create_task(one.do("shared", lambda: work("never"), "other"))
        gone = asyncio.create_task(one.do("gone", lambda: work("gone"), "other"))
        await settled()
        gone.cancel()
        one.leave("a")
        assert await other == "SHARED"
        assert await asyncio.gather(*many) == ["0", "1", "2", "SHARED"]
        assert await one.do("gone", lambda: work("again"), "other") == "AGAIN"

    awaited(test())
    assert done == ["0", "shared", "1", "2", "again"]


def test_an_error_is_told_to_all_who_wait_and_the_place_is_free_again():
    def work():
        raise ValueError("no")

    async def test():
        one = lane()
        both = await asyncio.gather(*(one.do("x", work, address) for address in "ab"), return_exceptions=True)
        assert [type(error) for error in both] == [ValueError] * 2
        assert await one.do("x", lambda: 1, "a") == 1

    awaited(test())


def test_when_very_much_waits_more_is_asked_to_come_back(monkeypatch):
    monkeypatch.setattr(lanes, "MOST_WAITING", 2)
    monkeypatch.setattr(lanes, "MOST_OF_ALL", 3)

    async def test():
        one = lane()
        await one.enter("x")
        waiting = [asyncio.create_task(one.enter("a")) for _ in range(2)]
        await settled()
        with pytest.raises(BusyError):
            await one.enter("a")
        waiting.append(asyncio.create_task(one.enter("b")))
        await settled()
        with pytest.raises(BusyError, match=r"Try again in 5 seconds\."):
            await one.enter("c")
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        one.leave("x")
        await asyncio.wait_for(one.enter("c"), 1)

    awaited(test())
