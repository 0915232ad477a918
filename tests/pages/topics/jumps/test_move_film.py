"""The film and the cards of an opened move against the record of the sampler, and the exact posterior on a wall."""

import math

import numpy as np
import pytest

from lessons.topics.jumps import JumpsSettings
from pages.contract.stage import stage_of
from samplers import Chain
from samplers.crp.exact_partitions import exact_posterior
from tests.pages.waiting import waited

STAGE, SEED = stage_of("jumps"), 7


def opened(**settings):
    chosen = JumpsSettings(step_by="update", **settings)
    film = waited(lambda: STAGE.film(chosen, SEED))
    waited(lambda: film.reach(film.total))
    move = Chain(chosen.sampler(), SEED).record(chosen.sweep)
    return chosen, film, film.frames(0, film.total + 1), move


def first(kind, **settings):
    """The first sweep whose move is a split (True) or a merge with others to sort, and is accepted or not."""
    splits, accepted = kind
    chain = Chain(JumpsSettings(**settings).sampler(), SEED)
    moves = (chain.record(t) for t in range(1, 200))
    return next(t for t, m in enumerate(moves, 1) if m.points and (m.splits, m.accepted) == (splits, accepted))


@pytest.mark.parametrize("splits", [True, False])
@pytest.mark.parametrize("accepted", [True, False])
def test_every_beat_shows_what_the_record_says(splits, accepted):
    sweep = first((splits, accepted))
    settings, film, frames, move = opened(sweep=sweep)
    labels, members = frames["points_a", "label"], len(move.points)
    start, ratio = 3 + settings.scans, 3 + settings.scans + members
    assert film.total == ratio + 2 <= settings.iterations
    assert labels[0].tolist() == labels[1].tolist() == list(move.before)
    assert labels[2].tolist() == list(move.tossed)
    after_scans = labels[start].copy()
    after_scans[move.points[0]] = move.launch[move.points[0]]  # the first point of the last scan is in hand
    assert after_scans.tolist() == list(move.launch)
    for number, point in enumerate(move.points):
        assert labels[start + number, point] == -1
        drawn = frames["dart_a", "at"][start + number, 0]
        assert drawn == pytest.approx(move.last[number].uniform) if splits else np.isnan(drawn)
    assert labels[ratio].tolist() == list(move.proposed)
    assert labels[ratio + 1].tolist() == list(move.proposed if accepted else move.before)
    assert labels[ratio + 2].tolist() == Chain(settings.sampler(), SEED)[sweep].labels
    bars = frames["ratio", "value"]
    assert bars[ratio].tolist() == pytest.approx([*move.terms.values(), move.log_ratio], rel=1e-5)
    assert bars[ratio - 1, 2] == pytest.approx(move.terms["proposal"], rel=1e-5), "it has grown point by point"
    assert frames["dice", "p"][ratio, 0] == pytest.approx(math.exp(min(0, move.log_ratio)), rel=1e-5)
    assert np.isnan(frames["dice", "at"][ratio, 0])
    assert (frames["dice", "at"][ratio + 1, 0] < frames["dice", "p"][ratio + 1, 0]) == accepted
    said = waited(lambda: STAGE.written(settings, SEED, "update", ratio + 1))
    assert ("<b>accepted</b>" in said, "<b>rejected</b>" in said) == (accepted, not accepted)
    assert ("a <b>split</b>" in said) == splits


def test_gibbs_alone_has_no_moves_and_its_sweeps_open_update_by_update():
    settings = JumpsSettings(method="gibbs", step_by="update")
    film = waited(lambda: STAGE.film(settings, SEED))
    assert film.total == settings.iterations == 32
    assert ("ratio", "value") not in film.declared


def test_ghosts_are_the_auxiliary_clusters_that_the_update_was_offered():
    """Every point of two sweeps: probabilities, dart, and the fresh cluster's own id once it is joined."""
    settings = JumpsSettings(method="auxiliary", concentration=2.0, step_by="update", sweep=2, start="apart", ghosts=2)
    film = waited(lambda: STAGE.film(settings, SEED))
    waited(lambda: film.reach(film.total))
    frames, record = film.frames(0, film.total + 1), Chain(settings.sampler(), SEED).record(2)
    assert film.total == settings.iterations == 4 * (8 + 2)
    for number, update in enumerate(record[:8]):
        score = 4 * number + 2
        there = np.isfinite(frames["options_a", "p"][score])
        ids, shares = frames["options_a", "option"][score, there], frames["options_a", "p"][score, there]
        assert sorted(ids[ids < 0].tolist()) == [-3, -2]
        assert sorted(shares) == pytest.approx(sorted(update.conditional.probabilities), rel=1e-4)
        assert frames["dart_a", "at"][score, 0] == pytest.approx(update.uniform)
    cards = waited(lambda: STAGE.written(settings, SEED, "update", 36))
    assert "Metropolis" in cards


def test_the_posterior_without_conjugacy_is_on_the_chart():
    settings = JumpsSettings(method="auxiliary")
    law = settings.law("tables", 60)
    assert law.shares[:2] == pytest.approx((0.364, 0.630), abs=5e-4)
    assert law.shares[:2] != JumpsSettings().law("tables", 60).shares[:2]


def test_what_a_draw_costs_is_counted_from_the_records():
    settings = JumpsSettings()
    scene = waited(lambda: STAGE.scene(settings, SEED))
    waited(lambda: scene.grow(60) >= 60 or scene.grow(60))
    chain = Chain(settings.sampler(), SEED)
    spent = [chain.record(t).evaluations for t in range(1, 21)]
    assert scene.runs[0].evaluations[1:21].tolist() == spent
    assert scene.runs[1].evaluations[1:21].min() >= 8 * 2
    assert "Gibbs alone" in waited(lambda: STAGE.written(settings, SEED, "cost", 40))


def test_one_cluster_and_two_are_about_as_probable_on_two_groups_of_four():
    settings = JumpsSettings()
    law = settings.law("tables", 60)
    data = settings.dataset().data
    exact = exact_posterior(data, settings.prior(data), 0.02).table_counts
    assert dict(zip(law.values, law.shares, strict=True)) == pytest.approx(
        {1: exact[1], 2: exact[2], 3: exact[3]}, abs=1e-6
    )
    assert exact[1:3] == pytest.approx([0.478, 0.519], abs=5e-4)
