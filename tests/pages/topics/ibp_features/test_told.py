"""The numbers that the lessons on features tell, from the runs that they tell of."""

import numpy as np
import pytest

from pages.lesson.lessons import library
from pages.scenes.close_up import opened
from pages.topics.ibp_features import IBPFeaturesStage
from samplers import Chain
from samplers.data.features import images
from tests.pages.topics.ibp_features.buffet_by_hand import (
    CONCENTRATION,
    NOISE,
    SPREAD,
    share_of_two,
    share_of_two_drawn,
)

pytestmark = pytest.mark.told
SHAPES, SPOT = (
    next(lesson for lesson in library().for_stage("ibp_features") if lesson.id == name)
    for name in ("features-shapes", "features-spot-the-error")
)


def test_how_often_there_are_two_features_in_the_long_run():
    """By the chain's law on all states of up to five features, of which a sixth would change no digit told."""
    assert f"{share_of_two(5):.0%}" == "68%"
    assert f"{share_of_two(5, drops_own=True):.0%}" == "81%"


def test_too_many_new_features_leave_two_a_little_more_than_a_quarter():
    """By a run that is written out anew; more than five features are common there."""
    share, error = share_of_two_drawn(24_000, 40, CONCENTRATION, seed=0)
    assert error < 0.01
    assert share - error > 0.25
    assert share + error < 0.3


@pytest.mark.parametrize(("name", "long_run"), [("right", 0.68), ("dropped", 0.81), ("poisson", 0.275)])
def test_the_samplers_run_comes_near_that(name, long_run):
    """800 sweeps are worth about 60 draws: within 0.15."""
    step = next(step for step in SPOT.steps if step.id == name)
    settings = SPOT.settings_for(step).model_copy(update={"step_by": "sweep"})
    assert (settings.noise, settings.spread, settings.concentration) == (NOISE, SPREAD, CONCENTRATION)
    scene = IBPFeaturesStage().scene(settings, SPOT.seed_for(step))
    while scene.run.grow(800) < 800:
        pass
    assert (scene.run.features[1:801] == 2).mean() == pytest.approx(long_run, abs=0.15)
    assert f"{scene.exact.feature_counts[2]:.0%}" == "68%"
    assert np.isclose(scene.exact.probabilities.sum(), 1)


def test_error_one_turns_the_shared_feature_on_too_often_on_the_card_of_its_step():
    named = {step.id: step for step in SPOT.steps}
    settings, right = SPOT.settings_for(named["dropped"]), SPOT.settings_for(named["own"]).sampler()
    scene = IBPFeaturesStage().scene(settings, SPOT.seed_for(named["dropped"]))
    beat = opened(scene.key, scene.run, settings.sweep)[(named["dropped"].at - 1) // 4]
    chance = right.score(beat.lifted.copy(), beat.update.site).probabilities[1]
    assert beat.update.conditional.probabilities[1] > chance + 0.1


def test_with_too_little_noise_most_features_belong_to_one_image():
    step = next(step for step in SHAPES.steps if step.id == "small")
    chain = Chain(SHAPES.settings_for(step).sampler(), SHAPES.seed_for(step))
    matrix = np.array(chain[step.then.advance].matrix)
    alone = matrix.sum(axis=0) == 1
    assert (len(alone), alone.sum()) == (41, 30)
    assert np.bincount(matrix[:, alone].sum(axis=1)).tolist() == [10, 30], "images with none of their own, and with one"


def test_the_fifth_feature_belongs_to_one_image():
    step = next(step for step in SHAPES.steps if step.id == "redrawn")
    scene = IBPFeaturesStage().scene(SHAPES.settings_for(step), SHAPES.seed_for(step))
    matrix = scene.run.chain[60].matrix
    assert sorted(matrix.sum(axis=0).tolist()) == [1, 8, 10, 13, 15]
    drawn = images(40, scene.settings.data_seed).matrix
    assert all(any((column == shape).mean() > 0.95 for column in matrix.T) for shape in drawn.T)
