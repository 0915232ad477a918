"""Settings of the stage of clusters without a number."""

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

import numpy as np

from lessons.settings.calls import Call, Entry, call
from lessons.settings.fields import SWEEPS, choice, one_or_many, quantity
from lessons.settings.modes import ModeSettings
from lessons.settings.points import PointsSettings, by_hand_prior, weak_prior
from lessons.settings.written import WrittenRule, WrittenSettings
from lessons.topics.crp_mixture.sampling import BesideFinite, Sampling
from lessons.topics.crp_mixture.story import Story, TablesMode
from samplers.conjugate import Family, NormalKnownVariance
from samplers.crp.forwards import Forwards, made_points
from samplers.crp.mixture import CRPMixture
from samplers.crp.wrong import WRONG_RULES
from samplers.mixtures.finite import FiniteMixture

BY_HAND = ("three_points", "uneven_points", "wide_points", "seven_points")  # few enough to list every seating
CONCENTRATION_PRIOR = (1.0, 1.0)  # shape and rate of its Gamma prior, where it is learned
MAKER = NormalKnownVariance([0.0, 0.0], 4.0, 0.3)  # what the story draws dishes and points from


class CRPMixtureSettings(ModeSettings, WrittenSettings, PointsSettings):
    """A CRP mixture, sampled by Gibbs sweeps.

    A chapter is one sweep, looked at update by update, or the whole run, sweep by sweep. Forwards, an iteration is one
    draw of the story: three for each point.
    """

    lawful = ("tables",)
    charts = ("points", "replica", "makers", "second", "trace", "many", "histogram", "alpha", "tables")
    marks = ("point-N", "drawn-N", "table-N", "cluster-N", "new", "dart", "count-N")
    picks: ClassVar = {
        **dict.fromkeys(("points", "replica", "makers", "second"), ("name", "table")),
        "many": ("k",),
    }

    modes: ClassVar[Mapping[str, TablesMode]] = {
        "forwards": Story(),
        "backwards": Sampling(),
        "finite": BesideFinite(),
    }
    needs: ClassVar = {
        "runs": lambda own: own.walled and own.second == "none" and not own.written,
        "made_alpha": lambda own: own.tells or own.data == "made",
        "makers": lambda own: own.made_by_somebody and not own.compared and not own.replicated,
        "replica": lambda own: not own.compared,
        "points": lambda own: own.tells or own.data not in (*BY_HAND, "own"),
        "second_concentration": lambda own: own.second == "concentration",
        "second_start": lambda own: own.second == "start",
    }

    direction: Literal["backwards", "forwards"] = choice("backwards")
    data: Literal[
        "three_points",
        "uneven_points",
        "wide_points",
        "seven_points",
        "four_blobs",
        "three_blobs",
        "overlapping",
        "anisotropic",
        "far_point",
        "response_times",
        "one_skewed",
        "diffusion",
        "made",
        "own",
    ] = choice("three_blobs")
    family: Literal["known", "unknown"] = choice("unknown")
    concentration: float = quantity(1.0, (0.02, 20, 0.01))
    learning: Literal["fixed", "learned"] = choice("fixed")
    start: Literal["together", "apart", "prior"] = choice("together")
    rule: Literal[
        "right",
        "point not removed",
        "counts include the point",
        "data include the point",
        "emptied table offered too",
        "counts forgotten",
        "new table too sure",
        "new table guessed",
        "all labels at once",
    ] = choice("right")
    second: Literal["none", "seed", "concentration", "start", "branch", "finite"] = choice("none")
    second_finite: int = quantity(4, (1, 100, 1))
    second_concentration: float = quantity(5.0, (0.05, 20, 0.05))
    second_start: Literal["together", "apart", "prior"] = choice("apart")
    branch_at: int = quantity(0, (0, SWEEPS, 1), control=False)

    prediction: Literal["sweep", "average"] = choice("sweep", look=True)
    replica: Literal["hidden", "shown"] = choice("hidden", look=True)

    made_alpha: float = quantity(1.0, (0.1, 10, 0.1))
    makers: Literal["hidden", "shown"] = choice("hidden", look=True)

    runs: Literal["one", "tables", "largest"] = one_or_many()
    written: WrittenRule = ""

    @property
    def ruled(self) -> tuple[str, ...]:
        """The rule of a point's table, for one chain by the right rule."""
        return self.now.ruled if not self.compared and self.rule == "right" else ()

    @property
    def mode(self) -> str:
        """The story forwards, the sampler backwards, or the sampler beside a finite mixture."""
        return "finite" if self.second == "finite" and not self.tells else self.direction

    @property
    def now(self) -> TablesMode:
        return self.modes[self.mode]

    @property
    def tells(self) -> bool:
        """Whether the generative process runs forwards."""
        return self.direction == "forwards"

    @property
    def weight(self) -> dict[str, Any]:
        """The concentration, or its prior where it is learned, as exact sums take it."""
        learned = self.learning == "learned"
        return {"concentration_prior": CONCENTRATION_PRIOR} if learned else {"concentration": self.concentration}

    @property
    def opened(self) -> int | None:
        """The sweep that is looked at update by update; none of a story."""
        return super().opened if self.now.opens else None

    @property
    def remembered(self) -> bool:
        """Whether the true components are shown beside the data, where they are known."""
        return self.makers == "shown" and self.made_by_somebody and not self.compared and not self.replicated

    @property
    def made_by_somebody(self) -> bool:
        """Whether it is known which component each point was drawn from."""
        return self.data not in (*BY_HAND, "own")

    @property
    def replicated(self) -> bool:
        """Whether points from the model are shown beside the data: false if two chains are compared."""
        return self.replica == "shown" and not self.compared

    def sites(self, labels: int) -> int:
        return labels + (self.learning == "learned")

    def drawing(self) -> Call:
        """Return the call that draws the points; those that the story makes are the first of a run with this seed."""
        if self.data == "made":
            return call(made_points, self.story, self.points, self.data_seed)
        return call(Entry("samplers.data.blobs", "DATASETS", self.data), self.points, self.data_seed)

    @property
    def story(self) -> Forwards:
        """The story that makes points."""
        return Forwards(MAKER, self.made_alpha)

    def finite_of(self, data: np.ndarray) -> FiniteMixture:
        """Build the sampler of a mixture whose number of clusters is fixed, for these points, shape (N, D)."""
        clusters = self.second_finite
        return FiniteMixture(data, self.prior(data), clusters, self.concentration / clusters, start="together")

    def sampler_of(self, data: np.ndarray, *, second: bool = False) -> Any:
        """Build the sampler of the first or the second chain for these points, shape (N, D); see also `finite_of`."""
        rule = WRONG_RULES.get(self.rule, CRPMixture)
        other = self.second if second else "none"
        sampler = rule(
            data,
            self.prior(data),
            self.second_concentration if other == "concentration" else self.concentration,
            start=self.second_start if other == "start" else self.start,
            concentration_prior=CONCENTRATION_PRIOR if self.learning == "learned" else None,
        )
        return self.by_rule(sampler)

    def prior(self, data: np.ndarray) -> Family:
        """Return the prior of a cluster's parameters: fixed for the sets that are listed exactly, else a weak one.

        That of points which the story makes is the story's own, if the spread is known.
        """
        known = self.family == "known"
        if self.data == "made" and known:
            return MAKER
        return by_hand_prior(known=known) if self.data in BY_HAND else weak_prior(data, known=known)
