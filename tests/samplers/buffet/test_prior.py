"""The buffet line, held to its exact facts; wrong rules must fail where the right one passes."""

import inspect
import math

import numpy as np
import pytest
from scipy.special import gammaln

from samplers.buffet.exact import (
    dishes_of_a_customer,
    dishes_overall,
    left_ordered,
    log_probability_of_class,
    new_dishes_of_a_customer,
)
from samplers.buffet.prior import NEW, TAKES, BuffetState, IndianBuffet, poisson_logs
from samplers.buffet.wrong import WRONG_BUFFETS
from samplers.chain import Chain
from tests.samplers.buffet.classes import classes
from tests.samplers.exactness import check_frequencies, check_ratios

BUFFETS = 3_000
models = pytest.mark.parametrize("columns", [None, 5], ids=["buffet", "finite"])
every_rule = pytest.mark.parametrize("rule", WRONG_BUFFETS.values(), ids=WRONG_BUFFETS)


def name_of(matrix):
    form = left_ordered(matrix)
    return form.shape[1], form.tobytes()


def check_classes(sampler, customers, most, seed=0):
    """Compare where `step` leads with the classes of at most so many dishes, and of more together."""
    exact = {
        name_of(matrix): math.exp(log_probability_of_class(matrix, sampler.concentration, sampler.columns))
        for matrix in classes(customers, most)
    }
    place = {name: index for index, name in enumerate(exact)}
    found, rng, empty = np.zeros(len(exact) + 1), np.random.default_rng(seed), sampler.init(None)
    for _ in range(BUFFETS):
        state = empty
        for _ in range(customers):
            state, _ = sampler.step(state, rng)
        found[place.get(name_of(state.matrix), -1)] += 1
    probabilities = np.array([*exact.values(), max(0.0, 1 - sum(exact.values()))])
    check_frequencies(found / BUFFETS, probabilities, BUFFETS)


def check_numbers(sampler, customers=12):
    """Compare the dishes of all customers, of the last one, and its new ones, with their exact distributions."""
    drawn = sampler.simulate(customers, BUFFETS, np.random.default_rng(1))
    setting = sampler.concentration, sampler.columns
    laws = dishes_overall(customers, *setting), dishes_of_a_customer(*setting)
    for numbers, exact in zip(drawn, (*laws, new_dishes_of_a_customer(customers, *setting)), strict=True):
        found = np.bincount(numbers, minlength=len(exact)) / BUFFETS
        check_frequencies(found, np.append(exact, np.zeros(len(found) - len(exact))), BUFFETS)


@models
@pytest.mark.parametrize(("customers", "most", "concentration"), [(3, 4, 0.8), (4, 3, 0.5)])
def test_classes_come_up_as_often_as_they_should(customers, most, concentration, columns):
    check_classes(IndianBuffet(concentration, columns), customers, most)


@models
def test_numbers_of_dishes_come_up_as_often_as_they_should(columns):
    check_numbers(IndianBuffet(2.0, columns))


@every_rule
def test_wrong_rules_fail_every_check(rule):
    for check in (lambda sampler: check_classes(sampler, 3, 4), check_numbers):
        with pytest.raises(AssertionError, match="total variation"):
            check(rule(0.8))
    if "count_after" in vars(rule):
        with pytest.raises(AssertionError, match="is off by"):
            check_ratios(rule(0.8))
    own = [name for name, part in vars(rule).items() if inspect.isfunction(part)]
    assert len(own) == 1, "one method away from the right one"


@models
def test_the_joint_is_that_of_the_class_over_its_orders(columns):
    """Dishes that one customer takes first may be numbered in any order; equal columns make no difference."""
    sampler = IndianBuffet(3.0, columns)
    for seed in range(5):
        state = Chain(sampler, seed)[6]
        matrix = state.matrix
        known = log_probability_of_class(matrix, 3.0, columns)
        alike = np.unique(matrix.T, axis=0, return_counts=True)[1]
        first = np.bincount(matrix.argmax(axis=0)) if columns is None else columns
        orders = gammaln(np.add(first, 1)).sum() - gammaln(alike + 1).sum()
        assert sampler.log_joint(state) == pytest.approx(known - orders, rel=1e-12)


def test_weights_are_the_numbers_of_the_formula():
    state = BuffetState()
    IndianBuffet(3.0).remember(state, NEW, 2)
    for dish, value in ((0, TAKES), (1, 1 - TAKES), (NEW, 1)):
        IndianBuffet(3.0).remember(state, dish, value)
    assert (state.plates, state.counts, state.plate, len(state)) == ([(0, 1), (0, 2)], [2, 1, 1], [], 2)
    assert state.matrix.tolist() == [[1, 1, 0], [1, 0, 1]]
    assert list(IndianBuffet(3.0).sites(state)) == [0, 1, 2, NEW]
    for dish, weights in enumerate([(2, 1), (1, 2), (1, 2)]):
        assert np.exp(IndianBuffet(3.0).score(state, dish).log_weights) == pytest.approx(weights)
    assert IndianBuffet(3.0).score(state, NEW).probabilities[:3] == pytest.approx(
        [math.exp(-1), math.exp(-1), math.exp(-1) / 2]
    )
    finite = IndianBuffet(3.0, 6)
    assert finite.score(finite.init(None), 4).probabilities[TAKES] == pytest.approx(0.5 / 1.5)
    assert list(finite.sites(finite.init(None))) == list(range(6))


@pytest.mark.parametrize("mean", [0.002, 1.0, 10.0, 50.0])
def test_no_number_of_new_dishes_that_can_be_drawn_is_missing(mean):
    logs = poisson_logs(mean)
    counts = np.arange(len(logs))
    assert logs == pytest.approx(counts * math.log(mean) - mean - gammaln(counts + 1), abs=1e-10)
    assert math.fsum(map(math.exp, logs)) == pytest.approx(1, abs=1e-14)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ((0,), r"concentration must be finite and > 0, got 0"),
        ((math.nan,), r"concentration must be finite and > 0, got nan"),
        ((1, 0), r"columns must be 1 or more, got 0"),
    ],
)
def test_settings_are_checked_when_it_is_built(settings, message):
    with pytest.raises(ValueError, match=f"^{message}$"):
        IndianBuffet(*settings)
