"""The scene that films and panels of the text stage are made of."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from lessons.data.corpora import Corpus
from lessons.topics.gibbs_text import GibbsTextSettings
from pages.scenes.scene import RunScene
from pages.topics.gibbs_text.charts import LIST, ROWS
from pages.topics.gibbs_text.run import TextRun
from samplers.mixtures.exact_labellings import ExactLabels
from samplers.mixtures.labels import HIDDEN

CELLS = 600  # messages that the overview has room for


@dataclass(frozen=True)
class TextScene(RunScene[GibbsTextSettings, TextRun]):
    """The parts of a film, of one to four chains."""

    corpus: Corpus  # the messages
    exact: ExactLabels | None  # the truth, where it can be listed

    def step(self, t: int) -> int:
        """Return the sweep that frame t shows; there are fewer with many messages."""
        return min(super().step(t), self.run.last)

    @property
    def classes(self) -> int:
        """K."""
        return self.run.sampler.classes

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the classes."""
        return self.corpus.class_names(self.classes)

    @property
    def letters(self) -> tuple[str, ...]:
        """A letter or a digit for each class, no two alike."""
        return letters_of(self.names)

    @property
    def document(self) -> int:
        """The open message, from 0."""
        return min(self.settings.document, self.corpus.size) - 1

    @cached_property
    def order(self) -> np.ndarray:
        """The messages in the order of their rows: where they do not fit, those with a shown label first."""
        numbers = np.arange(self.corpus.size)
        shown = self.corpus.shown != HIDDEN
        return numbers if self.corpus.size <= ROWS else np.concatenate([numbers[shown], numbers[~shown]])

    @cached_property
    def place_of(self) -> np.ndarray:
        """The place of each message in that order."""
        return np.argsort(self.order)

    @property
    def rows(self) -> np.ndarray:
        """The messages in the list with the open one."""
        return self.rows_of(self.page)

    def rows_of(self, page: int) -> np.ndarray:
        """Return the messages in a list."""
        return self.order[page * LIST : (page + 1) * LIST]

    @property
    def length(self) -> int:
        """The number of rows of a list."""
        return min(self.corpus.size, LIST)

    @cached_property
    def overview(self) -> "Overview":
        """The places of the overview's cells."""
        return overview(self.corpus)

    @property
    def page(self) -> int:
        """The list of the open message, from 0; most messages fit into one."""
        return int(self.place_of[self.document]) // LIST

    @property
    def has_held(self) -> bool:
        """Whether a label is held back."""
        return bool((self.corpus.held_back != HIDDEN).any())

    def held_letters(self) -> np.ndarray:
        """Return the letter of each message's held-back label, "" where there is none; shape (M,)."""
        letters = np.array([*letters_of(self.corpus.messages.classes), ""])
        return letters[self.corpus.held_back]


class Overview(NamedTuple):
    """Messages as cells, in blocks side by side by their label as far as it is known."""

    documents: np.ndarray  # which messages, shape (cells,)
    places: np.ndarray  # column and row of each, shape (cells, 2)
    # width, height: in cells
    width: int
    height: int
    groups: tuple[tuple[str, float, float], ...]  # headings, and where each begins


def overview(corpus: Corpus) -> Overview:
    """Lay the messages out, all or 600 evenly spread."""
    chosen = np.linspace(0, corpus.size - 1, min(corpus.size, CELLS)).round().astype(int)
    blocks = by_label(corpus.messages.labels[chosen], corpus.messages.classes)
    order = np.concatenate([members for _, members in blocks])
    found = in_blocks(chosen, blocks, max(3, round((0.36 * len(chosen)) ** 0.5)))
    groups = found.groups if len(corpus.messages.classes) > 1 else ()
    return Overview(chosen[order], found.places[order], max(found.width, 4), found.height, groups)


def by_label(labels: np.ndarray, names: Sequence[str]) -> list[tuple[str, np.ndarray]]:
    """Return the heading and the members of the block of each label that there is."""
    blocks = [(name, np.flatnonzero(labels == kind)) for kind, name in (*enumerate(names), (HIDDEN, "unknown"))]
    return [(name, members) for name, members in blocks if members.size]


def in_blocks(documents: np.ndarray, blocks: Sequence[tuple[str, np.ndarray]], rows: int) -> Overview:
    """Lay messages out in blocks, each as wide as it must be; one without members is a wider gap."""
    places, groups, left = np.zeros((len(documents), 2), int), [], 0
    for heading, members in blocks:
        place = np.arange(len(members))
        places[members] = np.column_stack([left + place // rows, place % rows])
        if members.size:
            groups.append((heading, float(left), -1.1))
        left += -(-len(members) // rows) + 1
    return Overview(documents, places, left - 1, rows, tuple(groups))


def letters_of(names: Sequence[str]) -> tuple[str, ...]:
    """Return a capital for each name, or a digit where the names begin alike or are numbered."""
    capitals = [name[-1] if name.startswith("class ") else name[:1].upper() for name in names]
    if len(set(capitals)) < len(capitals):
        return tuple(str(k + 1) for k in range(len(names)))
    return tuple(capitals)
