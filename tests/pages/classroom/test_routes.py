"""Rights to open a room, join it and take answers away: codes, secrets, sizes and rates."""

import json
import os
import re
import xml.etree.ElementTree
from collections import Counter
from urllib.parse import quote

import pytest
import segno
from starlette.routing import Router
from starlette.websockets import WebSocket

from pages.classroom import codes, hub, kept_in, live, messages, routes
from pages.classroom.hub import FULL, REFUSED
from pages.classroom.room import Core
from pages.classroom.rooms import NONE, Rooms
from pages.classroom.sqlite import SQLiteStore
from pages.classroom.store import Kept
from pages.player.turns import TURNS
from pages.server.door import LATER, Door
from tests.loop import awaited
from tests.pages.classroom.people import Class, Person, a_class
from tests.pages.server.asking import Reply, reply_of


@pytest.fixture
def rooms(tmp_path):
    return Rooms(lambda: SQLiteStore(tmp_path / "rooms.sqlite"))


def asked(rooms: Rooms, path: str, *, query: str = "", method: str = "GET", **headers: str) -> Reply:
    return awaited(reply_of(Router(routes.room_routes(rooms)), path, query, method, host="ours.example", **headers))


def opened(rooms: Rooms) -> dict:
    return asked(rooms, "/room", method="POST").json


def visited(rooms: Rooms, code: str, *said: str, **headers: str) -> int:
    """Return the code with which a browser that says so is sent away."""

    async def visit() -> int:
        person = Person(Router(routes.room_routes(rooms)), code, **headers)
        for text in said:
            person.say(text)
        closed = await person.gone()
        person.said.put_nowait({"type": "websocket.disconnect", "code": 1001})
        await person.task
        return closed

    return awaited(visit())


def hello(**more: object) -> str:
    return json.dumps({"hello": {"member": "m" * 22, **more}})


# ---- codes and secrets -----------------------------------------------------------------------------------------------


def test_a_code_is_read_however_it_is_typed():
    for text in ("kx7m2pq9", "KX7M-2PQ9", " kx7m 2pq9"):
        assert codes.read_code(text) == "KX7M2PQ9"
    assert codes.in_words("KX7M2PQ9") == "KX7M-2PQ9"
    for text in ("", "KX7M2PQ", "KX7M2PQ90", "KX7M2PQ0", "KX7M2PQI", "x" * 10_000, "ＫＸ７Ｍ２ＰＱ９"):
        assert codes.read_code(text) == ""
    assert len({codes.new_code() for _ in range(1_000)}) == 1_000


def test_a_room_has_a_code_and_a_secret_of_which_only_the_seal_is_kept(rooms, tmp_path):
    reply = asked(rooms, "/room", method="POST", origin="http://ours.example")
    assert (reply.status, reply.headers["cache-control"]) == (201, "no-store")
    assert codes.read_code(reply.json["code"]) == reply.json["code"]
    assert len(reply.json["secret"]) >= 43
    kept = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert reply.json["code"].encode() in kept
    assert reply.json["secret"].encode() not in kept
    assert os.name != "posix" or not any(path.stat().st_mode & 0o077 for path in tmp_path.iterdir()), "for us alone"


def test_only_pages_of_ours_open_rooms_and_not_without_end(rooms, monkeypatch):
    assert asked(rooms, "/room", method="POST", origin="https://elsewhere.example").status == 403
    monkeypatch.setattr(routes, "MOST_ROOMS", 1)
    replies = [asked(rooms, "/room", method="POST") for _ in range(2)]
    assert [reply.status for reply in replies] == [201, 503]
    assert replies[1].headers["retry-after"] == "5"


def test_where_there_is_a_key_only_who_has_it_opens_rooms(rooms, monkeypatch, caplog):
    key = "0123456789abcdef"
    monkeypatch.setenv(kept_in.TEACH, key)
    said = ({}, {"authorization": f"Bearer {key[1:]}"}, {"authorization": f"Bearer {key}"})
    assert [asked(rooms, "/room", method="POST", **headers).status for headers in said] == [401, 401, 201]
    assert caplog.messages == ["a wrong key for rooms, from 127.0.0.0"]
    monkeypatch.setenv(kept_in.TEACH, key[1:])
    with pytest.raises(ValueError, match="has 15 characters: it should have 16 or more"):
        kept_in.teachers_key()


SENT_AWAY = {
    "a wrong code": ("23456789", [hello()], {}, NONE),
    "no code": ("coin", [hello()], {}, NONE),
    "another site": (None, [hello()], {"origin": "https://elsewhere.example"}, REFUSED),
    "a wrong secret": (None, [hello(secret="x" * 43)], {}, REFUSED),
    "no hello": (None, ['{"name": "Ada"}'], {}, REFUSED),
    "no JSON": (None, ["hello"], {}, REFUSED),
    "a long hello": (None, [hello(name="x" * messages.LONGEST)], {}, REFUSED),
    "no member": (None, ['{"hello": {"member": "../../etc"}}'], {}, REFUSED),
    "too long": (None, [hello(), "x" * (messages.LONGEST + 1)], {}, REFUSED),
}


@pytest.mark.parametrize("case", SENT_AWAY)
def test_who_has_no_business_here_is_sent_away(rooms, case):
    code, said, headers, closed = SENT_AWAY[case]
    assert visited(rooms, code or opened(rooms)["code"], *said, **headers) == closed


def test_who_says_nothing_is_sent_away(rooms, monkeypatch):
    monkeypatch.setattr(hub, "FIRST", 0.01)
    assert visited(rooms, opened(rooms)["code"]) == REFUSED


def test_who_tries_many_codes_hears_to_try_again_and_is_let_in_with_the_right_one(rooms):
    async def test():
        async with a_class(rooms) as (room, _):
            room.app = Door(room.app)
            wrong = [Person(room.app, codes.new_code()) for _ in range(25)]
            gone = Counter([await one.gone() for one in wrong])  # in any order: threads look for the codes
            assert gone == {NONE: 20, LATER: 5}
            await room.learn(2).state()

    awaited(test())


# ---- a room that is full ---------------------------------------------------------------------------------------------


def test_learners_with_a_page_take_the_places_of_those_that_a_script_made_up(rooms, monkeypatch):
    monkeypatch.setattr(hub, "MOST", 3)
    TURNS.know("a page")

    async def test():
        async with a_class(rooms) as (room, _):
            made_up = [room.learn(number) for number in range(3)]
            for one in made_up:
                await one.you()
            assert await room.learn(10).gone() == LATER, "one more of the same kind, from the same address"
            real = room.learn(11, session="a page")
            await real.you()
            assert await made_up[2].gone() == LATER
            assert await room.learn(12, session="a page").gone() == LATER, "a page has one learner"
            room.teach()
            await made_up[0].state()

    awaited(test())


def test_an_address_with_few_learners_takes_a_place_of_one_with_many(rooms):
    here = live.Live("KX7M2PQ9", Kept("", 1, (), False, Core().model_dump_json()), str)

    def comes(address: str, page: str = "") -> live.Listener:
        socket = WebSocket({"type": "websocket", "client": (address, 1), "headers": []}, None, None)  # type: ignore[arg-type]
        return live.Listener(socket, address, leads=False, page=page)

    many, one = [comes("10.0.0.1") for _ in range(4)], comes("10.0.0.2")
    here.listeners = {*many, one}
    assert here.gives_way("10.0.0.1", page=False) is None
    assert here.gives_way("10.0.0.2", page=False) is many[-1]
    assert here.gives_way("10.0.0.1", page=True) is many[-1]
    here.listeners = {comes("10.0.0.1", f"{number}") for number in range(4)}
    assert here.gives_way("10.0.0.1", page=True) is None
    assert here.gives_way("10.0.0.2", page=False) is None


def test_names_that_a_script_makes_up_leave_half_of_the_room_to_others(rooms, monkeypatch):
    monkeypatch.setattr(hub, "MOST_MEMBERS", 4)
    TURNS.know("another page")

    async def test():
        async with a_class(rooms) as (room, _):
            for number in range(2):
                one = room.learn(number)
                await one.you()
                await one.leave()
                room.everybody.remove(one)
            assert await room.learn(3).gone() == LATER
            await room.learn(4, session="another page").you()
            await room.learn(1).you()  # who was here before

    awaited(test())


# ---- who may do what -------------------------------------------------------------------------------------------------


def test_learners_drive_nothing_and_nobody_drives_another_room(rooms):
    async def test():
        async with a_class(rooms) as (room, _), a_class(rooms) as (other, _):
            learner = room.learn(1)
            await learner.state()
            for told in ({"show": {"page": "coin"}}, {"end": True}, {"close": True}, {"pause": True}):
                learner.say(**told)
                assert "Only the instructor" in await learner.sorry()
            thief = Person(other.app, other.code)
            thief.say(hello={"member": "t" * 22, "secret": room.secret})
            assert await thief.gone() == REFUSED
            assert rooms.live[room.code].kept.number == 1
            assert "tally" not in json.dumps([body for kind, body in learner.told if kind == "watch"])

    awaited(test())


BAD = {
    "nothing": "{}",
    "two things": '{"name": "Ada", "follows": true}',
    "a list": "[1]",
    "too deep": "[" * 3_000,
    "an unknown thing": '{"sing": 1}',
    "a name that is none": '{"name": {"a": 1}}',
    "an answer to nothing": '{"answer": {"round": 9, "keys": ["a"]}}',
    "too much": '{"answer": {"round": 1, "keys": ["a"], "more": 1}}',
    "hello again": hello(),
    "no number": '{"answer": {"round": true, "keys": ["a"]}}',
}


def test_a_bad_message_changes_nothing(rooms):
    async def test():
        async with a_class(rooms) as (room, teacher):
            learner = room.learn(1)
            await learner.state()
            for text in BAD.values():
                learner.say(text)
                assert len(await learner.sorry()) < 200
            for told in (
                {"show": {"page": "../etc"}},
                {"show": {"page": "coin", "query": "a\nb"}},
                {"show": {"page": "coin", "query": "x" * 2_001}},
                {"show": {"page": "coin", "speed": float("nan")}},
                {"ask": {"lesson": "coin", "step": "none"}},
                {"before": {"tally": {"a": 1}}},
                {"hands": {"vary": "seed", "outcome": "tables", "t": 3}},
                {"name": "Eve"},
            ):
                teacher.say(**told)
                assert len(await teacher.sorry()) < 200
            assert rooms.live[room.code].kept.number == 1

    awaited(test())


def test_names_are_one_line_of_visible_text(rooms):
    assert messages.clean_name("  Ada \n\t L.  ") == "Ada L."
    assert messages.clean_name("\u202eevil\x00\u200b\ud800") == "evil"
    assert len(messages.clean_name("ä" * 200)) == messages.LONGEST_NAME
    assert messages.clean_name("<b>") == "<b>", "shown as it is, as text"


def test_a_full_room_says_so_and_still_lets_the_instructor_in(rooms, monkeypatch):
    monkeypatch.setattr(hub, "MOST", 1)
    monkeypatch.setattr(hub, "TABS", 2)

    async def test():
        async with a_class(rooms) as (room, _):
            await room.learn(1).state()
            assert await room.learn(2).gone() == FULL
            await room.learn(1).state()
            assert await room.learn(1).gone() == FULL, "one learner has so many tabs and no more"
            await room.teach().state()

    awaited(test())


def test_a_room_that_too_many_ever_came_into_is_full(rooms, monkeypatch):
    monkeypatch.setattr("pages.classroom.sqlite.MOST_MEMBERS", 2)

    async def test():
        async with a_class(rooms) as (room, _):
            for number in (1, 2):
                await room.learn(number).state()
            assert await room.learn(3).gone() == FULL
            await room.learn(2).state()

    awaited(test())


# ---- what is taken away ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["answers.csv", "answers.html", "answers.json"])
def test_answers_are_for_who_has_the_secret(rooms, name):
    room = opened(rooms)
    address = f"/room/{room['code']}/{name}"
    assert asked(rooms, address, authorization=f"Bearer {room['secret']}").status == 200
    other = opened(rooms)["secret"]
    for headers in ({}, {"authorization": "Bearer "}, {"authorization": f"Bearer {other}"}):
        reply = asked(rooms, address, **headers)
        assert (reply.status, reply.body) == (404, asked(rooms, f"/room/23456789/{name}").body)
    evil = asked(rooms, address, authorization=f"Bearer {room['secret']}", origin="https://elsewhere.example")
    assert evil.status == 404


def test_the_qr_code_leads_to_this_app_alone(rooms):
    for at, address in (
        ("", "http://ours.example/"),
        ("http://ours.example/a/coin?t=3#a", "http://ours.example/a/"),
    ):
        reply = asked(rooms, "/room/kx7m-2pq9/qr.svg", query=f"at={quote(at)}")
        drawn = segno.make(f"{address}j/KX7M2PQ9", error="m")
        dark = re.findall(r' d="([^"]+)"', drawn.svg_inline(border=4))[-1]
        assert f' d="{dark}"' in reply.body.decode()
        assert reply.headers["content-type"] == "image/svg+xml"
        assert xml.etree.ElementTree.fromstring(reply.body).tag.endswith("svg")
    for at in ("https://elsewhere.example/", "javascript:alert(1)", "http://ours.example@evil/", "x" * 500):
        assert asked(rooms, "/room/KX7M2PQ9/qr.svg", query=f"at={at}").status == 404
    assert asked(rooms, "/room/nothing/qr.svg").status == 404


@pytest.mark.parametrize("base", ["", "course"])
def test_rooms_lie_below_the_base_path(rooms, monkeypatch, base):
    monkeypatch.setattr("streamlit.get_option", {"server.baseUrlPath": base}.get)
    above = f"/{base}".rstrip("/")
    assert asked(rooms, f"{above}/room", method="POST").status == 201
    for typed in ("KX7M2PQ9", "kx7m-2pq9"):
        reply = asked(rooms, f"{above}/j/{typed}")
        assert (reply.status, reply.headers["location"]) == (303, f"{above}/?room=KX7M2PQ9")
    typed = asked(rooms, f"{above}/j/", query="code=kx7m+2pq9")
    assert typed.headers["location"] == f"{above}/?room=KX7M2PQ9"
    assert "Join a class" in asked(rooms, f"{above}/j/").body.decode()


@pytest.mark.parametrize("nonsense", ["hello", "KX7M-2PQ0", "<b>x</b>", "a/b", "9" * 500])
def test_a_wrong_code_is_asked_for_again(rooms, nonsense):
    reply = asked(rooms, f"/j/{nonsense}")
    page = reply.body.decode()
    assert (reply.status, reply.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert "is not the code of a class" in page
    assert "<b>" not in page
    assert len(page) < 3_000


def test_a_class_of_an_app_that_is_started_anew_is_there(rooms, tmp_path):
    room = opened(rooms)
    again = Class(Rooms(lambda: SQLiteStore(tmp_path / "rooms.sqlite")))
    again.code, again.secret = room["code"], room["secret"]

    async def test():
        assert (await again.teach().state())["number"] == 1
        await again.leave()

    awaited(test())
