"""Settings of the stage of spam without labels."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import isnan
from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import Field

from lessons.data.corpora import Corpus, long_messages, show_labels, swap_words
from lessons.data.held_apart import FEWEST, can_test
from lessons.data.messages import MOST_MESSAGES, Messages, six_messages, toy_messages
from lessons.data.words import BagOfWords, bag_of_words
from lessons.own.messages import WITH_LABELS
from lessons.settings.calls import Call, Origins, call
from lessons.settings.fields import (
    SWEEPS,
    OwnDigest,
    StepBy,
    Sweep,
    SweptSettings,
    choice,
    one_or_many,
    quantity,
    word_choice,
)
from lessons.settings.written import WrittenRule, WrittenSettings
from samplers import Chain
from samplers.mixtures.labels import HIDDEN
from samplers.mixtures.naive_bayes import NaiveBayes
from samplers.mixtures.wrong import WRONG_LABEL_RULES

ALL_LABELS = 300  # this many known labels stand for all of them
RULED: Mapping[tuple[str, str], tuple[str, ...]] = {  # by word probabilities and weights
    ("explicit", "explicit"): ("pi-explicit",),
    ("explicit", "collapsed"): ("pi-integrated", "naive-bayes-logs"),
    ("collapsed", "collapsed"): ("naive-bayes-collapsed",),
}
SOURCES = {"six_messages": six_messages, "toy_corpus": toy_messages, "long_messages": long_messages}


class GibbsTextSettings(WrittenSettings, SweptSettings):
    """Messages as bags of words, each of one class: labels and word probabilities drawn in turn, again and again.

    A chapter is one sweep, looked at update by update, or the whole run, sweep by sweep.
    """

    wall = 12
    marks = ("message-N", "class-N")
    picks: ClassVar = {
        "rows": ("row", "doc"),
        "words": ("word",),
        **dict.fromkeys(("all", "supervised", "half", "unlabelled"), ("row",)),
    }
    charts = ("rows", "words", "all", "trace", "running", "lags", "kept", "loss", "supervised", "half", "unlabelled")

    takes: ClassVar = WITH_LABELS
    needs: ClassVar = {
        "runs": lambda own: own.walled and own.layout == "documents" and not own.written,
        **dict.fromkeys(("statistic", "burn_in", "thin", "chains"), lambda own: own.layout == "statistics"),
        "naming": lambda own: own.layout == "statistics" and own.chains > 1,
        **dict.fromkeys(("test_messages", "test_set"), lambda own: own.layout == "three_times"),
        **dict.fromkeys(("known_labels", "classes"), lambda own: own.layout != "three_times"),
        "word_probs": lambda own: "word_probs" not in own._decided,
        "weights": lambda own: "weights" not in own._decided,
        "class_prior": lambda own: bool(own.variant["weights"] != "equal"),
        **dict.fromkeys(("label_choice", "start"), lambda own: own.some_labels),
        "label_seed": lambda own: own.some_labels or own.layout == "three_times",  # it chooses the test set
    }

    data: Literal["six_messages", "toy_corpus", "long_messages", "own"] = choice("toy_corpus")
    own: OwnDigest = ""
    layout: Literal["documents", "statistics", "three_times"] = choice("documents", look=True)
    test_messages: int = quantity(60, (2, 100, 2), look=True)
    test_set: Literal["apart", "read", "told"] = choice("apart", look=True)
    known_labels: int = quantity(0, (0, ALL_LABELS, 1))
    label_seed: int = quantity(0, (0, 99, 1), typed=True)
    label_choice: Literal["in turn", "at random"] = choice("in turn")
    classes: int = quantity(2, (2, 4, 1))
    class_prior: float = quantity(1.0, (0.1, 20, 0.1))
    word_prior: float = quantity(1.0, (0.01, 5, 0.01))
    word_probs: Literal["explicit", "collapsed"] = choice("explicit")
    weights: Literal["collapsed", "explicit", "equal"] = choice("collapsed")
    start: Literal["random", "shown"] = choice("random")
    rule: Literal[
        "right",
        "one too few",
        "no logarithms",
        "weights drawn once",
        "repeated words as powers",
        "word probabilities a sweep late",
    ] = choice("right")
    stop_words: Literal["dropped", "kept"] = choice("dropped")
    swap: Literal["none", "same class", "other class"] = choice("none")
    minimum_count: int = quantity(1, (1, 20, 1))
    most_words: int = quantity(1_000, (10, 8_000, 10))
    document: int = quantity(1, (1, MOST_MESSAGES, 1), look=True)
    message: str = Field(
        default="Call now, win a free prize tonight!",
        pattern=r"^[^\x00-\x1f\x7f]{0,100}$",
        json_schema_extra={"look": True, "control": False, "called": "text in one line of at most 100 characters"},
    )
    made: int = quantity(0, (0, 99, 1), look=True, control=False)
    word: int = quantity(1, (1, 8_000, 1), look=True, control=False)
    hand_class: int = quantity(1, (1, 8, 1), look=True, control=False)
    by_hand: int = quantity(0, (0, 50, 1), look=True, control=False)
    statistic: Literal["share_of_first_class", "open_message", "log_joint"] = choice("share_of_first_class", look=True)
    chains: int = quantity(1, (1, 4, 1), look=True)
    burn_in: int = quantity(20, (0, SWEEPS, 1), look=True)
    thin: int = quantity(1, (1, 50, 1), look=True)
    naming: Literal["as_drawn", "matched"] = choice("as_drawn", look=True)
    step_by: StepBy = "sweep"
    sweep: Sweep = 1
    runs: Literal["one", "agree", "first_class"] = one_or_many()
    written: WrittenRule = ""

    @property
    def ruled(self) -> tuple[str, ...]:
        """The rules of a document's class, by what is integrated out."""
        plain = self.rule == "right" and self.layout == "documents"
        return RULED.get((self.word_probs, self.weights), ()) if plain else ()

    @property
    def mode(self) -> str:
        """The layout, or an opened sweep."""
        return self.layout if self.opened is None else "opened"

    @property
    def size(self) -> int:
        """The number of labels drawn in a sweep; of own messages that are gone, the largest possible one."""
        if self.unknown:
            return MOST_MESSAGES
        labels = self.messages().labels
        return int((self._shown(labels).made() == HIDDEN).sum())

    def messages(self) -> Messages:
        """Return the messages, of the lessons or somebody's own; see `its_own` for what this raises."""
        found: Messages = self.its_own() if self.mine else SOURCES[self.data]()
        return found

    def _shown(self, labels: np.ndarray) -> Call:
        """Return the call that chooses the labels to show."""
        turns = {} if self.label_choice == "in turn" else {"in_turn": False}
        return call(show_labels, labels, self._shown_of(len(labels)), self.label_seed, **turns)

    def _shown_of(self, messages: int) -> int:
        return messages if self.known_labels == ALL_LABELS else self.known_labels

    def sites(self, labels: int) -> int:
        return labels + list(self.variant.values()).count("explicit")

    @property
    def variant(self) -> dict[str, Any]:
        """The blocks that are sampled explicitly: as chosen, or those in which a wrong rule shows."""
        return {"word_probs": self.word_probs, "weights": self.weights, **self._decided}

    @property
    def _decided(self) -> Mapping[str, str]:
        """The blocks in which a wrong rule shows."""
        wrong = WRONG_LABEL_RULES.get(self.rule)
        return wrong.where if wrong else {}

    def corpus(self) -> Corpus:
        """Return the messages, with their words counted and some labels shown; see `messages`.

        Raises
        ------
        ValueError
            If no word is left.
        """
        if self.mine:
            return self.made_of_own(self.corpus_of, *OF_THE_CORPUS)
        return _corpus_of_the_lessons(
            self.data,
            self.swap,
            self.stop_words,
            self.minimum_count,
            self.most_words,
            self.known_labels,
            self.label_seed,
            self.label_choice,
        )

    def corpus_of(self, messages: Messages) -> Corpus:
        """Count the words of messages, two of which may be swapped, and choose the labels to show.

        Raises
        ------
        ValueError
            If no word is left.
        """
        swapping = self._swapped(messages)
        if "swapped" in swapping:
            messages = swapping["swapped"].made()
        counted = self._counted(messages)
        return Corpus(messages, counted["bag"].made(), counted["labels"].made())

    def origins(self) -> Origins:
        """Return the calls that read the messages, count their words and choose the labels to show."""
        if self.mine:
            return {}
        reading = call(SOURCES[self.data])
        messages = reading.made()
        swapping = self._swapped(messages)
        if "swapped" in swapping:
            messages = swapping["swapped"].made()
        return {"messages": reading, **swapping, **self._counted(messages)}

    def _swapped(self, messages: Messages) -> Origins:
        if self.swap == "none":
            return {}
        read = call(bag_of_words, messages.texts, **word_choice(self))
        return {"read": read, "swapped": call(swap_words, messages, read.made(), within=self.swap == "same class")}

    def _counted(self, messages: Messages) -> Origins:
        return {
            "bag": call(bag_of_words, messages.texts, **word_choice(self)),
            "labels": self._shown(messages.labels),
        }

    def lacking(self) -> str:
        """Say so if no word or no hidden label is left, or no message to test on."""
        try:
            corpus = self.corpus()
        except ValueError as error:
            return f"Nothing to sample: {error}."
        if not self.sites(len(corpus.hidden)):
            return (
                "Nothing to sample: all labels are shown, and everything else is integrated out. Show fewer labels, or "
                "keep the word probabilities explicit."
            )
        if self.rule == "one too few" and corpus.size == 1:
            return "Nothing to sample: one fewer than one message is none, and every class would weigh 0."
        if self.layout == "three_times" and not can_test(corpus.messages):
            return f"Nothing to test on: at least {FEWEST} messages with labels of two classes are needed."
        return super().lacking()

    def bag_of(self, texts: Sequence[str]) -> BagOfWords:
        """Count the words of texts.

        Raises
        ------
        ValueError
            If no word is left.
        """
        return bag_of_words(texts, **word_choice(self))

    def sampler(self) -> Any:
        return self.sampler_of(self.corpus())

    def sampler_of(self, corpus: Corpus) -> Any:
        """Build the sampler for these messages."""
        rule = WRONG_LABEL_RULES.get(self.rule, NaiveBayes)
        sampler = rule(
            corpus.bag.counts,
            self.classes_of(corpus),
            self.class_prior,
            self.word_prior,
            corpus.shown,
            start=self.start if corpus.named else "random",
            **self.variant,
        )
        return self.by_rule(sampler)

    def classes_of(self, corpus: Corpus) -> int:
        """Return K: as many as chosen, or as the labels that are shown name."""
        return max(self.classes, int(corpus.shown.max()) + 1)

    def measure(self, chain: Chain[Any], t: int) -> dict[str, int]:
        """Count messages in the first class, empty classes, and the per cent that agree with the hidden true labels.

        Where no label is hidden, none agrees.
        """
        state = chain[t]
        agree = agreement(self.corpus(), state.labels, len(state.counts))
        return {
            "first_class": state.counts[0],
            "agree": 0 if isnan(agree) else round(100 * agree),
            "empty": state.counts.count(0),
        }

    @property
    def some_labels(self) -> bool:
        """Whether some labels are shown, but not all."""
        return 0 < self.known_labels < ALL_LABELS


OF_THE_CORPUS = (
    "data",
    "own",
    "swap",
    "stop_words",
    "minimum_count",
    "most_words",
    "known_labels",
    "label_seed",
    "label_choice",
)


@lru_cache(maxsize=32)
def _corpus_of_the_lessons(
    data: str,
    swap: Any,
    stop_words: Any,
    minimum_count: int,
    most_words: int,
    known_labels: int,
    label_seed: int,
    label_choice: Any,
) -> Corpus:
    words = {"swap": swap, "stop_words": stop_words, "minimum_count": minimum_count, "most_words": most_words}
    shown = {"known_labels": known_labels, "label_seed": label_seed, "label_choice": label_choice}
    return GibbsTextSettings(**shown, **words).corpus_of(SOURCES[data]())


def agreement(corpus: Corpus, labels: Any, classes: int) -> float:
    """Return the share of messages whose label is the one held back, NaN if none is.

    Without a shown label the classes have no names; they get those under which most agree.
    """
    table = corpus.confusion(labels, classes)
    total = int(table.sum())
    return sum(table[k, c] for k, c in enumerate(names_of(corpus, table)) if c >= 0) / total if total else float("nan")


def names_of(corpus: Corpus, table: np.ndarray) -> tuple[int, ...]:
    """Return the known class that matches each of K sampled ones, -1 for none; `table` is their confusion, (K, C)."""
    classes, known = table.shape
    if corpus.named:
        return tuple(k if k < known else HIDDEN for k in range(classes))
    from scipy.optimize import linear_sum_assignment  # here, as it takes 0.15 s to import

    rows, columns = linear_sum_assignment(table, maximize=True)
    pairs = dict(zip(rows.tolist(), columns.tolist(), strict=True))
    return tuple(pairs.get(k, HIDDEN) for k in range(classes))
