"""Settings of the stage of binary features: images, or any rows of numbers, as sums of hidden features."""

from typing import Any, ClassVar, Literal

import numpy as np

from lessons.own.rows import IN_ROWS
from lessons.settings.calls import Call, Origins, call
from lessons.settings.fields import OwnDigest, StepBy, Sweep, SweptSettings, choice, quantity
from lessons.settings.law import LATER, Law, counted
from lessons.settings.written import WrittenRule, WrittenSettings
from samplers import Chain
from samplers.buffet.exact_features import ExactFeatures, exact_features
from samplers.buffet.linear_gaussian import FeatureState, LinearGaussian
from samplers.buffet.number_of_factors import NumberOfFactors, number_of_factors
from samplers.buffet.spike_slab import SpikeAndSlab
from samplers.buffet.wrong import WRONG_FEATURE_RULES
from samplers.data.features import MOST_ROWS, FeatureData, images, scores, tiny

LISTED_ROWS, LISTED_FEATURES = 3, 8  # up to this many, all 6,435 classes of matrices are listed
MOST_UPDATES = 31  # of a row in a sweep: shared features and its own
LISTED = 16  # features that can be switched off by hand
CONCENTRATION_PRIOR = (1.0, 1.0)  # shape and rate
VARIANCE_PRIOR = (2.0, 0.5)  # shape and scale of an inverse-gamma distribution: the variance is 1/2 on average


class IBPFeaturesSettings(WrittenSettings, SweptSettings):
    """Rows of numbers, as sums of hidden features: which row has which, and how many features there are.

    With sparse factors, a row has a real amount of each factor, its loading, which is often exactly 0.

    A chapter is one sweep, looked at update by update, or the whole run, sweep by sweep. A feature is shared if another
    row has it too; the features that only one row has are its own.
    """

    lawful = ("features",)
    charts = ("pictures", "matrix", "number", "loadings", "features", "noise")
    marks = ("row-N", "feature-N", "count-N")
    picks: ClassVar = {"pictures": ("n", "k"), "matrix": ("n", "k"), "number": ("k",)}

    takes: ClassVar = IN_ROWS

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
    def ruled(self) -> tuple[str, ...]:
        """The rule of a shared bit."""
        return ("ibp-bit",) if self.model == "bits" and self.rule == "right" else ()

    @property
    def size(self) -> int:
        """The number of rows; of own data that are gone, the largest possible one."""
        return MOST_ROWS if self.unknown else len(self.data_rows())

    def sites(self, labels: int) -> int:
        """Return the largest number of updates in a sweep over a number of rows."""
        return MOST_UPDATES * labels + 2

    def dataset(self) -> FeatureData:
        """Draw the data, unless they are somebody's own."""
        return self._drawing().made()

    def data_rows(self) -> np.ndarray:
        """Return the rows, drawn or somebody's own, shape (N, D); see `its_own` for what this raises."""
        data: np.ndarray = (self.its_own() if self.mine else self.dataset()).data
        return data

    def origins(self) -> Origins:
        """Return the call that draws the data; none for somebody's own."""
        return {} if self.mine else {"drawn": self._drawing()}

    def _drawing(self) -> Call:
        if self.data == "images":
            return call(images, self.rows, self.data_seed)
        return call(tiny) if self.data == "tiny" else call(scores, self.data_seed)

    def redraws(self, what: str) -> bool:
        """Return whether a sweep redraws the ``"variances"``, or the ``"concentration"``."""
        return self.matters("redrawn") and self.redrawn in (what, "all")

    def sampler_of(self, data: np.ndarray) -> Any:
        """Build the sampler for these rows, shape (N, D)."""
        if self.model == "sparse":
            return SpikeAndSlab(data, self.concentration, self.noise, self.spread)
        variances = VARIANCE_PRIOR if self.redraws("variances") else None
        alpha = CONCENTRATION_PRIOR if self.redraws("concentration") else None
        rule = WRONG_FEATURE_RULES.get(self.rule, LinearGaussian)
        sampler = rule(
            data,
            self.concentration,
            self.noise,
            self.spread,
            start=self.start,
            concentration_prior=alpha,
            noise_prior=variances,
            spread_prior=variances,
        )
        return self.by_rule(sampler)

    def sampler(self) -> Any:
        return self.sampler_of(self.data_rows())

    def measure(self, chain: Chain[Any], t: int) -> dict[str, float]:
        """Count the features and exact zeros; σ_x, and the standard deviation of what the features leave over."""
        sampler = self.sampler()
        parts = sampler.parts(chain[t])
        left = sampler.data - parts.amounts @ parts.contents
        zeros = int((parts.amounts == 0).sum()) if self.model == "sparse" else 0
        return {"features": len(parts.names), "zeros": zeros, "noise": parts.noise, "misfit": float(left.std())}

    def replicate(self, sampler: LinearGaussian, state: FeatureState, seed: tuple[int, int]) -> np.ndarray:
        """Draw rows with the features of a state, shape (N, D), by bits: new loadings and new noise."""
        return sampler.replicate(state, np.random.default_rng((*seed, len(sampler.data))))

    def exact(self, data: np.ndarray) -> ExactFeatures | None:
        """Return the posterior of the class of the matrix given rows, shape (N, D), where all classes can be listed."""
        if len(data) > LISTED_ROWS or self.redrawn != "nothing" or self.model == "sparse":
            return None
        return exact_features(data, self.concentration, self.noise, self.spread, LISTED_FEATURES)

    def estimate(self, data: np.ndarray) -> NumberOfFactors | None:
        """Return how probable each number of sparse factors is given rows, shape (N, D), where they are few."""
        if len(data) > LISTED_ROWS or self.model == "bits":
            return None
        return number_of_factors(data, self.concentration, self.noise, self.spread)

    def law(self, outcome: str, t: int) -> Law | None:
        """Return the posterior of the number of features, where it is known."""
        exact = self.exact(self.data_rows()) if outcome == "features" else None
        return None if exact is None else counted(LATER, exact.feature_counts)

    def matters(self, name: str) -> bool:
        """Hide what the model or the data have no use for."""
        if name in ("redrawn", "start", "rule"):
            return self.model == "bits"
        return {"rows": self.data == "images", "data_seed": self.data in ("images", "scores")}.get(name, True)
