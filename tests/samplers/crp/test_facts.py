import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import digamma

from samplers.crp.facts import (
    arrival_fractions,
    first_table_pmf,
    log_joint,
    log_stirling,
    relabel,
    table_count_moments,
    table_count_pmf,
)
from samplers.crp.seating import CRPSeating
from samplers.crp.stick_breaking import StickBreakingSeating
from tests.samplers.exactness import check_frequencies, partitions

SETTINGS = [(1.0, 0.0), (0.3, 0.0), (40.0, 0.0), (2.5, 0.5), (0.2, 0.6), (0.0, 0.5), (-0.4, 0.7), (5.0, 0.95)]
both_rules = pytest.mark.parametrize("rule", [CRPSeating, StickBreakingSeating])
every_setting = pytest.mark.parametrize(("concentration", "discount"), SETTINGS)
seatings = st.lists(st.integers(0, 6), max_size=30)
allowed = st.tuples(st.floats(0.01, 50), st.floats(0, 0.95))
steady = settings(deadline=None, derandomize=True)


def stirling_by_integers(n, discount=Fraction(0)):
    """The recurrence in exact arithmetic."""
    numbers = [Fraction(1)]
    for seated in range(n):
        joined = [(seated - k * discount) * number for k, number in enumerate(numbers)] + [Fraction(0)]
        numbers = [stay + new for stay, new in zip(joined, [Fraction(0), *numbers], strict=True)]
    return numbers


@every_setting
def test_the_joint_sums_to_one_over_all_partitions(concentration, discount):
    for customers in range(8):
        total = sum(math.exp(log_joint(seating, concentration, discount)) for seating in partitions(customers))
        assert total == pytest.approx(1, rel=1e-12)


def test_the_joint_is_equation_8():
    # 2 * 2 * 2 ways to sit at tables of 3, 2 and 1 with concentration 2: 2^3 2! 1! 0! / (2 3 4 5 6 7)
    assert math.exp(log_joint([0, 0, 1, 0, 1, 2], 2.0)) == pytest.approx(16 / 5040)
    assert log_joint([], 2.0) == 0


@steady
@given(seatings, st.randoms(use_true_random=False), st.permutations(range(7)), allowed)
def test_the_joint_is_exchangeable_and_blind_to_labels(seating, random, names, setting):
    known = log_joint(seating, *setting)
    shuffled = random.sample(seating, len(seating))
    assert log_joint(shuffled, *setting) == pytest.approx(known, rel=1e-12, abs=1e-12)
    assert log_joint([names[table] for table in seating], *setting) == pytest.approx(known, rel=1e-12, abs=1e-12)
    assert log_joint(np.array(seating, int), *setting) == known


@steady
@given(seatings, st.randoms(use_true_random=False), allowed)
def test_the_fractions_of_the_arrivals_multiply_to_the_joint_in_any_order(seating, random, setting):
    for order in (seating, random.sample(seating, len(seating))):
        numerators, denominators = arrival_fractions(order, *setting)
        assert numerators.shape == denominators.shape == (len(seating),)
        assert np.log(numerators / denominators).sum() == pytest.approx(log_joint(seating, *setting), abs=1e-9)


@every_setting
def test_the_fractions_of_the_arrivals(concentration, discount):
    numerators, denominators = arrival_fractions([4, 4, 2, 4, 2, 0], concentration, discount)
    assert numerators[0] == denominators[0]
    opened = [concentration + discount, concentration + 2 * discount]
    assert numerators[1:] == pytest.approx([1 - discount, opened[0], 2 - discount, 1 - discount, opened[1]])
    assert denominators[1:] == pytest.approx(np.arange(1, 6) + concentration)


@steady
@given(seatings)
def test_relabelling(seating):
    labels = relabel(seating)
    assert labels.shape == (len(seating),)
    assert relabel(labels).tolist() == labels.tolist()
    assert relabel([7 - table for table in seating]).tolist() == labels.tolist()
    assert all((labels[i] == labels[j]) == (seating[i] == seating[j]) for i in range(len(seating)) for j in range(i))
    opened = [label for position, label in enumerate(labels) if label not in labels[:position]]
    assert opened == list(range(len(opened)))


def test_stirling_numbers_that_are_in_the_books():
    known = {0: [1], 1: [0, 1], 2: [0, 1, 1], 4: [0, 6, 11, 6, 1], 6: [0, 120, 274, 225, 85, 15, 1]}
    for n, row in known.items():
        assert np.exp(log_stirling(n)) == pytest.approx(row)


@pytest.mark.parametrize("discount", [Fraction(0), Fraction(1, 4), Fraction(1, 2), Fraction(15, 16)])
def test_stirling_numbers_against_exact_arithmetic(discount):
    exact = stirling_by_integers(60, discount)
    found = log_stirling(60, float(discount))
    assert found[0] == -math.inf
    expected = [math.log(number.numerator) - math.log(number.denominator) for number in exact[1:]]
    assert found[1:] == pytest.approx(expected, rel=1e-12, abs=1e-10)


def test_stirling_numbers_are_kept_and_cannot_be_spoilt():
    assert log_stirling(30) is log_stirling(30)
    with pytest.raises(ValueError, match="read-only"):
        log_stirling(30)[1] = 0


@every_setting
def test_the_number_of_tables_by_enumeration(concentration, discount):
    for customers in range(8):
        pmf = np.zeros(customers + 1)
        for seating in partitions(customers):
            pmf[len(set(seating))] += math.exp(log_joint(seating, concentration, discount))
        assert table_count_pmf(customers, concentration, discount) == pytest.approx(pmf, rel=1e-10)


@every_setting
def test_the_number_of_tables_of_a_thousand_customers(concentration, discount):
    pmf = table_count_pmf(1_000, concentration, discount)
    assert pmf.shape == (1_001,)
    assert pmf.sum() == pytest.approx(1, abs=1e-9)
    mean, variance = table_count_moments(1_000, concentration, discount)
    tables = np.arange(1_001)
    assert mean[-1] == pytest.approx(pmf @ tables, rel=1e-8)
    assert variance[-1] == pytest.approx(pmf @ (tables - mean[-1]) ** 2, rel=1e-6)


@pytest.mark.parametrize("concentration", [0.01, 1.0, 30.0])
def test_the_mean_number_of_tables_in_closed_form(concentration):
    n = np.arange(1, 2_001)
    mean, variance = table_count_moments(2_000, concentration)
    assert mean == pytest.approx(concentration * (digamma(concentration + n) - digamma(concentration)), rel=1e-10)
    opens = concentration / (concentration + n - 1)
    assert variance == pytest.approx(np.cumsum(opens * (1 - opens)), abs=1e-10)


def test_moments_of_hardly_anybody():
    for customers in (0, 1):
        mean, variance = table_count_moments(customers, 0.7, 0.3)
        assert (mean.tolist(), variance.tolist()) == ([1.0] * customers, [0.0] * customers)


def check_table_counts(counts, pmf):
    check_frequencies(np.bincount(counts, minlength=len(pmf)) / len(counts), pmf, len(counts))


@both_rules
@every_setting
def test_the_number_of_tables_by_simulation(rule, concentration, discount):
    counts = rule(concentration, discount).simulate_table_counts(60, 20_000, np.random.default_rng(0))
    assert counts.shape == (20_000,)
    check_table_counts(counts, table_count_pmf(60, concentration, discount))


def test_a_wrong_simulation_is_seen():
    counts = CRPSeating(1.0).simulate_table_counts(60, 20_000, np.random.default_rng(0))
    with pytest.raises(AssertionError):
        check_table_counts(counts, table_count_pmf(60, 1.1))
    with pytest.raises(AssertionError):
        check_table_counts(counts, table_count_pmf(61, 1.0, 0.05))


@both_rules
def test_simulations_of_hardly_anybody(rule):
    rng = np.random.default_rng(0)
    assert rule(1.0).simulate_table_counts(0, 3, rng).tolist() == [0, 0, 0]
    assert rule(-0.1, 0.5).simulate_table_counts(1, 3, rng).tolist() == [1, 1, 1]
    assert rule(1.0).simulate_table_counts(9, 0, rng).shape == (0,)


@every_setting
def test_the_first_table_by_enumeration(concentration, discount):
    for customers in range(1, 8):
        pmf = np.zeros(customers + 1)
        for seating in partitions(customers):
            pmf[seating.count(0)] += math.exp(log_joint(seating, concentration, discount))
        assert first_table_pmf(customers, concentration, discount) == pytest.approx(pmf, rel=1e-10)
    assert first_table_pmf(1_000, concentration, discount).sum() == pytest.approx(1, abs=1e-9)


@pytest.mark.parametrize(
    "call",
    [
        lambda: log_joint([0], -1),
        lambda: arrival_fractions([0], 0),
        lambda: table_count_pmf(-1, 1.0),
        lambda: table_count_pmf(3, 1.0, 1.0),
        lambda: table_count_moments(-1, 1.0),
        lambda: log_stirling(-1),
        lambda: log_stirling(3, -0.5),
        *(lambda rule=rule: rule(0.0) for rule in (CRPSeating, StickBreakingSeating)),
        lambda: CRPSeating(1.0).simulate_table_counts(-1, 1, np.random.default_rng(0)),
        lambda: StickBreakingSeating(1.0).simulate_table_counts(1, -1, np.random.default_rng(0)),
    ],
)
def test_what_is_out_of_range_is_refused(call):
    with pytest.raises(ValueError, match="must be"):
        call()
