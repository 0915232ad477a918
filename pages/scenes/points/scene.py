"""The scene that a film of points is made of."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Generic, Self, TypeVar

import numpy as np

from lessons.data.columns import Column
from lessons.settings.points import PointsSettings
from pages.contract.film import Film
from pages.drawing.charts import Domain
from pages.scenes.points.concentration import Concentration
from pages.scenes.points.model import Model
from pages.scenes.points.run import PointsRun
from pages.scenes.scene import RunScene
from samplers.crp.exact_partitions import ExactPosterior
from samplers.crp.prediction import NewPoints
from samplers.data.counts import MOST_COUNT

MOST_TABLES = 12  # numbers of components that the posterior's chart has room for
REFERENCE = 1  # the seed of the runs that set the axes for all seeds
FIRST_LOOK, EARLY = 40, 10  # sweeps of such a run, and of the run itself, that are made before anything is shown
COUNTS = (-0.12 * MOST_COUNT, 1.06 * MOST_COUNT)  # both axes of counts, with room below for the bar of an update
BELOW = 0.45  # room for points on a line below the curves, in heights of the highest of them
ON_A_LINE = ((0.06,), (0.94,))  # where a new component's place may be, in shares of the axes
IN_A_PLANE = tuple((x, y) for x in (0.1, 0.5, 0.9) for y in (0.16, 0.5, 0.9) if (x, y) != (0.5, 0.5))

Points = TypeVar("Points", bound=PointsSettings)


@dataclass(frozen=True)
class MixtureScene(RunScene[Points, PointsRun], Generic[Points]):
    """The parts of a film, of one chain or two."""

    exact: ExactPosterior | None  # the truth, where it can be listed
    # one, two: the charts of one chain, and of two, in reading order
    one: tuple[str, ...]
    two: tuple[str, ...]
    titles: tuple[str, str]  # of the two chains' charts, where there are two
    room: float = 0.12  # beside points in a plane, in their spans
    names: str = "off"  # how components are named after each sweep, where a run offers other names than the sampler's
    # what a run predicts up to a sweep: ``averaged(run, sweep, places)`` returns the density of one more point at
    # places, shape (places, D), averaged over sweeps. Without it the picture shows what the present sweep predicts.
    averaged: Callable[[PointsRun, int, np.ndarray], np.ndarray] | None = None
    # the same from the exact posterior, where it can be listed and is to be shown
    exact_density: Callable[[np.ndarray], np.ndarray] | None = None
    # ``replica(sweep)`` draws as many new points as there are, from a sweep's predictive distribution
    replica: Callable[[int], NewPoints] | None = None
    # which component each point was drawn from, shape (N,), where that is shown beside the data
    makers: np.ndarray | None = None
    learned: Concentration | None = None  # the concentration of the first chain, where it is learned
    # runs of the same settings on the seed `REFERENCE`: they set the axes, so that a seed of one's own is shown after
    # few sweeps, and two seeds can be compared
    references: Sequence[PointsRun] = ()
    # of the whole run, by their keys, once they have been made
    films: dict[str, Film] = field(default_factory=dict, repr=False, compare=False)

    def look_ahead(self, references: Sequence[PointsRun]) -> Self:
        """Return the scene with its references, and with the sweeps that set the axes, or raise `NotYet`."""
        for run in references:
            run.reach(FIRST_LOOK, "Making the first sweeps")
        for run in self.runs:
            run.reach(EARLY, "Making the first sweeps")
        return replace(self, references=references)

    def seen_early(self, name: str) -> list[np.ndarray]:
        """Return a column of the sweeps that set the axes, of each run."""
        looks = [(run, FIRST_LOOK) for run in self.references] + [(run, EARLY) for run in self.runs]
        return [getattr(run, name)[: sweeps + 1] for run, sweeps in looks]

    @property
    def model(self) -> Model:
        """The first chain's model."""
        return self.run.model

    @property
    def columns(self) -> Sequence[Column]:
        """The data's columns."""
        return self.model.columns

    @property
    def data(self) -> np.ndarray:
        """The points, shape (N, D)."""
        return self.runs[0].sampler.data

    @property
    def flat(self) -> bool:
        """Whether the points lie on a line."""
        return bool(self.data.shape[1] == 1)

    @property
    def beside(self) -> bool:
        """Whether a second picture of points is beside the one chain's."""
        return self.replica is not None or self.makers is not None

    @property
    def most_tables(self) -> int:
        """The largest number of components that the posterior's chart shows."""
        return min(len(self.data), MOST_TABLES)

    @cached_property
    def domains(self) -> tuple[Domain, Domain]:
        """Ranges of the picture's axes; points on a line have heights up to 1 above them."""
        if self.flat:
            return domain(self.data[:, 0], 0.35), (-BELOW, 1.0)
        x, y = (COUNTS if self.settings.in_counts else domain(values, self.room) for values in self.data.T)
        return x, y

    @cached_property
    def aside(self) -> tuple[float, float]:
        """The place in the picture of a component that is not opened yet: at the rim, far from all points."""
        x, *y = far_from(self.data, self.domains)
        return x, y[0] if y else 0.0


def far_from(data: np.ndarray, domains: tuple[Domain, Domain]) -> list[float]:
    """Return the place at the rim of a picture, in its domains, that is farthest from all points, of shape (N, D)."""
    shares = np.array(ON_A_LINE if data.shape[1] == 1 else IN_A_PLANE)
    low, high = np.array(domains[: data.shape[1]]).T
    away = (shares[:, None] - (data - low) / (high - low)) ** 2
    return (low + (high - low) * shares[away.sum(axis=2).min(axis=1).argmax()]).tolist()


def domain(values: np.ndarray, room: float) -> Domain:
    """Return the ends of an axis that has all values, and some room beside them, in their spans."""
    pad = room * float(np.ptp(values)) or 1.0
    return float(values.min()) - pad, float(values.max()) + pad
