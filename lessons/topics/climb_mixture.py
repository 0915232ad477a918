"""Settings of the stage of climbing: k-means, EM and variational Bayes for a mixture."""

from functools import lru_cache
from itertools import product
from math import nan, sqrt
from typing import Any, ClassVar, Literal

import numpy as np

from lessons.own.points import MOST_POINTS as MOST_OWN
from lessons.own.points import ON_A_LINE_OR_PLANE
from lessons.settings.calls import Call, Entry, Origins, call
from lessons.settings.fields import OwnDigest, choice, one_or_many, quantity
from lessons.settings.law import NOW, Law, listed
from lessons.settings.points import by_hand_prior, own_points, weak_prior
from lessons.settings.settings import SEED_HIGH, StageSettings
from samplers import Chain
from samplers.climb.em import EM, KMeans
from samplers.climb.halves import Climb, ClimbState
from samplers.climb.variational import TruncatedStick, VariationalBayes
from samplers.climb.wrong import WRONG_CLIMBS, CountedAgain
from samplers.conjugate import NormalKnownVariance
from samplers.conjugate.family import AveragedFamily
from samplers.crp.mixture import CRPMixture
from samplers.data.blobs import Dataset
from samplers.mixtures.exact_labellings import (
    MOST_LABELLINGS,
    ExactLabels,
    exact_finite_mixture,
    exact_truncated_stick,
)
from samplers.mixtures.finite import FiniteMixture

HALF_STEPS, ON_A_WALL = 200, 60  # of a run, and of each run on a wall
MOST_STARTS = 128  # that are all tried: seven points in two components
BY_HAND = ("three_points", "seven_points")
MOST_POINTS = 300  # that are drawn
MOST_LISTED = 10  # points whose labellings are listed while somebody waits, in components from two
METHODS = {"k-means": "k-means", "EM": "EM", "MAP": "EM, with the prior", "VB": "Variational Bayes"}
STICK = "stick"
LEAST_WIDTH = 1e-6  # of a column, in parts of its largest number
LARGEST = 1e12  # whose squares are far from what a chart can draw
BAYES = ("VB", STICK)


class ClimbMixtureSettings(StageSettings):
    """Points, and a mixture that climbs to fit them: by k-means, EM, its MAP form, or variational Bayes.

    An iteration is a half-step: E sets the responsibilities, and then M the components.
    """

    unit = "half-steps"
    lawful = ("bound", "used")
    charts = ("points", "bound", "means")
    marks = ("point-N", "component-N", "bound", "level", "evidence")
    picks: ClassVar = {"points": ("name", "component")}
    takes: ClassVar = ON_A_LINE_OR_PLANE
    needs: ClassVar = {
        "runs": lambda own: own.compare == "none" and own.data != "own",
        "points": lambda own: own.data not in (*BY_HAND, "own"),
        "deviation": lambda own: own.known and (own.method != "k-means" or own.compare == "all"),
        "family": lambda own: own.method != "k-means" or own.compare == "all",
        "class_prior": lambda own: own.method in ("MAP", "VB") or own.compare == "all",
        "concentration": lambda own: own.method == STICK,
        "compare": lambda own: own.runs == "one",
        "rule": lambda own: own.method in ("EM", "MAP", "VB"),
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
    def iterations(self) -> int:
        """Half-steps, fewer on a wall."""
        return ON_A_WALL if self.many else HALF_STEPS

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
            return NormalKnownVariance(found.mean, wide, self.deviation**2 * unit)
        return found

    @property
    def known(self) -> bool:
        """Whether the spread of a component is given."""
        return self.family == "known"

    def sampler(self) -> Climb:
        """Build the climb."""
        return self.climb(self.method, self.dataset().data)

    def climb(self, method: str, data: np.ndarray) -> Climb:
        """Build the climb by one of the methods on these points; a mistake belongs to one, and changes no other."""
        family = self.prior(data)
        if method == "k-means":
            return KMeans(data, family, self.number, self.start)
        wrong: Any = WRONG_CLIMBS.get(self.rule)
        if method in ("EM", "MAP"):
            mode = EM if wrong is None or wrong is CountedAgain else wrong
            return mode(data, family, self.number, max(1.0, self.class_prior), method == "MAP", self.start)
        if method == STICK:
            return TruncatedStick(data, family, max(2, self.number), self.concentration, self.start)
        bayes = CountedAgain if wrong is CountedAgain else VariationalBayes
        return bayes(data, family, self.number, self.class_prior, self.start)

    def gibbs(self, data: np.ndarray) -> FiniteMixture | CRPMixture:
        """Build the Gibbs sampler of the same posterior; of a stick that is not truncated."""
        if self.method == STICK:
            return CRPMixture(data, self.prior(data), self.concentration)
        return FiniteMixture(data, self.prior(data), self.number, self.class_prior, start="k-means++")

    def exact(self, data: np.ndarray) -> ExactLabels | None:
        """Return the exact posterior over all labellings of these points, where these can be listed."""
        number = max(2, self.number) if self.method == STICK else self.number
        if (number > 1 and len(data) > MOST_LISTED) or number ** len(data) > MOST_LABELLINGS:
            return None
        model = self.data, self.known, self.deviation, self.method == STICK, number, self._weight
        return _exact(tuple(map(tuple, data.tolist())), *model)

    @property
    def _weight(self) -> float:
        return self.concentration if self.method == STICK else self.class_prior

    def measure(self, chain: Chain[Any], t: int) -> dict[str, float]:
        """Return the bound, what it is compared with, and what the components look like."""
        state, climb = chain[t], chain.sampler
        assert isinstance(climb, Climb)
        components = state.parts.components
        exact = self.exact(climb.data) if self.method in BAYES else None
        evidence = exact.log_evidence if exact else nan
        point = self.chosen(len(climb.data)) - 1
        return {
            "bound": state.bound,
            "level": climb.level(state),
            "used": in_use(state),
            "first": float(state.responsibilities[point, 0]),
            "lowest": min(float(component.mean[0]) for component in components),
            "tightest": min(float(component.deviations.min()) for component in components),
            "stuck": int(state.stuck),
            "evidence": evidence,
            "gap": evidence - state.bound,
            "q_sd": sqrt(moments(*of_q(state, point))[1]) if self.method in BAYES else 0.0,
            "exact_sd": sqrt(moments(*of_posterior(exact, climb, point))[1]) if exact else nan,
        }

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
    stick: bool,
    number: int,
    weight: float,
) -> ExactLabels:
    """Return the exact posterior of a model of a few points."""
    asked: dict[str, Any] = {"data": source, "family": "known" if known else "unknown"}
    data = np.array(points)
    prior = ClimbMixtureSettings(**asked, deviation=deviation).prior(data)
    return (exact_truncated_stick if stick else exact_finite_mixture)(data, prior, number, weight)


@lru_cache(maxsize=8)
def _from_every_start(settings: ClimbMixtureSettings) -> np.ndarray:
    """Return the bound and the components in use after each half-step from every labelling, (2, half-steps, starts).

    Names do not matter, so point 1 may have the first; except for a stick, whose pieces have an order.
    """
    climb, names = settings.sampler(), range(settings.number)
    starts = product(*([names] if settings.method == STICK else [[0]]), *[names] * (len(climb.data) - 1))
    found = []
    for labels in starts:
        states = [climb.state(labels)]
        for _ in range(ON_A_WALL):
            states.append(climb.step(states[-1])[0])
        found.append([[state.bound for state in states], [in_use(state) for state in states]])
    return np.array(found, float).transpose(1, 2, 0)


def in_use(state: ClimbState) -> int:
    """Return the number of components that have half a point or more."""
    return int((state.responsibilities.sum(axis=0) >= 0.5).sum())


Mixed = tuple[np.ndarray, list[Any]]  # shares, shape (n,), and as many families


def of_q(state: ClimbState, point: int) -> Mixed:
    """Return the distribution of the mean of a point's component under q, as shares of families."""
    return state.responsibilities[point], list(state.parts.families)


def of_posterior(exact: ExactLabels, climb: Climb, point: int) -> Mixed:
    """Return the same under the exact posterior: a family for each set of points that may be with this one."""
    members = exact.labellings == exact.labellings[:, [point]]
    sets, which = np.unique(members, axis=0, return_inverse=True)
    shares = np.bincount(which.ravel(), exact.probabilities)
    return shares, [climb.family.cluster(climb.data[each]).posterior() for each in sets]


def of_mean(family: Any) -> tuple[float, float, float]:
    """Return location, scale and degrees of freedom of the first coordinate of a component's mean: a Student t."""
    if isinstance(family, NormalKnownVariance):
        return float(family.mean[0]), sqrt(family.prior_variance), np.inf
    df = family.df - family.dimension + 1
    return float(family.mean[0]), sqrt(family.scale[0, 0] / (family.kappa * df)), float(df)


def moments(shares: np.ndarray, families: list[Any]) -> tuple[float, float]:
    """Return mean and variance of the first coordinate of a mean whose distribution is a mixture of families."""
    found = np.array([of_mean(family) for family in families])
    with np.errstate(invalid="ignore"):
        stretch = np.where(np.isinf(found[:, 2]), 1.0, found[:, 2] / np.maximum(found[:, 2] - 2, 1e-9))
    mean = float(shares @ found[:, 0])
    return mean, float(shares @ (found[:, 1] ** 2 * stretch + (found[:, 0] - mean) ** 2))
