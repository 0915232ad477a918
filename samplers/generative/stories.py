"""Generative processes of examples of two or three classes: simulated data whose truth is known.

Numbers lie within about ±8. Examples of one seed begin alike, however many there are.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from samplers.checks import whole_from
from samplers.conjugate import Multinomial, Normal, Parameters, Poisson
from samplers.conjugate.product import ProductParameters
from samplers.generative.features import Encoding, Feature
from samplers.generative.story import Story

MOST_EXAMPLES = 500
X = (Feature("x₁"), Feature("x₂"))
FOUR = (*X, Feature("x₃"), Feature("x₄"))
YES = ("no", "yes")
WORDS = tuple(Feature(word, YES) for word in ("win", "free", "call", "lunch", "thanks", "home"))
MESSAGE = (
    Feature("length"),
    Feature("capitals"),
    Feature("link", YES),
    Feature("sender", ("friend", "list", "unknown")),
)


@dataclass(frozen=True, eq=False)
class Simulated:
    """A story, and what its examples are."""

    story: Story  # the true generative process
    encoding: Encoding  # how the story writes its features
    classes: tuple[str, ...]  # their names

    def examples(self, count: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
        """Return examples: values of shape (count, features) and labels of shape (count,).

        Raises
        ------
        ValueError
            If the number is out of range, 0 to 500, or the seed negative.
        """
        if whole_from("count", count, 0) > MOST_EXAMPLES:
            raise ValueError(f"count must be {MOST_EXAMPLES} or less, got {count}")
        rows, labels = self.story.examples(count, seed)
        return self.encoding.values(rows), labels


def _normal(mean: Sequence[float], *covariance: Sequence[float] | float) -> Normal:
    """Return a Normal with a covariance that is a number on the diagonal, or given by rows."""
    if isinstance(covariance[0], float):
        return Normal(np.array(mean), covariance[0] * np.eye(len(mean)))
    return Normal(np.array(mean), np.array(covariance))


def _simulated(
    features: tuple[Feature, ...],
    weights: tuple[float, ...],
    conditionals: Sequence[Sequence[Parameters]],
    classes: tuple[str, ...] = (),
) -> Simulated:
    story = Story(weights, tuple(ProductParameters(groups) for groups in conditionals))
    named = classes or tuple(f"class {label}" for label in range(len(weights)))
    return Simulated(story, Encoding(features, "whole"), named)


def _chances(*yes: float) -> list[Parameters]:
    return [Multinomial(np.array([1 - chance, chance])) for chance in yes]


CORRELATED = ((4.5, 3.6), (3.6, 4.5))
PAIRS = np.kron(np.eye(2), np.array(CORRELATED)).tolist()

STORIES = {
    "equal": _simulated(X, (0.5, 0.5), [[_normal((-2.2, -0.9), 3.4)], [_normal((2.2, 0.9), 3.4)]]),
    "unequal": _simulated(X, (0.6, 0.4), [[_normal((-0.8, 0.0), 6.5)], [_normal((1.7, 0.8), 1.1)]]),
    "correlated": _simulated(X, (0.5, 0.5), [[_normal((-1.7, -0.7), *CORRELATED)], [_normal((1.7, 0.7), *CORRELATED)]]),
    "three": _simulated(
        X,
        (0.4, 0.35, 0.25),
        [
            [_normal((-3.0, -1.7), 2.2)],
            [_normal((3.0, -1.4), (2.8, 1.7), (1.7, 2.8))],
            [_normal((0.3, 2.9), (4.4, 0.0), (0.0, 1.1))],
        ],
    ),
    "pairs": _simulated(
        FOUR,
        (0.5, 0.5),
        [[_normal((-1.3, -0.7, -1.0, 0.7), *PAIRS)], [_normal((1.3, 0.7, 1.0, -0.7), *PAIRS)]],
    ),
    "words": _simulated(
        WORDS,
        (0.65, 0.35),
        [_chances(0.02, 0.15, 0.30, 0.25, 0.25, 0.30), _chances(0.40, 0.55, 0.60, 0.02, 0.05, 0.04)],
        ("ham", "spam"),
    ),
    "counts": _simulated(
        (Feature("length"), Feature("links", counted=True), Feature("exclamation marks", counted=True)),
        (0.65, 0.35),
        [[_normal((-1.2,), 2.0), Poisson(0.4), Poisson(1.0)], [_normal((1.0,), 2.8), Poisson(2.0), Poisson(3.0)]],
        ("ham", "spam"),
    ),
    "mixed": _simulated(
        MESSAGE,
        (0.65, 0.35),
        [
            [_normal((-1.2, -0.8), 2.0), *_chances(0.15), Multinomial(np.array([0.6, 0.3, 0.1]))],
            [_normal((1.4, 1.2), 2.8), *_chances(0.75), Multinomial(np.array([0.05, 0.25, 0.7]))],
        ],
        ("ham", "spam"),
    ),
}
"""The stories by name."""
