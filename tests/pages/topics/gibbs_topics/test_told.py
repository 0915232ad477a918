"""The numbers of the lessons on topics, computed once more."""

import numpy as np
import pytest

from lessons.data.topic_texts import about_two_things
from lessons.topics.gibbs_topics import GibbsTopicsSettings
from lessons.topics.gibbs_topics.outcomes import counts
from samplers import Chain
from samplers.recipe import updates
from samplers.topics.exact import long_run
from tests.samplers.topics.expected import word_probs

BARS = {"data": "bars", "topics": 10}
EIGHT = {"number": "learned", "data": "eight", "word_prior": 0.4}
TINY = {"data": "tiny", "topics": 2, "topic_prior": 0.5, "word_prior": 0.4}


def chain_of(seed, **changes):
    return Chain(GibbsTopicsSettings(**changes).sampler(), seed)


def test_messages_about_two_things():
    texts = about_two_things()
    assert counts(texts, texts.themes[None])["mixed"].tolist() == [66]
    chain = chain_of(0)
    state, site = chain[99].copy(), 12
    assert texts.words[texts.word[site]] == "coach"
    chain.sampler.forget(state, 12)
    assert state.by_word[texts.word[site]] == [4, 19, 0]
    state = chain[100]
    assert state.by_document[2] == [6, 7, 0]
    assert (state.by_document[0], len(texts.documents[0])) == ([11, 0, 6], 17)
    lifted = chain.record(100)[site].conditional.document
    assert lifted == pytest.approx([10.3, 0.3, 6.3])
    assert [state.labels[place] for place in (12, 22, 41)] == [0, 1, 1]


@pytest.mark.parametrize(("alpha", "mean"), [(0.3, 73), (2.0, 100)])
def test_mixed_messages_on_the_wall(alpha, mean):
    settings = GibbsTopicsSettings(topic_prior=alpha, runs="mixed")
    assert settings.iterations == 40
    found = [settings.measure(Chain(settings.sampler(), seed), 40)["mixed"] for seed in range(12)]
    assert np.mean(found) == pytest.approx(mean, abs=0.5)


def test_bars_that_are_found_split_and_merged():
    assert chain_of(2, **BARS)[60].by_document[15][9] == 24
    many = chain_of(0, data="bars", topics=20)[60]
    pixels = word_probs(many).reshape(20, 5, 5)
    shares = np.hstack([pixels.sum(axis=2), pixels.sum(axis=1)])  # of each topic's words, in each bar
    near = shares.argmax(axis=1)[shares.max(axis=1) > 0.6]
    assert sorted(np.bincount(near).tolist()) == [1, 1, 2, 2, 2, 2, 2, 2, 2, 3]
    further = set(range(20)) - set(shares.argmax(axis=0).tolist())
    words = [many.totals[topic] for topic in further]
    assert (len(words), min(words), max(words), sum(words) > 1_000, sum(many.totals)) == (10, 81, 165, True, 3_000)
    chain = chain_of(0, **BARS)
    bars = word_probs(chain[60]).reshape(10, 5, 5)
    assert bars[2, :3, 1].sum() > 0.7 > 0.3 > bars[2, 3:, 1].sum()
    assert bars[4, 3:, 1].sum() > 0.65 > 0.3 > bars[4, :3, 1].sum()
    assert bars[7, 0].sum() + bars[7, 1:, 0].sum() > 0.9
    assert min(bars[7, 0].sum(), bars[7, :, 0].sum()) > 0.4


def test_where_wrong_rules_lead():
    settings = GibbsTopicsSettings(**TINY)
    exact, texts = settings.now.exact(settings, settings.texts()), settings.texts()
    assert exact is not None
    unmixed = counts(texts, exact.labellings)["mixed"] == 0
    assert exact.probabilities[unmixed].sum() == pytest.approx(0.10, abs=0.005)
    limits = {
        rule: long_run(settings.model_copy(update={"rule": rule}).sampler(), exact.labellings)
        for rule in ("document count left in", "word count left in", "one beta below")
    }
    assert limits["document count left in"][unmixed].sum() == pytest.approx(0.05, abs=0.005)
    assert limits["word count left in"][unmixed].sum() == pytest.approx(0.18, abs=0.005)
    assert np.abs(limits["one beta below"] - exact.probabilities).sum() / 2 == pytest.approx(0.05, abs=0.005)


@pytest.mark.parametrize(("top_concentration", "mean"), [(1.0, 2.5), (5.0, 3.5)])
def test_topics_of_eight_words_on_average(top_concentration, mean):
    settings = GibbsTopicsSettings(**EIGHT, top_concentration=top_concentration)
    law = settings.law("used", 60)
    assert law is not None
    assert law.mean == pytest.approx(mean, abs=0.05)
    assert len(settings.now.exact(settings, settings.texts()).labellings) == 4_140


def test_topics_of_eight_words_if_tables_are_counted_as_customers():
    """Over 6,000 sweeps; the standard error is 0.02."""
    sampler = GibbsTopicsSettings(**EIGHT, base_rule="tables counted as customers").sampler()
    rng, used = np.random.default_rng(0), []
    state = sampler.init(rng)
    for _ in range(6_000):
        list(updates(sampler, state, rng))
        used.append(len(state.used))
    assert np.mean(used[100:]) == pytest.approx(2.1, abs=0.06)


def test_a_word_of_eight_opens_a_topic():
    chain = chain_of(2, **EIGHT)
    update, state = chain.record(3)[5], chain[2]
    for site in range(5):
        chain.sampler.forget(state := state.copy(), site)
        chain.sampler.remember(state, site, chain.record(3)[site].value)
    chain.sampler.forget(state, 5)
    assert update.value == state.next
    assert update.conditional.probabilities[state.next] == pytest.approx(0.277, abs=0.0005)
    rest, fraction = state.base[state.next], 1 - state.left[5]
    assert (round(rest, 4), round(fraction, 4)) == (0.6595, 0.3922)
    assert round(rest * fraction, 3) == 0.259
    assert round(state.base[3], 3) == 0.268
    assert chain[3].by_document[0][3] == 4
