"""The generative process: a label is drawn, and then features given the label."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from samplers.chain import Chain
from samplers.checks import whole_from
from samplers.conjugate.product import ProductParameters
from samplers.generative.classifier import Classifier
from samplers.recipe import Conditional, Kernel


class Example(NamedTuple):
    """A label, and a row of features, shape (D,)."""

    label: int
    row: np.ndarray


@dataclass(frozen=True, eq=False)
class Story(Kernel[Example | None, float]):
    """One more example a step, which forgets the last one; the record is the number in [0, 1) that drew its label.

    Parameters
    ----------
    weights : tuple of float
        Probability of each class.
    conditionals : tuple of ProductParameters
        The distribution of the features in each.
    """

    weights: tuple[float, ...]
    conditionals: tuple[ProductParameters, ...]

    def init(self, rng: np.random.Generator) -> None:
        """Return no example."""

    def variables(self, state: Example | None) -> dict[str, Any]:
        """Return the example's label and its row; of no example nothing."""
        return state._asdict() if state else {}

    def step(self, state: Example | None, rng: np.random.Generator) -> tuple[Example, float]:
        """Draw a label, and features given it."""
        uniform = rng.random()
        label = Conditional({"weight": np.log(self.weights).tolist()}).pick(uniform)
        return Example(label, self.conditionals[label].points(1, rng)[0]), uniform

    def examples(self, count: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the first examples of a run: rows of shape (count, D), and labels of shape (count,).

        More examples begin with the same ones.
        """
        chain = Chain(self, seed)
        told = [chain[t] for t in range(1, whole_from("count", count, 0) + 1)]
        rows = np.array([example.row for example in told if example]).reshape(-1, self.conditionals[0].dimension)
        return rows, np.array([example.label for example in told if example], int)

    def truth(self) -> Classifier:
        """Return the classifier of who knows the story's own numbers."""
        return Classifier(np.log(self.weights), self.conditionals)
