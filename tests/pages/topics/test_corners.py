"""Corners of the settings, where a model is as small, as vague or as one-sided as its controls allow."""

import pytest

from lessons.topics import STAGES
from pages.contract.stage import stage_of
from tests.pages.waiting import waited

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
    "a wall of chains that have no label to draw": (
        "gibbs_text",
        {"data": "toy_corpus", "test_messages": 2, "known_labels": 300, "runs": "agree"},
        "",
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
    "a density that is not proper, on which NUTS runs away": (
        "marginalise",
        {
            "variant": "prediction",
            "known_labels": 40,
            "class_prior": 0.1,
            "rule": "Jacobian forgotten",
            "means": "ordered",
        }
        | {"classes": 3, "words": 31, "warmup": 1000},
        "step",
        460,
    ),
}


@pytest.mark.parametrize(("topic", "changes", "view", "t"), [(*row, 1)[:4] for row in CORNERS.values()], ids=CORNERS)
def test_there_are_a_picture_and_cards(topic, changes, view, t):
    stage, settings = stage_of(topic), STAGES[topic](**changes)
    film = waited(lambda: stage.film(settings, 1))
    waited(lambda: film.reach(t))
    assert film.packed(t - 1, t + 1)
    if film.still:
        waited(lambda: film.still(t))
    if view:
        assert waited(lambda: stage.written(settings, 1, view, t))
