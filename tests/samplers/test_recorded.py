"""Recorded chains: the draws come in their order, whatever the seed, and end with the last one."""

import numpy as np
import pytest

from samplers import Chain
from samplers.recorded import Recorded


def test_draws_come_in_their_order_whatever_the_seed():
    draws = [[1.0, 5.0], [2.0, 4.0], [3.0, 3.0]]
    first, second = (Chain(Recorded(draws, ["mu", "tau"]), seed) for seed in (0, 9))
    for t, values in enumerate(draws, 1):
        np.testing.assert_array_equal(first[t].values, values)
        assert second.sampler.variables(second[t]) == dict(zip(["mu", "tau"], values, strict=True))
    np.testing.assert_array_equal(first[4].values, draws[-1])
    assert np.isnan(first[0].values).all()


@pytest.mark.parametrize(("draws", "names", "warmup"), [([], ["a"], 0), ([[1.0]], ["a", "b"], 0), ([[1.0]], ["a"], -1)])
def test_what_is_no_recording_is_refused(draws, names, warmup):
    with pytest.raises(ValueError, match="must"):
        Recorded(draws, names, warmup)
