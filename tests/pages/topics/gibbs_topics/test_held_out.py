"""Held-out words: which messages are held out, and what the lesson says of bars."""

import math

import numpy as np
import pytest

from lessons.topics.gibbs_topics import GibbsTopicsSettings
from pages.contract.waiting import NotYet
from pages.player.turns import one_slice
from pages.topics.gibbs_topics.held_out import CHAINS, NUMBERS, SWEEPS, HeldOut, apart
from pages.topics.gibbs_topics.run import TopicsRun
from samplers.topics.held_out import exact
from samplers.topics.lda import LDA
from tests.pages.topics.gibbs_topics.shipped import shown
from tests.samplers.topics.expected import word_probs

TINY = GibbsTopicsSettings(data="tiny", topic_prior=0.5, word_prior=0.4)


def test_one_message_of_six_is_held_out_or_the_last_one():
    texts = GibbsTopicsSettings().texts()
    read, held = apart(texts)
    assert held == texts.documents[5::6]
    assert read.size + sum(map(len, held)) == texts.size
    assert apart(TINY.texts())[1] == TINY.texts().documents[2:]


def test_it_comes_in_slices():
    found, waits = HeldOut(TINY, TINY.texts()), []
    while len(waits) < 1_000:
        try:
            with one_slice():
                found.reach()
            break
        except NotYet as wait:
            waits.append(wait.share)
    assert waits == sorted(waits)
    assert [point.topics for point in found.points[:-1]] == [*NUMBERS]
    assert found.points[0].error == pytest.approx(0)  # one topic has one labelling


def test_one_topic_predicts_by_counts_alone():
    found = HeldOut(TINY, TINY.texts())
    found.reach()
    read, (held,) = apart(TINY.texts())
    state = LDA(read.documents, 4, 1, 0.5, 0.4).state([0] * read.size)
    log = exact(held, word_probs(state), np.array([0.5]))
    assert found.points[0].held == pytest.approx(np.exp(-log / len(held)))


def test_the_curve_of_a_lesson_is_there_at_once():
    """The first chain is run again: with one topic it takes no time."""
    for prior in shown():
        found = HeldOut(prior, prior.texts()).found
        assert len(found) == len(CHAINS) * (len(NUMBERS) + 1), "make it anew: see pages/topics/gibbs_topics/held_out.py"
        read = apart(prior.texts())[0]
        run = TopicsRun(prior.now.kernel(prior, read), read, CHAINS[0])
        run.reach(SWEEPS[-1], "")
        assert HeldOut(prior, prior.texts())._predicted(run) == pytest.approx(found[0], abs=1e-3)


def points(**changes):
    settings = GibbsTopicsSettings(topic_prior=0.3, word_prior=0.1, **changes)
    found = HeldOut(settings, settings.texts())
    found.reach()
    return found.points


@pytest.mark.told
def test_bars_that_are_held_out(monkeypatch):
    """Ten topics are lowest by more than twice the standard error of the difference; so they are by seeds 5 to 12."""
    monkeypatch.setitem(HeldOut.reach.__globals__, "NUMBERS", (1, 5, 10, 15, 20))
    *fixed, learned = points(data="bars", documents=50)
    by = {point.topics: point for point in fixed}
    assert min(fixed, key=lambda point: point.held).topics == 10
    assert by[15].held - by[10].held > 2 * math.hypot(by[15].error, by[10].error)
    assert {k: round(by[k].held, 1) for k in (1, 10, 20)} == {1: 26.5, 10: 21.4, 20: 23.0}
    read = [point.read for point in fixed]
    assert {k: round(by[k].read, 1) for k in (1, 10, 20)} == {1: 24.4, 10: 14.9, 20: 14.6}
    assert read[:3] == sorted(read[:3], reverse=True), "it falls up to ten topics"
    assert max(read[2:]) - min(read[2:]) < 0.3, "and stays low"
    assert all(point.read < point.held for point in (*fixed, learned))


def test_messages_that_are_held_out(monkeypatch):
    """Two chains of four show it: no number is told."""
    monkeypatch.setitem(HeldOut.reach.__globals__, "CHAINS", (1, 2))
    *fixed, learned = points()
    held = [point.held for point in fixed]
    falls = -np.diff(held) / np.diff(NUMBERS)  # for each topic that is added
    assert falls[:2].min() > 2 * falls[2:].max(), "it falls most up to three topics"
    assert learned.held + 4 * learned.error < min(held)
