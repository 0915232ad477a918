"""Posteriors on a plane: the densities of the models whose labels are summed out, and the margins of all labellings."""

import numpy as np
import pytest

from samplers.conjugate import NormalKnownVariance
from samplers.gradient.gaussian_marginal import GaussianMarginal
from samplers.gradient.naive_bayes_marginal import NaiveBayesMarginal
from samplers.gradient.nuts import NUTS
from samplers.gradient.posterior_planes import POSTERIOR_PLANES, PRIZE, SIX_MESSAGES, SPREAD, TEN_POINTS
from samplers.mixtures.exact_labellings import exact_finite_mixture, exact_naive_bayes
from tests.samplers.gradient.draws import draws_of

MEANS, WORD = POSTERIOR_PLANES["two means"], POSTERIOR_PLANES["a word"]
PLACES = np.random.default_rng(4).uniform([-9, -9], [4, 4], (12, 2))


def test_two_means_have_the_density_of_the_model_over_its_evidence():
    model = GaussianMarginal(TEN_POINTS, 2, mean_prior=(0.0, SPREAD), scale=1.0)
    for place in PLACES:
        value, gradient = MEANS.log_density_and_gradient(place)
        wanted, slopes = model.log_density_and_gradient(place)
        assert value + MEANS.log_evidence == pytest.approx(wanted, rel=1e-12)
        assert gradient == pytest.approx(slopes, rel=1e-11)


def test_labellings_of_points_weigh_as_they_are_listed_elsewhere():
    listed = exact_finite_mixture(TEN_POINTS, NormalKnownVariance(0.0, SPREAD**2, 1.0), 2, 1e6)
    assert sorted(MEANS.mixture.values()) == pytest.approx(sorted(listed.probabilities), rel=2e-4)


def test_the_word_is_the_marginal_of_naive_bayes():
    listed = exact_naive_bayes(SIX_MESSAGES, 2, 1.0, 1.0)
    counts = np.array(SIX_MESSAGES)
    found = {}
    for labels, chance in zip(listed.labellings, listed.probabilities, strict=True):
        key = tuple(
            (1.0 + own[:, PRIZE].sum(), 9.0 + np.delete(own, PRIZE, axis=1).sum())
            for own in (counts[labels == 0], counts[labels == 1])
        )
        found[key] = found.get(key, 0.0) + chance
    assert {tuple(map(tuple, pair)): weight for pair, weight in WORD.mixture.items()} == pytest.approx(found, rel=1e-12)
    assert WORD.log_evidence == pytest.approx(np.logaddexp.reduce(listed.log_joint), abs=1e-10)


def test_nuts_on_the_whole_program_has_this_margin():
    """29 numbers less 10: theta and all phi are sampled, and the log odds of one word are looked at."""
    model = NaiveBayesMarginal(SIX_MESSAGES, 2, 1.0, 1.0)
    sampler, rng, odds = NUTS(model, warmup=100), np.random.default_rng(5), []
    state = sampler.init(rng)
    for t in range(700):
        state, _ = sampler.step(state, rng)
        phi = model.constrain(state.position).word_probs[:, PRIZE]
        odds += [np.sort(np.log(phi) - np.log1p(-phi))] * (t >= 100)
    exact = np.sort(draws_of(WORD, np.random.default_rng(6), 20_000), axis=1)  # sorted, as names are traded rarely
    assert np.mean(odds, axis=0) == pytest.approx(exact.mean(axis=0), abs=0.25)
    assert np.std(odds, axis=0) == pytest.approx(exact.std(axis=0), rel=0.25)


@pytest.mark.parametrize("name", POSTERIOR_PLANES)
def test_a_picture_of_the_density_is_the_density_and_names_can_be_traded(name):
    target = POSTERIOR_PLANES[name]
    x, y = np.meshgrid(np.linspace(-5, 2, 6), np.linspace(-4, 3, 5))
    heights = [target.log_density(np.array(place)) for place in zip(x.ravel(), y.ravel(), strict=True)]
    assert target.log_densities(x, y).ravel() == pytest.approx(heights, rel=1e-9)
    for place in PLACES:
        assert target.log_density(place) == pytest.approx(target.log_density(place[::-1]), rel=1e-12)
    value, gradient = target.log_density_and_gradient(np.array([np.inf, 0.0]))
    assert value == -np.inf
    assert np.isnan(gradient).all()
