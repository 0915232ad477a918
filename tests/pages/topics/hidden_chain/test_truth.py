"""The chain beside the truth: which paths or partitions are compared, and what the page says of it."""

import numpy as np
import pytest

from lessons.topics.hidden_chain import HiddenChainSettings
from pages.contract.stage import stage_of
from pages.topics.hidden_chain import states, sticky
from samplers.diagnostics.convergence import error_to_truth, noise_floor
from samplers.hmm.exact import exact_paths
from tests.pages.visits import app, follow, inspector

STAGE, SEED, SWEEPS = stage_of("hidden_chain"), 7, 400
LEARNED = {"number": "learned", "deviation": 0.5}


def scene(**settings):
    found = STAGE.scene(HiddenChainSettings(**settings), SEED)
    for run in found.runs:
        run.reach(SWEEPS)
    return found


def listed(found):
    return {"fixed": states, "learned": sticky}[found.settings.mode].listed(found)


def test_each_sweep_is_at_its_path_in_the_list():
    found = scene(parameters="drawn")
    every, paths = listed(found), exact_paths(found.run.sampler).paths
    assert every.over == "all 256 paths"
    assert (paths[every.ids(found.run)[:20]] == found.run.labels[:20]).all()


def test_where_paths_are_too_many_the_numbers_of_changes_are_compared():
    found = scene(data="long", hours=30, method="block")
    every = listed(found)
    assert every.probabilities is found.exact.changes
    assert (every.ids(found.run)[:20] == found.run.changes[:20]).all()
    assert every.curve(found.run, SWEEPS)[-1]["error"] < 2 * noise_floor(every.probabilities, SWEEPS)


def test_a_block_is_nearer_to_the_truth_than_single_states_that_last():
    """After 400 sweeps, as the mean of five seeds each."""
    errors = {"single": [], "block": []}
    for seed in range(5):
        found = STAGE.scene(HiddenChainSettings(stay=0.99, deviation=1.5, compare="other"), seed)
        every = listed(found)
        for name, run in zip(errors, found.runs, strict=True):
            run.reach(SWEEPS)
            errors[name].append(every.curve(run, SWEEPS)[-1]["error"])
    assert np.mean(errors["block"]) < 1.3 * noise_floor(every.probabilities, SWEEPS) < np.mean(errors["single"]) / 2


@pytest.mark.parametrize("data", [{}, {"data": "long", "hours": 60}], ids=["paths", "changes"])
@pytest.mark.parametrize("rule", ["right", "drawn from the filter"])
def test_the_error_is_that_of_independent_draws_only_by_the_right_rule(data, rule):
    """The sweeps of a block are independent where parameters are given."""
    found = STAGE.scene(HiddenChainSettings(method="block", block_rule=rule, **data), SEED)
    found.run.reach(1_000)
    last = listed(found).curve(found.run, 1_000)[-1]
    assert last["error"] < 1.3 * last["floor"] if rule == "right" else last["error"] > 2 * last["floor"]


@pytest.fixture(scope="module")
def page():
    return app("hidden_chain.py")


def test_the_page_names_the_error_of_both_samplers_and_what_the_largest_number_costs(page):
    found = scene(**LEARNED, compare="other", stickiness=0.0)
    every = listed(found)
    one, other = (error_to_truth(every.ids(run)[1 : SWEEPS + 1], every.probabilities, SWEEPS) for run in found.runs)
    follow(page, **LEARNED, compare="other", stickiness=0, seed=SEED, t=SWEEPS, view="truth")
    said = inspector(page)
    assert f"over all 4,140 partitions into states is {one:.3f};" in said
    assert f"Forwards and backwards: {other:.3f}." in said
    assert "With at most 8 states the exact mean is 3.06; without a largest number it would be 3.41." in said


@pytest.mark.parametrize(
    ("settings", "t", "said"),
    [
        ({}, 0, "Run some sweeps first."),
        ({"data": "long", "parameters": "drawn"}, 9, "For 60 hours there are too many; choose Eight hours"),
        ({"data": "long", "number": "learned"}, 9, "For 60 hours there are too many; choose Eight hours"),
    ],
)
def test_the_page_says_why_there_is_no_truth(page, settings, t, said):
    everything = {"data": "eight", "parameters": "given", "number": "fixed", **settings}
    follow(page, **everything, seed=SEED, t=t, view="truth")
    assert said in inspector(page)
