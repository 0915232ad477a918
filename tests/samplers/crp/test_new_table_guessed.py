"""A new table scored at one mean drawn from the prior, in place of the average over all of them: right or wrong?

Wrong, if the mean is drawn afresh for each update and thrown away: the weight of a new table is right on average, but
the probability is a ratio, and its average is another. Right, if it stays with the table that it opens, and if a point
that sat alone is offered its own table's mean and no fresh one: Neal (2000), Algorithm 8 with one auxiliary table.
The first leaves a chain on partitions whose sweep is known up to an integral on a line; the second is simulated.
"""

import math

import numpy as np
import pytest

from samplers.conjugate import NormalKnownVariance
from samplers.crp.exact_partitions import exact_posterior, sweep_matrix
from samplers.crp.mixture import CRPMixture
from samplers.diagnostics.convergence import error_to_truth, noise_floor, partition_ids
from samplers.enumerated import stationary
from samplers.recipe import Conditional

POINTS, FAMILY, ALPHA = [-1.0, 0.0, 2.0], NormalKnownVariance(0.0, 4.0, 0.5), 1.0
SWEEPS = 4_000
PLACES, WEIGHTS = np.polynomial.hermite_e.hermegauss(120)
MEANS, SHARES = 2.0 * PLACES, WEIGHTS / WEIGHTS.sum()  # of the prior of a table's mean


def density(x: float, mean):
    return np.exp(-((x - mean) ** 2) / (2 * FAMILY.variance)) / math.sqrt(2 * math.pi * FAMILY.variance)


class Guessed(CRPMixture):
    """The update's probabilities, averaged over the mean that is drawn."""

    def score(self, state, site):
        customers, fit = (np.array(term) for term in super().score(state, site).terms.values())
        old, new = np.exp(customers[:-1] + fit[:-1]), ALPHA * density(self.data[site, 0], MEANS)
        chances = [*(SHARES @ (1 / (old.sum() + new)) * old), SHARES @ (new / (old.sum() + new))]
        return Conditional({self.already_there: np.log(chances).tolist(), self.fit: [0.0] * len(chances)})


class DrawnAndThrownAway(CRPMixture):
    """The same with a mean that is drawn: as people write it."""

    rng = np.random.default_rng(8)

    def score(self, state, site):
        terms = super().score(state, site).terms
        mean = self.rng.normal(0.0, 2.0)
        fit = [*terms[self.fit][:-1], math.log(density(self.data[site, 0], mean))]
        return Conditional({self.already_there: terms[self.already_there], self.fit: fit})


def sweeps_of_algorithm_8(rng: np.random.Generator) -> list[list[int]]:
    """Return the labels after each sweep of the right form, with one auxiliary table and means in plain sight."""
    labels, means, found = [0, 0, 0], {0: 0.0}, []
    for _ in range(SWEEPS):
        for point, x in enumerate(POINTS):
            others = [label for i, label in enumerate(labels) if i != point]
            alone = labels[point] not in others
            offered = means.pop(labels[point]) if alone else rng.normal(0.0, 2.0)
            tables = sorted(means)
            weights = [others.count(table) * density(x, means[table]) for table in tables]
            weights = np.array([*weights, ALPHA * density(x, offered)])
            chosen = rng.choice(len(weights), p=weights / weights.sum())
            if chosen == len(tables):
                labels[point] = next(table for table in range(4) if table not in means)
                means[labels[point]] = offered
            else:
                labels[point] = tables[chosen]
        for table in means:
            here = [x for x, label in zip(POINTS, labels, strict=True) if label == table]
            posterior = FAMILY.cluster(here).posterior()
            means[table] = rng.normal(posterior.mean[0], math.sqrt(posterior.prior_variance))
        found.append(labels.copy())
    return found


def tables_of(law: np.ndarray) -> np.ndarray:
    """Return the probability of 0, 1, 2 and 3 tables."""
    exact = exact_posterior(POINTS, FAMILY, ALPHA)
    return np.bincount(np.array(exact.partitions).max(axis=1) + 1, law, 4)


@pytest.mark.told
def test_thrown_away_it_leads_elsewhere():
    truth = exact_posterior(POINTS, FAMILY, ALPHA).probabilities
    left = stationary(sweep_matrix(Guessed(POINTS, FAMILY, ALPHA)))
    assert np.abs(left - truth).sum() / 2 == pytest.approx(0.391, abs=1e-3)
    assert tables_of(left)[3] == pytest.approx(0.11, abs=5e-3)
    assert tables_of(truth)[3] == pytest.approx(0.33, abs=5e-3)
    fit = math.exp(FAMILY.log_density([[2.0]])[0])
    assert fit == pytest.approx(0.121, abs=5e-4)
    assert SHARES @ density(2.0, MEANS) == pytest.approx(fit, rel=1e-9), "right on average"


def test_the_integral_is_what_the_draws_add_up_to():
    sampler, rng = DrawnAndThrownAway(POINTS, FAMILY, ALPHA), np.random.default_rng(1)
    state, labels = sampler.init(rng), []
    for _ in range(SWEEPS):
        state, _ = sampler.step(state, rng)
        labels.append(state.labels)
    law = stationary(sweep_matrix(Guessed(POINTS, FAMILY, ALPHA)))
    truth = exact_posterior(POINTS, FAMILY, ALPHA).probabilities
    assert error_to_truth(partition_ids(labels), law, SWEEPS) < 3 * noise_floor(law, SWEEPS)
    assert error_to_truth(partition_ids(labels), truth, SWEEPS) > 10 * noise_floor(truth, SWEEPS)


def test_kept_with_its_table_it_is_right():
    """Neighbouring sweeps resemble each other: three times the noise of as many independent draws."""
    truth = exact_posterior(POINTS, FAMILY, ALPHA).probabilities
    labels = sweeps_of_algorithm_8(np.random.default_rng(2))
    assert error_to_truth(partition_ids(labels), truth, SWEEPS) < 3 * noise_floor(truth, SWEEPS)
