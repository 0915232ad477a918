"""The best clustering, one draw and the average side by side: matrices and numbers are those of the run."""

import re

import numpy as np
import pytest

from lessons.topics.crp_mixture import CRPMixtureSettings
from pages.scenes.points.scene import MixtureScene
from pages.topics.crp_mixture.chains import scene_of
from pages.topics.crp_mixture.summaries import LEVELS, MOST_POINTS, summaries, times_seen, together
from samplers.crp.facts import relabel
from samplers.crp.mixture import co_clustering
from tests.pages.html import words

SEED, SWEEP = 7, 60
SETTINGS = {
    "seven points": {"data": "seven_points", "family": "known"},
    "line, learned": {"data": "response_times", "points": 25, "learning": "learned"},
    "plane": {"points": 80},
}
every = pytest.mark.parametrize("name", SETTINGS)


def scene(name: str) -> MixtureScene:
    made = scene_of(CRPMixtureSettings(**SETTINGS[name]), SEED)
    made.run.grow(SWEEP, seconds=60)
    return made


def parts(made: MixtureScene, sweep: int = SWEEP) -> dict[str, tuple[np.ndarray, str]]:
    """Return the matrix of each part, as dark as it is drawn, and its words, by title."""
    found = {}
    for title, body in re.findall(r"<section><h4>(.*?)</h4>(.*?)</section>", summaries(made, sweep), re.DOTALL):
        size = int(re.search(r'viewBox="0 0 (\d+) ', body)[1])
        dark = np.zeros((size, size))
        for cells, opacity in re.findall(r'<path d="(.*?)" fill-opacity="(.*?)"', body):
            for column, row in re.findall(r"M(\d+) (\d+)h1v1h-1z", cells):
                dark[int(row), int(column)] = float(opacity)
        found[title] = dark, words(body.replace("<br>", "; "))
    return found


def order_of(made: MixtureScene, best: int) -> np.ndarray:
    """Return points by where their tables of the best sweep lie, and within these by where they lie."""
    labels, x = made.run.labels[best].tolist(), made.data[:, 0]
    middle = {table: x[np.array(labels) == table].mean() for table in labels}
    found = sorted(range(len(x)), key=lambda point: (middle[labels[point]], x[point]))
    return np.array(found)[np.linspace(0, len(x) - 1, min(len(x), MOST_POINTS)).round().astype(int)]


@every
def test_matrices_are_the_best_the_draw_and_the_average(name):
    made = scene(name)
    run, shown = made.run, parts(made)
    best = max(range(1, SWEEP + 1), key=lambda t: run.log_joint[t])
    order = order_of(made, best)
    average = co_clustering(run.labels[31 : SWEEP + 1])
    expected = {
        "Best so far": together(run.labels[best]),
        "This draw": together(run.labels[SWEEP]),
        "Average, sweeps 31 to 60": average,
    }
    if made.exact is not None:
        expected["Exact average"] = made.exact.co_clustering
    assert list(shown) == list(expected)
    for title, shares in expected.items():
        drawn, cells = shown[title][0], shares[np.ix_(order, order)]
        assert (np.diag(drawn) == 1).all()
        assert (np.abs(drawn - cells) <= 1 / LEVELS + 1e-9).all()
        assert ((drawn > 0) == (cells > 1e-9)).all()
    for title, t in (("Best so far", best), ("This draw", SWEEP)):
        said = shown[title][1]
        seen = sum(relabel(row).tolist() == relabel(run.labels[t]).tolist() for row in run.labels[1 : SWEEP + 1])
        assert f"sweep {t};" in said
        assert f"{run.tables[t]} table" in said
        assert f"log joint {run.log_joint[t]:.1f}".replace("-", "−") in said
        assert ("seen once" if seen == 1 else f"seen {seen} times") in said
        assert ("probability" in said) == (made.exact is not None)


def test_the_numbers_of_seven_points():
    made = scene("seven points")
    shown = parts(made)
    best = max(range(1, SWEEP + 1), key=lambda t: made.run.log_joint[t])
    place = made.exact.partitions.index(tuple(relabel(made.run.labels[best]).tolist()))
    assert f"probability {made.exact.probabilities[place]:.3f}" in shown["Best so far"][1]
    pairs = made.exact.co_clustering[np.triu_indices(7, 1)]
    unsure = ((pairs > 0.05) & (pairs < 0.95)).mean()
    said = shown["Exact average"][1].replace("\xa0", " ").replace("&nbsp;", " ")
    assert f"unsure of {100 * unsure:.0f} %" in said
    off = np.abs(co_clustering(made.run.labels[31 : SWEEP + 1]) - made.exact.co_clustering).max()
    assert f"average off by {off:.2g} at most" in said


def test_of_many_points_some_are_shown_and_that_is_said():
    made = scene("plane")
    assert f"{MOST_POINTS} of the 80 points are shown" in summaries(made, SWEEP)
    assert "points are shown" not in summaries(scene("line, learned"), SWEEP)
    assert parts(made)["This draw"][0].shape == (MOST_POINTS, MOST_POINTS)


def test_names_of_tables_do_not_count():
    runs = np.array([[0, 0, 1], [5, 5, 2], [0, 1, 1], [2, 2, 2], [1, 0, 2]])
    for labels, times in (([7, 7, 0], 2), ([0, 0, 0], 1), ([0, 1, 0], 0), ([0, 1, 2], 1)):
        assert times_seen(runs, np.array(labels)) == times


def test_at_the_start_there_is_nothing_to_sum_up():
    assert "Run some sweeps first" in summaries(scene("plane"), 0)
