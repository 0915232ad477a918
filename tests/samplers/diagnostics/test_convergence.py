"""Diagnostics of a run against arviz-stats, laws that are known exactly, and errors that must be caught.

Statistical checks have fixed seeds; next to each stands how often it would fail by chance under another seed.
"""

import math
import subprocess
import sys

import numpy as np
import pytest
from arviz_stats.base import array_stats
from scipy import stats
from scipy.signal import lfilter

from samplers.conjugate import NormalKnownVariance
from samplers.crp.exact_partitions import exact_posterior
from samplers.crp.facts import relabel
from samplers.diagnostics.convergence import (
    Diagnosis,
    diagnose,
    effective_draws_per_sweep,
    error_to_truth,
    frequencies_with_error,
    noise_floor,
    partition_ids,
)
from samplers.partitions import partitions
from tests.samplers.markov import walk

LAW = np.array([0.5, 0.3, 0.15, 0.05])
LAZY = 0.6 * np.eye(4) + 0.4 * LAW  # stays, or draws from the law: every state has 0.4 / 1.6 effective draws a sweep


def autoregressive(chains, draws, correlation, seed=0):
    noise = np.random.default_rng(seed).normal(size=(chains, draws + 500))
    return lfilter([math.sqrt(1 - correlation**2)], [1, -correlation], noise)[:, 500:]


@pytest.mark.parametrize("correlation", [-0.4, 0.0, 0.7, 0.95])
@pytest.mark.parametrize("chains", [2, 4])
def test_diagnosis_is_that_of_arviz(chains, correlation):
    series = autoregressive(chains, 500, correlation)
    for values in (series, np.round(series).astype(int)):
        found = diagnose(values)
        assert found.rhat == pytest.approx(float(array_stats.rhat(values)), rel=1e-12)
        assert found.ess_bulk == pytest.approx(float(array_stats.ess(values)), rel=1e-12)
        assert found.ess_tail == pytest.approx(float(array_stats.ess(values, method="tail", prob=(0.05, 0.95))))
        assert found.mcse_mean == pytest.approx(float(array_stats.mcse(values)), rel=1e-12)
        assert found.draws == 500 * chains


@pytest.mark.parametrize("correlation", [0.0, 0.5, 0.9])
def test_effective_size_of_an_autoregression(correlation):
    """Known: (1 - r) / (1 + r) a draw. The estimate has a standard deviation of about 4 % here; 15 % are allowed."""
    found = diagnose(autoregressive(4, 10_000, correlation))
    assert found.ess_bulk / 40_000 == pytest.approx((1 - correlation) / (1 + correlation), rel=0.15)
    assert found.mcse_mean == pytest.approx(math.sqrt((1 + correlation) / (1 - correlation) / 40_000), rel=0.1)
    assert found.rhat < 1.01


def test_chains_that_disagree_are_seen():
    series = autoregressive(2, 500, 0.3)
    assert diagnose(series).rhat < 1.01
    assert diagnose(series + np.array([[0], [1]])).rhat > 1.1  # in place
    assert diagnose(series * np.array([[1], [3]])).rhat > 1.1  # in spread alone


def rhat_of(parts):
    """Return the R-hat of these very parts, by their ranks (Vehtari et al. 2021, equations 1 to 4 and 14)."""
    draws = parts.shape[1]
    scores = stats.norm.ppf((stats.rankdata(parts) - 3 / 8) / (parts.size + 1 / 4)).reshape(parts.shape)
    within, between = scores.var(axis=1, ddof=1).mean(), draws * scores.mean(axis=1).var(ddof=1)
    return math.sqrt((between / within + draws - 1) / draws)


def test_one_chain_is_held_against_itself():
    series = autoregressive(1, 501, 0.3)
    found = diagnose(series)
    assert found == diagnose(series[0])
    halves = np.array([series[0, :250], series[0, -250:]])
    assert found.rhat == pytest.approx(float(array_stats.rhat(halves)))
    quarters = halves.reshape(4, 125)
    assert found.rhat == pytest.approx(max(map(rhat_of, (quarters, np.abs(quarters - np.median(quarters))))))
    assert found.ess_bulk == pytest.approx(float(array_stats.ess(series)))
    assert found.rhat < 1.02
    assert diagnose(series + np.linspace(0, 2, 501)).rhat > 1.1  # it drifts


@pytest.mark.parametrize(
    "chains",
    [
        np.empty((0, 0)),
        np.empty((2, 0)),
        [1.0],
        [[1.0, 2.0, 3.0], [2.0, 1.0, 3.0]],
        [[3] * 100],
        [[3] * 100] * 2,
        [[1.0, 2.0, math.nan, 1.0]],
        [[1.0, 2.0, -math.inf, 1.0]],
    ],
)
def test_nothing_is_said_where_there_is_nothing_to_say(chains):
    assert diagnose(chains) == Diagnosis(None, None, None, None, np.size(chains), len(np.atleast_2d(chains)))


def test_short_and_stuck_chains_make_no_noise():
    assert diagnose([1, 2, 2, 1]).rhat is None
    assert diagnose([1, 2, 2, 1]).ess_bulk is not None
    rng = np.random.default_rng(0)
    for draws in range(1, 13):
        for chains in (1, 2, 3):
            for _ in range(10):
                found = diagnose(rng.integers(0, 2, (chains, draws)))
                assert not any(value is not None and math.isnan(value) for value in vars(found).values())


@pytest.mark.parametrize("chains", [1, 2, 3])
def test_an_r_hat_needs_ten_draws_in_each_part(chains):
    """With fewer, parts that rest at different values by chance make it infinite: once in twenty runs, at ten draws."""
    enough = 40 if chains == 1 else 20
    rng = np.random.default_rng(1)
    for draws in (1, 3, 4, enough - 1, enough, 60):
        found = diagnose(rng.normal(size=(chains, draws)))
        assert (found.rhat is None) == found.too_few_for_rhat == (draws < enough)
        assert (found.ess_bulk is None) == found.too_few == (draws < 4)
    for _ in range(500):
        assert diagnose(rng.integers(0, 2, (chains, enough))).rhat < 3


@pytest.mark.parametrize("low", [0.1, 1, 1e-9, -7.3])
@pytest.mark.parametrize("apart", [0.1, 2, 1e6])
@pytest.mark.parametrize("draws", [20, 41, 50, 137])
def test_chains_that_rest_at_different_values_have_an_infinite_r_hat(low, apart, draws):
    """Exactly: rounding in their variances would make it 10 to the 16."""
    for chains in (2, 3, 4):
        assert diagnose([[low + apart * k] * draws for k in range(chains)]).rhat == math.inf
    assert diagnose([[low] * draws, [low] * draws, [low + apart] * draws]).rhat == math.inf
    assert diagnose([low] * draws + [low + apart] * draws).rhat == math.inf
    assert diagnose([low] * draws + [low + apart] * (draws + 1)).rhat == math.inf


def test_tails_that_cannot_vary_have_no_effective_size():
    rare = np.full((2, 200), 2)
    rare[:, 17] = 1
    assert diagnose(rare).ess_tail is None
    assert diagnose(4 - rare).ess_tail is not None
    assert diagnose(rare).ess_bulk is not None


def test_three_axes_are_no_run():
    with pytest.raises(ValueError, match=r"the shape \(chains, draws\), got \(2, 3, 4\)"):
        diagnose(np.zeros((2, 3, 4)))


def test_the_diagnostics_are_loaded_when_they_are_asked_for():
    """Importing them costs 0.4 s and scipy.stats; xarray and pandas are never wanted."""
    script = """if True:
        import sys
        from samplers.diagnostics.convergence import diagnose
        assert not {"arviz_stats", "scipy.stats"} & sys.modules.keys()
        assert diagnose([1.0, 2.0, 1.0, 3.0, 2.0]).ess_bulk
        assert not {"xarray", "pandas"} & sys.modules.keys()
    """
    subprocess.run([sys.executable, "-c", script], check=True)


def covered(frequencies, errors, deviations=2):
    return (np.abs(frequencies - LAW) <= deviations * errors).mean(axis=0)


def test_standard_errors_cover_the_truth_on_a_chain():
    """600 runs: the share that ±2 standard errors cover has a standard deviation of 0.009 around about 0.95.

    The rarest state has 5 effective visits a run, too few for that: it is held to 0.86.
    """
    runs = walk(LAZY, runs=600, sweeps=400, seed=1)
    results = [frequencies_with_error(run, range(4)) for run in runs]
    frequencies, errors = (np.array(part) for part in zip(*results, strict=True))
    assert (covered(frequencies, errors) > [0.915, 0.915, 0.915, 0.86]).all()
    assert (covered(frequencies, errors) < 0.98).all()
    as_if_independent = np.sqrt(frequencies * (1 - frequencies) / 400)
    assert (covered(frequencies, as_if_independent) < 0.8).all()  # what forgetting the autocorrelation would cost


def test_standard_errors_are_those_of_arviz_when_draws_are_many():
    runs = walk(LAZY, runs=3, sweeps=4_000, seed=2)
    frequencies, errors = frequencies_with_error(runs, range(4))
    for value in range(4):
        indicator = (runs == value).astype(float)
        assert frequencies[value] == pytest.approx(indicator.mean())
        assert errors[value] == pytest.approx(float(array_stats.mcse(indicator)), rel=0.01)


def test_standard_errors_do_not_depend_on_names_or_on_which_are_asked_for():
    run = walk(LAZY, runs=1, sweeps=300, seed=3)[0]
    frequencies, errors = frequencies_with_error(run, range(4))
    renamed = frequencies_with_error(np.array([7, 3, 9, 1])[run], [1, 9, 3, 7])
    assert renamed[0][::-1] == pytest.approx(frequencies)
    assert renamed[1][::-1] == pytest.approx(errors)
    assert frequencies_with_error(run, [2])[1] == pytest.approx(errors[[2]])


def test_what_has_not_been_seen_is_not_certain():
    independent = np.random.default_rng(4).integers(1, 3, 400)
    frequencies, errors = frequencies_with_error(independent, [1, 2, 3])
    assert frequencies[2] == 0
    assert 0.5 / 400 < errors[2] < 2 / 400
    assert frequencies_with_error(independent, [3])[1] == pytest.approx(errors[[2]], rel=0.2)
    sticky = np.repeat(independent[:20], 20)  # as many sweeps, but fewer draws
    assert frequencies_with_error(sticky, [1, 2, 3])[1][2] > 4 * errors[2]


@pytest.mark.parametrize(("run", "chains"), [([3] * 1_000, 1), ([[3] * 1_000] * 2, 2), ([3], 1), ([3, 4, 3], 1)])
def test_a_run_that_has_not_moved_or_hardly_begun_is_one_draw_a_chain(run, chains):
    error = frequencies_with_error(run, [5])[1]
    assert error == pytest.approx(stats.beta(0.5, chains + 0.5).std())


def test_no_draw_has_no_frequency():
    with pytest.raises(ValueError, match="at least one draw"):
        frequencies_with_error([], [1])


@pytest.mark.parametrize("points", range(1, 9))
def test_partitions_are_told_apart_by_any_labels(points):
    every = np.array(partitions(points))
    assert partition_ids(every).tolist() == list(range(len(every)))
    names = np.random.default_rng(points).permutation(1_000)[:points]
    assert partition_ids(names[every]).tolist() == list(range(len(every)))


def test_partition_ids_are_places_in_the_list_of_partitions():
    labels = np.random.default_rng(0).integers(0, 4, (300, 4))
    ids = partition_ids(labels)
    assert all(partitions(4)[i] == tuple(relabel(row).tolist()) for i, row in zip(ids, labels, strict=True))


def test_one_row_is_not_a_run_of_labels():
    with pytest.raises(ValueError, match=r"the shape \(sweeps, points\), got \(3,\)"):
        partition_ids([0, 1, 0])


def distance(sample, law):
    return np.abs(np.bincount(sample, minlength=len(law)) / len(sample) - law).sum() / 2


@pytest.mark.parametrize("values", [2, 5, 203])
def test_error_to_truth_is_the_distance_of_the_first_draws(values):
    rng = np.random.default_rng(values)
    law = rng.dirichlet(np.full(values, 0.3))
    law[-1] = 0.0  # a value that should not come, but may
    law /= law.sum()
    for sample in (rng.choice(values, 400, p=law), rng.integers(0, values, 400), np.full(30, values - 1), [0]):
        at = np.arange(1, len(sample) + 1)
        expected = [distance(sample[:count], law) for count in at]
        assert error_to_truth(sample, law, at) == pytest.approx(expected, abs=1e-12)
    assert error_to_truth([0, 1, 0], law, 3).shape == ()
    assert error_to_truth([0, 1, 0], law, [[1], [3]]).shape == (2, 1)


def test_error_to_truth_takes_the_number_of_tables_as_it_is():
    assert error_to_truth([1, 2, 2, 1], [0.0, 0.5, 0.5], [1, 2, 3, 4]) == pytest.approx([0.5, 0, 1 / 6, 0])


@pytest.mark.parametrize("draws", [[], [0, 4], [-1, 0], [[0, 1]]])
def test_draws_that_the_law_does_not_know_are_refused(draws):
    with pytest.raises(ValueError, match="draws must be one or more integers from 0 to 3"):
        error_to_truth(draws, LAW, 1)


@pytest.mark.parametrize("at", [0, 4, [1, 5]])
def test_no_error_before_the_first_or_after_the_last_draw(at):
    with pytest.raises(ValueError, match="between 1 and 3"):
        error_to_truth([0, 1, 0], LAW, at)


@pytest.mark.parametrize("law", [[0.5, 0.4], [1.5, -0.5], [[0.5, 0.5]], [math.nan, 1.0]])
def test_what_is_no_law_is_refused(law):
    with pytest.raises(ValueError, match="sum to 1"):
        noise_floor(law, 10)


def test_noise_floor_is_the_mean_over_all_samples():
    for draws in (1, 2, 3, 10, 57, 1_000):
        counts = np.arange(draws + 1)
        expected = sum(np.abs(counts / draws - p) @ stats.binom.pmf(counts, draws, p) for p in LAW) / 2
        assert noise_floor(LAW, draws) == pytest.approx(expected, rel=1e-9)


def test_noise_floor_of_many_draws_is_the_normal_one():
    draws = np.array([1e5, 1e7, 1e9])
    normal = np.sqrt(2 * LAW * (1 - LAW) / (np.pi * draws[:, None])).sum(axis=1) / 2
    assert noise_floor(LAW, draws) == pytest.approx(normal, rel=1e-4)


def test_noise_floor_never_rises():
    for law in (LAW, [0.5, 0.5], [0.999, 0.001], np.full(203, 1 / 203)):
        floor = noise_floor(law, np.linspace(1, 200, 5_000))
        assert (np.diff(floor) < 1e-12).all()
    assert noise_floor(LAW, [0.0, 0.3, 1.0]) == pytest.approx(1 - (LAW**2).sum())
    assert noise_floor(LAW, 41.9) == noise_floor(LAW, 41)


def test_noise_floor_of_a_certain_value_is_none():
    assert noise_floor([1.0, 0.0], [1, 10]).tolist() == [0.0, 0.0]


def test_an_honest_sampler_stands_on_the_floor_and_another_does_not():
    """The mean of 500 distances has a standard deviation of about 2 % of the floor; 8 % are allowed."""
    rng = np.random.default_rng(6)
    posterior = exact_posterior([-2.1, -1.1, 0.2, 1.0, 1.7], NormalKnownVariance(0, 4, 0.5), 1.0).probabilities
    for draws in (20, 200):
        honest = [distance(rng.choice(52, draws, p=posterior), posterior) for _ in range(500)]
        assert np.mean(honest) == pytest.approx(noise_floor(posterior, draws), rel=0.08)
    other = 0.8 * posterior + 0.2 / 52
    assert np.mean([distance(rng.choice(52, 200, p=other), posterior) for _ in range(100)]) > 1.2 * noise_floor(
        posterior, 200
    )


def test_effective_draws_of_a_lazy_chain():
    assert effective_draws_per_sweep(np.tile(LAW, (4, 1))) == pytest.approx(1)
    assert effective_draws_per_sweep(LAZY) == pytest.approx(0.25)


def test_effective_draws_put_a_chain_on_its_floor():
    """The states have different effective sizes. The mean of 400 distances has a standard deviation of about 2 %."""
    matrix = np.array([[0.9, 0.1, 0.0], [0.3, 0.3, 0.4], [0.0, 0.2, 0.8]])
    law = np.array([6, 2, 4]) / 12
    assert law @ matrix == pytest.approx(law)
    sizes = 2_000 * effective_draws_per_sweep(matrix)
    distances = [distance(run, law) for run in walk(matrix, runs=400, sweeps=2_000, seed=7)]
    assert np.mean(distances) == pytest.approx(noise_floor(law, sizes), rel=0.08)
    assert np.mean(distances) > 1.5 * noise_floor(law, 2_000)
