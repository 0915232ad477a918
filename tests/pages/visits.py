"""The app as a script: pages opened by links, and what stands on them."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

from streamlit.components.v2.bidi_component.main import _make_trigger_id
from streamlit.testing.v1 import AppTest

from pages.contract.stage import Stage
from pages.lesson.answers import Answers
from tests.pages.html import words
from tests.pages.server.asking import ask

ROOT = Path(__file__).parents[2]
FORMS = ("samplescope_form", "samplescope_rule")


def app(page: str = "", **values: str) -> AppTest:
    """Return the app at a page, opened by a link; without a page at the course map."""
    test = new()
    if page:
        test.query_params.update(values or {"t": "0"})  # a bare address leads to the cover
        test.switch_page(page)
    else:
        test.query_params.update(values)
    return test.run()


def new(answers: Answers | None = None) -> AppTest:
    """Return a session that has drawn nothing so far, of a learner who has given these answers."""
    test = AppTest.from_file(str(ROOT / "pages/router.py"), default_timeout=120)
    test.session_state["answers"] = answers or Answers(heard=True)  # no browser tells what it kept
    return test


def follow(test: AppTest, **values: object) -> AppTest:
    """Follow a link to the topic in a session that is there already."""
    test.query_params.clear()
    test.query_params.update({name: str(value) for name, value in values.items()})
    test.run()
    assert not test.exception, values
    return test


def press(test: AppTest, label: str) -> AppTest:
    """Press a button."""
    next(button for button in test.button if button.label == label).click().run()
    assert not test.exception, label
    return test


def zoom(test: AppTest, level: str) -> AppTest:
    """Step by something else, as by the player's button of that name."""
    stage = heard(test)["source"].partition("?")[0]
    Stage.by_name[stage]().zoom(test.session_state[f"topic {stage}"], level)
    test.run()
    assert not test.exception, level
    return test


def choose(test: AppTest, label: str, value: object) -> AppTest:
    """Set a box or a switch."""
    boxes = (*test.selectbox, *test.text_input, *test.toggle)
    found = next(box for box in boxes if box.label == label)
    found.set_value(str(value) if found.type == "text_input" else value).run()
    assert not test.exception, label
    return test


def upload(test: AppTest, raw: bytes, name: str = "own.csv") -> AppTest:
    """Upload a file."""
    test.file_uploader[0].upload(name, raw, "text/csv").run()
    assert not test.exception
    return test


def inspector(test: AppTest) -> str:
    """Return the words of the inspector and of all else in HTML."""
    html = [element.proto.body for element in test.get("html") if "<style" not in element.proto.body]
    return words(" ".join([*html, *cards_on(test)]))


def cards_on(test: AppTest) -> list[str]:
    """Return the cards of the inspector as HTML, as they are at rest."""
    return [told["html"] for told in _told(test, "samplescope_cards")]


def head(test: AppTest) -> dict:
    """Return the message that the player got, and what it fetches of the film at once."""
    message = heard(test)
    topic, _, query = message["source"].partition("?")
    return message | ask(f"{topic}/film", **dict(parse_qsl(query, keep_blank_values=True))).json


def heard(test: AppTest) -> dict:
    """Return the message that the player got."""
    return _told(test, "samplescope_player")[0]


def _told(test: AppTest, component: str) -> list[dict]:
    """Return the data of a component of ours on the page."""
    return [json.loads(c.proto.json)[0] for c in test.get("bidi_component") if c.proto.component_name == component]


# ---- the form of a question ----------------------------------------------------------------------------------------


def form(test: AppTest) -> dict:
    """Return the data of the question's form: the question, and its state."""
    return next(json.loads(one.proto.json)[0] for one in _forms(test))


def _forms(test: AppTest) -> list[Any]:
    return [one for one in test.get("bidi_component") if one.proto.component_name in FORMS]


def options(test: AppTest) -> list[str]:
    """Return the choices of the question, as they are read."""
    return [words(option["html"]) for option in form(test)["question"]["options"]]


def check(test: AppTest, *keys: str) -> AppTest:
    """Answer the question and have it checked, as its form reports it."""
    return pressed(test, "check", keys)


def pressed(test: AppTest, what: str, keys: Sequence[str] = (), name: str = "") -> AppTest:
    """Press something in the form of the question; as one with another name, if one is given."""
    told = {"what": what, "name": name or form(test)["question"]["name"], "keys": [*keys]}
    states = test._tree.get_widget_states()
    state = states.widgets.add(id=_make_trigger_id(_forms(test)[0].proto.id, "events"))
    state.json_trigger_value = json.dumps([{"event": "pressed", "value": told}])
    test._run(states)
    assert not test.exception
    return test


def told(test: AppTest, right: bool | None) -> list[str]:
    """Return the feedback on right choices, on wrong ones, or beside them."""
    return [words(one["html"]) for one in form(test)["state"]["said"] if one["right"] is right]


def right_answer(test: AppTest) -> str:
    """Return the right answer with its reason; "" while it is not told."""
    return words(form(test)["state"]["told"])


def dials(test: AppTest) -> dict[str, float]:
    """Return the dials beside the charts, and where they stand."""
    return {dial["title"]: dial["value"] for dial in head(test)["dials"]}


def said(test: AppTest) -> str:
    """Return all warnings."""
    return "\n".join(warning.value for warning in test.warning)


def buttons(test: AppTest) -> list[str]:
    return [button.label for button in test.button]


def views(test: AppTest) -> list[str]:
    """Return the inspector's views that are offered."""
    return [option for group in test.get("button_group") if group.label == "Inspector" for option in group.options]
