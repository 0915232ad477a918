"""The contract of every sampler. A new one is a line in SAMPLERS, or in OTHERS if it is not Gibbs, on small data."""

import inspect
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest

from samplers.buffet.factor_analysis import FactorAnalysis
from samplers.buffet.linear_gaussian import LinearGaussian
from samplers.buffet.prior import IndianBuffet
from samplers.buffet.spike_slab import SpikeAndSlab
from samplers.buffet.wrong import WRONG_BUFFETS, WRONG_FEATURE_RULES
from samplers.chain import Chain
from samplers.climb.em import EM, KMeans
from samplers.climb.halves import Climb
from samplers.climb.variational import TruncatedStick, VariationalBayes
from samplers.climb.wrong import WRONG_CLIMBS
from samplers.conjugate import (
    DirichletMultinomial,
    NormalInverseGamma,
    NormalInverseWishart,
    NormalKnownVariance,
    Product,
)
from samplers.conjugate.beta import Beta
from samplers.conjugate.coin import IndependentDraws, Tosses
from samplers.crp.forwards import Forwards
from samplers.crp.mixture import CRPMixture
from samplers.crp.one_at_a_time import OneAtATime
from samplers.crp.perfect import EveryStart, FirstMeeting, PerfectDraws
from samplers.crp.seating import CRPSeating, SeatingState
from samplers.crp.stick_breaking import StickBreakingSeating
from samplers.crp.wrong import WRONG_RULES
from samplers.data.planes import GrowingData
from samplers.generative.classifier import GenerativeModel
from samplers.generative.imputing import Imputation
from samplers.generative.stories import STORIES
from samplers.generative.wrong import WRONG_GENERATIVE_RULES
from samplers.gradient.gaussian_marginal import GaussianMarginal
from samplers.gradient.gist import GIST
from samplers.gradient.hmc import HMC
from samplers.gradient.naive_bayes_marginal import NaiveBayesMarginal
from samplers.gradient.nuts import NUTS
from samplers.gradient.throw import Throw
from samplers.gradient.wrong import WRONG_MARGINALS
from samplers.hmm.block import Block
from samplers.hmm.concentrations import Priors
from samplers.hmm.single import SingleSite
from samplers.hmm.sticky import StickyBlock, StickySingle
from samplers.hmm.wrong import WRONG_BLOCK, WRONG_SINGLE, WRONG_STICKY_BLOCK, WRONG_STICKY_SINGLE
from samplers.jumps.auxiliary import AuxiliaryTables
from samplers.jumps.kept_means import KeptMeans, NormalMeans
from samplers.jumps.laplace_means import LaplaceMeans
from samplers.jumps.split_merge import SplitMerge
from samplers.jumps.tempering import MixtureLadder, TemperedMixture
from samplers.jumps.wrong import WRONG_AUXILIARY, WRONG_KEPT, WRONG_MOVES, WRONG_SWAPS
from samplers.mixtures.asking import Asking
from samplers.mixtures.exact_labellings import exact_finite_mixture
from samplers.mixtures.finite import FiniteMixture
from samplers.mixtures.naive_bayes import NaiveBayes
from samplers.mixtures.unknown_number import UnknownNumber
from samplers.mixtures.wrong import WRONG_LABEL_RULES
from samplers.recipe import Conditional, Kernel, drained, updates
from samplers.regression.metropolis import RandomWalkMetropolis
from samplers.regression.optimise import GradientDescent, Newton
from samplers.regression.tempering import MetropolisLadder, TemperedWalk
from samplers.regression.wrong import WRONG_SWAPS as WRONG_DENSITY_SWAPS
from samplers.relay import Relay
from samplers.topics.hdp import HDP
from samplers.topics.lda import LDA
from samplers.topics.wrong import WRONG_BASE_RULES, WRONG_TOPIC_RULES
from tests.samplers.exactness import check_ratios
from tests.samplers.regression.regressions import in_the_plane

PLANE = [[0.0, 1.0], [0.4, 0.5], [2.0, 2.0], [2.5, 1.0], [1.0, -1.0]]
NIW = NormalInverseWishart([0.0, 0.0], 0.3, 3.5, [[1.0, 0.4], [0.4, 1.0]])
WORDS = [[2, 1, 0], [0, 3, 1], [4, 0, 0], [0, 0, 0]]
BOTH = Product([NormalInverseGamma(0, 0.3, 2, 0.6), DirichletMultinomial([0.5, 1.0])])
TYPES = [[-1.0, 1, 0], [math.nan, 0, 1], [0.4, 1, 0], [1.2, math.nan, math.nan]]
STAY = [[0.8, 0.2], [0.3, 0.7]]
SAMPLERS = [
    ("CRP seating", CRPSeating(1.3)),
    ("CRP seating, discount", CRPSeating(-0.2, 0.5)),
    ("stick-breaking seating", StickBreakingSeating(1.3)),
    ("stick-breaking seating, discount", StickBreakingSeating(-0.2, 0.5)),
    ("Indian buffet", IndianBuffet(1.7)),
    ("Indian buffet, finite model", IndianBuffet(1.7, 4)),
    ("CRP mixture, known variance", CRPMixture([-1.0, 0.2, 0.5, 2.0], NormalKnownVariance(0, 4, 0.5), 1.2)),
    ("CRP mixture, one at a time", OneAtATime(CRPMixture([-1.0, 0.2, 2.0], NormalKnownVariance(0, 4, 0.5), 1.2))),
    ("CRP mixture, Gamma concentration", CRPMixture(PLANE, NIW, 1.2, start="apart", concentration_prior=(2.0, 1.5))),
    ("CRP mixture, counts", CRPMixture([[2, 1], [0, 3], [4, 0], [1, 1]], DirichletMultinomial([0.5, 1.0]), 1.2)),
    ("CRP mixture, tempered", TemperedMixture(CRPMixture(PLANE, NIW, 1.2), 0.4)),
    ("finite mixture, number unknown", UnknownNumber(PLANE, NIW, [0.2, 0.5, 0.3], 0.7, start="prior")),
    ("finite mixture, collapsed", FiniteMixture(PLANE, NIW, 3, 0.7)),
    ("finite mixture, NIW", FiniteMixture(PLANE, NIW, 3, 0.7, False, start="together")),
    ("finite mixture, NIG", FiniteMixture([-1.0, 0.2, 2.0], NormalInverseGamma(0, 0.3, 2, 0.6), 2, [1, 2], False)),
    ("finite mixture, known variance", FiniteMixture(PLANE, NormalKnownVariance([0, 1], 4, 0.5), 2, 1.0, False)),
    ("finite mixture, counts", FiniteMixture(WORDS, DirichletMultinomial([0.5, 1, 0.3]), 2, 1.0, False)),
    ("finite mixture, features of two types", FiniteMixture(TYPES, BOTH, 2, 1.0, labels=[0, -1, -1, 1])),
    ("naive Bayes", NaiveBayes(WORDS, 2, 1.0, 0.4)),
    ("naive Bayes, words collapsed", NaiveBayes(WORDS, 3, [1, 2, 0.5], [0.3, 1, 2], word_probs="collapsed")),
    ("naive Bayes, all explicit", NaiveBayes(WORDS, 2, 1.0, 0.4, [-1, 1, -1, -1], weights="explicit")),
    ("naive Bayes, weights equal", NaiveBayes(WORDS, 3, 1.0, 0.4, [-1, 1, -1, -1], weights="equal")),
    ("imputing", Imputation(STORIES["mixed"].story.truth(), [0.2, 1.0, math.nan, math.nan, *[math.nan] * 3])),
    ("imputing counts", Imputation(STORIES["counts"].story.truth(), [math.nan, math.nan, 2.0])),
    ("features", LinearGaussian(PLANE, 1.2, 0.5, 1.0, start="prior")),
    (
        "features, all resampled",
        LinearGaussian(PLANE, 1.2, 0.5, 1.0, concentration_prior=(2, 1), noise_prior=(2, 1), spread_prior=(2, 1)),
    ),
    ("factor analysis", FactorAnalysis(PLANE, 2, 0.5, 1.0)),
    ("spike and slab", SpikeAndSlab(PLANE, 1.2, 0.5, 1.0)),
    ("hidden Markov, single-site", SingleSite([0.3, 1.2, -0.4], [0, 2], 1.0, STAY, learned=True)),
    ("hidden Markov, block", Block([0.3, 1.2, -0.4], [0, 2], 1.0, STAY, learned=True)),
    ("sticky HDP-HMM, single-site", StickySingle([0.3, 1.2, -0.4], 3, 1.0, 1.5, 0.8, 2.5)),
    ("sticky HDP-HMM, block", StickyBlock([0.3, 1.2, -0.4], 3, 1.0, 1.5, 0.8, 2.5)),
    (
        "sticky HDP-HMM, concentrations redrawn",
        StickyBlock([0.3, 1.2, -0.4, 0.5], 3, 1.0, 1.5, 0.8, 2.5, priors=Priors()),
    ),
    ("LDA", LDA([[0, 1, 0], [2, 0], []], 3, 2, 0.5, 0.1)),
    ("LDA, pseudo-counts learned", LDA([[0, 1, 0], [2, 0, 2, 1]], 3, 3, 0.5, 0.1, learned=True)),
    ("naive Bayes, weights explicit", NaiveBayes(WORDS, 2, 1, 0.4, word_probs="collapsed", weights="explicit")),
]
TWO_MEANS = GaussianMarginal([-2.1, -1.9, 2.0], 2)
PLANE_MODEL = in_the_plane(bias=True)
LISTED = exact_finite_mixture([-1.0, 0.2, 2.0], NormalKnownVariance(0, 4, 0.5), 2, 1.2)
OTHERS = [  # also a Gibbs sampler whose labels have auxiliary variables: the joint of all is not its `log_joint`
    ("HMC", HMC(TWO_MEANS, 0.9, 5)),
    ("GIST", GIST(TWO_MEANS, 0.4, 0.3)),
    ("NUTS, in its warm-up", NUTS(TWO_MEANS, warmup=30)),
    ("NUTS, no warm-up", NUTS(TWO_MEANS, warmup=0, step_size=0.5)),
    ("a path by hand", Throw(TWO_MEANS, 0.3, [0.3, -0.7], [1.0, 0.5])),
    ("Metropolis", RandomWalkMetropolis(PLANE_MODEL, [0.5, 0.3, 0.4], [1.0, 0.5, 0.0])),
    ("Newton", Newton(PLANE_MODEL, 0.7)),
    ("gradient descent", GradientDescent(PLANE_MODEL, 0.02)),
    ("gradient descent that diverges", GradientDescent(PLANE_MODEL, 3.0)),
    ("tosses of a coin", Tosses(0.7)),
    ("independent draws", IndependentDraws(Beta(14, 8))),
    ("arriving data", GrowingData(8)),
    ("a story", STORIES["mixed"].story),
    ("points made forwards", Forwards(NIW, 1.2)),
    ("EM", EM(PLANE, NIW, 2)),
    ("EM to the most probable", EM(PLANE, NIW, 2, 1.5, prior=True)),
    ("k-means", KMeans(PLANE, NormalKnownVariance([0, 1], 4, 0.5), 2)),
    ("variational Bayes", VariationalBayes(PLANE, NIW, 2, 0.7)),
    ("variational Bayes, truncated stick", TruncatedStick(PLANE, NIW, 3, 1.2, start="k-means++")),
    ("auxiliary tables", AuxiliaryTables(PLANE, LaplaceMeans([0.0, 1.0], 1.2, 0.7), 1.2, 2)),
    ("kept means", KeptMeans(PLANE, NormalMeans(NormalKnownVariance([0, 1], 4, 0.5)), 1.2)),
    ("HDP", HDP([[0, 1, 0], [2, 0, 2, 1], []], 3, 1.5, 0.8, 0.4)),
    ("split and merge", SplitMerge(CRPMixture(PLANE, NIW, 1.2, concentration_prior=(2.0, 1.5)), scans=2)),
    ("Metropolis, tempered", TemperedWalk(PLANE_MODEL, 0.3, [0.5, 0.3, 0.4], [1.0, 0.5, 0.0])),
    ("parallel tempering of a density", MetropolisLadder(TWO_MEANS, [1.0, 0.5, 0.2], 0.8, [0.3, -0.7])),
    ("labels asked for at random", Asking(LISTED, [0, 1, 1], "at random")),
    ("perfect draws", PerfectDraws(CRPMixture([-1.0, 0.2, 2.0], NormalKnownVariance(0, 4, 0.5), 1.2))),
    ("every start", EveryStart(CRPMixture([-1.0, 0.2, 2.0], NormalKnownVariance(0, 4, 0.5), 1.2), 2, 0.9)),
    ("a relay", Relay([0.2, 0.5, 0.3], ("right", "upwards"), 4)),
    ("first meetings", FirstMeeting(CRPMixture([-1.0, 0.2, 2.0], NormalKnownVariance(0, 4, 0.5), 1.2))),
    ("parallel tempering", MixtureLadder(CRPMixture(PLANE, NIW, 1.2), [1.0, 0.6, 0.3])),
]
WITHOUT_CHANCE = (Newton, GradientDescent, GrowingData, Throw)


def over(samplers):
    return pytest.mark.parametrize("sampler", [pytest.param(sampler, id=name) for name, sampler in samplers])


every_gibbs_sampler, every_sampler = over(SAMPLERS), over(SAMPLERS + OTHERS)


def picture(value):
    """Everything public that an object shows, as plain values that can be compared."""
    if isinstance(value, np.ndarray):
        return value.shape, value.tolist()
    if value is None or isinstance(value, str | int | float | np.generic):
        return value if value == value else "not a number"
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
        state, _ = sampler.step(state, rng)
    return state


def check_given_state_is_left_alone(sampler):
    for sweeps in (0, 1, 5):
        state = after(sampler, sweeps)
        seen = picture(state)
        one = sampler.step(state, np.random.default_rng(1))  # with its record
        seen_one = picture(one)
        for seed in range(2, 8):  # other continuations from the same state, and on from the first one
            two, _ = sampler.step(state, np.random.default_rng(seed))
            for before in (two, one[0]):
                sampler.step(before, np.random.default_rng(seed))
        assert picture(state) == seen
        assert picture(one) == seen_one


def check_replays(sampler):
    heard = {}
    whole = Chain(sampler, 3, on_step=lambda t, record: heard.update({t: picture(record)}))
    states, thinned = [picture(whole[t]) for t in range(12)], Chain(sampler, 3, keep=2)
    for t in (11, 4, 9, 1):
        assert picture(thinned[t]) == states[t]
        assert picture(thinned.record(t)) == heard[t]
        for recorded in (True, False):
            state, _ = drained(sampler.pieces(whole[t - 1], whole.rng(t), recorded))
            assert picture(state) == states[t]


def check_substeps_make_the_sweep(sampler):
    state = after(sampler, 4)
    for sweep in range(3):
        whole, _ = sampler.step(state, np.random.default_rng(sweep))
        walked, sweep_of_one = state.copy(), updates(sampler, state.copy(), np.random.default_rng(sweep))
        rng = np.random.default_rng(sweep)
        for site in sampler.sites(walked):
            update = next(sweep_of_one)
            sampler.forget(walked, site)
            conditional = sampler.score(walked, site)
            value = conditional.draw(rng)
            sampler.remember(walked, site, value)
            assert update.site == site
            assert picture(update.value) == picture(value)
        assert next(sweep_of_one, None) is None
        assert picture(walked) == picture(whole)
        state = whole


@every_sampler
def test_the_same_generator_gives_the_same_state(sampler):
    assert picture(after(sampler, 6)) == picture(after(sampler, 6))
    ends = {str(picture(after(sampler, 12, seed))) for seed in range(5)}
    assert (len(ends) == 1) == isinstance(sampler, WITHOUT_CHANCE)


@every_sampler
def test_every_step_can_be_replayed(sampler):
    check_replays(sampler)


@every_gibbs_sampler
def test_a_sweep_by_substeps_is_the_sweep_in_one_go(sampler):
    check_substeps_make_the_sweep(sampler)


@every_sampler
def test_a_step_leaves_the_given_state_as_it_was(sampler):
    check_given_state_is_left_alone(sampler)


@every_gibbs_sampler
def test_a_copy_is_equal_and_independent(sampler):
    state = after(sampler, 5)
    twin = state.copy()
    seen = picture(state)
    assert picture(twin) == seen
    list(updates(sampler, twin, np.random.default_rng(3)))
    assert picture(state) == seen
    list(updates(sampler, state, np.random.default_rng(3)))
    assert picture(twin) == picture(state)


@every_gibbs_sampler
def test_the_log_joint_is_finite(sampler):
    assert all(math.isfinite(sampler.log_joint(after(sampler, sweeps))) for sweeps in range(8))


@every_gibbs_sampler
def test_named_terms_are_of_one_length(sampler):
    state = after(sampler, 4)
    _, found = sampler.step(state, np.random.default_rng(1))
    assert found
    for update in found:
        if isinstance(update.conditional, Conditional):
            terms = update.conditional.terms
            assert terms
            assert all(isinstance(name, str) and name for name in terms)
            assert len({len(term) for term in terms.values()}) == 1
            assert len(update.conditional.probabilities) > update.value >= 0
            assert 0 <= update.uniform < 1


@every_gibbs_sampler
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


class InPlace(Kernel):
    """Planted error: the state that was given is changed."""

    def init(self, rng):
        return np.zeros(2)

    def step(self, state, rng):
        state += rng.random(2)
        return state, None


def test_the_checks_catch_planted_errors():
    for leaky in (Leaky(1.0), InPlace()):
        with pytest.raises(AssertionError):
            check_given_state_is_left_alone(leaky)
    for forgetful in (Remembers(1.0), InPlace()):
        with pytest.raises(AssertionError):
            check_replays(forgetful)
    with pytest.raises(AssertionError):
        check_substeps_make_the_sweep(Remembers(1.0))
    with pytest.raises(AssertionError):
        check_ratios(Remembers(1.0))


@pytest.mark.parametrize(
    ("rules", "right"),
    [
        (WRONG_RULES, CRPMixture),
        (WRONG_LABEL_RULES, NaiveBayes),
        (WRONG_MARGINALS, NaiveBayesMarginal),
        (WRONG_GENERATIVE_RULES, GenerativeModel),
        (WRONG_BUFFETS, IndianBuffet),
        (WRONG_FEATURE_RULES, LinearGaussian),
        (WRONG_CLIMBS, Climb),
        (WRONG_MOVES, SplitMerge),
        (WRONG_AUXILIARY, AuxiliaryTables),
        (WRONG_KEPT, KeptMeans),
        (WRONG_SWAPS, MixtureLadder),
        (WRONG_DENSITY_SWAPS, MetropolisLadder),
        (WRONG_TOPIC_RULES, LDA),
        (WRONG_BASE_RULES, HDP),
        (WRONG_SINGLE, SingleSite),
        (WRONG_BLOCK, Block),
        (WRONG_STICKY_SINGLE, StickySingle),
        (WRONG_STICKY_BLOCK, StickyBlock),
    ],
)
def test_each_wrong_rule_says_in_one_line_what_it_gets_wrong(rules, right):
    for rule in rules.values():
        first = inspect.getdoc(rule).splitlines()[0]
        assert len(first) < 120
        assert first.endswith(".")
        assert issubclass(rule, right)
