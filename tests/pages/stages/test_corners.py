"""Corners of the settings, where a model is as small, as vague or as one-sided as its controls allow."""

import pytest

from lessons.reader import STAGES
from pages.contract.stage import stage_of

CORNERS = {
    "one topic, whose labelling is the only one": ("gibbs_topics", {"topics": 1, "minimum_count": 1}, "update"),
    "a prior of a tenth of a point, from which covariances are drawn that are all but singular": (
        "generative",
        {"grouping": "pairs", "prior_points": 0.1},
        "query",
    ),
    "all labels known and nothing else to draw": (
        "gibbs_text",
        {"known_labels": 275, "word_probs": "collapsed"},
        "update",
    ),
    "a finite mixture beside a prediction that is averaged": (
        "crp_mixture",
        {"second": "finite", "prediction": "average", "data": "three_points"},
        "chains",
    ),
    "a finite mixture beside a concentration that is learned": (
        "crp_mixture",
        {"second": "finite", "learning": "learned"},
        "chains",
    ),
}


@pytest.mark.parametrize(("topic", "changes", "view"), CORNERS.values(), ids=CORNERS)
def test_there_are_a_picture_and_cards(topic, changes, view):
    stage, settings = stage_of(topic), STAGES[topic](**changes)
    film = stage.film(settings, 1)
    film.reach(1)
    assert film.packed(0, 2)
    if film.still:
        film.still(1)
    assert stage.written(settings, 1, view, 1)
