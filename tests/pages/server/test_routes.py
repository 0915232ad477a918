"""Answers to addresses: what browsers may keep, what is nonsense, and what takes long."""

import gc
import gzip
import time
from types import SimpleNamespace
from weakref import ref

import brotli
import pytest
import streamlit
from starlette.routing import Router

from lessons.failing import place_of
from lessons.kept import Cache
from pages.http.errors import say_sorry
from pages.http.framing import FRAMED_BY
from pages.http.rate import Rate
from pages.player.modules import BUILD, all_modules
from pages.server import routes as served
from pages.server.headers import SecurityHeaders
from tests.loop import awaited
from tests.pages.player.films import film, unpack
from tests.pages.server.asking import ask, reply_of

MIXTURE = {"data": "three_blobs", "points": 500, "seed": 7}


def test_an_answer_never_changes_and_says_so():
    one, again = (ask("coin/frames", seed=7, **{"from": 0, "to": 5}) for _ in range(2))
    assert one == again
    assert one.status == 200
    assert one.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert one.headers["etag"] == f'W/"{BUILD}-frames"'
    head, columns = unpack(one.body)
    assert (head["start"], head["count"]) == (0, 5)
    assert all(len(values) == 5 for values in columns.values())


@pytest.mark.parametrize("what", ["coin/still", "js/player/player.js"])
def test_who_has_an_answer_already_is_told_so_in_a_few_bytes(what):
    name, router = what.removeprefix("coin/").removeprefix("js/"), Router(served.routes())
    tags = f'"another", W/"{BUILD}-{name}"'
    known = awaited(reply_of(router, f"/play/{BUILD}/{what}", "seed=7", if_none_match=tags))
    assert (known.status, known.body) == (304, b"")
    assert "immutable" in known.headers["cache-control"]
    other = awaited(reply_of(router, f"/play/{BUILD}/{what}", "seed=7", if_none_match='W/"an-older-build"'))
    assert other.status != 304


def test_a_film_ends_where_it_ends():
    head, _ = unpack(ask("coin/frames", seed=7, tosses=20, **{"from": 15, "to": 40}).body)
    assert (head["start"], head["count"]) == (15, 6)
    assert len(ask("coin/cards", seed=7, view="step", **{"from": 19, "to": 30, "every": 1}).json["cards"]) == 2


NONSENSE = {
    "no topic": ("nothing/frames", {"seed": 1, "from": 0, "to": 9}),
    "no seed": ("coin/frames", {"from": 0, "to": 9}),
    "no end": ("coin/frames", {"seed": 1, "from": 0}),
    "backwards": ("coin/frames", {"seed": 1, "from": 9, "to": 3}),
    "too many": ("coin/frames", {"seed": 1, "from": 0, "to": 10**6}),
    "beyond the end": ("coin/frames", {"seed": 1, "from": 10**6, "to": 10**6 + 1}),
    "no number": ("coin/frames", {"seed": "x", "from": 0, "to": 9}),
    "a value out of range": ("coin/frames", {"seed": 1, "from": 0, "to": 9, "tosses": 10**9}),
    "a name that means nothing": ("coin/frames", {"seed": 1, "from": 0, "to": 9, "<script>": 1}),
    "no view": ("coin/cards", {"seed": 1, "view": "none", "from": 0, "to": 1, "every": 1}),
    "nothing at rest": ("coin/still", {"seed": 1, "t": 0}),
    "data that are not there": ("crp_mixture/film", {"seed": 1, "data": "own", "own": "0" * 32}),
    "too long": ("coin/film", {"seed": "0" * 3_000}),
}


@pytest.mark.parametrize("case", NONSENSE)
def test_nonsense_is_answered_by_a_sentence(case):
    what, values = NONSENSE[case]
    reply = ask(what, **values)
    assert reply.status == 400
    assert reply.headers["cache-control"] == "no-store"
    assert reply.body.decode().endswith(".")
    assert len(reply.body) < 300
    assert reply.headers["content-type"].startswith("text/plain")


def test_what_takes_long_comes_in_slices(monkeypatch):
    monkeypatch.setattr("pages.player.turns.time", time)
    monkeypatch.setattr("pages.player.turns.SLICE", 0.02)
    router, query = Router(served.routes()), "data=three_blobs&points=500&seed=990&from=0&to=300"
    first = awaited(reply_of(router, f"/play/{BUILD}/crp_mixture/frames", query))
    assert first.status == 202
    assert "Making the first sweeps" in first.json["said"]
    assert first.headers["cache-control"] == "no-store"
    some = ask("crp_mixture/frames", **MIXTURE | {"seed": 990}, **{"from": 0, "to": 300})
    assert some.status == 200
    assert 0 < unpack(some.body)[0]["count"] < 300
    assert some.headers["cache-control"] == "no-store", "the rest is asked for"


def test_a_run_that_is_asked_for_in_slices_goes_when_it_is_dropped(monkeypatch):
    """Without a collection: one of everything is rare, and runs are large."""
    kept = Cache(10**9)
    monkeypatch.setattr("pages.scenes.shared.RUNS", kept)
    monkeypatch.setattr("pages.player.turns.time", time)
    monkeypatch.setattr("pages.player.turns.SLICE", 0.02)
    query = "data=three_blobs&points=500&seed=991&from=200&to=300"
    gc.disable()
    try:
        reply = awaited(reply_of(Router(served.routes()), f"/play/{BUILD}/crp_mixture/frames", query))
        runs = [ref(entry.made) for entry in kept._entries.values()]
        kept._entries.clear()
        assert (reply.status, [run() for run in runs]) == (202, [None] * len(runs))
        assert runs
    finally:
        gc.enable()


@pytest.mark.parametrize(("grown", "count"), [([12, 50, 70], 21), ([12, 50, 50], 1), ([12, 60, 12], 1)])
def test_frames_that_come_in_two_slices_are_counted_after_the_second(grown, count):
    """The first slice ends before the frames that are asked for, and the next one reaches them."""
    slices = iter(grown)
    known = film(100, grow=lambda t: next(slices))
    stage = SimpleNamespace(film=lambda settings, seed: known)
    answer = served.frames(served.Asked(stage, None, 1, {"from": "50", "to": "90"}))
    head, columns = unpack(answer.body)
    assert (head["start"], head["count"]) == (50, count)
    assert all(len(values) == count for values in columns.values())
    assert not answer.whole


@pytest.mark.parametrize("name", all_modules())
def test_code_comes_compressed_and_is_kept(name):
    router = Router(served.routes())
    plain = awaited(reply_of(router, f"/play/{BUILD}/js/{name}"))
    for accepted, encoding, plainly in (("gzip", "gzip", gzip.decompress), ("gzip, br", "br", brotli.decompress)):
        packed = awaited(reply_of(router, f"/play/{BUILD}/js/{name}", accept_encoding=accepted))
        assert plainly(packed.body) == plain.body
        assert packed.headers["content-encoding"] == encoding
        assert "immutable" in packed.headers["cache-control"]
    assert plain.headers["content-type"].startswith("text/javascript")
    assert b"export " in plain.body or b"export{" in plain.body


def test_an_address_below_a_base_path(monkeypatch):
    monkeypatch.setattr(streamlit, "get_option", {"server.baseUrlPath": "/course/"}.get)
    reply = awaited(reply_of(Router(served.routes()), f"/course/play/{BUILD}/coin/film", "seed=7"))
    assert reply.json["charts"]


def test_a_rate_is_for_each_client(monkeypatch):
    now = [0.0]
    rate = Rate(2, 3, lambda: now[0])
    assert [rate.allows("a") for _ in range(5)] == [True] * 3 + [False] * 2
    assert rate.allows("b"), "others are not held up"
    now[0] += 0.5
    assert [rate.allows("a") for _ in range(2)] == [True, False]
    now[0] += 60
    assert [rate.allows("a") for _ in range(4)] == [True] * 3 + [False]
    assert (rate.wait("a"), rate.wait("c")) == (0.5, 0.0)
    assert [rate.reserve("d", 1.2) for _ in range(6)] == [0.0, 0.0, 0.0, 0.5, 1.0, None]
    monkeypatch.setattr("pages.http.rate.MOST_CLIENTS", 5)
    for number in range(20):
        rate.allows(f"{number}")
    assert len(rate._left) <= 7


# ---- headers and errors ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("framed_by", [None, "https://lms.example.edu"])
def test_every_answer_carries_the_headers(monkeypatch, framed_by):
    if framed_by:
        monkeypatch.setenv(FRAMED_BY, framed_by)
    reply = awaited(reply_of(SecurityHeaders(Router(served.routes())), "/nothing"))
    assert reply.status == 404
    assert reply.headers["x-content-type-options"] == "nosniff"
    policy = reply.headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "script-src-attr 'none'" in policy
    assert policy.endswith(f"frame-ancestors 'self' {framed_by or ''}".strip())


def test_a_script_or_a_style_does_nothing_by_itself():
    """A page has a hundred of them, and says itself what they may do."""
    reply = awaited(reply_of(SecurityHeaders(Router(served.routes())), f"/play/{BUILD}/js/player/player.js"))
    assert reply.headers["content-type"].startswith("text/javascript")
    assert reply.headers["content-security-policy"] == "default-src 'none'"
    assert reply.headers["x-content-type-options"] == "nosniff"
    assert "permissions-policy" not in reply.headers


def test_the_log_says_where_an_error_was_and_never_what_it_quotes(caplog, monkeypatch):
    said: list[str] = []
    monkeypatch.setattr("streamlit.error", lambda text, icon: said.append(text))
    with pytest.raises(served.BadAddressError) as caught:
        served.read("coin", {"seed": "my secret"})
    assert say_sorry(caught.value)
    assert place_of(caught.value).startswith("pages/server/routes.py:")
    assert "BadAddressError at pages/server/routes.py" in caplog.text
    assert "secret" not in caplog.text
    assert "Reload the page" in said[0]
    assert "secret" not in said[0]


def test_an_error_outside_of_our_code_has_no_place():
    assert place_of(ValueError()) == "code of a library"
