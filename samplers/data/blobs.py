"""Data for the mixture pages: simulated from a seed, so that it is known which component each point was drawn from.

Every set lies roughly within [-5, 5] on each axis and its components are 0.2 to 1.2 wide, so that one weakly
informative prior serves them all.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from samplers.checks import whole_from

LEAST_POINTS = 3
MOST_POINTS = 1000
FAR = (4.6, 4.4)  # a point that no blob reaches
REFERENCE_TIME = 400.0  # milliseconds: the response time that lies at 0
DRIFT, BOUND = 2.2, 1.5  # of the evidence in a diffusion: a second, and in standard deviations of a second's noise
UNDECIDED = 0.3  # seconds of a response time in which no evidence is gathered


@dataclass(frozen=True, eq=False)
class Dataset:
    """Points, and where they come from.

    Parameters
    ----------
    data : array_like
        The points, shape (N, D); kept as a read-only copy.
    labels : array_like or None
        Component that each point was drawn from, numbered from 0, shape (N,), kept likewise; None if it is unknown.
    columns : tuple of str
        Names of the D axes.

    Raises
    ------
    ValueError
        If the shapes do not fit together.
    """

    data: np.ndarray
    labels: np.ndarray | None
    columns: tuple[str, ...]

    def __post_init__(self) -> None:
        data = _read_only(self.data, np.float64)
        labels = None if self.labels is None else _read_only(self.labels, np.int64)
        if data.ndim != 2 or data.shape[1] != len(self.columns):
            raise ValueError(f"data must have shape (N, {len(self.columns)}), got {data.shape}")
        if labels is not None and labels.shape != data.shape[:1]:
            raise ValueError(f"labels must have shape ({len(data)},), got {labels.shape}")
        object.__setattr__(self, "data", data)
        object.__setattr__(self, "labels", labels)


@dataclass(frozen=True)
class Blob:
    """A Normal component in the plane."""

    share: float  # its part of the points
    centre: tuple[float, float]  # its mean
    widths: tuple[float, float]  # standard deviations along its two axes
    degrees: float = 0.0  # angle by which its first axis is turned from the horizontal, counter-clockwise

    def draw(self, points: int, rng: np.random.Generator) -> np.ndarray:
        """Draw points, shape (points, 2)."""
        angle = np.radians(self.degrees)
        axes = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])  # one axis a row
        return self.centre + (rng.standard_normal((points, 2)) * self.widths) @ axes


LISTED = {
    "three_points": (-1.0, 0.0, 1.0),  # small enough to follow every number
    "uneven_points": (-1.0, 0.0, 2.0),  # wrong rules show sooner there than on even ones
    "wide_points": (-1.0, 1.0, 3.0),  # with a small concentration, a point that is not lifted out shows
    "seven_points": (-2.1, -1.6, -1.1, 0.2, 1.0, 1.7, 2.2),  # two loose groups, few enough to list all 877 partitions
}
"""Sets of a few points on a line."""

TWO_FOURS = (  # two groups of four in the plane: one cluster or two, about as probable with a concentration of 0.02
    *((-1.7, -0.6), (-0.95, -0.9), (-0.9, 0.6), (-1.6, 0.9)),
    *((1.0, -0.8), (0.85, 0.7), (1.6, 0.8), (1.75, -0.6)),
)

BLOBS = {
    "three_blobs": (  # well apart and of equal size
        Blob(1 / 3, (-2.4, -1.6), (0.6, 0.6)),
        Blob(1 / 3, (2.4, -1.6), (0.6, 0.6)),
        Blob(1 / 3, (0.0, 2.4), (0.6, 0.6)),
    ),
    "four_blobs": (  # well apart and of unequal size, as in Gershman & Blei (2012), figure 1
        Blob(0.40, (-2.5, 2.0), (0.70, 0.45), 25),
        Blob(0.30, (2.3, 2.4), (0.55, 0.55)),
        Blob(0.20, (2.0, -2.2), (0.75, 0.40), -35),
        Blob(0.10, (-2.2, -2.5), (0.40, 0.40)),
    ),
    "two_blobs": (  # near enough to look like one long cluster
        Blob(0.5, (-1.5, 0.0), (0.6, 0.6)),
        Blob(0.5, (1.5, 0.0), (0.6, 0.6)),
    ),
    "overlapping": (  # who knows the components still takes about one point in eight for another's
        Blob(0.40, (-1.1, -0.6), (0.8, 0.8)),
        Blob(0.35, (1.1, -0.6), (0.8, 0.8)),
        Blob(0.25, (0.0, 1.2), (0.8, 0.8)),
    ),
    "anisotropic": (  # long and tilted: each takes several round clusters to cover
        Blob(0.40, (-1.3, 1.1), (1.2, 0.25), 45),
        Blob(0.35, (1.1, -1.1), (1.2, 0.25), 45),
        Blob(0.25, (2.6, 2.8), (0.8, 0.20), -50),
    ),
}
"""The blobs that sets in the plane are drawn from."""


def draw_blobs(blobs: Sequence[Blob], points: int, seed: int) -> Dataset:
    """Draw from blobs.

    Parameters
    ----------
    blobs : sequence of Blob
        Their shares sum to 1.
    points : int
        How many, 3 to 1,000.
    seed : int
        From 0. The same seed and number give the same points.

    Returns
    -------
    Dataset
        In the plane, in random order. How many points a blob gets differs by less than 1 from its share of them, so
        that one of 10 % appears among 10 points or more.

    Raises
    ------
    ValueError
        If the number or the seed is out of range.
    """
    rng, labels = draw_labels(np.array([blob.share for blob in blobs]), points, seed)
    counts = np.bincount(labels, minlength=len(blobs))
    data = in_place(labels, [blob.draw(count, rng) for blob, count in zip(blobs, counts, strict=True)])
    return Dataset(data, labels, ("x", "y"))


def response_times(points: int, seed: int) -> Dataset:
    """Draw logs of simulated response times: two processes and a few anticipations.

    Parameters and errors as for `draw_blobs`.

    Returns
    -------
    Dataset
        On a line: log2(t / 400 ms). So 0 is 400 ms, 1 twice and -1 half of that; back by 400 · 2^x. That is the natural
        log of the milliseconds less 5.99, divided by 0.693.

    Notes
    -----
    Not measured: simulated so as to look like the log response times in a two-alternative choice of Gershman & Blei
    (2012), figure 3, with two main modes and a small number of left-skewed outliers.

    0. 36 %, guesses: log-normal, median 250 ms, standard deviation 0.20 of the natural log.
    1. 56 %, decisions: log-normal, median 700 ms, standard deviation 0.25 of the natural log.
    2. 8 %, anticipations: the button is pressed before the stimulus can have been taken in, at any moment from 20 to
       160 ms with equal chance. The log of a uniform time is skewed to the left.

    As for `draw_blobs`, each has its share of the points to within less than 1.
    """
    rng, labels = draw_labels(np.array([0.36, 0.56, 0.08]), points, seed)
    guesses, decisions, anticipations = np.bincount(labels, minlength=3)
    times = in_place(
        labels,
        [
            250 * np.exp(0.20 * rng.standard_normal((guesses, 1))),
            700 * np.exp(0.25 * rng.standard_normal((decisions, 1))),
            rng.uniform(20, 160, (anticipations, 1)),
        ],
    )
    return Dataset(np.log2(times / REFERENCE_TIME), labels, ("log2(response time / 400 ms)",))


def far_point(points: int, seed: int) -> Dataset:
    """Draw from three blobs well apart, and put the last point far from all others.

    Parameters, returns and errors as for `draw_blobs`; the far point is a component of its own, the fourth.
    """
    drawn = draw_blobs(BLOBS["three_blobs"], points, seed)
    assert drawn.labels is not None
    data, labels = drawn.data.copy(), drawn.labels.copy()
    data[-1], labels[-1] = FAR, len(BLOBS["three_blobs"])
    return Dataset(data, labels, drawn.columns)


def one_skewed(points: int, seed: int) -> Dataset:
    """Draw from one process that is skewed to the right: how long one waits for two things that come one by one.

    Parameters, returns and errors as for `draw_blobs`, but on a line: a Gamma distribution with shape 2 and scale 0.4,
    less 1, so that its mean is -0.2.
    """
    rng, labels = draw_labels(np.ones(1), points, seed)
    return Dataset(rng.gamma(2, 0.4, (points, 1)) - 1, labels, ("x",))


def diffusion(points: int, seed: int) -> Dataset:
    """Draw response times of one diffusion process: evidence drifts, with noise, until it meets a bound.

    Parameters and errors as for `draw_blobs`.

    Returns
    -------
    Dataset
        On a line: the time in seconds, less 1.

    Notes
    -----
    Evidence begins at 0, rises by 2.2 a second on average with a standard deviation of 1 a second, and meets its bound
    at 1.5. That takes a time of the inverse Gaussian distribution with mean 1.5 / 2.2 and shape 1.5² (Folks & Chhikara
    1978), which is drawn exactly, without steps in time. Another 0.3 s are spent on seeing and pressing.
    """
    rng, labels = draw_labels(np.ones(1), points, seed)
    return Dataset(UNDECIDED + rng.wald(BOUND / DRIFT, BOUND**2, (points, 1)) - 1, labels, ("response time − 1 s",))


def _listed(values: Sequence[float], points: int, seed: int) -> Dataset:
    """Return a set that there is one of, whatever the number and the seed."""
    return Dataset(np.array(values)[:, None], None, ("x",))


def two_fours(points: int, seed: int) -> Dataset:
    """Return `TWO_FOURS`, whatever the number and the seed."""
    return Dataset(np.array(TWO_FOURS), np.repeat([0, 1], 4), ("x", "y"))


DATASETS: dict[str, Callable[[int, int], Dataset]] = {
    **{name: partial(_listed, values) for name, values in LISTED.items()},
    "two_fours": two_fours,
    **{name: partial(draw_blobs, blobs) for name, blobs in BLOBS.items()},
    "far_point": far_point,
    "response_times": response_times,
    "one_skewed": one_skewed,
    "diffusion": diffusion,
}
"""All sets by name; each is drawn from a number of points and a seed."""


def draw_labels(shares: np.ndarray, points: int, seed: int) -> tuple[np.random.Generator, np.ndarray]:
    """Check the arguments and draw the component of each point.

    One uniform number places a comb of equally spaced teeth on the shares (systematic sampling): each point is of
    component k with probability share k, yet no component can be missed that is owed a whole point.
    """
    if not LEAST_POINTS <= whole_from("points", points, LEAST_POINTS) <= MOST_POINTS:
        raise ValueError(f"points must be {MOST_POINTS} or less, got {points}")
    rng = np.random.default_rng(whole_from("seed", seed, 0))
    teeth = (np.arange(points) + rng.random()) / points
    return rng, rng.permutation(np.searchsorted(np.cumsum(shares)[:-1], teeth, side="right"))


def in_place(labels: np.ndarray, draws: list[np.ndarray]) -> np.ndarray:
    """Put the draws of each component where the labels name it, shape (N, D)."""
    data = np.empty((len(labels), draws[0].shape[1]))
    for component, drawn in enumerate(draws):
        data[labels == component] = drawn
    return data


def _read_only(values: ArrayLike, kind: type) -> np.ndarray:
    copy: np.ndarray = np.array(values, kind)
    copy.flags.writeable = False
    return copy
