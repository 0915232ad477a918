"""The simplex of three words: corners are words, paths are the sampler's, contours are the density without Jacobian."""

import numpy as np
import pytest
from scipy import stats

from lessons.topics.marginalise import MarginaliseSettings
from pages.drawing.marks import CORNERS, in_triangle
from pages.topics.marginalise import MarginaliseStage, triangle
from pages.topics.marginalise.triangle import log_densities
from samplers.gradient.unconstrained import Simplexes

scene_of = MarginaliseStage().scene

STAGE = MarginaliseStage()
PATH = {"words": 3, "step_by": "leapfrog", "iteration": 9}


def film(**changes):
    return STAGE.film(MarginaliseSettings(**changes), 7)


def back(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return the probabilities of a place, by solving the three equations of barycentric coordinates."""
    equations = np.vstack([CORNERS.T, np.ones(3)])
    return np.linalg.solve(equations, np.stack([x, y, np.ones_like(x)]).reshape(3, -1)).T.reshape(*x.shape, 3)


def areas_of(spec: dict) -> dict[str, tuple[float, float]]:
    """Return where the chart writes which word."""
    texts = [layer for layer in spec["layer"] if "word" in str(layer.get("encoding"))]
    rows = [row for layer in texts for row in (layer["data"].get("values") or spec["datasets"][layer["data"]["name"]])]
    return {row["word"]: (row["x"], row["y"]) for row in rows}


# ---- where -----------------------------------------------------------------------------------------------------------


def test_a_certain_word_is_its_corner_and_even_chances_are_the_middle():
    assert in_triangle(np.eye(3)).tolist() == CORNERS.tolist()
    sides = np.linalg.norm(CORNERS - np.roll(CORNERS, 1, axis=0), axis=1)
    assert sides == pytest.approx(1, abs=1e-15)
    assert in_triangle(np.full(3, 1 / 3)) == pytest.approx(CORNERS.mean(axis=0), abs=1e-15)


def test_a_places_distance_from_a_side_is_the_probability_of_the_word_across():
    probabilities = np.random.default_rng(0).dirichlet(np.ones(3), 50)
    x, y = in_triangle(probabilities).T
    assert back(x, y) == pytest.approx(probabilities, abs=1e-14)
    assert y / np.sqrt(0.75) == pytest.approx(probabilities[:, 2], abs=1e-14)


def test_each_word_is_written_nearest_to_its_own_corner():
    scene = scene_of(MarginaliseSettings(words=3), 7)
    written = areas_of(triangle.chart(scene, [], path=False).spec)
    assert tuple(written) == scene.words == ("free", "now", "prize")
    for corner, place in zip(CORNERS, written.values(), strict=True):
        assert np.linalg.norm(corner - place) < 0.1
        assert np.argmin(np.linalg.norm(CORNERS - place, axis=1)) == CORNERS.tolist().index(corner.tolist())


# ---- films -----------------------------------------------------------------------------------------------------------


def test_a_path_in_the_triangle_is_that_of_the_unconstrained_numbers():
    scene = scene_of(MarginaliseSettings(**PATH), 7)
    path = scene.run.close_up(9)
    shown = film(**PATH)
    frames = shown.frames(0, shown.total + 1)
    order = [*path.order, path.trajectory.chosen]
    free = np.array([path.trajectory.points[place].position for place in order])
    for label in range(2):
        probabilities = np.exp(Simplexes(free[:, 1 + 2 * label : 3 + 2 * label]).log_probs)
        x, y = (frames[("phi", axis)][:, label] for axis in "xy")
        assert back(x, y) == pytest.approx(probabilities, abs=1e-6)
        assert back(x, y).sum(axis=-1) == pytest.approx(1, abs=1e-6)
        for axis, found in (("x", x), ("y", y)):
            assert frames[("past", f"phi_{axis}{label}")][:, 0].tolist() == found.tolist()
            assert shown.data["phi_start"][axis][label] == pytest.approx(found[0], abs=1e-5)
            chosen = frames[("phi_chosen", axis)][:, label]
            assert np.isnan(chosen[:-1]).all()
            assert chosen[-1] == found[-1]


def test_a_run_in_the_triangle_is_its_draws_and_its_averages():
    shown = film(words=3, warmup=4)
    shown.grow(12)
    run = scene_of(MarginaliseSettings(words=3, warmup=4), 7).run
    whole, later = shown.frames(0, 13), shown.frames(8, 13)
    for label in range(2):
        now, mean = (
            back(*(whole[(name, axis)][:, label].astype(float) for axis in "xy")) for name in ("phi", "phi_mean")
        )
        assert now == pytest.approx(run.word_probs[:13, label], abs=1e-6)
        assert np.isnan(mean[:5]).all()
        assert mean[12] == pytest.approx(run.word_probs[5:13, label].mean(axis=0), abs=1e-6)
    np.testing.assert_array_equal(whole[("phi_mean", "y")][8:], later[("phi_mean", "y")])


def named(shown) -> list[str]:
    return [chart.name for chart in shown.charts]


@pytest.mark.parametrize("changes", [{}, {"step_by": "leapfrog", "iteration": 4}, {"model": "two means", "words": 3}])
def test_other_vocabularies_have_no_triangle(changes):
    assert "triangle" not in named(film(**changes))
    assert "triangle" in named(film(**{**changes, "words": 3, "model": "naive Bayes"}))


def test_specs_do_not_depend_on_the_run():
    one, other = (STAGE.film(MarginaliseSettings(**PATH), seed) for seed in (7, 8))
    specs = [next(chart.spec for chart in shown.charts if chart.name == "triangle") for shown in (one, other)]
    assert specs[0] is specs[1]


# ---- label switching -------------------------------------------------------------------------------------------------


def test_when_the_labels_switch_the_classes_change_places():
    target = MarginaliseSettings(words=3).target()
    weights, probabilities = np.array([0.3, 0.7]), np.array([[0.6, 0.3, 0.1], [0.2, 0.2, 0.6]])
    here, there = (target.unconstrain(weights[order], probabilities[order]) for order in ([0, 1], [1, 0]))
    assert target.log_density(here) == pytest.approx(target.log_density(there))
    mine, swapped = (in_triangle(target.constrain(position).word_probs) for position in (here, there))
    assert swapped == pytest.approx(mine[::-1])
    assert np.abs(mine[0] - mine[1]).max() > 0.3


def test_clouds_that_change_places_have_one_middle_and_named_ones_two():
    """Without labels the middles differ by Monte Carlo error alone: 0.01 to 0.06 with eight seeds."""
    apart = []
    for settings in (
        MarginaliseSettings(words=3, word_prior=0.5),
        MarginaliseSettings(words=3, data="toy_corpus", variant="supervised", known_labels=40),
    ):
        run = scene_of(settings, 3).run
        run.grow(700, seconds=20)
        middles = in_triangle(run.word_probs[301:701]).mean(axis=0)
        apart.append(float(np.linalg.norm(middles[0] - middles[1])))
    assert apart[0] < 0.1
    assert apart[1] > 0.3


# ---- contours --------------------------------------------------------------------------------------------------------


def test_with_all_labels_known_the_slice_is_dirichlet_and_the_jacobian_would_not_be():
    settings = MarginaliseSettings(words=3, data="toy_corpus", variant="supervised", known_labels=40)
    target, rng = settings.target(), np.random.default_rng(2)
    position, asked = rng.normal(size=target.dimension), rng.dirichlet(np.ones(3), 6)
    corpus = settings.corpus()
    for label in range(2):
        counts = corpus.bag.counts.toarray()[corpus.shown == label].sum(axis=0) + settings.word_prior
        found = log_densities(target, position, label, asked)
        logs = np.array([stats.dirichlet(counts).logpdf(row) for row in asked])
        assert found - found[0] == pytest.approx(logs - logs[0], abs=1e-8)
        with_jacobian = found + np.log(asked).sum(axis=1)
        assert np.abs(with_jacobian - with_jacobian[0] - (logs - logs[0])).max() > 0.1


def test_contours_are_where_the_density_has_fallen_as_far_as_they_say():
    scene = scene_of(MarginaliseSettings(words=3), 7)
    rows = triangle.contours(scene, 5)
    x, y, line, label = (np.array(rows[name]) for name in ("x", "y", "line", "label"))
    assert set(label) == {0, 1}
    probabilities = back(x, y)
    assert (probabilities > -1e-3).all()
    position = np.array(scene.run.state(5).position)
    for number in np.unique(line):
        its = line == number
        heights = log_densities(scene.run.target, position, label[its][0], probabilities[its].clip(1e-9))
        assert np.ptp(heights) < 0.25, "one height all along, but for the grid"
