"""Runs that share their darts: what is drawn is what ran, and what their lessons tell of it."""

import re

import numpy as np
import pytest

from lessons.topics.why_sample import WhySampleSettings
from pages.lesson.lessons import library
from pages.topics.why_sample import shared_cards
from pages.topics.why_sample.past import FilmedPast
from pages.topics.why_sample.starts import FilmedStarts
from samplers import Chain
from samplers.crp.one_at_a_time import OneAtATime
from samplers.diagnostics.convergence import noise_floor

LESSONS = {lesson.id: lesson for lesson in library().for_stage("why_sample")}


def run_at(lesson, step):
    found = next(one for one in LESSONS[lesson].steps if one.id == step)
    settings, seed = LESSONS[lesson].settings_for(found), LESSONS[lesson].seed_for(found)
    return (FilmedPast if settings.starts == "past" else FilmedStarts)(settings, seed)


@pytest.mark.parametrize("points", [3, 4, 5])
def test_pucks_ways_and_numbers_are_those_of_the_chain(points):
    run = FilmedStarts(WhySampleSettings(points=points, starts="every"), 4)
    frames, ways = run.film.frames(0, 25), run.film.data["ways"]
    for t in range(25):
        where = run.state(t).where
        assert frames["past", "left"][t, 0] == len({*where})
        assert frames["pucks", "many"][t].tolist() == [where.count(one) for one in where]
        drawn = {(y, y2) for time, y, y2 in zip(ways["t"], ways["y"], ways["y2"], strict=True) if time == t}
        assert drawn == {(a + 1, b + 1) for a, b in zip(where, run.state(t + 1).where, strict=True)}
        of_now = [part for time, part in zip(ways["t"], ways["part"], strict=True) if time == t]
        assert sum(of_now) == pytest.approx(1, abs=0.03)


def test_of_two_runs_the_second_is_red_while_they_are_apart():
    run = FilmedStarts(WhySampleSettings(points=4, starts="two", changed=3, put=0.1), 10)
    ways = run.film.data["ways"]
    red = {t for t, second in zip(ways["t"], ways["second"], strict=True) if second}
    apart = {t for t in range(60) if len({*run.where[t].tolist()}) + len({*run.where[t + 1].tolist()}) > 2}
    assert red == apart
    assert min(red) == 2, "the third update is the way from 2 to 3"


def test_the_card_of_two_runs_has_a_row_for_each_dart_and_counts_every_run_once():
    two = FilmedStarts(WhySampleSettings(points=4, starts="two", changed=3, put=0.1), 10)
    runs = re.findall(r"<td[^>]*>(\d+)</td></tr>", shared_cards.update(two, 3))
    assert runs == ["1", "1"]
    assert "two darts land on one bar" in shared_cards.update(two, 3)
    assert "the same dart lands on different bars" in shared_cards.update(two, 4)
    for t in range(1, 12):
        assert sum(map(int, re.findall(r"<td[^>]*>(\d+)</td></tr>", shared_cards.update(two, t)))) == 2, t


@pytest.mark.parametrize(("points", "until"), [(3, "now"), (4, "now"), (5, "now"), (3, "meeting")])
def test_ways_of_a_draw_lead_from_all_clusterings_to_the_draw(points, until):
    run = FilmedPast(WhySampleSettings(points=points, starts="past", until=until), 2)
    frames = run.film.frames(0, 40)
    assert np.isnan(frames["ways", "t"][0]).all()
    for t in range(1, 40):
        ways = {field: frames["ways", field][t] for field in ("t", "long", "y", "y2", "part")}
        there = ~np.isnan(ways["t"])
        end = ways["t"][there].max()
        last = there & np.isclose(ways["t"], end)
        assert {*ways["y2"][last].tolist()} == {run.path[t] + 1.0}
        assert ways["part"][last].sum() == pytest.approx(1, abs=1e-5)
        steps = len(run.state(t).darts)
        if there.sum() < len(there) or steps <= 4 * points:
            first = there & np.isclose(ways["t"], ways["t"][there].min())
            assert {*ways["y"][first].tolist()} == set(range(1, len(run.partitions) + 1))
        if until == "now":
            assert end + 1 / points == pytest.approx(0, abs=1e-5)


def test_a_run_from_one_start_is_a_chain_of_the_sampler_by_its_conditionals():
    # not draw by draw, as bars are in another order; but with the same shares in the long run
    settings = WhySampleSettings(points=3, starts="every")
    shared = [Chain(settings.sampler(), seed)[7].where[0] for seed in range(1_500)]
    alone = Chain(OneAtATime(settings.mixture()), 0)
    exact = settings.exact()
    known = np.bincount(shared, minlength=5) / 1_500
    assert alone[0].partition == exact.partitions[0]
    assert np.abs(known - exact.probabilities).sum() / 2 < 2 * noise_floor(exact.probabilities, 1_500)


# ---- as told ---------------------------------------------------------------------------------------------------------


@pytest.mark.told
def test_how_soon_all_starts_meet_as_told():
    law = WhySampleSettings(points=4, starts="every").meeting().met
    assert law[[4, 8]] == pytest.approx([0.62, 0.94], abs=0.005)
    assert law[3] > 0.5 > law[2], "half of all streams have one clustering left after three updates"


@pytest.mark.told
def test_runs_meet_as_told():
    assert run_at("why-every-start", "together").left[:8].tolist() == [15, 5, 3, 3, 3, 2, 2, 1]
    assert run_at("why-every-start", "elsewhere").left[:11].tolist() == [1, 1, 1, 2, 2, 2, 2, 2, 2, 1, 1]


@pytest.mark.told
def test_a_meeting_is_no_draw_as_told():
    run = run_at("why-perfect-draw", "stop")
    assert run.limit == pytest.approx([0.091, 0.445, 0.011, 0.205, 0.248], abs=5e-4)
    assert run.exact == pytest.approx([0.160, 0.352, 0.034, 0.209, 0.245], abs=1e-3)
    assert run.distance[1_000] == pytest.approx(0.1, abs=0.01)
    assert run.shares[1_000, 1] == pytest.approx(0.44, abs=0.005)
    perfect = run_at("why-perfect-draw", "thousand")
    assert perfect.distance[1_000] < 1.5 * noise_floor(perfect.exact, 1_000)
