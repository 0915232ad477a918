"""Factor analysis and its rotations; principal and independent components of data whose components are known."""

import numpy as np
import pytest

from samplers.buffet.factor_analysis import FactorAnalysis, Factors, ica, pca
from samplers.data.features import images, scores, tiny
from tests.samplers.exactness import run

TURN = np.array([[0.6, -0.8], [0.8, 0.6]])


def test_a_rotation_changes_neither_the_joint_nor_the_sums():
    sampler = FactorAnalysis(tiny().data, 2, 0.3, 0.8)
    state = sampler.init(np.random.default_rng(0))
    turned = state.copy()
    turned.factors, turned.loadings = Factors(state.factors, state.loadings).rotated(TURN)
    assert np.abs(turned.loadings - state.loadings).max() > 0.1
    assert sampler.log_joint(turned) == pytest.approx(sampler.log_joint(state), rel=1e-12)
    with pytest.raises(ValueError, match="rotation must be an orthogonal matrix"):
        Factors(state.factors, state.loadings).rotated(np.ones((2, 2)))


def test_factors_wander_among_rotations_while_their_sums_stay():
    """Where the first factor's loadings point says nothing: a chain goes all around, and the sums stay."""
    rng = np.random.default_rng(5)
    data = rng.standard_normal((12, 2)) @ (1.2 * np.eye(2))
    states = run(FactorAnalysis(data, 2, 0.5, 1.0), 2_000, thin=1, seed=3)
    angles = np.array([np.arctan2(*state.loadings[0]) for state in states])
    sums = np.mean([state.factors @ state.loadings for state in states], axis=0)
    assert np.abs(np.exp(1j * angles).mean()) < 0.4
    assert np.abs(sums - data).max() < 1.0 < np.abs(data).max()


def test_principal_components_are_the_nearest_sums():
    data = scores(1).data
    found = pca(data, 3)
    lengths = np.linalg.svd(data, compute_uv=False)
    assert ((data - found.sums) ** 2).sum() == pytest.approx((lengths[3:] ** 2).sum())
    assert found.factors.T @ found.factors / len(data) == pytest.approx(np.eye(3), abs=1e-12)
    with pytest.raises(ValueError, match="factors must be at most 9, got 10"):
        pca(data, 10)


def test_independent_components_undo_a_rotation_that_principal_ones_cannot():
    rng = np.random.default_rng(4)
    hidden = np.sign(rng.standard_normal((500, 2))) * rng.uniform(0.5, 1.5, (500, 2))
    mixed = hidden @ [[1.0, 0.5], [0.5, 1.0]]
    found, principal = ica(mixed, 2), pca(mixed, 2)
    match, missed = (np.abs(np.corrcoef(hidden.T, part.factors.T)[:2, 2:]).max(axis=1) for part in (found, principal))
    assert match.min() > 0.99
    assert missed.min() < 0.95
    assert found.sums == pytest.approx(principal.sums)


def test_known_features_are_in_the_data():
    found = images(12, 3, noise=0.0)
    assert (found.data == found.matrix @ found.loadings).all()
    assert (images(20, 3).data[:12] == images(12, 3).data).all()
    assert scores(2).matrix.sum(axis=0).tolist() == [9, 3, 3, 3]
    with pytest.raises(ValueError, match="rows must be 3 or more"):
        images(2, 1)
