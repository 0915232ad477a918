"""Films of topics against the chain that they show, and the pages of messages."""

import numpy as np
import pytest

from lessons.data.messages import Messages
from lessons.data.topic_texts import MOST_TOKENS, about_two_things, texts_as_words
from lessons.own.store import keep_own
from lessons.topics.gibbs_topics import GibbsTopicsSettings
from lessons.topics.gibbs_topics.outcomes import bars_found, counts, measured
from pages.contract.stage import stage_of
from pages.scenes.close_up import CloseUp
from pages.topics.gibbs_topics.charts import HIDE
from pages.topics.gibbs_topics.layout import LINES, WIDE, pages_of
from samplers import Chain
from tests.pages.topics.every_film import film_of
from tests.samplers.topics.expected import mixtures, word_probs

SEED = 7


def film_and_chain(**changes):
    return film_of("gibbs_topics", changes, SEED), Chain(GibbsTopicsSettings(**changes).sampler(), SEED)


def test_a_film_shows_the_labels_the_topics_and_the_factors_of_the_chain():
    film, chain = film_and_chain(message=3, word=2, learning="learned")
    frames, t, site = film.frames(0, 6), 5, 29
    texts, state, before = about_two_things(), chain[t], chain[t - 1]
    assert int(np.searchsorted(texts.document, 2)) + 1 == site
    page = np.array(film.data["words"]["n"])
    assert frames["words", "label"][t].tolist() == state.assignments[page].tolist()
    probs = word_probs(state)
    best = np.argsort(-probs, axis=1, kind="stable")[:, :7]
    assert frames["ranked", "word"][t].tolist() == best.ravel().tolist()
    assert frames["ranked", "p"][t] == pytest.approx(np.take_along_axis(probs, best, 1).ravel(), rel=1e-6)
    assert frames["shares", "share"][t] == pytest.approx(np.array(state.totals) / texts.size)
    mixes = mixtures(state)
    assert frames["mixes", "y"][t] == pytest.approx(0.866 * mixes[:, 2], rel=1e-5)
    update = chain.record(t)[site]
    assert frames["hand", "p"][t] == pytest.approx(update.conditional.probabilities, rel=1e-5)
    assert before.topic_prior != state.topic_prior or before.word_prior != state.word_prior
    found = measured(texts, state.assignments)
    assert frames["say", "mixed"][t] == found["mixed"]
    assert frames["say", "agree"][t] == found["agree"]


def test_beats_lift_one_word_after_the_other():
    film, chain = film_and_chain(data="tiny", topics=2, step_by="update", sweep=3)
    frames = film.frames(0, film.total + 1)
    labels, close_up = frames["words", "label"], CloseUp(chain, 3, chain[2])
    assert labels[0].tolist() == chain[2].labels
    assert labels[-1].tolist() == chain[3].labels
    for number, beat in enumerate(close_up):
        for lifted in (1, 2, 3):
            assert labels[4 * number + lifted, number] == HIDE
        assert labels[4 * number + 4].tolist() == beat.after.labels
        assert frames["hand", "p"][4 * number + 2] == pytest.approx(beat.update.conditional.probabilities, rel=1e-6)
        assert np.isnan(frames["hand", "p"][4 * number + 1]).all()


def test_beats_count_the_words_that_match_in_the_frame():
    film, _ = film_and_chain(data="tiny", topics=2, step_by="update", sweep=1)
    frames, themes = film.frames(0, film.total + 1), GibbsTopicsSettings(data="tiny", topics=2).texts().themes
    for labels, agree in zip(frames["words", "label"], frames["say", "agree"].ravel(), strict=True):
        matching = [np.sum(naming == themes) for naming in (labels, np.where(labels < HIDE, 1 - labels, labels))]
        assert agree == round(100 * max(matching) / len(themes))
    assert len({*frames["say", "agree"].ravel().tolist()}) > 1


def test_without_a_number_the_stick_holds_the_base_weights_and_bars_count_the_topics():
    film, chain = film_and_chain(number="learned", data="eight")
    frames = film.frames(0, 21)
    used = [len(chain[t].used) for t in range(21)]
    assert frames["say", "used"].ravel().tolist() == used
    for t in (0, 20):
        wide = frames["pieces", "x2"][t] - frames["pieces", "x"][t]
        state = chain[t]
        assert wide[state.used] == pytest.approx([state.base[k] for k in state.used], abs=1e-6)
        assert wide[-1] == pytest.approx(state.base[state.next], abs=1e-6)
        assert frames["pieces", "x2"][t][-1] == pytest.approx(1)
    assert frames["counts", "share"][20] == pytest.approx(np.bincount(used[1:], minlength=17)[1:] / 20)
    law = GibbsTopicsSettings(number="learned", data="eight").law("used", 1)
    assert law is not None
    exact = dict(zip(film.data["counts"]["k"], film.data["counts"]["exact"], strict=True))
    assert [exact[value] for value in law.values] == pytest.approx(law.shares, abs=1e-5)


def test_without_a_number_the_log_joint_is_given_the_base_weights():
    film, chain = film_and_chain(data="eight", number="learned", learning="learned")
    assert "trace" in [chart.name for chart in film.charts]
    frames = film.frames(0, 12)
    for t in (0, 5, 11):
        assert frames["past", "log_joint"][t, 0] == pytest.approx(chain.sampler.log_given_base(chain[t]), rel=1e-6)


def test_beats_without_a_number_break_the_stick_and_close_a_topic_that_is_left_empty():
    film, chain = film_and_chain(number="learned", data="eight", step_by="update", sweep=1)
    frames, closed, opened = film.frames(0, film.total + 1), 0, 0
    for number, beat in enumerate(CloseUp(chain, 1, chain[0])):
        for frame, state in ((4 * number + 2, beat.lifted), (4 * number + 4, beat.after)):
            wide = frames["pieces", "x2"][frame] - frames["pieces", "x"][frame]
            assert wide[-1] == pytest.approx(state.base[state.next], abs=1e-6)
            assert frames["say", "used"][frame] == len(state.used)
        if not beat.is_block:
            p = beat.update.conditional.probabilities
            shown = frames["hand", "p"][4 * number + 2]
            assert np.nan_to_num(shown)[: len(p)] == pytest.approx(p[: len(shown)], abs=1e-6)
            assert np.flatnonzero(frames["hand", "fresh"][4 * number + 2]).tolist() == [beat.lifted.next]
            closed += len(beat.lifted.used) < len(beat.before.used)
            opened += beat.update.value == beat.lifted.next
    assert closed
    assert opened


def test_images_show_their_pixels_and_how_many_bars_are_found():
    film, chain = film_and_chain(data="bars", topics=10, documents=20)
    frames, texts = film.frames(0, 3), GibbsTopicsSettings(data="bars", documents=20).texts()
    cells = frames["cells", "count"][2].reshape(20, 25)
    assert cells.sum(axis=1).tolist() == [30] * 20
    assert frames["pixels", "p"][2].reshape(10, 25) == pytest.approx(word_probs(chain[2]), rel=1e-6)
    assert bars_found(texts, texts.themes) == 10
    assert bars_found(texts, np.zeros(600, int)) == 0


@pytest.mark.parametrize(
    "texts",
    [
        about_two_things(),
        texts_as_words(["one " * 400, "two", "3", ""], stop_words="kept"),
        texts_as_words([f"{'x' * 60} y"] * 40),
    ],
    ids=["the app's", "a long one", "long words"],
)
def test_pages_hold_every_word_once_and_no_box_leaves_the_page(texts):
    pages = pages_of(texts)
    assert [page.first for page in pages] == [0, *(page.last for page in pages[:-1])]
    assert pages[-1].last == texts.size
    for page in pages:
        assert (page.x + page.wide).max() <= WIDE
        assert page.y.max() <= LINES - 1
    begun = [message for page in pages for message in page.messages]
    assert begun == [message for message, document in enumerate(texts.documents) if document]


def test_own_messages_are_cut_at_the_limit_and_play():
    texts = [f"one two word{number}" for number in range(8_000)]
    found = texts_as_words(texts, most_words=100)
    assert found.size <= MOST_TOKENS
    assert any("limit" in note for note in found.notes) == (len(found.documents) < 8_000)
    mine = Messages(tuple(texts[:50]), np.full(50, -1), ())
    settings = GibbsTopicsSettings(data="own", own=keep_own(mine), topics=2)
    stage = stage_of("gibbs_topics")
    assert stage.missing(settings) is None
    film = stage.film(settings, SEED)
    film.grow(2)
    assert np.isnan(film.frames(0, 2)["say", "agree"]).all()
    gone = stage.missing(settings.model_copy(update={"own": "0" * 32}))
    assert gone is not None
    assert "no longer here" in gone
    no_word = stage.missing(settings.model_copy(update={"minimum_count": 20, "stop_words": "dropped"}))
    assert no_word is None  # "one" and "two" are left


def test_the_laws_of_twelve_words_are_those_of_a_long_run():
    settings = GibbsTopicsSettings(data="tiny", topics=2)
    chain, texts = Chain(settings.sampler(), SEED), settings.texts()
    labels = np.array([chain[t].labels for t in range(1, 4_001)])
    for outcome, values in counts(texts, labels).items():
        law = settings.law(outcome, 1)
        assert law is not None
        assert values.mean() == pytest.approx(law.mean, abs=0.15)
    assert GibbsTopicsSettings(data="tiny", topics=3).law("mixed", 1) is None
    assert settings.law("agree", 1) is None


def test_a_sweep_that_learns_all_redraws_three_numbers_and_then_the_base_weights():
    changes = {"data": "eight", "number": "learned", "learning": "learned", "step_by": "update", "sweep": 3}
    film, chain = film_and_chain(**changes)
    frames = film.frames(0, film.total + 1)
    assert film.total == 4 * 12
    assert frames["say", "kind"][[32, 36, 40, 44, 48], 0].tolist() == [0, 1, 2, 3, 4]
    assert frames["words", "label"][-1].tolist() == chain[3].labels
    state, settings = chain[3], GibbsTopicsSettings(**changes)
    drawn = (state.topic_prior, "α"), (state.word_prior, "β"), (state.top_concentration, "γ")
    for t, said in ((36, drawn[0]), (40, drawn[1]), (44, drawn[2])):
        assert f"{said[1]} = <b>{said[0]:g}" in stage_of("gibbs_topics").written(settings, SEED, "update", t)
    assert "Dirichlet distribution" in stage_of("gibbs_topics").written(settings, SEED, "update", 48)
