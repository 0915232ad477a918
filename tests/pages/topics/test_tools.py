"""The tools of every topic, as values: which there are, and that what they change are settings."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import product

import pytest

from lessons.flow import Answers
from lessons.linked import silent
from lessons.topics import STAGES
from pages.contract.stage import stage_of
from pages.contract.tools import Field, Note, Number, Own, Pick, Press, Several, Slide, Tool
from pages.embed.standing import Standing
from tests.pages.topics.every_film import SETTINGS
from tests.pages.topics.few import show_little

KINDS = ("opening", "extra", "actions")
START, REST = "start", "rest"
WORD = "Word that is followed"
COUNTS = "Word, Class, Pseudo-counts by hand"
LEARN, FORGET = "Learn from these examples", "Forget who made them"
SHUFFLE, BRANCH, LINK = "Shuffle the arrivals", "Branch here", "Draw from this posterior"
OWN = {"data": "own"}
# topic, settings, view, the labels at the start, and those at rest
THERE: list[tuple[str, dict, str, str, str]] = [
    ("coin", {}, "step", "", LINK),
    ("crp_seating", {}, "customer", SHUFFLE, SHUFFLE),
    ("crp_seating", {"shuffle": 3}, "evening", f"{SHUFFLE}, As they came", f"{SHUFFLE}, As they came"),
    ("crp_mixture", {}, "update", "", "Point"),
    ("crp_mixture", {}, "clusters", BRANCH, BRANCH),
    ("crp_mixture", {"second": "branch"}, "clusters", "One chain", "One chain"),
    ("crp_mixture", {"direction": "forwards"}, "update", "", FORGET),
    ("gibbs_blobs", {}, "update", "Experiments", "Experiments, Point"),
    ("gibbs_blobs", OWN, "check", "Experiments, Own", "Experiments, Own"),
    ("jumps", {}, "update", "", "Open this move"),
    ("jumps", {"method": "tempering"}, "update", "", "Open these swaps"),
    ("jumps", {"method": "gibbs"}, "update", "", "Point"),
    ("climb_mixture", {}, "step", "Point", "Point"),
    ("climb_mixture", {}, "code", "", ""),
    ("ibp_features", {}, "sum", "Image, In the sum", "Image, In the sum"),
    ("ibp_features", {}, "ways", "Turn factors 1 and 2", "Turn factors 1 and 2"),
    ("ibp_features", {}, "update", "", "Image"),
    ("gibbs_text", {}, "update", "Note, Message", "Note, Message"),
    ("gibbs_text", {}, "counts", f"Note, {COUNTS}", f"Note, {COUNTS}"),
    ("gibbs_text", {}, "new", "Note, New message, Make one", "Note, New message, Make one"),
    ("gibbs_topics", {"data": "bars"}, "message", "Note, Image", "Note, Image"),
    ("gibbs_topics", {}, "held_out", "Note", "Note"),
    ("hidden_chain", {}, "update", "Hour", "Hour"),
    ("logistic", {}, "evidence", "Take the best λ", "Take the best λ"),
    ("logistic", {"data": "few", "prior": "flat"}, "probe", "Note", "Note"),
    ("generative", {"method": "story"}, "step", "", LEARN),
    ("generative", {"method": "examples"}, "query", "Left out", "Left out"),
    ("walk_the_hill", OWN, "step", "Own", "Own"),
    ("marginalise", {}, "gamma", f"{WORD}, Note, Item, Document, times", f"{WORD}, Note, Item, Document, times"),
    ("marginalise", {"model": "two means"}, "gibbs", "Item, And item", "Item, And item"),
    *((topic, {}, "", "", "") for topic in ("draws", "why_sample", "ibp_buffet", "laplace_line", "walk_the_hill")),
]


@pytest.fixture(scope="module", autouse=True)
def little_is_shown() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        show_little(patch)
        yield


def place(topic: str, changes: Mapping, view: str, when: str) -> Standing:
    settings = STAGES[topic](**changes)
    t = settings.iterations if when == REST else 0
    return Standing(replace(silent(topic), settings=settings, view=view or next(iter(settings.views)), t=t), Answers())


def tools(here: Standing) -> list[Tool]:
    stage = stage_of(here.stage)
    kinds = KINDS if stage.missing(here.settings) is None else KINDS[:2]
    return [tool for kind in kinds for tool in getattr(stage, kind)(here)]


def label(tool: Tool) -> str:
    return type(tool).__name__ if isinstance(tool, Note | Own) else getattr(tool, "label", "")


def test_all_topics_are_named_here():
    assert {topic for topic, *_ in THERE} == {*STAGES}


@pytest.mark.parametrize(("topic", "changes", "view", "at_start", "at_rest"), THERE)
def test_these_tools_are_there(topic, changes, view, at_start, at_rest):
    found = [", ".join(map(label, tools(place(topic, changes, view, when)))) for when in (START, REST)]
    assert found == [at_start, at_rest]


def use(tool: Tool, here: Standing) -> None:
    """Use a tool in all ways that differ, as a host does; settings that are not there would raise an error."""
    match tool:
        case Press():
            tool.act()
        case Pick():
            assert tool.value in (*tool.options, *[None] * tool.pills)
            for value in (*tool.options, *[None] * tool.pills):
                tool.take(value) if tool.take else here.change(**{tool.name: value})
        case Several():
            assert {*tool.value} <= tool.options.keys()
            for values in ([], [*tool.options]):
                tool.take(values)
        case Field():
            for text in ("", "x" * tool.longest, "win a\tprize"):
                tool.take(text)
        case Slide():
            for value in (tool.high, tool.low):
                here.change(**{tool.name: value})
        case Number():
            for value in (1, tool.most):
                here.change(**{tool.name: value})


@pytest.mark.parametrize("topic", STAGES)
def test_a_tool_changes_settings_and_only_when_it_is_used(topic):
    for changes, view, when in product(({}, *SETTINGS[topic]), STAGES[topic].views, (START, REST)):
        here = place(topic, changes, view, when)
        before = here.there
        found = tools(here)
        assert here.there == before, "no tool has been used"
        names = [getattr(tool, "name", label(tool)) for tool in found if not isinstance(tool, Note)]
        assert len(names) == len({*names}), "a host tells them apart by name"
        for tool in found:
            use(tool, here)
            assert here.there != before or not isinstance(tool, Press), label(tool)
            here.there = before
