"""The columns of a film of messages: of sweeps, and of the beats of one sweep."""

from collections.abc import Generator

import numpy as np

from lessons.topics.gibbs_text import agreement
from pages.contract.columns import Columns, along
from pages.scenes.close_up import SAMPLE, SCORE, CloseUp, Replay, beats_of
from pages.topics.gibbs_text.charts import HIDE, LIST, PAST
from pages.topics.gibbs_text.run import NOT_DRAWN, Order
from pages.topics.gibbs_text.scene import TextScene
from samplers.mixtures.labels import HIDDEN, WEIGHTS
from samplers.mixtures.naive_bayes import WORD_PROBS, DocumentsState

SHOWN = 254  # in place of a certainty: the label is one of those that are shown to the sampler
KINDS: dict[int | str, int] = {WEIGHTS: 1, WORD_PROBS: 2}  # of what is redrawn; 0 is a message


def sweep_frames(scene: TextScene, start: int, stop: int) -> Columns:
    """Return the columns of sweeps, from start and below stop."""
    run, page, cells = scene.run, scene.rows, scene.overview.documents
    sure = run.certainty[start:stop, cells]
    labels = run.labels[start:stop, page]
    return {
        ("rows", "label"): _wide(scene, labels, HIDE),
        ("rows", "drawn"): _wide(scene, _drawn(scene, run.certainty[start:stop, page], page), NOT_DRAWN),
        ("rows", "unlike"): _wide(scene, _unlike(scene, labels, page), 0),
        ("words", "now"): _flat(run.word_probs[start:stop]),
        ("words", "mean"): _means(run.word_probs, start, stop),
        ("all", "label"): run.labels[start:stop, cells],
        ("all", "sure"): np.where(sure > 100, 100, sure),
        **along(log_joint=run.log_joint[start:stop]),
        ("say", "agree"): run.agree[start:stop].round(),
    }


class MessagesReplay(Replay):
    """A few numbers of each update of a sweep, for the frames of its beats.

    Attributes
    ----------
    probabilities : numpy.ndarray
        Of each update's options, shape (updates, K); NaN for blocks, and where undefined.
    labels, after : numpy.ndarray
        Before and after the sweep, shape (M,).
    shares : numpy.ndarray
        Share of the first class before the sweep and after each update, shape (updates + 1,).
    """

    def __init__(self, close_up: CloseUp[DocumentsState], order: Order, classes: int) -> None:
        self.order = order
        self.labels = np.array(close_up.before.labels, np.uint8)
        self.probabilities = np.full((len(close_up), classes), np.nan)
        self.after = self.labels.copy()
        super().__init__(close_up)

    def replayed(self) -> Generator[None, None, None]:
        for number, update in enumerate(self.close_up.updates(self.close_up.before.copy())):
            if not isinstance(update.site, str):
                self.probabilities[number] = update.conditional.probabilities
                self.after[update.site] = update.value
            yield
        documents = self.order.documents
        change = (self.after[documents] == 0).astype(int) - (self.labels[documents] == 0)
        first = int((self.labels == 0).sum()) + np.append(0, np.cumsum(change * (documents >= 0)))
        self.shares = first / self.labels.size


def beat_frames(scene: TextScene, replay: MessagesReplay, start: int, stop: int) -> Columns:
    """Return the columns of a sweep's beats: frame 4 u + b is beat b of update u, and the update is over at 4 u + 4."""
    order, sweep = replay.order, replay.sweep
    t = np.arange(start, stop)
    done, beat = t // 4, t % 4
    under_way = np.maximum(t - 1, 0) // 4  # the update that a frame speaks of: the last one, if it is just over
    page = scene.place_of[_filled(order.documents)[under_way]] // LIST
    places = page[:, None] * LIST + np.arange(scene.length)
    there = places < scene.corpus.size
    docs = scene.order[np.minimum(places, scene.corpus.size - 1)]
    labels, certainty = _at_moments(scene, replay, docs, done, beat)
    cells, _ = _at_moments(scene, replay, np.tile(scene.overview.documents, (len(t), 1)), done, beat)
    before, after = scene.run.word_probs[sweep - 1 : sweep + 1]
    redrawn = done > (order.sites.index(WORD_PROBS) if WORD_PROBS in order.sites else len(order.sites))
    share = 100 * replay.shares[done]
    kinds = np.array([KINDS.get(site, 0) for site in order.sites])[under_way]
    in_hand = np.where(t > 0, order.documents[under_way], -1)  # -1: nothing yet, or a block
    item = np.where((kinds > 0) | (t == 0), np.nan, order.documents[under_way] + 1)
    return {
        ("rows", "doc"): np.where(there, docs, -1),
        ("rows", "label"): np.where(there, labels, HIDE),
        ("rows", "drawn"): np.where(there, certainty, NOT_DRAWN),
        ("rows", "unlike"): there & _unlike(scene, labels, docs),
        ("strip", "was"): _strips(scene, sweep - 1, page),
        ("words", "now"): np.where(redrawn[:, None], after.reshape(1, -1), before.reshape(1, -1)),
        ("words", "mean"): _means(scene.run.word_probs, sweep - 1, sweep),
        ("all", "label"): cells,
        ("all", "lit"): scene.overview.documents == in_hand[:, None],
        ("past", "share"): share,
        ("say", "share"): share.round(),
        ("say", "current"): np.where(in_hand < 0, -1, scene.place_of[in_hand] % LIST),
        ("say", "agree"): _agreements(scene, replay, done),
        ("say", "item"): item,
        ("say", "kind"): kinds,
        ("say", "beat"): beats_of(t),
    } | _offers(scene, replay, done, beat)


def _at_moments(
    scene: TextScene, replay: MessagesReplay, documents: np.ndarray, done: np.ndarray, beat: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the labels of messages at moments of a sweep, and how sure these were when they were drawn."""
    visit = replay.order.visit_of[documents]
    over, in_hand = visit < done[:, None], (visit == done[:, None]) & (beat[:, None] > 0)
    labels = np.where(over, replay.after[documents], replay.labels[documents])
    before = _drawn(scene, scene.run.certainty[replay.sweep - 1][documents], documents)
    certainty = np.where(over, scene.run.certainty[replay.sweep][documents], before)
    return np.where(in_hand, HIDE, labels), np.where(in_hand, NOT_DRAWN, certainty)


def _agreements(scene: TextScene, replay: MessagesReplay, done: np.ndarray) -> np.ndarray:
    """Return how many of the labels match the true ones at moments of a sweep, in per cent."""
    moments, places = np.unique(done, return_inverse=True)
    labels = np.where(replay.order.visit_of < moments[:, None], replay.after, replay.labels)
    found = [100 * agreement(scene.corpus, now, scene.classes) for now in labels]
    return np.round(found)[places]


def _offers(scene: TextScene, replay: MessagesReplay, done: np.ndarray, beat: np.ndarray) -> Columns:
    """Return the bar of the message in hand: each class's probability and where it begins; NaN if there is no bar."""
    number = np.minimum(done, len(replay.order.sites) - 1)
    scored = (beat == SCORE) | (beat == SAMPLE)
    p = np.where(scored[:, None], replay.probabilities[number], np.nan)
    row = scene.place_of[replay.order.documents[number]] % LIST
    return {("offers", "row"): row, ("offers", "p"): p, ("offers", "from"): np.cumsum(p, axis=1) - p}


def _filled(documents: np.ndarray) -> np.ndarray:
    """Give blocks the message before them, or the first one."""
    last = np.maximum.accumulate(np.where(documents >= 0, np.arange(len(documents)), -1))
    first = documents[documents >= 0][:1]
    return np.where(last >= 0, documents[last], first[0] if first.size else 0)


def _wide(scene: TextScene, columns: np.ndarray, empty: int) -> np.ndarray:
    """Fill up to all rows."""
    full = np.full((len(columns), scene.length), empty, np.uint8)
    full[:, : columns.shape[1]] = columns
    return full


def _drawn(scene: TextScene, certainty: np.ndarray, documents: np.ndarray) -> np.ndarray:
    return np.where(scene.corpus.shown[documents] != HIDDEN, SHOWN, certainty)


def _unlike(scene: TextScene, labels: np.ndarray, documents: np.ndarray) -> np.ndarray:
    """Return whether labels are others than the true ones, where the classes have names."""
    held = scene.corpus.held_back[documents]
    return (held != HIDDEN) & (labels != held) & (labels != HIDE) & scene.corpus.named


def _strips(scene: TextScene, sweep: int, pages: np.ndarray) -> np.ndarray:
    """Return the labels of each list's rows up to a sweep, the newest at the right: shape (len(pages), rows * PAST)."""
    found, which = np.unique(pages, return_inverse=True)
    strips = np.full((len(found), scene.length, PAST), HIDE, np.uint8)
    first = max(0, sweep + 1 - PAST)
    for strip, page in zip(strips, found.tolist(), strict=True):
        labels = scene.run.labels[first : sweep + 1, scene.rows_of(page)].T
        strip[: len(labels), PAST - labels.shape[1] :] = labels
    return _flat(strips)[which]


def _means(probs: np.ndarray, start: int, stop: int) -> np.ndarray:
    """Return the mean of word probabilities from the first sweep to each; at the start, those of the start."""
    sums = np.cumsum(probs[1:stop], axis=0, dtype=np.float64)
    means = np.concatenate([probs[:1], sums / np.arange(1, len(sums) + 1)[:, None, None]]).astype(np.float32)
    return _flat(means[start:stop])


def _flat(values: np.ndarray) -> np.ndarray:
    """Give each frame one row, though there may be no frame."""
    return values.reshape(len(values), int(np.prod(values.shape[1:])))
