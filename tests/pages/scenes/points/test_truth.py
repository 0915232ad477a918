"""The truth beside a run: bars, curve and verdict are those of the samplers."""

import re

import numpy as np
import pytest

from lessons.topics.crp_mixture import CRPMixtureSettings
from pages.scenes.points.scene import MixtureScene
from pages.topics.crp_mixture.chains import beside_truth as truth
from pages.topics.crp_mixture.chains import own_limit, scene_of
from samplers.crp.exact_partitions import exact_posterior, sweep_matrix
from samplers.crp.mixture import CRPMixture
from samplers.diagnostics.convergence import (
    effective_draws_per_sweep,
    error_to_truth,
    frequencies_with_error,
    noise_floor,
    partition_ids,
    sweeps_to_separate,
)
from samplers.enumerated import stationary
from tests.pages.html import charts, words
from tests.pages.scenes.points.scenes import RULES, SEED, TINY, own, scene


def truth_of(made: MixtureScene):
    settings = made.settings
    return exact_posterior(made.data, settings.prior(made.data), settings.concentration)


@pytest.mark.parametrize("name", TINY)
@pytest.mark.parametrize("sweep", [1, 100])
def test_bars_and_curve_are_those_of_the_samplers(name, sweep):
    made = scene(name)
    html = truth(made, sweep)
    bars, curve = (chart["sets"][name] for chart, name in zip(charts(html), ("bars", "curve"), strict=True))
    exact, labels = truth_of(made), made.runs[0].labels[1 : sweep + 1]
    values = list(range(1, len(made.data) + 1))
    tables = [len(set(row)) for row in labels.tolist()]
    share, error = frequencies_with_error(tables, values)
    assert [bar["k"] for bar in bars] == values
    assert [bar["exact"] for bar in bars] == pytest.approx(exact.table_counts[1:].tolist())
    assert [bar["share"] for bar in bars] == pytest.approx([tables.count(k) / sweep for k in values])
    assert [bar["low"] for bar in bars] == pytest.approx(np.maximum(0, share - 2 * error).tolist())
    assert [bar["high"] for bar in bars] == pytest.approx(np.minimum(1, share + 2 * error).tolist())
    at = [place["sweeps"] for place in curve]
    assert (at[0], at[-1]) == (1, sweep)
    assert at == sorted(set(at))
    ids = partition_ids(labels)
    errors = error_to_truth(ids, exact.probabilities, at)
    assert [place["error"] for place in curve] == pytest.approx(errors.tolist())
    assert [place["floor"] for place in curve] == pytest.approx(noise_floor(exact.probabilities, at).tolist())
    said = words(html)
    over = f"{len(exact.probabilities)} groupings"
    assert f"After {sweep} sweeps the total variation distance over {over} is {errors[-1]:.3f};" in said
    assert f"independent draws: {curve[-1]['floor']:.3f} on average." in said


def separation(made: MixtureScene) -> tuple[float, int]:
    """Return the distance of a rule from the truth, and the sweeps until that shows, at the slower one's efficiency."""
    sampler = made.runs[0].sampler
    wrong = sweep_matrix(sampler)
    right = sweep_matrix(CRPMixture(sampler.data, sampler.family, sampler.concentration))
    limit, truth = stationary(wrong), truth_of(made).probabilities
    worth_of_a_sweep = min(effective_draws_per_sweep(wrong), effective_draws_per_sweep(right))
    return np.abs(limit - truth).sum() / 2, sweeps_to_separate(limit, truth, worth_of_a_sweep)


@pytest.mark.parametrize("name", RULES)
def test_the_verdict_says_how_far_a_wrong_rule_is_and_when_that_shows(name):
    made = scene(name)
    said = words(truth(made, 50))
    distance, sweeps = separation(made)
    assert f"stays {distance:.3f} from" in said
    told = int(re.search(r"after about ([\d,]+) sweeps", said)[1].replace(",", ""))
    assert told == pytest.approx(sweeps, rel=0.1), "whichever of the two samplers is the slower one"


def test_the_right_rule_has_no_limit_of_its_own():
    assert "In the long run" not in words(truth(scene("seven points"), 50))


def test_another_file_has_another_verdict():
    for data in ([0.0, 1.0, 2.0], [0.0, 1.0, 9.0]):
        made = own(np.array(data)[:, None], ("x",), rule="data include the point")
        told = re.search(r"stays (\S+) from", own_limit(made))[1]
        assert float(told) == pytest.approx(separation(made)[0], abs=6e-4)


@pytest.mark.parametrize("points", [9, 60])
def test_above_eight_points_the_truth_is_out_of_reach_and_that_is_said(points):
    made = scene_of(CRPMixtureSettings(points=points), SEED)
    assert made.exact is None
    html = truth(made, 20)
    assert f"For {points} points there are too many" in words(html)
    assert not charts(html)


def test_eight_points_are_within_reach():
    assert len(charts(truth(own(np.random.default_rng(5).normal(size=(8, 1)), ("x",)), 20))) == 2


def test_without_a_sweep_there_is_nothing_to_compare():
    html = truth(scene("seven points"), 0)
    assert "Run some sweeps first" in html
    assert not charts(html)
