"""Four losses of the same points: what their cards say, and the numbers of the lesson."""

import numpy as np
import pytest

from lessons.topics.logistic import LogisticSettings
from pages.topics.logistic import LogisticStage, losses
from samplers.regression.losses import LOSSES, PenalisedLoss, exact_deviations, loss_spread

scene_of = LogisticStage().scene


def found(name, data="overlapping", precision=1.0):
    settings = LogisticSettings(data=data, points=30, data_seed=1)
    model = PenalisedLoss(*settings.dataset(), precision, LOSSES[name])
    spread = loss_spread(model)
    return spread, exact_deviations(model, spread.mode)


def test_four_losses_as_their_lesson_has_them():
    huber, exact = found("Huber")
    assert huber.bends == 28
    assert (100 * (1 - huber.laplace / exact)).round().tolist() == [7, 8]
    hinge, exact = found("hinge")
    assert (hinge.bends, exact.round(3).tolist()) == (0, [0.533, 0.519])
    np.testing.assert_allclose(hinge.laplace, 1)
    assert found("hinge", precision=100.0)[1].round(3).tolist() == [0.091, 0.091]
    moved = {name: found(name, "outlier")[0].mode / found(name, "separable")[0].mode for name in LOSSES}
    assert min(moved, key=lambda name: float(np.abs(1 - moved[name]).max())) == "Huber"
    assert [round(float(found("Huber", data)[0].mode[0]), 3) for data in ("separable", "outlier")] == [0.664, 0.574]


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"data": "overlapping"}, ("(1.000, 1.000)", "(0.533, 0.519)", "28 of 30", "0 of 30, 1 point on the corner")),
        ({"data": "overlapping", "bias": "on"}, ("need two classes and two weights",)),
        ({"data": "line"}, ("need two classes",)),
        ({"data": "overlapping", "prior": "flat"}, ("no single minimum",)),
        ({"data": "few", "method": "points"}, ("0 of 0",)),
    ],
)
def test_cards(settings, said):
    scene = scene_of(LogisticSettings(points=30, data_seed=1, **settings), 7)
    card = losses.cards(scene.at(0))
    for words in said:
        assert words in card
