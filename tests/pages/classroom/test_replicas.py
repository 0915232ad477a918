"""Two processes, one class: what happens by way of one is seen and counted by way of the other."""

import asyncio
from contextlib import asynccontextmanager

import pytest

from pages.classroom import rooms as looking_after
from pages.classroom.redis import RedisStore
from pages.classroom.rooms import Rooms
from tests.loop import awaited
from tests.pages.classroom.conftest import RETRY
from tests.pages.classroom.people import QUESTION, Class, a_class, acts, asked

ASK = {"lesson": QUESTION[0], "step": QUESTION[1]}
FIRST, SECOND = (choice.key for choice in asked().choices[:2])


@pytest.fixture
def two(redis_server):
    """Return the rooms of two processes."""
    both = [Rooms(lambda: RedisStore(redis_server.url, 0.3), RETRY) for _ in range(2)]
    yield both
    for one in both:
        one.keeper.store.close()


@asynccontextmanager
async def both(two):
    """Open a room by way of one, and have the other one's people come too."""
    async with a_class(two[0]) as (here, teacher):
        there = Class(two[1])
        there.code, there.secret = here.code, here.secret
        yield here, there, teacher
        await there.leave()


def test_a_class_is_one_by_way_of_two_processes(two):
    async def test():
        async with both(two) as (here, there, teacher):
            near = here.learn(1, name="Ada")
            await near.you()  # the first of the class
            far = there.learn(2, name="Bo")
            await far.state(lambda state: state["people"] == 2)
            await near.state(lambda state: state["people"] == 2)
            watch = await teacher.watch(lambda watch: watch["people"] == 2 and len(watch["names"]) == 2)
            assert [how[1:3] for how in watch["names"]] == [["Ada", True], ["Bo", True]]
            far.say(follows=False)
            watch = await teacher.watch(lambda watch: watch["follow"] == 1)
            assert [how[1:3] for how in watch["names"]] == [["Ada", True], ["Bo", False]]
            teacher.say(show={"page": "coin", "query": "seed=7"})
            await far.state(lambda state: state["show"])
            teacher.say(ask=ASK)
            number = (await far.state(lambda state: state["round"]))["round"]["id"]
            far.say(answer={"round": number, "keys": [FIRST]})
            near.say(answer={"round": number, "keys": [FIRST]})
            await teacher.watch(lambda watch: watch["round"] and watch["round"]["tally"] == {FIRST: 2})
            third = there.teach()
            await third.state()
            third.say(reveal=True)
            for person in (near, far, teacher):
                closed = await person.state(lambda state: state["round"] and not state["round"]["open"])
                assert closed["round"]["tally"] == {FIRST: 2}
            await far.leave()
            there.everybody.remove(far)
            await teacher.watch(lambda watch: watch["people"] == 1)

    awaited(test())


def test_learners_of_both_have_runs_of_their_own(two):
    async def test():
        async with both(two) as (here, there, teacher):
            people = [here.learn(1), there.learn(2), here.learn(3), there.learn(4)]
            assert len({(await person.you())["index"] for person in people}) == 4
            teacher.say(show={"page": "crp_seating", "query": "seed=7&customers=30"})
            teacher.say(hands={"vary": "seed", "outcome": "tables", "t": 30})
            for person in people:
                number = (await person.state(lambda state: state["hands"]))["hands"]["id"]
                person.say(found={"hands": number, "t": 30})
            piles = [
                (await person.state(lambda state: state["hands"]["n"] == 4))["hands"]["points"] for person in people
            ]
            assert piles[0] == piles[1] == piles[2] == piles[3]

    awaited(test())


def test_who_changed_processes_is_counted_once(two):
    async def test():
        async with both(two) as (here, there, teacher):
            teacher.say(ask=ASK)
            near = here.learn(1)
            number = (await near.state(lambda state: state["round"]))["round"]["id"]
            near.say(answer={"round": number, "keys": [FIRST]})
            await near.you(lambda you: you["counted"])
            far = there.learn(1)
            assert (await far.you())["keys"] == [FIRST], "what is on record is known there"
            far.say(answer={"round": number, "keys": [SECOND]})
            await teacher.watch(lambda watch: watch["round"] and watch["round"]["tally"] == {SECOND: 1})
            await teacher.state(lambda state: state["people"] == 1)

    awaited(test())


def test_answers_that_one_process_took_while_redis_was_gone_count_though_the_other_closed(two, redis_server):
    async def test():
        async with both(two) as (here, there, teacher):
            near, far = here.learn(1), there.learn(2)
            teacher.say(ask=ASK)
            number = (await far.state(lambda state: state["round"]))["round"]["id"]
            for person in (near, far):
                await person.state(lambda state: state["round"] and state["people"] == 2)
            redis_server.stop()
            teacher.say(reveal=True)
            await near.state(lambda state: not state["round"]["open"])
            far.say(answer={"round": number, "keys": [FIRST]})
            await far.you(lambda you: you["counted"])
            teacher.say(show={"page": "coin"})
            await near.state(lambda state: state["show"])
            new = [here.learn(3, name="Here"), there.learn(4, name="There")]
            assert [(await person.you())["index"] for person in new] == [2, 2], "neither process knows of the other's"
            redis_server.go_on()
            for person in (near, far):
                await person.state(lambda state: not state["round"]["open"] and state["round"]["tally"] == {FIRST: 1})
                await person.state(lambda state: state["show"] and not state["trouble"])
                await person.state(lambda state: state["people"] == 4)
            watch = await teacher.watch(lambda watch: len({name for _, name, *_ in watch["names"]}) == 3)
            assert len(watch["names"]) == 4

    awaited(test())


def test_a_room_that_has_ended_and_was_deleted_lets_its_people_go(two, monkeypatch):
    monkeypatch.setattr(looking_after, "PULSE", 0.05)

    async def test():
        async with both(two) as (_, there, teacher):
            far = there.learn(1)
            await far.state()
            teacher.say(end=True)
            await far.state(lambda state: state["ended"])
            teacher.say(ask=ASK)
            assert "ended" in await teacher.sorry()
            two[0].keeper.store.sweep(10**11)
            assert await far.gone() == await teacher.gone() == looking_after.NONE

    awaited(test())


def test_chains_go_from_one_process_to_the_other_and_no_step_is_done_twice(two):
    async def test():
        async with both(two) as (here, there, teacher):
            people = [(here, there)[number % 2].learn(number) for number in range(40)]
            await teacher.state(lambda state: state["people"] == 40)
            teacher.say(show={"page": "why_sample", "query": "starts=class&seed=7"})
            teacher.say(relay={})
            for one in people:
                await one.state(lambda state: state["relay"])
                one.say(hand=1)
            tasks = [asyncio.create_task(acts(one, 1_000)) for one in people]
            await teacher.until(lambda: len(_chains(people[0::2]) & _chains(people[1::2])) > 15, 20)
            for task in tasks:
                task.cancel()
            teacher.say(stop_relay=True)
            relay = (await teacher.state(lambda state: not state["relay"]["open"]))["relay"]
            assert sum(map(sum, relay["counts"])) == relay["steps"]

    awaited(test())


def _chains(people):
    """Return the chains that some people have held."""
    yous = [body for one in people for kind, body in one.told if kind == "you"]
    return {you["hand"]["chain"] for you in yous if you["hand"]}
