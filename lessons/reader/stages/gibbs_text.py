"""What the stage of spam without labels can be set to."""

from __future__ import annotations

from functools import lru_cache
from math import isnan
from typing import Any, Literal, Self

import numpy as np
from pydantic import Field

from lessons.reader.corpora import Corpus, long_messages, show_labels
from lessons.reader.messages import MOST_MESSAGES, Messages, six_messages, toy_messages
from lessons.reader.settings import StageSettings
from lessons.reader.stages.fields import SWEEPS, StepBy, Sweep, other_sweep
from lessons.reader.words import bag_of_words
from samplers.labels import HIDDEN
from samplers.naive_bayes import NaiveBayes
from samplers.wrong_labels import WRONG_LABEL_RULES

ALL_LABELS = 300  # this many known labels stand for all of them
SOURCES = {"six_messages": six_messages, "toy_corpus": toy_messages, "long_messages": long_messages}


class GibbsTextSettings(StageSettings):
    """Messages as bags of words, each of one class: labels and word probabilities drawn in turn, again and again.

    A chapter is one sweep, looked at update by update, or the whole run, sweep by sweep.
    """

    views = ("update", "text", "labels", "statistics", "truth")
    unit = "sweeps"
    measured = ("first_class", "agree", "empty")
    charts = ("rows", "words", "all", "trace", "running", "lags", "kept")
    controls = (
        "data",
        "layout",
        "known_labels",
        "label_seed",
        "classes",
        "rule",
        "class_prior",
        "word_prior",
        "word_probs",
        "weights",
        "stop_words",
        "minimum_count",
        "most_words",
        "document",
        "statistic",
        "chains",
        "burn_in",
        "thin",
        "naming",
        "seed",
    )

    data: Literal["six_messages", "toy_corpus", "long_messages", "own"] = Field(
        default="toy_corpus",
        title="Messages",
        description="Six short ones, the lessons' 254, some hundreds of words each, or a file of your own.",
    )
    layout: Literal["documents", "statistics"] = Field(
        default="documents", title="Charts", description="What happens to the messages, or what the draws add up to."
    )
    known_labels: int = Field(
        default=0,
        ge=0,
        le=ALL_LABELS,
        title="Labels shown",
        description="How many labels the sampler is told, the classes in turn; at the far right all of them.",
        json_schema_extra={"step": 1},
    )
    label_seed: int = Field(
        default=0,
        ge=0,
        le=99,
        title="Which labels",
        description="Another number shows the labels of other messages.",
        json_schema_extra={"step": 1, "typed": True},
    )
    classes: int = Field(
        default=2,
        ge=2,
        le=4,
        title="Classes",
        description="How many classes there are; more, if the labels that are shown name more.",
        json_schema_extra={"step": 1},
    )
    class_prior: float = Field(
        default=1.0,
        ge=0.1,
        le=20,
        allow_inf_nan=False,
        title="Class prior γ",
        description="Messages that each class is taken to have from the start.",
        json_schema_extra={"step": 0.1},
    )
    word_prior: float = Field(
        default=1.0,
        ge=0.01,
        le=5,
        allow_inf_nan=False,
        title="Word prior β",
        description="Times that each class is taken to have used each word from the start.",
        json_schema_extra={"step": 0.01},
    )
    word_probs: Literal["explicit", "collapsed"] = Field(
        default="explicit",
        title="Word probabilities",
        description="Drawn once a sweep, after the labels, or integrated out.",
    )
    weights: Literal["collapsed", "explicit"] = Field(
        default="collapsed",
        title="Weights of the classes",
        description="Integrated out, or drawn once a sweep, after the labels.",
    )
    rule: Literal[
        "right",
        "one too few",
        "no logarithms",
        "weights drawn once",
        "repeated words as powers",
        "word probabilities a sweep late",
    ] = Field(
        default="right",
        title="Rule",
        description="The right update, or one of the errors that people make with it, with the variant it is made in.",
    )
    stop_words: Literal["dropped", "kept"] = Field(
        default="dropped", title="Stop words", description="Words such as “the” and “of”, which say little."
    )
    minimum_count: int = Field(
        default=1,
        ge=1,
        le=20,
        title="Minimum count",
        description="How often a word must occur in all messages together to be used.",
        json_schema_extra={"step": 1},
    )
    most_words: int = Field(
        default=1_000,
        ge=10,
        le=8_000,
        title="Most words",
        description="How many words the vocabulary has at most: the most frequent.",
        json_schema_extra={"step": 10},
    )
    document: int = Field(
        default=1,
        ge=1,
        le=MOST_MESSAGES,
        title="Open message",
        description="The message that the inspector opens.",
        json_schema_extra={"step": 1},
    )
    statistic: Literal["share_of_first_class", "open_message", "log_joint"] = Field(
        default="share_of_first_class",
        title="Statistic",
        description="Share of the first class, whether the open message is in the first class, or the log joint.",
    )
    chains: int = Field(
        default=1,
        ge=1,
        le=4,
        title="Chains",
        description="Independent runs: of this seed and the next ones.",
        json_schema_extra={"step": 1},
    )
    burn_in: int = Field(
        default=20,
        ge=0,
        le=SWEEPS,
        title="Burn-in",
        description="Sweeps at the start that are thrown away; on the trace, drag the line.",
        json_schema_extra={"step": 1},
    )
    thin: int = Field(
        default=1,
        ge=1,
        le=50,
        title="Keep every",
        description="1 keeps each sweep after the burn-in, 10 every tenth.",
        json_schema_extra={"step": 1},
    )
    naming: Literal["as_drawn", "matched"] = Field(
        default="as_drawn",
        title="Names in other chains",
        description="Classes as each chain happens to name them, or matched to the first chain's after its first look.",
    )
    step_by: StepBy = "sweep"
    sweep: Sweep = 1

    @property
    def iterations(self) -> int:
        """Sweeps of a run, or the four beats of each of a sweep's updates."""
        return SWEEPS if self.step_by == "sweep" else 4 * self.sites(self._most_hidden)

    @property
    def _most_hidden(self) -> int:
        """How many labels are sampled; of the learner's own messages, the most that there can be."""
        if self.data == "own":
            return MOST_MESSAGES
        labels = SOURCES[self.data]().labels
        return int((show_labels(labels, self._shown_of(len(labels)), self.label_seed) == HIDDEN).sum())

    def _shown_of(self, messages: int) -> int:
        return messages if self.known_labels == ALL_LABELS else self.known_labels

    def sites(self, hidden: int) -> int:
        """Return how many updates a sweep has with so many hidden labels."""
        return hidden + list(self.variant.values()).count("explicit")

    @property
    def variant(self) -> dict[str, Any]:
        """What is explicit and what is integrated out: as chosen, or as a wrong rule needs it to be wrong."""
        chosen = {"word_probs": self.word_probs, "weights": self.weights}
        return chosen if self.rule == "right" else {**chosen, **WRONG_LABEL_RULES[self.rule].where}

    def corpus(self) -> Corpus:
        """Return the messages, with their words counted and some labels shown.

        Raises
        ------
        KeyError
            For the learner's own messages, which these settings do not hold.
        ValueError
            If no word is left.
        """
        return _corpus_of_the_lessons(
            self.data, self.stop_words, self.minimum_count, self.most_words, self.known_labels, self.label_seed
        )

    def corpus_of(self, messages: Messages) -> Corpus:
        """Count the words of messages, and choose the labels to show.

        Raises
        ------
        ValueError
            If no word is left.
        """
        bag = bag_of_words(
            messages.texts,
            stop_words=self.stop_words,
            minimum_count=self.minimum_count,
            most_words=self.most_words,
        )
        number = self._shown_of(len(messages.texts))
        return Corpus(messages, bag, show_labels(messages.labels, number, self.label_seed))

    def sampler(self) -> NaiveBayes:
        """Build the sampler."""
        return self.sampler_of(self.corpus())

    def sampler_of(self, corpus: Corpus) -> NaiveBayes:
        """Build the sampler for these messages."""
        rule = NaiveBayes if self.rule == "right" else WRONG_LABEL_RULES[self.rule]
        return rule(
            corpus.bag.counts,
            self.classes_of(corpus),
            self.class_prior,
            self.word_prior,
            corpus.shown,
            **self.variant,
        )

    def classes_of(self, corpus: Corpus) -> int:
        """Return K: as many as chosen, or as the labels that are shown name."""
        return max(self.classes, int(corpus.shown.max()) + 1)

    def measure(self, state: Any) -> dict[str, int]:
        """Count messages in the first class, empty classes, and how many per cent agree with the held-back labels.

        Where no label is held back, none agrees.
        """
        agree = agreement(self.corpus(), state.labels, len(state.counts))
        return {
            "first_class": state.counts[0],
            "agree": 0 if isnan(agree) else round(100 * agree),
            "empty": state.counts.count(0),
        }

    def matters(self, name: str) -> bool:
        """Hide what does nothing: the statistic's controls beside messages, and what a wrong rule decides."""
        if name in ("statistic", "burn_in", "thin", "chains"):
            return self.layout == "statistics"
        if name == "naming":
            return self.layout == "statistics" and self.chains > 1
        if name in ("word_probs", "weights"):
            return self.rule == "right" or name not in WRONG_LABEL_RULES[self.rule].where
        return name != "label_seed" or 0 < self.known_labels < ALL_LABELS

    def chapter(self, by: int) -> Self | None:
        """Return the settings of the sweep after or before the one that is looked at update by update."""
        return other_sweep(self, by)


@lru_cache(maxsize=32)
def _corpus_of_the_lessons(
    data: str, stop_words: Any, minimum_count: int, most_words: int, known_labels: int, label_seed: int
) -> Corpus:
    words = {"stop_words": stop_words, "minimum_count": minimum_count, "most_words": most_words}
    return GibbsTextSettings(known_labels=known_labels, label_seed=label_seed, **words).corpus_of(SOURCES[data]())


def agreement(corpus: Corpus, labels: Any, classes: int) -> float:
    """Return the share of messages whose label is the one held back, NaN if none is.

    Without a shown label the classes have no names; they get those under which most agree.
    """
    table = corpus.confusion(labels, classes)
    total = int(table.sum())
    return sum(table[k, c] for k, c in enumerate(names_of(corpus, table)) if c >= 0) / total if total else float("nan")


def names_of(corpus: Corpus, table: np.ndarray) -> tuple[int, ...]:
    """Return which known class each of K sampled ones stands for, -1 for none; `table` is their confusion, (K, C)."""
    classes, known = table.shape
    if corpus.named:
        return tuple(k if k < known else HIDDEN for k in range(classes))
    from scipy.optimize import linear_sum_assignment  # here, as it takes 0.15 s to import

    rows, columns = linear_sum_assignment(table, maximize=True)
    pairs = dict(zip(rows.tolist(), columns.tolist(), strict=True))
    return tuple(pairs.get(k, HIDDEN) for k in range(classes))
