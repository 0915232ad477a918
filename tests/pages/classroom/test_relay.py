"""The class is the chain: forty learners are exact to the floor, and the half with the wrong rule is found."""

import asyncio
import random

import numpy as np
import pytest

from lessons.topics import STAGES
from pages.classroom.export import Said, as_csv, as_json, as_page
from pages.classroom.messages import Acted, NotSaidError, RelayOn, Shown
from pages.classroom.relay import PATIENCE, RelayRound, relay_round, relay_shown
from pages.classroom.reports import relay_for_all, relay_for_instructor
from pages.classroom.room import Core, core_of
from samplers.relay import distance, distances
from tests.loop import awaited
from tests.pages.classroom.people import a_class, acts, moves

CLASS = Shown(page="why_sample", query="starts=class&seed=7")
CLASSES = 200
CHAIN = {"relay": 1, "chain": 0, "step": 0, "moves": True}


def passing(half_b="upwards"):
    found = STAGES["why_sample"](starts="class", half_b=half_b).passing
    assert found
    return found


def acted(
    relay: RelayRound, index: int, now: float = 0.0, slips: float = 0.0, luck: random.Random | None = None
) -> RelayRound:
    hand = relay.hand(index)
    assert hand
    wrong = luck is not None and luck.random() < slips
    act = Acted(relay=relay.id, chain=hand["chain"], step=hand["step"], moves=moves(hand) != wrong)
    return relay.acted(act, index, now)


def played(people: int, each: int, seed: int, half_b="upwards", slips: float = 0.0) -> RelayRound:
    """Return a relay in which so many learners do so many steps, in an order of luck."""
    relay, luck = relay_round(passing(half_b), "", people, seed), random.Random(seed)
    for turn in range(each):
        for index in luck.sample(range(people), people):
            relay = relay.dealt([index], float(turn))
            if relay.held(index) is not None:
                relay = acted(relay, index, float(turn), slips, luck)
    return relay


def distances_of(relay: RelayRound) -> list[float]:
    return [distance(counts, relay.weights) for counts in relay.counts]


def test_forty_learners_are_exact_to_the_floor_and_the_planted_half_is_found_in_200_classes():
    """A class's distances are those of simulated halves by the right rule; the wrong half's are far beyond."""
    found = [played(40, 6, seed) for seed in range(CLASSES)]
    off = np.array([distances_of(one) for one in found])
    floor = distances(found[0].weights, [8] * 15, CLASSES, np.random.default_rng(1))
    assert {one.steps for one in found} == {240}
    assert off[:, 0].mean() == pytest.approx(floor.mean(), abs=4 * floor.std() * np.sqrt(2 / CLASSES))
    assert floor.mean() < 0.08
    assert off[:, 1].mean() > 0.35
    assert (off[:, 1] > off[:, 0]).all()
    called = [relay_for_instructor(one.closed())["found"] for one in found]
    assert all("B" in each for each in called), "the wrong half is never missed"
    assert sum("A" in each for each in called) <= 7, "the right one is called wrong about once in a hundred classes"


def test_a_chain_goes_on_to_somebody_else_and_one_whose_holder_is_away_is_passed_over():
    relay = relay_round(passing(), "", 4, 3)
    halves = [relay.half_of(index) for index in range(40)]
    assert sum(halves) == 20
    assert len({tuple(halves[n : n + 2]) for n in range(0, 40, 2)}) == 2, "not by turns"
    one, other, *_ = (index for index in range(40) if halves[index] == 0)
    relay = relay.dealt([one], 0.0)
    first = relay.held(one)
    assert first in relay.chains(0)
    assert relay.dealt([one], 1.0) is relay, "who holds a chain gets no other"
    relay = acted(relay, one)
    taken = []
    for _ in range(14):  # the others are further behind, and come first
        relay = relay.dealt([one], 1.0)
        taken.append(relay.held(one))
        relay = acted(relay, one)
    assert sorted([first, *taken]) == list(relay.chains(0))
    relay = relay.dealt([one], 2.0)
    assert relay.held(one) != taken[-1]
    held, late = relay.held(one), relay.hand(one)
    full = relay.dealt([index for index in range(40) if not halves[index] and index != one], 3.0)
    waiting = next(index for index in range(40) if not halves[index] and full.held(index) is None)
    assert full.dealt([waiting], 2.0 + PATIENCE) is full
    passed = full.dealt([waiting], 2.5 + PATIENCE)
    assert (passed.held(waiting), passed.held(one)) == (held, None)
    hand = passed.hand(waiting)
    assert hand == late, "the same proposal, and the same dart"
    act = Acted(relay=0, chain=hand["chain"], step=hand["step"], moves=moves(hand))
    with pytest.raises(NotSaidError, match="gone on to somebody else"):
        passed.acted(act, one, 30.0)
    done = passed.acted(act, waiting, 30.0)
    assert done.steps == passed.steps + 1
    assert done.acted(act, waiting, 31.0) is done, "sent again, it changes nothing"
    assert done.acted(act, one, 31.0) is done
    assert other is not None


WRONG = {
    "a page without a target": (Shown(page="coin"), RelayOn(), "nothing to pass on"),
    "no page": (None, RelayOn(), "nothing to pass on"),
    "another mode": (Shown(page="why_sample", query="seed=7"), RelayOn(), "nothing to pass on"),
    "no numbers": (CLASS, RelayOn(question="How many?", low=5, high=5), "above the first"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_cannot_be_passed_on_is_refused(case):
    shown, said, why = WRONG[case]
    with pytest.raises(NotSaidError, match=why):
        relay_shown(shown, said, 10)


def test_a_mind_is_asked_about_round_numbers_and_has_no_truth():
    relay = relay_shown(None, RelayOn(question="How many windows has this house?", low=0, high=120), 100)
    assert relay.names == tuple(str(number) for number in range(0, 121, 5))
    assert (len(relay.walkers), relay.rules) == (75, ("",))
    relay = relay.dealt([3], 0.0)
    hand = relay.hand(3)
    assert hand
    assert (hand["ratio"], hand["bar"], hand["dart"]) == (None, None, None)
    assert hand["here"] != hand["there"]
    told = relay_for_all(acted_as(relay, 3, moves=True).closed())
    assert (told["exact"], told["halves"], told["steps"]) == ([], [""], 1)
    assert told["counts"][0][told["names"].index(hand["there"])] == 1
    assert relay_for_instructor(relay.closed())["found"] == []
    for low, high in ((0, 3), (-10, 10), (0, 10**6)):
        assert 2 <= len(relay_shown(None, RelayOn(question="?", low=low, high=high), 1).names) <= 26


def acted_as(relay: RelayRound, index: int, *, moves: bool) -> RelayRound:
    hand = relay.hand(index)
    assert hand
    return relay.acted(Acted(relay=relay.id, chain=hand["chain"], step=hand["step"], moves=moves), index, 0.0)


def test_minds_that_choose_in_proportion_are_sampled_and_those_that_decide_are_not():
    """Preferences in proportion are Barker's rule: the heap of half B is exact as well, with other numbers of steps."""
    off = [distances_of(played(40, 6, seed, "preference"))[1] for seed in range(40)]
    assert np.mean(off) < 0.12
    assert np.mean([distances_of(played(40, 6, seed, "upwards"))[1] for seed in range(10)]) > 0.35


def test_files_have_the_heaps_and_nobodys_name():
    relay = played(8, 5, 2).closed().model_copy(update={"id": 1, "title": "=a & b"})
    mind = relay_shown(None, RelayOn(question="How many?", low=0, high=9), 1).model_copy(update={"id": 2})
    said = Said("KX7M2PQ9", Core(relays=(relay, mind)), {}, {})
    rows = as_csv(said).splitlines()
    assert len(rows) == 1 + 10 + 10
    assert rows[1].startswith("1,,half A,'=a & b,,,123: ")
    assert '"How many?"' in as_json(said)
    assert "holder" not in as_json(said)
    page = as_page(said)
    assert "Half B" in page
    assert "=a &amp; b" in page
    assert "Distance from the exact distribution" in page
    assert core_of(said.core.as_kept("", 1)) == said.core
    assert core_of(said.core.as_kept("", 1)._replace(body="{}")) == Core(), "rooms of before have no relays"


def test_a_class_of_forty_passes_chains_on_and_votes_which_half(rooms):
    async def test():
        async with a_class(rooms) as (room, teacher):
            people = [room.learn(number) for number in range(40)]
            await teacher.state(lambda state: state["people"] == 40)
            teacher.say(show=CLASS.model_dump())
            teacher.say(relay={})
            for one in people:
                await one.state(lambda state: state["relay"])
                one.say(hand=1)
            tasks = [asyncio.create_task(acts(one, 1_000)) for one in people]
            state = await teacher.state(lambda state: state["relay"]["steps"] > 200)
            for task in tasks:
                task.cancel()
            assert len(state["relay"]["places"]) == 30
            watch = await teacher.watch(lambda watch: watch["relay"] and sum(watch["relay"]["slips"]) == 0)
            assert watch["relay"]["limits"] == []
            teacher.say(stop_relay=True)
            watch = await teacher.watch(lambda watch: watch["relay"]["limits"])
            assert "B" in watch["relay"]["found"], "and A in one of a hundred such classes: who acts first has no seed"
            await people[0].you(lambda you: you["hand"] is None)
            people[0].say(act=CHAIN)
            assert await people[0].sorry() == "This class passes no such chain on."
            teacher.say(stop_relay=True)
            await people[0].state(lambda state: state["relay"] is None)
            teacher.say(recall=1)
            assert (await people[0].state(lambda state: state["relay"]))["relay"]["steps"] > 200
            teacher.say(end=True)
            await teacher.state(lambda state: state["ended"])
            teacher.say(result=1)
            assert (await teacher.until(lambda: teacher.latest.get("result")))["relay"]["steps"] > 200
            people[0].say(hand=1)
            assert [one["title"] for one in teacher.latest["watch"]["rounds"]] == ["The class is the chain"]

    awaited(test())


def test_a_relay_outlives_reloads_late_comers_leavers_and_a_class_of_one(rooms):
    async def test():
        async with a_class(rooms) as (room, teacher):
            teacher.say(show=CLASS.model_dump())
            alone = room.learn(0)
            await alone.you()
            alone.say(act=CHAIN)
            assert await alone.sorry() == "This class passes no such chain on."
            teacher.say(relay={})
            await alone.state(lambda state: state["relay"])
            alone.say(hand=1)
            mine = await acts(alone, 14)  # alone, she walks all chains of her half
            await alone.leave()
            room.everybody.remove(alone)
            again = room.learn(0)  # after a reload
            assert (await again.you())["hand"] == mine
            late = room.learn(1)
            assert (await late.you())["hand"] is None
            late.say(hand=1)
            theirs = (await late.you(lambda you: you["hand"]))["hand"]
            assert theirs["rule"] != mine["rule"]
            late.say(act={**CHAIN, "chain": 999})
            assert await late.sorry() == "This class passes no such chain on."
            late.say(act={**CHAIN, "chain": mine["chain"], "step": mine["step"]})
            assert await late.sorry() == "This chain has gone on to somebody else."
            late.say(act={"chain": "0"})
            assert (await late.sorry()).startswith("act.")
            late.say(forget=True)
            await late.gone()
            teacher.say(relay={"question": "How many?", "low": 0, "high": 9})  # another one closes the first
            await again.state(lambda state: state["relay"]["id"] == 2)
            again.say(hand=2)
            assert (await again.you(lambda you: you["hand"]))["hand"]["ratio"] is None
            teacher.say(ask={"lesson": "crp-rich-get-richer", "step": "head-start"})

    awaited(test())
