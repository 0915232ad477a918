"""The film of a run over clusterings against the chain that it shows."""

from functools import cache

import numpy as np
import pytest

from lessons.topics.why_sample import WhySampleSettings
from pages.contract.events import Open
from pages.lesson.state import Visit
from pages.topics.why_sample import WhySampleStage
from pages.topics.why_sample.film import FilmedRun
from pages.topics.why_sample.layout import HEIGHT, ROOM, WIDTH, colors, layout
from pages.topics.why_sample.run import UPDATES
from samplers import Chain
from samplers.diagnostics.convergence import error_to_truth
from samplers.partitions import named, partitions

SETTINGS = {
    "plain": WhySampleSettings(),
    "four": WhySampleSettings(points=4, start="apart", arrows="flows"),
    "five": WhySampleSettings(points=5, concentration=0.3, arrows="all"),
    "wrong": WhySampleSettings(third=-2.0, rule="emptied table offered too"),
}
every = pytest.mark.parametrize("run", SETTINGS, indirect=True)


@cache
def run_of(name):
    return FilmedRun(SETTINGS[name], 1 + [*SETTINGS].index(name))


@pytest.fixture
def run(request):
    return run_of(request.param)


@every
def test_arrows_are_the_options_of_the_update_and_of_the_next_one(run):
    frames = run.film.frames(0, 40)
    n = run.points
    for t in range(1, 39):
        (update,) = run.chain.record(t)
        now, coming = ({field: frames["arrows", field][at] for field in ("p", "taken")} for at in (t, t - 1))
        np.testing.assert_array_equal(now["p"][:n], coming["p"][n:])
        np.testing.assert_array_equal(now["taken"][:n], coming["taken"][n:])
        chances = np.sort(update.conditional.probabilities)
        assert now["p"][:n].sum() == pytest.approx(1, abs=1e-6)
        assert now["taken"][:n].sum() == 1
        if not run.wrong:  # by which two options may lead to the same clustering
            assert np.sort(now["p"][:n])[-len(chances) :] == pytest.approx(chances, abs=1e-6)
            assert now["p"][:n][now["taken"][:n] == 1] == pytest.approx(update.conditional.probabilities[update.value])


@every
def test_visits_are_counted_and_their_distance_is_that_to_the_exact_posterior(run):
    shares = run.film.frames(0, UPDATES + 1)["nodes", "share"]
    assert not shares[0].any()
    for t in (1, 7, 300, UPDATES):
        assert shares[t] == pytest.approx(np.bincount(run.path[1 : t + 1], minlength=len(run.exact)) / t, abs=1e-6)
        assert run.distance[t] == pytest.approx(error_to_truth(run.path[1:], run.exact, t))
    assert np.isnan(run.distance[0])


@every
def test_points_have_the_colours_of_their_groups_and_the_one_at_hand_is_lifted(run):
    frames = run.film.frames(0, 20)
    for t in range(20):
        shade = frames["points", "color"][t]
        assert colors(run.chain[t].partition) == shade.tolist()
        if t:
            assert frames["points", "held"][t].tolist() == [run.chain.record(t)[0].site == i for i in range(run.points)]


@every
def test_the_ways_of_all_points_are_the_matrices(run):
    ways = run.film.data["transitions"]
    assert len(ways["of"]) == sum((matrix > 0).sum() for matrix in run.matrices)
    assert sum(ways["p"]) == pytest.approx(run.points * len(run.exact), abs=1e-3)
    balanced = np.allclose(ways["flow"], ways["back"], atol=1e-6)
    assert balanced != run.wrong


@pytest.mark.parametrize("points", [3, 4, 5])
def test_rings_do_not_overlap_and_stay_in_the_picture(points):
    places, room = layout(points).places, ROOM[points]
    apart = np.linalg.norm(places[:, None] - places, axis=2)[~np.eye(len(places), dtype=bool)]
    assert apart.min() > 2 * room
    assert ((places > room) & (places < (WIDTH - room, HEIGHT - room))).all()


@pytest.mark.parametrize("rule", ["right", "new table too sure"])
def test_a_crowd_is_spread_as_many_runs_are_and_ends_where_its_rule_leads(rule):
    settings = WhySampleSettings(shown="crowd", rule=rule)
    crowd = FilmedRun(settings, 1)
    place = {partition: index for index, partition in enumerate(crowd.partitions)}
    chains = [Chain(settings.sampler(), seed) for seed in range(2, 32)]
    ends = [[place[chain[t].partition] for t in range(6)] for chain in chains]
    for t in range(6):
        share = np.bincount([path[t] for path in ends], minlength=5) / len(ends)
        error = np.sqrt(crowd.crowd[t] * (1 - crowd.crowd[t]) / len(ends))
        assert (np.abs(share - crowd.crowd[t]) <= 4 * error + 1e-12).all()
    assert crowd.crowd[-3:].mean(axis=0) == pytest.approx(crowd.limit, abs=1e-9)
    assert (crowd.distance[-1] < 1e-9) == (rule == "right")
    frames = crowd.film.frames(0, 9)
    np.testing.assert_allclose(frames["nodes", "share"], crowd.crowd[:9], atol=1e-6)
    assert frames["say", "distance"][0, 0] == pytest.approx(crowd.distance[0])


def test_clusterings_are_written_as_people_write_them():
    assert [named(partition) for partition in partitions(3)] == ["123", "12|3", "13|2", "1|23", "1|2|3"]


def test_a_click_on_a_clustering_leads_to_its_next_visit():
    place = Visit("why_sample", SETTINGS["plain"], seed=1)
    WhySampleStage().open(place, Open(t=0, what="clustering", which=2))
    path = run_of("plain").path
    assert path[place.t] == 1
    assert not (path[1 : place.t] == 1).any()
