"""Mixtures whose tables have means, for charts and cards: auxiliary tables are offered to a point, or a new one."""

import math
from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from pages.drawing.numbers import fixed, vector
from pages.scenes.points.model import Model
from pages.scenes.points.scene import domain
from samplers.conjugate import Parameters
from samplers.conjugate.parameters import Normal
from samplers.jumps.tables import MEANS

SHOWN_GHOSTS = 0.3  # room beside the points in which ghosts are drawn, in spans of theirs
GHOST = -2  # the id of the first ghost; the next ones are below it


class Exactly(NamedTuple):
    """The predictive of a component whose mean and covariance are given."""

    mean: np.ndarray
    covariance: np.ndarray

    def student_t(self) -> tuple[np.ndarray, np.ndarray, float]:
        """Return location, scale matrix and degrees of freedom, infinitely many."""
        return self.mean, self.covariance, math.inf


class ClustersWithMeans(Model):
    """A mixture whose tables, called clusters, have means; ghosts are the tables that are offered beside them."""

    one, many, opens = "cluster", "clusters", True

    def sizes(self, state: Any) -> Mapping[int, int]:
        return state.sizes

    def options(self, state: Any) -> list[int]:
        """Return the ids of the clusters and then of the ghosts that are offered to the point that is out."""
        ghosts = [] if state.lifted is None else self.sampler.offered(state, state.lifted)
        return [*state.means, *(GHOST - place for place in range(len(ghosts)))]

    def _mean(self, state: Any, component: int) -> np.ndarray:
        if component > GHOST:
            return np.array(state.means[component])
        return np.array(self.sampler.offered(state, state.lifted)[GHOST - component])

    def place(self, state: Any, component: int) -> tuple[float, float]:
        """Return where a cluster is; a ghost that lies beyond the picture is drawn at its rim."""
        x, y = super().place(state, component)
        if component > GHOST:
            return x, y
        (left, right), (low, high) = [domain(values, SHOWN_GHOSTS) for values in self.sampler.data.T]
        return min(max(x, left), right), min(max(y, low), high)

    def parameters_of(self, state: Any, component: int) -> Parameters:
        """Return the Normal of a cluster or of a ghost."""
        family = self.sampler.family
        return Normal(self._mean(state, component), family.variance * np.eye(family.dimension))

    def log_weight(self, state: Any, component: int) -> float:
        """Return the logarithm of how many points a cluster has."""
        return math.log(state.sizes[component])

    def density(self, state: Any, places: np.ndarray) -> np.ndarray:
        """Return the density of one more point, in a cluster or, by quadrature, in a new one."""
        family, alpha = self.sampler.family, self.sampler.concentration
        found = alpha * family.density(places)
        for table, size in state.sizes.items():
            found += size * np.exp(self.parameters_of(state, table).log_density(places))
        return found / (len(self.sampler.data) + alpha)

    def predictive(self, state: Any, component: int) -> Exactly:
        """Return the Normal of a cluster or of a ghost, for one more point."""
        normal = self.parameters_of(state, component)
        return Exactly(normal.mean, self.sampler.family.variance * np.eye(self.sampler.family.dimension))

    def weights(self, beat: Any) -> list[str]:
        """Return how many points each cluster has, and what stands for them of a ghost."""
        return [f"{math.exp(there):.3g}" for there in beat.update.conditional.terms[self.sampler.already_there]]

    def forgotten(self, beat: Any) -> str:
        size = beat.before.sizes[beat.before.labels[beat.update.site]]
        return f"Its count: {size} → {size - 1}. Its mean stays." if size > 1 else self.alone(beat)

    @abstractmethod
    def alone(self, beat: Any) -> str:
        """Return a sentence on the mean of a point that was alone."""

    def block(self, beat: Any) -> tuple[str, str, str, str]:
        """Return how the means are redrawn, or what the next sweep offers."""
        return self.means(beat) if beat.update.site == MEANS else self.ahead(beat)

    @abstractmethod
    def means(self, beat: Any) -> tuple[str, str, str, str]:
        """Return how the means are redrawn."""

    @abstractmethod
    def ahead(self, beat: Any) -> tuple[str, str, str, str]:
        """Return how what the next sweep offers is drawn."""

    def note(self, state: Any) -> str:
        """Return the log joint, and a warning."""
        joint = fixed(self.sampler.log_joint(state), 1)
        return f"Log joint with the means {joint}. Ids are only names: any two could be swapped."


class AuxiliaryClusters(ClustersWithMeans):
    """A mixture whose ghosts are its auxiliary tables."""

    formula = "points there · fit; of an auxiliary cluster, α/m · fit"
    blocks = ("means", "auxiliary tables")

    def alone(self, beat: Any) -> str:
        """Return that the mean is one of the auxiliary ones, unless a wrong rule forgets it: learners find that."""
        kept = beat.lifted.lone in self.sampler.offered(beat.lifted, beat.update.site)
        return "It was alone: its mean is the first auxiliary one." if kept else "It was alone: its cluster is empty."

    def means(self, beat: Any) -> tuple[str, str, str, str]:
        moved = sum(beat.before.means[table] != mean for table, mean in beat.after.means.items())
        return (
            f"<p>{len(beat.before.means)} means, given who is in which cluster.</p>",
            "<p>The posterior of a mean has no formula: a Laplace prior times Normal densities.</p>",
            "<p>Three Metropolis steps for each mean.</p>",
            f"<p>{moved} of them moved.</p>",
        )

    def ahead(self, beat: Any) -> tuple[str, str, str, str]:
        return (
            "<p>The auxiliary means of this sweep are dropped.</p>",
            f"<p>{self.sampler.tables} for each point, from the prior: they depend on nothing else.</p>",
            "<p>Means are drawn.</p>",
            f"<p>The first of point 1 lies at {vector(np.array(beat.after.auxiliary[0][0]))}.</p>",
        )


class KeptClusters(ClustersWithMeans):
    """A mixture whose clusters keep their means, with a conjugate prior; the only ghost is the new cluster."""

    formula = "points there · fit at the mean; of a new cluster, α · prior predictive"
    blocks = ("means", "numbers for new means")

    def predictive(self, state: Any, component: int) -> Exactly:
        if component > GHOST:
            return super().predictive(state, component)
        prior = self.sampler.family.prior
        return Exactly(prior.mean, (prior.variance + prior.prior_variance) * np.eye(prior.dimension))

    def alone(self, beat: Any) -> str:
        return "It was alone: its cluster is gone, and the mean with it."

    def means(self, beat: Any) -> tuple[str, str, str, str]:
        """Return the posterior of the first mean, and its draw."""
        table, mean = next(iter(beat.after.means.items()))
        family = beat.update.conditional.posteriors[table]
        return (
            f"<p>{len(beat.before.means)} means, given who is in which cluster.</p>",
            f"<p>The posterior of the first: Normal with mean {vector(family.mean)} and standard deviation "
            f"{fixed(math.sqrt(family.prior_variance), 2)}.</p>",
            "<p>Every mean is drawn from its posterior.</p>",
            f"<p>The first lies at {vector(np.array(mean))}.</p>",
        )

    def ahead(self, beat: Any) -> tuple[str, str, str, str]:
        """Return how the numbers that make new means are drawn."""
        return (
            "<p>The numbers that made new means in this sweep are dropped.</p>",
            "<p>A standard Normal number for each coordinate of each point.</p>",
            "<p>They are drawn for the whole next sweep.</p>",
            "<p>If a point opens a cluster, they make its mean: posterior mean + number · standard deviation.</p>",
        )
