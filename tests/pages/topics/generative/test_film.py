"""The film of generative classification: shapes, maps, scores, and what each frame shows."""

import re

import numpy as np
import pytest

from lessons.topics.generative import GenerativeSettings
from pages.drawing.plane import CELLS, grid_places
from pages.topics.generative import GenerativeStage, charts
from pages.topics.generative.film import at_query
from pages.topics.generative.scene import rivals_of
from pages.topics.generative.shapes import ANGLES, FRACTIONS, PLACES, corners_of
from samplers.log_density import NoMode

scene_of = GenerativeStage().scene


def made(**settings):
    chosen = GenerativeSettings(**{"points": 20, **settings})
    scene = scene_of(chosen, 7)
    scene.run.grow(scene.run.total, seconds=20)
    return chosen, scene


def still(settings, scene, t):
    return at_query(scene, settings).still(t)


@pytest.mark.parametrize("grouping", ["naive", "whole"])
@pytest.mark.parametrize("estimate", ["posterior", "MAP"])
def test_contours_lie_where_the_density_has_fallen_so_far(grouping, estimate):
    _, scene = made(data="three", grouping=grouping, estimate=estimate)
    classifier = scene.fit.classifier(estimate, scene.run.labels_at(20))
    shapes = scene.run.shapes[20].reshape(3, len(FRACTIONS), len(ANGLES), 2)
    for label, conditional in enumerate(classifier.conditionals):
        corners = corners_of(conditional).reshape(shapes[label].shape)
        np.testing.assert_allclose(shapes[label], corners, rtol=1e-5, atol=1e-5)
        middle = (corners[0].max(axis=0) + corners[0].min(axis=0)) / 2
        top = conditional.log_density(middle[None])[0]
        for fraction, line in zip(FRACTIONS, corners, strict=True):
            np.testing.assert_allclose(conditional.log_density(line) - top, np.log(fraction), atol=2e-3)


def test_curves_are_the_features_own_densities():
    _, scene = made(data="mixed")
    classifier, encoding = scene.fit.classifier("posterior", scene.run.labels_at(20)), scene.fit.encoding
    curves, at = scene.run.shapes[20, :, 0], 0
    for place, feature in enumerate(scene.examples.features):
        for conditional in classifier.conditionals:
            values = np.full((feature.width if feature.levels else len(PLACES), 4), np.nan)
            values[:, place] = np.arange(feature.width) if feature.levels else PLACES
            terms = conditional.terms(encoding.rows(values)).sum(axis=1)
            np.testing.assert_allclose(curves[at : at + len(values)], np.exp(terms), rtol=1e-5)
            at += len(values)
    assert at == len(curves)


def test_examples_are_shown_as_they_come():
    _, scene = made()
    frames = at_query(scene, scene.settings).frames(0, 21)
    assert frames["points", "seen"].sum(axis=1).tolist() == list(range(21))
    labels = frames["points", "k"]
    assert (labels[0] == 255).all()
    assert labels[20].tolist() == scene.examples.labels.tolist()
    said = {name: column[:, 0] for (group, name), column in frames.items() if group == "say"}
    ones = np.cumsum([0, *scene.examples.labels])
    assert said["mean"] == pytest.approx((1 + ones) / (2 + np.arange(21)), rel=1e-6)
    assert said["ones"].tolist() == ones.tolist()


def test_the_story_is_where_the_examples_come_from():
    told, scene = made(method="story", data="unequal")
    _, learned = made(data="unequal", data_seed=7)
    np.testing.assert_array_equal(scene.examples.values, learned.examples.values)
    for t in range(1, 21):
        example = scene.run.chain[t]
        assert example.label == scene.examples.labels[t - 1]
        np.testing.assert_allclose(example.row, scene.examples.values[t - 1])
    frames = at_query(scene, told).frames(0, 21)
    assert frames["shapes", "next"][:20, 0].tolist() == scene.examples.labels.tolist()
    darts = frames["dart", "x"][:, 0]
    assert ((darts[1:] > 0.6) == scene.examples.labels).all()
    assert still(told, scene, 3) == {}


def test_maps_are_what_the_classifier_answers():
    settings, scene = made(against="none")
    found = still(settings, scene, 9)["map"]
    answer = scene.fit.classifier("posterior", scene.run.labels_at(9)).predict(grid_places())[:, 1]
    np.testing.assert_allclose(found["v"], 2 * answer - 1, atol=1e-4)
    assert found["t"] == [9] * CELLS[0] * CELLS[1]

    settings, scene = made(data="three", rival="on")
    sets = still(settings, scene, 20)
    answer = scene.predict("posterior", grid_places(), 20)
    assert sets["map"]["k"] == answer.argmax(axis=1).tolist()
    sure = (3 * answer.max(axis=1) - 1) / 2
    np.testing.assert_allclose(sets["map"]["v"], 2 * answer.argmax(axis=1) + sure, atol=1e-4)
    rival = scene.predict("logistic", grid_places(), 20)
    assert np.abs(rival.sum(axis=1) - 1).max() < 1e-9
    assert sets["rival"]["k"] == rival.argmax(axis=1).tolist()


def test_a_difference_has_the_sign_of_the_first_less_the_second():
    settings, scene = made(against="MLE")
    values = still(settings, scene, 20)["map"]["v"]
    first, second = (scene.predict(by, grid_places(), 20)[:, 1] for by in ("posterior", "MLE"))
    np.testing.assert_allclose(values, first - second, atol=1e-4)
    assert set(still(settings, scene, 1)["map"]["v"]) == {0.0}, "there is no estimate without two of each class"
    same, scene = made(against="posterior")
    assert not scene.compared
    assert max(still(same, scene, 20)["map"]["v"]) > 0.5


def test_scores_add_up_to_the_log_odds():
    settings, scene = made(data="words", points=40)
    scores = still(settings, scene, 40)["scores"]
    assert scores["term"] == ["weight", *(f.name for f in scene.examples.features), "spam against ham"]
    steps = np.subtract(scores["end"], scores["start"])
    assert steps[:-1].sum() == pytest.approx(steps[-1], abs=2e-3)
    query = settings.query(scene.examples.features)
    answer = scene.predict("posterior", query[None], 40)[0]
    assert steps[-1] == pytest.approx(np.log(answer[1] / answer[0]), abs=2e-3)
    without = settings.model_copy(update={"left_out": 1})
    fewer = still(without, scene, 40)["scores"]
    assert fewer["term"] == [name for name in scores["term"] if name != "win"]
    assert fewer["end"][-1] == pytest.approx(scores["end"][-1] - steps[1], abs=2e-3)
    assert at_query(scene, without).stilled_by != at_query(scene, settings).stilled_by
    assert still(without, scene, 40)["asked"]["out"] == [1, 0, 0, 0, 0, 0]


def test_of_three_classes_the_likeliest_two_are_compared():
    assert rivals_of(np.array([[0.0, 1.0, 3.0], [2.5, 0.0, 1.0]])) == (2, 0)
    assert rivals_of(np.array([[5.0, 0.0]])) == (1, 0)


def test_hidden_labels_are_drawn_and_predictions_averaged_over_them():
    _, scene = made(method="labels", labelled=8, data="equal")
    frames = at_query(scene, scene.settings).frames(0, 40)
    labels = frames["points", "k"]
    assert (labels[0, 8:] == 255).all()
    assert (labels[:, :8] == scene.examples.labels[:8]).all()
    assert set(np.unique(labels[1:, 8:])) <= {0, 1}
    assert np.isnan(frames["past", "value"][0, 0])
    assert np.isfinite(frames["past", "value"][1:]).all()
    assert [len(scene.run.labellings(t)) for t in (0, 1, 4, 40)] == [1, 1, 3, 20]
    place = np.array([[0.5, 0.5]])
    each = [scene.fit.classifier("posterior", one).predict(place) for one in scene.run.labellings(4)]
    assert scene.predict("posterior", place, 4) == pytest.approx(np.mean(each, axis=0))
    alone = scene.fit.classifier("posterior", scene.fit.known).predict(place)
    assert scene.predict("labelled", place, 40) == pytest.approx(alone)


def test_what_cannot_be_estimated_leaves_the_chart_empty():
    settings, scene = made(estimate="MLE")
    first = int(np.flatnonzero(np.isfinite(scene.run.shapes).all(axis=(1, 2)))[0])
    with pytest.raises(NoMode):
        scene.fit.classifier("MLE", scene.run.labels_at(first - 1))
    assert scene.fit.problem("MLE", scene.run.labels_at(first)) is None
    sets = still(settings, scene, first - 1)
    assert set(sets["map"]["v"]) == {0.0}
    assert sets["scores"]["term"] == ["no estimate"]


def test_logistic_regression_has_no_answer_where_a_feature_is_missing():
    _, scene = made()
    answers = scene.predict("logistic", np.array([[1.0, np.nan], [1.0, 1.0]]), 20)
    assert np.isnan(answers).all(axis=1).tolist() == [True, False]


def test_bars_compare_on_all_new_examples():
    settings, scene = made(data="equal", points=8, data_seed=8, grouping="whole", against="MLE", tested="losses")
    rows = at_query(scene, settings).still(8)["tested"]
    assert rows["who"] == ["averaged", "maximum likelihood", "the story itself"]
    assert rows["value"][2] < rows["value"][0] < np.log(2) < rows["value"][1]
    assert at_query(scene, settings).still(2)["tested"]["who"] == ["averaged", "the story itself"], "no estimate yet"


def test_pairs_of_features_lie_beside_each_other():
    settings, scene = made(data="pairs", points=10)
    film = at_query(scene, settings)
    placed = film.data["pairs"]
    np.testing.assert_allclose(placed["x"][:2], scene.examples.values[0, [0, 2]] + [0, 16], atol=6e-3)
    assert (film.columns(0, 11)["pairs", "k"][3] == 255).sum() == 2 * 7


def test_a_long_name_of_a_feature_ends_before_the_next_one_begins():
    for strips in (2, 4, 6):
        heads = [layer["mark"] for layer in charts.features(strips)["layer"] if layer["mark"].get("fontWeight") == 600]
        (limit,) = [mark["limit"]["expr"] for mark in heads]
        share = re.fullmatch(r"([\d.]+) \* width / (\d+)", limit)
        assert 0.8 / strips < float(share[1]) / int(share[2]) < 1 / strips
