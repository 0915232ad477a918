"""Points in the plane: what each set promises, and the features made of them."""

import numpy as np
import pytest

from samplers.data.planes import (
    DEVIATION,
    DIRECTION,
    GAP,
    MEAN,
    OUTLIER,
    PLANES,
    RBF_CENTRES,
    feature_names,
    features_of,
)
from samplers.log_density import NoMode
from samplers.regression.logistic import LogisticRegression
from samplers.regression.optimise import newton_mode
from tests.samplers.regression.regressions import laplace

DRAWN = [name for name in PLANES if name != "few"]
every_drawn = pytest.mark.parametrize("name", DRAWN)


@pytest.mark.parametrize("name", PLANES)
def test_every_set_is_called_alike_and_fits_together(name):
    coordinates, labels = PLANES[name](60, 3)
    assert coordinates.shape == (len(labels), 2)
    assert set(labels.tolist()) == {"three": {0, 1, 2}, "line": {0}}.get(name, {0, 1})
    assert np.abs(coordinates).max() < 4.6
    again = PLANES[name](60, 3)
    assert np.array_equal(again[0], coordinates)
    assert np.array_equal(again[1], labels)
    assert PLANES[name].__name__ == name


@every_drawn
def test_more_points_begin_with_the_same_ones(name):
    for seed in (0, 5):
        many = PLANES[name](300, seed)
        for points in (0, 1, 2, 7, 299):
            some = PLANES[name](points, seed)
            assert np.array_equal(some[0], many[0][:points])
            assert np.array_equal(some[1], many[1][:points])
    assert not np.array_equal(PLANES[name](20, 0)[0], PLANES[name](20, 1)[0])


def test_points_stay_what_they_are():
    """A link names a seed and not the points: what it shows may not change unseen."""
    pinned = {
        "overlapping": [-1.0381538856937529, 0.35110953304377834, 1.950868399900259, -0.32868989353080214],
        "separable": [-1.2927389462422971, 0.2628730055700148, 1.6297529355125076, -0.7324211457721607],
        "xor": [1.9073505152388717, -1.207029113899305, -1.5017377542899677, -2.4818943389626167],
    }
    for name, coordinates in pinned.items():
        assert PLANES[name](2, 1)[0].ravel() == pytest.approx(coordinates)


def test_the_separable_set_has_its_gap_and_the_outlier_set_has_not():
    for seed in range(20):
        coordinates, labels = PLANES["separable"](200, seed)
        assert ((2 * labels - 1) * (coordinates @ DIRECTION)).min() >= GAP - 1e-12
        coordinates, labels = PLANES["outlier"](200, seed)
        assert coordinates[0].tolist() == list(OUTLIER)
        assert labels[0] == 1
        assert coordinates[0] @ DIRECTION < -4
        newton_mode(LogisticRegression(coordinates, labels, 0))
    for name in ("separable", "few"):
        with pytest.raises(NoMode):
            newton_mode(LogisticRegression(*PLANES[name](), 0))


def test_the_overlapping_labels_are_drawn_by_the_weights_that_it_names():
    """Three z-scores against the maximum of likelihood, and the share that nobody can get right."""
    coordinates, labels = PLANES["overlapping"](100_000, 2)
    mode, covariance = laplace(features_of(coordinates), labels, 0)
    weights = 2 * MEAN / DEVIATION**2 * DIRECTION
    assert np.abs((mode - [0, *weights]) / np.sqrt(covariance.diagonal())).max() < 4
    wrong = (coordinates @ weights > 0) != labels
    assert wrong.mean() == pytest.approx(2 / 11, abs=0.005)


def test_no_line_parts_the_xor_set_but_its_product_does():
    coordinates, labels = PLANES["xor"](400, 0)
    for feature_map, low, high in (("linear", 0.3, 0.7), ("quadratic", 0.97, 1.0), ("rbf", 0.97, 1.0)):
        features = features_of(coordinates, feature_map)
        mode, _ = laplace(features, labels, 0.1)
        assert low <= ((features @ mode > 0) == labels).mean() <= high
    assert np.bincount(2 * (coordinates[:8, 0] > 0) + (coordinates[:8, 1] > 0)).tolist() == [2, 2, 2, 2]


def test_features_by_hand():
    points = [[2.0, -1.0], [0.5, 3.0]]
    assert features_of(points).tolist() == [[1, 2, -1], [1, 0.5, 3]]
    assert features_of(points, bias=False).tolist() == points
    assert features_of(points, "quadratic").tolist() == [[1, 2, -1, 4, -2, 1], [1, 0.5, 3, 0.25, 1.5, 9]]
    bumps = features_of([[-3.0, -3.0], [-2.0, 0.0]], "rbf", False)
    assert bumps[0, :2] == pytest.approx([1, np.exp(-4 / 4.5)])
    assert bumps[1, [0, 15]] == pytest.approx(np.exp([-10 / 4.5, -34 / 4.5]))
    assert features_of(points, "rbf").shape == (2, 17)
    assert features_of(np.empty((0, 2)), "rbf").shape == (0, 17)


@pytest.mark.parametrize("feature_map", ["linear", "quadratic", "rbf"])
@pytest.mark.parametrize("bias", [True, False])
def test_every_feature_has_a_name(feature_map, bias):
    names = feature_names(feature_map, bias)
    features = features_of(RBF_CENTRES, feature_map, bias)
    assert len(names) == features.shape[1]
    assert len(set(names)) == len(names)
    assert (names[0] == "1") == bias == bool((features[:, 0] == 1).all())


def test_what_is_out_of_range_is_named():
    for call, message in [
        (lambda: PLANES["xor"](-1), "points must be 0 or more, got -1"),
        (lambda: PLANES["xor"](100_001), "points must be 100,000 or less, got 100001"),
        (lambda: PLANES["xor"](5, -1), "seed must be 0 or more, got -1"),
        (lambda: features_of([1.0, 2.0]), r"points must have shape \(.., 2\), got \(2,\)"),
        (lambda: features_of([[1.0, 2.0]], "cubic"), "feature_map must be one of linear, quadratic, rbf, got 'cubic'"),
    ]:
        with pytest.raises(ValueError, match=message):
            call()
