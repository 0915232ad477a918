"""A mixture with auxiliary tables for charts and cards: each table has a mean, and ghosts are offered to a point."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from pages.drawing.numbers import fixed, of_its_log, vector
from pages.stages.points.model import Model
from pages.stages.points.scene import domain
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


class AuxiliaryClusters(Model):
    """A mixture whose tables, called clusters, have means; ghosts are its auxiliary tables."""

    one, many, opens = "cluster", "clusters", True
    formula = "points there · fit; of an auxiliary cluster, α/m · fit"
    blocks = ("means", "auxiliary tables")

    def sizes(self, state: Any) -> Mapping[int, int]:
        """Return how many points each cluster has, by id."""
        sizes: Mapping[int, int] = state.sizes
        return sizes

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
        ends = [domain(values, SHOWN_GHOSTS) for values in self.sampler.data.T]
        (left, right), (low, high) = ends
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
        density: np.ndarray = found / (len(self.sampler.data) + alpha)
        return density

    def predictive(self, state: Any, component: int) -> Any:
        """Return the Normal of a cluster or of a ghost, for one more point."""
        normal = self.parameters_of(state, component)
        return Exactly(normal.mean, self.sampler.family.variance * np.eye(self.sampler.family.dimension))

    def terms(self, beat: Any) -> list[str]:
        """Return points · fit of each cluster and ghost."""
        terms = beat.update.conditional.terms
        points, fit = terms[self.sampler.already_there], terms[self.sampler.fit]
        return [f"{math.exp(there):.3g} · {of_its_log(fits)}" for there, fits in zip(points, fit, strict=True)]

    def forgotten(self, beat: Any) -> str:
        """Return a sentence on the fate of the cluster."""
        size = beat.before.sizes[beat.before.labels[beat.update.site]]
        if size > 1:
            return f"Its count: {size} → {size - 1}. Its mean stays."
        kept = beat.lifted.lone in self.sampler.offered(beat.lifted, beat.update.site)
        return "It was alone: its mean is the first auxiliary one." if kept else "It was alone: its mean is lost."

    def block(self, beat: Any) -> tuple[str, str, str, str]:
        """Return how the means, or the ghosts, are redrawn."""
        if beat.update.site == MEANS:
            moved = sum(beat.before.means[table] != mean for table, mean in beat.after.means.items())
            return (
                f"<p>{len(beat.before.means)} means, given who is in which cluster.</p>",
                "<p>The posterior of a mean has no formula: a Laplace prior times Normal densities.</p>",
                "<p>Three Metropolis steps for each mean.</p>",
                f"<p>{moved} of them moved.</p>",
            )
        m = self.sampler.tables
        first = vector(np.array(beat.after.auxiliary[0][0]))
        return (
            "<p>The auxiliary means of this sweep are dropped.</p>",
            f"<p>{m} for each point, from the prior: they depend on nothing else.</p>",
            "<p>Means are drawn.</p>",
            f"<p>The first of point 1 lies at {first}.</p>",
        )

    def note(self, state: Any) -> str:
        """Return the log joint, and a warning."""
        joint = fixed(self.sampler.log_joint(state), 1)
        return f"Log joint with the means {joint}. Ids are only names: any two could be swapped."


class KeptClusters(AuxiliaryClusters):
    """A mixture whose clusters keep their means, with a conjugate prior; the only ghost is the new cluster."""

    formula = "points there · fit at the mean; of a new cluster, α · prior predictive"
    blocks = ("means", "numbers for new means")

    def predictive(self, state: Any, component: int) -> Any:
        """Return the Normal of a cluster, or the prior predictive of a new one, for one more point."""
        if component > GHOST:
            return super().predictive(state, component)
        prior = self.sampler.family.prior
        spread = prior.variance + prior.prior_variance
        return Exactly(prior.mean, spread * np.eye(prior.dimension))

    def forgotten(self, beat: Any) -> str:
        """Return a sentence on the fate of the cluster."""
        size = beat.before.sizes[beat.before.labels[beat.update.site]]
        if size > 1:
            return f"Its count: {size} → {size - 1}. Its mean stays."
        return "It was alone: its cluster is gone, and the mean with it."

    def block(self, beat: Any) -> tuple[str, str, str, str]:
        """Return how the means, or the numbers that make new ones, are redrawn."""
        if beat.update.site == MEANS:
            table, mean = next(iter(beat.after.means.items()))
            family = beat.update.conditional.posteriors[table]
            return (
                f"<p>{len(beat.before.means)} means, given who is in which cluster.</p>",
                f"<p>The posterior of the first: Normal with mean {vector(family.mean)} and standard deviation "
                f"{fixed(math.sqrt(family.prior_variance), 2)}.</p>",
                "<p>Every mean is drawn from its posterior.</p>",
                f"<p>The first lies at {vector(np.array(mean))}.</p>",
            )
        return (
            "<p>The numbers that made new means in this sweep are dropped.</p>",
            "<p>A standard Normal number for each coordinate of each point.</p>",
            "<p>They are drawn for the whole next sweep.</p>",
            "<p>If a point opens a cluster, they make its mean: posterior mean + number · standard deviation.</p>",
        )
