"""The films and the cards of a ladder against the states and the records of its sampler."""

import json
import math
import re

import numpy as np
import pytest

from lessons.topics.jumps import JumpsSettings
from pages.contract.stage import stage_of
from pages.topics.jumps.ladder import LARGE, ladder
from samplers import Chain
from samplers.jumps.split_merge import evaluations
from tests.pages.waiting import waited

STAGE, SEED = stage_of("jumps"), 7
LADDER = {"method": "tempering"}


def shown(last, **settings):
    chosen = JumpsSettings(**LADDER, **settings)
    film = waited(lambda: STAGE.film(chosen, SEED))
    waited(lambda: film.reach(last))
    return chosen, film, film.frames(0, last + 1), Chain(chosen.sampler(), SEED)


def check_ladder(frames, t, state, sampler):
    """Each walker's row has the level where it is, and what it carries there."""
    points = len(state.cold.labels)
    for level, (walker, now) in enumerate(zip(state.walkers, state.levels, strict=True)):
        assert frames["walkers", "level"][t, walker] == level
        assert frames["walkers", "tables"][t, walker] == len(now.clusters)
        assert frames["walkers", "joint"][t, walker] == pytest.approx(sampler.log_density(now), abs=1e-4)
        own = slice(walker * points, (walker + 1) * points)
        assert frames["tiles", "label"][t, own].tolist() == now.labels
        assert set(frames["tiles", "level"][t, own]) == {level}


@pytest.mark.parametrize("second", ["none", "gibbs"])
def test_every_sweep_shows_all_levels_and_the_cold_one_on_the_charts(second):
    settings, film, frames, chain = shown(30, second=second)
    assert film.total == settings.iterations
    for t in range(31):
        state = chain[t]
        check_ladder(frames, t, state, chain.sampler)
        assert frames["points_a", "label"][t].tolist() == state.cold.labels
        assert frames["say", "tables"][t] == len(state.cold.clusters)
        assert frames["say", "walker"][t] == state.walkers[0]
        paths = [frames["past", f"level{walker}"][t, 0] for walker in range(4)]
        assert [paths[walker] for walker in state.walkers] == [0, 1, 2, 3]
    assert ("points_b", "label") in frames or second == "none"


@pytest.mark.parametrize("levels", [2, 4])
def test_every_beat_shows_what_the_record_says(levels):
    settings, film, frames, chain = shown(1 + 3 * (levels - 1), step_by="update", sweep=9, levels=levels)
    before, step, after = chain[8], chain.record(9), chain[9]
    assert film.total == settings.iterations
    check_ladder(frames, 0, before, chain.sampler)
    check_ladder(frames, film.total, after, chain.sampler)
    assert sorted(frames["walkers", "joint"][1]) == pytest.approx(
        sorted(map(chain.sampler.log_density, step.between)), abs=1e-4
    )
    for number, swap in enumerate(step.swaps):
        pair, ratio, dice = range(2 + 3 * number, 5 + 3 * number)
        assert set(frames["swap", "low"][pair : dice + 1, 0]) == {swap.level}
        assert np.isnan(frames["ratio", "value"][pair]).all()
        assert frames["ratio", "value"][ratio].tolist() == pytest.approx([*swap.terms.values(), swap.log_ratio])
        assert frames["dice", "p"][ratio, 0] == pytest.approx(swap.probability)
        assert np.isnan(frames["dice", "at"][ratio, 0])
        assert (frames["dice", "at"][dice, 0] < frames["dice", "p"][dice, 0]) == swap.accepted
        assert frames["swap", "decided"][dice, 0] == (1 if swap.accepted else 2)
        changed = (frames["walkers", "level"][dice] != frames["walkers", "level"][ratio]).sum()
        assert changed == 2 * swap.accepted
        said = waited(lambda t=dice: STAGE.written(settings, SEED, "update", t))
        assert ("<b>accepted</b>" in said) == swap.accepted
        assert f"{swap.uniform:.3f}" in said


def numbers(html):
    text = re.sub("<[^>]+>", " ", html).replace("−", "-")
    return [float(found) for found in re.findall(r"-?\d+\.\d+", text)]


def test_the_card_has_the_numbers_of_the_ratio_in_its_formula():
    settings, _, _, chain = shown(3, step_by="update", sweep=9)
    swap = chain.record(9).swaps[0]
    here, there = swap.log_densities
    card = waited(lambda: STAGE.written(settings, SEED, "update", 3)).split("Ratio")[1].split("Decide")[0]
    colder, hotter = swap.exponents
    expected = [colder, there - here, colder * (there - here), hotter, here - there, hotter * (here - there)]
    assert numbers(card) == pytest.approx([*expected, swap.log_ratio], abs=6e-3)


def test_a_wrong_rule_shows_what_it_computes_and_its_line():
    settings, *_, chain = shown(4, step_by="update", sweep=9, swap_rule="hotter level left out")
    swap = chain.record(9).swaps[0]
    assert swap.terms["hotter"] == 0
    card = waited(lambda: STAGE.written(settings, SEED, "update", 4)).split("Ratio")[1].split("Decide")[0]
    assert numbers(card)[-2:] == pytest.approx([0, swap.terms["colder"]], abs=6e-3)
    code = waited(lambda: STAGE.written(settings, SEED, "code", 4))
    assert "{HOTTER: 0.0}" in re.sub("<[^>]+>", "", code)
    assert "wrong" in code


def test_what_a_draw_costs_counts_all_levels():
    settings = JumpsSettings(**LADDER)
    scene = waited(lambda: STAGE.scene(settings, SEED))
    waited(lambda: scene.grow(40) >= 40 or scene.grow(40))
    chain = Chain(settings.sampler(), SEED)
    spent = [sum(map(evaluations, chain.record(t).own)) for t in range(1, 21)]
    assert scene.runs[0].evaluations[1:21].tolist() == spent
    assert min(spent) > 4 * 8 * 2 - 1
    assert "Parallel tempering" in waited(lambda: STAGE.written(settings, SEED, "cost", 40))


def test_what_a_sweep_is_measured_by():
    settings = JumpsSettings(**LADDER)
    chain = Chain(settings.sampler(), SEED)
    for t in (0, 5, 9):
        found = settings.measure(chain, t)
        assert found["tables"] == len(chain[t].cold.clusters)
        assert found["hot_tables"] == len(chain[t].levels[-1].clusters)
        assert found["walker"] == chain[t].walkers[0] + 1
        accepted = [swap.accepted for swap in chain.record(t).swaps] if t else []
        assert (found["moved"] > 0) == any(accepted)
        assert found["moved"] <= 2 * sum(accepted)
        assert math.isnan(found["log_ratio"])


def test_points_of_low_rows_can_be_told_apart():
    spec = str(ladder(4, LARGE))
    assert f"? {LARGE} : 36" in spec, "6 pixels across, where a row is 27 high"


def test_a_low_row_has_one_line_of_text_and_no_second_over_it():
    """A canvas draws a text of 0 pixels at 11, so what a low row has no room for is no text at all."""
    spec = json.dumps(ladder(4, LARGE))
    assert '"fontSize": {"expr": "height / 4 > 45' not in spec
    for second in ("'β = '", "'log joint '"):
        assert f"height / 4 > 45 ? ({second}" in spec.encode().decode("unicode_escape")
