"""Cards of HMC and NUTS."""

import re
from dataclasses import replace

import pytest

from lessons.topics.walk_the_hill import WalkTheHillSettings
from pages.scenes.leapfrog_cards import taken
from samplers import Chain

ROW = re.compile(r"<tr><td>(start|\d)</td><td>(.*?)</td><td>(.*?)</td><td>(.*?)</td><td>(.*?)</td></tr>")


def path_of(iteration):
    return Chain(WalkTheHillSettings(method="NUTS").sampler(), 7).record(iteration)


@pytest.mark.parametrize("iteration", [22, 34])
def test_each_doubling_shows_its_coin_and_all_points_add_up_to_one(iteration):
    path = path_of(iteration)
    rows = ROW.findall(taken(path))
    assert [row[0] for row in rows] == ["start", *(str(number) for number in range(1, path.depth + 1))]
    for (_, probability, dart, _, _), coin in zip(rows[1:], path.coins, strict=True):
        assert probability == f"{coin.probability:.3f}"
        took = coin.uniform < coin.probability
        assert dart == (f"<b>{coin.uniform:.3f}</b>" if took else f"{coin.uniform:.3f}")
    shares = [float(share) for row in rows for share in row[3].replace("−", "-").split()]
    assert len(shares) == sum(path.offered)
    assert sum(shares) == pytest.approx(1, abs=0.0005 * len(shares))
    assert "8 points, together 1.000." in taken(path)


def test_bold_is_explained_where_something_is_bold():
    path = path_of(22)
    none = replace(path, coins=tuple(coin._replace(uniform=1.0, probability=0.5) for coin in path.coins))
    darts = [taken(one).partition("Bold: it took over")[:2] for one in (path, none)]
    assert [("<b>0." in table, bool(said)) for table, said in darts] == [(True, True), (False, False)]


def test_of_many_points_the_least_and_the_largest_probability_are_listed():
    path = next(path for path in map(path_of, range(1, 40)) if path.depth > 3)
    assert re.fullmatch(r"0\.\d{3} to 0\.\d{3}", ROW.findall(taken(path))[4][3])


def test_a_start_alone_is_picked():
    path = path_of(22)
    first = replace(path, depth=0, coins=(), chosen=path.start, offered=tuple(not d for d in path.doublings))
    assert "No doubling was kept" in taken(first)
    assert "the start itself</span></b> (probability 1.000)" in taken(first)
