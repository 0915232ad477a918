"""Features as columns and back, and the prior that goes with them."""

import numpy as np
import pytest

from samplers.generative.features import Encoding, Feature

FEATURES = (Feature("a"), Feature("b", ("x", "y", "z")), Feature("c"), Feature("d", ("no", "yes")), Feature("e"))
VALUES = np.array([[1.5, 2, 0.5, 1, -1.0], [np.nan, np.nan, 2.0, 0, 3.0], [0.0, 0, np.nan, np.nan, np.nan]])


@pytest.mark.parametrize("grouping", ["naive", "pairs", "whole"])
def test_values_come_back_from_their_columns(grouping):
    encoding = Encoding(FEATURES, grouping)
    rows = encoding.rows(VALUES)
    assert rows.shape == (3, 8)
    np.testing.assert_array_equal(encoding.values(rows), VALUES)
    assert sorted(encoding.columns(range(5))) == list(range(8))
    for place in range(5):
        alone = encoding.rows(VALUES)[:, encoding.columns([place])]
        np.testing.assert_array_equal(Encoding((FEATURES[place],)).rows(VALUES[:, [place]]), alone)
    assert encoding.prior(2.0, 0.5).dimension == 8
    encoding.prior(2.0, 0.5).rows(rows)


def test_numbers_that_are_taken_together_stand_together():
    assert Encoding(FEATURES, "naive").groups == ((0,), (2,), (4,), (1,), (3,))
    assert Encoding(FEATURES, "pairs").groups == ((0, 2), (4,), (1,), (3,))
    assert Encoding(FEATURES, "whole").groups == ((0, 2, 4), (1,), (3,))
    assert Encoding(FEATURES[1:2], "whole").groups == ((0,),)
    assert Encoding(FEATURES, "pairs").columns([1, 2]) == [1, 3, 4, 5]


def test_alone_a_number_has_the_same_prior_in_every_group():
    grid = np.linspace(-4, 4, 9)
    (alone,) = Encoding(FEATURES[:1]).prior(1.5, 1).families
    whole = Encoding(FEATURES, "whole").prior(1.5, 1).families[0]
    assert whole.marginal([2]).log_density(grid) == pytest.approx(alone.log_density(grid), rel=1e-12)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Encoding(FEATURES, "some"), "grouping must be one of naive, pairs, whole, got 'some'"),
        (lambda: Encoding(FEATURES).rows([[1.0, 2.0]]), r"shape \(n, 5\), got \(1, 2\)"),
        (lambda: Encoding(FEATURES).rows([[0, 3, 0, 0, 0]]), "b must be a category below 3, got 3"),
        (lambda: Encoding(FEATURES).rows([[0, 0, 0, 0.5, 0]]), "d must be a category below 2, got 0.5"),
        (lambda: Encoding(FEATURES).prior(0, 1), "points must be finite and > 0"),
        (lambda: Encoding(FEATURES).prior(1, -1), "pseudo_count must be finite and > 0"),
    ],
)
def test_what_makes_no_sense_is_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()
