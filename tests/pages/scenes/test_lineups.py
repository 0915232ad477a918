"""Lineups of four topics: nothing gives the data away before the answer, and a number finds what a model lacks."""

import json
from collections.abc import Iterator

import numpy as np
import pytest
from scipy import stats

from lessons.flow import Answers, Place
from lessons.settings.lineups import ROUNDS, LineupSettings
from lessons.topics import STAGES
from pages.contract.events import Open
from pages.contract.stage import stage_of
from pages.contract.waiting import NotYet
from pages.drawing.wall import LEAST
from pages.embed.standing import Standing
from pages.scenes.lineups import PlainRound
from pages.topics.generative.lineups import left_across
from pages.topics.gibbs_topics.lineups import beside_lines
from pages.topics.hidden_chain.lineups import steps_between
from pages.topics.logistic.lineups import unlike
from samplers import Chain
from samplers.diagnostics.lineup import TILES
from tests.pages.html import words
from tests.pages.laid import marks, scene_graph
from tests.pages.topics.every_film import film_of
from tests.samplers.diagnostics import found as lineups

SEED = 3
CAST = {
    "gibbs_topics": {"data": "bars", "documents": 10, "topics": 2},
    "hidden_chain": {"data": "long", "hours": 20, "method": "block"},
    "generative": {"data": "correlated", "points": 20},
    "logistic": {"data": "xor", "points": 20},
}
every = pytest.mark.parametrize("stage", CAST)


@pytest.fixture(autouse=True)
def shorter(monkeypatch):
    """Chains of 57 sweeps in place of 240: what holds for all rounds holds for any number of sweeps."""
    monkeypatch.setattr("lessons.settings.lineups.SWEEPS", 3 * np.arange(1, TILES))


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
def test_a_press_shows_the_data_and_then_leads_to_the_draw(stage):
    settings, place = of(stage), Standing(Place(stage, of(stage), seed=SEED, t=2), Answers())
    there = made(settings, 1)
    tile = 0 if there.place else 1
    stage_of(stage).open(place, Open("tile", tile + 1, 2))
    assert (place.t, place.settings) == (3, settings)
    stage_of(stage).open(place, Open("tile", there.place + 1, 3))
    assert (place.t, place.settings) == (3, settings), "the data come from no draw"
    stage_of(stage).open(place, Open("tile", tile + 1, 3))
    assert (place.settings, place.seed) == (there.settings, there.seed)
    assert np.array_equal(place.settings.observed(), there.tiles()[there.place])
    if stage in ("logistic", "generative"):
        assert place.t == place.settings.iterations, "where all is learned: the draws are from this posterior"
        return
    chain = Chain(place.settings.sampler(), place.seed)
    replicate = place.settings.replicate(chain.sampler, chain[place.t], (place.seed, place.t))
    assert np.array_equal(replicate, there.tiles()[tile])


@every
def test_discs_are_inside_their_tiles(stage):
    marks = stage_of(stage).of(of(stage)).marks(made(of(stage)))
    for places in (marks.x, marks.y):
        assert ((places >= 0) & (places <= 1)).all()
    assert marks.x.shape == marks.y.shape == marks.color.shape == marks.radius.shape


@every
def test_on_a_phone_a_tile_is_larger_its_points_are_seen_and_its_number_is_above_them(stage):
    """A quarter of the width in place of a fifth: a wide screen has five tiles in a row."""
    film = film_of(stage, of(stage).model_dump(), SEED)
    for size, columns in (((350, 330), 4), ((800, 480), 5)):
        drawn = [*marks(scene_graph(film, "lineup", 0, size))]
        discs = [(item["size"], x, y) for kind, item, x, y in drawn if kind == "symbol"]
        numbers = [item["text"] for kind, item, _, y in drawn if kind == "text" and y < 1]
        (high,) = {round(item["height"], 6) for kind, item, *_ in drawn if kind == "rect"}
        assert numbers == [str(number) for number in range(1, columns + 1)]
        assert min(y % high for _, _, y in discs) >= 3 + max(11, min(15, high / 5))
        assert stage == "gibbs_topics" or min(area for area, *_ in discs) >= LEAST**2


def found(stage: str, measure, many: int, sweeps: range, **changes) -> int:
    """Return in how many lineups, each of its own data, a number finds the data; chains are shorter than a lesson's."""
    hits = 0
    for number in range(many):
        settings = STAGES[stage].model_validate({**changes, "data_seed": number})
        if stage in ("logistic", "generative"):
            work = settings.replicates(number)
            next(work)
            with pytest.raises(StopIteration) as ended:
                next(work)
            replicates = iter(ended.value.value)
        else:
            replicates = from_chain(settings, number, sweeps)
        hits += len(lineups.found((settings.observed(), replicates), 4, {"it": measure}))
    return hits


def from_chain(settings: LineupSettings, seed: int, sweeps: range) -> Iterator[np.ndarray]:
    chain = Chain(settings.sampler(), seed)
    for sweep in sweeps:
        yield settings.replicate(chain.sampler, chain[sweep], (seed, sweep))


LACKS = {
    "a line too few": ("logistic", unlike, 20, {"data": "xor", "points": 40}),
    "no correlation": ("generative", left_across, 12, {"data": "correlated", "points": 80}),
    "states too short": ("hidden_chain", steps_between, 30, {"data": "long", "method": "block", "stay": 0.5}),
    "topics too few": ("gibbs_topics", beside_lines, 20, {"data": "bars", "documents": 20, "topics": 2}),
}


@pytest.mark.parametrize("lack", LACKS)
def test_what_a_model_lacks_is_found(lack):
    """More often than 60 %, at a level of 1 %."""
    stage, measure, many, settings = LACKS[lack]
    hits = found(stage, measure, many, range(11, 11 + TILES - 1), **settings)
    assert stats.binomtest(hits, many, 0.6, "greater").pvalue < 0.01


HAS = {
    "a line": ("logistic", unlike, 60, {"data": "overlapping", "points": 40}),
    "both together": ("generative", left_across, 15, {"data": "correlated", "points": 80, "grouping": "whole"}),
    "states that last": ("hidden_chain", steps_between, 40, {"data": "long", "method": "block", "stay": 0.92}),
}


@pytest.mark.parametrize("has", HAS)
def test_what_a_model_has_is_not(has):
    """No more often than one time in twenty, at a level of 1 %."""
    stage, measure, many, settings = HAS[has]
    hits = found(stage, measure, many, range(11, 11 + TILES - 1), **settings)
    assert stats.binomtest(hits, many, 1 / TILES, "greater").pvalue > 0.01


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
