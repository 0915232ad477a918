"""A control that has no effect, and so is not there, changes no film: pages that look alike are alike."""

import json
from collections.abc import Iterator
from typing import Any, Literal, get_args, get_origin

import numpy as np
import pytest
from pydantic import ValidationError

from lessons.settings.settings import OWN, StageSettings, limits
from lessons.topics import STAGES
from pages.contract.columns import SAY
from pages.contract.film import Film
from tests.pages.topics.every_film import SEED, stages
from tests.pages.waiting import waited

UNTIL = 2
SAMPLE = [
    ("draws", {}),
    ("why_sample", {"starts": "every"}),
    ("gibbs_blobs", {"points": 20, "model": "CRP"}),
    ("ibp_buffet", {"customers": 8}),
    ("gibbs_text", {"data": "six_messages"}),
    ("gibbs_text", {"data": "six_messages", "weights": "equal"}),
    ("hidden_chain", {}),
    ("generative", {"method": "story", "points": 10}),
    ("generative", {"method": "story", "data": "pairs", "points": 10}),
    ("generative", {"method": "ask", "labelled": 2, "points": 5}),
    ("jumps", {"points": 10, "data": "two_blobs", "method": "gibbs"}),
    ("gibbs_topics", {"data": "tiny", "topics": 2}),
    ("walk_the_hill", {}),
    ("marginalise", {"words": 2}),
    ("ibp_features", {"data": "tiny"}),
    ("laplace_line", {}),
    ("laplace_line", {"target": "at the edge"}),
    ("logistic", {"data": "few"}),
    ("climb_mixture", {"data": "seven_points", "method": "k-means"}),
    ("climb_mixture", {"data": "seven_points", "method": "EM"}),
    ("climb_mixture", {"data": "seven_points", "method": "stick"}),
]


def options(settings: StageSettings, name: str) -> list[Any]:
    """Return other values of a setting: all words of a choice but somebody's own data, or the ends of a number."""
    field = type(settings).model_fields[name]
    known = get_args(field.annotation) if get_origin(field.annotation) is Literal else limits(field)
    return [value for value in known if value not in (None, OWN, getattr(settings, name))]


def shown(settings: StageSettings) -> set[str]:
    return {name for name in settings.controls if settings.matters(name)}


def changed(settings: StageSettings) -> Iterator[tuple[str, StageSettings]]:
    """Yield settings in which one control that is not there has another value, and all others are as they were."""
    there = shown(settings)
    for name in {*settings.controls} & {*type(settings).model_fields} - there:
        for value in options(settings, name):
            try:
                found = type(settings).model_validate({**settings.model_dump(), name: value})
            except ValidationError:
                continue
            if shown(found) == there:
                yield name, found
                break


def all_changed(settings: StageSettings) -> StageSettings:
    """Return settings in which as many hidden controls as possible have other values, with the same ones hidden."""
    there, found = shown(settings), settings
    for name, other in changed(settings):
        both = found.model_copy(update={name: getattr(other, name)})
        found = both if shown(both) == there else found
    return found


def film_of(stage: str, settings: StageSettings) -> Film:
    film: Film = waited(lambda: stages()[stage]().film(settings, SEED))
    waited(lambda: film.reach(min(UNTIL, film.total)))
    return film


def looks(film: Film) -> str:
    """Return all that a browser draws of the first frames, as text."""
    said = {name for chart in film.charts for name in chart.said}
    frames = film.frames(0, min(UNTIL, film.total) + 1)
    seen = {
        f"{name}.{field}": np.asarray(values).tolist()
        for (name, field), values in frames.items()
        if name != SAY or field in said
    }
    return json.dumps([film.described() | {"chain": ""}, seen], default=str)


@pytest.mark.parametrize(("stage", "chosen"), SAMPLE, ids=str)
def test_a_control_that_is_not_there_changes_no_film(stage, chosen):
    settings = STAGES[stage](**chosen)
    other = all_changed(settings)
    assert other != settings, "some control is hidden"
    before = looks(film_of(stage, settings))
    if looks(film_of(stage, other)) != before:
        found = [name for name, one in changed(settings) if looks(film_of(stage, one)) != before]
        raise AssertionError(f"{found or 'several hidden controls together'} count")


def test_a_control_that_counts_though_it_is_hidden_is_found(monkeypatch):
    monkeypatch.setattr(STAGES["laplace_line"], "acting", lambda settings, name: getattr(settings, name))
    with pytest.raises(AssertionError, match="second"):
        test_a_control_that_is_not_there_changes_no_film("laplace_line", {"target": "at the edge", "start": 0.4})
