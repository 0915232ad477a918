"""The films, the cards and the summary of a ladder on a density against the states and the records of its sampler."""

import re

import numpy as np
import pytest

from lessons.topics.walk_the_hill import WalkTheHillSettings
from lessons.topics.walk_the_hill.walks import ITERATIONS
from pages.contract.stage import stage_of
from pages.topics.walk_the_hill.film import CURVE
from pages.topics.walk_the_hill.ladder import ridges
from pages.topics.walk_the_hill.walks import ladder_of
from samplers import Chain
from samplers.gradient.plane_targets import PLANE_TARGETS
from tests.pages.html import words

STAGE, SEED = stage_of("walk_the_hill"), 7
HILLS = PLANE_TARGETS["two hills"]


def shown(last, **changes):
    settings = WalkTheHillSettings(**{"method": "tempering", "target": "two hills"} | changes)
    film = STAGE.film(settings, SEED)
    film.reach(last)
    return settings, film, film.frames(0, last + 1), Chain(settings.sampler(), SEED)


def check_walkers(frames, t, state):
    """Each walker's row has the level and the place where it is, and the log density there, without a power."""
    for level, (walker, now) in enumerate(zip(state.walkers, state.levels, strict=True)):
        assert frames["walkers", "level"][t, walker] == level
        place = [frames["walkers", name][t, walker] for name in ("across", "up")]
        assert place == pytest.approx(now.position, rel=1e-6)
        assert frames["walkers", "height"][t, walker] == pytest.approx(HILLS.log_density(now.position), rel=1e-5)


def test_every_iteration_shows_all_walkers_and_the_draws_of_the_cold_level():
    _, film, frames, chain = shown(40)
    assert film.total == ITERATIONS
    cold = []
    for t in range(41):
        state = chain[t]
        check_walkers(frames, t, state)
        assert [frames["past", name][t, 0] for name in "xy"] == pytest.approx(state.cold.position, rel=1e-6)
        assert frames["say", "walker"][t] == state.walkers[0]
        assert [frames["past", f"level{walker}"][t, 0] for walker in state.walkers] == [0, 1, 2, 3]
        cold.append(state.cold.position)
    right = HILLS.on_the_right(np.array(cold[1:]))
    shares = 100 * np.cumsum(right) / np.arange(1, 41)
    assert np.isnan(frames["past", "right"][0, 0])
    assert frames["past", "right"][1:, 0] == pytest.approx(shares, abs=0.051)
    assert film.data["exact"]["right"] == [33.36]


def test_the_share_of_hills_is_shown_for_other_samplers_on_two_hills_alone():
    names = {
        target: [chart.name for chart in STAGE.film(WalkTheHillSettings(target=target), SEED).charts]
        for target in ("two hills", "two means", "ring")
    }
    assert names["two hills"] == names["two means"] == ["plane", "energy", "hills"]
    assert names["ring"] == ["plane", "energy"]


@pytest.mark.parametrize("levels", [2, 4])
def test_every_beat_shows_what_the_record_says(levels):
    settings, film, frames, chain = shown(1 + 3 * (levels - 1), step_by="leapfrog", iteration=9, levels=levels)
    before, step, after = chain[8], chain.record(9), chain[9]
    assert film.total == settings.iterations
    check_walkers(frames, 0, before)
    check_walkers(frames, film.total, after)
    assert len(film.data["draws"]["x"]) == 9
    for number, swap in enumerate(step.swaps):
        pair, ratio, dice = range(2 + 3 * number, 5 + 3 * number)
        assert set(frames["swap", "low"][pair : dice + 1, 0]) == {swap.level}
        assert np.isnan(frames["ratio", "value"][pair]).all()
        assert frames["ratio", "value"][ratio].tolist() == pytest.approx([*swap.terms.values(), swap.log_ratio])
        assert frames["dice", "at"][dice, 0] == pytest.approx(swap.uniform)
        assert frames["swap", "decided"][dice, 0] == (1 if swap.accepted else 2)
        said = STAGE.written(settings, SEED, "step", dice)
        assert ("<b>accepted</b>" in said) == swap.accepted
        assert f"{swap.uniform:.3f}" in said
    moved = re.findall(r"level (\d) (moves|stays)", words(STAGE.written(settings, SEED, "step", 1)))
    assert [word == "moves" for _, word in moved] == [proposal.accepted for proposal in step.own]


def test_a_wrong_rule_shows_what_it_computes_and_its_line():
    settings, *_, chain = shown(4, step_by="leapfrog", iteration=9, swap_rule="β of the other level")
    swap = chain.record(9).swaps[0]
    (colder, _), (here, there) = swap.exponents, swap.log_densities
    assert swap.terms["hotter"] == pytest.approx(colder * (here - there))
    assert "super().terms(exponents[::-1], here, there)" in words(STAGE.cards(settings, SEED, "code", 4))


def test_the_pass_of_each_levels_curve_is_as_low_as_it_is_told():
    """On a lesson's curves, 91 times less dense to the power β: a margin's pass is another's."""
    chosen = WalkTheHillSettings(target="two hills", method="tempering")
    exponents = chosen.sampler().exponents
    tops, passes = np.array(
        [curve[[curve[: CURVE // 2].argmax(), _lowest(curve)]] for curve in ridges("two hills", exponents)]
    ).T
    assert tops / passes == pytest.approx(91 ** np.array(exponents), rel=0.15)
    assert tops[-1] / passes[-1] == pytest.approx(1.57, abs=0.02)


def _lowest(curve):
    """Return the place of the pass between two tops."""
    return CURVE // 3 + curve[CURVE // 3 : 2 * CURVE // 3].argmin()


def test_the_summary_has_the_share_of_the_hill_and_of_accepted_swaps():
    settings = WalkTheHillSettings(method="tempering", target="two hills")
    run = ladder_of(settings, SEED)
    run.reach(200)
    said = words(STAGE.cards(settings, SEED, "summary", 200))
    share = HILLS.on_the_right(run.positions[1:201]).mean()
    assert f"on the right hill {share:.2f} ±" in said
    assert "200 draws of level 1 for 800 evaluations of the density" in said
    chain = Chain(settings.sampler(), SEED)
    coldest = np.mean([chain.record(t).swaps[-1].accepted for t in range(1, 201)])
    assert f"upwards: {coldest:.0%}".replace("%", " %") in said


def test_outcomes_of_a_ladder():
    settings = WalkTheHillSettings(method="tempering", target="two hills")
    chain = Chain(settings.sampler(), SEED)
    found = settings.measure(chain, 30)
    right = HILLS.on_the_right(np.array([chain[t].cold.position for t in range(1, 31)]))
    assert found["right"] == round(100 * right.mean(), 1)
    assert found["walker"] == chain[30].walkers[0] + 1
    assert settings.measure(chain, 0)["right"] == 0
    assert WalkTheHillSettings().measure(Chain(WalkTheHillSettings().sampler(), 1), 5)["right"] == 0
