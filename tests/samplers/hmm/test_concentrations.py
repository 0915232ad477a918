"""α, γ and κ redrawn, against all partitions and by quadrature over their priors; Geweke's joint test; wrong rules."""

import math
from functools import cache

import numpy as np
import pytest
from scipy.special import logsumexp, roots_genlaguerre, roots_jacobi
from scipy.stats import beta, gamma

from samplers.data.hours import EIGHT
from samplers.diagnostics.convergence import partition_ids
from samplers.hmm.concentrations import CONCENTRATIONS, Priors
from samplers.hmm.exact_sticky import exact_states, log_paths
from samplers.hmm.sticky import BASE, StickyBlock, StickySingle
from samplers.hmm.wrong import EVERY_STAY, WRONG_STICKY_BLOCK, WRONG_STICKY_SINGLE
from samplers.recipe import updates
from tests.samplers.exactness import check_frequencies, run

PRIORS = Priors((2.0, 0.5), (2.0, 1.5), (2.0, 1.5))
KINDS = [StickyBlock, StickySingle]
WRONG = [WRONG_STICKY_BLOCK[EVERY_STAY], WRONG_STICKY_SINGLE[EVERY_STAY]]
STATES, NODES = 3, 14


def model(rule, series, values=(1.5, 0.8, 2.5), priors=PRIORS):
    return rule(series, STATES, 1.0, *values, centre=1.0, spread=1.5, priors=priors)


def over_priors(nodes=NODES):
    """Values of α, γ and κ, and their weights in a mean over the prior."""

    def of_gamma(shape, rate):
        at, weight = roots_genlaguerre(nodes, shape - 1)
        return at / rate, weight / weight.sum()

    (rows, one), (tops, three) = of_gamma(*PRIORS.row), of_gamma(*PRIORS.top)
    a, b = PRIORS.share
    at, two = roots_jacobi(nodes, b - 1, a - 1)
    shares, two = (1 + at) / 2, two / two.sum()
    row, share, top = (each.ravel() for each in np.meshgrid(rows, shares, tops, indexing="ij"))
    weights = (one[:, None, None] * two[None, :, None] * three).ravel()
    return np.column_stack([(1 - share) * row, top, share * row]), weights


@cache
def log_partitions(series, every, nodes=NODES):
    """The log prior probability of partitions at each of the values, shape (values, partitions)."""
    values, weights = over_priors(nodes)
    every = np.array(every)
    found = [log_paths(model(StickyBlock, series, tuple(each)), every) for each in values.tolist()]
    return values, weights, np.array(found)


@pytest.mark.parametrize("rule", KINDS)
def test_long_runs_have_the_posterior_of_every_partition(rule):
    """Every fourth sweep, counted as a third: all partitions of five hours into at most three states."""
    series, sweeps = tuple(EIGHT[2:7]), 2_500
    sampler = model(rule, series)
    assert exact_states(sampler) is None
    given = exact_states(model(rule, series, priors=None))
    every = tuple(map(tuple, given.partitions.tolist()))
    _, weights, logs = log_partitions(series, every)
    with np.errstate(invalid="ignore"):
        fits = np.where(np.isinf(given.log_joint), -np.inf, given.log_joint - log_paths(sampler, given.partitions))
    log_joint = logsumexp(logs, axis=0, b=weights[:, None]) + fits
    exact = np.exp(log_joint - logsumexp(log_joint))
    labels = [state.labels for state in run(sampler, sweeps, thin=4, seed=1)]
    found = np.bincount(partition_ids(labels), minlength=len(exact)) / sweeps
    check_frequencies(found, exact, sweeps / 3)
    coarse = log_partitions(series, every, NODES - 4)
    assert logsumexp(coarse[2], axis=0, b=coarse[1][:, None])[:5] == pytest.approx(
        logsumexp(logs, axis=0, b=weights[:, None])[:5], abs=1e-3
    ), "the quadrature has converged"


def moments(rule, draws=1_200):
    """z-scores of means of log (α + κ), ρ and log γ given a path: both blocks alone against quadrature.

    The wrong rules' are above 30.
    """
    labels, rng = [0, 0, 0, 1, 1, 0, 0, 0], np.random.default_rng(1)
    sampler = model(rule, EIGHT)
    values, weights, logs = log_partitions(tuple(EIGHT), (tuple(labels),))
    weights = weights * np.exp(logs[:, 0])
    weights /= weights.sum()

    def numbers(values):
        alpha, top, kappa = np.array(values).T
        return np.column_stack([np.log(alpha + kappa), kappa / (alpha + kappa), np.log(top)])

    state, found = sampler.state(labels), []
    for _ in range(draws):
        for site in (CONCENTRATIONS, BASE):
            sampler.remember(state, site, sampler.score(state, site).draw(rng))
        found.append((state.concentration, state.top_concentration, state.stickiness))
    batches = numbers(found).reshape(40, -1, 3).mean(axis=1)
    return (batches.mean(axis=0) - weights @ numbers(values)) / (batches.std(axis=0, ddof=1) / math.sqrt(40))


@pytest.mark.parametrize("rule", KINDS)
def test_concentrations_given_a_path_are_those_by_quadrature(rule):
    assert np.abs(moments(rule)).max() < 4.5


@pytest.mark.parametrize("rule", WRONG)
def test_every_stay_by_stickiness_is_far_from_quadrature(rule):
    assert np.abs(moments(rule)).max() > 15


def statistics(labels, base, rows, values):
    """Statistics of all draws, for the joint test; none depends on the names of states."""
    labels, base, (alpha, top, kappa) = np.array(labels), np.array(base), np.array(values).T
    same = (labels[:, 1:] == labels[:, :-1]).mean(axis=1)
    stays = np.array(rows)[:, range(STATES), range(STATES)].mean(axis=1)
    row, rho = np.log(alpha + kappa), kappa / (alpha + kappa)
    used = np.array([len(set(each)) for each in labels.tolist()])
    return np.column_stack(
        [row, rho, np.log(top), used, same, stays, (base**2).sum(axis=1), rho * same, rho * row, np.log(top) * used]
    )


def z_scores(rule, draws=800, sweeps=1, seed=1):
    """Geweke's joint test, started afresh each time: all drawn as the model does, and then a sweep.

    Ten z-scores: beyond 4.5 by chance less than once in 10,000 choices of seeds. Those of the wrong rules are beyond
    12, and a second sweep after each draw takes them no further.
    """
    rng, hours, before, after = np.random.default_rng(seed), 6, [], []
    for _ in range(draws):
        values = alpha, top, kappa = PRIORS.draw(rng)
        base = np.maximum(rng.dirichlet([top / STATES] * STATES), 1e-300)
        rows = [np.maximum(rng.dirichlet(row), 1e-300).tolist() for row in alpha * base + kappa * np.eye(STATES)]
        means = rng.normal(1.0, 1.5, STATES).tolist()
        labels = [int(rng.choice(STATES, p=base))]
        while len(labels) < hours:
            labels.append(int(rng.choice(STATES, p=rows[labels[-1]])))
        sampler = model(rule, rng.normal(np.array(means)[labels], 1.0), values)
        state = sampler.state(labels)
        state.base = base.tolist()
        sampler.remember(state, "transitions", rows)
        sampler.remember(state, "means", means)
        before.append((labels, state.base, rows, values))
        for _ in range(sweeps):
            list(updates(sampler, state, rng))
        values = state.concentration, state.top_concentration, state.stickiness
        after.append((state.labels, state.base, state.transitions, values))
    first, last = (statistics(*zip(*each, strict=True)) for each in (before, after))
    change = last - first
    return change.mean(axis=0) / (change.std(axis=0) / np.sqrt(draws))


@pytest.mark.parametrize("rule", KINDS)
def test_it_passes_the_joint_test(rule):
    assert np.abs(z_scores(rule)).max() < 4.5


@pytest.mark.parametrize("rule", WRONG)
def test_every_stay_by_stickiness_fails_the_joint_test(rule):
    assert np.abs(z_scores(rule)).max() > 7


def test_the_priors_density_is_that_of_their_draws():
    """By change of variables from α + κ and ρ to α and κ."""
    alpha, top, kappa = 1.3, 0.7, 4.0
    row = alpha + kappa
    known = gamma(2.0, scale=2.0).logpdf(row) + beta(2.0, 1.5).logpdf(kappa / row) - math.log(row)
    assert PRIORS.log_density(alpha, top, kappa) == pytest.approx(known + gamma(2.0, scale=1 / 1.5).logpdf(top))


def test_without_priors_no_number_is_redrawn():
    state = run(model(StickyBlock, EIGHT, priors=None), 1, thin=5, seed=1)[0]
    assert (state.concentration, state.top_concentration, state.stickiness) == (1.5, 0.8, 2.5)


def test_a_prior_must_be_above_zero():
    with pytest.raises(ValueError, match="prior of ρ must be finite and > 0"):
        Priors(share=(0, 1))
