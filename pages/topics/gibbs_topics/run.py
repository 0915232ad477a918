"""A run of a topic model: the topic of each word after each sweep, from which all charts are made."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from lessons.data.topic_texts import TopicTexts
from lessons.settings.fields import SWEEPS
from lessons.topics.gibbs_topics import GibbsTopicsSettings
from lessons.topics.gibbs_topics.outcomes import agreement
from pages.contract.charts import Chart
from pages.contract.columns import Columns, Data
from pages.drawing.cards import MOST_ROWS
from pages.player.run import KEPT, Run
from pages.scenes.close_up import CloseUp
from pages.scenes.scene import RunScene
from pages.topics.gibbs_topics.charts import SHOWN
from pages.topics.gibbs_topics.layout import Page, pages_of
from samplers import Chain
from samplers.judge.written import WrittenConditional
from samplers.topics.exact import ExactTopics
from samplers.topics.lda import LDAState

ROOM = 12_000_000  # bytes of labels that a run may fill
FEW = 8  # states that a run of many words keeps
MANY = 4_000  # words


class TopicsRun(Run[LDAState]):
    """The sweeps of one chain; the labels of many words leave room for fewer sweeps.

    Parameters
    ----------
    sampler : LDA or HDP
        With a rule that is right or wrong.
    texts : TopicTexts
        Its words.
    seed : int
        Of the chain.

    Attributes
    ----------
    topics : int
        The topics that charts can show: here K.
    last : int
        The last sweep that can be made.
    labels : numpy.ndarray
        Topic of each word after each sweep, uint8 of shape (last + 1, N).
    priors : numpy.ndarray
        α and β after each sweep, shape (last + 1, 2).
    used : numpy.ndarray
        The number of topics that have words after each sweep, shape (last + 1,).
    log_joint, agree : numpy.ndarray
        After each sweep, shape (last + 1,); agreement with the true themes in per cent, NaN if they are not known.
    """

    base: np.ndarray  # weights of the topics after each sweep, if their number is learned

    def __init__(self, sampler: Any, texts: TopicTexts, seed: int) -> None:
        self.sampler, self.texts = sampler, texts
        self.topics = self.charted()
        self.last = last_of(texts)
        self.labels = np.empty((self.last + 1, texts.size), np.uint8)
        self.priors = np.empty((self.last + 1, 2))
        self.used = np.empty(self.last + 1, np.int16)
        self.log_joint = np.empty(self.last + 1, np.float32)
        self.agree = np.empty(self.last + 1, np.float32)
        few = FEW if texts.size > MANY else KEPT
        super().__init__(Chain(sampler, seed, keep=few), few)

    def charted(self) -> int:
        """Return how many topics charts can show."""
        return int(self.sampler.topics)

    def add(self, t: int, state: LDAState) -> None:
        self.labels[t] = np.minimum(state.labels, self.topics - 1)
        self.used[t] = np.count_nonzero(state.totals)
        self.priors[t] = state.topic_prior, state.word_prior
        self.log_joint[t] = self.joint(state)
        self.agree[t] = 100 * agreement(self.texts, state.assignments) if self.texts.names else np.nan

    def joint(self, state: Any) -> float:
        """Return the log joint that is drawn."""
        return float(self.sampler.log_joint(state))

    def many(self, sweeps: list[int]) -> float:
        """Return the number of topics, on average over sweeps."""
        return self.topics

    def shares(self, t: int, counts: np.ndarray) -> np.ndarray:
        """Return the expected share of each topic in a document that has these words of each, shape (topics,)."""
        weights = self.pseudo_counts(t)
        return (counts + weights[: self.topics]) / (counts.sum() + weights.sum())

    def pseudo_counts(self, t: int) -> np.ndarray:
        """Return the prior weight of each topic in a document, and of a new topic if their number is learned."""
        return np.full(self.topics, self.priors[t, 0])

    def close_up(self, sweep: int) -> CloseUp[LDAState]:
        """Return one sweep, from 1, update by update; see `state` for what this raises."""
        return CloseUp(self.chain, sweep, self.state(sweep - 1))


@dataclass(frozen=True)
class TopicsScene(RunScene[GibbsTopicsSettings, TopicsRun]):
    """The parts of a film."""

    given: ClassVar[str] = ""  # what the log joint is given
    room: ClassVar[tuple[float, float]] = (1, 4)  # shares of the strip: of the trace and of the lists of topics
    options: ClassVar[bool] = True  # whether a run shows the options of the open word
    listed_all: ClassVar[int] = MOST_ROWS  # topics of a message up to which those without words are listed as well
    share: ClassVar[str] = "(its words + α) / (all words + Kα)"  # of a topic, in a message

    texts: TopicTexts  # the words
    exact: ExactTopics | None  # the truth, where it can be listed

    @property
    def kinds(self) -> str:
        """The sites that are redrawn, in order."""
        return "word|α|β"

    @property
    def lists(self) -> str:
        """The caption of the lists of topics."""
        return "· their most probable words" if self.topics <= SHOWN else f"· the first {SHOWN} of {self.topics}"

    def pseudo_counts(self, t: int) -> tuple[list[str], str]:
        """Return the prior weight of each topic in a message after a sweep, and their sum, as formulas."""
        alpha = f"{self.run.priors[t, 0]:g}"
        return [alpha] * self.topics, f"{self.topics} · {alpha}"

    def number_charts(self, *, whole: bool) -> list[Chart]:
        """Return the charts of the number of topics, of a whole run or of a sweep."""
        return []

    def number_data(self, *, whole: bool) -> Data:
        """Return the data sets of these charts, with the columns that captions read."""
        return {"say": {}}

    def run_columns(self, start: int, stop: int) -> Columns:
        """Return the columns of a run that differ: here of the open word's options."""
        run = self.run
        factors = np.array([_factors(run, t, self.site) for t in range(start, stop)])
        columns = hand_columns(factors.reshape(stop - start, 2, self.topics))
        columns["hand", "fresh"] = 0
        return columns

    def sweep_columns(self, base: np.ndarray, used: np.ndarray) -> Columns:
        """Return the columns of a sweep's base weights and of the number of topics."""
        return {}

    def listed(self, shares: np.ndarray, probs: np.ndarray, totals: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return shares and word probabilities of the topics as they are listed."""
        return shares, probs

    def step(self, t: int) -> int:
        """Return the sweep that frame t shows; there are fewer with many words."""
        return min(super().step(t), self.run.last)

    @property
    def topics(self) -> int:
        """The topics that charts can show."""
        return self.run.topics

    @property
    def site(self) -> int:
        """The open word, from 0 through all messages; the first one after an open message without words."""
        message = min(self.settings.message, len(self.texts.documents)) - 1
        first = min(int(np.searchsorted(self.texts.document, message)), self.texts.size - 1)
        return first + max(0, min(self.settings.word, len(self.texts.documents[message])) - 1)

    @cached_property
    def pages(self) -> list[Page]:
        """The messages, laid out as pages of lines."""
        return pages_of(self.texts)

    def page_of(self, site: int) -> Page:
        """Return the page that a word is on."""
        return next(page for page in self.pages if site < page.last)


def _factors(run: TopicsRun, t: int, site: int) -> np.ndarray:
    """Return the two factors of each topic when a word was redrawn in sweep t: earlier words had been redrawn by then.

    At the start, they are those of the first labels.
    """
    sampler, before = run.sampler, max(t - 1, 0)
    state = sampler.state(np.append(run.labels[t, :site], run.labels[before, site:]))
    state.topic_prior, state.word_prior = run.priors[before].tolist()
    sampler.forget(state, site)
    return factors_of(sampler.score(state, site))


def factors_of(conditional: Any) -> np.ndarray:
    """Return the two factors of each topic, shape (2, K); of a learner's rule, the whole weight is the first."""
    if isinstance(conditional, WrittenConditional):
        weights = conditional.probabilities
        return np.array([weights, np.ones(len(weights))])
    return np.array(conditional.factors)


def hand_columns(factors: np.ndarray) -> Columns:
    """Return the factors as shares, and the probabilities that they make; `factors` has shape (frames, 2, K)."""
    products = factors.prod(axis=1)
    shares = factors / factors.sum(axis=2, keepdims=True)
    probabilities = products / products.sum(axis=1, keepdims=True)
    return {
        ("hand", "document"): shares[:, 0],
        ("hand", "share"): shares[:, 1],
        ("hand", "p"): np.where(products == 0, np.nan, probabilities),  # a free number is no option
    }


def last_of(texts: TopicTexts) -> int:
    """Return the last sweep that can be made of these words."""
    return min(SWEEPS, ROOM // texts.size - 1)


def site_named(texts: TopicTexts, site: int) -> str:
    """Return a word as the page writes it."""
    return texts.words[int(texts.word[site])]


def one_document(texts: TopicTexts) -> str:
    """Return the word for a document of these data."""
    return "image" if texts.side else "message"
