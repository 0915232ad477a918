"""Lineups of four topics: nothing gives the data away before the answer, and a number finds what a model lacks."""

import json

import numpy as np
import pytest
from scipy import stats

from lessons.settings.lineups import ROUNDS, LineupSettings
from lessons.topics import STAGES
from pages.contract.stage import stage_of
from pages.contract.waiting import NotYet
from pages.scenes.lineups import PlainRound
from pages.topics.generative.lineups import left_across
from pages.topics.gibbs_topics.lineups import beside_lines
from pages.topics.hidden_chain.lineups import steps_between
from pages.topics.logistic.lineups import unlike
from samplers import Chain
from samplers.diagnostics.lineup import TILES, line_up, stands_out
from tests.pages.html import words
from tests.pages.topics.every_film import film_of

SEED = 3
CAST = {
    "gibbs_topics": {"data": "bars", "documents": 10, "topics": 2},
    "hidden_chain": {"data": "long", "hours": 20, "method": "block"},
    "generative": {"data": "correlated", "points": 20},
    "logistic": {"data": "xor", "points": 20},
}
every = pytest.mark.parametrize("stage", CAST)


def of(stage: str, **changes) -> LineupSettings:
    return STAGES[stage].model_validate({**CAST[stage], "shown": "lineup", **changes})


def made(settings: LineupSettings, number: int = 0) -> PlainRound:
    """Return a round whose replicates are drawn."""
    found = PlainRound(settings, SEED, number)
    while not found.drawn.grow(60):
        pass
    return found


def card(settings: LineupSettings, stage: str, view: str, t: int) -> str:
    while True:
        try:
            return words(stage_of(stage).cards(settings, SEED, view, t))
        except NotYet:
            continue


@every
def test_before_the_answer_no_frame_or_card_says_which_tile_it_is(stage):
    settings = of(stage)
    film, other = (film_of(stage, settings.model_dump(), seed) for seed in (SEED, SEED + 1))
    assert settings.place(SEED, 0) != settings.place(SEED + 1, 0)
    for t in (0, 2 * ROUNDS - 2):
        film.reach(t + 1)
        hidden, shown = film.frames(t, t + 1), film.frames(t + 1, t + 2)
        assert not hidden["tiles", "shown"].any()
        assert np.isnan(hidden["say", "tile"]).all()
        assert np.flatnonzero(shown["tiles", "shown"][0]).tolist() == [settings.place(SEED, t)]
        for column in ("x", "y", "radius", "color"):
            assert np.array_equal(hidden["discs", column], shown["discs", column]), "the tiles stay"
        for view in settings.views:
            if view not in ("code", "model"):
                assert card(settings, stage, view, t).startswith("Press the tile")
    stays = ({**one.described(), "chain": ""} for one in (film, other))
    assert len({json.dumps(one, sort_keys=True) for one in stays}) == 1


@every
def test_after_it_the_card_has_the_number_of_each_tile_and_the_outcome_is_the_tile(stage):
    settings = of(stage)
    first, other = (made(settings, number) for number in (0, 1))
    assert first.settings.data_seed + 1 == other.settings.data_seed
    assert np.array_equal(first.tiles()[first.place], first.settings.observed())
    assert len(np.unique(first.tiles(), axis=0)) == TILES
    view = next(view for view in settings.views if view not in ("code", "model"))
    assert f"tile {first.place + 1}, the data" in card(settings, stage, view, 1)
    chain = Chain(settings.sampler(), SEED)
    assert [settings.measure(chain, t)["tile"] for t in (0, 1, 2)] == [first.place + 1] * 2 + [other.place + 1]
    alone = settings.model_copy(update={"shown": "run"})
    assert (alone.measure(chain, 0)["tile"], alone.lined_up, alone.mode != settings.mode) == (0, False, True)


@every
def test_discs_are_inside_their_tiles(stage):
    marks = stage_of(stage).of(of(stage)).marks(made(of(stage)))
    for places in (marks.x, marks.y):
        assert ((places >= 0) & (places <= 1)).all()
    assert marks.x.shape == marks.y.shape == marks.color.shape == marks.radius.shape


def found(stage: str, measure, lineups: int, sweeps: range, **changes) -> int:
    """Return in how many lineups, each of its own data, a number finds the data; chains are shorter than a lesson's."""
    hits = 0
    for number in range(lineups):
        settings = STAGES[stage].model_validate({**changes, "data_seed": number})
        if stage in ("logistic", "generative"):
            work = settings.replicates(number)
            next(work)
            with pytest.raises(StopIteration) as ended:
                next(work)
            replicates = ended.value.value
        else:
            chain = Chain(settings.sampler(), number)
            replicates = [settings.replicate(chain.sampler, chain[sweep], (number, sweep)) for sweep in sweeps]
        hits += stands_out(line_up(settings.observed(), replicates, 4), measure) == 4
    return hits


LACKS = {
    "a line too few": ("logistic", unlike, 20, {"data": "xor", "points": 40}),
    "no correlation": ("generative", left_across, 12, {"data": "correlated", "points": 80}),
    "states too short": ("hidden_chain", steps_between, 30, {"data": "long", "method": "block", "stay": 0.5}),
    "topics too few": ("gibbs_topics", beside_lines, 10, {"data": "bars", "documents": 20, "topics": 2}),
}


@pytest.mark.parametrize("lack", LACKS)
def test_what_a_model_lacks_is_found(lack):
    """More often than 60 %, at a level of 1 %."""
    stage, measure, lineups, settings = LACKS[lack]
    hits = found(stage, measure, lineups, range(11, 11 + TILES - 1), **settings)
    assert stats.binomtest(hits, lineups, 0.6, "greater").pvalue < 0.01


HAS = {
    "a line": ("logistic", unlike, 60, {"data": "overlapping", "points": 40}),
    "both together": ("generative", left_across, 15, {"data": "correlated", "points": 80, "grouping": "whole"}),
    "states that last": ("hidden_chain", steps_between, 40, {"data": "long", "method": "block", "stay": 0.92}),
}


@pytest.mark.parametrize("has", HAS)
def test_what_a_model_has_is_not(has):
    """No more often than one time in twenty, at a level of 1 %."""
    stage, measure, lineups, settings = HAS[has]
    hits = found(stage, measure, lineups, range(11, 11 + TILES - 1), **settings)
    assert stats.binomtest(hits, lineups, 1 / TILES, "greater").pvalue > 0.01


def test_lineups_are_where_replicates_can_be_drawn():
    no = {
        "gibbs_topics": ({"data": "tiny"}, {"number": "learned"}, {"rule": "one beta below"}),
        "hidden_chain": ({"data": "eight"}, {"compare": "other"}, {"block_rule": "largest, not sum"}),
        "generative": ({"data": "words"}, {"method": "labels"}, {"rule": "no pseudo-counts"}),
        "logistic": ({"data": "three"}, {"prior": "flat"}, {"rule": "no prior in H"}),
    }
    for stage, cases in no.items():
        for changes in cases:
            settings = of(stage, **changes)
            assert settings.mode != "lineup", changes
            assert not settings.matters("shown")
