"""Numbers as text: real minus signs, few characters, and nothing that reads as another number."""

from math import exp, inf, log, nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages.drawing.numbers import (
    bracketed,
    counted,
    cut,
    enough_decimals,
    enough_digits,
    fixed,
    multiplied,
    nearly_sure,
    of_its_log,
    probability,
    rounded,
    significant,
    small,
    subtracted,
    to_scale,
    vector,
)
from tests.lessons.shipped.sums import untrue


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (fixed(-1.005, 1), "−1.0"),
        (fixed(2, plus=True), "+2.00"),
        (fixed(-8.0502e60), "−8.05e+60"),
        (fixed(-inf), "−∞"),
        (fixed(nan), "0/0"),
        (significant(-0.000012345), "−1.23e−5"),
        (to_scale(170.26, 10), "170.3"),
        (to_scale(-0.026, 1), "−0.03"),
        (to_scale(71_234.5, 9_999), "71234"),
        (to_scale(0.054321, 0.02), "0.0543"),
        (to_scale(2.5e11, 1e11), "2.50e+11"),
        (to_scale(0.0, 1e-9), "0.00e+00"),
        (significant(1e-15, least=1e-14), "0"),
        (significant(inf), "∞"),
        (significant(12345.6), "1.23e+04"),
        (significant(-12345.6, grouped=True), "−12,346"),
        (significant(2e7, grouped=True), "2e+07"),
        (probability(0), "0.000"),
        (probability(0.0005), "0.001"),
        (probability(0.00049), "5e−4"),
        (nearly_sure(0.99951), "&gt; 0.999"),
        (nearly_sure(1), "1.000"),
        (of_its_log(-8.9), "0.000136"),
        (of_its_log(-inf), "0"),
        (of_its_log(-1000), "5.08·10<sup>−435</sup>"),
        (small(0), "0"),
        (small(0.0012345), "0.001"),
        (small(1.2e-310), "1.2·10<sup>−310</sup>"),
        (bracketed(fixed(-0.5)), "(−0.50)"),
        (bracketed(fixed(0.5)), "0.50"),
        (vector(np.array([1, -2, 3, 4])), "(1.00, −2.00, 3.00, …)"),
        (vector([0.1], significant), "(0.1)"),
        (counted(1, "word"), "1 word"),
        (counted(1000, "word"), "1,000 words"),
        (counted(0, "customer sits", "customers sit"), "0 customers sit"),
    ],
)
def test_a_number_reads_so(text, expected):
    assert text == expected


@given(st.floats(-700, 700))
def test_a_number_from_its_logarithm_is_itself_to_three_digits(log_value):
    text = of_its_log(log_value).replace("·10<sup>", "e").replace("</sup>", "").replace("−", "-")
    assert float(text) == pytest.approx(exp(log_value), rel=0.006)


@given(st.lists(st.floats(-1e9, 1e9), max_size=5), st.integers(1, 6))
def test_rounded_numbers_are_near(values, digits):
    assert rounded(np.array(values), digits) == pytest.approx(values, rel=5.1 / 10**digits, abs=1e-300)


@given(st.lists(st.floats(-40, 20), min_size=2, max_size=3))
def test_a_product_as_it_is_told_multiplies_out(logs):
    """The planted one, with three digits each, does not always."""
    assert not untrue(multiplied(*logs))


def test_a_product_of_three_digits_each_may_not_multiply_out():
    assert untrue("0.333 · 0.205 = 0.0685")
    assert multiplied(log(1 / 3), log(0.2054)) == "0.3333 · 0.2054 = 0.0685"
    assert multiplied(log(0.5), -inf, mark="b") == "0.5 · 0 = <b>0</b>"


def test_the_numbers_of_a_formula_have_as_many_digits_as_its_value_needs():
    assert enough_digits(lambda n: cut(1.1149, n) * 5 + cut(0.2283, n) * -3) == 4
    assert enough_digits(lambda n: cut(0.5, n) + cut(0.25, n)) == 3


@pytest.mark.parametrize(
    ("numbers", "text"),
    [
        ((9.4864, -30.4556), "9.486 − (−30.456) = 39.94"),
        ((1.5, -0.25), "1.50 − (−0.25) = 1.75"),
        ((-0.8561, 3.9361, 1.6561, 3.5161), "−0.856 − 3.936 − 1.656 − 3.516 = −9.96"),
        ((inf, 1.0), "∞ − 1.00 = ∞"),
    ],
)
def test_a_reader_who_subtracts_what_is_printed_finds_the_value(numbers, text):
    assert subtracted(*numbers) == text
    assert not untrue(text)


def test_the_numbers_of_a_sum_have_as_many_decimals_as_its_value_needs():
    assert enough_decimals(lambda n: round(9.4864, n) + round(30.4556, n)) == 3
    assert enough_decimals(lambda n: round(1.5, n) + round(0.25, n)) == 2
