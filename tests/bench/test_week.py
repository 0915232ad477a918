"""The learners of the bench `edge`: they come in bursts, and ask for what the player asks for."""

import random
import re

from bench._week import HOURS, Browser, Scene, Week, arrivals

SCENE = Scene("draws?seed=7", 100, 3, 20, "step", still=True, free=True, seconds=60.0)


def test_learners_come_by_classes_after_the_hour():
    hours = list(arrivals(10_000, [5, 12], random.Random(1)))
    assert len(hours) == HOURS
    assert sum(map(len, hours)) == 10_000
    for hour, coming in enumerate(hours):
        late = [when - 3600 * hour for when, _, _ in coming]
        assert late == sorted(late)
        assert all(seconds >= 0 for seconds in late)
        assert all(first <= (2, 9)[course] for _, course, first in coming)
    sizes = [len(coming) for coming in hours]
    assert max(sizes) > 1.5 * 10_000 / HOURS, "hours differ as numbers of classes do, more than learners alone would"


def test_a_browser_asks_for_frames_without_gaps_and_for_nothing_twice():
    browser = Browser()
    asked = [path for _, path in browser.step(SCENE, 2, SCENE.source)]
    assert asked[:3] == [
        "draws/film?seed=7",
        "draws/frames?seed=7&from=0&to=10",
        "draws/still?seed=7&t=3",
    ]
    assert "draws/cards?seed=7&view=step&from=4&to=5&every=1" in asked
    frames = [tuple(map(int, found)) for path in asked for found in re.findall(r"frames.*from=(\d+)&to=(\d+)", path)]
    assert [start for start, _ in frames[1:]] == [stop for _, stop in frames[:-1]]
    assert frames[-1][1] > SCENE.end
    assert not list(browser.step(SCENE, 2, SCENE.source))


def test_a_week_is_in_order_and_one_in_five_plays_freely():
    lesson = [SCENE._replace(free=False), SCENE]
    week = Week([[lesson] * 5], 500)
    own = {path.partition("seed=1000")[2][:3] for path in week if "seed=1000" in path}
    assert 60 < len(own) < 140
    assert sum(week.minutes.values()) == len(list(Week([[lesson] * 5], 500)))
    assert week.seconds == 500 * 3 * 2 * SCENE.seconds
