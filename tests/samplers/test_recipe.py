import math

import numpy as np
import pytest

from samplers.recipe import Conditional


class Thrower:
    """Stands for a generator whose dart is known."""

    def __init__(self, dart):
        self.dart = dart

    def random(self):
        return self.dart


def test_terms_add_up_and_are_normalised():
    law = Conditional({"customers": [math.log(3), math.log(1)], "fit": [math.log(0.2), math.log(0.4)]})
    assert law.log_weights == pytest.approx([math.log(0.6), math.log(0.4)])
    assert law.probabilities == pytest.approx([0.6, 0.4])
    assert law.weights() == pytest.approx([1, 0.4 / 0.6])


def test_terms_of_unequal_length_are_refused():
    with pytest.raises(ValueError, match="shorter"):
        Conditional({"customers": [0.0, 0.0], "fit": [0.0]}).weights()


@pytest.mark.parametrize("shift", [-1e6, -800.0, 0.0, 800.0, 1e6])
def test_probabilities_do_not_depend_on_the_level_of_the_logs(shift):
    law = Conditional({"fit": [shift, shift + math.log(3)]})
    assert law.probabilities == pytest.approx([0.25, 0.75], rel=1e-9)


def test_extreme_log_weights():
    law = Conditional({"fit": [-1e308, 0.0, -math.inf, -800.0]})
    assert law.probabilities.tolist() == [0.0, 1.0, 0.0, 0.0]
    assert {law.draw(np.random.default_rng(seed)) for seed in range(50)} == {1}


@pytest.mark.parametrize(
    "logs", [[-math.inf, -math.inf], [math.nan, 0.0], [0.0, math.nan], [math.inf, 0.0], [0.0, math.inf]]
)
def test_what_is_no_distribution_is_refused(logs):
    law = Conditional({"fit": logs})
    with pytest.raises(ValueError, match="no distribution can be made"):
        law.weights()
    with pytest.raises(ValueError, match="no distribution can be made"):
        law.draw(np.random.default_rng(0))


def test_draw_frequencies():
    expected = np.array([0.5, 0.0, 0.3, 0.2])
    with np.errstate(divide="ignore"):
        law = Conditional({"fit": np.log(expected).tolist()})
    rng, draws = np.random.default_rng(3), 40_000
    counts = np.bincount([law.draw(rng) for _ in range(draws)], minlength=4)
    assert counts[1] == 0
    # each count is binomial; beyond 5 standard deviations less than once in a million
    assert np.all(np.abs(counts - draws * expected) <= 5 * np.sqrt(draws * expected * (1 - expected)))


def test_the_dart_is_recorded_and_picks_the_option():
    law = Conditional({"fit": [math.log(1), math.log(2), math.log(1)]})
    assert law.dart is None
    assert [law.draw(Thrower(dart)) for dart in (0.0, 0.24, 0.26, 0.74, 0.76)] == [0, 0, 1, 1, 2]
    assert law.dart == 0.76
    rng = np.random.default_rng(5)
    law.draw(rng)
    assert law.dart == np.random.default_rng(5).random()


@pytest.mark.parametrize(("dart", "option"), [(0.0, 1), (1.0, 2)])
def test_a_dart_on_the_rim_never_hits_an_impossible_option(dart, option):
    # a generator never returns 1.0, but dart times sum may round up to the sum
    law = Conditional({"fit": [-math.inf, 0.0, 0.0, -math.inf]})
    assert law.draw(Thrower(dart)) == option
