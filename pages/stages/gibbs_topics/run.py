"""A run of a topic model: the topic of each word after each sweep, from which all charts are made."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from lessons.data.topic_texts import TopicTexts
from lessons.stages.fields import SWEEPS
from lessons.stages.gibbs_topics import GibbsTopicsSettings, agreement
from pages.player.run import KEPT, Run
from pages.stages.close_up import CloseUp
from pages.stages.gibbs_topics.layout import Page, pages_of
from pages.stages.scene import RunScene
from samplers import Chain
from samplers.topics.exact import ExactTopics
from samplers.topics.lda import LDA, LDAState

ROOM = 12_000_000  # bytes of labels that a run may fill
FEW = 8  # states that a run of many words keeps
MANY = 4_000  # words


class TopicsRun(Run[LDAState]):
    """The sweeps of one chain; the labels of many words leave room for fewer sweeps.

    Parameters
    ----------
    sampler : LDA
        With a rule that is right or wrong.
    texts : TopicTexts
        Its words.
    seed : int
        Of the chain.

    Attributes
    ----------
    last : int
        The last sweep that can be made.
    labels : numpy.ndarray
        Topic of each word after each sweep, uint8 of shape (last + 1, N).
    priors : numpy.ndarray
        α and β after each sweep, shape (last + 1, 2).
    log_joint, agree : numpy.ndarray
        After each sweep, shape (last + 1,); agreement with the true themes in per cent, NaN if they are not known.
    """

    def __init__(self, sampler: LDA, texts: TopicTexts, seed: int) -> None:
        self.sampler, self.texts = sampler, texts
        self.last = min(SWEEPS, ROOM // texts.size - 1)
        self.labels = np.empty((self.last + 1, texts.size), np.uint8)
        self.priors = np.empty((self.last + 1, 2))
        self.log_joint = np.empty(self.last + 1, np.float32)
        self.agree = np.empty(self.last + 1, np.float32)
        few = FEW if texts.size > MANY else KEPT
        super().__init__(Chain(sampler, seed, keep=few), few)

    def add(self, t: int, state: LDAState) -> None:
        """Keep what the charts need of sweep t."""
        self.labels[t] = state.labels
        self.priors[t] = state.topic_prior, state.word_prior
        self.log_joint[t] = self.sampler.log_joint(state)
        self.agree[t] = 100 * agreement(self.texts, state.assignments) if self.texts.names else np.nan

    def close_up(self, sweep: int) -> CloseUp[LDAState]:
        """Return one sweep, from 1, update by update; see `state` for what this raises."""
        return CloseUp(self.chain, sweep, self.state(sweep - 1))


@dataclass(frozen=True)
class Scene(RunScene[GibbsTopicsSettings, TopicsRun]):
    """The parts of a film.

    Attributes
    ----------
    texts : TopicTexts
        The words.
    exact : ExactTopics or None
        The truth, where it can be listed.
    """

    texts: TopicTexts
    exact: ExactTopics | None

    def step(self, t: int) -> int:
        """Return the sweep that frame t shows; there are fewer with many words."""
        return min(super().step(t), self.run.last)

    @property
    def topics(self) -> int:
        """K."""
        return self.run.sampler.topics

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


def site_named(texts: TopicTexts, site: int) -> str:
    """Return a word as the page writes it."""
    return texts.words[int(texts.word[site])]


def one_document(texts: TopicTexts) -> str:
    """Return the word for a document of these data."""
    return "image" if texts.side else "message"
