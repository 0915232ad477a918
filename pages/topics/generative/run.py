"""A run of the story, of examples that arrive, or of hidden labels; with the shapes of the classes at each step."""

from typing import Any

import numpy as np

from pages.player.run import KEPT, Run
from pages.topics.generative.fit import Fit
from pages.topics.generative.shapes import shapes_of
from samplers import Chain
from samplers.generative.classifier import Classifier
from samplers.log_density import NoMode
from samplers.mixtures.labels import HIDDEN
from samplers.recipe import Kernel

UNKNOWN = 255  # in place of a label that is hidden
AVERAGED = 20  # sweeps, at most, over whose labels predictions are averaged


class GenerativeRun(Run[Any]):
    """The iterations of one run.

    Parameters
    ----------
    fit : Fit
        Model and examples.
    seed : int
        Of the chain.

    Attributes
    ----------
    shapes : numpy.ndarray
        Of each class, by `shapes_of`, shape (T + 1, rows, fields); NaN where there is none.
    counts : numpy.ndarray
        Pseudo-counts of the classes' weights, shape (T + 1, K); NaN while the story draws.
    labels : numpy.ndarray
        The labels that are taken for known: 255 where one is not, shape (T + 1, N).
    value : numpy.ndarray
        The log joint of a run of labels, shape (T + 1,); NaN of others.
    """

    unit = "steps"

    def __init__(self, fit: Fit, seed: int) -> None:
        self.fit, settings, examples = fit, fit.settings, fit.examples
        self.total = settings.now.steps(settings, len(examples.labels))
        rows, classes = self.total + 1, len(examples.classes)
        self.counts = np.full((rows, classes), np.nan, np.float32)
        self.labels = np.full((rows, len(examples.labels)), UNKNOWN, np.uint8)
        self.value = np.full(rows, np.nan, np.float32)
        shapes, sampler = self._begun()
        self.shapes = np.full((rows, *shapes.shape), shapes, np.float32)
        super().__init__(Chain(sampler, seed, keep=KEPT))

    def _begun(self) -> tuple[np.ndarray, Kernel[Any, Any]]:
        """Return shapes for all rows of `shapes` to begin with, and what makes the steps."""
        fit = self.fit
        shapes = np.full_like(self._shapes(fit.posterior(fit.known).predictive()), np.nan)
        return shapes, fit.settings.sampler()

    def _shapes(self, classifier: Classifier) -> np.ndarray:
        return shapes_of(self.fit.examples, self.fit.encoding, classifier)

    def add(self, t: int, state: Any) -> None:
        labels = self._labels_of(t, state)
        self.labels[t] = np.where(labels == HIDDEN, UNKNOWN, labels)
        self._learn(t, labels)

    def _learn(self, t: int, labels: np.ndarray) -> None:
        """Keep what labels say of the classes."""
        self.counts[t] = self.fit.posterior(labels).weights.prior
        try:
            self.shapes[t] = self._shapes(self.fit.classifier(self.fit.settings.estimate, labels))
        except NoMode:
            return

    def _labels_of(self, t: int, state: Any) -> np.ndarray:
        return np.where(np.arange(len(self.fit.known)) < t, self.fit.known, HIDDEN)

    def labels_at(self, t: int) -> np.ndarray:
        """Return the labels that are taken for known at iteration t, -1 where one is not, shape (N,)."""
        return np.where(self.labels[t] == UNKNOWN, HIDDEN, self.labels[t].astype(int))

    def seen(self, t: int) -> np.ndarray:
        """Return the labels, as they are taken at iteration t, of the examples that are there by then."""
        return self.labels_at(t)[:t]

    def labellings(self, t: int) -> list[np.ndarray]:
        """Return the labellings over which predictions at iteration t are averaged."""
        return [self.labels_at(t)]


class StoryRun(GenerativeRun):
    """The story draws an example a step."""

    def _begun(self) -> tuple[np.ndarray, Kernel[Any, Any]]:
        simulated = self.fit.settings.simulated
        assert simulated
        return shapes_of(self.fit.examples, simulated.encoding, simulated.story.truth()), self.fit.settings.sampler()

    def _learn(self, t: int, labels: np.ndarray) -> None:
        return  # the story knows its classes


class LabelsRun(GenerativeRun):
    """A step redraws all hidden labels."""

    def add(self, t: int, state: Any) -> None:
        super().add(t, state)
        sampler: Any = self.chain.sampler
        if t:
            self.value[t] = sampler.log_joint(state)

    def _labels_of(self, t: int, state: Any) -> np.ndarray:
        return np.array(state.labels) if t else self.fit.known  # before the first draw they are arbitrary

    def seen(self, t: int) -> np.ndarray:
        return self.labels_at(t)

    def labellings(self, t: int) -> list[np.ndarray]:
        """Return the labellings of sweeps in the second half, over which predictions are averaged."""
        if t < 2:
            return [self.labels_at(t)]
        return [self.labels_at(now) for now in np.unique(np.linspace((t + 1) // 2, t, AVERAGED).round().astype(int))]
