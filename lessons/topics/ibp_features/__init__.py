"""Settings of the stage of binary features: images, or any rows of numbers, as sums of hidden features."""

from collections.abc import Callable, Mapping
from typing import ClassVar, Literal

import numpy as np

from lessons.own.rows import IN_ROWS
from lessons.settings.calls import Call, call
from lessons.settings.fields import OwnDigest, StepBy, Sweep, SweptSettings, choice, quantity
from lessons.settings.modes import ModeSettings
from lessons.settings.written import WrittenRule, WrittenSettings
from lessons.topics.ibp_features.bits import Bits, RowsMode
from lessons.topics.ibp_features.sparse import SparseFactors
from samplers.buffet.linear_gaussian import FeatureState, LinearGaussian
from samplers.data.features import MOST_ROWS, FeatureData, images, scores, tiny

MOST_UPDATES = 31  # of a row in a sweep: shared features and its own
LISTED = 16  # features that can be switched off by hand
DRAWN: dict[str, Callable[["IBPFeaturesSettings"], Call]] = {
    "images": lambda own: call(images, own.rows, own.data_seed),
    "scores": lambda own: call(scores, own.data_seed),
    "tiny": lambda own: call(tiny),
}


class IBPFeaturesSettings(ModeSettings, WrittenSettings, SweptSettings):
    """Rows of numbers, as sums of hidden features: which row has which, and how many features there are.

    With sparse factors, a row has a real amount of each factor, its loading, which is often exactly 0.

    A chapter is one sweep, looked at update by update, or the whole run, sweep by sweep. A feature is shared if another
    row has it too; the features that only one row has are its own.
    """

    lawful = ("features",)
    charts = ("pictures", "matrix", "number", "loadings", "features", "noise")
    marks = ("row-N", "feature-N", "count-N")
    picks: ClassVar = {"pictures": ("n", "k"), "matrix": ("n", "k"), "number": ("k",)}

    modes: ClassVar[Mapping[str, RowsMode]] = {"bits": Bits(), "sparse": SparseFactors()}
    takes: ClassVar = IN_ROWS
    needs: ClassVar = {
        "rows": lambda own: own.data == "images",
        "data_seed": lambda own: own.data in ("images", "scores"),
    }

    data: Literal["images", "scores", "tiny", "own"] = choice("images")
    model: Literal["bits", "sparse"] = choice("bits")
    rows: int = quantity(40, (3, MOST_ROWS, 1))
    data_seed: int = quantity(1, (0, 999, 1), control=False)
    own: OwnDigest = ""
    noise: float = quantity(0.4, (0.05, 3, 0.05))
    concentration: float = quantity(1.0, (0.05, 10, 0.05))
    spread: float = quantity(0.5, (0.1, 5, 0.1))
    redrawn: Literal["nothing", "variances", "concentration", "all"] = choice("nothing")
    start: Literal["empty", "prior"] = choice("empty")
    rule: Literal["right", "own features dropped", "new features for every row"] = choice("right")
    order: Literal["names", "left"] = choice("names", look=True)
    step_by: StepBy = "sweep"
    sweep: Sweep = 1
    row: int = quantity(1, (1, MOST_ROWS, 1), look=True, control=False)
    turned: int = quantity(0, (0, 2**LISTED - 1, 1), look=True, control=False)

    angle: int = quantity(0, (0, 90, 5), look=True, control=False)
    written: WrittenRule = ""

    @property
    def mode(self) -> str:
        """The model."""
        return self.model

    @property
    def now(self) -> RowsMode:
        return self.modes[self.mode]

    @property
    def ruled(self) -> tuple[str, ...]:
        """The rule of a shared bit."""
        return self.now.ruled if self.rule == "right" else ()

    @property
    def size(self) -> int:
        """The number of rows; of own data that are gone, the largest possible one."""
        return MOST_ROWS if self.unknown else len(self.data_rows())

    def sites(self, labels: int) -> int:
        """Return the largest number of updates in a sweep over a number of rows."""
        return MOST_UPDATES * labels + 2

    def dataset(self) -> FeatureData:
        """Draw the data, unless they are somebody's own."""
        return self.drawing().made()

    def data_rows(self) -> np.ndarray:
        """Return the rows, drawn or somebody's own, shape (N, D); see `its_own` for what this raises."""
        data: np.ndarray = (self.its_own() if self.mine else self.dataset()).data
        return data

    def drawing(self) -> Call:
        """Return the call that draws the data, unless they are somebody's own."""
        return DRAWN[self.data](self)

    def redraws(self, what: str) -> bool:
        """Return whether a sweep redraws the ``"variances"``, or the ``"concentration"``."""
        return self.matters("redrawn") and self.redrawn in (what, "all")

    def replicate(self, sampler: LinearGaussian, state: FeatureState, seed: tuple[int, int]) -> np.ndarray:
        """Draw rows with the features of a state, shape (N, D), by bits: new loadings and new noise."""
        return sampler.replicate(state, np.random.default_rng((*seed, len(sampler.data))))
