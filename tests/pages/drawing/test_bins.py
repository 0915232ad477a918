"""As many values of a lattice are possible in each bin: no comb is drawn that is not in the data."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons.settings.law import Law
from pages.drawing.bins import MOST_BINS, Bins

FINITE = st.floats(-1e300, 1e300)


@given(st.integers(4, 400), st.sampled_from([1, 0.5, 0.05, 1 / 3, 1 / 60, 5, 1e-9, 1e9]), st.integers(-500, 500))
def test_ten_each_of_all_values_of_a_lattice_are_equally_many_in_each_bin_but_the_last(many, step, first):
    values = np.repeat((first + np.arange(many)) * step, 10)
    *all_but_last, last = np.bincount(Bins.of(values).bin_of(values))
    assert len(set(all_but_last)) <= 1
    assert last <= all_but_last[0]
    assert len(all_but_last) < MOST_BINS


def test_ten_each_of_0_to_59_are_twenty_in_each_of_thirty_bins():
    values = np.repeat(np.arange(60.0), 10)
    assert Bins.of(values).counts(values, np.ones(600)).tolist() == [20] * 30


def test_few_whole_numbers_have_a_bin_each():
    bins = Bins.of(np.array([3.0, 5.0, 5.0, 4.0]))
    assert (bins.low, bins.width, bins.number) == (2.5, 1.0, 3)
    assert bins.bin_of(np.array([3.0, 5.0, 5.0, 4.0])).tolist() == [0, 2, 2, 1]


@pytest.mark.parametrize("value", [2.0, 0.3])
def test_one_number_alone_has_a_bin_too(value):
    bins = Bins.of(np.full(2, value))
    assert (bins.number, bins.bin_of(np.array([value])).tolist()) == (1, [0])


def test_bins_reach_as_far_as_what_is_likely_and_no_farther():
    law = Law("", 1.8, (1, 2, 3, 9), (0.5, 0.3, 0.1997, 0.0003))
    bins = Bins.of(np.array([2.0]), law)
    assert bins.span == (0.5, 3.5)
    assert bins.shares(law).tolist() == [0.5, 0.3, 0.1997]


def test_one_outcome_that_is_whole_says_nothing_of_shares():
    tenths = Law("", 0.5, tuple(np.arange(11) / 10), (1 / 11,) * 11)
    assert Bins.of(np.array([1.0]), tenths).number == 11


def test_a_step_that_is_known_is_kept_though_few_have_answered():
    bins = Bins.of(np.array([0.0, 100.0]), step=1.0)
    assert (bins.low, bins.width, bins.number) == (-0.5, 4.0, 26)


@given(st.lists(FINITE, min_size=1, max_size=60))
def test_any_numbers_have_bins_and_all_of_them_lie_in_one(numbers):
    values = np.array(numbers)
    bins = Bins.of(values)
    assert 1 <= bins.number <= MOST_BINS + 1
    assert (bins.bin_of(values) >= 0).all()
