"""Browsers in a room hear of each other, and answers are counted."""

import asyncio
from typing import Any

import pytest

from pages.classroom import codes, hub, questions, reports
from pages.classroom import rooms as looking_after
from pages.classroom.export import Said, as_csv, as_page
from pages.classroom.kept_in import HOURS, hours_kept
from pages.classroom.live import Beat
from pages.classroom.messages import Asked, Made, Shown
from pages.classroom.room import Core, Round, core_of
from pages.classroom.store import FORGOTTEN, Answer, Kept
from pages.lesson.lessons import library
from tests.loop import awaited
from tests.pages.classroom.people import PATIENCE, QUESTION, a_class, asked

ASK = {"lesson": QUESTION[0], "step": QUESTION[1]}


def numbers_given(told: dict[str, int], **asked: Any) -> dict:
    """Return the tally that all see of a question for a number, made on the spot, with so many answers of each."""
    made = Round(id=1, open=False, shown=True, made=Made(kind="number", text="How many?"), **asked)
    keys = [key for key, many in told.items() for _ in range(many)]
    given = {f"learner {n}": Answer(1, f"learner {n}", (key,), 0.0) for n, key in enumerate(keys)}
    return reports.round_for_all(made, given, {})


def test_bars_of_numbers_come_from_the_server_with_no_comb_of_their_own():
    bars = numbers_given({str(number): 10 for number in range(60)})["bars"]
    assert bars["now"] == [20] * 30
    assert (bars["ends"], bars["before"]) == ((0, 59), None)
    bars = numbers_given({"5": 3}, before={"5": 1, "9": 2, "words": 7})["bars"]
    assert (bars["now"], bars["before"]) == ([3, 0, 0, 0, 0], [1, 0, 0, 0, 2])
    assert numbers_given({})["bars"] is None
    assert numbers_given({"-1e300": 1, "1e300": 1})["bars"]["now"][0] == 1


def test_picks_of_marks_have_no_mean():
    asks = [(one, step) for one in library().lessons for step in one.steps if step.choices]
    named = {step.ask.way for _, step in asks if step.ask.names}
    assert named == {"pick"}
    assert all(questions.described(one.id, step.id)["names"] == step.ask.names for one, step in asks)


def test_a_beat_that_is_asked_for_many_times_comes_once_and_as_soon_as_any_asked():
    async def test():
        came, beats = asyncio.Event(), []

        def beat() -> None:
            beats.append(1)
            came.set()

        often = Beat(beat, least=0.0)
        for after in (60.0, 0.0, 0.0, 0.0001, 30.0):  # in one turn of the loop
            often.soon(after)
        await asyncio.wait_for(came.wait(), PATIENCE)
        assert len(beats) == 1

    awaited(test())


def test_what_the_instructor_shows_is_seen_by_all_and_by_whoever_comes_later(rooms):
    async def test():
        async with a_class(rooms) as (room, teacher):
            one = room.learn(1, name="Ada")
            teacher.say(show={"page": "coin", "query": "seed=7", "t": 3})
            shown = (await one.state(lambda state: state["show"]))["show"]
            assert shown == {"page": "coin", "query": "seed=7", "t": 3, "playing": False, "speed": 1.0, "by": ""}
            late = await room.learn(2).state()
            assert late["show"] == shown
            await teacher.watch(lambda watch: watch["people"] == 2)
            assert [name for _, name, *_ in teacher.latest["watch"]["names"]] == ["Ada", ""]

    awaited(test())


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

    awaited(test())


def test_who_leaves_and_has_her_answers_deleted_is_in_no_count_and_no_file(rooms):
    async def test():
        async with a_class(rooms) as (room, teacher):
            teacher.say(ask=ASK)
            one, other = room.learn(1, name="Ada"), room.learn(2, name="Bo")
            for learner in (one, other):
                await learner.state(lambda state: state["round"])
                learner.say(answer={"round": 1, "keys": [asked().choices[0].key]})
                await learner.you(lambda you: you["counted"])
            await teacher.watch(lambda watch: watch["round"] and sum(watch["round"]["tally"].values()) == 2)
            one.say(forget=True)
            await teacher.watch(
                lambda watch: watch["round"] and sum(watch["round"]["tally"].values()) == 1 and watch["people"] == 1
            )
            live = rooms.live[room.code]
            await rooms.refresh(live)  # what the store has brings nothing back
            assert "Ada" not in [member.name for member in live.members.values()]
            later = Answer(1, f"learner-{1:014d}", ("x",), 1e12)  # a run of hers that ends when she has gone
            assert not await rooms.count(live, later)
            assert [len(given) for given in live.given.values()] == [1]
            said = Said(room.code, live.core, live.members, live.given)
            assert all(FORGOTTEN not in text and "Ada" not in text for text in (as_csv(said), as_page(said)))

    awaited(test())


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

    awaited(test())


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
            await teacher.watch(lambda watch: watch["round"] and watch["round"]["tally"] == {wrong: 1, right: 1})
            assert "cannot cluster" in one.latest["state"]["round"]["text"]
            open_round = (await two.state(lambda state: state["round"]["answers"] == 2))["round"]
            assert not {"tally", "right"} & open_round.keys()
            teacher.say(close=True)
            closed = (await two.state(lambda state: not state["round"]["open"]))["round"]
            assert not {"tally", "right"} & closed.keys()
            teacher.say(tally=True)
            shown = (await two.state(lambda state: state["round"]["shown"]))["round"]
            assert ("right" in shown, shown["tally"]) == (False, {wrong: 1, right: 1})
            assert not two.latest["state"]["free"]
            teacher.say(reveal=True)
            closed = (await two.state(lambda state: state["round"]["revealed"]))["round"]
            assert (closed["tally"], closed["right"]) == ({wrong: 1, right: 1}, [right])
            two.say(answer={"round": number, "keys": [right]})
            late = await two.you(lambda you: you["late"])
            assert (late["keys"], late["counted"]) == ([wrong], True)

    awaited(test())


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
            assert await one.sorry() == "This class has no such question."
            teacher.say(reveal=True)
            gone = (await one.state(lambda state: not state["round"]["open"]))["round"]
            assert there.keys() < gone.keys()
            assert (gone["right"], sum(gone["tally"].values())) == ([], 1)
            assert (await teacher.watch(lambda watch: not watch["rounds"][0]["open"]))["rounds"][0]["title"] == ASK[
                "step"
            ]

    awaited(test())
    questions._described.cache_clear()


def test_a_second_vote_stands_beside_the_first_and_a_question_is_made_on_the_spot(rooms):
    async def test():
        async with a_class(rooms) as (room, teacher):
            one = room.learn(1)
            first, second = (choice.key for choice in asked().choices[:2])
            teacher.say(ask=ASK)
            for number, key in ((1, first), (2, second)):
                await one.state(lambda state, number=number: state["round"] and state["round"]["id"] == number)
                one.say(answer={"round": number, "keys": [key]})
                await one.you(lambda you, key=key: you["keys"] == [key])
                teacher.say(close=True)
                teacher.say(**({"again": 1} if number == 1 else {"tally": True}))
            shown = (await one.state(lambda state: state["round"]["shown"]))["round"]
            assert (shown["tally"], shown["before"], shown["before_said"]) == ({second: 1}, {first: 1}, "first vote")
            teacher.say(make={"kind": "text", "text": "Why <so>?"})
            made = (await one.state(lambda state: state["round"]["id"] == 3))["round"]
            assert made["title"] == "Why &lt;so&gt;?"
            one.say(answer={"round": 3, "keys": [" no\u202e idea "]})
            await one.you(lambda you: you["keys"] == ["no idea"])
            teacher.say(close=True)
            teacher.say(tally=True)
            assert not (await one.state(lambda state: state["round"]["shown"]))["round"]["tally"]
            teacher.say(unmask={"round": 3, "texts": ["no idea"]})
            await one.state(lambda state: state["round"]["tally"] == {"no idea": 1})
            teacher.say(reveal=True)
            assert await teacher.sorry() == "This question has no right answer: show the answers instead."
            teacher.say(recall=1)
            await one.state(lambda state: state["round"]["id"] == 1)
            said = Said(
                room.code, rooms.live[room.code].core, rooms.live[room.code].members, rooms.live[room.code].given
            )
            assert "no idea" in as_csv(said)
            assert "no idea" in as_page(said)

    awaited(test())


def test_a_question_closes_by_itself_when_its_time_is_over(rooms, monkeypatch):
    monkeypatch.setattr(looking_after, "LATE", 0.0)

    async def test():
        async with a_class(rooms) as (room, teacher):
            one = room.learn(1)
            teacher.say(ask=ASK)
            await one.state(lambda state: state["round"])
            teacher.say(timer=1)
            until = (await one.state(lambda state: state["round"]["until"]))["round"]["until"]
            assert abs(until - one.latest["clock"] - 1) < 5
            closed = (await one.state(lambda state: not state["round"]["open"]))["round"]
            assert (closed["until"], closed["shown"]) == (None, False)

    awaited(test())


def test_the_instructor_sees_who_has_not_answered_and_removes_and_locks(rooms):
    async def test():
        async with a_class(rooms) as (room, teacher):
            one, two = room.learn(1, name="Ada"), room.learn(2, name="Bo")
            teacher.say(ask=ASK)
            await one.state(lambda state: state["round"])
            await two.you()
            one.say(answer={"round": 1, "keys": [asked().choices[0].key]})
            await one.you(lambda you: you["counted"])
            two.say(lost=True)
            await teacher.watch(lambda watch: watch["lost"] == 1)
            teacher.say(table=True)
            table = await teacher.until(lambda: teacher.latest.get("table"))
            cells = {row["name"]: row["cells"][0] for row in table["rows"]}
            assert cells["Ada"][1] is asked().choices[0].correct
            assert cells["Bo"] is None
            teacher.say(lock=True)
            await one.state(lambda state: state["locked"])
            assert await room.learn(3).gone() == hub.LOCKED
            teacher.say(remove=two.latest["you"]["index"])
            assert await two.gone() == hub.REMOVED
            assert await room.learn(2).gone() == hub.REMOVED
            assert await room.learn(1).you()  # who is in comes back

    awaited(test())


def test_a_link_leads_for_one_browser_until_it_is_revoked_and_a_projector_hears_no_names(rooms):
    async def test():
        async with a_class(rooms) as (room, teacher):
            room.learn(1, name="Ada")
            secret = codes.new_secret()
            await rooms.change(rooms.live[room.code], lambda core: core.linking(codes.sealed(secret)))
            phone = room.learn(8, secret=secret)
            assert (await phone.watch(lambda watch: watch["people"] == 1))["names"][0][1] == "Ada"
            assert await room.learn(9, secret=secret).gone() == hub.REFUSED
            phone.say(show={"page": "coin", "by": "phone"})
            await teacher.state(lambda state: state["show"] and state["show"]["by"] == "phone")
            screen = room.learn(7, secret=room.secret, screen=True)
            await screen.state(lambda state: state["people"] == 1)
            screen.say(follows=True)
            assert await screen.sorry() == "A projector window sends nothing."
            assert "watch" not in screen.latest
            teacher.say(revoke=1)
            assert await phone.gone() == hub.REMOVED
            assert await room.learn(8, secret=secret).gone() == hub.REFUSED

    awaited(test())


def test_rooms_from_before_show_and_reveal_were_two_things_still_open():
    old = '{"last":1,"asked":1,"rounds":[{"id":1,"lesson":"x","step":"y","open":false}]}'
    core = core_of(Kept("", 1, (), False, old))
    assert core.round.shown
    assert core.round.revealed


def test_a_revealed_question_stays_behind_at_its_step_and_comes_back_when_it_is_recalled():
    def at(step: str) -> Shown:
        return Shown(page="coin", query=f"lesson={ASK['lesson']}&step={step}")

    asked = Core().showing(at(ASK["step"])).asking(Asked(**ASK)).closing()
    assert asked.showing(at("elsewhere")).asked == 1  # its answer is still to be revealed
    moved = asked.revealing().showing(at(ASK["step"])).showing(at("elsewhere"))
    assert moved.asked == 0
    assert moved.recalling(1).showing(at("elsewhere")).asked == 1
    assert asked.making(Made(kind="text", text="Why?")).closing().showing(at("elsewhere")).asked == 2


def test_a_further_vote_is_listed_as_such():
    core = Core().asking(Asked(**ASK)).asking_again(1).making(Made(kind="text", text="Why?")).asking_again(2)
    titles = [one["title"].rpartition(" · ")[2] for one in reports.list_for_instructor(core, {})]
    assert titles[1::2] == ["vote 2", "vote 3"]
    assert titles[2] == "Why?"
    assert [one["title"] for one in reports.table(core, {}, {}, {})["rounds"]][3].endswith("vote 3")


def test_rules_are_piled_up_by_what_they_came_to_with_one_of_each(rooms):
    async def test():
        lesson, step = questions.question("mixture-write", "rule")
        described = questions.described(lesson.id, step.id)
        right, wrong = (step.answers.stored(lines) for lines in (("n * fit", "fit_new * alpha"), ("fit", "fit_new")))
        assert described["kind"] == "rule"
        assert questions.RIGHT_RULE in [option["html"] for option in described["options"]]
        async with a_class(rooms) as (room, teacher):
            one, two, three = (room.learn(number) for number in (1, 2, 3))
            teacher.say(ask={"lesson": lesson.id, "step": step.id})
            number = (await one.state(lambda state: state["round"]))["round"]["id"]
            for person, keys in ((one, wrong), (two, right), (three, ("n *", "1", "else"))):
                person.say(answer={"round": number, "keys": keys})
            assert (await one.you(lambda you: you["keys"]))["keys"] == [*wrong]
            told = (await teacher.watch(lambda watch: watch["round"] and len(watch["round"]["tally"]) == 2))["round"]
            assert told["tally"] == {wrong[-1]: 1, right[-1]: 1}
            assert told["examples"] == {wrong[-1]: "fit, fit_new", right[-1]: "n * fit, fit_new * alpha"}
            teacher.say(close=True)
            teacher.say(reveal=True)
            shown = (await two.state(lambda state: state["round"]["revealed"]))["round"]
            assert shown["right"] == [*step.answers.right_keys]

    awaited(test())
