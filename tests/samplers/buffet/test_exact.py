"""The buffet's exact facts, held against each other and against the finite model's multiplied out by hand."""

import math
from itertools import pairwise, permutations, product

import numpy as np
import pytest
from scipy.special import beta, betaln

from samplers.buffet.exact import (
    dishes_of_a_customer,
    dishes_overall,
    harmonic,
    left_order,
    left_ordered,
    log_probability_of_class,
)
from tests.samplers.buffet.classes import classes

SOME = [[1, 1, 0, 1, 0], [1, 0, 0, 1, 1], [0, 0, 0, 1, 1]]


def test_a_left_ordered_form_has_the_popular_first_and_nothing_empty():
    assert left_ordered(SOME).tolist() == [[1, 1, 1, 0], [1, 1, 0, 1], [1, 0, 0, 1]]
    assert left_ordered(np.zeros((3, 4))).shape == (3, 0)
    assert left_ordered(np.zeros((0, 4), bool)).shape == (0, 0)
    for matrix in classes(3, 3):
        assert (left_ordered(matrix) == matrix).all(), "they are listed so"
        for order in permutations(range(matrix.shape[1])):
            assert (left_ordered(matrix[:, list(order)]) == matrix).all()


def test_the_order_of_all_rows_is_an_order_of_the_first_rows():
    matrix = np.random.default_rng(0).random((9, 30)) < 0.3
    order = left_order(matrix)
    for rows in range(10):
        found, form = matrix[:rows, order], left_ordered(matrix[:rows])
        assert (found[:, : form.shape[1]] == form).all()
        assert not found[:, form.shape[1] :].any(), "dishes that nobody has taken yet are to the right"


@pytest.mark.parametrize("matrix", [[1, 0], [[2, 0]], [[[1]]], [[0.5]]])
def test_what_is_no_binary_matrix_is_refused(matrix):
    for ask in (left_ordered, left_order, lambda matrix: log_probability_of_class(matrix, 1)):
        with pytest.raises(ValueError, match=r"^matrix must be of shape \(customers, dishes\) and hold 0 and 1 alone"):
            ask(matrix)


def test_numbers_out_of_range_are_refused():
    for ask in (lambda *a: log_probability_of_class(SOME, *a), dishes_of_a_customer, lambda *a: dishes_overall(3, *a)):
        with pytest.raises(ValueError, match=r"^concentration must be finite and > 0, got 0"):
            ask(0)
        with pytest.raises(ValueError, match=r"^columns must be 1 or more, got 0"):
            ask(1, 0)


@pytest.mark.parametrize("concentration", [0.3, 1.0, 2.5])
def test_columns_of_each_history_are_poisson(concentration):
    """A history of m ones comes up Poisson(α (m - 1)! (N - m)! / N!) times, independently of the others."""
    for matrix in classes(3, 3):
        known = 0.0
        for history in list(product((1, 0), repeat=3))[:-1]:
            ones, count = sum(history), int((history == matrix.T).all(axis=1).sum())
            mean = concentration * beta(ones, 4 - ones)
            known += count * math.log(mean) - mean - math.lgamma(count + 1)
        assert log_probability_of_class(matrix, concentration) == pytest.approx(known, rel=1e-12)


def test_the_finite_models_classes_are_sums_over_its_matrices():
    """Of K columns in any order, each with its π integrated out: ∫ π^m (1 - π)^(N - m) Beta(π; α/K, 1) dπ."""
    columns, alpha, found = 3, 1.3, {}
    for bits in product((0, 1), repeat=2 * columns):
        matrix = np.array(bits).reshape(2, columns)
        ones = matrix.sum(axis=0)
        each = betaln(ones + alpha / columns, 2 - ones + 1) - betaln(alpha / columns, 1)
        form = left_ordered(matrix)
        key = (form.shape, form.tobytes())
        found[key] = form, found.get(key, (form, 0.0))[1] + math.exp(each.sum())
    assert sum(share for _, share in found.values()) == pytest.approx(1, rel=1e-12)
    for form, share in found.values():
        assert math.exp(log_probability_of_class(form, alpha, columns)) == pytest.approx(share, rel=1e-12)
    assert log_probability_of_class([[1, 1, 1, 1]], alpha, columns) == -math.inf


def test_the_order_of_the_customers_does_not_matter():
    for order in permutations(range(3)):
        for columns in (None, 7):
            here, there = (log_probability_of_class(m, 1.7, columns) for m in (SOME, np.array(SOME)[list(order)]))
            assert here == pytest.approx(there, rel=1e-12)


def test_the_finite_model_converges_to_the_buffet():
    buffet, errors = math.exp(log_probability_of_class(SOME, 2.0)), []
    for columns in (100, 1_000, 10_000):
        errors.append(abs(math.exp(log_probability_of_class(SOME, 2.0, columns)) - buffet))
    assert all(after < before / 8 for before, after in pairwise(errors)), "as 1 / K"
    for numbers, limit in (
        (dishes_overall(12, 2.0, 5_000), dishes_overall(12, 2.0)),
        (dishes_of_a_customer(2.0, 5_000), dishes_of_a_customer(2.0)),
    ):
        size = min(len(numbers), len(limit))
        assert np.abs(numbers[:size] - limit[:size]).max() < 5e-4


@pytest.mark.parametrize("columns", [None, 4])
def test_numbers_of_dishes_are_sums_over_classes(columns):
    """Over all dishes, and over those of the last of three customers."""
    overall, own = np.zeros(6), np.zeros(6)
    for matrix in classes(3, 5):
        share = math.exp(log_probability_of_class(matrix, 0.4, columns))
        overall[matrix.shape[1]] += share
        own[matrix[2].sum()] += share
    numbers, plate = dishes_overall(3, 0.4, columns), dishes_of_a_customer(0.4, columns)
    assert overall[:5] == pytest.approx(numbers[:5], rel=1e-12)
    assert own[:3] == pytest.approx(plate[:3], abs=2e-4)  # of up to five dishes alone


def test_moments_of_the_numbers_of_dishes():
    numbers = dishes_overall(20, 2.0)
    mean = np.arange(len(numbers)) @ numbers
    assert mean == pytest.approx(2 * harmonic(20)) == pytest.approx(7.1955, abs=1e-4)
    assert np.arange(len(numbers)) ** 2 @ numbers - mean**2 == pytest.approx(mean)
    assert dishes_overall(0, 2.0).tolist() == [1]
    finite = dishes_of_a_customer(2.0, 6)
    assert np.arange(7) @ finite == pytest.approx(6 * (1 / 3) / (4 / 3))
