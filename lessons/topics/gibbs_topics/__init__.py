"""Settings of the stage of topics: a label for every word."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, ClassVar, Literal

import numpy as np

from lessons.data.messages import MOST_MESSAGES
from lessons.data.topic_texts import (
    MOST_TOKENS,
    UNKNOWN,
    TopicTexts,
    about_two_things,
    eight_words,
    images_of_bars,
    texts_as_words,
    twelve_words,
)
from lessons.own.messages import TEXTS
from lessons.settings.calls import Call, Origins, call
from lessons.settings.fields import (
    ON_A_WALL,
    WORD_CHOICE,
    OwnDigest,
    StepBy,
    Sweep,
    SweptSettings,
    choice,
    one_or_many,
    quantity,
    word_choice,
)
from lessons.settings.law import LATER, Law, counted
from lessons.settings.lineups import STEPS, LineupSettings
from lessons.settings.written import WrittenRule, WrittenSettings
from samplers import Chain
from samplers.partitions import MOST_POINTS
from samplers.topics.exact import MOST_LABELLINGS, ExactTopics, exact_hdp, exact_lda
from samplers.topics.hdp import HDP
from samplers.topics.lda import LDA
from samplers.topics.wrong import WRONG_BASE_RULES, WRONG_TOPIC_RULES

MOST_TOPICS = 20
ON_A_TILE = 6  # images
UPDATES = 740_000  # of all chains of a wall: about four seconds before the wall appears
OVERLAP = 0.6  # a topic is a bar if it shares this much of its probability with it


class GibbsTopicsSettings(WrittenSettings, LineupSettings, SweptSettings):
    """Messages whose words each have a topic of their own: the topics are redrawn, word by word.

    A chapter is one sweep, looked at update by update, or the whole run, sweep by sweep. In a lineup, a tile has the
    first images of bars, or as many that the model draws.
    """

    of_chain: ClassVar = {"runs": "one", "step_by": "sweep"}
    wall = 12
    lawful = ("largest", "mixed", "used")
    charts = ("documents", "topics", "triangle", "stick", "hand", "number", "trace", "lineup")
    marks = ("message-N", "image-N", "topic-N", "word-N", "count-N", "tile-N")
    picks: ClassVar = {
        "documents": ("n",),
        "topics": ("k",),
        "triangle": ("doc",),
        "hand": ("k",),
        "lineup": ("number",),
    }

    takes: ClassVar = TEXTS
    needs: ClassVar = {
        "runs": lambda own: own.walled and not own.written and not own.lined_up,
        "shown": lambda own: own.replicable,
        **dict.fromkeys(WORD_CHOICE, lambda own: own.data in ("two_things", "own")),
        **dict.fromkeys(("documents", "data_seed"), lambda own: own.data == "bars"),
        **dict.fromkeys(("topics", "topic_prior", "rule"), lambda own: not own.hdp),
        **dict.fromkeys(("concentration", "top_concentration", "base_rule"), lambda own: own.hdp),
    }

    data: Literal["two_things", "bars", "tiny", "eight", "own"] = choice("two_things")
    own: OwnDigest = ""
    number: Literal["fixed", "learned"] = choice("fixed")
    topics: int = quantity(3, (1, MOST_TOPICS, 1))
    topic_prior: float = quantity(0.3, (0.01, 5, 0.01))
    concentration: float = quantity(1.0, (0.1, 10, 0.1))
    top_concentration: float = quantity(1.0, (0.1, 10, 0.1))
    word_prior: float = quantity(0.1, (0.01, 5, 0.01))
    learning: Literal["fixed", "learned"] = choice("fixed")
    rule: Literal["right", "document count left in", "word count left in", "one beta below"] = choice("right")
    base_rule: Literal["right", "tables counted as customers"] = choice("right")
    documents: int = quantity(100, (10, 200, 10))
    data_seed: int = quantity(0, (0, 999, 1), control=False)
    stop_words: Literal["dropped", "kept"] = choice("dropped")
    minimum_count: int = quantity(1, (1, 20, 1))
    most_words: int = quantity(1_000, (10, 5_000, 10))
    message: int = quantity(1, (1, MOST_MESSAGES, 1), look=True, control=False)
    word: int = quantity(1, (1, MOST_TOKENS, 1), look=True, control=False)
    step_by: StepBy = "sweep"
    sweep: Sweep = 1
    runs: Literal["one", "agree", "largest", "mixed", "used"] = one_or_many()
    shown: Literal["run", "lineup"] = choice("run", look=True)
    written: WrittenRule = ""

    @property
    def ruled(self) -> tuple[str, ...]:
        """The rule of a word's topic, for a fixed number of topics."""
        return ("lda-word",) if not self.hdp and self.rule == "right" else ()

    @property
    def iterations(self) -> int:
        """As of all stages with sweeps; a wall has more updates, as each of them takes less time here.

        In a lineup, two for each round.
        """
        if self.lined_up:
            return STEPS
        return min(ON_A_WALL, max(5, UPDATES // (self.wall * self.size))) if self.many else super().iterations

    @property
    def size(self) -> int:
        """The number of words; of own messages that are gone, the largest possible one."""
        return MOST_TOKENS if self.unknown else self.texts().size

    def sites(self, labels: int) -> int:
        """Return the number of updates in a sweep over a number of words."""
        return labels + self.hdp + (2 + self.hdp) * self.learns

    @property
    def mode(self) -> str:
        """Whether the number of topics is fixed or learned; or a lineup."""
        return "lineup" if self.lined_up else self.number

    @property
    def replicable(self) -> bool:
        """Whether the model draws replicates that a tile has room for: images, by a fixed number of topics."""
        return self.data == "bars" and not self.hdp and self.rule == "right" and not self.written

    @property
    def hdp(self) -> bool:
        """Whether the number of topics is learned."""
        return self.number == "learned"

    @property
    def learns(self) -> bool:
        """Whether α, β and γ are redrawn."""
        return self.learning == "learned"

    @property
    def listed(self) -> bool:
        """Whether the words are so few that their posterior can be listed."""
        return self.data in ("tiny", "eight")

    def texts(self) -> TopicTexts:
        """Return the words of the messages, of somebody's own as well; see `its_own` for what else this raises.

        Raises
        ------
        ValueError
            If no word is left.
        """
        if self.mine:
            return self.made_of_own(lambda own: texts_as_words(own.texts, **word_choice(self)), *WORD_CHOICE)
        return _texts(self.model_dump_json(include={"data", *DATA}))

    def origins(self) -> Origins:
        """Return the call that reads or makes the messages; none for somebody's own."""
        return {} if self.mine else {"texts": self.reading()}

    def reading(self) -> Call:
        """Return the call that reads or makes the messages, unless they are somebody's own."""
        if self.data == "bars":
            return call(images_of_bars, self.documents, self.data_seed)
        if self.data == "tiny":
            return call(twelve_words)
        if self.data == "eight":
            return call(eight_words)
        return call(about_two_things, **word_choice(self))

    def lacking(self) -> str:
        """Say so if no word is left."""
        try:
            self.texts()
        except ValueError as error:
            return f"Nothing to sample: {error}."
        return super().lacking()

    def sampler(self) -> Any:
        return self.sampler_of(self.texts())

    def sampler_of(self, texts: TopicTexts) -> Any:
        """Build the sampler for these words."""
        words = texts.documents, len(texts.words)
        if self.hdp:
            kind = WRONG_BASE_RULES.get(self.base_rule, HDP)
            return kind(*words, self.concentration, self.top_concentration, self.word_prior, learned=self.learns)
        rule = WRONG_TOPIC_RULES.get(self.rule, LDA)
        return self.by_rule(rule(*words, self.topics, self.topic_prior, self.word_prior, learned=self.learns))

    def observed(self) -> np.ndarray:
        """Return the number of words in each pixel of the first images, shape (images, V)."""
        texts = self.texts()
        return pixels([np.array(document) for document in texts.documents], len(texts.words))

    def replicate(self, sampler: LDA, state: Any, seed: tuple[int, int]) -> np.ndarray:
        """Draw new words for all images from the topics of a state; return the first ones, shape (images, V)."""
        rng = np.random.default_rng((*seed, len(sampler.documents)))
        return pixels(sampler.replicate(state, rng), sampler.vocabulary)

    def measure(self, chain: Chain[Any], t: int) -> dict[str, float]:
        """Count words and messages, and compare topics with the truth; in a lineup, of its round before sweep 1."""
        tile = self.tile(chain.seed, t)
        if tile:
            own, seed = self.of_round(chain.seed, t)
            chain, t = Chain(own.sampler(), seed), 0
        return {**measured(self.texts(), chain[t].assignments), "tile": tile}

    def exact(self, texts: TopicTexts) -> ExactTopics | None:
        """Return the posterior of every labelling, or of every partition into topics, where it can be listed."""
        words = texts.documents, len(texts.words)
        if self.hdp:
            few = texts.size <= MOST_POINTS and not self.learns
            model = self.concentration, self.top_concentration, self.word_prior
            return exact_hdp(*words, *model) if few else None
        if self.learns or self.topics**texts.size > MOST_LABELLINGS:
            return None
        return exact_lda(*words, self.topics, self.topic_prior, self.word_prior)

    def law(self, outcome: str, t: int) -> Law | None:
        """Return the posterior of the largest topic's size, of mixed messages or of topics, where it is known."""
        if not self.listed or outcome not in self.lawful:
            return None
        texts = self.texts()
        exact = self.exact(texts)
        return None if exact is None else counted(LATER, exact.distribution(counts(texts, exact.labellings)[outcome]))


def pixels(documents: Sequence[np.ndarray], vocabulary: int) -> np.ndarray:
    """Return how often the first documents have each word, shape (documents, V): as many as a tile has room for."""
    return np.array([np.bincount(words, minlength=vocabulary) for words in documents[:ON_A_TILE]])


DATA = ("documents", "data_seed", *WORD_CHOICE)  # the settings of the messages


@lru_cache(maxsize=16)
def _texts(settings: str) -> TopicTexts:
    return GibbsTopicsSettings.model_validate_json(settings).reading().made()


def counts(texts: TopicTexts, labellings: np.ndarray) -> dict[str, np.ndarray]:
    """Return the words of the largest topic, the messages with more than one topic, and the topics, of each labelling.

    Parameters
    ----------
    texts : TopicTexts
        The words.
    labellings : numpy.ndarray
        Topic of each word, shape (labellings, N).
    """
    has = labellings[:, :, None] == np.arange(labellings.max() + 1)
    filled = [len(document) > 0 for document in texts.documents]
    starts = np.searchsorted(texts.document, np.flatnonzero(filled))
    parts = np.add.reduceat(has, starts, axis=1) > 0
    return {
        "largest": has.sum(axis=1).max(axis=1),
        "mixed": (parts.sum(axis=2) > 1).sum(axis=1),
        "used": has.any(axis=1).sum(axis=1),
    }


def measured(texts: TopicTexts, labels: np.ndarray) -> dict[str, float]:
    """Return the outcomes of a labelling; see `GibbsTopicsSettings.measured`."""
    found = {name: int(values[0]) for name, values in counts(texts, labels[None]).items()}
    return {**found, "agree": round(100 * agreement(texts, labels)), "bars": bars_found(texts, labels)}


def agreement(texts: TopicTexts, labels: np.ndarray) -> float:
    """Return the share of words whose topic matches their theme, under the best naming; 0 if no theme is known."""
    known = texts.themes != UNKNOWN
    if not known.any():
        return 0.0
    from scipy.optimize import linear_sum_assignment  # here, as it takes 0.15 s to import

    table = np.zeros((int(labels.max()) + 1, len(texts.names)), int)
    np.add.at(table, (labels[known], texts.themes[known]), 1)
    matched = linear_sum_assignment(table, maximize=True)
    return float(table[matched].sum() / known.sum())


def bars_found(texts: TopicTexts, labels: np.ndarray) -> int:
    """Return how many of the true bars are near to a topic: at least 60 % of its words would come from the bar."""
    if not texts.side or texts.truth is None:
        return 0
    shares = np.zeros((int(labels.max()) + 1, len(texts.words)))
    np.add.at(shares, (labels, texts.word), 1)
    shares /= np.maximum(shares.sum(axis=1, keepdims=True), 1)
    overlap = np.minimum(shares[:, None], texts.truth).sum(axis=2)
    return int((overlap.max(axis=0) >= OVERLAP).sum())
