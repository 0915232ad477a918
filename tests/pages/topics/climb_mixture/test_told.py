"""Numbers that the lessons on climbing state, computed again."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from lessons.topics.climb_mixture import ClimbMixtureSettings
from samplers import Chain

STARTS = {"data": "four_blobs", "number": 4, "family": "known", "deviation": 0.6}
SEVEN = {"data": "seven_points", "number": 2}


@pytest.mark.parametrize(("start", "reach"), [("random", 59), ("k-means++", 87)])
def test_a_hundred_starts_as_they_are_told(start, reach):
    climb = ClimbMixtureSettings(**STARTS, start=start).sampler()
    ends = Counter(round(Chain(climb, seed)[60].bound, 1) for seed in range(100))
    assert ends[-166.2] == reach
    assert max(ends) == -166.2
    assert all(-259.7 < end < -259.3 or end == -358.0 for end in ends if end != -166.2)


def test_all_starts_as_they_are_told():
    law = ClimbMixtureSettings(**SEVEN).law("bound", 60)
    highest = [share for value, share in zip(law.values, law.shares, strict=True) if round(value, 2) == -10.88]
    assert round(max(law.values), 2) == -10.88
    assert 128 * sum(highest) == pytest.approx(76)


def test_a_smaller_spread_makes_labels_hard():
    first = {}
    for deviation in (1.0, 0.7, 0.3):
        settings = ClimbMixtureSettings(**SEVEN, family="known", deviation=deviation, start="k-means++", point=4)
        first[deviation] = settings.measure(Chain(settings.sampler(), 3), 1)["first"]
    assert [f"{share:.2f}" for share in first.values()] == ["0.79", "0.92", "1.00"]


def test_k_means_stands_still_after_one_iteration():
    settings = ClimbMixtureSettings(**SEVEN, method="k-means", start="random")
    chain = Chain(settings.sampler(), 3)
    assert chain[0].bound < chain[1].bound < chain[2].bound == chain[200].bound


def test_a_component_closes_in_on_point_4():
    settings = ClimbMixtureSettings(data="seven_points", number=3, start="random")
    chain = Chain(settings.sampler(), 70)
    third = [chain[t].parts.components[2] for t in range(9)]
    assert (round(float(third[4].deviations[0]), 2), round(float(chain[4].responsibilities[:, 2].sum()), 1)) == (
        0.18,
        0.3,
    )
    assert third[8].mean[0] == pytest.approx(0.2, abs=1e-3)
    assert third[8].deviations[0] < 0.02
    assert [chain[t].stuck for t in (7, 8)] == [False, True]


def test_q_is_as_narrow_as_it_is_told():
    settings = ClimbMixtureSettings(**SEVEN, method="VB")
    found = settings.measure(Chain(settings.sampler(), 3), 40)
    said = [found[name] for name in ("evidence", "bound", "gap", "q_sd", "exact_sd")]
    assert [f"{value:.2f}" for value in said] == ["-15.85", "-17.03", "1.18", "0.34", "0.61"]
    assert f"{found['q_sd'] / found['exact_sd']:.2f}" == "0.56"


def test_each_error_falls_as_it_is_told():
    first = ClimbMixtureSettings(**SEVEN, rule="not normalised", start="k-means++")
    climb, chain = first.sampler(), Chain(first.sampler(), 1)
    levels = [climb.level(chain[t]) for t in range(0, 14, 2)]
    assert all(after < before for before, after in pairwise(levels))
    assert round(levels[0], 2) == -11.92
    assert chain[13].responsibilities.sum(axis=1).max() < 0.9

    second = ClimbMixtureSettings(number=4, family="known", rule="weights left out", start="k-means++")
    climb, chain = second.sampler(), Chain(second.sampler(), 1)
    levels = [climb.level(chain[t]) for t in (0, 2, 4)]
    assert levels[0] < levels[1] > levels[2]
    parts = chain[5].parts
    products = np.exp(parts.weight_terms() + parts.fit_terms(climb.data))[7]
    shares = chain[5].responsibilities[7]
    assert products[3] > products[2] > 10 * max(products[:2])
    assert shares[3] < shares[2]

    third = ClimbMixtureSettings(**SEVEN, method="VB", rule="points counted again", start="random")
    bounds = [Chain(third.sampler(), 3)[t].bound for t in range(23)]
    assert all(bounds[t] < bounds[t - 1] for t in range(4, 23, 2))
    assert all(bounds[t] >= bounds[t - 1] for t in range(5, 23, 2))


@pytest.mark.parametrize(("method", "used"), [("VB", 2), ("EM", 5)])
def test_spare_components_are_emptied_by_variational_bayes_alone(method, used):
    settings = ClimbMixtureSettings(**SEVEN | {"number": 5}, method=method, family="known", start="k-means++")
    assert settings.measure(Chain(settings.sampler(), 2), 60)["used"] == used


def test_a_broken_stick_as_it_is_told():
    settings = ClimbMixtureSettings(data="seven_points", method="stick", number=4, family="known")
    ends = [Chain(settings.sampler(), seed)[60] for seed in range(100)]
    assert [round(ends[seed].bound, 2) for seed in (1, 2, 4)] == [-17.56, -17.72, -20.28]
    held = {
        seed: [k for k, size in enumerate(ends[seed].responsibilities.sum(axis=0)) if size >= 0.5] for seed in (1, 2, 4)
    }
    assert held == {1: [0, 1], 2: [0, 1], 4: [2, 3]}
    weights = ends[1].parts.weights
    assert weights[2] == pytest.approx(weights[3], rel=0.02)
    assert Chain(settings.sampler(), 4)[30].bound == pytest.approx(ends[4].bound, abs=1e-3), (
        "it has been level for long"
    )
    assert sum(end.bound > -17.8 for end in ends) == 42
    assert round(settings.exact(settings.dataset().data).log_evidence, 2) == -14.75
    flat = Chain(settings.model_copy(update={"concentration": 5.0}).sampler(), 1)[60].parts.weights
    assert flat.argmax() == 3
