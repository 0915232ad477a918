"""Wrong rules for the samplers of topics, each close to the right one: what the lessons ask learners to find.

`WRONG_TOPIC_RULES` has those of LDA by name, and `WRONG_BASE_RULES` that of the HDP.
"""

from typing import Any

import numpy as np

from samplers.recipe import Site
from samplers.topics.hdp import HDP
from samplers.topics.lda import LDA, LDAState


class DocumentCountLeftIn(LDA):
    """The word in hand is taken out of its document too late: it votes for the topic that it has."""

    def forget(self, state: LDAState, site: Site) -> None:
        """Take a word out of its topic's and its own counts only."""
        if not isinstance(site, str):
            label = state.labels[site]
            state.by_word[self.words.word[site]][label] -= 1
            state.totals[label] -= 1

    def remember(self, state: LDAState, site: Site, value: Any) -> None:
        """Take the word out of its document, and then give it its new topic."""
        if not isinstance(site, str):
            state.by_document[self.words.document[site]][state.labels[site]] -= 1
        super().remember(state, site, value)


class WordCountLeftIn(LDA):
    """The word in hand is taken out of its topic too late: the topic that it has knows it already."""

    def forget(self, state: LDAState, site: Site) -> None:
        """Take a word out of its document's counts only."""
        if not isinstance(site, str):
            label = state.labels[site]
            state.by_document[self.words.document[site]][label] -= 1

    def remember(self, state: LDAState, site: Site, value: Any) -> None:
        """Take the word out of its topic, and then give it its new one."""
        if not isinstance(site, str):
            state.by_word[self.words.word[site]][state.labels[site]] -= 1
            state.totals[state.labels[site]] -= 1
        super().remember(state, site, value)


class OneBetaBelow(LDA):
    """The topic's total gets β in place of Vβ: the probabilities of its words add up to more than 1."""

    def denominators(self, state: LDAState) -> list[float]:
        """Return the words of each topic, with the pseudo-count of a single word."""
        pseudo_counts = state.word_prior
        return [total + pseudo_counts for total in state.totals]


WRONG_TOPIC_RULES: dict[str, type[LDA]] = {
    "document count left in": DocumentCountLeftIn,
    "word count left in": WordCountLeftIn,
    "one beta below": OneBetaBelow,
}
"""The wrong rules by name; the first line of a class's docstring says what it gets wrong."""


class TablesAsCustomers(HDP):
    """Every customer counts as a table of its own: large topics get too much base weight, and new ones too little."""

    def draw_tables(self, counts: np.ndarray, weights: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Return the number of customers of each topic in each document, shape (D, K)."""
        return counts


WRONG_BASE_RULES: dict[str, type[HDP]] = {"tables counted as customers": TablesAsCustomers}
"""The wrong rules of the HDP by name, as above."""
