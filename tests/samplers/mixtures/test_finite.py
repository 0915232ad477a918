"""The finite mixture against every labelling of a few points, and by Geweke's joint test."""

import math

import numpy as np
import pytest
from scipy import stats

from samplers.chain import Chain
from samplers.conjugate import (
    DirichletMultinomial,
    Multinomial,
    Normal,
    NormalInverseGamma,
    NormalInverseWishart,
    NormalKnownVariance,
)
from samplers.enumerated import stationary
from samplers.mixtures.exact_labellings import exact_finite_mixture
from samplers.mixtures.finite import FiniteMixture, nearest_seed
from samplers.recipe import updates
from tests.samplers.mixtures.geweke_labels import Points, z_scores
from tests.samplers.mixtures.labellings import check_log_joint, check_run, label_matrix, with_blocks

LINE = [-1.0, 0.1, 0.6, 1.5]
PLANE = [[0.0, 1.0], [0.3, 0.4], [1.5, 2.0], [2.6, 0.2]]
COUNTS = [[2, 1, 0], [1, 2, 0], [0, 1, 2], [1, 0, 2]]
KNOWN = NormalKnownVariance(0.0, 4.0, 0.5)
MODELS = {
    "known variance": (KNOWN, LINE),
    "known variance, plane": (NormalKnownVariance([0.0, 1.0], 2.0, 0.7), PLANE),
    "normal-inverse-gamma": (NormalInverseGamma(0.2, 0.3, 2.0, 0.6), LINE),
    "normal-inverse-Wishart": (NormalInverseWishart([0.0, 0.0], 0.3, 3.5, [[1.0, 0.4], [0.4, 1.0]]), PLANE),
    "Dirichlet-multinomial": (DirichletMultinomial([1.5, 2.0, 1.0]), COUNTS),
}
every_model = pytest.mark.parametrize(("family", "data"), MODELS.values(), ids=MODELS.keys())
collapsed_or_not = pytest.mark.parametrize("collapsed", [True, False], ids=["collapsed", "uncollapsed"])
PRIOR = [1.0, 1.7]


@collapsed_or_not
@pytest.mark.parametrize(
    ("family", "data"),
    [
        (NormalKnownVariance(0.0, 1.0, 2.0), LINE[1:]),
        (DirichletMultinomial([2.3, 2.0]), [[1, 1], [0, 2], [2, 0]]),
    ],
    ids=["known variance", "Dirichlet-multinomial"],
)
def test_the_labels_end_up_with_their_exact_law(family, data, collapsed):
    """No chance: every label by every option, and blocks by Gaussian quadrature with eight values for each number."""
    truth = exact_finite_mixture(data, family, 2, [2.0, 1.7])
    matrix = label_matrix(FiniteMixture(data, family, 2, [2.0, 1.7], collapsed), truth.labellings, 8)
    distance = np.abs(stationary(matrix) - truth.probabilities).sum() / 2
    assert distance < (1e-12 if collapsed else 2e-5)


@every_model
@collapsed_or_not
def test_a_long_run_is_as_near_the_truth_as_chance_allows(family, data, collapsed):
    truth = exact_finite_mixture(data, family, 2, PRIOR)
    check_run(FiniteMixture(data, family, 2, PRIOR, collapsed), truth, kept=1_000, seed=1)


@every_model
@collapsed_or_not
def test_the_joint_test_of_geweke(family, data, collapsed):
    """About 150 z-scores in all: beyond 4 by chance less than once in 100 choices of seeds."""
    assert np.abs(z_scores(Points(family, collapsed), iterations=1_000, seed=3)).max() < 4


@every_model
@collapsed_or_not
def test_log_joint_drops_nothing(family, data, collapsed):
    truth = exact_finite_mixture(data, family, 3, [1.0, 1.7, 0.4])
    check_log_joint(FiniteMixture(data, family, 3, [1.0, 1.7, 0.4], collapsed), truth)


def test_densities_are_those_of_scipy():
    mean, covariance = np.array([0.4, 1.0]), np.array([[1.3, 0.4], [0.4, 0.9]])
    normal = Normal(mean, covariance)
    expected = stats.multivariate_normal(mean, covariance).logpdf(PLANE)
    assert normal.log_density(np.array(PLANE)) == pytest.approx(expected, rel=1e-12)
    wishart = MODELS["normal-inverse-Wishart"][0]
    expected = stats.multivariate_normal(wishart.mean, covariance / 0.3).logpdf(mean)
    expected += stats.invwishart(3.5, wishart.scale).logpdf(covariance)
    assert wishart.log_density_of(normal) == pytest.approx(expected, rel=1e-12)
    expected = stats.norm(0.2, math.sqrt(0.8 / 0.3)).logpdf(0.5) + stats.invgamma(2.0, scale=0.6).logpdf(0.8)
    on_a_line = Normal(np.array([0.5]), np.array([[0.8]]))
    gamma = MODELS["normal-inverse-gamma"][0]
    assert gamma.log_density_of(on_a_line) == pytest.approx(expected, rel=1e-12)
    assert KNOWN.log_density_of(on_a_line) == pytest.approx(stats.norm(0, 2).logpdf(0.5), rel=1e-12)
    words = Multinomial(np.array([0.2, 0.5, 0.3]))
    expected = [float(stats.multinomial(sum(row), words.probabilities).logpmf(row)) for row in COUNTS]
    assert words.log_density(np.array(COUNTS)) == pytest.approx(expected, rel=1e-12)
    counts = DirichletMultinomial([0.5, 1.0, 0.3])
    expected = stats.dirichlet([0.5, 1.0, 0.3]).logpdf(words.probabilities)
    assert counts.log_density_of(words) == pytest.approx(expected, rel=1e-12)
    assert math.isfinite(counts.log_density_of(Multinomial(np.array([0.0, 0.5, 0.5]))))


def test_the_terms_of_one_update():
    """Point 1 of three, out: one other in each of two components; fits by hand."""
    collapsed = FiniteMixture([-1.0, 0.0, 2.0], KNOWN, 3, [0.7, 0.2, 0.1])
    state = collapsed.state([0, 1, 1])
    collapsed.forget(state, 1)
    assert state.counts == [1, 1, 0]
    law = collapsed.score(state, 1)
    assert law.terms["points already there"] == pytest.approx(np.log([1.7, 1.2, 0.1]))
    # one point at x: posterior mean x * 8 / 9 and variance 4 / 9
    there = [stats.norm.logpdf(0.0, x * 8 / 9, math.sqrt(0.5 + 4 / 9)) for x in (-1.0, 2.0)]
    assert law.terms["fit"] == pytest.approx([*there, stats.norm.logpdf(0.0, 0.0, math.sqrt(4.5))])
    collapsed.remember(state, 1, 2)
    assert (state.labels, state.counts) == ([0, 2, 1], [1, 1, 1])
    assert [cluster.count for cluster in state.clusters] == [1, 1, 1]

    uncollapsed = FiniteMixture([-1.0, 0.0, 2.0], KNOWN, 2, 1.0, collapsed=False)
    means = [Normal(np.array([mean]), np.array([[0.5]])) for mean in (-1.0, 3.0)]
    state = with_blocks(uncollapsed, [0, 1, 1], {"weights": np.log([0.4, 0.6]), "parameters": means})
    uncollapsed.forget(state, 1)
    law = uncollapsed.score(state, 1)
    assert law.terms["weight"] == pytest.approx(np.log([0.4, 0.6]))
    assert law.terms["fit"] == pytest.approx(stats.norm([-1.0, 3.0], math.sqrt(0.5)).logpdf(0.0))
    assert state.weights == pytest.approx([0.4, 0.6])


def test_a_sweep_visits_the_labels_and_then_the_blocks():
    sampler = FiniteMixture(LINE, KNOWN, 2, 1.0, collapsed=False)
    state = sampler.init(np.random.default_rng(0))
    seen = list(updates(sampler, state, np.random.default_rng(1)))
    assert [update.site for update in seen] == [0, 1, 2, 3, "weights", "parameters"]
    assert seen[4].value.tolist() == state.log_weights
    assert seen[5].value is state.parameters
    assert not state.clusters


def test_typical_parameters_stand_in_for_those_that_are_not_given():
    state = FiniteMixture([1.0, 2.0], KNOWN, 2, 1.0, collapsed=False).state([0, 0])
    assert [law.mean[0] for law in state.parameters] == pytest.approx([1.5 * 16 / 17, 0.0])
    assert state.weights == pytest.approx([0.75, 0.25])


def test_starts():
    data = np.concatenate([np.random.default_rng(0).normal(centre, 0.1, 20) for centre in (-9, 0, 9)])
    rng = np.random.default_rng(0)
    assert set(FiniteMixture(data, KNOWN, 3, 1.0, start="together").init(rng).labels) == {0}
    scattered = FiniteMixture(data, KNOWN, 3, 1.0).init(rng)
    assert min(scattered.counts) > 8  # binomial(60, 1/3): less than once in a thousand seeds
    found = [FiniteMixture(data, KNOWN, 3, 1.0, start="k-means++").init(rng) for _ in range(50)]
    assert sum(state.counts == [20, 20, 20] for state in found) == 50
    assert all(len(set(state.labels[:20])) == 1 for state in found)


def test_seeds_are_drawn_by_their_squared_distance():
    """Of 0, 1 and 3 the second seed after 0 is 3 with probability 9 / 10, after 1 with 4 / 5; after 3 all is one."""
    data, rng = np.array([[0.0], [1.0], [3.0]]), np.random.default_rng(0)
    draws = [tuple(nearest_seed(data, 2, rng).tolist()) for _ in range(6_000)]
    expected = {(0, 0, 1): (0.9 + 0.8) / 3, (0, 1, 1): 0.1 / 3, (1, 0, 0): 0.2 / 3, (1, 1, 0): 1 / 3}
    for labels, p in expected.items():
        assert abs(draws.count(labels) / 6_000 - p) < 4.5 * math.sqrt(p * (1 - p) / 6_000)  # by chance once in 10^5


def test_fewer_places_than_seeds():
    labels = nearest_seed(np.ones((4, 2)), 3, np.random.default_rng(0))
    assert labels.tolist() == [0, 0, 0, 0]
    assert FiniteMixture([1.0, 1.0], KNOWN, 3, 1.0, start="k-means++").init(np.random.default_rng(0)).counts == [
        2,
        0,
        0,
    ]


@collapsed_or_not
def test_one_component(collapsed):
    sampler = FiniteMixture(LINE, KNOWN, 1, 2.0, collapsed)
    state = Chain(sampler, seed=0)[3]
    assert state.labels == [0, 0, 0, 0]
    assert math.isfinite(sampler.log_joint(state))


@collapsed_or_not
def test_a_component_that_empties_comes_back(collapsed):
    sampler = FiniteMixture([0.0, 0.2], KNOWN, 2, 1.0, collapsed, start="together")
    state, rng = sampler.init(np.random.default_rng(0)), np.random.default_rng(1)
    seen = set()
    for _ in range(200):
        state, _ = sampler.step(state, rng)
        seen.add(tuple(state.counts))
    assert seen == {(2, 0), (1, 1), (0, 2)}


def test_statistics_do_not_drift_in_a_long_run():
    data = np.random.default_rng(0).normal(size=(30, 2)) * [3, 1] + [50, -20]
    sampler = FiniteMixture(data, NormalInverseWishart([50, -20], 0.1, 4, np.eye(2)), 3, 1.0)
    state, rng = sampler.init(np.random.default_rng(0)), np.random.default_rng(1)
    for _ in range(300):
        list(updates(sampler, state, rng))
    assert state.counts == [cluster.count for cluster in state.clusters]
    assert sampler.log_joint(state) == pytest.approx(sampler.log_joint(sampler.state(state.labels)), rel=1e-10)


@every_model
def test_a_component_that_has_emptied_is_as_new(family, data):
    sampler = FiniteMixture(data, family, 2, 1.0)
    state = sampler.state([0, 0, 1, 1])
    for point in (0, 1):
        sampler.forget(state, point)
        sampler.remember(state, point, 1)
    sampler.forget(state, 0)
    assert sampler.score(state, 0).terms["fit"][0] == family.cluster(capacity=4).log_predictive(
        family.observations(data)[0]
    )


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: FiniteMixture([], KNOWN, 2, 1.0), "data must hold at least one point"),
        (lambda: FiniteMixture(PLANE, KNOWN, 2, 1.0), r"shape \(n, 1\), got \(4, 2\)"),
        (lambda: FiniteMixture(LINE, KNOWN, 0, 1.0), "components must be 1 or more, got 0"),
        (lambda: FiniteMixture(LINE, KNOWN, 2, 0.0), "class_prior must be a number > 0, or 2 of them"),
        (lambda: FiniteMixture(LINE, KNOWN, 2, [1, 1, 1]), "class_prior must be a number > 0, or 2 of them"),
        (lambda: FiniteMixture(LINE, KNOWN, 2, 1.0, start="apart"), "start must be 'random', 'together', 'k-means"),
        (lambda: FiniteMixture(LINE, KNOWN, 2, 1.0).state([0, 0, 1]), "assignments must be 4 classes below 2"),
        (lambda: FiniteMixture(LINE, KNOWN, 2, 1.0).state([0, 0, 1, 2]), "assignments must be 4 classes below 2"),
    ],
)
def test_what_makes_no_sense_is_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_data_are_copied_and_cannot_change():
    data = np.array(LINE)
    sampler = FiniteMixture(data, KNOWN, 2, 1.0)
    data[0] = 99.0
    assert sampler.data[0] == -1.0
    with pytest.raises(ValueError, match="read-only"):
        sampler.data[0] = 1.0
