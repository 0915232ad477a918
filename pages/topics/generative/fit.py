"""The posterior of a story after some examples, and its plug-in estimates; and logistic regression on the same ones."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from lessons.own.examples import Examples
from lessons.topics.generative import GenerativeSettings
from samplers.generative.classifier import Classifier, ClassPosterior, GenerativeModel
from samplers.generative.features import Encoding, Feature
from samplers.log_density import NoMode
from samplers.mixtures.labels import HIDDEN
from samplers.regression.laplace import laplace_approximation
from samplers.regression.logistic import LogisticRegression
from samplers.regression.predictives import draw_weights, predict_probit
from samplers.regression.softmax import SoftmaxRegression, predict_softmax

DRAWS = 200  # of softmax's weights, over which its predictions are averaged
PRECISION = 1.0  # of the weights' prior


@dataclass(frozen=True, eq=False)
class Fit:
    """A model, as settings have it, and all its examples."""

    settings: GenerativeSettings
    examples: Examples

    @cached_property
    def encoding(self) -> Encoding:
        """The coding of features as columns."""
        return self.settings.encoding(self.examples.features)

    @cached_property
    def model(self) -> GenerativeModel:
        """The model, by the rule."""
        return self.settings.model(self.examples.features, len(self.examples.classes))

    @cached_property
    def rows(self) -> np.ndarray:
        """The examples as the model reads them, shape (N, D)."""
        return self.read(self.examples.values)

    @cached_property
    def known(self) -> np.ndarray:
        """The labels that are known, -1 for the others, shape (N,)."""
        return self.settings.now.known(self.settings, self.examples.labels)

    def read(self, values: np.ndarray) -> np.ndarray:
        """Return values as rows of the model."""
        return self.model.read(self.encoding.rows(values))

    def posterior(self, labels: np.ndarray) -> ClassPosterior:
        """Return the posterior if the examples have these labels, -1 where hidden."""
        return self.model.posterior(self.rows, labels)

    def classifier(self, by: str, labels: np.ndarray) -> Classifier:
        """Return the classifier by an estimate: averaged over the posterior, MAP or MLE.

        Raises
        ------
        NoMode
            If there is no such estimate.
        """
        if by == "posterior":
            return self.posterior(labels).predictive()
        return self.model.plug_in(self.rows, labels, prior=by == "MAP")

    def predict(self, by: str, values: np.ndarray, labellings: Sequence[np.ndarray]) -> np.ndarray:
        """Return the probability of each class at values, shape (P, K), averaged over labellings of the examples.

        NaN where there is no answer: no estimate, a missing feature that logistic regression wants, or 0/0.
        """
        simulated = self.settings.simulated
        if by == "truth" and simulated:
            return self.settings.asked(simulated.story.truth()).predict(simulated.encoding.rows(values))
        if by == "logistic":
            return rival(self.examples, np.where(labellings[-1] == self.known, self.known, HIDDEN), values)
        if by == "labelled":
            by, labellings = "posterior", [self.known]
        try:
            rows = self.read(values)
            answers = [self.settings.asked(self.classifier(by, labels)).predict(rows) for labels in labellings]
        except NoMode:
            return np.full((len(values), len(self.examples.classes)), np.nan)
        return np.mean(answers, axis=0)

    def problem(self, by: str, labels: np.ndarray) -> str | None:
        """Return why there is no such estimate, None if there is one."""
        try:
            self.classifier(by, labels)
        except NoMode as error:
            return str(error)
        return None


def rival(examples: Examples, labels: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Return the probability of each class at values by logistic regression, or softmax regression of three classes.

    It learns from the examples of which all is known, shape (P, K); where a feature is missing it has no answer: NaN.
    """
    usable = (labels != HIDDEN) & ~np.isnan(examples.values).any(axis=1)
    features, asked = (design(examples.features, part) for part in (examples.values[usable], values))
    complete = ~np.isnan(asked).any(axis=1)
    classes = len(examples.classes)
    answers = np.full((len(values), classes), np.nan)
    if classes == 2:
        found = laplace_approximation(LogisticRegression(features, labels[usable], PRECISION))
        yes = predict_probit(asked[complete], found.mode, found.covariance)
        answers[complete] = np.column_stack([1 - yes, yes])
    else:
        found = laplace_approximation(SoftmaxRegression(features, labels[usable], classes, PRECISION))
        weights = draw_weights(found.mode, found.covariance, DRAWS, np.random.default_rng(0))
        answers[complete] = predict_softmax(asked[complete], weights)
    return answers


def design(features: tuple[Feature, ...], values: np.ndarray) -> np.ndarray:
    """Return the features of a regression: a bias, numbers as they are, and all categories but the first."""
    encoding = Encoding(features)
    first = [encoding.columns([place])[0] for place, feature in enumerate(features) if feature.levels]
    return np.column_stack([np.ones(len(values)), np.delete(encoding.rows(values), first, axis=1)])
