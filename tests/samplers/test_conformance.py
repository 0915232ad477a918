"""What every sampler of the recipe owes. A new sampler is one more line in SAMPLERS, on data that are small."""

import inspect
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest

from samplers.crp import CRPSeating, SeatingState
from samplers.crp_mixture import CRPMixture
from samplers.families import DirichletMultinomial, NormalInverseGamma, NormalInverseWishart, NormalKnownVariance
from samplers.finite_mixture import FiniteMixture
from samplers.naive_bayes import NaiveBayes
from samplers.recipe import Conditional, step, updates
from samplers.stick_breaking import StickBreakingSeating
from tests.samplers.exactness import check_ratios

PLANE = [[0.0, 1.0], [0.4, 0.5], [2.0, 2.0], [2.5, 1.0], [1.0, -1.0]]
NIW = NormalInverseWishart([0.0, 0.0], 0.3, 3.5, [[1.0, 0.4], [0.4, 1.0]])
WORDS = [[2, 1, 0], [0, 3, 1], [4, 0, 0], [0, 0, 0]]
SAMPLERS = [
    ("CRP seating", CRPSeating(1.3)),
    ("CRP seating, discount", CRPSeating(-0.2, 0.5)),
    ("stick-breaking seating", StickBreakingSeating(1.3)),
    ("stick-breaking seating, discount", StickBreakingSeating(-0.2, 0.5)),
    ("CRP mixture, known variance", CRPMixture([-1.0, 0.2, 0.5, 2.0], NormalKnownVariance(0, 4, 0.5), 1.2)),
    ("CRP mixture, Gamma concentration", CRPMixture(PLANE, NIW, 1.2, start="apart", concentration_prior=(2.0, 1.5))),
    ("CRP mixture, counts", CRPMixture([[2, 1], [0, 3], [4, 0], [1, 1]], DirichletMultinomial([0.5, 1.0]), 1.2)),
    ("finite mixture, collapsed", FiniteMixture(PLANE, NIW, 3, 0.7)),
    ("finite mixture, NIW", FiniteMixture(PLANE, NIW, 3, 0.7, False, start="together")),
    ("finite mixture, NIG", FiniteMixture([-1.0, 0.2, 2.0], NormalInverseGamma(0, 0.3, 2, 0.6), 2, [1, 2], False)),
    ("finite mixture, known variance", FiniteMixture(PLANE, NormalKnownVariance([0, 1], 4, 0.5), 2, 1.0, False)),
    ("finite mixture, counts", FiniteMixture(WORDS, DirichletMultinomial([0.5, 1, 0.3]), 2, 1.0, False)),
    ("naive Bayes", NaiveBayes(WORDS, 2, 1.0, 0.4)),
    ("naive Bayes, words collapsed", NaiveBayes(WORDS, 3, [1, 2, 0.5], [0.3, 1, 2], word_probs="collapsed")),
    ("naive Bayes, all explicit", NaiveBayes(WORDS, 2, 1.0, 0.4, [-1, 1, -1, -1], weights="explicit")),
    ("naive Bayes, weights explicit", NaiveBayes(WORDS, 2, 1, 0.4, word_probs="collapsed", weights="explicit")),
]
every_sampler = pytest.mark.parametrize("sampler", [pytest.param(sampler, id=name) for name, sampler in SAMPLERS])


def picture(value):
    """Everything public that an object shows, as plain values that can be compared."""
    if isinstance(value, np.ndarray):
        return value.shape, value.tolist()
    if value is None or isinstance(value, str | int | float | np.generic):
        return value
    if isinstance(value, Mapping):
        return {key: picture(part) for key, part in value.items()}
    if isinstance(value, Sequence | set | frozenset):
        return [picture(part) for part in value]
    names = [name for name in dir(value) if not name.startswith("_")]
    parts = {name: getattr(value, name) for name in names}
    return {name: picture(part) for name, part in parts.items() if not inspect.isroutine(part)}


def after(sampler, sweeps, seed=0):
    rng = np.random.default_rng(seed)
    state = sampler.init(rng)
    for _ in range(sweeps):
        state = step(sampler, state, rng)
    return state


def check_given_state_is_left_alone(sampler):
    for sweeps in (0, 1, 5):
        state = after(sampler, sweeps)
        seen = picture(state)
        one = step(sampler, state, np.random.default_rng(1))
        seen_one = picture(one)
        for seed in range(2, 8):  # other continuations from the same state, and on from the first one
            step(sampler, step(sampler, state, np.random.default_rng(seed)), np.random.default_rng(seed))
            step(sampler, one, np.random.default_rng(seed))
        assert picture(state) == seen
        assert picture(one) == seen_one


def check_substeps_make_the_sweep(sampler):
    state = after(sampler, 4)
    for sweep in range(3):
        whole = step(sampler, state, np.random.default_rng(sweep))
        walked, sweep_of_one = state.copy(), updates(sampler, state.copy(), np.random.default_rng(sweep))
        rng = np.random.default_rng(sweep)
        for site in sampler.sites(walked):
            update = next(sweep_of_one)
            sampler.forget(walked, site)
            law = sampler.score(walked, site)
            value = law.draw(rng)
            sampler.remember(walked, site, value)
            assert update.site == site
            assert picture(update.value) == picture(value)
        assert next(sweep_of_one, None) is None
        assert picture(walked) == picture(whole)
        state = whole


@every_sampler
def test_the_same_generator_gives_the_same_state(sampler):
    assert picture(after(sampler, 6)) == picture(after(sampler, 6))
    assert len({str(picture(after(sampler, 12, seed))) for seed in range(5)}) > 1


@every_sampler
def test_a_sweep_by_substeps_is_the_sweep_in_one_go(sampler):
    check_substeps_make_the_sweep(sampler)


@every_sampler
def test_a_step_leaves_the_given_state_as_it_was(sampler):
    check_given_state_is_left_alone(sampler)


@every_sampler
def test_a_copy_is_equal_and_independent(sampler):
    state = after(sampler, 5)
    twin = state.copy()
    seen = picture(state)
    assert picture(twin) == seen
    list(updates(sampler, twin, np.random.default_rng(3)))
    assert picture(state) == seen
    list(updates(sampler, state, np.random.default_rng(3)))
    assert picture(twin) == picture(state)


@every_sampler
def test_the_log_joint_is_finite(sampler):
    assert all(math.isfinite(sampler.log_joint(after(sampler, sweeps))) for sweeps in range(8))


@every_sampler
def test_named_terms_are_of_one_length(sampler):
    state = after(sampler, 4)
    found = list(updates(sampler, state.copy(), np.random.default_rng(1)))
    assert found
    for update in found:
        if isinstance(update.conditional, Conditional):
            terms = update.conditional.terms
            assert terms
            assert all(isinstance(name, str) and name for name in terms)
            assert len({len(term) for term in terms.values()}) == 1
            assert len(update.conditional.probabilities) > update.value >= 0
            assert 0 <= update.conditional.dart < 1


@every_sampler
def test_conditional_ratios_are_joint_ratios(sampler):
    check_ratios(sampler)


class LeakyState(SeatingState):
    """Planted error: copies share their counts."""

    __slots__ = ()

    def copy(self):
        twin = super().copy()
        twin.counts = self.counts
        return twin


class Leaky(CRPSeating):
    def init(self, rng):
        return LeakyState()


@dataclass(frozen=True)
class Remembers(CRPSeating):
    """Planted error: what it answers depends on how often it was asked."""

    calls: list = field(default_factory=list)

    def score(self, state, site):
        self.calls.append(site)
        new = 50.0 if len(self.calls) % 2 else -50.0
        return Conditional({"whim": [0.0] * len(state.counts) + [new]})


def test_the_checks_catch_planted_errors():
    with pytest.raises(AssertionError):
        check_given_state_is_left_alone(Leaky(1.0))
    with pytest.raises(AssertionError):
        check_substeps_make_the_sweep(Remembers(1.0))
    with pytest.raises(AssertionError):
        check_ratios(Remembers(1.0))
