"""A run whose number of topics is learned."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from lessons.data.topic_texts import TopicTexts
from lessons.topics.gibbs_topics import MOST_TOPICS
from pages.topics.gibbs_topics.run import TopicsRun, last_of
from samplers.topics.hdp import HDPState


class FranchiseRun(TopicsRun):
    """The sweeps of one chain; the last topic that charts show stands for all later ones.

    Attributes
    ----------
    base : numpy.ndarray
        The base weights after each sweep, and the rest; shape (last + 1, topics + 1).
    """

    def __init__(self, sampler: Any, texts: TopicTexts, seed: int) -> None:
        self.base = np.empty((last_of(texts) + 1, MOST_TOPICS + 1), np.float32)
        super().__init__(sampler, texts, seed)

    def charted(self) -> int:
        return MOST_TOPICS

    def add(self, t: int, state: Any) -> None:
        super().add(t, state)
        self.base[t] = base_of(state, self.topics)

    def joint(self, state: Any) -> float:
        """Return the log joint given the base weights."""
        return float(self.sampler.log_given_base(state))

    def many(self, sweeps: list[int]) -> float:
        return float(self.used[sweeps].mean())

    def pseudo_counts(self, t: int) -> np.ndarray:
        weights: np.ndarray = self.priors[t, 0] * self.base[t]
        return weights


def base_of(state: HDPState, topics: int) -> np.ndarray:
    """Return the base weights of topics, those later than the last shown added to its own, and the rest."""
    found = np.zeros(topics + 1)
    for topic in state.used:
        found[min(topic, topics - 1)] += state.base[topic]
    found[topics] = state.base[state.next]
    return found


RUNS: Mapping[str, type[TopicsRun]] = {"fixed": TopicsRun, "learned": FranchiseRun}
"""By what the number of topics is."""
