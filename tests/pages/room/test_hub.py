"""What browsers in a room hear of each other, and what is counted."""

import asyncio

from tests.pages.room.people import QUESTION, a_class, asked

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
            assert sorted(teacher.latest["watch"]["names"]) == ["", "Ada"]

    asyncio.run(test())


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
            open_round = (await two.state(lambda state: state["round"]["answers"] == 2))["round"]
            assert not {"tally", "right"} & open_round.keys()
            teacher.say(close=True)
            closed = (await two.state(lambda state: not state["round"]["open"]))["round"]
            assert (closed["tally"], closed["right"]) == ({wrong: 1, right: 1}, [right])
            two.say(answer={"round": number, "keys": [right]})
            late = await two.you(lambda you: you["late"])
            assert (late["keys"], late["counted"]) == ([wrong], True)

    asyncio.run(test())
