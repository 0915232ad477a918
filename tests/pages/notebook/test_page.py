"""The page of a stage in a notebook: what it has in itself is what the routes answer, byte by byte."""

import base64
import json
import zlib
from urllib.parse import parse_qsl

import pytest

from pages.embed.host import ANSWERED, asked, staged
from pages.notebook.answers import answer
from pages.notebook.page import SANDBOX, framed, kept, page
from pages.player.modules import PAGES
from tests.pages.server.asking import ask

LINKS = [("crp_seating", "concentration=2&t=4"), ("coin", "lesson=coin-posterior")]


@pytest.mark.parametrize(("topic", "search"), LINKS)
def test_its_frames_are_those_of_the_routes(topic, search):
    found = kept(asked(topic, dict(parse_qsl(search))), search, 30, alone=False)
    source = found["staged"]["message"]["source"]
    values = dict(parse_qsl(source.partition("?")[2], keep_blank_values=True))
    filed, last = found["films"][source], found["last"][source]
    assert zlib.decompress(base64.b64decode(found["packs"][filed["film"]])) == ask(f"{topic}/film", **values).body
    frames = zlib.decompress(base64.b64decode(found["packs"][filed["frames"]["0"]]))
    assert frames == ask(f"{topic}/frames", **values, **{"from": 0, "to": last + 1}).body


def test_a_kernel_answers_as_the_server_does():
    source = staged(asked("coin", {}))["message"]["source"]
    address = f"coin/frames?{source.partition('?')[2]}&from=3&to=9"
    values = dict(parse_qsl(address.partition("?")[2], keep_blank_values=True))
    assert answer(address).body == ask("coin/frames", **values).body
    assert answer("coin/frames?seed=7&nothing=1").status == 400


def test_alone_it_ends_with_what_it_has_and_changes_no_settings():
    here = asked("crp_seating", {"t": "4"})
    alone, live = (kept(here, "t=4", 20, alone=one)["staged"]["message"] for one in (True, False))
    assert (alone["total"], alone["at"]) == (24, 4)
    assert "controls" in alone["lock"]
    assert live["total"] > 24
    assert "controls" not in live["lock"]


def test_the_answer_to_a_question_is_there():
    here = asked("crp_seating", {"lesson": "crp-seating", "step": "fifth"})
    found = kept(here, "lesson=crp-seating&step=fifth", 20, alone=True)
    assert found["staged"]["asks"]
    assert found["answered"] == {
        **staged(here, json.dumps({"kind": ANSWERED})),
        "message": found["answered"]["message"],
    }


def test_a_text_in_it_ends_no_script():
    found = kept(asked("coin", {}), "</script><b>", 2, alone=True)
    text = page(found)
    broken = "</script><b>" in text
    assert not broken
    ends = text.count("</script>")
    assert ends == 4  # of the theme, of what is kept, of Vega and of the code
    assert f'sandbox="{SANDBOX}"' in framed(found, 400)
    assert f'"{SANDBOX}"' in (PAGES / "embed/element.js").read_text("utf-8")
