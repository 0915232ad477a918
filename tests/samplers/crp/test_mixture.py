"""The CRP mixture against every partition of a few points, and by Geweke's joint test."""

import math

import numpy as np
import pytest
from scipy import integrate, stats

from samplers.conjugate import NormalInverseWishart
from samplers.crp.exact_partitions import exact_posterior
from samplers.crp.facts import table_count_pmf
from samplers.crp.mixture import ConcentrationConditional, CRPMixture, co_clustering
from samplers.diagnostics.convergence import partition_ids
from samplers.recipe import updates
from tests.samplers.exactness import check_frequencies, run
from tests.samplers.geweke import z_scores
from tests.samplers.models import LINE, MODELS, PLANE

every_model = pytest.mark.parametrize(("family", "data"), MODELS.values(), ids=MODELS.keys())
KNOWN = MODELS["known variance"][0]
WIDEST = MODELS["normal-inverse-Wishart"]
# A family and a prior of the concentration never meet: one that is redrawn is enough, with the family that has most.
each_way = pytest.mark.parametrize(
    ("family", "data", "prior"),
    [*((*model, None) for model in MODELS.values()), (*WIDEST, (2.0, 1.5))],
    ids=[*MODELS, "Gamma concentration"],
)


@each_way
def test_a_long_run_is_as_near_the_truth_as_chance_allows(family, data, prior):
    """Total variation to the exact posterior of all 52 partitions, in 3,000 states four sweeps apart.

    What dependence is left after four sweeps is allowed for by counting three states as two.
    """
    truth = exact_posterior(data, family, None if prior else 1.2, concentration_prior=prior)
    states = run(CRPMixture(data, family, 1.2, concentration_prior=prior), 3_000, thin=4, seed=1)
    assignments, effective = [state.assignments for state in states], 2_000
    found = np.bincount(partition_ids(assignments), minlength=len(truth.partitions)) / len(states)
    check_frequencies(found, truth.probabilities, effective, chance=1e-4)
    tables = np.bincount([len(state.tables) for state in states], minlength=len(data) + 1) / len(states)
    assert np.abs(tables - truth.table_counts).max() < 5 * 0.5 / math.sqrt(effective)
    assert np.abs(co_clustering(assignments) - truth.co_clustering).max() < 5 * 0.5 / math.sqrt(effective)


@each_way
def test_the_joint_test_of_geweke(family, data, prior):
    """About fifty z-scores in all: beyond 4 by chance less than once in 200 choices of seeds."""
    assert np.abs(z_scores(family, concentration=1.2, prior=prior, iterations=2_500, seed=3)).max() < 4


def test_the_concentration_has_its_exact_posterior():
    """Mean of log concentration in a run, within 4 standard errors by batches (1e-4) of the value by quadrature."""
    family, data = MODELS["normal-inverse-gamma"]
    shape, rate = 2.0, 1.5
    truth = exact_posterior(data, family, concentration_prior=(shape, rate))
    expected = 0.0
    for tables, probability in enumerate(truth.table_counts[1:], start=1):
        conditional = ConcentrationConditional(1.0, tables, len(data), shape, rate)
        grid = np.linspace(-20, 6, 4_001)
        density = np.exp([conditional.log_density(math.exp(value)) + value for value in grid])
        expected += probability * (grid * density).sum() / density.sum()
    states = run(CRPMixture(data, family, 1.0, concentration_prior=(shape, rate)), 10_000, thin=1, seed=2)
    batches = np.log([state.concentration for state in states]).reshape(50, -1).mean(axis=1)
    assert abs(batches.mean() - expected) < 4 * batches.std(ddof=1) / math.sqrt(50)


@pytest.mark.parametrize(("tables", "points", "shape", "rate"), [(1, 5, 2.0, 1.5), (7, 30, 0.5, 0.2), (3, 3, 1.0, 4.0)])
def test_escobar_and_west_leave_the_posterior_of_the_concentration_as_it_is(tables, points, shape, rate):
    """Every 20th of 40,000 draws, each from the one before, against the density: p above 1e-4, seed fixed."""
    rng, alpha, kept = np.random.default_rng(4), 1.0, []
    for draw in range(40_000):
        conditional = ConcentrationConditional(alpha, tables, points, shape, rate)
        alpha = conditional.draw(rng)
        assert 0 < conditional.auxiliary < 1
        if draw % 20 == 19:
            kept.append(math.log(alpha))
    grid = np.linspace(-30, 8, 20_001)
    density = np.exp([conditional.log_density(math.exp(value)) + value for value in grid])
    cumulative = np.cumsum(density) / density.sum()
    assert stats.kstest(kept, lambda value: np.interp(value, grid, cumulative)).pvalue > 1e-4


def test_a_vanishing_concentration_stays_above_zero():
    rng = np.random.default_rng(0)
    conditional = ConcentrationConditional(1e-300, 1, 5, 1e-4, 1.0)
    assert all(conditional.draw(rng) > 0 for _ in range(200))


@every_model
def test_log_joint_drops_nothing(family, data):
    truth = exact_posterior(data, family, 1.2)
    sampler = CRPMixture(data, family, 1.2)
    found = [sampler.log_joint(sampler.state(partition)) for partition in truth.partitions]
    assert found == pytest.approx(truth.log_joint, rel=1e-12)


def test_log_joint_has_the_concentrations_density_in_it():
    prior = (2.0, 1.5)
    truth = exact_posterior(LINE, KNOWN, concentration_prior=prior)
    sampler = CRPMixture(LINE, KNOWN, 1.0, concentration_prior=prior)

    def density(alpha, state, level):
        state.concentration = alpha
        return math.exp(sampler.log_joint(state) - level)

    for place in (0, 17, 51):
        total, _ = integrate.quad(density, 0, 60, args=(sampler.state(truth.partitions[place]), truth.log_joint[place]))
        assert total == pytest.approx(1, abs=1e-6)


def test_the_terms_of_one_update():
    """Point 1 of three, the others apart: weights 1, 1 and the concentration, fits by hand."""
    sampler = CRPMixture([-1.0, 0.0, 2.0], KNOWN, 0.7)
    state = sampler.state([5, 5, 2])
    sampler.forget(state, 1)
    assert (state.tables, state.counts) == ([5, 2], [1, 1])
    conditional = sampler.score(state, 1)
    assert conditional.terms["customers already there"] == pytest.approx([0.0, 0.0, math.log(0.7)])
    # one point at x: posterior mean x * 8 / 9 and variance 4 / 9
    seated = [stats.norm.logpdf(0.0, x * 8 / 9, math.sqrt(0.5 + 4 / 9)) for x in (-1.0, 2.0)]
    assert conditional.terms["fit"] == pytest.approx([*seated, stats.norm.logpdf(0.0, 0.0, math.sqrt(4.5))])
    sampler.remember(state, 1, 1)
    assert state.labels == [5, 2, 2]
    assert (state.tables, state.counts) == ([5, 2], [1, 2])


def test_ids_of_tables():
    sampler = CRPMixture(LINE, KNOWN, 1.0)
    state = sampler.state([0, 0, 1, 3, 3])
    sampler.forget(state, 4)
    sampler.remember(state, 4, 3)
    assert state.labels == [0, 0, 1, 3, 2]  # the smallest id that is free
    sampler.forget(state, 3)
    assert state.tables == [0, 1, 2]  # a table that is left empty is gone
    sampler.remember(state, 3, 3)
    assert state.labels == [0, 0, 1, 3, 2]  # who sat alone and stays alone keeps the id
    assert state.tables == [0, 1, 2, 3]
    sampler.forget(state, 0)
    sampler.remember(state, 0, 2)
    assert state.labels == [2, 0, 1, 3, 2]
    assert state.assignments.tolist() == state.labels
    assert state.counts == [1, 1, 2, 1]


def test_the_value_of_an_update_is_the_place_of_the_points_table():
    sampler = CRPMixture(LINE, KNOWN, 1.0, concentration_prior=(1.0, 1.0))
    state, rng = sampler.state([0, 1, 2, 3, 4]), np.random.default_rng(0)
    sites = []
    for _ in range(20):
        for update in updates(sampler, state, rng):
            sites.append(update.site)
            if update.site != "concentration":
                assert state.tables[update.value] == state.labels[update.site]
                assert sorted(state.counts) == sorted(np.unique(state.labels, return_counts=True)[1].tolist())
            else:
                assert update.value == state.concentration
    assert sites[:6] == [0, 1, 2, 3, 4, "concentration"]


def test_starts():
    rng = np.random.default_rng(0)
    assert CRPMixture(LINE, KNOWN, 1.0).init(rng).labels == [0] * 5
    assert CRPMixture(LINE, KNOWN, 1.0, start="apart").init(rng).labels == [0, 1, 2, 3, 4]
    sampler = CRPMixture(LINE, KNOWN, 1.3, start="prior")
    found = np.bincount([len(sampler.init(rng).tables) for _ in range(4_000)], minlength=6) / 4_000
    expected = table_count_pmf(5, 1.3)
    # each frequency is binomial; beyond 5 standard deviations less than once in 10^5
    assert (np.abs(found - expected) <= 5 * np.sqrt(expected * (1 - expected) / 4_000)).all()


def test_statistics_do_not_drift_in_a_long_run():
    data = np.random.default_rng(0).normal(size=(30, 2)) * [3, 1] + [50, -20]
    sampler = CRPMixture(data, NormalInverseWishart([50, -20], 0.1, 4, np.eye(2)), 1.0)
    state, rng = sampler.init(np.random.default_rng(0)), np.random.default_rng(1)
    for _ in range(500):
        list(updates(sampler, state, rng))
    assert sampler.log_joint(state) == pytest.approx(sampler.log_joint(sampler.state(state.labels)), rel=1e-10)


def test_co_clustering_does_not_depend_on_labels():
    first, second = [[0, 0, 1], [0, 1, 2]], [[7, 7, 2], [4, 9, 1]]
    assert co_clustering(first).tolist() == co_clustering(second).tolist()
    assert co_clustering(first).tolist() == [[1, 0.5, 0], [0.5, 1, 0], [0, 0, 1]]
    with pytest.raises(ValueError, match=r"shape \(sweeps, points\)"):
        co_clustering([0, 1])


def test_one_point_alone():
    sampler = CRPMixture([0.3], KNOWN, 1.0)
    state, _ = sampler.step(sampler.init(np.random.default_rng(0)), np.random.default_rng(1))
    assert state.labels == [0]
    assert sampler.log_joint(state) == pytest.approx(KNOWN.log_density([0.3])[0])


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: CRPMixture(LINE, KNOWN, 0), "concentration must be finite and > 0, got 0"),
        (lambda: CRPMixture(LINE, KNOWN, 1, start="random"), "start must be 'together', 'apart' or 'prior'"),
        (lambda: CRPMixture(LINE, KNOWN, 1, concentration_prior=(0, 1)), "prior shape must be finite and > 0"),
        (lambda: CRPMixture(LINE, KNOWN, 1, concentration_prior=(1, -1)), "prior rate must be finite and > 0"),
        (lambda: CRPMixture([], KNOWN, 1), "data must hold at least one point"),
        (lambda: CRPMixture(PLANE, KNOWN, 1), r"shape \(n, 1\), got \(5, 2\)"),
        (lambda: CRPMixture([0.0, math.inf], KNOWN, 1), "row 1"),
        (lambda: CRPMixture(LINE, KNOWN, 1).state([0, 0]), "assignments must be 5 table ids from 0"),
        (lambda: CRPMixture(LINE, KNOWN, 1).state([0, 0, 0, 0, -1]), "assignments must be 5 table ids from 0"),
    ],
)
def test_what_makes_no_sense_is_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_data_are_copied_and_cannot_change():
    data = np.array(LINE)
    sampler = CRPMixture(data, KNOWN, 1.0)
    data[0] = 99.0
    assert sampler.data[0] == -2.0
    with pytest.raises(ValueError, match="read-only"):
        sampler.data[0] = 1.0
