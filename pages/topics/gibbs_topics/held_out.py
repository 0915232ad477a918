"""How well each number of topics predicts the words of messages that it has not read.

The 32 chains take half a minute. Those that a lesson shows are in ``held_out.json`` beside this file, so that the curve
is there when the lesson asks about it; ``python -m tests.pages.topics.gibbs_topics.shipped`` makes that file anew.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.special import logsumexp

from lessons.data.topic_texts import UNKNOWN, Documents, TopicTexts
from lessons.topics.gibbs_topics import GibbsTopicsSettings
from pages.contract.waiting import NotYet
from pages.drawing.cards import quiet
from pages.drawing.charts import vega_lite
from pages.drawing.lazy import alt
from pages.drawing.once import drawn_once
from pages.drawing.palette import ACCENT, RED, SOFT
from pages.drawing.parts import chart
from pages.player.turns import time_slice
from pages.scenes.shared import shared
from pages.topics.gibbs_topics.franchise_run import RUNS
from pages.topics.gibbs_topics.run import TopicsRun, TopicsScene, one_document
from samplers.topics.held_out import can_sum, exact, left_to_right

NUMBERS = (1, 2, 3, 5, 10, 15, 20)  # of topics
LEARNED = {"number": "learned"}
EVERY = 6  # one message of six is held out; of fewer, the last
SWEEPS = (30, 35, 40)  # whose topics predict
CHAINS = (1, 2, 3, 4)  # seeds of the chains for each number
HIGH = 140  # pixels of the chart: its axis is on the screen with the pictures above it
PARTICLES = 10  # of the estimate, for each message and sweep


SHIPPED = Path(__file__).with_suffix(".json")


@cache
def _shipped() -> dict[str, list[tuple[float, float, float]]]:
    kept: dict[str, list[tuple[float, float, float]]] = json.loads(SHIPPED.read_text("utf-8"))
    return kept


def name_of(settings: GibbsTopicsSettings) -> str:
    """Return the name under which the chains of a prior are in the file."""
    made_by = (NUMBERS, EVERY, SWEEPS, CHAINS, PARTICLES, settings.model_dump_json(exclude_defaults=True))
    return hashlib.sha256(repr(made_by).encode()).hexdigest()[:16]


class Point(NamedTuple):
    """The predictions of one number of topics."""

    topics: float  # their number; on average, if it is learned
    # held, read: the perplexity of the words that were held out, and of those that were read: the mean over the chains
    held: float
    read: float
    error: float  # the standard error of `held`, by the spread of the chains


def apart(texts: TopicTexts) -> tuple[TopicTexts, Documents]:
    """Return the messages that are read, and those that are held out: every sixth, or the last of fewer."""
    filled = [document for document in texts.documents if document]
    held = range(EVERY - 1, len(filled), EVERY) if len(filled) >= EVERY else range(len(filled) - 1, len(filled))
    read = tuple(document for number, document in enumerate(filled) if number not in held)
    unknown = np.full(sum(map(len, read)), UNKNOWN)
    return TopicTexts(read, texts.words, unknown), tuple(filled[number] for number in held)


class HeldOut:
    """The points of the chart, one after the other; the last one's number of topics is learned.

    Parameters
    ----------
    settings : GibbsTopicsSettings
        The prior. The rules are the correct ones.
    texts : TopicTexts
        All messages.
    """

    nbytes = 4_096

    def __init__(self, settings: GibbsTopicsSettings, texts: TopicTexts) -> None:
        right = settings.model_copy(update={"rule": "right", "base_rule": "right"})
        fixed = [right.model_copy(update={"number": "fixed", "topics": number}) for number in NUMBERS]
        self._read, self.held = apart(texts)
        self._todo = [(each, seed) for each in (*fixed, right.model_copy(update=LEARNED)) for seed in CHAINS]
        # of each chain that has been run: its number of topics, and the perplexities of the words held out and read
        self.found = [*_shipped().get(name_of(settings), ())]
        self._run: TopicsRun | None = None
        self._lock = threading.Lock()

    @property
    def points(self) -> list[Point]:
        """The points, once all chains have been run."""
        values = np.array(self.found).reshape(-1, len(CHAINS), 3)
        means, errors = values.mean(axis=1), values[..., 1].std(axis=1, ddof=1) / len(CHAINS) ** 0.5
        rows = np.column_stack([means, errors]).tolist()
        return [Point(topics, held, read, error) for topics, held, read, error in rows]

    def reach(self) -> None:
        """Run all chains, or raise `NotYet` after a slice."""
        with self._lock, time_slice() as over:
            for number in range(len(self.found), len(self._todo)):
                settings, seed = self._todo[number]
                if self._run is None:
                    sampler = settings.now.kernel(settings, self._read)
                    self._run = RUNS[settings.number](sampler, self._read, seed)
                made = self._run.grow(SWEEPS[-1])
                if made == SWEEPS[-1]:
                    self.found.append(self._predicted(self._run))
                    self._run = None
                if over() and len(self.found) < len(self._todo):
                    name = "HDP" if settings.number == "learned" else f"K = {settings.topics}"
                    share = (number + made / SWEEPS[-1]) / len(self._todo)
                    raise NotYet(f"{name}, chain {seed} of {len(CHAINS)}", share, self.reach, 0)

    def _predicted(self, run: TopicsRun) -> tuple[float, float, float]:
        """Return the number of topics, and the perplexities of what was held out and of what was read."""
        models = [_model(run, sweep) for sweep in SWEEPS]
        logs = [[_log_probability(document, *model) for model in models] for document in self.held]
        log_probability = (logsumexp(logs, axis=1) - np.log(len(SWEEPS))).sum()
        held = float(np.exp(-log_probability / sum(map(len, self.held))))
        used = float(run.many([*SWEEPS]))
        return used, held, _of_what_was_read(run)


def _model(run: TopicsRun, sweep: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the word probabilities of each topic, and their pseudo-counts in a message, after a sweep."""
    counts, beta = np.zeros((run.topics + 1, len(run.texts.words))), run.priors[sweep, 1]
    np.add.at(counts, (run.labels[sweep], run.texts.word), 1)
    word_probs = (counts + beta) / (counts.sum(axis=1, keepdims=True) + counts.shape[1] * beta)
    prior = run.pseudo_counts(sweep)
    return word_probs[: len(prior)][prior > 0], prior[prior > 0]


def _log_probability(document: Sequence[int], word_probs: np.ndarray, prior: np.ndarray) -> float:
    if can_sum(len(document), len(prior)):
        return exact(document, word_probs, prior)
    return left_to_right(document, word_probs, prior, PARTICLES, np.random.default_rng(1)).log_probability


def _of_what_was_read(run: TopicsRun) -> float:
    """Return the perplexity of the words that were read, each given its own message's topics."""
    texts, total = run.texts, np.zeros(run.texts.size)
    for sweep in SWEEPS:
        word_probs, prior = _model(run, sweep)
        counts = np.zeros((len(texts.documents), run.topics + 1))
        np.add.at(counts, (texts.document, run.labels[sweep]), 1)
        weights = counts[:, : len(run.pseudo_counts(sweep))][:, run.pseudo_counts(sweep) > 0] + prior
        mixtures = weights / weights.sum(axis=1, keepdims=True)
        total += (mixtures[texts.document] * word_probs[:, texts.word].T).sum(axis=1)
    return float(np.exp(-np.log(total / len(SWEEPS)).mean()))


def prior_of(settings: GibbsTopicsSettings) -> GibbsTopicsSettings:
    """Return the settings without what the chains have each their own, or do not look at."""
    return settings.as_run().model_copy(update={"topics": 1, "number": "fixed", "rule": "right", "base_rule": "right"})


@shared
def _held_out(settings: GibbsTopicsSettings) -> HeldOut:
    return HeldOut(settings, settings.texts())


def held_out(scene: TopicsScene) -> str:
    """Return the perplexity of the held-out words for each number of topics, or say how far that is."""
    settings, texts = scene.settings, scene.texts
    if sum(map(bool, texts.documents)) < 2:
        one = one_document(texts)
        return quiet(f"One {one} would be held out and the others read. Here only one {one} has words.")
    found = _held_out(prior_of(settings))
    found.reach()
    *fixed, learned = found.points
    title = (
        "<b>Perplexity of held-out words</b> by number of topics; dashed: words that were read; "
        f"red: HDP, {learned.topics:.1f} topics on average"
    )
    rows = [
        point._asdict() | {"low": point.held - 2 * point.error, "high": point.held + 2 * point.error} for point in fixed
    ]
    picture = chart(_chart(), "Perplexity by the number of topics", points=rows, hdp=[learned._asdict()])
    return f'<div class="long"><p>{title}</p>{picture}{quiet(_said(found, one_document(texts)))}</div>'


def _said(found: HeldOut, one: str) -> str:
    """Return how the perplexities were computed, in words."""
    best = min(found.points[:-1], key=lambda point: point.held)
    many = f"{len(found.held)} {one}s are" if len(found.held) > 1 else f"One {one} is"
    return (
        f"{many} held out. For each number, {len(CHAINS)} chains read the others for {SWEEPS[-1]} sweeps; a dot is "
        "their mean, with two standard errors to both sides. "
        f"Lowest here: {best.held:.1f}, with {best.topics:.0f} topics. "
        "A perplexity of 20 is as unsure as a fair die with 20 sides."
    )


@drawn_once
def _chart() -> dict[str, Any]:
    x = alt.X("topics:Q", title="topics K", scale=alt.Scale(domain=[0, NUMBERS[-1] + 1], nice=False))
    y = alt.Y("held:Q", title=None, scale=alt.Scale(zero=False), axis=alt.Axis(tickCount=5))
    base = alt.Chart(alt.NamedData("points"))
    held = base.mark_line(color=ACCENT, strokeWidth=3, point={"color": ACCENT, "size": 60}).encode(x, y)
    error = base.mark_rule(color=ACCENT, strokeWidth=2).encode(x, alt.Y("low:Q"), alt.Y2("high:Q"))
    read = base.mark_line(color=SOFT, strokeWidth=2, strokeDash=[6, 4]).encode(x, alt.Y("read:Q"))
    hdp = alt.Chart(alt.NamedData("hdp"))
    line = hdp.mark_rule(color=RED, strokeWidth=1.6).encode(alt.Y("held:Q"))
    point = hdp.mark_point(color=RED, filled=True, shape="diamond", size=90).encode(x, y)
    return vega_lite(alt.layer(read, line, error, held, point).properties(height=HIGH))
