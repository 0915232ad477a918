"""A scene of binary features or of sparse factors: what both models show, and where each shows something of its own."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from lessons.own.rows import Rows
from lessons.topics.ibp_features import IBPFeaturesSettings
from pages.contract.charts import Chart
from pages.contract.columns import Columns, Data
from pages.contract.film import Film
from pages.drawing.cards import badge, pointing
from pages.scenes.scene import RunScene
from pages.topics.ibp_features.run import FeaturesRun
from samplers.buffet.exact_features import ExactFeatures
from samplers.buffet.loadings import Parts
from samplers.buffet.number_of_factors import NumberOfFactors


@dataclass(frozen=True)
class Words:
    """The words for the parts of a model."""

    # one, many: a feature, or a factor
    one: str
    many: str
    # bit, own: what one update redraws of a row, and its last one
    bit: str
    own: str
    blocks: Mapping[str, str]  # the other sites of a sweep, with their words
    # title, each: of the parts that were found, and how much of each a row has
    title: str
    each: str
    posterior: str  # of their number, where it is known


@dataclass(frozen=True)
class FeaturesScene(RunScene[IBPFeaturesSettings, FeaturesRun], ABC):
    """The parts of a film.

    Attributes
    ----------
    words : Words
        What the model calls its parts.
    cells, said : dict
        Fields of the matrix's cells, and of the captions, that only this model has.
    """

    words: ClassVar[Words]
    cells: ClassVar[dict[str, Any]] = {}
    said: ClassVar[dict[str, Any]] = {}

    rows: Rows  # the data
    exact: ExactFeatures | None  # the truth, where it can be listed
    estimate: NumberOfFactors | None  # how probable each number of sparse factors is, for few rows
    # of the whole run, once it has been made
    films: dict[str, Film] = field(default_factory=dict, repr=False, compare=False)

    @abstractmethod
    def pictured(self) -> list[Chart]:
        """Return the charts of the rows and of what each has."""

    def histograms(self) -> list[Chart]:
        """Return the charts beside the number of features; by default none."""
        return []

    def sets(self) -> Data:
        """Return the data sets of these charts."""
        return {}

    def of_pictures(self, parts: Mapping[str, np.ndarray]) -> Columns:
        """Return the columns of `cells` and `said` from the parts of pictures, each with one row a frame."""
        return {}

    def so_far(self, start: int, stop: int) -> Columns:
        """Return the columns of `sets` after the sweeps from `start` and below `stop`."""
        return {}

    @abstractmethod
    def summands(self, parts: Parts) -> list[int]:
        """Return the names, in order, of what can be in the sum of the chosen row."""

    @abstractmethod
    def term(self, name: int, amount: float) -> str:
        """Return the text of an amount of a feature in a sum, as HTML."""

    @property
    def number(self) -> np.ndarray | None:
        """The posterior of the number of features or factors, where it is known."""
        if self.estimate is not None:
            return self.estimate.shares
        return None if self.exact is None else self.exact.feature_counts

    @property
    def named(self) -> bool:
        """Whether the matrix has a name beside each row."""
        return bool(self.rows.columns) or len(self.rows.data) <= 12

    @property
    def row(self) -> int:
        """The row that the cards describe, from 0."""
        return min(self.settings.row, len(self.rows.data)) - 1

    @cached_property
    def reach(self) -> float:
        """The number that has the full colour."""
        return float(np.quantile(np.abs(self.rows.data), 0.98)) or 1.0


# ---- names on the cards, which light their marks on the charts -------------------------------------------------------


def feature_name(name: int) -> str:
    """Return the badge of a feature or factor."""
    return pointing(f"feature-{name + 1}", badge(str(name + 1), name))


def row_name(scene: FeaturesScene, row: int) -> str:
    """Return the name of a row."""
    return pointing(f"row-{row + 1}", f"{scene.rows.one.capitalize()} {scene.rows.names[row]}")
