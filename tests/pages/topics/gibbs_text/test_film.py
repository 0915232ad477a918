"""The films of messages, sweep by sweep and beat by beat, against the chain that they show."""

from itertools import product

import numpy as np
import pytest

from lessons.data.corpora import Corpus
from lessons.data.messages import Messages
from lessons.own.store import keep_own
from lessons.settings.fields import SWEEPS
from lessons.topics.gibbs_text import GibbsTextSettings, agreement
from pages.contract.charts import Trail
from pages.contract.film import Film
from pages.topics.gibbs_text import GibbsTextStage
from pages.topics.gibbs_text.charts import HIDE, LIST, PAST
from pages.topics.gibbs_text.film import close_up_film, sweeps_film
from pages.topics.gibbs_text.frames import SHOWN
from pages.topics.gibbs_text.run import (
    NOT_DRAWN,
    ROOM,
    UNDEFINED,
    TextRun,
    by_lean,
    contrasting,
    first_look,
    word_probs,
)
from pages.topics.gibbs_text.scene import CELLS, TextScene, letters_of, overview
from samplers import Chain
from samplers.mixtures.labels import HIDDEN
from samplers.mixtures.wrong import WRONG_LABEL_RULES

scene_of = GibbsTextStage().scene

SEED, UNTIL = 5, 36
BOTH = ("explicit", "collapsed")
SETTINGS = {
    f"six, {word_probs} words, {weights} weights": GibbsTextSettings(
        data="six_messages", word_probs=word_probs, weights=weights, known_labels=known
    )
    for (word_probs, weights), known in zip(product(BOTH, BOTH), (0, 1, 2, 3), strict=True)
} | {
    "toy, page 3, ten labels": GibbsTextSettings(known_labels=10, document=40),
    "toy, four classes": GibbsTextSettings(classes=4, word_probs="collapsed"),
    "long, 0/0": GibbsTextSettings(data="long_messages", rule="no logarithms"),
}
RULES = {rule: GibbsTextSettings(data="six_messages", rule=rule) for rule in WRONG_LABEL_RULES}
every = pytest.mark.parametrize("name", SETTINGS)
beats = pytest.mark.parametrize("name", SETTINGS | RULES)


def scene(name: str) -> TextScene:
    made = scene_of((SETTINGS | RULES)[name], SEED)
    made.run.grow(UNTIL, seconds=60)
    return made


def rows_shown(film: Film, frames: dict, t: int) -> np.ndarray:
    """Return the message of each row, -1 where there is none."""
    return frames["rows", "doc"][t] if ("rows", "doc") in frames else np.array(film.data["rows"]["doc"])


# ---- sweep by sweep --------------------------------------------------------------------------------------------------


@every
def test_frames_of_sweeps_are_the_chains(name):
    made = scene(name)
    settings, corpus = made.settings, made.corpus
    film = sweeps_film(made)
    frames = film.frames(0, UNTIL + 1)
    chain = Chain(settings.sampler(), SEED)
    cells = film.data["all"]["row"]
    held = corpus.held_back
    for t in range(UNTIL + 1):
        state = chain[t]
        labels = np.array(state.labels)
        docs = rows_shown(film, frames, t)
        there = docs >= 0
        assert made.document in docs
        np.testing.assert_array_equal(frames["rows", "label"][t][there], labels[docs[there]])
        assert (frames["rows", "label"][t][~there] == HIDE).all()
        np.testing.assert_array_equal(frames["all", "label"][t], labels[cells])
        for where in ("past", "say"):
            assert frames[where, "log_joint"][t, 0] == np.float32(chain.sampler.log_joint(state))
        unlike = (held[docs] != HIDDEN) & (held[docs] != labels[docs]) & there & corpus.named
        np.testing.assert_array_equal(frames["rows", "unlike"][t], unlike)
        probs = word_probs(chain.sampler, state)[:, made.run.words].T.ravel()
        np.testing.assert_allclose(frames["words", "now"][t], probs, rtol=1e-6)


@every
def test_certainty_is_the_probability_of_the_label_that_was_drawn(name):
    made = scene(name)
    film = sweeps_film(made)
    frames = film.frames(0, UNTIL + 1)
    chain = Chain(made.settings.sampler(), SEED)
    docs = rows_shown(film, frames, 0)
    docs = docs[docs >= 0]
    for t in (1, 2, UNTIL):
        expected = {}
        for site, law, value, _ in chain.record(t):
            if not isinstance(site, str):
                p = law.probabilities[value]
                expected[site] = UNDEFINED if np.isnan(p) else round(100 * p)
        drawn = frames["rows", "drawn"][t]
        assert [expected.get(doc, SHOWN) for doc in docs.tolist()] == drawn[: len(docs)].tolist()
    start = frames["rows", "drawn"][0][: len(docs)]
    np.testing.assert_array_equal(start, np.where(made.corpus.shown[docs] == HIDDEN, NOT_DRAWN, SHOWN))


@every
def test_a_row_looks_back_on_its_labels(name):
    made = scene(name)
    assert sweeps_film(made).trails == [Trail("strip", "was", ("rows", "label"), PAST, HIDE)]
    for sweep in (1, 4, PAST, UNTIL):
        film = close_up_film(made, made.run.close_up(sweep))
        strips = film.frames(0, 1)["strip", "was"].reshape(-1, PAST)
        for row, document in enumerate(made.rows):
            history = made.run.labels[max(0, sweep - PAST) : sweep, document].tolist()
            assert strips[row].tolist() == [HIDE] * (PAST - len(history)) + history


@every
def test_ticks_are_the_mean_of_the_sweeps_so_far(name):
    made = scene(name)
    frames = sweeps_film(made).frames(0, UNTIL + 1)
    now, mean = frames["words", "now"], frames["words", "mean"]
    np.testing.assert_array_equal(mean[0], now[0])
    for t in (1, 2, UNTIL):
        np.testing.assert_allclose(mean[t], now[1 : t + 1].mean(axis=0), rtol=1e-4)


def test_messages_with_a_shown_label_come_first_in_a_list_that_scrolls():
    made = scene_of(GibbsTextSettings(known_labels=10), SEED)
    shown = np.flatnonzero(made.corpus.shown != HIDDEN)
    assert made.rows[:10].tolist() == shown.tolist()
    assert made.rows[10:16].tolist() == list(range(6))
    assert sorted(made.rows.tolist()) == list(range(254))
    assert (sweeps_film(made).frames(30, 31)["rows", "drawn"][0, :11] == SHOWN).tolist() == [True] * 10 + [False]
    six = scene_of(GibbsTextSettings(data="six_messages", known_labels=2), SEED)
    assert six.rows.tolist() == list(range(6))


# ---- beat by beat ----------------------------------------------------------------------------------------------------


@beats
def test_beats_are_the_updates_of_the_sweep(name):
    made = scene(name)
    chain = Chain(made.settings.sampler(), SEED)
    sweep = 4
    opened = made.run.close_up(sweep)
    film = close_up_film(made, opened)
    frames = film.frames(0, film.total + 1)
    cells = film.data["all"]["row"]
    updates = chain.record(sweep)
    assert film.total == 4 * len(updates)
    labels = np.array(chain[sweep - 1].labels)
    np.testing.assert_array_equal(frames["all", "label"][0], labels[cells])
    assert frames["say", "current"][0, 0] == -1
    for number, (site, law, value, _) in enumerate(updates):
        for beat in (1, 2, 3, 4):
            t = 4 * number + beat
            assert frames["say", "beat"][t, 0] == beat
            expected = labels.copy()
            lit = [] if isinstance(site, str) else [site]
            current = frames["say", "current"][t, 0]
            assert [frames["rows", "doc"][t][current]] == lit if lit else current == -1
            assert np.array(cells)[frames["all", "lit"][t] == 1].tolist() == lit
            if not isinstance(site, str):
                expected[site] = value if beat == 4 else HIDE
                assert frames["say", "item"][t, 0] == site + 1
                docs = frames["rows", "doc"][t]
                row = docs.tolist().index(site)
                assert frames["rows", "label"][t, row] == expected[site]
                offered = frames["offers", "p"][t]
                if beat in (2, 3):
                    np.testing.assert_allclose(offered, law.probabilities, rtol=1e-6, equal_nan=True)
                    assert (frames["offers", "row"][t] == row).all()
                else:
                    assert np.isnan(offered).all()
            else:
                assert np.isnan(frames["say", "item"][t, 0])
                assert frames["say", "kind"][t, 0] == {"weights": 1, "word probabilities": 2}[site]
            np.testing.assert_array_equal(frames["all", "label"][t], expected[cells])
        if not isinstance(site, str):
            labels[site] = value
        assert frames["past", "share"][4 * number + 4, 0] == pytest.approx(100 * np.mean(labels == 0), abs=1e-4)
        matching = np.round(100 * agreement(made.corpus, labels, made.classes))
        assert frames["say", "agree"][4 * number + 4, 0] == pytest.approx(matching, nan_ok=True), "of what is drawn"
    np.testing.assert_array_equal(labels, chain[sweep].labels)
    last = frames["words", "now"][-1].reshape(-1, made.classes)
    if chain.sampler.word_probs == "explicit":
        np.testing.assert_allclose(last, word_probs(chain.sampler, chain[sweep])[:, made.run.words].T, rtol=1e-6)


@beats
def test_an_update_that_is_opened_is_the_one_that_was_made(name):
    made = scene(name)
    opened = made.run.close_up(6)
    updates = Chain(made.settings.sampler(), SEED).record(6)
    for number in {0, len(updates) // 2, len(updates) - 1, 1}:
        beat = opened[number]
        assert beat.update.site == updates[number].site
        if not beat.is_block:
            assert beat.update.value == updates[number].value
            assert beat.update.uniform == updates[number].uniform
            assert sum(beat.lifted.counts) == sum(beat.before.counts) - 1
            assert beat.before.labels[beat.update.site] == opened.before.labels[beat.update.site]


# ---- what a run keeps ------------------------------------------------------------------------------------------------


def test_words_are_those_that_tell_most():
    rng = np.random.default_rng(0)
    probs = rng.dirichlet(np.ones(40), 2)
    mean = probs.mean(axis=0)
    contrast = [sum((p - m) * np.log(p / m) for p in column) for column, m in zip(probs.T, mean, strict=True)]
    chosen = by_lean(probs, contrasting(probs, 12))
    assert set(chosen.tolist()) == set(np.argsort(contrast)[-12:].tolist())
    lean = np.log(probs[0] / probs[1])[chosen]
    assert (np.diff(lean) <= 0).all()


def test_words_stay_for_the_run():
    made = scene("toy, four classes")
    words = made.run.words.copy()
    made.run.grow(UNTIL + 20, seconds=60)
    np.testing.assert_array_equal(made.run.words, words)
    assert len(words) == 12


@pytest.mark.parametrize(("size", "last"), [(6, SWEEPS), (254, SWEEPS), (2_998, SWEEPS), (5_574, 1_075), (20_000, 299)])
def test_a_run_takes_twelve_megabytes_at_most(size, last, monkeypatch):
    monkeypatch.setattr(TextRun, "grow", lambda *args, **more: 0)
    texts = tuple("ab"[i % 2] for i in range(size))
    settings = GibbsTextSettings(data="own", stop_words="kept")
    given = settings.corpus_of(Messages(texts, np.full(size, HIDDEN), ()))
    run = TextRun(settings.sampler_of(given), given, 1)
    assert run.last == last
    assert run.labels.nbytes + run.certainty.nbytes <= ROOM
    assert first_look(size) <= run.last


# ---- rows, cells, letters --------------------------------------------------------------------------------------------


def own(labels, classes) -> Corpus:
    texts = tuple(f"message {i}" for i in range(len(labels)))
    return GibbsTextSettings(data="own").corpus_of(Messages(texts, labels, classes))


@pytest.mark.parametrize("size", [1, 2, 17, 254, 600, 5_574])
@pytest.mark.parametrize("kinds", [1, 2, 4])
def test_every_cell_has_a_place_of_its_own(size, kinds):
    labels = np.arange(size) % kinds - (kinds == 4)
    classes = tuple("abc"[: int(labels.max()) + 1])
    found = overview(own(labels, classes))
    assert len(found.documents) == min(size, CELLS)
    assert len({tuple(place) for place in found.places.tolist()}) == len(found.documents)
    assert len(set(found.documents.tolist())) == len(found.documents)
    assert (found.places >= 0).all()
    assert (found.places < [found.width, found.height]).all()
    named = [name for name, *_ in found.groups]
    assert len(named) == (len(set(labels.tolist())) if len(classes) > 1 else 0)


@pytest.mark.parametrize(
    ("names", "letters"),
    [
        (("ham", "spam"), ("H", "S")),
        (("class 1", "class 2"), ("1", "2")),
        (("ham", "spam", "class 3"), ("H", "S", "3")),
        (("spam", "scam"), ("1", "2")),
        ((), ()),
    ],
)
def test_letters_differ(names, letters):
    assert letters_of(names) == letters


def test_a_hand_marks_the_open_message():
    made = scene("toy, page 3, ten labels")
    params = sweeps_film(made).params
    assert made.document == 39
    place = 10 + 39  # ten labels are shown, all of them further down in the file
    assert params["current"] == place
    data = sweeps_film(made).data
    assert data["rows"]["doc"][place] == 39
    cell = data["all"]["row"].index(39)
    assert params["cell"] == (data["all"]["x"][cell], data["all"]["y"][cell])


def test_what_does_not_fit_into_one_list_is_on_the_next():
    size = LIST + 20
    mine = keep_own(Messages(tuple(f"word{i % 7} again" for i in range(size)), np.full(size, HIDDEN), ()))
    made = scene_of(GibbsTextSettings(data="own", own=mine, document=size - 3, step_by="update"), SEED)
    film = close_up_film(made, made.run.close_up(2))
    before, after = film.frames(4 * LIST - 1, 4 * LIST + 3)["rows", "doc"][[0, -1]]
    assert before.tolist() == list(range(LIST))
    assert after.tolist() == [*range(LIST, size), *[-1] * (LIST - 20)]
    assert sweeps_film(made).params["current"] == 16
