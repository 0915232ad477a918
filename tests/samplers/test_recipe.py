import math

import numpy as np
import pytest

from samplers.recipe import Conditional


def test_terms_add_up_and_are_normalised():
    conditional = Conditional({"customers": [math.log(3), math.log(1)], "fit": [math.log(0.2), math.log(0.4)]})
    assert conditional.log_weights == pytest.approx([math.log(0.6), math.log(0.4)])
    assert conditional.probabilities == pytest.approx([0.6, 0.4])
    assert conditional.weights() == pytest.approx([1, 0.4 / 0.6])


def test_terms_of_unequal_length_are_refused():
    with pytest.raises(ValueError, match="shorter"):
        Conditional({"customers": [0.0, 0.0], "fit": [0.0]}).weights()


@pytest.mark.parametrize("shift", [-1e6, -800.0, 0.0, 800.0, 1e6])
def test_probabilities_do_not_depend_on_the_level_of_the_logs(shift):
    conditional = Conditional({"fit": [shift, shift + math.log(3)]})
    assert conditional.probabilities == pytest.approx([0.25, 0.75], rel=1e-9)


def test_extreme_log_weights():
    conditional = Conditional({"fit": [-1e308, 0.0, -math.inf, -800.0]})
    assert conditional.probabilities.tolist() == [0.0, 1.0, 0.0, 0.0]
    assert {conditional.draw(np.random.default_rng(seed)) for seed in range(50)} == {1}


@pytest.mark.parametrize(
    "logs", [[-math.inf, -math.inf], [math.nan, 0.0], [0.0, math.nan], [math.inf, 0.0], [0.0, math.inf]]
)
def test_what_is_no_distribution_is_refused(logs):
    conditional = Conditional({"fit": logs})
    with pytest.raises(ValueError, match="no distribution can be made"):
        conditional.weights()
    with pytest.raises(ValueError, match="no distribution can be made"):
        conditional.draw(np.random.default_rng(0))


def test_draw_frequencies():
    expected = np.array([0.5, 0.0, 0.3, 0.2])
    with np.errstate(divide="ignore"):
        conditional = Conditional({"fit": np.log(expected).tolist()})
    rng, draws = np.random.default_rng(3), 40_000
    counts = np.bincount([conditional.draw(rng) for _ in range(draws)], minlength=4)
    assert counts[1] == 0
    # each count is binomial; beyond 5 standard deviations less than once in a million
    assert np.all(np.abs(counts - draws * expected) <= 5 * np.sqrt(draws * expected * (1 - expected)))


def test_a_uniform_number_picks_the_option():
    conditional = Conditional({"fit": [math.log(1), math.log(2), math.log(1)]})
    assert [conditional.pick(uniform) for uniform in (0.0, 0.24, 0.26, 0.74, 0.76)] == [0, 0, 1, 1, 2]
    for seed in range(20):
        assert conditional.draw(np.random.default_rng(seed)) == conditional.pick(np.random.default_rng(seed).random())


@pytest.mark.parametrize(("uniform", "option"), [(0.0, 1), (math.nextafter(1.0, 0.0), 2)])
def test_the_smallest_and_the_largest_number_never_pick_an_impossible_option(uniform, option):
    for weight in np.exp(-np.random.default_rng(0).exponential(size=200)).tolist():
        conditional = Conditional({"fit": [-math.inf, 0.0, math.log(weight), -math.inf]})
        assert conditional.pick(uniform) == option


def plain_sums(weights):
    """Return the running sums, added one by one with a rounding after each."""
    sums = [0.0]
    for weight in weights:
        sums.append(sums[-1] + weight)
    return sums[1:]


def test_numbers_a_rounding_error_from_an_end_pick_as_by_plain_addition():
    rng = np.random.default_rng(1)
    for _ in range(300):
        conditional = Conditional({"fit": rng.normal(size=12).tolist()})
        ends = plain_sums(conditional.weights())
        near = (np.array(ends[:-1]) / ends[-1])[:, None] * (1 + np.arange(-2, 3) * 2.0**-53)
        for uniform in near.ravel().tolist():
            assert conditional.pick(uniform) == next(k for k, end in enumerate(ends) if end > uniform * ends[-1])
