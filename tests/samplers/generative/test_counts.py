"""Counts beside a number in one class: hidden labels against enumeration, with a planted error."""

import math
from itertools import product

import numpy as np
import pytest

from lessons.topics.generative import GenerativeSettings
from samplers import Chain
from samplers.conjugate import GammaPoisson, NormalInverseGamma, Product
from samplers.conjugate.gamma_poisson import RateCluster
from samplers.generative.stories import STORIES
from samplers.mixtures.finite import FiniteMixture
from tests.samplers.exactness import check_frequencies, run

ROWS = np.array([[-1.0, 0], [0.3, 1], [-0.4, 0], [1.5, 6], [0.9, 3]])
FAMILY = Product([NormalInverseGamma(0.0, 0.5, 2.0, 1.0), GammaPoisson(1.0, 0.5)])
LABELLINGS = list(product(range(2), repeat=len(ROWS)))


def exact():
    """The probability of every labelling, with the classes' weights and their parameters integrated out."""
    logs = []
    for labels in LABELLINGS:
        each = np.array(labels)
        sizes = np.bincount(each, minlength=2)
        fits = (FAMILY.cluster(ROWS[each == label]).log_marginal() for label in range(2))
        logs.append(sum(math.lgamma(1 + size) for size in sizes.tolist()) + math.fsum(fits))
    masses = np.exp(np.array(logs) - max(logs))
    return masses / masses.sum()


def visited(kept):
    states = run(FiniteMixture(ROWS, FAMILY, 2, np.ones(2)), kept, thin=4, seed=1)
    places = [LABELLINGS.index(tuple(int(label) for label in state.labels)) for state in states]
    return np.bincount(places, minlength=len(LABELLINGS)) / kept


def test_hidden_labels_are_visited_as_often_as_they_are_probable(monkeypatch):
    """And the planted error fails: a rate that is plugged in, as if it were known, in place of the average."""
    check_frequencies(visited(3_000), exact(), 2_000, chance=1e-4)

    def plugged(self, x):
        rate = (self._family.shape + self._sum) / (self._family.rate + self.count)
        return x * math.log(rate) - rate - math.lgamma(x + 1)

    monkeypatch.setattr(RateCluster, "log_predictive", plugged)
    with pytest.raises(AssertionError, match="total variation"):
        check_frequencies(visited(3_000), exact(), 2_000, chance=1e-4)


def test_the_messages_as_their_lesson_has_them():
    found = GenerativeSettings(data="counts", points=40, data_seed=7).examples()
    ham, spam = (found.values[found.labels == label] for label in range(2))
    assert (len(ham), ham[:, 1].sum(), ham[:, 2].sum()) == (25, 9, 28)
    assert (len(spam), spam[:, 2].sum()) == (15, 54)
    assert STORIES["counts"].encoding.prior(1.0, 1.0).families[1] == GammaPoisson(1.0, 1.0)
    asked = {"data": "counts", "points": 40, "data_seed": 7, "query_1": -1.0, "query_2": 3.0, "query_3": 0.0}
    settings = GenerativeSettings(**asked, left_out=4)
    assert settings.measure(Chain(settings.sampler(), 7), 40)["answer"] == pytest.approx(0.848, abs=5e-4)
