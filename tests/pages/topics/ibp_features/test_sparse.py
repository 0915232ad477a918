"""Sparse factors, stepped: the film, the cards of each kind of update, the loadings that can be turned."""

import re

import numpy as np
import pytest
from scipy import stats

from lessons.topics.ibp_features import IBPFeaturesSettings
from pages.scenes.close_up import opened
from pages.topics.ibp_features import IBPFeaturesStage
from pages.topics.ibp_features.film import sweeps_film
from pages.topics.ibp_features.slab import CARDS
from pages.topics.ibp_features.sparse import with_general
from samplers.buffet.linear_gaussian import Bit, Own
from tests.pages.html import rows, words
from tests.pages.visits import app, follow, inspector

SPARSE = IBPFeaturesSettings(data="scores", model="sparse")
SWEEP = 40


def card(view="sparse", t=300, **settings):
    return words(IBPFeaturesStage().cards(SPARSE.model_copy(update=settings), 1, view, t))


@pytest.fixture(scope="module")
def close_up():
    scene = IBPFeaturesStage().scene(SPARSE.model_copy(update={"step_by": "update", "sweep": SWEEP}), 1)
    scene.run.reach(SWEEP)
    return scene, opened(scene.key, scene.run, SWEEP)


def test_a_frame_has_the_loadings_and_their_sums():
    scene = IBPFeaturesStage().scene(SPARSE, 1)
    scene.run.reach(20)
    state, frame = scene.run.state(20), sweeps_film(scene).frames(20, 21)
    amounts = frame["cells", "amount"].reshape(9, 8)
    assert amounts[:, state.features] == pytest.approx(state.loadings, abs=1e-6)
    assert frame["pixels", "sum"].reshape(9, 36) == pytest.approx(state.loadings @ state.factors, abs=1e-5)
    assert frame["say", "zeros"].item() == (state.loadings == 0).sum()
    assert frame["say", "all"].item() == state.loadings.size


def test_spike_and_slab_of_the_histogram_are_all_loadings_so_far():
    scene = IBPFeaturesStage().scene(SPARSE, 1)
    frame = sweeps_film(scene).frames(12, 13)
    found = np.concatenate([scene.run.state(t).loadings.ravel() for t in range(1, 13)])
    assert frame["spike", "share"].item() == pytest.approx((found == 0).mean())
    assert frame["slab", "share"].sum() == pytest.approx((found != 0).mean())
    middle = frame["slab", "share"].ravel()[7]
    assert middle == pytest.approx(((found > 0) & (found < 0.25)).mean())
    slab = stats.norm(0, 0.5)
    inside = (slab.cdf(0.25) - 0.5) * (found != 0).mean()
    assert frame["slab", "prior"].ravel()[7] == pytest.approx(inside, abs=1e-6)


def test_the_beats_of_a_loading_have_the_numbers_of_the_formula(close_up):
    """The weight under a bit is integrated out by SciPy's covariance, which has another form than the sampler's."""
    scene, sweep = close_up
    number = next(place for place, site in enumerate(sweep.sites) if isinstance(site, Bit))
    beat = sweep[number]
    site, before = beat.update.site, beat.before
    column = before.features.index(site.feature)
    others = int((np.delete(before.loadings, site.row, axis=0)[:, column] != 0).sum())
    rest = np.delete(before.loadings[site.row], column) @ np.delete(before.factors, column, axis=0)
    left, factor = scene.rows.data[site.row] - rest, before.factors[column]
    log_weights = [
        np.log(count)
        + stats.multivariate_normal(np.zeros(36), slab**2 * np.outer(factor, factor) + 0.16 * np.eye(36)).logpdf(left)
        for count, slab in ((9 - others, 0.0), (others, 0.5))
    ]
    shown = rows(CARDS.beat_by_beat(scene, sweep, 4 * number + 2))
    assert [row[1].split()[0] for row in shown] == [str(9 - others), str(others)]
    chances = np.exp(log_weights - np.logaddexp(*log_weights))
    assert beat.update.conditional.probabilities == pytest.approx(chances, rel=1e-9)
    assert [float(row[-1]) for row in shown] == pytest.approx(chances, abs=5e-4)


def test_the_loading_that_the_lesson_draws(close_up):
    """Arithmetic on factor 2: 4 other tests load on it, and the slab's density is exp(−0.83) times the spike's."""
    _, sweep = close_up
    assert sweep.sites[1] == Bit(0, 1)
    conditional = sweep[1].update.conditional
    counts, fit = conditional.terms.values()
    assert np.exp(counts) == pytest.approx([5, 4])
    assert fit[1] - fit[0] == pytest.approx(-0.83, abs=0.005)
    assert conditional.probabilities[0] == pytest.approx(0.74, abs=0.005)


def test_every_kind_of_update_is_told(close_up):
    scene, sweep = close_up
    own_at = next(place for place, site in enumerate(sweep.sites) if isinstance(site, Own))
    said = words(CARDS.beat_by_beat(scene, sweep, 4 * own_at + 4))
    assert "Poisson with mean α / N = 0.111" in said
    assert ("accepted" in said) == sweep[own_at].update.conditional.accepted
    after = sweep[len(sweep) - 1].after
    left = ((scene.rows.data - after.loadings @ after.factors) ** 2).sum()
    assert f"{left:.1f} now" in words(CARDS.beat_by_beat(scene, sweep, 4 * len(sweep)))


def test_a_row_is_the_sum_of_its_loadings_times_factors():
    scene = IBPFeaturesStage().scene(SPARSE, 1)
    scene.run.reach(60)
    state = scene.run.state(60)
    left = ((scene.rows.data[0] - state.loadings[0] @ state.factors) ** 2).sum()
    said = card("sum", 60)
    assert f"left over: {left:.3g} of" in said
    assert len(re.findall("× factor", said)) == (state.loadings[0] != 0).sum()


def test_a_rotation_keeps_the_fit_and_loses_zeros_until_factors_have_changed_places():
    found = [
        re.search(r"(\d+) of \d+ are exactly 0. Sum of squares left over ([\d.]+)", card(angle=a)) for a in (0, 45, 90)
    ]
    zeros, left = [int(each[1]) for each in found], {each[2] for each in found}
    assert zeros[1] < zeros[0] == zeros[2]
    assert len(left) == 1


def test_numbers_of_the_lesson():
    """Three factors most often, and the correlation with g, in the second half of long chains of three seeds."""
    for seed in (1, 2, 3):
        scene = IBPFeaturesStage().scene(SPARSE, seed)
        scene.run.reach(800)
        numbers = np.bincount(scene.run.features[401:801]) / 400
        assert numbers.argmax() == 3
        assert numbers[3] == pytest.approx(0.6, abs=0.05)
        assert np.mean(with_general(scene, 800)) == pytest.approx(0.7, abs=0.05)
    scene = IBPFeaturesStage().scene(SPARSE.model_copy(update={"noise": 0.8}), 1)
    scene.run.reach(800)
    assert (scene.run.features[1:801] == 1).mean() == pytest.approx(0.6, abs=0.05)


def test_of_few_rows_the_chart_has_the_posterior_of_the_number_of_factors():
    scene = IBPFeaturesStage().scene(SPARSE.model_copy(update={"data": "tiny"}), 1)
    film = sweeps_film(scene)
    assert ("ink", "posterior, estimated, thick") in next(
        chart for chart in film.charts if chart.name == "number"
    ).legend
    assert film.data["counts"]["exact"][:3] == pytest.approx(scene.estimate.shares[1:4], rel=1e-3)
    test = app("ibp_features.py", data="tiny", model="sparse", view="truth", t="30")
    said = inspector(test)
    assert "± standard error" in said
    follow(test, data="scores", model="sparse", view="truth", t="30")
    assert "Take Three images of 2 × 2 as data." in inspector(test)


def test_bits_have_no_loadings():
    assert "Sparse factors" in words(IBPFeaturesStage().cards(IBPFeaturesSettings(rows=40), 1, "sparse", 0))
