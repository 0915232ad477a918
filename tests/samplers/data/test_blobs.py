import ast
import inspect
import math
from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from scipy import stats

from samplers.data import blobs as datasets
from samplers.data.blobs import BLOBS, BOUND, DATASETS, DRIFT, LISTED, REFERENCE_TIME, UNDECIDED, Dataset

DRAWN = {
    "three_blobs": 3,
    "four_blobs": 4,
    "overlapping": 3,
    "anisotropic": 3,
    "far_point": 4,
    "response_times": 3,
    "one_skewed": 1,
    "diffusion": 1,
}
four_blobs, three_blobs, response_times = (DATASETS[name] for name in ("four_blobs", "three_blobs", "response_times"))


@pytest.mark.parametrize("name", DATASETS)
def test_every_set_is_called_alike_and_fits_together(name):
    drawn = DATASETS[name](60, 1)
    assert drawn.data.dtype == np.float64
    assert drawn.data.shape == (len(drawn.data), len(drawn.columns))
    with pytest.raises(ValueError, match="read-only"):
        drawn.data[0] = 0
    with pytest.raises(FrozenInstanceError):
        drawn.columns = ()


@pytest.mark.parametrize(("name", "values"), LISTED.items())
def test_listed_sets_do_not_depend_on_the_arguments(name, values):
    for arguments in [(3, 0), (60, 3)]:
        fixed = DATASETS[name](*arguments)
        assert fixed.data.tolist() == [[value] for value in values]
        assert fixed.labels is None


@pytest.mark.parametrize("name", DRAWN)
def test_a_seed_and_a_number_make_the_points(name):
    one, same, other = DATASETS[name](60, 5), DATASETS[name](60, 5), DATASETS[name](60, 6)
    assert np.array_equal(one.data, same.data)
    assert np.array_equal(one.labels, same.labels)
    assert not np.array_equal(one.data, other.data)


def test_points_stay_what_they_are():
    """A link names a seed and not the points: what it shows may not change unseen."""
    assert three_blobs(3, 0).data[0] == pytest.approx([0.7824000270780823, 2.968248577877545])
    times = [0.8451896417589445, -0.49328498873914, 0.6141530350036958]
    assert response_times(3, 0).data[:, 0] == pytest.approx(times)


@pytest.mark.parametrize(("name", "components"), DRAWN.items())
@pytest.mark.parametrize("points", [13, 60, 1000])
def test_every_component_is_there(name, components, points):
    for seed in range(20):
        labels = DATASETS[name](points, seed).labels
        assert set(labels.tolist()) == set(range(components))


@pytest.mark.parametrize(("name", "blobs"), BLOBS.items())
def test_components_have_their_shares(name, blobs):
    shares = np.array([blob.share for blob in blobs])
    assert shares.sum() == pytest.approx(1)
    for points in (3, 7, 100):
        counts = np.bincount(DATASETS[name](points, 2).labels, minlength=len(shares))
        assert (abs(counts - points * shares) < 1 + 1e-9).all()


def test_each_point_is_of_a_component_with_the_probability_of_its_share():
    labels = np.concatenate([four_blobs(3, seed).labels for seed in range(2000)])
    for component, blob in enumerate(BLOBS["four_blobs"]):
        error = math.sqrt(blob.share * (1 - blob.share) / len(labels))
        assert (labels == component).mean() == pytest.approx(blob.share, abs=4 * error)


def test_labels_are_in_random_order():
    first = [three_blobs(3, seed).labels[0] for seed in range(3000)]
    assert np.bincount(first) == pytest.approx([1000] * 3, abs=4 * math.sqrt(3000 * 2 / 9))


@pytest.mark.parametrize("name", DATASETS)
def test_one_prior_serves_all(name):
    data = np.concatenate([DATASETS[name](1000, seed).data for seed in range(10)])
    assert abs(data).max() < 5.5
    assert (abs(data) < 5).mean() > 0.999
    assert (abs(data.mean(axis=0)) <= 1).all()


@pytest.mark.parametrize(("name", "blobs"), BLOBS.items())
def test_blobs_have_the_moments_that_they_say(name, blobs):
    drawn = DATASETS[name](1000, 4)
    for label, blob in enumerate(blobs):
        points = drawn.data[drawn.labels == label]
        angle = math.radians(blob.degrees)
        along, across = (math.cos(angle), math.sin(angle)), (-math.sin(angle), math.cos(angle))
        centred = points - blob.centre
        for axis, width in zip((along, across), blob.widths, strict=True):
            scores = centred @ axis / width
            assert abs(scores.mean()) < 4 / math.sqrt(len(points))
            assert scores.var() == pytest.approx(1, abs=4 * math.sqrt(2 / len(points)))
        assert abs(np.corrcoef(centred @ along, centred @ across)[0, 1]) < 4 / math.sqrt(len(points))


def mistaken(name):
    """How many points the best rule, which knows the components, gives to another one."""
    drawn = DATASETS[name](1000, 1)
    scores = []
    for blob in BLOBS[name]:
        angle = math.radians(blob.degrees)
        turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
        covariance = turn @ np.diag(np.square(blob.widths)) @ turn.T
        off = drawn.data - blob.centre
        distance = np.einsum("ni,ij,nj->n", off, np.linalg.inv(covariance), off)
        scores.append(math.log(blob.share) - (np.linalg.slogdet(covariance)[1] + distance) / 2)
    return (np.argmax(scores, axis=0) != drawn.labels).mean()


def test_blobs_lie_apart_and_the_overlapping_do_not():
    assert mistaken("three_blobs") < 0.002
    assert mistaken("four_blobs") < 0.002
    assert mistaken("anisotropic") < 0.01
    assert 0.09 < mistaken("overlapping") < 0.17


def test_response_times_are_two_processes_and_a_left_tail():
    drawn = response_times(1000, 3)
    times = REFERENCE_TIME * 2 ** drawn.data[:, 0]
    guesses, decisions, anticipations = (times[drawn.labels == label] for label in range(3))
    assert [len(guesses), len(decisions), len(anticipations)] == [360, 560, 80]
    assert np.median(guesses) == pytest.approx(250, rel=0.05)
    assert np.median(decisions) == pytest.approx(700, rel=0.05)
    assert np.log(guesses).std() == pytest.approx(0.20, rel=0.15)
    assert np.log(decisions).std() == pytest.approx(0.25, rel=0.12)
    assert (anticipations >= 20).all()
    assert (anticipations <= 160).all()
    assert anticipations.mean() == pytest.approx(90, abs=4 * 140 / math.sqrt(12 * 80))


def test_anticipations_are_skewed_to_the_left():
    drawn = [response_times(1000, seed) for seed in range(20)]
    logs = np.concatenate([each.data[each.labels == 2, 0] for each in drawn])
    assert -0.9 < ((logs - logs.mean()) ** 3).mean() / logs.std() ** 3 < -0.5


def evidence_meets_its_bound(rng, walks, step):
    """When each walk first meets the bound: in steps of time, with the chance that it was met in between (a bridge)."""
    place, when = np.zeros(walks), np.full(walks, np.inf)
    for number in range(1, round(8 / step) + 1):
        after = place + DRIFT * step + math.sqrt(step) * rng.standard_normal(walks)
        left = np.maximum(BOUND - place, 0) * np.maximum(BOUND - after, 0)
        met = rng.random(walks) < np.exp(-2 * left / step)
        when[met & np.isinf(when)] = (number - 0.5) * step
        place = after
    return when


def test_times_of_a_diffusion_are_those_of_walks_in_small_steps():
    """Against walks that are simulated step by step, by Kolmogorov and Smirnov; another bound is another law."""
    drawn = np.concatenate([DATASETS["diffusion"](1000, seed).data[:, 0] for seed in range(4)])
    walked = evidence_meets_its_bound(np.random.default_rng(0), 4_000, 0.01)
    assert stats.ks_2samp(drawn, UNDECIDED + walked - 1).pvalue > 1e-3
    assert stats.ks_2samp(drawn, UNDECIDED + 1.1 * walked - 1).pvalue < 1e-6
    assert drawn.mean() == pytest.approx(UNDECIDED + BOUND / DRIFT - 1, abs=4 * 0.375 / math.sqrt(len(drawn)))


@pytest.mark.parametrize("name", DRAWN)
def test_numbers_out_of_range_are_refused(name):
    for points in (3, 1000):
        assert len(DATASETS[name](points, 0).data) == points
    with pytest.raises(ValueError, match="points must be 3 or more, got 2"):
        DATASETS[name](2, 0)
    with pytest.raises(ValueError, match="points must be 1000 or less, got 1001"):
        DATASETS[name](1001, 0)
    with pytest.raises(ValueError, match="seed must be 0 or more, got -1"):
        DATASETS[name](60, -1)
    with pytest.raises(TypeError):
        DATASETS[name](60.5, 0)


def test_a_set_whose_parts_do_not_fit_is_refused():
    with pytest.raises(ValueError, match=r"data must have shape \(N, 2\), got \(3, 1\)"):
        Dataset(np.zeros((3, 1)), None, ("x", "y"))
    with pytest.raises(ValueError, match=r"labels must have shape \(3,\), got \(2,\)"):
        Dataset(np.zeros((3, 1)), np.zeros(2), ("x",))


def test_a_set_keeps_its_own_copy():
    values, labels = np.zeros((3, 1)), np.zeros(3, int)
    kept = Dataset(values, labels, ("x",))
    values[0], labels[0] = 9, 9
    assert kept.data[0] == 0
    assert kept.labels[0] == 0
    with pytest.raises(ValueError, match="read-only"):
        kept.labels[0] = 1


def test_only_numpy_is_needed():
    tree = ast.parse(inspect.getsource(datasets))
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    names = {getattr(node, "module", None) or node.names[0].name for node in imports}
    assert {name.partition(".")[0] for name in names} <= {
        "collections",
        "dataclasses",
        "functools",
        "numpy",
        "samplers",
    }


def test_one_point_lies_far_from_three_blobs_and_the_others_are_where_they_were():
    plain, far = DATASETS["three_blobs"](60, 1), DATASETS["far_point"](60, 1)
    assert np.array_equal(far.data[:-1], plain.data[:-1])
    assert np.array_equal(far.labels[:-1], plain.labels[:-1])
    distances = np.linalg.norm(far.data[:-1] - far.data[-1], axis=1)
    assert distances.min() > 3
    assert far.labels[-1] == 3


def test_one_skewed_process_has_the_moments_of_its_gamma():
    data = np.concatenate([DATASETS["one_skewed"](1000, seed).data[:, 0] for seed in range(10)])
    assert data.min() > -1
    assert [data.mean(), data.var()] == pytest.approx([-0.2, 0.32], abs=0.03)
    assert ((data - data.mean()) ** 3).mean() / data.std() ** 3 == pytest.approx(math.sqrt(2), abs=0.15)
