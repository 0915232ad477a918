"""The page of a step as Streamlit is given it, without a browser: the words of its controls, panels, cards and player.

What the lesson itself says, its question and its answers are left out.
"""

import json
from collections.abc import Iterator
from typing import Any

from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Block, Node

from lessons.catalogue import topic_info
from lessons.format.lesson import Lesson, Step
from pages.lesson.answers import Answers
from pages.player.markup import BAR
from tests.lessons.shipped import claims
from tests.lessons.shipped.on_stage import titles
from tests.pages import visits
from tests.pages.html import charts, words

OWN = {"steps", "store", "class"}  # keys of what holds the lesson's own words, or none
SAID = {"markdown", "alert", "caption"}  # kinds of what the text of a step consists of


def of(lesson: Lesson, step: Step, *, answered: bool = False, **values: str | None) -> AppTest:
    """Return the page of a step in a session of its own, with these values in its address."""
    test = visits.new(Answers(heard=True, kept={f"{lesson.id}/{step.id}": step.answers.right_keys} if answered else {}))
    test.switch_page(topic_info(lesson.stage).page)
    return follow(test, lesson, step, **values)


def follow(test: AppTest, lesson: Lesson, step: Step, **values: str | None) -> AppTest:
    """Follow a link to a step."""
    if f"topic {lesson.stage}" in test.session_state:
        test.session_state[f"topic {lesson.stage}"].followed = None  # the same link once more counts as a new one
    link = {"t": str(step.at or 0)} | {name: value for name, value in values.items() if value}
    visits.follow(test, lesson=lesson.id, step=step.id, **link)
    while test.get("progress"):  # what takes longer than a slice of computing goes on with the next run
        test.run()
    assert not test.exception
    return test


def shown(test: AppTest) -> claims.Screen:
    """Return the screen of a page."""
    return claims.Screen.read([text for text in _texts(test.main) if text])


def _texts(block: Block, inside: str = "") -> Iterator[str]:
    for node in block.children.values():
        if not isinstance(node, Block):
            if inside != "text" or node.type not in SAID:
                yield from _words(node)
            continue
        key = str(getattr(node.proto, "id", "")).rpartition("-")[2]
        if key in OWN or (inside == "text" and node.type == "expander" and not _has_controls(node)):
            continue
        yield str(getattr(node, "label", None) or "")
        yield from _texts(node, key or inside)


def _has_controls(block: Block) -> bool:
    inside = block.children.values()
    return any(_has_controls(node) if isinstance(node, Block) else hasattr(node, "set_value") for node in inside)


def _words(node: Node) -> Iterator[str]:
    proto: Any = node.proto  # type: ignore[attr-defined]
    if node.type == "bidi_component":
        if proto.json:  # one without data has no words
            yield from _component(proto.component_name, json.loads(proto.json)[0])
    elif not getattr(proto, "id", "").endswith(" lesson 0"):  # the list of lessons
        yield words(getattr(proto, "body", ""))
        for name in ("label", "help"):
            yield str(getattr(proto, name, ""))
        yield from (str(getattr(option, "content", option)) for option in getattr(proto, "options", ()))
        yield str(node.value) if hasattr(node, "set_value") else ""


def _component(name: str, told: dict[str, Any]) -> Iterator[str]:
    if name == "samplescope_cards":
        yield words(told["html"])
        yield from (title for chart in charts(told["html"]) for title in titles(chart["spec"]))
    elif name == "samplescope_rule":
        yield from ("Prove it", "Step", "Play")
    elif name == "samplescope_player":
        yield from (label for _, label, _, _ in BAR)
        yield from (*told["levels"], *(f"{dial['title']} ; {dial['value']}" for dial in told["dials"]))
