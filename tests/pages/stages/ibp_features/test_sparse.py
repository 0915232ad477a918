"""Sparse factors, as their lesson has them."""

import re

import numpy as np
import pytest

from lessons.stages.ibp_features import IBPFeaturesSettings
from pages.stages.ibp_features import IBPFeaturesStage
from pages.stages.ibp_features.sparse import drawn
from samplers.data.features import scores
from tests.pages.html import words


def card(**settings: object) -> str:
    return words(IBPFeaturesStage().cards(IBPFeaturesSettings(data="scores", **settings), 1, "sparse", 0))


def test_a_rotation_keeps_the_fit_and_loses_zeros_until_factors_have_changed_places():
    found = [
        re.search(r"(\d+) of \d+ are exactly 0. Sum of squares left over ([\d.]+)", card(angle=a)) for a in (0, 45, 90)
    ]
    zeros, left = [int(each[1]) for each in found], {each[2] for each in found}
    assert zeros[1] < zeros[0] == zeros[2]
    assert len(left) == 1


def test_numbers_of_the_lesson():
    """Three factors most often, and the correlation with g, on two seeds."""
    data, general = scores(1).data, scores(1).loadings[0]
    centred = data - data.mean(axis=1, keepdims=True)
    for seed in (1, 2):
        found = drawn(tuple(map(tuple, centred.tolist())), 1.0, 0.4, 0.5, seed)
        assert found.numbers.argmax() == 3
        assert found.numbers[3] == pytest.approx(2 / 3, abs=0.12)
        each = [abs(np.corrcoef(factor, general)[0, 1]) for factor in found.first]
        assert np.mean(each) == pytest.approx(0.7, abs=0.15)


def test_many_rows_are_not_taken():
    assert "at most 12" in words(IBPFeaturesStage().cards(IBPFeaturesSettings(rows=40), 1, "sparse", 0))
