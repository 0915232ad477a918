"""Lineups of blobs: nothing gives the data away before the answer, and each replicate is that of its draw."""

import json
from collections.abc import Iterator
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import stats

from lessons.settings.lineups import FORGOTTEN, LAST, REPLICATED, ROUNDS, SWEEPS
from lessons.topics.gibbs_blobs import GibbsBlobsSettings
from pages.contract.events import Open
from pages.contract.waiting import NotYet
from pages.scenes.lineups import BEYOND, shares
from pages.topics.gibbs_blobs import GibbsBlobsStage
from pages.topics.gibbs_blobs.chains import chains_only, scene_of
from pages.topics.gibbs_blobs.check import replicates
from pages.topics.gibbs_blobs.lineups import Round
from samplers import Chain
from samplers.diagnostics.lineup import TILES, share_above, stands_out
from samplers.diagnostics.predictive_checks import to_the_nearest
from tests.pages.html import words
from tests.pages.topics.every_film import film_of
from tests.samplers.diagnostics import found as lineups

SMALL = GibbsBlobsSettings(data="three_blobs", points=20, number=2, shown="lineup")
LESSON = {"data": "three_blobs", "points": 90, "start": "k-means++", "shown": "lineup"}
SEED = 3
CAST = {
    "finite": SMALL,
    "uncollapsed": SMALL.model_copy(update={"blocks": "uncollapsed"}),
    "CRP": SMALL.model_copy(update={"model": "CRP"}),
    "line": GibbsBlobsSettings(data="two_humps", points=16, shown="lineup"),
}
short = pytest.mark.usefixtures("shorter")


def every(test):
    """Test all settings, in short chains."""
    return short(pytest.mark.parametrize("settings", CAST.values(), ids=CAST.keys())(test))


@pytest.fixture
def shorter(monkeypatch):
    """Chains of 57 sweeps in place of 240: what holds for all rounds holds for any number of sweeps."""
    sweeps = 3 * np.arange(1, TILES)
    for module in ("lessons.settings.lineups", "pages.topics.gibbs_blobs.lineups"):
        monkeypatch.setattr(f"{module}.SWEEPS", sweeps)
    for module in ("lessons.topics.gibbs_blobs", "pages.topics.gibbs_blobs.lineups"):
        monkeypatch.setattr(f"{module}.LAST", int(sweeps[-1]))


def played(settings: GibbsBlobsSettings, seed: int, number: int) -> Round:
    """Return a round whose chain is made."""
    made = Round(settings, seed, number)
    while not made.grow():
        pass
    return made


def card(settings: GibbsBlobsSettings, seed: int, view: str, t: int) -> str:
    while True:
        try:
            return words(GibbsBlobsStage().cards(settings, seed, view, t))
        except NotYet:
            continue


@every
def test_before_the_answer_no_frame_card_or_word_says_which_tile_it_is(settings):
    """Tiles differ in their points alone; another place would leave all else as it is."""
    film, other = (film_of("gibbs_blobs", settings.model_dump(), seed) for seed in (SEED, SEED + 1))
    assert settings.place(SEED, 0) != settings.place(SEED + 1, 0)
    for t in range(0, film.total, 2):
        film.reach(t + 1)
        hidden, shown = film.frames(t, t + 1), film.frames(t + 1, t + 2)
        assert not hidden["tiles", "shown"].any()
        assert np.isnan(hidden["say", "tile"]).all()
        assert np.flatnonzero(shown["tiles", "shown"][0]).tolist() == [settings.place(SEED, t)]
        assert shown["say", "tile"][0, 0] == settings.place(SEED, t) + 1
        assert np.array_equal(hidden["discs", "x"], shown["discs", "x"]), "the tiles stay"
        for view in settings.views:
            if view not in ("code", "model"):
                assert card(settings, SEED, view, t).startswith("Press the tile")
    stays = ({**one.described(), "chain": ""} for one in (film, other))
    assert len({json.dumps(one, sort_keys=True) for one in stays}) == 1


def test_the_data_are_on_each_tile_equally_often():
    seeds = 4_000
    for t in (0, 4):
        places = [SMALL.place(seed, t) for seed in range(seeds)]
        assert places == [SMALL.place(seed, t + 1) for seed in range(seeds)], "both steps of a round"
        assert stats.chisquare(np.bincount(places, minlength=TILES)).pvalue > 1e-4


@every
def test_a_tile_is_the_replicate_of_its_draw(settings):
    for number in (0, ROUNDS - 1):
        made = played(settings, SEED, number)
        own, seed = settings.of_round(SEED, 2 * number)
        assert own.data_seed == settings.data_seed + number
        chain, tiles = Chain(own.sampler(), seed), made.tiles()
        assert np.array_equal(tiles[made.place], own.dataset().data)
        for tile in {0, 7, TILES - 1} - {made.place}:
            sweep = own.drawn_at(tile - (tile > made.place))
            labels = chain[sweep].assignments
            assert np.array_equal(tiles[tile], own.replicate(own.sampler(), labels, (seed, sweep)))
    assert SWEEPS[0] > FORGOTTEN


class Pressing(SimpleNamespace):
    """A place that remembers where a press leads."""

    def change(self, **changes) -> None:
        self.settings = self.settings.model_copy(update=changes)

    def move(self, t: int) -> None:
        self.t = t


@short
def test_a_press_shows_the_data_and_then_leads_to_the_draw():
    stage, place = GibbsBlobsStage(), Pressing(settings=SMALL, seed=SEED, t=2)
    made = played(SMALL, SEED, 1)
    tile = (made.place + 1) % TILES
    sweep = made.settings.drawn_at(tile - (tile > made.place))
    stage.open(place, Open("tile", tile + 1, 2))
    assert (place.t, place.settings) == (3, SMALL)
    stage.open(place, Open("tile", made.place + 1, 3))
    assert (place.t, place.settings) == (3, SMALL), "the data come from no draw"
    stage.open(place, Open("tile", tile + 1, 3))
    assert (place.t, place.settings.mode, place.seed) == (sweep, "chain", SEED + 1)
    there = chains_only(place.settings, place.seed)
    assert np.array_equal(there.data, made.scene.data)
    assert np.array_equal(replicates(there, np.array([place.t]))[0], made.tiles()[tile])


@every
def test_the_outcome_is_the_tile(settings):
    chain = Chain(settings.sampler(), SEED)
    assert [settings.measure(chain, t)["tile"] for t in (0, 1, 4)] == [settings.place(SEED, t) + 1 for t in (0, 1, 4)]
    assert settings.model_copy(update={"shown": "chain"}).measure(chain, 0)["tile"] == 0


def test_points_stay_in_their_tiles_and_tiles_are_cut_off_alike():
    """A range made for the data would give them away, as they alone could not reach beyond it."""
    made = played(CAST["CRP"], SEED, 0)
    marks = made.marks()
    assert ((marks.x >= 0) & (marks.x <= 1) & (marks.y >= 0) & (marks.y <= 1)).all()
    values, order = made.tiles()[:, :, 0], np.random.default_rng(1).permutation(TILES)
    found = shares(values)
    assert ((found == 0).any(axis=1).sum(), (found == 1).any(axis=1).sum()) <= (BEYOND, BEYOND)
    assert np.array_equal(shares(values[order]), found[order]), "whichever of them is the data"


def test_lineups_are_of_points_and_of_one_chain():
    for changes in ({"model": "MFM"}, {"components": "multinomial"}, {"second": "seed"}, {"data": "two_directions"}):
        settings = SMALL.model_copy(update=changes)
        assert settings.mode == "chain"
        assert not settings.matters("shown")
    assert "A check draws replicates of one chain" in words(
        GibbsBlobsStage().cards(GibbsBlobsSettings(model="MFM", points=20), 1, "check", 0)
    )


def found(components: int, many: int) -> int:
    """Return in how many lineups of the lesson's kind, each of its own data, the number finds the data."""
    hits = 0
    for number in range(many):
        settings = GibbsBlobsSettings(**LESSON, number=components, data_seed=number)
        hits += len(lineups.found((settings.dataset().data, from_chain(settings, number)), 4, {"it": to_the_nearest}))
    return hits


def from_chain(settings: GibbsBlobsSettings, seed: int) -> Iterator[np.ndarray]:
    """Yield replicates from sweep 3 on: the start of the lesson's chains, k-means++, is near the data's components."""
    chain = Chain(settings.sampler(), seed)
    for sweep in range(3, 3 + TILES - 1):
        yield settings.replicate(chain.sampler, chain[sweep].assignments, (seed, sweep))


def test_with_a_component_too_few_a_number_finds_the_data():
    """More often than 60 %, at a level of 1 %; with all three, no more than one time in twenty, to the same level."""
    assert stats.binomtest(found(2, 160), 160, 0.6, "greater").pvalue < 0.01
    assert stats.binomtest(found(3, 80), 80, 1 / TILES, "greater").pvalue > 0.01


@pytest.mark.told
def test_the_number_of_the_lesson():
    settings = GibbsBlobsSettings(**LESSON, number=2)
    made = played(settings, 1, 1)
    theirs = [to_the_nearest(each) for each in replicates(made.scene, np.arange(FORGOTTEN + 1, LAST + 1))]
    share = share_above(to_the_nearest(made.scene.data), np.array(theirs))
    assert (share.above, round(share.error or 0, 4)) == (0.995, 0.0049)
    assert round(share.above * REPLICATED) == 199
    assert "in 199 of 200 sets, a share of 0.995 ± 0.0049" in card(settings, 1, "check", 3)


@pytest.mark.told
def test_where_the_number_looks_with_three_components():
    assert stands_out(played(GibbsBlobsSettings(**LESSON, number=3), 1, 2).tiles(), to_the_nearest) + 1 == 9


def test_the_check_of_a_chain_is_that_of_its_sweeps():
    scene = scene_of(SMALL.model_copy(update={"shown": "chain"}), SEED)
    scene.run.grow(30, seconds=20)
    html = card(SMALL.model_copy(update={"shown": "chain"}), SEED, "check", 30)
    assert "15 sets of 20 new points, one each from sweeps 16 to 30" in html
