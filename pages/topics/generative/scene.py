"""A run with what can be asked of it: predictions, and a query's terms."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from lessons.own.examples import Examples
from lessons.topics.generative import GenerativeSettings
from pages.drawing.plane import crossings
from pages.scenes.scene import RunScene
from pages.topics.generative.fit import Fit
from pages.topics.generative.run import GenerativeRun

EVERYWHERE = np.linspace(-10.5, 10.5, 91)  # of either feature: beyond are fewer than 1 in 10,000 examples of a story
LEAST = 1e-300  # of a probability whose logarithm is taken


@dataclass(frozen=True)
class GenerativeScene(RunScene[GenerativeSettings, GenerativeRun]):
    """A fit, of model and examples, with its run."""

    fit: Fit

    @property
    def examples(self) -> Examples:
        """All examples."""
        return self.fit.examples

    @property
    def asked(self) -> np.ndarray:
        """The query's values, NaN of features that it lacks."""
        return self.settings.query(self.examples.features)

    def step(self, t: int) -> int:
        """Return the step that frame t shows; there are fewer if examples have been removed since."""
        return min(t, self.run.total)

    def predict(self, by: str, values: np.ndarray, t: int) -> np.ndarray:
        """Return the probability of each class at values, shape (P, K), as it is known at iteration t."""
        return self.fit.predict(by, values, self.run.labellings(t))

    @property
    def compared(self) -> bool:
        """Whether the map is one of a difference."""
        settings = self.settings
        if settings.against in ("none", settings.estimate):
            return False
        return settings.against != "truth" or settings.simulated is not None

    @property
    def in_pairs(self) -> bool:
        """Whether examples have four features, all numbers of a story."""
        features = self.examples.features
        return self.settings.simulated is not None and len(features) == 4 and not any(one.bars for one in features)

    @property
    def tested(self) -> bool:
        """Whether there are new examples to be tested on: points in a plane, of a story."""
        return self.settings.tested != "off" and self.settings.simulated is not None and self.examples.in_plane

    @cached_property
    def _every(self) -> tuple[np.ndarray, np.ndarray]:
        """Places all over the plane, shape (P, 2), and how probable a new example with each label is there, (P, K)."""
        assert self.settings.simulated
        places, story = crossings(EVERYWHERE, EVERYWHERE), self.settings.simulated
        shares = np.exp(story.story.truth().terms(story.encoding.rows(places)).sum(axis=1))
        return places, shares / shares.sum()

    def lost(self, by: str, t: int) -> tuple[float, float]:
        """Return the share of all new examples that a classifier has wrong, and its log loss: integrals over the plane.

        NaN if it has no answer.
        """
        places, shares = self._every
        answers = self.predict(by, places, t)
        if np.isnan(answers).any():
            return np.nan, np.nan
        right = shares[np.arange(len(places)), answers.argmax(axis=1)].sum()
        return float(1 - right), float(-(shares * np.log(np.maximum(answers, LEAST))).sum())

    def terms(self, t: int, query: np.ndarray) -> tuple[list[str], np.ndarray] | None:
        """Return the names of the query's terms, and the terms in each class, shape (terms, K).

        None if there is no estimate. Sweeps over labels have one for each: those of the last sweep are shown.
        """
        fit, encoding = self.fit, self.fit.encoding
        labels = self.run.labels_at(t)
        if fit.problem(self.settings.estimate, labels):
            return None
        classifier = self.settings.asked(fit.classifier(self.settings.estimate, labels))
        row = fit.read(query[None])
        missing = np.flatnonzero(np.isnan(row[0]))
        lacking = classifier.without(missing) if missing.size else classifier
        terms = lacking.terms(np.delete(row, missing, axis=1))[0]
        there = [
            [place for place in group if not np.isnan(row[0, encoding.columns([place])]).any()]
            for group in encoding.groups
        ]
        names = [" & ".join(self.examples.features[place].name for place in group) for group in there if group]
        return ["weight", *names], terms


def rivals_of(terms: np.ndarray) -> tuple[int, int]:
    """Return the two classes whose odds are shown: of two, the second against the first; else the two most probable."""
    if terms.shape[1] == 2:
        return 1, 0
    order = np.argsort(terms.sum(axis=0))
    return int(order[-1]), int(order[-2])
