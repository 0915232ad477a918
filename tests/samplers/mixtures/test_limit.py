"""The finite mixture with pseudo-counts α/K against a listing of all labellings, and against its limit."""

import numpy as np
import pytest

from samplers.conjugate import NormalInverseGamma, NormalKnownVariance
from samplers.crp.exact_partitions import exact_posterior
from samplers.crp.facts import table_count_moments
from samplers.diagnostics.convergence import error_to_truth, noise_floor, partition_ids
from samplers.diagnostics.label_switching import without_names
from samplers.mixtures.exact_labellings import exact_finite_mixture
from samplers.mixtures.finite import FiniteMixture
from samplers.mixtures.limit import exact_finite, in_use

POINTS = [-1.2, -0.4, 0.3, 1.9, 2.4]
FAMILY = NormalKnownVariance(0.0, 4.0, 0.5)


def apart(some, others) -> float:
    return float(np.abs(some.probabilities - others.probabilities).sum() / 2)


@pytest.mark.parametrize("family", [FAMILY, NormalInverseGamma(0.0, 0.3, 2.0, 0.6)], ids=["known", "unknown"])
@pytest.mark.parametrize("components", [1, 2, 4])
def test_it_is_what_all_labellings_add_up_to(family, components):
    found = exact_finite(POINTS, family, components, 1.3)
    listed = without_names(exact_finite_mixture(POINTS, family, components, 1.3 / components))
    assert found.probabilities == pytest.approx(listed.probabilities, abs=1e-12)
    assert found.log_evidence == pytest.approx(listed.log_evidence, rel=1e-12)
    assert found.table_counts[components + 1 :].sum() == 0


def test_it_comes_near_to_the_crp_as_one_over_k():
    limit = exact_posterior(POINTS, FAMILY, 1.3)
    distance = {k: apart(exact_finite(POINTS, FAMILY, k, 1.3), limit) for k in (100, 200, 100_000)}
    assert distance[100] / distance[200] == pytest.approx(2, rel=0.05)
    assert distance[100_000] < 1e-4


def test_with_the_same_pseudo_count_for_any_k_it_does_not():
    """Planted error: a = 1 in place of α/K."""
    limit = exact_posterior(POINTS, FAMILY, 1.0)
    assert apart(exact_finite(POINTS, FAMILY, 100, 100.0), limit) > 0.5


@pytest.mark.parametrize("components", [2, 20])
def test_the_sampler_visits_clusterings_as_often(components):
    """4,000 sweeps, and twice the noise of as many independent draws; with K = 2 the limit is far beyond that."""
    sampler = FiniteMixture(POINTS, FAMILY, components, 1.3 / components)
    rng = np.random.default_rng(1)
    state, labels = sampler.init(rng), []
    for _ in range(4_000):
        state, _ = sampler.step(state, rng)
        labels.append(state.labels)
    law = exact_finite(POINTS, FAMILY, components, 1.3).probabilities
    error = error_to_truth(partition_ids(labels), law, 4_000)
    assert error < 2 * noise_floor(law, 4_000)
    if components == 2:
        assert error_to_truth(partition_ids(labels), exact_posterior(POINTS, FAMILY, 1.3).probabilities, 4_000) > 0.3


def test_how_many_are_in_use_before_a_look():
    flat = NormalKnownVariance(0.0, 1e-12, 1.0)  # every cluster is alike, so that points tell nothing
    for components in (2, 5):
        exact = exact_finite(np.zeros(6), flat, components, 0.8)
        assert in_use(6, 0.8, components) == pytest.approx(exact.table_counts, abs=1e-9)
    assert in_use(60, 2.0) @ np.arange(61) == pytest.approx(table_count_moments(60, 2.0)[0][-1], rel=1e-12)
    assert in_use(60, 2.0, 10**9) == pytest.approx(in_use(60, 2.0), abs=1e-6)
    assert in_use(60, 2.0, 3)[4:].sum() == 0


def test_what_cannot_be_is_refused():
    with pytest.raises(ValueError, match="components must be 1 or more"):
        exact_finite(POINTS, FAMILY, 0, 1.0)
    with pytest.raises(ValueError, match="concentration must be finite"):
        in_use(5, 0.0)
