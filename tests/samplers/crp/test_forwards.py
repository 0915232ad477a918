"""Points made forwards: every factor is the model's, and what they multiply to is what the sampler reads backwards."""

import math

import numpy as np
import pytest
from scipy import stats

from samplers.chain import Chain
from samplers.conjugate import NormalInverseGamma, NormalInverseWishart, NormalKnownVariance
from samplers.crp.facts import relabel
from samplers.crp.forwards import DISH, POINT, TABLE, TURNS, Forwards, make_points
from samplers.crp.mixture import CRPMixture
from samplers.partitions import partitions

FAMILIES = {
    "known variance": NormalKnownVariance([0.0, 0.0], 4.0, 0.3),
    "normal-inverse-gamma": NormalInverseGamma(0.0, 0.3, 2.0, 0.6),
    "normal-inverse-Wishart": NormalInverseWishart([0, 0], 0.3, 3.5, np.eye(2)),
}
every_family = pytest.mark.parametrize("family", FAMILIES.values(), ids=FAMILIES.keys())


@every_family
def test_the_factors_multiply_to_the_joint_density(family):
    story, total = Forwards(family, 1.3), 0.0
    chain = Chain(story, 5)
    for t in range(1, 40):
        draw = chain.record(t)
        assert draw.turn == (TABLE, DISH, POINT)[(t - 1) % TURNS]
        total += draw.log_density
        assert story.log_joint(chain[t]) == pytest.approx(total, rel=1e-9)


@every_family
def test_it_is_the_joint_density_that_the_sampler_reads_backwards(family):
    """Labels, dishes and points = labels and points, with the dishes integrated out, times dishes given both."""
    story = Forwards(family, 0.7)
    made = make_points(story, 9, 3)
    assert len(made.counts) > 1
    data = np.array(made.points)
    mixture = CRPMixture(data, family, 0.7)
    state = mixture.state(made.seating.seats)
    dishes = sum(state.clusters[table].posterior().log_density_of(dish) for table, dish in enumerate(made.dishes))
    assert story.log_joint(made) == pytest.approx(mixture.log_joint(state) + dishes, rel=1e-9)


def test_tables_come_as_often_as_the_seating_rule_says():
    """Four points have 15 seatings; 4,000 runs, chi-squared at an error rate of 1 in 1,000, and a wrong α fails it."""
    story, runs = Forwards(FAMILIES["known variance"], 1.0), 4_000
    seen = dict.fromkeys(partitions(4), 0)
    for seed in range(runs):
        seen[tuple(relabel(make_points(story, 4, seed).seating.seats).tolist())] += 1
    for concentration, agrees in ((1.0, True), (1.3, False)):
        expected = [_seating(partition, concentration) * runs for partition in seen]
        assert (stats.chisquare(list(seen.values()), expected).pvalue > 1e-3) == agrees


def _seating(partition, concentration: float) -> float:
    sizes = np.bincount(partition)
    rising = math.prod(concentration + i for i in range(len(partition)))
    return concentration ** len(sizes) * math.prod(math.factorial(size - 1) for size in sizes) / rising


def test_dishes_and_points_fall_as_far_as_the_family_says():
    """Kolmogorov-Smirnov at an error rate of 1 in 1,000 each; points taken for dishes would fail."""
    made = make_points(Forwards(FAMILIES["known variance"], 400.0), 500, 2)
    means = np.array([dish.mean for dish in made.dishes]).ravel()
    dishes = np.array([made.dishes[table].mean for table in made.seating.seats])
    noise = (np.array(made.points) - dishes).ravel()
    assert len(made.dishes) > 200
    assert stats.kstest(means / 2.0, "norm").pvalue > 1e-3
    assert stats.kstest(noise / math.sqrt(0.3), "norm").pvalue > 1e-3
    assert stats.kstest(noise / 2.0, "norm").pvalue < 1e-6


def test_more_points_begin_with_the_same_ones():
    story = Forwards(FAMILIES["known variance"], 1.0)
    few, many = make_points(story, 10, 4), make_points(story, 25, 4)
    assert np.array_equal(few.points, many.points[:10])
    assert few.seating.seats == many.seating.seats[:10]


def test_what_cannot_be_told_is_refused():
    with pytest.raises(ValueError, match="concentration must be"):
        Forwards(FAMILIES["known variance"], 0.0)
    with pytest.raises(ValueError, match="points must be 1 or more"):
        make_points(Forwards(FAMILIES["known variance"], 1.0), 0, 1)
