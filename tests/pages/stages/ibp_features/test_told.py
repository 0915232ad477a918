"""The numbers that the lessons on features tell, from the runs that they tell of."""

import numpy as np
import pytest

from pages.shell.lessons import library
from pages.stages.ibp_features import scene_of

pytestmark = pytest.mark.told
SPOT = next(lesson for lesson in library().for_stage("ibp_features") if lesson.id == "features-spot-the-error")
TOLD = {"dropped": 0.82, "poisson": 0.31}


@pytest.mark.parametrize("name", TOLD)
def test_the_errors_leave_the_truth_as_far_behind_as_told(name):
    step = next(step for step in SPOT.steps if step.id == name)
    settings = SPOT.settings_for(step).model_copy(update={"step_by": "sweep"})
    scene = scene_of(settings, SPOT.seed_for(step))
    while scene.run.grow(800) < 800:
        pass
    share = float((scene.run.features[1:801] == 2).mean())
    assert f"{share:.0%}" == f"{TOLD[name]:.0%}"
    assert f"{scene.exact.feature_counts[2]:.0%}" == "68%"
    assert np.isclose(scene.exact.probabilities.sum(), 1)
