"""Browsers in a room hear of each other, and answers are counted."""

import asyncio

import pytest

from pages.classroom import questions
from pages.classroom import rooms as looking_after
from pages.classroom.export import Said, as_csv, as_page
from pages.classroom.kept_in import HOURS, hours_kept
from pages.classroom.store import FORGOTTEN, Answer
from tests.pages.classroom.people import QUESTION, a_class, asked

ASK = {"lesson": QUESTION[0], "step": QUESTION[1]}


def test_what_the_instructor_shows_is_seen_by_all_and_by_whoever_comes_later(rooms):
    async def test():
        async with a_class(rooms) as (room, teacher):
            one = room.learn(1, name="Ada")
            teacher.say(show={"page": "coin", "query": "seed=7", "t": 3})
            shown = (await one.state(lambda state: state["show"]))["show"]
            assert shown == {"page": "coin", "query": "seed=7", "t": 3, "playing": False, "speed": 1.0}
            late = await room.learn(2).state()
            assert late["show"] == shown
            await teacher.watch(lambda watch: watch["people"] == 2)
            assert sorted(teacher.latest["watch"]["names"]) == [["", True], ["Ada", True]]

    asyncio.run(test())


def test_a_room_that_all_have_left_is_forgotten_and_found_again(rooms, monkeypatch):
    monkeypatch.setattr(looking_after, "PULSE", 0.01)
    monkeypatch.setattr(looking_after, "LINGER", 0.05)

    async def test():
        async with a_class(rooms) as (room, teacher):
            teacher.say(ask=ASK)
            one = room.learn(1, name="Ada")
            await one.state(lambda state: state["round"])
            one.say(answer={"round": 1, "keys": [asked().choices[0].key]})
            await one.you(lambda you: you["counted"])
            await asyncio.sleep(0.1)
            assert room.code in rooms.live
        while rooms.live:
            await asyncio.sleep(0.01)
        found = await asyncio.gather(*(rooms.find(room.code) for _ in range(20)))
        assert len({id(live) for live in found}) == 1
        again = room.learn(1)
        assert (await again.you())["counted"]
        await again.leave()
        room.everybody.clear()

    asyncio.run(test())


def test_who_leaves_and_has_her_answers_deleted_is_in_no_count_and_no_file(rooms):
    async def test():
        async with a_class(rooms) as (room, teacher):
            teacher.say(ask=ASK)
            one, other = room.learn(1, name="Ada"), room.learn(2, name="Bo")
            for learner in (one, other):
                await learner.state(lambda state: state["round"])
                learner.say(answer={"round": 1, "keys": [asked().choices[0].key]})
                await learner.you(lambda you: you["counted"])
            await teacher.watch(lambda watch: sum(watch["tally"].values()) == 2)
            one.say(forget=True)
            await teacher.watch(lambda watch: sum(watch["tally"].values()) == 1 and watch["people"] == 1)
            live = rooms.live[room.code]
            await rooms.refresh(live)  # what the store has brings nothing back
            assert "Ada" not in [member.name for member in live.members.values()]
            later = Answer(1, f"learner-{1:014d}", ("x",), 1e12)  # a run of hers that ends when she has gone
            assert not await rooms.count(live, later)
            assert [len(given) for given in live.given.values()] == [1]
            said = Said(room.code, live.core, live.members, live.given)
            assert all(FORGOTTEN not in text and "Ada" not in text for text in (as_csv(said), as_page(said)))

    asyncio.run(test())


def test_rooms_are_swept_for_as_long_as_the_server_runs(rooms, monkeypatch):
    monkeypatch.setattr(looking_after, "SWEEP", 0.01)

    async def test():
        code, _ = await rooms.open()
        del rooms.live[code]
        keeping = asyncio.create_task(rooms.sweep(hours_kept()))
        await asyncio.sleep(0.05)
        assert await rooms.find(code)
        keeping.cancel()
        monkeypatch.setenv(HOURS, "0.000001")
        keeping = asyncio.create_task(rooms.sweep(hours_kept()))
        rooms.live.clear()
        while await rooms.find(code):
            rooms.live.clear()
            await asyncio.sleep(0.01)
        keeping.cancel()

    asyncio.run(test())


@pytest.mark.parametrize("said", ["a day", "-1", "0", "nan", "1e9999"])
def test_a_time_that_is_none_is_said_when_the_server_starts(monkeypatch, said):
    monkeypatch.setenv(HOURS, said)
    with pytest.raises(ValueError, match="a number of hours, such as 24"):
        hours_kept()


def test_answers_are_counted_once_and_hidden_until_the_question_is_closed(rooms):
    async def test():
        wrong, right = (next(one.key for one in asked().choices if one.correct is fits) for fits in (False, True))
        async with a_class(rooms) as (room, teacher):
            one, two = room.learn(1), room.learn(2)
            teacher.say(ask=ASK)
            number = (await one.state(lambda state: state["round"]))["round"]["id"]
            for person, key in ((one, wrong), (one, right), (two, wrong)):
                person.say(answer={"round": number, "keys": [key]})
            await one.you(lambda you: you["keys"] == [right])
            assert (await two.you(lambda you: you["counted"]))["keys"] == [wrong]
            await teacher.watch(lambda watch: watch["tally"] == {wrong: 1, right: 1})
            assert "cannot cluster" in one.latest["state"]["round"]["text"]
            open_round = (await two.state(lambda state: state["round"]["answers"] == 2))["round"]
            assert not {"tally", "right"} & open_round.keys()
            teacher.say(close=True)
            closed = (await two.state(lambda state: not state["round"]["open"]))["round"]
            assert (closed["tally"], closed["right"]) == ({wrong: 1, right: 1}, [right])
            two.say(answer={"round": number, "keys": [right]})
            late = await two.you(lambda you: you["late"])
            assert (late["keys"], late["counted"]) == ([wrong], True)

    asyncio.run(test())


def test_a_question_that_is_gone_from_its_lesson_still_has_its_answers(rooms, monkeypatch):
    async def test():
        async with a_class(rooms) as (room, teacher):
            one = room.learn(1)
            teacher.say(ask=ASK)
            there = (await one.state(lambda state: state["round"]))["round"]
            one.say(answer={"round": 1, "keys": [asked().choices[0].key]})
            await one.you(lambda you: you["counted"])
            monkeypatch.setattr(questions, "question", lambda lesson, step: None)
            questions._described.cache_clear()
            one.say(answer={"round": 1, "keys": ["a"]})
            assert await one.sorry() == "There is no such question here."
            teacher.say(close=True)
            gone = (await one.state(lambda state: not state["round"]["open"]))["round"]
            assert there.keys() < gone.keys()
            assert (gone["right"], sum(gone["tally"].values())) == ([], 1)
            assert (await teacher.watch(lambda watch: not watch["rounds"][0]["open"]))["rounds"][0]["title"] == ASK[
                "step"
            ]

    asyncio.run(test())
    questions._described.cache_clear()
