"""A path by hand is the path that HMC takes with that momentum."""

import numpy as np
import pytest

from samplers.chain import Chain
from samplers.gradient.hmc import HMC
from samplers.gradient.plane_targets import PLANE_TARGETS
from samplers.gradient.throw import Throw

BANANA = PLANE_TARGETS["banana"]


def test_it_goes_where_hmc_goes_with_that_momentum():
    chain = Chain(HMC(BANANA, 0.2, 9, [1.5, 0.6], start=[1.0, 0.5]), seed=4)
    path = chain.record(1)
    thrown = Throw(BANANA, 0.2, [1.0, 0.5], path.momentum, [1.5, 0.6])
    by_hand = Chain(thrown, seed=99)
    points = [by_hand[t] for t in range(10)]
    for point, other in zip(points, path.points, strict=True):
        assert (point.position == other.position).all()
        assert point.energy == other.energy
    found = thrown.trajectory(points)
    assert found.accept_statistic == path.accept_statistic
    assert found.offered == path.offered
    assert found.doublings == path.doublings


def test_a_throw_that_diverges_would_be_refused():
    chain = Chain(Throw(PLANE_TARGETS["correlated"], 1.5, [1.0, 0.5], [1.0, -1.0]), seed=0)
    found = chain.sampler.trajectory([chain[t] for t in range(12)])
    assert found.divergent == 11
    assert found.accept_statistic == 0
    assert not found.offered[-1]


@pytest.mark.parametrize("momentum", [[1.0], [1.0, np.nan]])
def test_a_momentum_must_be_numbers(momentum):
    with pytest.raises(ValueError, match="momentum must be 2 finite numbers"):
        Throw(BANANA, 0.2, [0.0, 0.0], momentum)
