"""Imputing and corrupted categories, against sums over all that a row may have been."""

import math
from functools import cache
from itertools import product

import numpy as np
import pytest
from scipy import integrate, special

from samplers.generative.classifier import GenerativeModel
from samplers.generative.corrupted import flipped
from samplers.generative.features import Encoding, Feature
from samplers.generative.imputing import Imputation
from tests.samplers.exactness import check_frequencies, run, shares

FEATURES = (Feature("a"), Feature("b", ("no", "yes")), Feature("c", ("x", "y", "z")))
ENCODING = Encoding(FEATURES)
LEVELS = [(b, c) for b in range(2) for c in range(3)]
KEPT = 1_000  # draws, three sweeps apart


@cache
def classifier(by="posterior"):
    rng = np.random.default_rng(3)
    labels = rng.integers(2, size=20)
    values = np.column_stack([rng.standard_normal(20) + 2 * labels, rng.random(20) < 0.2 + 0.6 * labels, labels])
    values[:, 2] = np.where(rng.random(20) < 0.5, rng.integers(3, size=20), labels)
    model = GenerativeModel(ENCODING.prior(1.0, 1.0), 2, 1.0)
    rows = ENCODING.rows(values)
    return model.posterior(rows, labels).predictive() if by == "posterior" else model.plug_in(rows, labels)


def joint(by, a, b, c):
    """p(class, a, b, c) as a function of all of them."""
    return np.exp(classifier(by).log_joint(ENCODING.rows([[a, b, c]])))[0]


BY = pytest.mark.parametrize("by", ["posterior", "MAP"])


@BY
def test_class_and_missing_categories_have_their_exact_law(by):
    table = np.array([[*joint(by, 0.7, b, c)] for b, c in LEVELS])
    exact = (table / table.sum()).T.ravel()
    sampler = Imputation(classifier(by), ENCODING.rows([[0.7, math.nan, math.nan]])[0])
    states = run(sampler, KEPT, thin=3, seed=1)
    found = [(state.label, *ENCODING.values(state.row[None])[0, 1:].astype(int).tolist()) for state in states]
    check_frequencies(
        shares(found, [(k, *cell) for k in range(2) for cell in LEVELS]), exact, KEPT * 2 / 3, chance=1e-4
    )
    left_out = classifier(by).predict(ENCODING.rows([[0.7, math.nan, math.nan]]))[0]
    assert exact.reshape(2, -1).sum(axis=1) == pytest.approx(left_out), "to leave out is to sum over"


@BY
def test_a_missing_number_has_its_exact_mean(by):
    def integral(power, label):
        return integrate.quad(lambda a: a**power * joint(by, a, 1, 2)[label], -60, 60, points=[0, 2], limit=200)[0]

    whole = [integral(0, label) for label in range(2)]
    mean = sum(integral(1, label) for label in range(2)) / sum(whole)
    square = sum(integral(2, label) for label in range(2)) / sum(whole)
    states = run(Imputation(classifier(by), ENCODING.rows([[math.nan, 1, 2]])[0]), KEPT, thin=3, seed=2)
    error = math.sqrt((square - mean**2) / (KEPT / 2))
    assert np.mean([state.row[0] for state in states]) == pytest.approx(mean, abs=4 * error)
    share = whole[1] / sum(whole)
    allowed = 4 * math.sqrt(share * (1 - share) / (KEPT / 2))
    assert np.mean([state.label for state in states]) == pytest.approx(share, abs=allowed)


class Stale(Imputation):
    """Planted error: missing features are drawn by the class of the start."""

    def score(self, state, site):
        if isinstance(site, int):
            state = self.init(np.random.default_rng(0))
        return super().score(state, site)


def test_a_class_that_is_not_used_is_found():
    table = np.array([[*joint("posterior", 0.7, b, c)] for b, c in LEVELS])
    exact = (table / table.sum()).T.ravel()
    sampler = Stale(classifier(), ENCODING.rows([[0.7, math.nan, math.nan]])[0])
    found = [
        (state.label, *ENCODING.values(state.row[None])[0, 1:].astype(int).tolist())
        for state in run(sampler, KEPT, thin=3, seed=1)
    ]
    with pytest.raises(AssertionError, match="total variation"):
        check_frequencies(
            shares(found, [(k, *cell) for k in range(2) for cell in LEVELS]), exact, KEPT * 2 / 3, chance=1e-4
        )


def test_a_number_that_is_grouped_with_others_is_refused():
    encoding = Encoding((Feature("a"), Feature("b")), "whole")
    model = GenerativeModel(encoding.prior(1.0, 1.0), 2, 1.0)
    known = model.posterior(encoding.rows([[0.0, 1.0]]), [0]).predictive()
    with pytest.raises(ValueError, match="grouped with others"):
        Imputation(known, [math.nan, 1.0])
    with pytest.raises(ValueError, match="shape"):
        Imputation(known, [1.0])


# ---- categories that were recorded wrongly ---------------------------------------------------------------------------


@BY
@pytest.mark.parametrize("chance", [0.0, 0.1, 0.4])
def test_flipped_categories_are_summed_over(by, chance):
    """p(class, recorded) is the sum over what may have been true, each with the channel's probability."""

    def channel(recorded, true, levels):
        return 1 - chance if recorded == true else chance / (levels - 1)

    asked = flipped(classifier(by), chance)
    for b, c in LEVELS:
        terms = [
            joint(by, 0.3, tb, tc) * channel(b, tb, 2) * channel(c, tc, 3) for tb, tc in product(range(2), range(3))
        ]
        found = asked.log_joint(ENCODING.rows([[0.3, b, c]]))[0]
        assert found == pytest.approx(np.log(np.sum(terms, axis=0)), abs=1e-10)
        if chance:
            assert np.abs(special.softmax(found) - special.softmax(np.log(joint(by, 0.3, b, c)))).max() > 1e-4


def test_a_category_that_may_be_any_says_nothing():
    features = (Feature("b", ("no", "yes")),)
    model = GenerativeModel(Encoding(features).prior(1.0, 1.0), 2, 1.0)
    known = model.posterior([[1, 0], [0, 1], [0, 1]], [0, 1, 1]).predictive()
    assert flipped(known, 0.5).predict([[1, 0]])[0] == pytest.approx(np.exp(known.log_weights))
    for bad in (-0.1, 1.0, math.nan):
        with pytest.raises(ValueError, match="chance must be from 0 to below 1"):
            flipped(known, bad)
