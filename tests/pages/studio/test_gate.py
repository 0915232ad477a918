"""The gate of the studio: who is let in, by a secret or by a link."""

import re
import time
from collections.abc import Callable

import pytest
import streamlit as st
from starlette.routing import Router
from streamlit.testing.v1 import AppTest

from pages.http.rate import Rate
from pages.http.studio import LINK, open_by_link
from pages.lesson import gate
from pages.server.routes import routes
from tests.loop import awaited
from tests.pages.server.asking import reply_of
from tests.pages.studio.instructor import SECRET
from tests.pages.visits import app, press


def components(page: AppTest) -> list[str]:
    return [part.proto.component_name for part in page.get("bidi_component")]


def test_without_a_secret_the_page_says_how_there_comes_to_be_one(monkeypatch):
    for short in ("", "short"):
        monkeypatch.setenv(gate.STUDIO, short)
        page = app("studio/studio.py", file="mine/week-3.md")
        assert "The studio is off" in page.info[0].value
        assert "make studio LESSONS=../mine" in page.info[0].value
        assert not page.text_input
        assert not any("editor" in name for name in components(page))


def test_the_secret_opens_and_nothing_else(monkeypatch, mine):
    monkeypatch.setenv(gate.STUDIO, SECRET)
    monkeypatch.setattr(type(st.context), "cookies", {})
    page = app("studio/studio.py", file=f"{mine.parent.name}/week-3.md")
    page.text_input[0].set_value("Open sesame")
    press(page, "Open")
    assert "That is the wrong secret" in page.error[0].value
    page.text_input[0].set_value(SECRET)
    press(page, "Open")
    assert not page.error
    assert {"samplescope_editor", "samplescope_view", "samplescope_pass"} <= {*components(page)}


@pytest.fixture
def by_link(monkeypatch, mine) -> Callable[..., AppTest]:
    """Open the studio by a link, as at a server with this address."""
    config = st.get_option
    monkeypatch.setattr(type(st.context), "cookies", {})
    monkeypatch.setenv(LINK, "off")  # so that both are as they were afterwards
    monkeypatch.setenv(gate.STUDIO, "")
    secret = open_by_link()

    def opened(address: str | None = "localhost", token: str = secret) -> AppTest:
        option = lambda name: address if name == "server.address" else config(name)  # noqa: E731
        monkeypatch.setattr(st, "get_option", option)
        return app("studio/studio.py", token=token, file=f"{mine.parent.name}/week-3.md")

    return opened


def test_on_ones_own_machine_a_link_opens_the_studio_and_its_secret_leaves_the_address(by_link):
    page = by_link()
    assert {"samplescope_editor", "samplescope_pass"} <= {*components(page)}
    assert "token" not in page.query_params


def test_a_link_of_an_earlier_start_opens_nothing_and_the_page_says_where_the_new_one_is(by_link):
    page = by_link(token="another, of an earlier start")
    assert "The terminal shows the one" in page.error[0].value
    assert page.text_input
    assert "samplescope_editor" not in components(page)


def test_where_others_reach_the_server_no_link_opens_the_studio(by_link, monkeypatch):
    for address in ("0.0.0.0", "192.168.1.7", None):
        page = by_link(address)
        assert page.text_input
        assert "samplescope_editor" not in components(page)
    monkeypatch.setenv(LINK, "off")
    assert "samplescope_editor" not in components(by_link())


def test_a_secret_that_is_there_stays_and_a_short_one_does_not(monkeypatch):
    monkeypatch.setenv(LINK, "off")
    for given in ("", "short", SECRET):
        monkeypatch.setenv(gate.STUDIO, given)
        assert (open_by_link() == given) == (given == SECRET)
        assert len(open_by_link()) >= gate.SHORTEST


def test_who_tries_too_often_waits(monkeypatch):
    monkeypatch.setenv(gate.STUDIO, SECRET)
    monkeypatch.setattr(gate, "RATE", Rate(0.001, 2))
    said = [gate.let_in(typed, "1.2.3.4") for typed in ("a", SECRET, SECRET)]
    assert said[1] == ""
    assert "That is the wrong secret" in said[0]
    assert "Too many tries" in said[2]
    assert gate.let_in(SECRET, "5.6.7.8") == ""


def test_a_pass_holds_for_its_time_and_its_secret(monkeypatch):
    monkeypatch.setenv(gate.STUDIO, SECRET)
    good, old = gate._signed(2_000_000_000), gate._signed(1_700_000_000)
    assert gate.is_valid(good)
    assert not any(
        map(gate.is_valid, (old, "", ".", "1", good + "0", "3" + good[1:], "²." + good, "9" * 50 + ".x", "é.é"))
    )
    monkeypatch.setenv(gate.STUDIO, "another one, as long")
    assert not gate.is_valid(good)
    monkeypatch.delenv(gate.STUDIO)
    assert not gate.is_valid(good)


def test_a_browser_keeps_its_pass_where_no_script_reads_it(monkeypatch):
    monkeypatch.setenv(gate.STUDIO, SECRET)
    good = gate._signed(int(time.time()) + 100)

    def ask(method, shown="", **headers):
        headers |= {"authorization": f"Bearer {shown}"} if shown else {}
        reply = awaited(reply_of(Router(routes()), "/pass", method=method, host="ours.example", **headers))
        return reply.status, reply.headers.get("set-cookie", "")

    status, cookie = ask("POST", good)
    assert status == 204
    assert re.fullmatch(f"{gate.COOKIE}={good}; Path=/; Max-Age=(99|100); HttpOnly; SameSite=Strict", cookie)
    assert ask("POST", good + "0") == (403, "")
    assert ask("POST") == (403, "")
    assert ask("POST", good, origin="https://elsewhere.example")[0] == 403
    assert ask("DELETE") == (204, f"{gate.COOKIE}=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict")


def test_who_logs_out_has_to_say_the_secret_again(monkeypatch, mine):
    monkeypatch.setenv(gate.STUDIO, SECRET)
    monkeypatch.setattr(type(st.context), "cookies", {gate.COOKIE: gate._signed(int(time.time()) + 100)})
    page = app("studio/studio.py", file=f"{mine.parent.name}/week-3.md")
    assert "samplescope_editor" in components(page)
    assert "samplescope_pass" not in components(page), "a pass is given once, and ends when it does"
    press(page, "Log out")
    assert page.text_input[0].label == "The studio’s secret"
    assert {*components(page)} & {"samplescope_editor", "samplescope_pass"} == {"samplescope_pass"}
