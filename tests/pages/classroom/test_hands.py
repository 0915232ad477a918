"""Thirty chains, one posterior: each learner's run has its own seed or setting, and its outcome is exact."""

import asyncio

import numpy as np
import pytest

from lessons.topics import STAGES
from pages.classroom import reports
from pages.classroom.hands import Finding, hands_round
from pages.classroom.messages import HandsOn, NotSaidError, Shown
from pages.classroom.rooms import Rooms
from pages.classroom.sqlite import SQLiteStore
from samplers import Chain
from tests.loop import awaited
from tests.pages.classroom.people import a_class

SEATING = Shown(page="crp_seating", query="seed=7&concentration=2.0&customers=60")


def made(shown=SEATING, **said):
    return hands_round(shown, HandsOn(**{"vary": "seed", "outcome": "tables", "t": 60, **said}))


def test_learners_runs_are_all_different_and_pile_up_to_the_exact_distribution():
    hands = made()
    assert hands.own_values(0) == {"seed": 8}
    assert len({hands.own_values(index)["seed"] for index in range(500)}) == 500
    found = np.array([float(Finding(hands, index, "").found()) for index in range(200)])
    exact = np.array(hands.exact["values"]), np.array(hands.exact["shares"])
    assert exact[1].sum() == pytest.approx(1, abs=2e-3)
    mean = exact[0] @ exact[1]
    sd = np.sqrt(exact[0] ** 2 @ exact[1] - mean**2)
    assert abs(found.mean() - mean) < 4 * sd / np.sqrt(200)
    assert found.std() == pytest.approx(sd, rel=0.2)


def test_the_pile_has_as_many_outcomes_in_each_bin_as_there_are():
    """Ten each of 0 to 59 came as 30, 20, 30, 20, and so on."""
    told = reports.hands_for_all(made(), [(index, float(index % 60)) for index in range(600)])
    assert np.bincount(told["heap"]["places"]).tolist() == [20] * 30
    assert sum(told["heap"]["shares"]) == pytest.approx(1, abs=2e-3)
    assert reports.hands_for_all(made(), [])["heap"] is None


def test_a_value_is_what_the_learners_own_chain_comes_to():
    hands = made(vary="concentration", values=(0.5, 4), t=30)
    assert hands.own_values(1) == {"concentration": 4.0, "seed": 7}
    assert hands.own_values(3) == {"concentration": 4.0, "seed": 8}, "who comes round again has another seed"
    assert hands.exact is None, "each has another distribution"
    settings = STAGES["crp_seating"](concentration=4.0, customers=60)
    assert float(Finding(hands, 3, "").found()) == settings.measure(Chain(settings.sampler(), 8), 30)["tables"]


WRONG = {
    "the map": (Shown(page=""), {}, "Open a topic first"),
    "no such outcome": (SEATING, {"outcome": "clusters"}, "measures no such outcome"),
    "no such setting": (SEATING, {"vary": "mood", "values": ("1",)}, "a setting of that name"),
    "no values": (SEATING, {"vary": "concentration"}, "Type the values"),
    "a value out of range": (SEATING, {"vary": "concentration", "values": (1e9,)}, "concentration was 1000000000.0"),
    "too long": (SEATING, {"t": 61}, "at most 60 customers"),
    "too long for some": (SEATING, {"vary": "customers", "values": (20, 60)}, "at most 20 customers"),
    "no chance": (
        Shown(page="laplace_line", query="seed=1"),
        {"outcome": "place", "t": 2},
        "no random numbers",
    ),
    "own data": (
        Shown(page="crp_mixture", query="seed=1&data=own&own=" + "0" * 32),
        {"t": 5},
        "These data are your own",
    ),
    "a close look": (
        Shown(page="crp_mixture", query="seed=1&step_by=update"),
        {"t": 5},
        "go back to whole steps",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_learners_cannot_run_is_refused_with_a_reason(case):
    shown, said, reason = WRONG[case]
    with pytest.raises(NotSaidError, match=reason):
        made(shown, **said)


LAWS = {  # few enough iterations or data for the mean over 60 or 150 seeds to tell
    "tosses": ("coin", {"bias": 0.3}, "heads", 10),
    "posterior of tosses": ("coin", {"bias": 0.3}, "mean", 10),
    "draws": ("draws", {}, "mean", 20),
    "seating": ("crp_seating", {"discount": 0.4}, "tables", 40),
    "stick": ("crp_seating", {"door": "stick"}, "tables", 20),
    "buffet": ("ibp_buffet", {"concentration": 3.0}, "dishes", 12),
    "plate": ("ibp_buffet", {"model": "finite", "columns": 6}, "plate", 8),
    "groups": ("why_sample", {}, "groups", 30),
    "mixture": ("crp_mixture", {"data": "three_points"}, "tables", 25),
    "mixture, learned": ("crp_mixture", {"data": "three_points", "learning": "learned"}, "tables", 25),
    "blobs": ("gibbs_blobs", {"data": "three_points"}, "occupied", 30),
    "features": ("ibp_features", {"data": "tiny"}, "features", 4),
}


@pytest.mark.parametrize("case", LAWS)
def test_the_exact_truth_is_what_runs_come_to(case):
    topic, values, outcome, t = LAWS[case]
    settings = STAGES[topic](**values)
    exact = settings.law(outcome, t)
    sampler, many = settings.sampler(), 60 if case == "features" else 150
    found = [settings.measure(Chain(sampler, seed, keep=40), t)[outcome] for seed in range(many)]
    assert abs(np.mean(found) - exact.mean) < 4 * np.std(found) / np.sqrt(many)
    if exact.values:
        assert np.dot(exact.values, exact.shares) == pytest.approx(exact.mean, rel=1e-2)


def test_outcomes_with_a_truth_come_first_and_the_iteration_is_none():
    assert next(iter(STAGES["crp_seating"].outcomes())) == "tables"
    assert "customers" not in STAGES["ibp_buffet"].outcomes()
    for topic, _, outcome, _ in LAWS.values():
        assert outcome in STAGES[topic].lawful
    for model in STAGES.values():
        for outcome in model.measured.keys() - {*model.lawful}:
            assert model().law(outcome, 3) is None


def test_blobs_that_can_be_listed_have_a_truth_and_others_none():
    settings = STAGES["gibbs_blobs"]()
    assert settings.law("occupied", 10) is None
    assert settings.law("largest", 10) is None
    assert STAGES["logistic"]().law("mode", 3) is None


def test_a_run_that_fails_leaves_the_others_alone(rooms, monkeypatch, caplog):
    found = Finding.found

    def fails_for_the_first(finding: Finding) -> str | None:
        if finding.index == 0:
            raise ZeroDivisionError("secret")
        return found(finding)

    monkeypatch.setattr(Finding, "found", fails_for_the_first)

    async def test():
        async with a_class(rooms) as (room, teacher):
            one, two = room.learn(1), room.learn(2)
            teacher.say(show=SEATING.model_dump())
            teacher.say(hands={"vary": "seed", "outcome": "tables", "t": 60})
            for person in (one, two):
                await person.you(lambda you: you["hands"])
                person.say(found={"hands": 1, "t": 60})
            for person in (one, two):
                await person.you(lambda you: you["hands"]["values"])
            values = {
                person.latest["you"]["index"]: person.latest["you"]["hands"]["values"][0] for person in (one, two)
            }
            assert values[0] is None
            assert values[1] is not None
            assert (await two.state(lambda state: state["hands"]["n"] == 1))["hands"]["points"][0][0] == 1

    awaited(test())
    assert "ZeroDivisionError" in caplog.text
    assert "secret" not in caplog.text


def test_runs_of_a_class_are_counted_once_and_lit_for_their_owner(tmp_path):
    async def test():
        rooms = Rooms(lambda: SQLiteStore(tmp_path / "rooms.sqlite"))
        async with a_class(rooms) as (room, teacher):
            one, two = room.learn(1, name="Ada"), room.learn(2)
            teacher.say(show=SEATING.model_dump())
            teacher.say(hands={"vary": "seed", "outcome": "tables", "t": 60})
            number = (await one.state(lambda state: state["hands"]))["hands"]["id"]
            assert len({str((await each.you(lambda you: you["hands"]))["hands"]["sets"]) for each in (one, two)}) == 2
            one.say(found={"hands": number, "t": 10})
            assert await one.sorry() == "Your run has not got there yet."
            for person in (one, one, two):
                person.say(found={"hands": number, "t": 60})
            mine = (await one.you(lambda you: you["hands"] and you["hands"]["values"]))["hands"]
            pile = (await two.state(lambda state: state["hands"]["n"] == 2))["hands"]
            index = one.latest["you"]["index"]
            assert [index, mine["values"][0]] in pile["points"]
            watch = await teacher.watch(lambda watch: watch["hands"] and len(watch["hands"]) == 2)
            assert {"index": index, "name": "Ada", "value": mine["values"][0], "set": mine["sets"][0]} in watch["hands"]
            one.say(found={"hands": number, "t": 60, "run": 1})  # another run of the same learner
            again = (await one.you(lambda you: len(you["hands"]["values"]) == 2))["hands"]
            assert len({str(each) for each in again["sets"]}) == 3
            state = await two.state(lambda state: len(state["hands"]["points"]) == 3)
            assert state["hands"]["n"] == 2
            teacher.say(fold_hands=True)  # away from projectors, which have the stage alone meanwhile
            assert (await two.state(lambda state: state["hands"]["folded"]))["hands"]["open"]
            teacher.say(stop_hands=True)
            await two.state(lambda state: not state["hands"]["open"])
            late = room.learn(3)
            await late.you()
            late.say(found={"hands": number, "t": 60})
            await asyncio.sleep(0.1)
            assert late.latest["state"]["hands"]["n"] == 2
            teacher.say(table=True)
            table = await teacher.until(lambda: teacher.latest.get("table"))
            assert table["rounds"] == [{"id": number, "title": "Hands on: occupied tables"}]
            assert table["rows"][index]["cells"] == [[", ".join(f"{value:g}" for value in again["values"]), None]]
            teacher.say(result=9)
            assert await teacher.sorry() == "This class has no such question."
            teacher.say(end=True)
            await two.state(lambda state: state["ended"])
            teacher.say(result=number)  # results can still be looked at when the class is over
            assert len((await teacher.until(lambda: teacher.latest.get("result")))["hands"]["points"]) == 3

    awaited(test())
