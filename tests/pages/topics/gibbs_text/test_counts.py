"""Counts and pseudo-counts: posteriors by formula and by draws, weights integrated out, words that are swapped."""

import numpy as np
import pytest
from scipy import integrate

from lessons.topics.gibbs_text import ALL_LABELS, GibbsTextSettings
from pages.topics.gibbs_text import GibbsTextStage
from pages.topics.gibbs_text.counts import counts, label_factors, of_weights, of_word
from samplers import Chain
from samplers.conjugate.dirichlet import log_marginal_of_counts
from samplers.mixtures.naive_bayes import NaiveBayes

scene_of = GibbsTextStage().scene

SIX = {"data": "six_messages", "known_labels": ALL_LABELS}


def test_the_posterior_of_a_word_is_what_the_sweeps_draw():
    one = scene_of(GibbsTextSettings(**SIX, word=2), 7)
    one.run.grow(1_000, seconds=60)
    word = one.corpus.bag.words[1]
    column = one.run.words.tolist().index(1)
    for label, found in enumerate(of_word(one, 3)):
        assert found.seen == sum(
            text.lower().count(word)
            for text, each in zip(one.corpus.messages.texts, one.corpus.messages.labels, strict=True)
            if each == label
        )
        draws = one.run.word_probs[1:1_001, column, label]
        assert draws.mean() == pytest.approx(found.mean, abs=4 * draws.std() / np.sqrt(1_000))
        assert np.quantile(draws, (0.05, 0.95)) == pytest.approx(found.spread, abs=0.025)


def test_pseudo_counts_by_hand_move_one_class_and_not_the_run():
    plain, hand = (scene_of(GibbsTextSettings(**SIX, word=2, by_hand=n, hand_class=2), 7) for n in (0, 10))
    assert plain.run is hand.run
    (ham, spam), (same, more) = of_word(plain, 0), of_word(hand, 0)
    assert same == ham
    assert more.mean == pytest.approx((spam.own + 10) / (spam.own + spam.others + 10))
    assert more.spread[1] - more.spread[0] > 0
    assert "Dashed" in counts(hand, 0)
    assert "Dashed" not in counts(plain, 0)


@pytest.mark.parametrize("prior", [1.0, [0.5, 3.0]])
def test_the_factors_of_the_labels_multiply_to_the_integral_in_any_order(prior):
    model = NaiveBayes(np.eye(6, 3, dtype=int), 2, prior, 1.0)
    labels = np.array([0, 1, 1, 0, 1, 1])
    a, b = model.class_prior
    density = lambda p: p ** (a - 1) * (1 - p) ** (b - 1)  # noqa: E731
    integral = integrate.quad(lambda p: p**2 * (1 - p) ** 4 * density(p), 0, 1)[0] / integrate.quad(density, 0, 1)[0]
    for order in (labels, labels[::-1], np.sort(labels)):
        tops, bottoms = label_factors(model, order)
        assert np.prod(tops / bottoms) == pytest.approx(integral, rel=1e-6)
        assert np.log(tops / bottoms).sum() == pytest.approx(log_marginal_of_counts([2, 4], model.class_prior))


def test_the_next_factor_is_the_mean_of_the_weight():
    one = scene_of(GibbsTextSettings(data="six_messages"), 7)
    labels = one.run.labels[5].astype(int)
    tops, bottoms = label_factors(one.run.sampler, np.append(labels, 0))
    assert tops[-1] / bottoms[-1] == pytest.approx(of_weights(one, 5)[0].mean)


@pytest.mark.parametrize("data", ["six_messages", "toy_corpus"])
def test_words_that_change_places_within_a_class_change_no_draw_of_theta(data):
    def run(swap: str, known: int = ALL_LABELS):
        settings = GibbsTextSettings(data=data, known_labels=known, swap=swap)
        corpus = settings.corpus()
        return corpus, Chain(settings.sampler_of(corpus), 7)[3]

    before, state = run("none")
    for swap, alike in (("same class", True), ("other class", False)):
        corpus, swapped = run(swap)
        changed = [k for k in range(corpus.size) if corpus.messages.texts[k] != before.messages.texts[k]]
        assert len(changed) == 2
        assert (np.ptp(corpus.messages.labels[changed]) == 0) == alike
        assert corpus.bag.words == before.bag.words
        assert np.array_equal(swapped.log_word_probs, state.log_word_probs) == alike
    assert run("same class", 0)[1].labels != run("none", 0)[1].labels or data == "six_messages"
