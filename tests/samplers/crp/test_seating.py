import math
import pickle
from dataclasses import FrozenInstanceError

import numpy as np
import pytest

from samplers import Chain
from samplers.crp.seating import CRPSeating, SeatingState
from samplers.recipe import Conditional
from samplers.streams import first_uniforms
from tests.samplers.exactness import check_ratios, check_visited_probabilities, check_walked_probabilities, partitions

SETTINGS = [(1.0, 0.0), (0.3, 0.0), (4.0, 0.0), (2.5, 0.5), (0.2, 0.6), (0.0, 0.5), (-0.4, 0.7)]


def product_probabilities(customers, concentration, discount):
    """The seating rule multiplied out by hand, apart from the code under test."""
    probabilities = {}
    for seating in partitions(customers):
        probability = 1.0
        for customer in range(1, customers):
            here = seating[:customer]
            joined = here.count(seating[customer])
            weight = joined - discount if joined else concentration + discount * len(set(here))
            probability *= weight / (customer + concentration)
        probabilities[seating] = probability
    return probabilities


class ForgetsConcentration(CRPSeating):
    def score(self, state, site):
        logs = [math.log(count - self.discount) for count in state.counts]
        return Conditional({"customers": [*logs, math.log(1 + len(logs) * self.discount)]})


class CountsOneTooMany(CRPSeating):
    def score(self, state, site):
        logs = [math.log(count + 1 - self.discount) for count in state.counts]
        return Conditional({"customers": [*logs, super().score(state, site).log_weights[-1]]})


class KeepsTheDiscount(CRPSeating):
    def score(self, state, site):
        logs = [math.log(count) for count in state.counts]
        return Conditional({"customers": [*logs, super().score(state, site).log_weights[-1]]})


class NewTableWithoutDiscounts(CRPSeating):
    def score(self, state, site):
        return Conditional({"customers": [*super().score(state, site).log_weights[:-1], math.log(self.concentration)]})


PLANTED = [ForgetsConcentration, CountsOneTooMany, KeepsTheDiscount, NewTableWithoutDiscounts]


def test_there_are_52_partitions_of_5():
    assert len(set(partitions(5))) == 52


@pytest.mark.parametrize(("concentration", "discount"), SETTINGS)
def test_every_partition_of_5_is_as_likely_as_it_should_be(concentration, discount):
    check_walked_probabilities(CRPSeating(concentration, discount), product_probabilities(5, concentration, discount))


@pytest.mark.parametrize(("concentration", "discount"), [(1.0, 0.0), (0.2, 0.6), (-0.4, 0.7)])
def test_steps_visit_the_partitions_of_5_as_often_as_they_should(concentration, discount):
    check_visited_probabilities(CRPSeating(concentration, discount), product_probabilities(5, concentration, discount))


@pytest.mark.parametrize("wrong", PLANTED)
def test_planted_errors_fail_every_check(wrong):
    probabilities = product_probabilities(5, 0.2, 0.6)
    with pytest.raises(AssertionError):
        check_walked_probabilities(wrong(0.2, 0.6), probabilities)
    with pytest.raises(AssertionError, match="total variation"):
        check_visited_probabilities(wrong(0.2, 0.6), probabilities)
    with pytest.raises(AssertionError, match="is off by"):
        check_ratios(wrong(0.2, 0.6))


def test_weights_are_the_numbers_of_the_formula():
    sampler, state = CRPSeating(1.5, 0.25), SeatingState()
    for table in [0, 0, 1, 0, 2]:
        state.seat(table)
    probabilities = sampler.score(state, 5)
    assert list(probabilities.terms) == ["customers already there"]
    weights = np.exp(probabilities.log_weights)
    assert weights == pytest.approx([2.75, 0.75, 0.75, 1.5 + 3 * 0.25])
    assert weights.sum() == pytest.approx(5 + 1.5)
    assert np.exp(sampler.score(SeatingState(), 0).log_weights) == pytest.approx([1.5])


def test_a_state_shows_who_sits_where():
    state = SeatingState()
    for table in [0, 1, 0, 2, 1, 1]:
        state.seat(table)
    assert state.assignments.tolist() == [0, 1, 0, 2, 1, 1]
    assert np.issubdtype(state.assignments.dtype, np.integer)
    assert state.counts == [2, 3, 1]
    assert len(state) == 6
    assert SeatingState().assignments.shape == (0,)
    state.assignments[0] = 9  # a fresh array: nothing is spoilt
    assert state.assignments[0] == 0


@pytest.mark.parametrize("table", [-1, 2])
def test_nobody_sits_at_a_table_that_is_not_there(table):
    state = SeatingState()
    state.seat(0)
    with pytest.raises(ValueError, match=f"table must be one of 0 to 1 \\(1 opens a new one\\), got {table}"):
        state.seat(table)
    assert (state.assignments.tolist(), state.counts, len(state)) == ([0], [1], 1)


def test_copies_do_not_touch_each_other():
    root = SeatingState()
    for table in [0, 1]:
        root.seat(table)
    left, right, replayed = root.copy(), root.copy(), root.copy()
    left.seat(0)
    left.seat(2)
    right.seat(1)
    right.seat(1)
    replayed.seat(0)
    shorter = replayed.copy()
    replayed.seat(1)
    root.seat(2)
    assert left.assignments.tolist() == [0, 1, 0, 2]
    assert right.assignments.tolist() == [0, 1, 1, 1]
    assert replayed.assignments.tolist() == [0, 1, 0, 1]
    assert shorter.assignments.tolist() == [0, 1, 0]
    assert root.assignments.tolist() == [0, 1, 2]
    for state in (left, right, replayed, shorter, root):
        assert state.counts == np.bincount(state.assignments).tolist()


def test_a_thousand_earlier_states_stay_as_they_were():
    sampler, rng, states, seen = CRPSeating(3.0), np.random.default_rng(0), [SeatingState()], [()]
    for _ in range(1_000):
        start = rng.integers(max(0, len(states) - 40), len(states))  # mostly from a state that others went on from
        states.append(sampler.step(states[start], rng)[0])
        seen.append(tuple(states[-1].assignments.tolist()))
    assert [tuple(state.assignments.tolist()) for state in states] == seen


def test_a_state_can_be_pickled():
    state, _ = CRPSeating(1.0).step(SeatingState(), np.random.default_rng(0))
    back = pickle.loads(pickle.dumps(state))
    back.seat(1)
    assert back.assignments.tolist() == [0, 1]
    assert state.assignments.tolist() == [0]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ((-1,), r"concentration must be finite and > 0, got -1"),
        ((0,), r"concentration must be finite and > 0, got 0"),
        ((math.inf,), r"concentration must be finite and > 0, got inf"),
        ((math.nan,), r"concentration must be finite and > 0, got nan"),
        (("one",), r"concentration must be finite and > 0, got 'one'"),
        ((-0.5, 0.5), r"concentration must be finite and > -0.5, got -0.5"),
        ((1, 1), r"discount must be finite, >= 0 and < 1, got 1"),
        ((1, -0.1), r"discount must be finite, >= 0 and < 1, got -0.1"),
        ((1, math.nan), r"discount must be finite, >= 0 and < 1, got nan"),
    ],
)
def test_settings_are_checked_when_it_is_built(settings, message):
    with pytest.raises(ValueError, match=f"^{message}$"):
        CRPSeating(*settings)


def test_settings_cannot_change_afterwards():
    with pytest.raises(FrozenInstanceError):
        CRPSeating(1.0).concentration = 2.0


@pytest.mark.parametrize(("concentration", "discount"), [(1.0, 0.0), (8.0, 0.0), (2.0, 0.5)])
def test_restaurants_seated_at_once_are_those_of_their_chains(concentration, discount):
    sampler, seeds = CRPSeating(concentration, discount), np.arange(5, 25)
    counts = sampler.seat_all(first_uniforms(seeds, np.arange(1, 31)[:, None]))
    assert counts.shape == (31, 20, counts[-1].any(axis=0).sum())
    for restaurant, seed in enumerate(seeds.tolist()):
        chain = Chain(sampler, seed)
        for t in (0, 1, 12, 30):
            assert counts[t, restaurant][counts[t, restaurant] > 0].tolist() == chain[t].counts
