"""The columns kept of a mixture's run against a chain of its own, and a sweep's updates against those that ran."""

import threading
import time
import tracemalloc
from types import SimpleNamespace

import numpy as np
import pytest

from lessons.kept import weight
from lessons.topics.crp_mixture import SWEEPS, CRPMixtureSettings
from pages.player.run import KEPT
from pages.scenes.close_up import OPENED, CloseUp
from pages.scenes.points.crp import Tables
from pages.scenes.points.model import PARAMETERS, SHOWN
from pages.topics.crp_mixture.chains import MixtureRun, scene_of
from samplers import Chain
from samplers.crp.mixture import CONCENTRATION
from samplers.crp.wrong import WRONG_RULES
from samplers.recipe import updates

SEED = 11
SETTINGS = {
    "plane": CRPMixtureSettings(points=40),
    "plane, spread known, all apart": CRPMixtureSettings(points=40, family="known", start="apart"),
    "line, concentration learned": CRPMixtureSettings(data="response_times", points=30, learning="learned"),
    "seven points": CRPMixtureSettings(data="seven_points", start="prior", concentration=3.0),
}
RULES = {
    f"{rule}, {data}": CRPMixtureSettings(data=data, rule=rule, family="known", start="prior", concentration=2.0)
    for rule in WRONG_RULES
    for data in ("uneven_points", "seven_points")
}
ALL = SETTINGS | RULES
every = pytest.mark.parametrize("name", ALL)
MEGABYTES = 4.0  # that a run of 500 points may take


def chain_of(settings: CRPMixtureSettings, seed: int = SEED) -> Chain:
    return Chain(settings.sampler(), seed)


def run_of(settings: CRPMixtureSettings, seed: int = SEED) -> MixtureRun:
    return MixtureRun(Chain(settings.sampler(), seed, keep=KEPT))


def grown(run: MixtureRun, t: int) -> MixtureRun:
    while run.grow(t) < t:
        pass
    return run


def assert_alike(run: MixtureRun, chain: Chain, until: int) -> None:
    """Compare every sweep's record with the chain's state."""
    for t in range(until + 1):
        state = chain[t]
        assert run.labels[t].tolist() == state.labels, t
        assert run.tables[t] == len(set(state.labels)), t
        assert run.log_joint[t] == np.float32(chain.sampler.log_joint(state)), t
        assert run.concentration[t] == state.concentration, t
        np.testing.assert_array_equal(run.clusters[t], run.model.parameters(state))


# ---- growing ---------------------------------------------------------------------------------------------------------


@every
def test_a_run_grown_in_slices_is_the_chain(name):
    run = run_of(ALL[name])
    for t in (1, 2, 7, 7, 3, 40, 90):  # more than the states in memory
        while run.grow(t, seconds=0.002) < t:
            pass
    assert run.made == 90
    assert_alike(run, chain_of(ALL[name]), 90)


def test_a_run_can_be_as_long_as_a_run_may_be():
    run, chain = run_of(SETTINGS["seven points"]), chain_of(SETTINGS["seven points"])
    grown(run, SWEEPS)
    for t in (SWEEPS - 1, SWEEPS):
        assert run.labels[t].tolist() == chain[t].labels
    assert len(run.labels) == SWEEPS + 1


def test_growing_stops_when_its_time_is_over(monkeypatch):
    clock = iter(np.arange(0, 100, 0.01))
    monkeypatch.setattr("pages.player.turns.time", SimpleNamespace(monotonic=lambda: next(clock), thread_time=float))
    run = run_of(SETTINGS["seven points"])
    assert run.grow(SWEEPS, seconds=1) == run.made
    assert 11 <= run.made <= 13, "an update takes a hundredth of a second, and one more look at the clock a sweep"


def test_a_sweep_that_takes_longer_than_its_time_still_comes(monkeypatch):
    clock = iter(range(10_000))
    monkeypatch.setattr("pages.player.turns.time", SimpleNamespace(monotonic=lambda: next(clock), thread_time=float))
    run = run_of(SETTINGS["seven points"])
    asked = 0
    while run.grow(3, seconds=0.5) < 3:
        asked += 1
    assert asked >= 3 * 7 - 1, "an update each time that somebody asks"
    assert_alike(run, chain_of(SETTINGS["seven points"]), 3)


@pytest.mark.parametrize("seconds", [0.001, 1.0])
def test_sessions_that_grow_one_run_at_once_leave_the_same_arrays(seconds, monkeypatch):
    settings = SETTINGS["seven points"]
    run, inside, failures = run_of(settings), threading.Lock(), []

    def alone(sampler, state, rng):
        assert inside.acquire(blocking=False), "two sessions are at the chain"
        time.sleep(1e-4)  # lets the other one run
        made = list(updates(sampler, state, rng))
        inside.release()
        yield from made

    def session() -> None:
        try:
            while run.grow(80, seconds) < 80:
                run.state(run.made // 2)
                run.close_up(max(1, run.made))
        except BaseException as error:
            failures.append(error)

    monkeypatch.setattr("samplers.recipe.updates", alone)
    sessions = [threading.Thread(target=session) for _ in range(2)]
    for thread in sessions:
        thread.start()
    for thread in sessions:
        thread.join(30)
    monkeypatch.undo()
    assert not failures
    assert_alike(run, chain_of(settings), 80)


def test_the_memory_of_a_run_is_bounded():
    settings = CRPMixtureSettings(points=500, start="apart")  # the first states have hundreds of clusters
    grown(run_of(settings.model_copy(update={"data_seed": settings.data_seed + 1})), 2)  # what is made once is there
    tracemalloc.start()
    run = grown(run_of(settings), KEPT - 1)  # no state has been dropped yet
    taken = tracemalloc.get_traced_memory()[0] / 1e6
    tracemalloc.stop()
    assert taken < MEGABYTES
    arrays = (run.labels, run.tables, run.log_joint, run.concentration, run.clusters)
    assert {len(array) for array in arrays} == {SWEEPS + 1}, "room for every sweep from the beginning: it grows no more"


def test_a_state_that_is_asked_for_is_the_chains():
    run, chain = grown(run_of(SETTINGS["plane"]), 100), chain_of(SETTINGS["plane"])
    for t in (0, 1, 57, 100, 3):
        assert run.state(t).labels == chain[t].labels


@pytest.fixture
def sweeps_made(monkeypatch):
    """Count the sweeps that are drawn while a run grows."""
    made = []

    def counted(sampler, state, rng):
        made.append(1)
        return updates(sampler, state, rng)

    def grow(run: MixtureRun, t: int) -> int:
        monkeypatch.setattr("samplers.recipe.updates", counted)
        made.clear()
        grown(run, t)
        return len(made)

    return grow


def test_growing_makes_each_sweep_once(sweeps_made):
    run = grown(run_of(SETTINGS["seven points"]), 30)
    assert sweeps_made(run, 200) == 170


@pytest.mark.parametrize("ahead", ["looked at", "branched"])
def test_growing_stays_fast_when_a_late_sweep_was_looked_at_before(ahead, sweeps_made):
    run = grown(run_of(SETTINGS["seven points"]), 30)
    if ahead == "looked at":
        run.close_up(1_500)
    else:
        run.chain.branch(1_500, SEED + 1)
    assert sweeps_made(run, 200) <= 2 * 170


# ---- two chains ------------------------------------------------------------------------------------------------------


def pair(**changes):
    settings = CRPMixtureSettings(points=30, **changes)
    first, second = (grown(run, 60) for run in scene_of(settings, SEED).runs)
    return settings, first, second


def test_a_branch_shares_the_past_exactly_and_differs_after():
    _, first, second = pair(second="branch", branch_at=25)
    for name in ("labels", "tables", "log_joint", "concentration", "clusters"):
        past, branched = getattr(first, name), getattr(second, name)
        np.testing.assert_array_equal(past[:26], branched[:26])
    assert (first.labels[26:61] != second.labels[26:61]).any(axis=1).mean() > 0.8, "but they may meet"


@pytest.mark.parametrize("at", [0, 1, 55])
def test_a_branch_can_be_anywhere(at):
    _, first, second = pair(second="branch", branch_at=at)
    assert (first.labels[: at + 1] == second.labels[: at + 1]).all()
    assert (first.labels[at + 1] != second.labels[at + 1]).any()


@pytest.mark.parametrize("second", ["seed", "concentration", "start"])
def test_second_chains_draw_with_another_seed(second):
    settings, first, other = pair(second=second)
    assert first.chain.seed == SEED
    assert other.chain.seed == SEED + 1
    assert_alike(first, Chain(settings.sampler(), SEED), 20)
    assert_alike(other, Chain(settings.sampler_of(settings.dataset().data, second=True), SEED + 1), 20)


def test_what_a_second_chain_has_of_its_own():
    _, first, other = pair(second="concentration", second_concentration=9.0)
    assert (first.sampler.concentration, other.sampler.concentration) == (1.0, 9.0)
    _, first, other = pair(second="start", second_start="apart", second_concentration=9.0)
    assert (first.tables[0], other.tables[0]) == (1, 30)
    assert other.sampler.concentration == 1.0


def test_the_last_seed_has_a_next_one():
    runs = scene_of(CRPMixtureSettings(points=10, second="seed"), 2**32 - 1).runs
    assert [run.chain.seed for run in runs] == [2**32 - 1, 0]


# ---- parameters ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SETTINGS)
def test_parameters_are_those_of_a_typical_cluster(name):
    chain = chain_of(SETTINGS[name])
    state = chain[12]
    rows, points = Tables(chain.sampler).parameters(state), len(state.labels)
    sizes = np.round(rows[: len(state.clusters), 1] * points)
    assert rows.shape == (SHOWN, PARAMETERS)
    assert np.isnan(rows[len(state.clusters) :]).all()
    assert (np.diff(sizes) <= 0).all(), "the largest come first"
    assert {int(row[0]) for row in rows if row[0] == row[0]} == set(state.clusters)
    for table, share, x, y, a, b, c in rows[: len(state.clusters)]:
        law = state.clusters[int(table)].posterior().typical()
        assert share == pytest.approx(state.labels.count(int(table)) / points)
        mean, covariance = np.zeros(2), np.zeros((2, 2))
        mean[: law.mean.size] = law.mean
        covariance[: law.mean.size, : law.mean.size] = law.covariance
        np.testing.assert_allclose([x, y], mean, rtol=1e-5, atol=1e-6)
        factor = np.array([[a, 0], [b, c]], float)
        np.testing.assert_allclose(factor @ factor.T, covariance, rtol=1e-5, atol=1e-7)


def test_of_many_clusters_the_largest_are_kept():
    sampler = CRPMixtureSettings(points=60).sampler()
    rows = Tables(sampler).parameters(sampler.state([*range(40), *[41] * 12, *[40] * 8]))
    assert rows[:2, 0].tolist() == [41, 40]
    assert not np.isnan(rows).any()


# ---- one sweep, update by update -------------------------------------------------------------------------------------


def close_up(name: str, sweep: int) -> tuple[CloseUp, Chain]:
    return grown(run_of(ALL[name]), 5).close_up(sweep), chain_of(ALL[name])


@every
@pytest.mark.parametrize("sweep", [1, 9])
def test_beats_replay_exactly_what_the_chain_did(name, sweep):
    found, chain = close_up(name, sweep)
    made = chain.record(sweep)
    assert [beat.update.site for beat in found] == [update.site for update in made]
    assert len(made) == ALL[name].sites(ALL[name].size)
    for beat, update in zip(found, made, strict=True):
        assert beat.update.value == update.value
        assert beat.is_block == (update.site == CONCENTRATION)
        if not beat.is_block:
            assert beat.update.conditional.terms == update.conditional.terms
            assert beat.update.uniform == update.uniform
        else:
            assert beat.update.conditional.auxiliary == update.conditional.auxiliary


@every
@pytest.mark.parametrize("sweep", [1, 9])
def test_the_states_of_a_sweep_hang_together(name, sweep):
    found, chain = close_up(name, sweep)
    assert found[0].before.labels == chain[sweep - 1].labels
    assert found[-1].after.labels == chain[sweep].labels
    assert found[-1].after.concentration == chain[sweep].concentration
    for beat, following in zip(found, list(found)[1:], strict=False):
        assert beat.after.labels == following.before.labels
        assert beat.after.counts == following.before.counts
    for beat in found:
        others = [i for i in range(len(beat.before.labels)) if i != beat.update.site]
        assert [beat.before.labels[i] for i in others] == [beat.after.labels[i] for i in others]


@every
def test_a_lifted_state_lacks_the_point_and_nothing_else(name):
    found, chain = close_up(name, 6)
    data, family = chain.sampler.data, chain.sampler.family
    at_once = ALL[name].rule == "all labels at once"
    for beat in found:
        seated = found[0].before.labels if at_once else beat.before.labels  # the tables lag behind the labels
        there = {table: [i for i, label in enumerate(seated) if label == table] for table in set(seated)}
        if not beat.is_block:
            there[seated[beat.update.site]].remove(beat.update.site)
        there = {table: members for table, members in there.items() if members}
        assert set(beat.lifted.clusters) == set(there)
        for table, members in there.items():
            cluster = beat.lifted.clusters[table]
            assert cluster.count == len(members)
            expected = family.cluster(data[members]).log_marginal()
            assert cluster.log_marginal() == pytest.approx(expected, rel=1e-9, abs=1e-9)


@every
def test_a_lifted_state_is_the_one_that_was_scored(name):
    found, chain = close_up(name, 6)
    for beat in found:
        law = chain.sampler.score(beat.lifted, beat.update.site)
        if not beat.is_block:
            for term, values in beat.update.conditional.terms.items():
                assert list(law.terms[term]) == pytest.approx(list(values), rel=1e-9)
        else:
            shown = beat.update.conditional
            assert (law.current, law.tables, law.points) == (shown.current, shown.tables, shown.points)


def test_the_concentration_is_the_last_of_a_sweep_and_moves_no_label():
    found, chain = close_up("line, concentration learned", 4)
    beat = found[-1]
    assert beat.update.site == CONCENTRATION
    assert beat.is_block
    assert beat.before.labels == beat.lifted.labels == beat.after.labels
    assert beat.before.concentration == beat.lifted.concentration == chain[3].concentration
    assert beat.after.concentration == beat.update.value == chain[4].concentration


def test_a_close_up_leaves_the_chain_as_it_was():
    run, chain = grown(run_of(SETTINGS["plane"]), 20), chain_of(SETTINGS["plane"])
    for beat in list(run.close_up(12)):
        beat.lifted.clusters.clear()
        beat.after.labels.clear()
    grown(run, 30)
    assert_alike(run, chain, 30)


def test_a_close_up_weighs_the_states_of_its_opened_updates():
    run = scene_of(CRPMixtureSettings(data="three_blobs", points=100), 7).runs[0]
    run.reach(1)
    close_up = run.close_up(1)
    before = close_up.nbytes
    beats = [close_up[number] for number in range(2 * OPENED)][-OPENED:]
    seen: set[int] = set()
    weight(run.chain.sampler, seen)
    held = weight([(beat.before, beat.lifted, beat.after) for beat in beats], seen)
    assert held <= close_up.nbytes - before <= 2 * held
