"""LDA against every labelling of twelve words, Geweke's joint test, and documents whose topics are known."""

import inspect
import math

import numpy as np
import pytest

from samplers.chain import Chain
from samplers.data.topics import TWELVE, bar_topics, bars, made_documents
from samplers.recipe import updates
from samplers.topics.exact import exact_lda, long_run
from samplers.topics.hdp import HDP
from samplers.topics.lda import LDA, TOPIC_PRIOR, VALUES, WORD_PRIOR
from samplers.topics.words import as_words
from samplers.topics.wrong import WRONG_TOPIC_RULES
from tests.samplers.exactness import check_frequencies
from tests.samplers.topics.expected import word_probs
from tests.samplers.topics.joint import statistics

MODEL = {"vocabulary": 4, "topics": 2, "topic_prior": 0.5, "word_prior": 0.4}
TRUTH = exact_lda(TWELVE, **MODEL)
every_rule = pytest.mark.parametrize("rule", WRONG_TOPIC_RULES.values(), ids=WRONG_TOPIC_RULES.keys())


def largest_error(rule, every=7):
    """The largest difference between a word's conditional and the joint's, over labellings and words; no chance."""
    sampler, found = rule(TWELVE, **MODEL), 0.0
    place = 2 ** np.arange(12)[::-1]
    for number in range(0, len(TRUTH.labellings), every):
        labels = TRUTH.labellings[number]
        state = sampler.state(labels)
        for site in range(12):
            sampler.forget(state, site)
            conditional = sampler.score(state, site).probabilities
            sampler.remember(state, site, labels[site])
            pair = number - labels[site] * place[site] + np.arange(2) * place[site]
            exact = np.exp(TRUTH.log_joint[pair] - np.logaddexp(*TRUTH.log_joint[pair]))
            found = max(found, np.abs(conditional - exact).max())
    return found


def test_every_conditional_of_every_labelling_is_the_joints():
    assert len(TRUTH.labellings) == 4_096
    assert largest_error(LDA, every=1) < 1e-12


@every_rule
def test_the_conditionals_of_a_wrong_rule_are_others(rule):
    assert largest_error(rule) > 0.1


def test_the_list_is_the_samplers_joint():
    sampler = LDA(TWELVE, **MODEL)
    for number in range(0, 4_096, 97):
        assert sampler.log_joint(sampler.state(TRUTH.labellings[number])) == pytest.approx(TRUTH.log_joint[number])


def visits(rule, sweeps=30_000, thin=2, seed=0):
    sampler, rng = rule(TWELVE, **MODEL), np.random.default_rng(seed)
    state, place, found = sampler.init(rng), 2 ** np.arange(12)[::-1], np.zeros(4_096)
    for _ in range(sweeps // thin):
        for _ in range(thin):
            for _ in updates(sampler, state, rng):
                pass
        found[place @ state.labels] += 1
    return found / found.sum()


def check_visits(rule):
    """By the number of words of the larger topic and the mixed documents: cells with much probability.

    Sweeps are correlated: 15,000 of them are taken for 3,000 independent draws.
    """
    has = TRUTH.labellings.sum(axis=1)
    mixed = [TRUTH.labellings[:, 4 * d : 4 * d + 4].sum(axis=1) % 4 > 0 for d in range(3)]
    cell = np.maximum(has, 12 - has) * 4 + np.sum(mixed, axis=0)
    check_frequencies(np.bincount(cell, visits(rule)), TRUTH.distribution(cell), 3_000)


def test_a_run_visits_labellings_as_often_as_the_list_says():
    check_visits(LDA)


def test_a_run_of_a_wrong_rule_does_not():
    with pytest.raises(AssertionError, match="total variation"):
        check_visits(WRONG_TOPIC_RULES["word count left in"])


def z_scores(rule, learned=False, draws=3_000, sweeps=4, seed=1):
    """Geweke's joint test, started afresh each time: labels that are drawn with their words, and swept, keep all means.

    Each draw is compared with itself after the sweeps, so that the differences are independent of one another.
    """
    rng, lengths, vocabulary = np.random.default_rng(seed), (4, 3), 3
    document = np.repeat(np.arange(2), lengths)
    before, after = [], []
    for _ in range(draws):
        alpha, beta = rng.choice(VALUES[8:], 2) if learned else (0.3, 0.4)
        mixtures, word_probs = rng.dirichlet([alpha] * 2, 2), rng.dirichlet([beta] * vocabulary, 2)
        labels = [int(rng.random() < mixtures[d, 1]) for d in document]
        words = [int(rng.choice(vocabulary, p=word_probs[label])) for label in labels]
        sampler = rule((words[:4], words[4:]), vocabulary, 2, alpha, beta, learned=learned)
        state = sampler.state(labels)
        before.append((words, labels, alpha, beta))
        for _ in range(sweeps):
            list(updates(sampler, state, rng))
        after.append((words, state.labels, state.topic_prior, state.word_prior))
    change = statistics(*zip(*after, strict=True)) - statistics(*zip(*before, strict=True))
    change = change[:, change.any(axis=0)]
    return np.abs(change.mean(axis=0) / (change.std(axis=0) / np.sqrt(draws))).max()


def test_it_passes_the_joint_test():
    assert z_scores(LDA) < 4


def test_learned_pseudo_counts_pass_the_joint_test(monkeypatch):
    monkeypatch.setattr("samplers.topics.lda.VALUES", VALUES[8:])  # with less, draws from the top underflow
    assert z_scores(LDA, learned=True, draws=1_500) < 4


@every_rule
def test_a_wrong_rule_fails_the_joint_test(rule):
    assert z_scores(rule) > 6


def test_where_each_rule_leads_in_the_long_run():
    """No chance: the right rule to the list of all 4,096 labellings, and each wrong one elsewhere, by how much."""
    distances = [0.0, 0.1393, 0.1211, 0.0497]
    for rule, distance in zip((LDA, *WRONG_TOPIC_RULES.values()), distances, strict=True):
        found = long_run(rule(TWELVE, **MODEL), TRUTH.labellings)
        assert np.abs(found - TRUTH.probabilities).sum() / 2 == pytest.approx(distance, abs=1e-4)


def test_it_finds_the_bars_of_documents_made_forwards():
    """Griffiths & Steyvers, figure 1; every bar has a topic that is near to it, and each only one."""
    made = bars(100, seed=0)
    sampler = LDA(made.documents, 25, 10, 0.3, 0.1)
    found = word_probs(Chain(sampler, 2)[60])
    overlap = np.minimum(found[:, None], bar_topics()[None]).sum(axis=2)
    assert sorted(overlap.argmax(axis=1).tolist()) == list(range(10))
    assert overlap.max(axis=1).min() > 0.7


def test_documents_that_are_made_follow_the_story():
    made = made_documents(np.array([[0.5, 0.5, 0], [0, 0, 1]]), 2_000, 3, 0.5, seed=0)
    labels, words = np.array(made.labels), np.array(made.documents)
    assert (words == 2).tolist() == (labels == 1).tolist()
    assert (labels[:, 0] == labels[:, 1]).mean() == pytest.approx(1.5 / 2, abs=0.04)  # (1 + α) / (1 + 2α)
    assert made.documents[:50] == made_documents(made.topics, 50, 3, 0.5, seed=0).documents


def test_learned_pseudo_counts_come_from_their_list():
    sampler = LDA(TWELVE, **MODEL, learned=True)
    state, record = sampler.step(sampler.init(np.random.default_rng(0)), np.random.default_rng(1))
    assert [update.site for update in record[-2:]] == [TOPIC_PRIOR, WORD_PRIOR]
    assert {state.topic_prior, state.word_prior} <= set(VALUES)
    plain = LDA(TWELVE, 4, 2, state.topic_prior, state.word_prior)
    assert sampler.log_joint(state) == pytest.approx(plain.log_joint(state) - 2 * math.log(len(VALUES)))


@pytest.mark.parametrize(
    ("documents", "vocabulary", "said"),
    [([[]], 3, "at least one word"), ([], 3, "at least one word"), ([[0], [1, 3]], 3, "got 3 in document 1")],
)
def test_documents_that_cannot_be_used(documents, vocabulary, said):
    with pytest.raises(ValueError, match=said):
        as_words(documents, vocabulary)
    with pytest.raises(ValueError, match="topic_prior must be finite"):
        LDA(TWELVE, 4, 2, 0, 0.1)
    with pytest.raises(ValueError, match="12 topics from 0 and below 2"):
        LDA(TWELVE, **MODEL).state([2] * 12)
    with pytest.raises(ValueError, match="can be listed"):
        exact_lda(TWELVE, 4, 3, 0.5, 0.4)
    assert all(inspect.getdoc(rule) for rule in WRONG_TOPIC_RULES.values())


ROWS = [[0, 1, 1], [], [2, 0]]


@pytest.mark.parametrize("sampler", [LDA(ROWS, **MODEL), HDP(ROWS, 4, 1.0, 1.0, 0.4, learned=True)])
def test_a_chain_keeps_states_without_their_counts(sampler):
    state = Chain(sampler, 1)[7]
    twin = sampler.unpacked(sampler.packed(state))
    slots = [name for each in type(state).__mro__ for name in getattr(each, "__slots__", ())]
    assert slots
    assert [getattr(twin, name) for name in slots] == [getattr(state, name) for name in slots]
    few = Chain(sampler, 1, keep=2)
    assert few[7].labels == state.labels
    assert few[6].labels == Chain(sampler, 1)[6].labels
