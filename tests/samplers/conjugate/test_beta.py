"""The Beta distribution against SciPy's, and the posterior against quadrature."""

import numpy as np
import pytest
from scipy import integrate, stats

from samplers.conjugate.beta import Beta

PAIRS = [(1, 1), (0.5, 0.5), (14, 8), (1, 20), (33, 27.5)]
every_pair = pytest.mark.parametrize(("a", "b"), PAIRS)


@every_pair
def test_the_distribution_is_scipys(a, b):
    ours, theirs = Beta(a, b), stats.beta(a, b)
    theta = np.linspace(0.01, 0.99, 25)
    np.testing.assert_allclose(ours.log_density(theta), theirs.logpdf(theta), rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(ours.below(theta), theirs.cdf(theta), rtol=1e-12)
    assert ours.mean == pytest.approx(theirs.mean())
    assert ours.deviation == pytest.approx(theirs.std())
    assert [ours.quantile(p) for p in (0.1, 0.5, 0.9)] == pytest.approx(theirs.ppf([0.1, 0.5, 0.9]))
    assert np.isneginf(ours.log_density([-0.1, 1.1])).all()


def test_the_posterior_is_prior_times_likelihood():
    prior, heads, tails = Beta(2, 3.5), 5, 2
    posterior = prior.given(heads, tails)

    def joint(theta):
        return np.exp(prior.log_density(theta)) * theta**heads * (1 - theta) ** tails

    evidence = integrate.quad(joint, 0, 1)[0]
    theta = np.linspace(0.05, 0.95, 7)
    np.testing.assert_allclose(np.exp(posterior.log_density(theta)), joint(theta) / evidence, rtol=1e-9)
    predictive = integrate.quad(lambda t: t * joint(t), 0, 1)[0] / evidence
    assert posterior.mean == pytest.approx(predictive)


@pytest.mark.parametrize(("a", "b"), [(0, 1), (1, np.inf)])
def test_what_is_out_of_range_is_refused(a, b):
    with pytest.raises(ValueError, match=r"must be finite"):
        Beta(a, b)
