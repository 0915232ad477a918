"""The numbers that the lessons on walks tell, from the runs that they tell of."""

from math import sqrt

import numpy as np
import pytest

from lessons.stages.walk_the_hill import WalkTheHillSettings
from samplers import Chain
from samplers.gradient.plane_targets import PLANE_TARGETS

pytestmark = pytest.mark.told


def moved(step_size, iterations=100, seed=7):
    settings = WalkTheHillSettings(step_size=step_size)
    return settings.measure(Chain(settings.sampler(), seed), iterations)["moved"]


def test_how_many_ends_are_accepted():
    assert abs(moved(0.25) - 95) <= 2
    assert moved(0.6) > 70
    assert 28 <= moved(0.62) <= 42
    assert moved(0.65) == 0
    narrow = sqrt(1 - PLANE_TARGETS["correlated"].correlation)
    assert f"{narrow:.2f} {2 * narrow:.2f}" == "0.32 0.63"


def test_the_pass_between_two_hills():
    """Along the line between both tops the log density falls by more than 4, seen from the left one."""
    hills = PLANE_TARGETS["two hills"]
    (x, y), _ = hills.centres
    along = [hills.log_density(np.array([share * x, share * y])) for share in np.linspace(-1, 1, 201)]
    assert 4.2 < along[-1] - min(along) < 4.8
