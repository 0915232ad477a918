"""The columns of films of topics, computed from the topic of each word."""

from collections.abc import Generator
from typing import Any

import numpy as np

from lessons.data.topic_texts import UNKNOWN, TopicTexts
from lessons.topics.gibbs_topics.outcomes import bars_found, matched
from pages.contract.columns import Columns, along
from pages.scenes.close_up import SAMPLE, SCORE, CloseUp, Replay, beats_of
from pages.topics.gibbs_topics.charts import ACROSS, CORNERS, HIDE, IMAGES, LISTED, SHOWN
from pages.topics.gibbs_topics.layout import Page
from pages.topics.gibbs_topics.run import TopicsScene, factors_of, hand_columns
from samplers.recipe import Site
from samplers.topics.lda import TOPIC_PRIOR, WORD_PRIOR, LDAState


def sweep_frames(scene: TopicsScene, page: Page, start: int, stop: int) -> Columns:
    """Return the columns of sweeps, from start and below stop."""
    run = scene.run
    labels = run.labels[start:stop]
    return {
        **_columns(scene, page, labels, run.priors[start:stop]),
        **scene.run_columns(start, stop),
        **along(log_joint=run.log_joint[start:stop]),
        ("say", "agree"): run.agree[start:stop].round(),
    }


class WordsReplay(Replay):
    """The factors of each update of a sweep, for the frames of its beats.

    Parameters
    ----------
    close_up : CloseUp
        The sweep.
    topics : int
        The topics that charts can show.

    Attributes
    ----------
    shown : int
        The options that the chart of the word in hand has room for, once all numbers are there.
    factors : numpy.ndarray
        Of the topics in each update of a word, shape (words, 2, K).
    before, after : numpy.ndarray
        Topic of each word before and after the sweep, shape (N,).
    priors : numpy.ndarray
        α and β before the sweep, after α and after both, shape (3, 2).
    fresh : numpy.ndarray
        The number that a new topic would get in each update of a word, shape (words,); -1 if there are no new ones.
    base : numpy.ndarray
        Base weights and the rest, if there are any: before the sweep, and then for each update without its site and
        after it; shape (2 * updates + 1, topics + 1).
    used : numpy.ndarray
        The number of topics that have words, as for `base`.
    """

    def __init__(self, close_up: CloseUp[LDAState], topics: int) -> None:
        self.updates = len(close_up)
        self.before = np.minimum(close_up.before.labels, topics - 1).astype(np.uint8)
        self.after = self.before.copy()
        self.factors = np.zeros((len(self.before), 2, topics), np.float32)
        self.fresh = np.full(len(self.before), -1)
        self.topics, self.shown = topics, topics
        stages = 2 * len(close_up) + 1
        self.base = np.zeros((stages, topics + 1), np.float32)
        self.used = np.zeros(stages, np.int16)
        self.priors = np.tile([close_up.before.topic_prior, close_up.before.word_prior], (3, 1))
        super().__init__(close_up)

    def replayed(self) -> Generator[None, None, None]:
        state = self.close_up.before.copy()
        updates = self.close_up.updates(state)
        self.keep_base(0, state)
        for number, site in enumerate(self.close_up.sites):
            self.keep_lifted(2 * number + 1, state, site)
            update = next(updates)
            self.keep_base(2 * number + 2, state)
            if not isinstance(site, str):
                factors = factors_of(update.conditional)[:, : self.topics]
                self.factors[site, :, : factors.shape[1]] = factors
                self.after[site] = min(update.value, self.topics - 1)
            elif site in (TOPIC_PRIOR, WORD_PRIOR):
                self.priors[1 if site == TOPIC_PRIOR else 2 :] = state.topic_prior, state.word_prior
            yield

    def keep_base(self, stage: int, state: Any) -> None:
        """Keep the weights before the sweep, or after an update."""

    def keep_lifted(self, stage: int, state: Any, site: Site) -> None:
        """Keep the weights without a site."""


def beat_frames(scene: TopicsScene, page: Page, replay: WordsReplay, start: int, stop: int) -> Columns:
    """Return the columns of a sweep's beats: frame 4 u + b is beat b of update u, and the update is over at 4 u + 4."""
    size = len(replay.before)
    t = np.arange(start, stop)
    done, beat = t // 4, t % 4
    under_way = np.maximum(t - 1, 0) // 4
    labels = np.where(np.arange(size) < done[:, None], replay.after, replay.before)
    in_hand = (beat > 0) & (done < size)
    labels[in_hand, done[in_hand]] = HIDE
    word = np.minimum(under_way, size - 1)
    factors = replay.factors[word, :, : replay.shown]
    factors[~((beat == SCORE) | (beat == SAMPLE)) | (under_way >= size)] = np.nan
    priors = replay.priors[np.clip(done - size, 0, 2)]
    stage = 2 * done + (beat > 0)
    return {
        **_columns(scene, page, labels, priors),
        **hand_columns(factors),
        ("hand", "fresh"): np.arange(replay.shown) == replay.fresh[word][:, None],
        **scene.sweep_columns(replay.base[stage], replay.used[stage]),
        ("say", "agree"): _agreements(scene.texts, labels, scene.topics),
        ("say", "item"): np.where((t > 0) & (under_way < size), under_way + 1, np.nan),
        ("say", "kind"): np.clip(under_way - size + 1, 0, replay.updates - size),
        ("say", "beat"): beats_of(t),
    }


def _agreements(texts: TopicTexts, labels: np.ndarray, topics: int) -> np.ndarray | float:
    """Return how many per cent of the words match their themes in each frame; a word that is taken out matches none."""
    known = texts.themes != UNKNOWN
    if not known.any():
        return np.nan
    tables = counts_by(labels[:, known], texts.themes[known], len(texts.names), topics)
    return np.array([round(100 * matched(table) / known.sum()) for table in tables], float)


def counts_by(labels: np.ndarray, groups: np.ndarray, number: int, topics: int) -> np.ndarray:
    """Count topics by group in each frame, shape (frames, number, topics); words without a topic do not count.

    Parameters
    ----------
    labels : numpy.ndarray
        Shape (frames, N).
    groups : numpy.ndarray
        The group of each word, from 0 and below `number`, shape (N,).
    number, topics : int
        How many of each.
    """
    frames = len(labels)
    cell = (np.arange(frames)[:, None] * number + groups) * topics + labels
    there = labels != HIDE
    found = np.bincount(cell[there].ravel(), minlength=frames * number * topics)
    return found.reshape(frames, number, topics)


def _columns(scene: TopicsScene, page: Page, labels: np.ndarray, priors: np.ndarray) -> Columns:
    """Return the columns that follow from the topic of each word, shape (frames, N), and α and β, shape (frames, 2)."""
    texts, topics = scene.texts, scene.topics
    by_word = counts_by(labels, texts.word, len(texts.words), topics)
    by_document = counts_by(labels, texts.document, len(texts.documents), topics)
    totals = by_word.sum(axis=1)
    beta = priors[:, 1, None, None]
    probs = (by_word + beta) / (totals[:, None] + len(texts.words) * beta)
    shares = totals / np.maximum(totals.sum(axis=1, keepdims=True), 1)
    shares, probs = scene.listed(shares, probs, totals)
    found = _of_images(texts, labels, probs, topics) if texts.side else _of_texts(page, labels, probs)
    columns: Columns = {
        **found,
        ("shares", "share"): shares if texts.side else shares[:, :SHOWN],
        ("say", "mixed"): ((by_document > 0).sum(axis=2) > 1).sum(axis=1),
        ("say", "bars"): np.array([bars_found(texts, np.minimum(each, topics - 1)) for each in labels])
        if texts.side
        else np.nan,
    }
    if topics == 3:
        mixes = by_document + priors[:, 0, None, None]
        places = mixes / mixes.sum(axis=2, keepdims=True) @ np.array(CORNERS)
        columns |= {
            ("mixes", "x"): places[..., 0],
            ("mixes", "y"): places[..., 1],
            ("mixes", "label"): mixes.argmax(axis=2),
        }
    return columns


def _of_texts(page: Page, labels: np.ndarray, probs: np.ndarray) -> Columns:
    """Return the topics of the words on the page, and the most probable words of each topic."""
    shown = min(probs.shape[2], SHOWN)
    listed = LISTED[-(-shown // ACROSS)]
    first = probs[:, :, :shown].transpose(0, 2, 1)  # (frames, topics, V)
    best = np.argsort(-first, axis=2, kind="stable")[:, :, :listed]
    p = np.take_along_axis(first, best, axis=2)
    best[p == 0] = -1
    room = listed - best.shape[2]  # a vocabulary may be shorter than a list
    best, p = (np.pad(part, ((0, 0), (0, 0), (0, room)), constant_values=-1) for part in (best, p))
    flat = len(labels), shown * listed
    return {
        ("words", "label"): labels[:, page.first : page.last],
        ("ranked", "word"): best.reshape(flat),
        ("ranked", "p"): p.reshape(flat),
    }


def first_images(texts: TopicTexts) -> int:
    """Return how many images are shown."""
    return min(len(texts.documents), IMAGES[0] * IMAGES[1])


def _of_images(texts: TopicTexts, labels: np.ndarray, probs: np.ndarray, topics: int) -> Columns:
    """Return the probability of each pixel in each topic; of the first images, counts and topics of their pixels."""
    number, pixels = first_images(texts), len(texts.words)
    there = texts.document < number
    cells = texts.document[there] * pixels + texts.word[there]
    counts = counts_by(labels[:, there], cells, number * pixels, topics)
    total = counts.sum(axis=2)
    return {
        ("pixels", "p"): probs.transpose(0, 2, 1).reshape(len(labels), topics * pixels),
        ("cells", "count"): total,
        ("cells", "label"): np.where(total > 0, counts.argmax(axis=2), HIDE),
    }
