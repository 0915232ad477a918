"""The HDP against every partition of two groups of four, Geweke's joint test, and the base weights given the tables."""

import math
from collections import defaultdict
from functools import cache

import numpy as np
import pytest

from samplers.crp.facts import relabel
from samplers.data.topics import EIGHT, TWELVE, bar_topics, bars
from samplers.diagnostics.convergence import partition_ids
from samplers.partitions import partitions
from samplers.recipe import Conditional, updates
from samplers.topics import lda
from samplers.topics.exact import exact_hdp, log_franchise
from samplers.topics.hdp import BASE, HDP, TOP
from samplers.topics.lda import VALUES
from samplers.topics.wrong import WRONG_BASE_RULES
from tests.samplers.exactness import check_frequencies, run
from tests.samplers.topics.expected import word_probs
from tests.samplers.topics.joint import statistics

ALPHA, GAMMA, BETA = 1.5, 0.8, 0.4
MODEL = (ALPHA, GAMMA, BETA)
Wrong = WRONG_BASE_RULES["tables counted as customers"]


@cache
def truth():
    return exact_hdp(EIGHT, 4, *MODEL)


def franchise():
    """The probability of every partition of two restaurants of four, by walking through all seatings and dishes.

    A customer sits at a table with its number, or at a new one with α; a new table orders a dish with the number of its
    tables in both restaurants, or a new one with γ.
    """
    walks = {((), ()): 1.0}  # (customers and dish of each table, the dish of each customer) to its probability
    for group in (0, 1):
        for place in range(4):
            after = defaultdict(float)
            for (tables, eaten), probability in walks.items():
                here = [index for index, (where, *_) in enumerate(tables) if where == group]
                total = place + ALPHA
                for index in here:
                    where, size, dish = tables[index]
                    joined = (*tables[:index], (where, size + 1, dish), *tables[index + 1 :])
                    after[joined, (*eaten, dish)] += probability * size / total
                ordered = [dish for *_, dish in tables]
                for dish in range(len(set(ordered)) + 1):
                    share = (ordered.count(dish) or GAMMA) / (len(ordered) + GAMMA)
                    after[(*tables, (group, 1, dish)), (*eaten, dish)] += probability * share * ALPHA / total
            walks = after
    found = defaultdict(float)
    for (_, eaten), probability in walks.items():
        found[eaten] += probability
    return found


def test_the_sum_over_tables_is_the_walk_through_the_franchise():
    walked = franchise()
    assert len(walked) == len(partitions(8)) == 4_140
    assert sum(walked.values()) == pytest.approx(1)
    for partition in partitions(8):
        counts = np.zeros((2, max(partition) + 1), int)
        np.add.at(counts, (np.repeat([0, 1], 4), partition), 1)
        assert math.exp(log_franchise(counts, ALPHA, GAMMA)) == pytest.approx(walked[partition])


def check_visits(rule, kept=4_000):
    """States three sweeps apart, two counted as one: every partition, and the number of topics."""
    labels = [state.labels for state in run(rule(EIGHT, 4, *MODEL), kept, thin=3, seed=2)]
    found = np.bincount(partition_ids(labels), minlength=4_140) / len(labels)
    check_frequencies(found, truth().probabilities, kept / 2, chance=1e-4)
    topics = truth().labellings.max(axis=1) + 1
    check_frequencies(np.bincount(topics, found), truth().distribution(topics), kept / 2, chance=1e-4)


def test_a_long_run_has_the_posterior_of_two_groups_of_four():
    check_visits(HDP)


def test_the_conditional_of_a_word_is_the_joints_with_a_fresh_piece_of_the_stick():
    """A new topic of weight b: its share of the joint is the option's weight times the density of b, Beta(1, γ)."""
    sampler, rng = HDP(TWELVE, 4, *MODEL), np.random.default_rng(0)
    state, news = sampler.init(rng), 0
    for _ in range(20):
        for site in sampler.sites(state):
            before = state.copy()
            sampler.forget(state, site)
            conditional = sampler.score(state, site)
            if site != BASE:
                rest, left = state.base[state.next], state.left[site]
                piece = math.log(GAMMA) + (GAMMA - 1) * math.log(left) - math.log(rest)
                difference = []
                for option, weight in enumerate(conditional.log_weights):
                    if weight == -math.inf:
                        assert (state.base[option], state.totals[option]) == (0, 0)
                        continue
                    other = before.copy()
                    sampler.forget(other, site)
                    sampler.remember(other, site, option)
                    assert math.fsum(other.base) == pytest.approx(1)
                    assert 0 in (other.totals[other.next], other.base[other.next])
                    new = option == state.next
                    difference.append(sampler.log_joint(other) - weight - piece * new)
                    news += new
                assert difference == pytest.approx([difference[0]] * len(difference), abs=1e-9)
            sampler.remember(state, site, conditional.draw(rng))
    assert news == 240


def test_words_and_topics_given_the_base_weights_are_an_urn():
    """The product of each word's chances given those before it, as urns fill; the joint adds the weights' density."""
    sampler = HDP([[0, 1, 0, 2], [], [2, 2, 1]], 3, *MODEL)
    labels, base = [0, 0, 1, 0, 1, 1, 0], [0.5, 0.3]
    state, log_probability = sampler.state(labels, base), 0.0
    documents, words = np.zeros((3, 2)), np.zeros((2, 3))
    for document, word, topic in zip([0] * 4 + [2] * 3, [0, 1, 0, 2, 2, 2, 1], labels, strict=True):
        chance = (documents[document, topic] + ALPHA * base[topic]) / (documents[document].sum() + ALPHA)
        chance *= (words[topic, word] + BETA) / (words[topic].sum() + 3 * BETA)
        log_probability += math.log(chance)
        documents[document, topic] += 1
        words[topic, word] += 1
    assert sampler.log_given_base(state) == pytest.approx(log_probability)
    density = GAMMA**2 / (0.5 * 0.3) * 0.2 ** (GAMMA - 1)
    assert sampler.log_joint(state) == pytest.approx(log_probability + math.log(density))


def test_tables_are_antoniaks_and_base_weights_are_a_dirichlet():
    """Given three words of a topic in one document and one in another; means within 4.5 standard errors."""
    sampler, rng = HDP([[0] * 3, [0]], 2, *MODEL), np.random.default_rng(1)
    state = sampler.state([0, 0, 0, 0], [0.6])
    conditional = sampler.score(state, BASE)
    draws = [conditional.draw(rng) for _ in range(20_000)]
    weight = ALPHA * 0.6
    tables = np.array([draw.tables[:, 0] for draw in draws])
    stirling = np.array([2 * weight, 3 * weight**2, weight**3])
    check_frequencies(np.bincount(tables[:, 0], minlength=4)[1:] / 20_000, stirling / stirling.sum(), 20_000)
    assert (tables[:, 1] == 1).all()
    base = np.array([draw.base for draw in draws])
    total = tables.sum(axis=1)
    away = base[:, 0] - total / (total + GAMMA)
    assert abs(away.mean()) < 4.5 * away.std() / math.sqrt(20_000)
    assert base.sum(axis=1) == pytest.approx(1)


def drawn(counts, concentration, rng):
    """A place by its count, or the one after them by the concentration."""
    ends = np.cumsum([*counts, concentration])
    return int(np.searchsorted(ends, rng.random() * ends[-1], "right"))


def seen(state):
    """Statistics for the joint test, besides words and topics."""
    used, gamma = len(state.used), math.log(state.top_concentration)
    return state.topic_prior, state.word_prior, used, state.base[state.next], gamma, gamma * used


def z_scores(rule, draws=1_000, sweeps=3, seed=1, learned=False):
    """Geweke's joint test, started afresh each time, as for LDA: the franchise seats the words, and weights are drawn.

    Eight z-scores, or twelve if α, β and γ are learned: beyond 4 by chance less than once in a thousand choices of
    seeds.
    """
    rng, vocabulary, alpha, gamma, beta = np.random.default_rng(seed), 3, 2.0, 1.0, 0.6
    before, after = [], []
    for _ in range(draws):
        if learned:
            alpha, gamma, beta = rng.choice(lda.VALUES, 3).tolist()
        tables, labels = [], []  # [group, customers, dish]
        for group, length in enumerate((4, 3)):
            for _ in range(length):
                here = [table for table in tables if table[0] == group]
                joined = drawn([size for _, size, _ in here], alpha, rng)
                if joined < len(here):
                    here[joined][1] += 1
                    labels.append(here[joined][2])
                else:
                    dish = drawn(np.bincount([dish for *_, dish in tables]), gamma, rng)
                    tables.append([group, 1, dish])
                    labels.append(dish)
        ordered = np.bincount([dish for *_, dish in tables])
        base = rng.dirichlet([*ordered, gamma])[:-1]
        word_probs = rng.dirichlet([beta] * vocabulary, len(ordered))
        words = [int(rng.choice(vocabulary, p=word_probs[label])) for label in labels]
        sampler = rule((words[:4], words[4:]), vocabulary, alpha, gamma, beta, learned=learned)
        state = sampler.state(labels, base)
        state.left = rng.beta(gamma, 1, 7).tolist()
        before.append((words, labels, *seen(state)))
        for _ in range(sweeps):
            list(updates(sampler, state, rng))
        labels = relabel(state.labels).tolist()
        after.append((words, labels, *seen(state)))
    first, last = (
        np.column_stack([statistics(*columns[:4])[:, [0, 1, 2, 3, 4, 7, 8]], *columns[4:], np.square(columns[4])])
        for columns in (list(zip(*each, strict=True)) for each in (before, after))
    )
    change = last - first
    change = change[:, change.any(axis=0)]
    return change.mean(axis=0) / (change.std(axis=0) / np.sqrt(draws))


def test_it_passes_the_joint_test():
    assert np.abs(z_scores(HDP)).max() < 4


def test_learned_concentrations_pass_the_joint_test(monkeypatch):
    monkeypatch.setattr(lda, "VALUES", VALUES[14:])  # with less, draws from the top underflow
    z = z_scores(HDP, draws=2_000, sweeps=1, learned=True)
    assert len(z) == 12
    assert np.abs(z).max() < 4


class GammaAfterTheWeights(HDP):
    """A planted error: γ is redrawn as if the rest of the stick said nothing of it."""

    def score(self, state, site):
        conditional = super().score(state, site)
        return Conditional({"base weights": [0.0] * len(lda.VALUES)}) if site == TOP else conditional


def test_a_top_concentration_that_forgets_the_weights_fails(monkeypatch):
    """Its z-score is almost 8: one sweep after each draw shows it as well as six."""
    monkeypatch.setattr(lda, "VALUES", VALUES[14:])
    z = z_scores(GammaAfterTheWeights, draws=2_000, sweeps=1, learned=True)
    assert np.abs(z).max() > 5  # by chance: 1 in 100,000


def test_tables_counted_as_customers_fail_the_joint_test_and_the_posterior():
    """The largest z-score is 10.

    A word is alike to others of its topic, and the rest of the stick is too small.
    """
    assert np.abs(z_scores(Wrong)).max() > 6
    with pytest.raises(AssertionError, match="total variation"):
        check_visits(Wrong, kept=2_000)


def test_it_finds_the_bars_without_being_given_their_number():
    made = bars(100, seed=0)
    sampler = HDP(made.documents, 25, 1.0, 1.0, 0.1)
    state = run(sampler, 1, thin=60, seed=1)[0]
    found = word_probs(state)[state.used]
    overlap = np.minimum(found[:, None], bar_topics()[None]).sum(axis=2)
    assert (overlap.max(axis=0) > 0.6).sum() >= 9
    assert 10 <= len(state.used) <= 14


@pytest.mark.parametrize(
    ("build", "said"),
    [
        (lambda: HDP(EIGHT, 4, 0, 1, 0.1), "concentration must be finite"),
        (lambda: HDP(EIGHT, 4, 1, -1, 0.1), "top_concentration must be finite"),
        (lambda: HDP(EIGHT, 4, *MODEL).state([0] * 7), "8 topics"),
        (lambda: exact_hdp(TWELVE, 4, *MODEL), "at most 8 words"),
    ],
)
def test_settings_that_cannot_be_used(build, said):
    with pytest.raises(ValueError, match=said):
        build()


def test_weights_that_leave_nothing_to_the_rest_leave_it_the_least_that_has_a_logarithm():
    hdp = HDP([[0, 1], [1]], 2, *MODEL, learned=True)
    state = hdp.state([0, 1, 1], [0.3, 0.7])
    assert state.base[state.next] > 0
    assert math.isfinite(hdp.log_joint(state))
    after, _ = hdp.step(state, np.random.default_rng(1))
    assert sum(after.base) == pytest.approx(1)
