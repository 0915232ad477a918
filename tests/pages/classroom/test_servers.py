"""Real servers that are killed in the middle of a question, with a hundred browsers in the room."""

import asyncio
import json
import os
import signal
from collections import Counter
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.browser.driver import serve
from tests.browser.proxy import REMEDY, behind_nginx, nginx
from tests.loop import awaited
from tests.pages.classroom.browsers import Browser, exported, opened
from tests.pages.classroom.people import QUESTION, asked

ASK = {"lesson": QUESTION[0], "step": QUESTION[1]}
KEYS = [choice.key for choice in asked().choices]
MANY = 100


async def entered(url: str, room: dict, many: int) -> tuple[Browser, list[Browser]]:
    teacher = Browser(url, room["code"], 10_000, room["secret"])
    people = [Browser(url, room["code"], number) for number in range(many)]
    await teacher.until(lambda told: told["state"]["people"] == many)
    return teacher, people


async def left(teacher: Browser, people: list[Browser]) -> None:
    await asyncio.gather(*(one.leave() for one in (teacher, *people)))


async def one_question(url: str, room: dict, harm) -> list[int]:
    """Ask; have a third answer twice, a third break off and come back, a third come as it is closed, or too late.

    `harm` is done when about half of all have answered. Return how often each browser came.
    """
    teacher, people = await entered(url, room, MANY)
    await teacher.say(ask=ASK)
    round_of = await people[0].until(lambda told: told["state"]["round"])
    number, thirds = round_of["state"]["round"]["id"], (people[0::3], people[1::3], people[2::3])
    twice, breaking, late = thirds

    async def answer(one: Browser, index: int) -> None:
        await asyncio.sleep(0.3 * one.random.random())
        if one in twice:
            await one.give(number, KEYS[(index + 1) % 3])
        await one.give(number, KEYS[index % 3])
        if one in breaking and one.socket:
            await one.socket.close()

    harming = asyncio.create_task(harm())
    await asyncio.gather(*(answer(one, index) for index, one in enumerate((*twice, *breaking))))
    await harming
    for one in (*twice, *breaking):
        await one.until(lambda told, one=one: one.answer is None)
    await asyncio.gather(teacher.say(reveal=True), *(one.give(number, KEYS[0]) for one in late))
    await teacher.until(lambda told: not told["state"]["round"]["open"])
    for one in late:
        await one.until(lambda told, one=one: one.answer is None)
    in_time = [one for one in late if one.latest["you"]["counted"]]  # the server took them before it closed
    expected = Counter(KEYS[index % 3] for index in range(len(twice) + len(breaking))) + Counter(
        {KEYS[0]: len(in_time)}
    )
    for one in (teacher, people[-1]):
        await one.until(lambda told: told["state"]["round"].get("tally") == expected)
    assert all(one.came > 1 for one in breaking)
    assert json.loads(exported(url, room))["rounds"][0]["tally"] == expected
    assert sum(expected.values()) >= len(twice) + len(breaking)
    await left(teacher, people)
    return [one.came for one in (teacher, *twice, *late)]


def test_a_hundred_answers_are_counted_exactly_though_the_server_is_killed_meanwhile(tmp_path, monkeypatch):
    monkeypatch.setenv("SAMPLESCOPE_STORE", str(tmp_path / "rooms.sqlite"))
    with ExitStack() as servers:
        server = servers.enter_context(serve())
        room = opened(server.url)

        async def kill() -> None:
            await asyncio.sleep(0.15)
            os.kill(server.pids[0], signal.SIGKILL)
            await asyncio.to_thread(servers.enter_context, serve(int(server.url.rpartition(":")[2])))

        assert min(awaited(one_question(server.url, room, kill))) >= 2, "all had to come back"


def test_one_of_two_processes_behind_nginx_is_killed(tmp_path, monkeypatch, redis_server):
    if nginx() is None:
        (pytest.fail if os.environ.get("SAMPLESCOPE_NEEDS_BROWSER") else pytest.skip)(REMEDY)
    monkeypatch.setenv("SAMPLESCOPE_STORE", redis_server.url)
    with behind_nginx(Path(tmp_path), 2) as server:
        room = opened(server.url)

        async def kill() -> None:
            await asyncio.sleep(0.15)
            os.kill(server.pids[0], signal.SIGKILL)

        came = awaited(one_question(server.url, room, kill))
        assert 0 < sum(came) - len(came) < len(came), "those of the other one stayed"
