"""The point of a path that NUTS chooses, and how likely each is."""

from collections import Counter
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from scipy import special, stats

from samplers.chain import Chain
from samplers.gradient.hmc import draw_start
from samplers.gradient.nuts import NUTS, _Path, chances
from tests.samplers.gradient.targets import LogOddsOfBeta, Normal, ranks_after
from tests.samplers.gradient.trees import PLANE


class Forked:
    """A generator that goes through all ways that coins can fall: directions are given, each other toss forks."""

    def __init__(self, directions, falls):
        self.directions, self.falls = iter(directions), iter(falls)
        self.probability, self.open = 1.0, []

    def random(self):
        return self

    def __gt__(self, half):
        return next(self.directions)

    def __lt__(self, probability):
        below = next(self.falls, None)
        if below is None:  # the first way; the other one is to be taken later
            below = True
            self.open.append(True)
        self.probability *= probability if below else 1 - probability
        return below


def every_way(sampler, state, start, directions):
    """Return one path and the probability that the sampler's code gives to each of its points, fork by fork."""
    found, falls, path = Counter(), [], None
    while falls is not None:
        rng = Forked(directions, falls)
        path = sampler._trajectory(start, state, rng)
        found[path.points[path.chosen].step] += rng.probability
        falls = [*falls, *rng.open]
        while falls and not falls[-1]:
            falls.pop()
        falls = [*falls[:-1], False] if falls else None
    return path, found


def begun(target, step_size, seed=3):
    """Return a sampler that doubles three times, its state, and a start with a momentum."""
    sampler = NUTS(target, max_depth=3, warmup=0, step_size=step_size, start=[0.5, 0.5])
    state = sampler.init(np.random.default_rng(0))
    return sampler, state, draw_start(state, np.random.default_rng(seed))


def uneven():
    """Return moves that go straight on, whichever way, with steps that are nearly too long: energies differ by 4."""
    return begun(Normal([[100.0, 0.0], [0.0, 0.25]]), 0.85, seed=6)


class Forwards:
    """A generator whose tosses for a direction, which are compared by ``>``, all say forwards."""

    def __init__(self, rng):
        self.rng = rng

    def random(self):
        self.value = self.rng.random()
        return self

    def __gt__(self, half):
        return True

    def __lt__(self, probability):
        return self.value < probability


@pytest.mark.parametrize("directions", list(product([True, False], repeat=3)))
def test_the_probability_of_each_point_is_what_the_code_does(directions):
    """Against all ways that its coins can fall, with energies that differ."""
    path, found = every_way(*uneven(), directions)
    assert (path.depth, path.leapfrogs) == (3, 7)
    assert np.ptp(path.energies) > 1
    assert sum(found.values()) == pytest.approx(1.0, abs=1e-12)
    assert [found[point.step] for point in path.points] == pytest.approx(chances(path), abs=1e-12)


def test_of_three_doublings_at_the_same_energy_the_last_four_points_are_chosen():
    path, found = every_way(*begun(PLANE, 1e-9), [True, True, True])
    expected = [0, 0, 0, 0, 1 / 4, 1 / 4, 1 / 4, 1 / 4]
    assert chances(path) == pytest.approx(expected, abs=1e-6)
    assert [found[step] for step in range(8)] == pytest.approx(expected, abs=1e-6)
    assert [coin.probability for coin in path.coins] == pytest.approx([1, 1, 1], abs=1e-6)


def test_they_add_up_to_1_though_the_last_doubling_lies_far_below_the_others():
    path, _ = every_way(*uneven(), [True, True, True])
    each = zip(path.points, path.doublings, strict=True)
    points = tuple(point._replace(energy=point.energy + 900 * (doubling < 3)) for point, doubling in each)
    assert chances(replace(path, points=points)) == pytest.approx(chances(path), abs=1e-12)


def test_going_there_is_as_likely_as_coming_back():
    """The bias towards the last doubling does no harm: weight times probability is the same both ways, for each pair.

    From each point of a tree the same tree grows, with directions of its own.
    """
    sampler, state, start = uneven()
    tree = sampler._trajectory(start, state, Forked([True, True, True], []))
    flows = np.zeros((8, 8))
    for place, point in enumerate(tree.points):
        directions = [not place >> bit & 1 for bit in range(3)]  # it is the left or the right half of each doubling
        path, found = every_way(sampler, state, point._replace(step=0), directions)
        assert path.positions == pytest.approx(tree.positions)
        flows[place] = [np.exp(-point.energy) * found[to - place] for to in range(8)]
    assert flows == pytest.approx(flows.T, abs=1e-12)
    assert (flows > 0).sum() > 32


def test_points_are_redrawn_as_often_as_is_stated():
    """4,000 other sets of coins for one path; p below 1e-4 by chance once in 10,000 seeds."""

    sampler, state, start = uneven()
    rng = np.random.default_rng(1)
    paths = [sampler._trajectory(start, state, Forwards(rng)) for _ in range(4_000)]
    due = 4_000 * chances(paths[0])
    counts = np.bincount([path.chosen for path in paths], minlength=8)
    assert not counts[due == 0].any()
    assert stats.chisquare(counts[due > 0], due[due > 0]).pvalue > 1e-4


def test_the_coins_on_record_decide():
    chain = Chain(NUTS(PLANE, warmup=0, step_size=0.4, start=[0.5, 0.5]), seed=0)
    for t in range(1, 80):
        path = chain.record(t)
        assert len(path.coins) == path.depth
        taken = [number for number, coin in enumerate(path.coins, 1) if coin.uniform < coin.probability]
        assert path.doublings[path.chosen] == max(taken, default=0)
        assert chances(path).sum() == pytest.approx(1.0)
        assert not chances(path)[~np.array(path.offered)].any()


class NormalWithRanks(Normal):
    def draw(self, rng):
        return np.linalg.cholesky([[2.0, 1.2], [1.2, 1.5]]) @ rng.standard_normal(2)

    def rank(self, position):
        return special.gammainc(1.0, position @ self.precision @ position / 2)


TARGETS = {
    "one number, skewed": (LogOddsOfBeta(0.8, 2.5), 1.6),
    "two numbers": (NormalWithRanks([[2.0, 1.2], [1.2, 1.5]]), 0.9),
}
every_target = pytest.mark.parametrize(("target", "step_size"), TARGETS.values(), ids=TARGETS.keys())


def pvalue(rule, target, step_size, replicates=800):
    ranks = ranks_after(
        lambda start: rule(target, warmup=0, step_size=step_size, start=start), target, 3, replicates=replicates
    )
    return stats.kstest(ranks, "uniform").pvalue


@every_target
def test_the_target_is_left_as_it_is(target, step_size):
    """Three iterations from exact draws, independent replicates: p below 1e-4 by chance once in 10,000 seeds."""
    assert pvalue(NUTS, target, step_size) > 1e-4


def even(path, old, new, forwards, probability):
    return 0.5


def the_new_one(path, old, new, forwards, probability):
    return 1.0


@pytest.mark.parametrize(("name", "choice"), [("one number, skewed", the_new_one), ("two numbers", even)])
def test_other_ways_to_choose_a_point_do_not(name, choice, monkeypatch):
    join, (target, step_size) = _Path.join, TARGETS[name]
    monkeypatch.setattr(_Path, "join", lambda path, *tree: join(path, *tree[:3], choice(path, *tree)))
    assert pvalue(NUTS, target, step_size) < 1e-4
