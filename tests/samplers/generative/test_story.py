"""The story told forwards, and the simulated data that come of it."""

import numpy as np
import pytest

from samplers.chain import Chain
from samplers.generative.stories import STORIES
from samplers.generative.story import Example

every_story = pytest.mark.parametrize("name", STORIES)


def test_a_step_draws_a_label_and_then_features():
    story = STORIES["unequal"].story
    chain = Chain(story, 3)
    assert chain[0] is None
    for t in range(1, 40):
        example = chain[t]
        assert isinstance(example, Example)
        assert (chain.record(t) < 0.6) == (example.label == 0)
        assert example.row.shape == (2,)


@every_story
def test_examples_of_one_seed_begin_alike(name):
    values, labels = STORIES[name].examples(30, 4)
    few, first = STORIES[name].examples(7, 4)
    np.testing.assert_array_equal(values[:7], few)
    assert labels[:7].tolist() == first.tolist()
    assert STORIES[name].examples(7, 5)[0].tolist() != few.tolist()
    assert STORIES[name].examples(0, 0)[0].shape == (0, values.shape[1])
    assert np.abs(values).max() < 9


@every_story
def test_the_truth_is_calibrated_and_is_seldom_wrong(name):
    """Of 500 examples, the share that has each class is as predicted, within 5 standard errors; few are mistaken."""
    simulated = STORIES[name]
    values, labels = simulated.examples(500, 0)
    probabilities = simulated.story.truth().predict(simulated.encoding.rows(values))
    for label in range(len(simulated.classes)):
        predicted = probabilities[:, label]
        error = np.sqrt((predicted * (1 - predicted)).sum())
        assert abs((labels == label).sum() - predicted.sum()) < 5 * error
    assert (probabilities.argmax(axis=1) != labels).mean() < 0.25


def test_only_so_many_are_drawn():
    with pytest.raises(ValueError, match="count must be 500 or less, got 501"):
        STORIES["equal"].examples(501, 0)
    with pytest.raises(ValueError, match="seed must be 0 or more"):
        STORIES["equal"].examples(3, -1)
