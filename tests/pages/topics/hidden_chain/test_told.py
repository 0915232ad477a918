"""Numbers that the lessons state and their screens do not show."""

from functools import cache

import numpy as np
import pytest

from lessons.topics.hidden_chain import MADE, HiddenChainSettings, changes_of
from pages.contract.stage import stage_of
from pages.lesson.lessons import library
from pages.topics.hidden_chain.methods import METHODS
from samplers import Chain
from samplers.data.hours import EIGHT, made_series
from samplers.diagnostics.convergence import diagnose
from samplers.hmm.exact_sticky import exact_states

SLOW = {"stay": 0.99, "deviation": 1.5}


@cache
def wall(outcome, at, **settings):
    """The outcome of each of the wall's hundred chains after some sweeps."""
    chosen = HiddenChainSettings(**settings)
    sampler = chosen.sampler()
    return np.array([chosen.measure(Chain(sampler, seed), at)[outcome] for seed in range(100)])


def test_walls_that_open_a_lesson_list_the_eight_values():
    *most, last = (f"{value:g}".replace("-", "−") for value in EIGHT)
    values = f"{', '.join(most)} and {last}"
    for lesson in ("hidden-forwards", "hidden-spot-the-error", "hidden-how-many"):
        assert values in " ".join(library().lesson(lesson).steps[0].body.split())


def update(number, seed, sweep, /, **settings):
    return Chain(HiddenChainSettings(**settings).sampler(), seed).record(sweep)[number]


@pytest.mark.told
def test_one_state_as_it_is_told():
    between, outvoted = (update(3, seed, 5).conditional for seed in (3, 1))
    assert np.exp(between.terms["fit"]) == pytest.approx([0.312, 0.171], abs=5e-4)
    assert [between.probabilities[1], outvoted.probabilities[1]] == pytest.approx([0.354, 0.946], abs=5e-4)
    assert np.exp(between.terms["from the last"])[1] == pytest.approx(0.15)
    assert np.exp(between.terms["to the next"])[1] == pytest.approx(0.85)
    marginals = HiddenChainSettings().exact().marginals[:, 1]
    assert marginals[3] == pytest.approx(0.528, abs=5e-4)
    assert np.abs(marginals - 0.5).argmin() == 3


@pytest.mark.told
def test_a_wall_of_single_states():
    law = HiddenChainSettings().law("changes", 20)
    assert law.mean == pytest.approx(1.17, abs=5e-3)
    assert wall("changes", 20).mean() == pytest.approx(1.21)


@pytest.mark.told
def test_slow_single_states_and_a_block():
    assert HiddenChainSettings(**SLOW).law("high", 10).mean == pytest.approx(5.98, abs=5e-3)
    single = wall("high", 10, **SLOW)
    assert [single.mean(), (single == 0).sum(), (single == 8).sum()] == pytest.approx([4.47, 31, 42])
    assert wall("high", 10, method="block", **SLOW).mean() == pytest.approx(6.02)


@pytest.mark.told
def test_a_sum_and_a_draw_by_hand():
    first, second = (update(number, 1, 1, method="block").conditional for number in (0, 1))
    assert first.filtered == pytest.approx([0.8022, 0.1978], abs=5e-5)
    assert second.before[1] == pytest.approx(0.288, abs=6e-4)
    drawn = update(12, 1, 1, method="block")
    assert drawn.site == 3
    assert np.exp(drawn.conditional.terms["filtered"]) == pytest.approx([0.822, 0.178], abs=5e-4)
    assert drawn.conditional.probabilities[1] == pytest.approx(0.551, abs=6e-4)
    assert update(11, 1, 1, method="block").value == 1
    largest = update(1, 1, 1, method="block", block_rule="largest, not sum").conditional
    assert largest.before[1] == pytest.approx(0.198, abs=5e-4)


@pytest.mark.told
def test_what_a_draw_costs():
    scene = stage_of("hidden_chain").scene(HiddenChainSettings(compare="other", **SLOW), 4)
    paid, products = [], [METHODS[method].products(8, 2) for method in scene.settings.methods]
    for run, cost in zip(scene.runs, products, strict=True):
        run.reach(1_000)
        paid.append(cost * 1_000 / diagnose(run.high[None, 1:1_001].astype(float)).ess_bulk)
    assert products == [32, 64]
    assert paid[0] > 2_000
    assert paid[1] == pytest.approx(63, abs=1)


@pytest.mark.told
def test_a_wrong_rule_on_a_wall():
    assert wall("changes", 40, method="block", block_rule="drawn from the filter").mean() == pytest.approx(2.11)


@pytest.mark.told
def test_stays_that_are_not_counted():
    changes = {"method": "block", "parameters": "drawn"}
    assert update(16, 2, 2, **changes, block_rule="stays not counted").conditional.pseudo_counts[1] == pytest.approx(
        [1.5, 8.5]
    )
    chain = Chain(HiddenChainSettings(**changes, block_rule="stays not counted").sampler(), 2)
    assert chain[2].labels == [0, 0, 1, 1, 1, 1, 1, 1]
    right = HiddenChainSettings(**changes).sampler().score(chain[2], "transitions").pseudo_counts[1]
    assert right[1] / right.sum() == pytest.approx(0.9)


LEARNED = {"number": "learned", "method": "block", "deviation": 0.5}


@pytest.mark.told
def test_how_many_states_are_in_use():
    loose, sticky = (HiddenChainSettings(**LEARNED, stickiness=kappa) for kappa in (0.0, 10.0))
    assert loose.series()[[6, 5]].tolist() == [2.9, 1.2]
    assert loose.law("used", 20).mean == pytest.approx(3.06, abs=5e-3)
    assert loose.law("changes", 20).mean == pytest.approx(4.53, abs=5e-3)
    assert sticky.law("changes", 20).mean == pytest.approx(1.10, abs=6e-3)
    assert loose.exact().moved[4] == pytest.approx(0.72, abs=5e-3)
    assert len(loose.exact().partitions) == 4_140
    limit = exact_states(loose.sampler(), limit=True)
    assert limit.states @ np.arange(9) == pytest.approx(3.41, abs=5e-3)
    assert wall("used", 20, **LEARNED, stickiness=0.0).mean() == pytest.approx(3.08)
    assert wall("changes", 20, **LEARNED, stickiness=10.0).mean() == pytest.approx(1.09)


@pytest.mark.told
def test_what_stickiness_adds():
    sampler = HiddenChainSettings(**LEARNED, stickiness=10.0).sampler()
    state = sampler.state([0] * 8)
    state.base = [0.3, *[0.1] * 7]
    row = sampler.row_prior(state)[0]
    assert row[0] / row.sum() == pytest.approx(0.936, abs=5e-4)
    state.base = [1.0] * 8  # as large as any weight may be
    assert (sampler.ordered_by_stickiness(state) > 0.9).all()


@pytest.mark.told
def test_sixty_hours_with_and_without_stickiness():
    """The mean of five chains: without stickiness they have quick copies, and with it states last."""
    assert changes_of(made_series(60, *MADE, 12)[1]) == 9
    found = {}
    for kappa in (0.0, 60.0):
        settings = HiddenChainSettings(**LEARNED, data="long", stickiness=kappa)
        chains = [Chain(settings.sampler(), seed) for seed in range(5)]
        found[kappa] = np.mean([[settings.measure(chain, t)["changes"] for t in (30, 40, 50)] for chain in chains])
    assert found[0.0] > 25
    assert found[60.0] < 12


@pytest.mark.told
def test_a_wrong_rule_counts_tables_of_stays():
    drawn = update(16, 2, 5, **LEARNED, stickiness=10.0, base_rule="stay tables counted")
    assert drawn.site == "base weights"
    assert not drawn.conditional.shares.any()
    assert np.diag(drawn.value.tables).sum() > 0
