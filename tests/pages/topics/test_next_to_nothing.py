"""Every view of every topic on data that are next to nothing: one word, one row, one class, all of it equal."""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, get_args

import numpy as np
import pytest

from lessons.own.labelled import OwnPoints as LabelledPoints
from lessons.own.series import OwnSeries
from lessons.own.store import keep_own
from lessons.own.taking import Choice
from lessons.settings.settings import limits
from lessons.topics import STAGES
from pages.contract.stage import stage_of
from tests.pages.html import words
from tests.pages.visits import app, follow
from tests.pages.waiting import waited

SEED, AT = 5, (0, 1, 6)
pytestmark = pytest.mark.usefixtures("little")
CHOICES = ("step_by", "layout", "method", "rule", "names")  # by which other views open, and other numbers
MESSAGES = {
    "one word": "again\nagain\nagain\n",
    "one message": "the only one\n",
    "one message of one word": "again\n",
    "one message with its class": "ham\tthe only one\n",
    "one class": "ham\tthe first\nham\tthe second\nham\tthe third\n",
    "one word in two classes": "ham\tagain\nspam\tagain\nham\tagain\nspam\tagain\n",
    "one message, six times": "the sun is out\n" * 6,
    "no word": "…\n!\n?\n",
    "a message without words": "…\nbut this one has some\n",
}
ROWS = {
    "all equal": "x,y\n" + "1,2\n" * 6,
    "all but one equal": "x,y\n" + "1,2\n" * 6 + "3,4\n",
    "one column": "x\n1\n2\n4\n",
    "one column that never changes": "x,y\n1,2\n2,2\n3,2\n4,2\n",
}
EXAMPLE_ROWS = {
    "one of each class": "x,y,class\n1,2,a\n2,1,b\n",
    "all equal": "x,y,class\n" + "1.5,2.5,a\n1.5,2.5,b\n" * 5,
    "one feature": "x,class\n1,a\n2,b\n3,a\n",
    "all of one class but one": "x,y,class\n1,2,a\n2,1,a\n3,4,a\n4,5,b\n",
    "no label of one class but one": "x,y,class\n1,2,a\n2,1,b\n3,4,\n4,5,\n",
}
PLANE: Mapping[str, tuple[list[tuple[float, float]], list[int]]] = {
    "none": ([], []),
    "one": ([(0.5, 1.0)], [1]),
    "one class": ([(0.5, 1.0), (1.0, -1.0), (0.0, 0.0)], [0, 0, 0]),
    "all equal": ([(0.5, 1.0)] * 4, [0, 1, 0, 1]),
    "all equal, of one class": ([(0.5, 1.0)] * 4, [1] * 4),
    "on a line": ([(0.0, 1.0), (1.0, 1.0), (2.0, 1.0)], [0, 1, 0]),
}
SERIES = {"one hour": [0.0], "two hours": [0.0, 4.0], "one step": [0.0] * 5 + [4.0] * 5}


def taken(topic: str, text: str | None, **chosen: Any) -> object:
    """Return the data that a topic takes from a file with this text; its own if there is none."""
    takes = STAGES[topic].takes
    assert takes is not None
    name = "own.txt" if getattr(takes, "texts", False) else "own.csv"
    return takes.none if text is None else takes.take(text.encode(), name, Choice(**chosen)).data


def points(text: str) -> object:
    return taken("crp_mixture", text, columns=tuple(text.split("\n")[0].split(","))[:2], standardise=False)


def examples(text: str | None) -> object:
    names = (text or "").split("\n")[0].split(",")
    columns = tuple(name for name in names if name != "class")
    return taken("generative", text, columns=columns, label="class", categories=())


def in_plane(drawn: tuple[list[tuple[float, float]], list[int]]) -> LabelledPoints:
    return LabelledPoints(np.array(drawn[0]).reshape(-1, 2), np.array(drawn[1], int))


DRAWS = {
    "four draws": "a,b\n1,2\n2,1\n3,3\n1,1\n",
    "one draw that differs": "a,b\n" + "1,2\n" * 11 + "2,1\n",
    "nothing but warm-up, and four draws": "# model = a\nm.1,m.2,divergent__\n"
    + "1,2,1\n" * 5
    + "# Adaptation terminated\n"
    + "1,2,1\n2,1,0\nnan,1,1\n1,nan,0\n",
    "two chains of one value each": "chain,m[1],m[2]\n" + "1,1,2\n" * 20 + "2,2,1\n" * 20,
    "numbers out of all bounds": "chain,a,b\n" + "1,1e300,1e-300\n1,-1e300,2e-300\n1,1,0\n1,2,1e-310\n" * 4,
}
OF_POINTS = ("crp_mixture", "gibbs_blobs", "jumps", "climb_mixture")  # which share what a learner brings
OWN: Mapping[str, tuple[Mapping[str, Any], Callable[[Any], object]]] = {
    "gibbs_text": (MESSAGES, partial(taken, "gibbs_text")),
    "gibbs_topics": (MESSAGES, partial(taken, "gibbs_topics")),
    **dict.fromkeys(OF_POINTS, (ROWS, points)),
    "ibp_features": (ROWS, partial(taken, "ibp_features", standardise=False)),
    "generative": ({**EXAMPLE_ROWS, "none": None}, examples),
    "logistic": (PLANE, in_plane),
    "walk_the_hill": (DRAWS, partial(taken, "walk_the_hill")),
    "hidden_chain": (SERIES, lambda values: OwnSeries(np.array(values))),
}


LITTLE = {
    **dict.fromkeys(("gibbs_text", "gibbs_topics"), "one message of one word"),
    **dict.fromkeys(("crp_mixture", "gibbs_blobs", "jumps", "ibp_features"), "all equal"),
    "climb_mixture": "all but one equal",
    **dict.fromkeys(("generative", "logistic"), "none"),
    "hidden_chain": "one hour",
    "walk_the_hill": "four draws",
}


def least(topic: str) -> dict[str, Any]:
    """Return the least of everything that can be counted among a topic's controls."""
    fields = STAGES[topic].model_fields
    counted = [name for name in STAGES[topic].controls if name in fields and fields[name].annotation is int]
    return {name: limits(fields[name])[0] for name in counted}


def variants(topic: str) -> Iterator[dict[str, str]]:
    """Yield changes of the settings by which all is drawn otherwise."""
    yield {}
    for name in CHOICES:
        field = STAGES[topic].model_fields.get(name)
        if field is not None:
            yield from ({name: option} for option in get_args(field.annotation))


def look_at_all(topic: str, settings: Any) -> None:
    """Look at the picture and at every view, at a few iterations."""
    stage = stage_of(topic)
    if stage.missing(settings):
        return
    film = waited(lambda: stage.film(settings, SEED))
    for t in sorted({min(t, film.total) for t in AT}):
        waited(lambda t=t: film.reach(t))
        assert film.packed(t, t + 1)
        if film.still:
            waited(lambda t=t: film.still(t))
        for view in () if settings.many else settings.views.keys() - {"code"}:
            assert not re.search(r"\bnan\b|\binf\b|Infinity", shown(stage, settings, view, t)), (view, t)


def shown(stage: Any, settings: Any, view: str, t: int) -> str:
    """Return the words of a view."""
    return words(waited(lambda: stage.written(settings, SEED, view, t)))


@pytest.mark.filterwarnings("error::RuntimeWarning")
@pytest.mark.parametrize(("topic", "name"), [(topic, name) for topic, (sets, _) in OWN.items() for name in sets])
def test_every_view_opens_on_next_to_nothing(topic, name):
    sets, make = OWN[topic]
    own = keep_own(make(sets[name]))
    for changes in variants(topic):
        look_at_all(topic, STAGES[topic](data="own", own=own, **changes))


@pytest.mark.parametrize(("topic", "name"), LITTLE.items())
def test_the_page_of_every_view_opens_with_its_controls(topic, name):
    sets, make = OWN[topic]
    link = {"data": "own", "own": keep_own(make(sets[name])), "t": "1"}
    page = app(f"{topic}.py", **link)
    for view in STAGES[topic](data="own").views:
        assert not follow(page, view=view, **link).error, view


@pytest.mark.parametrize("topic", STAGES)
def test_every_view_opens_on_the_least_of_everything(topic):
    for changes in variants(topic):
        look_at_all(topic, STAGES[topic](**{**least(topic), **changes}))


def test_every_topic_that_takes_data_is_looked_at():
    assert {topic for topic in STAGES if "own" in STAGES[topic].model_fields} == OWN.keys() == LITTLE.keys()


def test_what_cannot_be_said_of_so_little_is_said():
    for topic, view, name, said in (
        ("gibbs_text", "counts", "one word", "It is the only word, so its probability is 1"),
        ("gibbs_topics", "held_out", "one message", "Here only one message has words"),
    ):
        settings = STAGES[topic](data="own", own=keep_own(taken(topic, MESSAGES[name])))
        assert said in shown(stage_of(topic), settings, view, 1)
