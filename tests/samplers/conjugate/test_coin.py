"""Tosses and draws against the numbers that they are made of."""

import numpy as np
import pytest

from samplers import Chain
from samplers.conjugate.beta import Beta
from samplers.conjugate.coin import IndependentDraws, Tosses


def test_a_toss_is_heads_if_its_number_is_below_the_bias():
    chain = Chain(Tosses(0.7), seed=3)
    heads = 0
    for t in range(1, 200):
        heads += chain.record(t) < 0.7
        assert chain.record(t) == chain.rng(t).random()
        assert chain[t] == (heads, t - heads)


def test_a_draw_has_its_numbers_share_of_the_probability_below_it():
    target = Beta(14, 8)
    chain = Chain(IndependentDraws(target), seed=3)
    assert np.isnan(chain[0])
    for t in range(1, 50):
        assert chain.record(t) == chain.rng(t).random()
        assert target.below(chain[t]) == pytest.approx(chain.record(t))


@pytest.mark.parametrize("bias", [1.0, -0.1])
def test_a_bias_out_of_range_is_refused(bias):
    with pytest.raises(ValueError, match=r"must be finite"):
        Tosses(bias)
