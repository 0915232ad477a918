"""Predictions of a CRP mixture: against all partitions with one point more, and against the joint law of new points."""

import math

import numpy as np
import pytest
from scipy import integrate, stats

from samplers.chain import Chain
from samplers.conjugate import NormalKnownVariance
from samplers.crp.exact_partitions import exact_posterior
from samplers.crp.facts import log_joint
from samplers.crp.mixture import CRPMixture
from samplers.crp.prediction import average_prediction, draw_new_points, exact_prediction, predictive_density
from samplers.partitions import partitions
from tests.samplers.models import LINE, MODELS

every_model = pytest.mark.parametrize(("family", "data"), MODELS.values(), ids=MODELS.keys())
both_concentrations = pytest.mark.parametrize(
    "law", [{"concentration": 1.2}, {"concentration_prior": (2.0, 1.5)}], ids=["concentration 1.2", "Gamma"]
)
KNOWN = MODELS["known variance"][0]


@every_model
def test_prediction_is_by_every_table_and_the_unseen_one(family, data):
    """Density of one more point given a state: the joints of all ways to seat it, over the joint without it."""
    sampler = CRPMixture(data, family, 1.2)
    grid = [data[0], data[3]]
    for labels in ([0, 0, 1, 2, 2], [0, 0, 0, 0, 0]):
        state = sampler.state(labels)
        for found, point in zip(predictive_density(sampler, state, grid), grid, strict=True):
            more = CRPMixture([*data, point], family, 1.2)
            joints = [more.log_joint(more.state([*labels, table])) for table in range(len(state.tables) + 1)]
            assert found == pytest.approx(np.exp(np.array(joints) - sampler.log_joint(state)).sum(), rel=1e-10)


def test_a_predictive_density_integrates_to_one():
    sampler = CRPMixture(LINE, MODELS["normal-inverse-gamma"][0], 1.2)
    density = predictive_density(sampler, Chain(sampler, seed=1)[9], np.linspace(-400, 400, 400_001))
    assert density.sum() * 0.002 == pytest.approx(1, abs=1e-4)


@every_model
@both_concentrations
def test_the_exact_prediction_is_the_evidence_of_one_point_more(family, data, law):
    places = [data[0], data[3]]
    found = exact_prediction(data[:4], family, places, **law)
    before = exact_posterior(data[:4], family, **law).log_evidence
    for density, place in zip(found.density, places, strict=True):
        after = exact_posterior([*data[:4], place], family, **law)
        assert density == pytest.approx(math.exp(after.log_evidence - before), rel=1e-9)


def test_the_exact_chance_of_a_new_table_with_a_known_concentration_is_the_restaurants():
    assert exact_prediction(LINE, KNOWN, [0.0], 1.2).new == pytest.approx(1.2 / 6.2, rel=1e-12)


def test_the_exact_chance_of_a_new_table_is_averaged_over_the_concentration():
    """Rows without a word say nothing of tables, so that the law of the concentration is its prior."""
    flat = MODELS["Dirichlet-multinomial"][0]
    prior = stats.gamma(2.0, scale=1 / 1.5)
    expected, _ = integrate.quad(lambda alpha: prior.pdf(alpha) * alpha / (4 + alpha), 0, 60)
    found = exact_prediction(np.zeros((4, 3)), flat, np.zeros((1, 3)), concentration_prior=(2.0, 1.5))
    assert found.new == pytest.approx(expected, rel=1e-7)


@both_concentrations
def test_every_partition_as_a_sweep_makes_the_average_the_exact_one(law):
    """Each partition occurs as often as it is probable, to one in a million."""
    data, grid = LINE[:4], np.linspace(-4, 4, 9)
    exact = exact_posterior(data, KNOWN, 1.2)
    times = np.maximum(1, np.round(2e4 * exact.probabilities)).astype(int)
    labels = np.repeat(np.array(exact.partitions), times, axis=0)
    sampler = CRPMixture(data, KNOWN, 1.2)
    alphas = np.full(len(labels), 1.2) if "concentration" in law else np.random.default_rng(0).gamma(2, 1, len(labels))
    found = average_prediction(sampler, labels, alphas, grid)
    if "concentration" in law:
        known = exact_prediction(data, KNOWN, grid, 1.2)
        assert found.density == pytest.approx(known.density, rel=2e-3)
        assert found.new == pytest.approx(known.new, rel=1e-12)
    expected = np.zeros(len(grid))
    for seating, alpha in list(zip(labels, alphas, strict=True))[::400]:
        state = sampler.state(seating)
        state.concentration = alpha
        expected += predictive_density(sampler, state, grid)
    few = average_prediction(sampler, labels[::400], alphas[::400], grid)
    assert few.density == pytest.approx(expected / len(labels[::400]), rel=1e-12)


def test_names_of_tables_make_no_difference_to_the_average():
    sampler = CRPMixture(LINE, KNOWN, 1.0)
    one, other = ([[0, 0, 1, 1, 2], [0, 0, 0, 0, 0]], [[7, 7, 0, 0, 3], [2, 2, 2, 2, 2]])
    found = [average_prediction(sampler, labels, [1.0, 2.0], [0.3]) for labels in (one, other)]
    assert found[0].density == pytest.approx(found[1].density, rel=1e-12)


@pytest.mark.parametrize(("labels", "alphas"), [([0, 0], [1.0]), ([], []), ([[0] * 5] * 2, [1.0])])
def test_sweeps_that_do_not_fit_together_are_refused(labels, alphas):
    with pytest.raises(ValueError, match="must be of the same sweeps"):
        average_prediction(CRPMixture(LINE, KNOWN, 1.0), labels, alphas, [0.0])


# ---- new points ------------------------------------------------------------------------------------------------------

STATE = [0, 0, 1, 4, 4]
DRAWS = 4_000


def pairs(draw=draw_new_points) -> tuple[CRPMixture, np.ndarray, np.ndarray]:
    """Return so many pairs of new points, given one state: places and labels, each of shape (DRAWS, 2)."""
    sampler = CRPMixture(LINE, NormalKnownVariance(0.0, 4.0, 0.5), 1.5)
    state, rng = sampler.state(STATE), np.random.default_rng(1)
    drawn = [draw(sampler, state, 2, rng) for _ in range(DRAWS)]
    assert state.labels == STATE
    return sampler, np.array([new.points[:, 0] for new in drawn]), np.array([new.labels for new in drawn])


def one_by_one(sampler, state, count, rng):
    """Draw them without regard to each other: the error that is planted below."""
    drawn = [draw_new_points(sampler, state, 1, rng) for _ in range(count)]
    return type(drawn[0])(
        np.concatenate([new.points for new in drawn]), np.concatenate([new.labels for new in drawn]), {}
    )


def check_places(sampler: CRPMixture, places: np.ndarray) -> None:
    """Each point has the predictive density, and the second given the first that of one point more: p above 1e-4."""
    grid = np.linspace(-12, 12, 4_801)
    law = predictive_density(sampler, sampler.state(STATE), grid)
    cumulative = np.cumsum(law) * (grid[1] - grid[0])
    for point in places.T:
        assert stats.kstest(point, lambda at: np.interp(at, grid, cumulative)).pvalue > 1e-4
    # E[x y] of the two: within 4.5 standard errors of the exact one, from the joint density of both
    product = places.prod(axis=1)
    assert abs(product.mean() - exact_product(sampler)) < 4.5 * product.std() / math.sqrt(DRAWS)


def exact_product(sampler: CRPMixture) -> float:
    """E[x y] of two new points: by table, the square of the mean, with the mean's variance where they share it."""
    state = sampler.state(STATE)
    laws = [*(cluster.posterior() for cluster in state.clusters.values()), sampler.family]
    sizes = [*state.counts, 1.5]
    means = np.array([law.mean[0] for law in laws])
    total = sum(sizes)
    found = 0.0
    for first, size in enumerate(sizes):
        for second, other in enumerate(sizes):
            chance = size / total * (other + (first == second < len(laws) - 1)) / (total + 1)
            found += chance * (
                means[first] * means[second] + (first == second < len(laws) - 1) * laws[first].prior_variance
            )
    together = 1.5 / total / (total + 1)  # the second sits down at the table that the first has opened
    return found + together * (sampler.family.prior_variance + means[-1] ** 2)


def check_tables(labels: np.ndarray) -> None:
    """How both sit, against every seating of seven whose first five sit as they do."""
    first = (0, 0, 1, 2, 2)
    law = {p[5:]: log_joint(p, 1.5) - log_joint(first, 1.5) for p in partitions(7) if p[:5] == first}
    names = {0: 0, 1: 1, 4: 2, 2: 3, 3: 4}
    found = [tuple(names[label] for label in pair) for pair in labels.tolist()]
    expected = np.exp(list(law.values()))
    assert expected.sum() == pytest.approx(1, abs=1e-12)
    counts = [found.count(pair) for pair in law]
    assert sum(counts) == DRAWS, "no other way to sit"
    assert stats.chisquare(counts, DRAWS * expected).pvalue > 1e-4


def test_new_points_have_the_joint_law_of_customers_to_come():
    sampler, places, labels = pairs()
    check_places(sampler, places)
    check_tables(labels)


def test_points_that_are_drawn_one_by_one_fail():
    sampler, places, labels = pairs(one_by_one)
    with pytest.raises(AssertionError):
        check_places(sampler, places)
    with pytest.raises(AssertionError):
        check_tables(labels)


@every_model
def test_new_points_of_every_family_sit_at_tables_with_a_dish(family, data):
    sampler = CRPMixture(data, family, 5.0)
    new = draw_new_points(sampler, sampler.state(STATE), 40, np.random.default_rng(2))
    assert new.points.shape == (40, family.dimension)
    assert set(new.dishes) == set(new.labels.tolist())
    opened = sorted(set(new.labels.tolist()) - {0, 1, 4})
    assert opened == [table for table in range(len(opened) + 3) if table not in (0, 1, 4)][: len(opened)]
