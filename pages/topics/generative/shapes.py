"""The shapes of the classes: contours of a density in the plane, or a curve for each feature."""

from typing import Any

import numpy as np

from lessons.data.columns import REACH
from lessons.own.examples import Examples
from samplers.generative.classifier import Classifier
from samplers.generative.features import Encoding

FRACTIONS = np.exp([-0.5, -2.0])  # of the highest density: one and two standard deviations of a Normal
ANGLES = np.linspace(0, 2 * np.pi, 49)
PLACES = np.linspace(-REACH[1], REACH[1], 49)  # of a number, at which its density is computed
NEWTON_STEPS = 12


def shapes_of(examples: Examples, encoding: Encoding, classifier: Classifier) -> np.ndarray:
    """Return the shapes of all classes: corners, shape (K · 2 · 49, 2), or what `curve_places` lists, shape (.., 1)."""
    if examples.in_plane:
        return np.concatenate([corners_of(conditional) for conditional in classifier.conditionals])
    return densities_of(encoding, classifier)[:, None]


def corners_of(conditional: Any) -> np.ndarray:
    """Return where a class's density in the plane has fallen to the `FRACTIONS` of its highest, shape (2 · 49, 2).

    Along a ray each group's term falls as (ν + d)/2 · log(1 + q r²/ν), where q is the squared length of the ray's
    direction in the group's own scale, and that of a Normal as q r²/2. Newton's method finds the r² at which they have
    fallen enough together; as the sum is concave in r², it comes from below and never oversteps.
    """
    groups = conditional.families if hasattr(conditional, "families") else conditional.groups
    directions = np.column_stack([np.cos(ANGLES), np.sin(ANGLES)])
    found = [group.student_t() for group in groups]
    centre, depth = np.concatenate([mean for mean, _, _ in found]), -np.log(FRACTIONS)[:, None]
    terms = []
    for (mean, scale, df), place in zip(found, conditional.places, strict=True):
        own = directions[:, place]
        terms.append(((own @ np.linalg.inv(scale) * own).sum(axis=1), len(mean), df))
    squares = np.zeros((len(FRACTIONS), len(ANGLES)))
    for _ in range(NEWTON_STEPS):
        fallen, slope = np.zeros_like(squares), np.zeros_like(squares)
        for length, size, df in terms:
            heavy = np.isfinite(df)
            fallen += (df + size) / 2 * np.log1p(length * squares / df) if heavy else length * squares / 2
            slope += (df + size) / 2 * length / (df + length * squares) if heavy else length / 2
        squares += (depth - fallen) / slope
    corners: np.ndarray = centre + np.sqrt(squares)[..., None] * directions
    return corners.reshape(-1, 2)


def densities_of(encoding: Encoding, classifier: Classifier) -> np.ndarray:
    """Return the density of each number at `PLACES` and the probability of each category, feature by feature.

    Within a feature, class by class: the order of `curve_places`.
    """
    parts = []
    for place, feature in enumerate(encoding.features):
        (*columns,) = encoding.columns([place])
        at = np.eye(feature.width) if feature.levels else PLACES[:, None]
        if feature.counted:
            at = np.arange(float(len(feature.bars)))[:, None]
        parts += [np.exp(conditional.marginal(columns).log_density(at)) for conditional in classifier.conditionals]
    return np.concatenate(parts)
