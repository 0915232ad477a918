"""Messages as the stage of spam plays with them: labels shown and held back, names of classes, settings."""

from itertools import permutations
from math import comb

import numpy as np
import pytest

from lessons.data.corpora import GLUED, LONG_DOCUMENTS, Corpus, long_messages, show_labels
from lessons.data.messages import Messages, six_messages, toy_messages
from lessons.data.words import bag_of_words
from lessons.settings.fields import SWEEPS
from lessons.topics.gibbs_text import ALL_LABELS, GibbsTextSettings, agreement, names_of
from samplers import Chain
from samplers.mixtures.labels import HIDDEN
from samplers.mixtures.naive_bayes import NaiveBayes
from samplers.mixtures.wrong import WRONG_LABEL_RULES

LABELS = np.array([0, 0, 0, 0, 1, 1, -1, 2])


def corpus(labels, shown, classes=("ham", "spam", "eggs")) -> Corpus:
    texts = tuple(f"word{'s' * i} here" for i in range(len(labels)))
    return Corpus(Messages(texts, labels, classes), bag_of_words(texts), np.array(shown))


# ---- labels that are shown -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(5))
def test_more_labels_add_to_fewer_and_classes_take_turns(seed):
    before = np.full(len(LABELS), HIDDEN)
    for number in range(len(LABELS) + 2):
        shown = show_labels(LABELS, number, seed)
        there = shown != HIDDEN
        assert there.sum() == min(number, 7), "a label that is not known cannot be shown"
        assert (shown[there] == LABELS[there]).all()
        assert (shown[before != HIDDEN] == before[before != HIDDEN]).all()
        counts = np.bincount(shown[there], minlength=3)
        assert counts.max() - min(counts[k] for k in range(3) if counts[k] < (k == LABELS).sum() or k == 0) <= 1
        before = shown


def test_another_seed_shows_others():
    assert len({tuple(show_labels(toy_messages().labels, 10, seed)) for seed in range(20)}) == 20


# ---- names and agreement ---------------------------------------------------------------------------------------------


def test_classes_have_names_once_a_label_is_shown():
    hidden = np.full(len(LABELS), HIDDEN)
    assert corpus(LABELS, hidden).class_names(4) == ("class 1", "class 2", "class 3", "class 4")
    shown = hidden.copy()
    shown[0] = 0
    assert corpus(LABELS, shown).class_names(4) == ("ham", "spam", "eggs", "class 4")


@pytest.mark.parametrize(("classes", "known"), [(2, 2), (3, 2), (2, 3), (4, 3), (4, 1)])
def test_unnamed_classes_get_the_names_under_which_most_agree(classes, known):
    rng = np.random.default_rng(classes + 10 * known)
    for _ in range(20):
        held = rng.integers(-1, known, 12)
        held[0] = 0
        given = corpus(held, np.full(12, HIDDEN), tuple("abc"[:known]))
        labels = rng.integers(0, classes, 12)
        places = (*range(known), *[HIDDEN] * max(0, classes - known))
        there = held != HIDDEN
        best = max(np.mean(np.array(names)[labels[there]] == held[there]) for names in permutations(places, classes))
        assert agreement(given, labels, classes) == pytest.approx(best)
        names = names_of(given, given.confusion(labels, classes))
        assert len({name for name in names if name != HIDDEN}) == min(classes, known)


def test_named_classes_are_taken_at_their_word():
    shown = np.array([0, -1, -1, -1, 1, -1, -1, -1])
    given = corpus(LABELS, shown)
    labels = [0, 1, 1, 1, 1, 0, 0, 0]  # all that is hidden is the wrong way round
    assert agreement(given, labels, 3) == 0
    assert given.confusion(labels, 3).tolist() == [[0, 1, 1], [3, 0, 0], [0, 0, 0]]
    assert given.held_back.tolist() == [-1, 0, 0, 0, -1, 1, -1, 2]
    assert np.isnan(agreement(corpus([0, 1], [0, 1], ("a", "b")), [0, 1], 2))


# ---- settings --------------------------------------------------------------------------------------------------------


def test_every_wrong_rule_is_at_work_where_it_is_wrong():
    for name, rule in WRONG_LABEL_RULES.items():
        for word_probs in ("explicit", "collapsed"):
            settings = GibbsTextSettings(data="six_messages", rule=name, word_probs=word_probs, weights="collapsed")
            sampler = settings.sampler()
            assert type(sampler) is rule
            for setting, value in rule.where.items():
                assert getattr(sampler, setting) == value
                assert not settings.matters(setting)
            if "word_probs" not in rule.where:
                assert sampler.word_probs == word_probs
    assert type(GibbsTextSettings(data="six_messages").sampler()) is NaiveBayes


@pytest.mark.parametrize("known", [0, 2, 10, ALL_LABELS])
@pytest.mark.parametrize("weights", ["explicit", "collapsed"])
def test_iterations_are_the_sites_of_a_sweep(known, weights):
    settings = GibbsTextSettings(known_labels=known, weights=weights, step_by="update")
    sampler = settings.sampler()
    state = sampler.init(np.random.default_rng(0))
    assert settings.iterations == 4 * len(list(sampler.sites(state)))
    assert settings.model_copy(update={"step_by": "sweep"}).iterations == SWEEPS


def test_iterations_do_not_need_a_word():
    settings = GibbsTextSettings(data="six_messages", minimum_count=20, step_by="update")
    assert settings.iterations == 4 * 7
    with pytest.raises(ValueError, match="lower the minimum count"):
        settings.sampler()


def test_as_many_classes_as_the_shown_labels_name():
    messages = Messages(tuple("abcd"), [0, 1, 2, 3], tuple("wxyz"))
    for known, classes in ((0, 2), (1, 2), (3, 3), (4, 4)):
        settings = GibbsTextSettings(known_labels=known)
        found = settings.corpus_of(messages)
        assert settings.classes_of(found) == settings.sampler_of(found).classes == classes


def test_facts_of_a_state():
    settings = GibbsTextSettings(data="six_messages", known_labels=2)
    given = settings.corpus()
    state = settings.sampler().state(six_messages().labels)
    assert settings.measure({0: state}, 0) == {"first_class": 3, "agree": 100, "empty": 0}
    mirrored = np.where(given.shown == HIDDEN, 1 - six_messages().labels, given.shown)
    assert settings.measure({0: settings.sampler().state(mirrored)}, 0)["agree"] == 0
    everything = GibbsTextSettings(data="six_messages", known_labels=ALL_LABELS)
    assert everything.measure({0: everything.sampler().state(six_messages().labels)}, 0)["agree"] == 0


def test_chapters_are_sweeps():
    settings = GibbsTextSettings(step_by="update", sweep=1)
    assert settings.chapter(-1) is None
    assert settings.chapter(1).sweep == 2
    assert settings.model_copy(update={"sweep": SWEEPS}).chapter(1) is None
    assert GibbsTextSettings().chapter(1) is None


# ---- long messages ---------------------------------------------------------------------------------------------------


def test_long_messages_are_of_one_class_and_too_long_for_products():
    messages = long_messages()
    assert len(messages.texts) == LONG_DOCUMENTS
    assert np.bincount(messages.labels).tolist() == [LONG_DOCUMENTS // 2] * 2
    toy = toy_messages()
    for text, label in zip(messages.texts[:6], messages.labels, strict=False):
        parts = [t.rstrip(" .") for t, kind in zip(toy.texts, toy.labels, strict=True) if kind == label]
        assert sum(part in text for part in parts) >= GLUED
    right, wrong = (GibbsTextSettings(data="long_messages", rule=rule) for rule in ("right", "no logarithms"))
    distributions = [
        update.conditional for update in Chain(wrong.sampler(), 3).record(2) if not isinstance(update.site, str)
    ]
    assert all(distribution.undefined for distribution in distributions)
    assert right.measure(Chain(right.sampler(), 3), 20)["agree"] == 100
    assert wrong.measure(Chain(wrong.sampler(), 3), 20) == {"first_class": 40, "agree": 50, "empty": 1}


def test_labels_can_be_shown_at_random():
    """Which leaves a class without any as often as a lesson says: in one of eight choices of four."""
    labels = toy_messages().labels
    assert np.bincount(labels).tolist() == [139, 115]
    one_class = sum(comb(many, 4) for many in (139, 115)) / comb(254, 4)
    assert round(one_class, 2) == 0.13
    chosen = [show_labels(labels, 4, seed, in_turn=False) for seed in range(300)]
    found = [len(set(shown[shown >= 0].tolist())) == 1 for shown in chosen]
    assert all((shown >= 0).sum() == 4 for shown in chosen)
    assert np.mean(found) == pytest.approx(one_class, abs=4 * (one_class * (1 - one_class) / 300) ** 0.5)
