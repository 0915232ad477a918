"""Settings of the stage of climbing: k-means, EM and variational Bayes for a mixture."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from itertools import product
from typing import Any, ClassVar, Literal

import numpy as np

from lessons.own.points import MOST_POINTS as MOST_OWN
from lessons.own.points import ON_A_LINE_OR_PLANE
from lessons.settings.calls import Call, Entry, Origins, call
from lessons.settings.fields import OwnDigest, choice, one_or_many, quantity
from lessons.settings.law import NOW, Law, listed
from lessons.settings.modes import ModeSettings
from lessons.settings.points import by_hand_prior, own_points, weak_prior
from lessons.settings.settings import SEED_HIGH
from lessons.topics.climb_mixture.climbs import ON_A_WALL, ClimbMode, NearestMeans, SoftLabels, WithThePrior
from lessons.topics.climb_mixture.means import in_use
from lessons.topics.climb_mixture.variational import Stick, Variational
from samplers.conjugate import NormalKnownVariance
from samplers.conjugate.family import AveragedFamily
from samplers.data.blobs import Dataset
from samplers.mixtures.exact_labellings import MOST_LABELLINGS, ExactLabels

MOST_STARTS = 128  # that are all tried: seven points in two components
METHODS = ("k-means", "EM", "MAP", "VB")  # that are shown beside each other
BY_HAND = ("three_points", "seven_points")
MOST_POINTS = 300  # that are drawn
MOST_LISTED = 10  # points whose labellings are listed while somebody waits, in components from two
LEAST_WIDTH = 1e-6  # of a column, in parts of its largest number
LARGEST = 1e12  # whose squares are far from what a chart can draw


class ClimbMixtureSettings(ModeSettings):
    """Points, and a mixture that climbs to fit them: by k-means, EM, its MAP form, or variational Bayes.

    An iteration is a half-step: E sets the responsibilities, and then M the components.
    """

    unit = "half-steps"
    lawful = ("bound", "used")
    charts = ("points", "bound", "means")
    marks = ("point-N", "component-N", "bound", "level", "evidence")
    picks: ClassVar = {"points": ("name", "component")}
    modes: ClassVar[Mapping[str, ClimbMode]] = {
        "k-means": NearestMeans(),
        "EM": SoftLabels(),
        "MAP": WithThePrior(),
        "VB": Variational(),
        "stick": Stick(),
    }
    takes: ClassVar = ON_A_LINE_OR_PLANE
    needs: ClassVar = {
        "runs": lambda own: own.compare == "none" and own.data != "own",
        "points": lambda own: own.data not in (*BY_HAND, "own"),
        "deviation": lambda own: own.known and (own.now.soft or own.compare == "all"),
        "family": lambda own: own.now.soft or own.compare == "all",
        "class_prior": lambda own: own.now.with_prior or own.compare == "all",
        "compare": lambda own: own.runs == "one",
    }

    data: Literal[
        "three_points",
        "seven_points",
        "three_blobs",
        "four_blobs",
        "overlapping",
        "anisotropic",
        "own",
    ] = choice("overlapping")
    points: int = quantity(60, (5, MOST_POINTS, 1))
    data_seed: int = quantity(1, (0, SEED_HIGH, 1), control=False)
    own: OwnDigest = ""
    method: Literal["k-means", "EM", "MAP", "VB", "stick"] = choice("EM")
    number: int = quantity(3, (1, 8, 1))
    family: Literal["known", "unknown"] = choice("unknown")
    deviation: float = quantity(0.7, (0.05, 2, 0.05), dial=True)
    start: Literal["random", "k-means++"] = choice("random")
    class_prior: float = quantity(1.0, (0.1, 20, 0.1))
    concentration: float = quantity(1.0, (0.05, 10, 0.05))
    compare: Literal["none", "all"] = choice("none")
    rule: Literal["right", "not normalised", "weights left out", "points counted again"] = choice("right")
    point: int = quantity(1, (1, MOST_OWN, 1), control=False)

    runs: Literal["one", "bound", "used"] = one_or_many()

    @property
    def mode(self) -> str:
        """The method by which to climb."""
        return self.method

    @property
    def now(self) -> ClimbMode:
        return self.modes[self.mode]

    def drawing(self) -> Call:
        """Return the call that draws the points."""
        return call(Entry("samplers.data.blobs", "DATASETS", self.data), self.points, self.data_seed)

    def origins(self) -> Origins:
        """Return the call that draws the points; none for somebody's own."""
        return {} if self.mine else {"drawn": self.drawing()}

    def dataset(self) -> Dataset:
        """Return the points, drawn or somebody's own; see `its_own` for what this raises."""
        return own_points(self.its_own()) if self.mine else self.drawing().made()

    def lacking(self) -> str:
        """Say so if a coordinate of somebody's own points is all but constant for its size, or too large to draw."""
        if not self.mine:
            return ""
        points = self.dataset().data
        widths, sizes = np.ptp(points, axis=0), np.abs(points).max(axis=0)
        if not ((widths <= LEAST_WIDTH * sizes) | (sizes > LARGEST)).any():
            return ""
        return (
            "A column hardly varies for its size, or its numbers go beyond 10¹²: a component would have no spread, or "
            "no picture. Standardise the columns, or choose another one."
        )

    def prior(self, data: np.ndarray) -> AveragedFamily:
        """Return the prior of a component's parameters, for these points, shape (N, D)."""
        found: Any = by_hand_prior(known=False) if self.data in BY_HAND else weak_prior(data, known=False)
        if self.known:
            wide = 4.0 if self.data in BY_HAND else float(data.var(axis=0).mean()) or 1.0
            unit = wide if self.data == "own" else 1.0
            return NormalKnownVariance(found.mean, wide, self.acting("deviation") ** 2 * unit)
        return found

    @property
    def known(self) -> bool:
        """Whether the spread of a component is given; k-means has none, and is drawn with the usual one."""
        return self.family == "known" or not self.matters("family")

    def exact(self, data: np.ndarray) -> ExactLabels | None:
        """Return the exact posterior over all labellings of these points, where these can be listed."""
        number = self.now.components(self)
        if (number > 1 and len(data) > MOST_LISTED) or number ** len(data) > MOST_LABELLINGS:
            return None
        model = self.data, self.known, self.acting("deviation"), self.now.lists, number, self.now.weight(self)
        return _exact(tuple(map(tuple, data.tolist())), *model)

    def law(self, outcome: str, t: int) -> Law | None:
        """Return the distribution of an outcome over all random labels, where there are few enough to try them all."""
        if outcome not in self.lawful or t > ON_A_WALL or self.start != "random" or self.data not in BY_HAND:
            return None
        if self.number ** len(self.dataset().data) > MOST_STARTS:
            return None
        found = _from_every_start(self.as_run().model_copy(update={"point": 1, "compare": "none"}))
        values, counts = np.unique(found[self.lawful.index(outcome), t].round(6), return_counts=True)
        return listed(NOW, values, counts / counts.sum())

    def chosen(self, size: int) -> int:
        """Return the number of the chosen point, from 1; the last one, if there are fewer."""
        return min(self.point, size)


@lru_cache(maxsize=16)
def _exact(
    points: tuple[tuple[float, ...], ...],
    source: str,
    known: bool,
    deviation: float,
    lists: Callable[..., ExactLabels],
    number: int,
    weight: float,
) -> ExactLabels:
    """Return the exact posterior of a model of a few points."""
    asked: dict[str, Any] = {"data": source, "family": "known" if known else "unknown"}
    data = np.array(points)
    prior = ClimbMixtureSettings(**asked, deviation=deviation).prior(data)
    return lists(data, prior, number, weight)


@lru_cache(maxsize=8)
def _from_every_start(settings: ClimbMixtureSettings) -> np.ndarray:
    """Return the bound and the components in use after each half-step from every labelling, (2, half-steps, starts)."""
    climb, names = settings.now.sampler(settings), range(settings.number)
    starts = product(settings.now.firsts(settings), *[names] * (len(climb.data) - 1))
    found = []
    for labels in starts:
        states = [climb.state(labels)]
        for _ in range(ON_A_WALL):
            states.append(climb.step(states[-1])[0])
        found.append([[state.bound for state in states], [in_use(state) for state in states]])
    return np.array(found, float).transpose(1, 2, 0)
