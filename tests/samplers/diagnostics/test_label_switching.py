"""Names of components: set right against brute force, and what does not depend on them against all ways to name."""

from itertools import permutations, product

import numpy as np
import pytest

from samplers.conjugate import NormalKnownVariance
from samplers.crp.facts import relabel
from samplers.diagnostics.label_switching import (
    ranks_by_order,
    ranks_by_overlap,
    renamed,
    summaries,
    without_names,
)
from samplers.mixtures.exact_labellings import exact_finite_mixture

KNOWN = NormalKnownVariance(0.0, 4.0, 0.5)
RNG = np.random.default_rng(3)
EVERY = np.array(list(product(range(3), repeat=4)))  # all labellings of four points in three classes
REFERENCES = ([0, 0, 1, 2], [2, 1, 0, 0], [1, 1, 1, 1])


def rearranged(values, ranks):
    """Numbers of the components in the order of the new names."""
    return np.take_along_axis(values, np.argsort(ranks, axis=1), axis=1)


# ---- by order --------------------------------------------------------------------------------------------------------


def test_by_order_the_smallest_is_the_first():
    values = RNG.normal(size=(50, 4))
    ranks = ranks_by_order(values)
    for row, names in zip(values, ranks, strict=True):
        assert [sorted(row).index(value) for value in row] == names.tolist()
    assert (np.diff(rearranged(values, ranks), axis=1) > 0).all()


def test_by_order_equal_ones_keep_their_order():
    assert ranks_by_order([[1.0, 0.0, 1.0, 0.0]]).tolist() == [[2, 0, 3, 1]]


@pytest.mark.parametrize("names", list(permutations(range(3))))
def test_by_order_it_does_not_matter_what_the_names_were(names):
    values = RNG.normal(size=(20, 3))
    labels = RNG.integers(3, size=(20, 7))
    ranks = ranks_by_order(values)
    other_values, other_labels = values[:, np.argsort(names)], np.array(names)[labels]
    other = ranks_by_order(other_values)
    np.testing.assert_array_equal(rearranged(other_values, other), rearranged(values, ranks))
    np.testing.assert_array_equal(renamed(other_labels, other), renamed(labels, ranks))


def test_numbers_and_labels_get_the_same_names():
    values, labels = RNG.normal(size=(20, 3)), RNG.integers(3, size=(20, 7))
    ranks = ranks_by_order(values)
    before = np.take_along_axis(values, labels, axis=1)
    after = np.take_along_axis(rearranged(values, ranks), renamed(labels, ranks), axis=1)
    np.testing.assert_array_equal(before, after)


# ---- by overlap ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("reference", REFERENCES)
def test_by_overlap_no_other_names_agree_on_more_points(reference):
    ranks = ranks_by_overlap(EVERY, reference, 3)
    found = (renamed(EVERY, ranks) == reference).sum(axis=1)
    every = [(np.array(names)[EVERY] == reference).sum(axis=1) for names in permutations(range(3))]
    np.testing.assert_array_equal(found, np.max(every, axis=0))
    assert (np.sort(ranks, axis=1) == np.arange(3)).all(), "each name is given once"


@pytest.mark.parametrize("names", list(permutations(range(3))))
def test_by_overlap_it_does_not_matter_what_the_names_were(names):
    labels = EVERY[(EVERY == 0).any(axis=1) & (EVERY == 1).any(axis=1) & (EVERY == 2).any(axis=1)]
    reference = labels[0]
    one = renamed(labels, ranks_by_overlap(labels, reference, 3))
    other_labels = np.array(names)[labels]
    other = renamed(other_labels, ranks_by_overlap(other_labels, reference, 3))
    assert ((one == reference).sum(axis=1) == (other == reference).sum(axis=1)).all()


def test_a_renamed_reference_is_found_again():
    reference = np.array([0, 1, 2, 0, 1, 2, 2])
    labels = np.array([np.array(names)[reference] for names in permutations(range(3))])
    assert (renamed(labels, ranks_by_overlap(labels, reference, 3)) == reference).all()


@pytest.mark.parametrize(
    ("labels", "reference", "message"),
    [
        ([[0, 1]], [0, 1, 1], "rows of 3 labels"),
        ([0, 1], [0, 1], "rows of 2 labels"),
        ([[0, 3]], [0, 1], "below 3, got 0 to 3"),
        ([[0, 1]], [-1, 1], "below 3, got -1 to 1"),
    ],
)
def test_what_does_not_fit_together_is_refused(labels, reference, message):
    with pytest.raises(ValueError, match=message):
        ranks_by_overlap(labels, reference, 3)


# ---- without names ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("names", list(permutations(range(3))))
def test_summaries_are_the_same_whatever_the_names(names):
    before, after = summaries(EVERY, (1, 3)), summaries(np.array(names)[EVERY], (1, 3))
    for name, values in before.items():
        np.testing.assert_array_equal(values, after[name], err_msg=name)
    sizes = (EVERY == 0).sum(axis=1)  # one that asks for a name: it must not pass
    if names[0] != 0:
        assert (sizes != (np.array(names)[EVERY] == 0).sum(axis=1)).any()


def test_summaries_are_what_they_say():
    found = summaries([[0, 0, 2, 0], [1, 1, 1, 1], [2, 0, 1, 0]], (0, 3))
    assert found["occupied"].tolist() == [2, 1, 3]
    assert found["largest"].tolist() == [3, 4, 2]
    assert found["together"].tolist() == [True, True, False]


@pytest.mark.parametrize(("points", "classes"), [(3, 2), (5, 3), (4, 6), (1, 3)])
def test_labellings_that_differ_in_names_alone_are_added_up(points, classes):
    exact = exact_finite_mixture(np.linspace(-1.0, 2.0, points) ** 2, KNOWN, classes, 0.7)
    law = without_names(exact)
    expected = dict.fromkeys(law.partitions, 0.0)
    for labelling, probability in zip(exact.labellings, exact.probabilities, strict=True):
        expected[tuple(relabel(labelling).tolist())] += probability
    np.testing.assert_allclose(law.probabilities, list(expected.values()), rtol=1e-9, atol=1e-15)
    assert law.log_evidence == pytest.approx(exact.log_evidence, rel=1e-12)
    assert (law.table_counts[classes + 1 :] == 0).all(), "no more parts than classes"
    together = exact.labellings[:, :, None] == exact.labellings[:, None, :]
    np.testing.assert_allclose(law.co_clustering, np.tensordot(exact.probabilities, together, axes=1), rtol=1e-9)
