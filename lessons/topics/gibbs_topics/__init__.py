"""Settings of the stage of topics: a label for every word."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, ClassVar, Literal

import numpy as np

from lessons.data.messages import MOST_MESSAGES
from lessons.data.topic_texts import (
    MOST_TOKENS,
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
from lessons.settings.lineups import LineupSettings
from lessons.settings.modes import ModeSettings
from lessons.settings.written import WrittenRule, WrittenSettings
from lessons.topics.gibbs_topics.allocation import Allocation
from lessons.topics.gibbs_topics.franchise import Franchise
from lessons.topics.gibbs_topics.lineup import ImageLineup
from lessons.topics.gibbs_topics.outcomes import counts
from samplers.topics.lda import LDA

MOST_TOPICS = 20
READERS: Mapping[str, Callable[[Any], Call]] = {  # of the messages, by the data
    "two_things": lambda now: call(about_two_things, **word_choice(now)),
    "bars": lambda now: call(images_of_bars, now.documents, now.data_seed),
    "tiny": lambda _: call(twelve_words),
    "eight": lambda _: call(eight_words),
}
ON_A_TILE = 4  # images


class GibbsTopicsSettings(WrittenSettings, LineupSettings, ModeSettings, SweptSettings):
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

    modes: ClassVar[Mapping[str, Allocation]] = {
        "fixed": Allocation(),
        "learned": Franchise(),
        "lineup": ImageLineup(),
    }
    takes: ClassVar = TEXTS
    needs: ClassVar = {
        "runs": lambda own: own.walled and not own.written and not own.lined_up,
        "shown": lambda own: own.replicable,
        **dict.fromkeys(WORD_CHOICE, lambda own: own.data in ("two_things", "own")),
        **dict.fromkeys(("documents", "data_seed"), lambda own: own.data == "bars"),
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
        return self.now.ruled if self.rule == "right" else ()

    @property
    def size(self) -> int:
        """The number of words; of own messages that are gone, the largest possible one."""
        return MOST_TOKENS if self.unknown else self.texts().size

    def sites(self, labels: int) -> int:
        """Return the number of updates in a sweep over a number of words."""
        return labels + self.now.blocks(self)

    @property
    def mode(self) -> str:
        """Whether the number of topics is fixed or learned; or a lineup."""
        return "lineup" if self.lined_up else self.number

    @property
    def now(self) -> Allocation:
        return self.modes[self.mode]

    @property
    def replicable(self) -> bool:
        """Whether the model draws replicates that a tile has room for: images, by a fixed number of topics."""
        return self.data == "bars" and self.number == "fixed" and self.rule == "right" and not self.written

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
        return READERS[self.data](self)

    def lacking(self) -> str:
        """Say so if no word is left."""
        try:
            self.texts()
        except ValueError as error:
            return f"Nothing to sample: {error}."
        return super().lacking()

    def observed(self) -> np.ndarray:
        """Return the number of words in each pixel of the first images, shape (images, V)."""
        texts = self.texts()
        return pixels([np.array(document) for document in texts.documents], len(texts.words))

    def replicate(self, sampler: LDA, state: Any, seed: tuple[int, int]) -> np.ndarray:
        """Draw new words for all images from the topics of a state; return the first ones, shape (images, V)."""
        rng = np.random.default_rng((*seed, len(sampler.documents)))
        return pixels(sampler.replicate(state, rng), sampler.vocabulary)

    def law(self, outcome: str, t: int) -> Law | None:
        """Return the posterior of the largest topic's size, of mixed messages or of topics, where it is known."""
        if not self.listed or outcome not in self.lawful:
            return None
        texts = self.texts()
        exact = self.now.exact(self, texts)
        return None if exact is None else counted(LATER, exact.distribution(counts(texts, exact.labellings)[outcome]))


def pixels(documents: Sequence[np.ndarray], vocabulary: int) -> np.ndarray:
    """Return how often the first documents have each word, shape (documents, V): as many as a tile has room for."""
    return np.array([np.bincount(words, minlength=vocabulary) for words in documents[:ON_A_TILE]])


DATA = ("documents", "data_seed", *WORD_CHOICE)  # the settings of the messages


@lru_cache(maxsize=16)
def _texts(settings: str) -> TopicTexts:
    return GibbsTopicsSettings.model_validate_json(settings).reading().made()
