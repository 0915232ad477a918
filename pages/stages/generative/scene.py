"""A run with what can be asked of it: predictions, and a query's terms."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lessons.stages.generative import GenerativeSettings
from pages.stages.generative.fit import Examples, Fit
from pages.stages.generative.run import GenerativeRun
from pages.stages.scene import RunScene


@dataclass(frozen=True)
class Scene(RunScene[GenerativeSettings, GenerativeRun]):
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
        """Return the step to speak of in frame t; of examples that were removed since, there are fewer."""
        return min(t, self.run.total)

    def predict(self, by: str, values: np.ndarray, t: int) -> np.ndarray:
        """Return the probability of each class at values, shape (P, K), as it is known at iteration t."""
        return self.fit.predict(by, values, self.run.labellings(t))

    @property
    def compared(self) -> bool:
        """Whether the map is one of a difference."""
        settings = self.settings
        if settings.tells or settings.against in ("none", settings.estimate):
            return False
        return settings.against != "truth" or settings.simulated is not None

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
