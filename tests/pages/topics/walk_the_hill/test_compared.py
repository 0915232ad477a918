"""Three samplers with the same number of gradients, two chains with R-hat, and what is said of draws so far."""

import numpy as np
import pytest

from lessons.topics.walk_the_hill import WalkTheHillSettings
from lessons.topics.walk_the_hill.walks import GRADIENTS
from pages.topics.walk_the_hill import WalkTheHillStage
from pages.topics.walk_the_hill.compared import EVERY, KNOWN, NONE, TOO_FEW, pair_film, race_film, told
from samplers.diagnostics.convergence import diagnose
from tests.pages.html import words

scene_of = WalkTheHillStage().scene

SEED = 3


def race(**changes):
    found = scene_of(WalkTheHillSettings(layout="three samplers", **changes), SEED)
    while found.grow(found.total) < found.total:
        pass
    return found


@pytest.mark.parametrize("steps", [5, 16])
def test_at_every_frame_no_sampler_has_spent_more_gradients_than_the_others(steps):
    three = race(leapfrog_steps=steps, target="banana")
    assert three.total == GRADIENTS // steps
    frames = np.arange(three.total + 1)
    many = {name: three.iterations(name, 0, three.total + 1) for name in three.by_name}
    assert (many["Metropolis"] == frames * steps).all()
    spent = {name: np.cumsum(three.by_name[name].leapfrogs, dtype=int)[many[name]] for name in ("HMC", "NUTS")}
    assert (spent["HMC"] <= frames * steps).all()
    assert (spent["NUTS"] <= frames * steps).all()
    left = frames * steps - spent["NUTS"]
    assert (left < 64).all(), "less than another path of NUTS could take"
    after = three.by_name["NUTS"].leapfrogs[many["NUTS"] + 1]
    assert (left < after)[many["NUTS"] < three.by_name["NUTS"].made].all(), "the next path would have been too dear"


def test_each_sampler_has_its_draws_and_its_effective_sample_size():
    three = race()
    film = race_film(three)
    frames = film.frames(0, three.total + 1)
    for name, run in three.by_name.items():
        own, many = name.lower(), three.iterations(name, 0, three.total + 1)
        np.testing.assert_allclose(frames["past", f"x_{own}"][:, 0], run.positions[many, 0], rtol=1e-6)
        assert np.isnan(frames["say", f"size_{own}"][:EVERY]).all()
        assert (frames["say", f"how_{own}"][:EVERY] == TOO_FEW).all()
        at = three.total - three.total % EVERY
        draws = run.positions[1 : many[at] + 1]
        assert frames["say", f"size_{own}"][at, 0] == round(min(diagnose(axis).ess_bulk for axis in draws.T))
        assert frames["say", f"how_{own}"][at, 0] == KNOWN
    walks, rolls = (frames["say", f"size_{own}"][-1, 0] for own in ("metropolis", "hmc"))
    assert 3 * walks < rolls, "on a long hill the gradient is worth its price"


def test_what_is_said_of_three_samplers_is_that():
    three = race()
    said = words(WalkTheHillStage().cards(three.settings, SEED, "summary", three.total))
    for name, run in three.by_name.items():
        many = int(three.iterations(name, three.total, three.total + 1)[0])
        assert f"{diagnose(run.positions[1 : many + 1, 0]).ess_bulk:,.0f}" in said
    assert "2,000 gradients for each" in said


def test_two_chains_begin_in_opposite_corners_and_share_the_margins():
    pair = scene_of(WalkTheHillSettings(layout="two chains", target="two hills", scale=0.3, method="Metropolis"), SEED)
    assert pair.grow(60) == 60
    first, second = pair.runs
    assert first.positions[0] == pytest.approx(-second.positions[0])
    frames = pair_film(pair).frames(0, 61)
    draws = pair.draws(60)
    assert frames["say", "rhat"][60, 0] == pytest.approx(
        max(diagnose(draws[:, :, axis]).rhat for axis in (0, 1)), abs=1e-3
    )
    assert frames["say", "rhat"][60, 0] > 1.5, "each is on a hill of its own"
    counts = first.counts[60].astype(int) + second.counts[60]
    assert counts.sum() == 240
    np.testing.assert_allclose(frames["bars_x", "h"][60] / frames["bars_x", "h"][60].sum(), counts[0] / 120, atol=1e-6)
    said = words(WalkTheHillStage().cards(pair.settings, SEED, "summary", 60))
    assert "120 draws of two chains" in said
    assert f"{diagnose(draws[:, :, 0]).rhat:.3f}" in said


def test_an_r_hat_waits_for_enough_draws_and_says_so():
    pair = scene_of(WalkTheHillSettings(layout="two chains", target="two hills", method="Metropolis"), SEED)
    assert pair.grow(40) == 40
    said = {name: values[:, 0] for (of, name), values in pair_film(pair).frames(0, 41).items() if of == "say"}
    assert (said["how"][:20] == TOO_FEW).all()
    assert np.isnan(said["rhat"][:20]).all()
    assert (said["how"][20:] == KNOWN).all()
    assert "too few draws" in words(WalkTheHillStage().cards(pair.settings, SEED, "summary", 19))
    assert "too few draws" not in words(WalkTheHillStage().cards(pair.settings, SEED, "summary", 20))


def test_what_cannot_be_told_is_said():
    assert told([1.02, 1.1], np.max, False) == (1.1, KNOWN)
    assert told([1.1, None], np.max, True)[1] == TOO_FEW
    assert told([1.1, None], np.max, False)[1] == NONE, "x stands still"


def test_so_far_counts_the_iterations_that_moved():
    """A goal of a lesson asks for them."""
    settings = WalkTheHillSettings(method="HMC", step_size=0.6)
    run = scene_of(settings, SEED).run
    run.reach(200, "")
    moved = sum((run.positions[t] != run.positions[t - 1]).any() for t in range(1, 201))
    assert 0 < moved < 200
    assert f"{moved} of 200 iterations moved it" in words(WalkTheHillStage().cards(settings, SEED, "summary", 200))


def test_a_few_draws_say_nothing_yet():
    for changes in ({}, {"layout": "two chains"}, {"layout": "three samplers"}):
        assert "Too few draws" in WalkTheHillStage().cards(WalkTheHillSettings(**changes), SEED, "summary", 4)
    late = WalkTheHillSettings(method="NUTS", tuning="warm-up")
    assert "200 iterations are warm-up" in WalkTheHillStage().cards(late, SEED, "summary", 60)


def test_a_run_is_held_against_the_exact_means():
    settings = WalkTheHillSettings(target="two hills", method="HMC")
    said = words(WalkTheHillStage().cards(settings, SEED, "summary", 100))
    assert "−0.63" in said
    assert "100 draws for 1,000 gradients" in said
