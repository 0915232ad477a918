"""Neal's Algorithm 8 against every partition, whose marginal likelihoods are integrals, and Geweke's joint test."""

import math

import numpy as np
import pytest
from scipy import integrate, stats

from samplers.data.blobs import DATASETS
from samplers.diagnostics.convergence import partition_ids
from samplers.jumps.auxiliary import AUXILIARY, AuxiliaryTables
from samplers.jumps.laplace_means import LaplaceMeans, exact_posterior
from samplers.jumps.tables import MEANS
from samplers.jumps.wrong import WRONG_AUXILIARY
from samplers.partitions import partitions
from samplers.recipe import updates
from tests.samplers.exactness import check_frequencies, run
from tests.samplers.geweke import compare, seating, statistics

SEVEN = DATASETS["seven_points"](7, 1).data
FAMILY = LaplaceMeans(0.2, 1.5, 0.5)
PLANE = LaplaceMeans([0.0, 1.0], 1.2, 0.7)
FOUR = [[0.0, 1.0], [0.3, 0.4], [1.5, 2.0], [3.0, 1.0]]
Fresh = WRONG_AUXILIARY["fresh for a lone point"]


@pytest.mark.parametrize("values", [[0.2], [-3.0, -2.0], [0.1, 0.3, 4.0], [25.0]])
def test_the_marginal_likelihood_is_the_integral(values):
    def joint(mean):
        density = stats.norm.pdf(values, mean, math.sqrt(0.5)).prod()
        return density * stats.laplace.pdf(mean, 0.2, 1.5)

    middle = float(np.mean(values))
    total, _ = integrate.quad(joint, middle - 9, middle + 9, points=[0.2, middle], epsabs=0, epsrel=1e-11, limit=200)
    assert FAMILY.log_marginal(np.array(values)[:, None]) == pytest.approx(math.log(total), abs=1e-8)


def test_coordinates_are_independent():
    rows = np.array(FOUR)
    parts = [LaplaceMeans(centre, 1.2, 0.7).log_marginal(rows[:, [axis]]) for axis, centre in enumerate((0.0, 1.0))]
    assert PLANE.log_marginal(rows) == pytest.approx(sum(parts), rel=1e-12)


def test_the_prior_predictive_is_the_marginal_of_one_point():
    places = np.array([[0.0, 1.0], [2.0, 1.0], [-1.0, 4.0]])
    assert np.log(PLANE.density(places)) == pytest.approx([PLANE.log_marginal(row[None]) for row in places])


def found(sampler, kept, seed):
    """How often each partition comes, in states two sweeps apart."""
    labels = [state.labels for state in run(sampler, kept, thin=2, seed=seed)]
    return np.bincount(partition_ids(labels), minlength=len(partitions(len(labels[0])))) / kept


@pytest.mark.parametrize("tables", [1, 3])
def test_a_long_run_has_the_posterior_of_seven_points(tables):
    """Total variation over 877 partitions in 2,000 states, counted as 667: a mean changes its place slowly."""
    truth = exact_posterior(SEVEN, FAMILY, 1.0).probabilities
    shares = found(AuxiliaryTables(SEVEN, FAMILY, 1.0, tables), 2_000, seed=1)
    check_frequencies(shares, truth, 2_000 / 3, chance=1e-4)


def test_a_long_run_in_the_plane_has_the_posterior_and_the_wrong_rule_has_not():
    truth = exact_posterior(FOUR, PLANE, 1.0).probabilities
    check_frequencies(found(AuxiliaryTables(FOUR, PLANE, 1.0, 2), 2_000, 2), truth, 1_000, chance=1e-4)
    with pytest.raises(AssertionError, match="total variation"):
        check_frequencies(found(Fresh(FOUR, PLANE, 1.0, 2), 2_000, 2), truth, 1_000, chance=1e-4)


def z_scores(rule, iterations, tables, seed):
    """The joint test: means and auxiliary tables move along with the labels."""
    rng = np.random.default_rng(seed)

    def new(labels, means):
        noise = math.sqrt(FAMILY.variance) * rng.standard_normal((len(labels), 1))
        return np.array([means[label] for label in labels]) + noise

    def from_the_top():
        labels = seating(4, 1.0, rng)
        tables = sorted(set(labels.tolist()))
        means = dict(zip(tables, FAMILY.draw(rng, len(tables)), strict=True))
        return new(labels, means), labels, means

    def move(data, labels, means):
        sampler = rule(data, FAMILY, 1.0, tables)
        state = sampler.init(rng)
        state = sampler.state(labels, state.auxiliary)
        state.means = {table: means[table] for table in state.means}
        list(updates(sampler, state, rng))
        labels, means = state.assignments, dict(state.means)
        return (data, labels, means), (new(labels, means), labels, means)

    def seen(data, labels, _):
        return statistics(data, labels, [1.0] * len(data))

    return compare(from_the_top, move, seen, iterations)


@pytest.mark.parametrize("tables", [1, 3])
def test_the_joint_test_of_geweke(tables):
    """Eight z-scores each: beyond 4 by chance less than once in a thousand choices of seeds."""
    assert np.abs(z_scores(AuxiliaryTables, 2_000, tables, 3)).max() < 4


def test_the_wrong_rule_fails_the_joint_test():
    assert np.abs(z_scores(Fresh, 2_000, 1, 3)).max() > 4


def test_the_terms_of_one_update():
    """Point 2 sat alone: its table is the first auxiliary one, and all three share the concentration."""
    sampler = AuxiliaryTables([-1.0, 0.5, 2.0], FAMILY, 0.6, 3)
    state = sampler.state([0, 0, 4], [[(1.0,), (2.0,), (3.0,)]] * 3)
    sampler.forget(state, 2)
    assert (state.tables, state.lifted, state.lone) == ([0], 2, (2.0,))
    conditional = sampler.score(state, 2)
    assert np.exp(conditional.terms["customers already there"]) == pytest.approx([2, 0.2, 0.2, 0.2])
    fits = [stats.norm.logpdf(2.0, mean, math.sqrt(0.5)) for mean in (-0.25, 2.0, 2.0, 3.0)]
    assert conditional.terms["fit"] == pytest.approx(fits)
    sampler.remember(state, 2, 3)
    assert (state.labels, state.means[4], state.counts) == ([0, 0, 4], (3.0,), [2, 1])


def test_means_are_moved_by_their_posterior():
    """Ratios of the means' conditional are ratios of the joint; and kept for long, they have the posterior."""
    sampler = AuxiliaryTables(SEVEN, FAMILY, 1.0)
    state = sampler.init(np.random.default_rng(0))
    assert list(sampler.sites(state))[-2:] == [MEANS, AUXILIARY]
    conditional, draws, rng = sampler.score(state, MEANS), [], np.random.default_rng(1)
    before, value = sampler.log_joint(state), {0: (0.4,)}
    expected = conditional.log_density(value) - conditional.log_density(state.means)
    for step in range(4_000):
        drawn = sampler.score(state, MEANS).draw(rng)
        if not step:
            moved = state.copy()
            sampler.remember(moved, MEANS, value)
            assert sampler.log_joint(moved) - before == pytest.approx(expected)
        sampler.remember(state, MEANS, drawn)
        draws.append(drawn[0][0])
    places = np.linspace(-2, 2, 4_001)
    density = np.exp([conditional.log_density({0: (place,)}) - expected for place in places])
    mean = (places * density).sum() / density.sum()
    batches = np.array(draws).reshape(40, -1).mean(axis=1)
    assert abs(batches.mean() - mean) < 4 * batches.std(ddof=1) / math.sqrt(40), "4 standard errors: once in 10,000"


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: AuxiliaryTables([], FAMILY, 1.0), "at least one point"),
        (lambda: AuxiliaryTables(SEVEN, FAMILY, 0.0), "concentration must be finite and > 0"),
        (lambda: AuxiliaryTables(SEVEN, FAMILY, 1.0, 0), "tables must be 1 or more, got 0"),
        (lambda: AuxiliaryTables(SEVEN, FAMILY, 1.0, start="random"), "start must be"),
        (lambda: LaplaceMeans(0.0, 0.0, 1.0), "scale must be finite and > 0"),
    ],
)
def test_what_makes_no_sense_is_rejected(make, message):
    with pytest.raises(ValueError, match=message):
        make()
