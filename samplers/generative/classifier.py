"""Generative classification: distributions of labels, and of features in each class, and Bayes' rule to turn it round.

After Piyush Rai's lecture of 23 January 2019 (CS698X, Topics in Probabilistic Modeling and Inference), slides "A
Generative Model for Classification" to "Naïve Bayes Assumption". What is known after N labelled examples is a product
of posteriors: of the classes' weights, and of each class's parameters.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from samplers.checks import for_each, whole_from
from samplers.conjugate.dirichlet_multinomial import DirichletMultinomial
from samplers.conjugate.family import Sums
from samplers.conjugate.product import Product, ProductParameters
from samplers.log_density import NoMode
from samplers.mixtures.labels import HIDDEN, as_labels


@dataclass(frozen=True, eq=False)
class Classifier:
    """Weights of classes, and a distribution of the features in each: what Bayes' rule needs."""

    log_weights: np.ndarray  # log probability of each class before the features are seen, shape (K,)
    # for each class, a posterior of its parameters, which are integrated out; or parameters that are plugged in
    conditionals: tuple[Product | ProductParameters, ...]

    def terms(self, rows: np.ndarray) -> np.ndarray:
        """Return the log terms of each row, which add up to its log joint, shape (n, 1 + groups, K).

        The first is the class's log weight; the others are the log density of each group of columns in the class, 0
        where a number is missing.
        """
        by_group = np.stack([conditional.terms(rows) for conditional in self.conditionals], axis=-1)
        weights = np.broadcast_to(self.log_weights, (len(rows), 1, len(self.log_weights)))
        return np.concatenate([weights, by_group], axis=1)

    def log_joint(self, data: ArrayLike) -> np.ndarray:
        """Return log p(row, class), shape (n, K); columns that are missing (NaN) in a row are integrated out there.

        Parameters
        ----------
        data : array_like
            Shape (n, D).
        """
        rows = np.asarray(data, float)
        holes = np.isnan(rows)
        if not holes.any():
            return self._log_joint(rows)
        found = np.empty((len(rows), len(self.log_weights)))
        patterns, which = np.unique(holes, axis=0, return_inverse=True)
        for number, pattern in enumerate(patterns):
            there = which == number
            found[there] = self.without(np.flatnonzero(pattern))._log_joint(rows[np.ix_(there, ~pattern)])
        return found

    def _log_joint(self, rows: np.ndarray) -> np.ndarray:
        densities = [conditional.log_density(rows) for conditional in self.conditionals]
        return np.column_stack(densities) + self.log_weights

    def predict(self, data: ArrayLike) -> np.ndarray:
        """Return the probability of each class at each row, shape (n, K); see `log_joint`.

        Where a row is impossible in every class, as it can be by plugged-in probabilities of 0, all are NaN: 0/0.
        """
        log_joint = self.log_joint(data)
        with np.errstate(invalid="ignore"):
            return special.softmax(log_joint, axis=1)

    def without(self, columns: ArrayLike) -> "Classifier":
        """Return the classifier of rows that lack some columns: these are integrated out."""
        left_out = set(np.asarray(columns).tolist())
        kept = [column for column in range(self.conditionals[0].dimension) if column not in left_out]
        return replace(self, conditionals=tuple(conditional.marginal(kept) for conditional in self.conditionals))


@dataclass(frozen=True, eq=False)
class ClassPosterior:
    """The posterior of a `GenerativeModel` after labelled examples: independent for each part."""

    weights: DirichletMultinomial  # posterior of the classes' weights: pseudo-counts and counts
    families: tuple[Product, ...]  # posterior of each class's parameters

    def replicate(self, labels: ArrayLike, rng: np.random.Generator) -> np.ndarray:
        """Draw a row for each of these labels, shape (N, D): each class's parameters are drawn once, then its rows."""
        classes = np.asarray(labels, int)
        rows = np.empty((len(classes), self.families[0].dimension))
        for label, family in enumerate(self.families):
            here = classes == label
            rows[here] = family.draw(rng).points(int(here.sum()), rng)
        return rows

    def predictive(self) -> Classifier:
        """Return the classifier in which all parameters are integrated out."""
        return Classifier(np.log(self.weights.typical().probabilities), self.families)

    def mode(self) -> Classifier:
        """Return the classifier with the most probable parameters plugged in.

        Raises
        ------
        NoMode
            If there are none: a class has too few examples, or a column does not vary in it, and no prior helps out.
            The message names all such classes.
        """
        modes: list[ProductParameters] = []
        why: dict[str, list[str]] = {}
        for label, family in enumerate(self.families):
            try:
                modes.append(family.mode())
            except NoMode as error:
                why.setdefault(str(error), []).append(f"class {label}")
        if why:
            raise NoMode("; ".join(f"{' and '.join(classes)}: {reason}" for reason, classes in why.items()))
        with np.errstate(divide="ignore"):
            return Classifier(np.log(self.weights.mode().probabilities), tuple(modes))


@dataclass(frozen=True, eq=False)
class GenerativeModel:
    """Labels y ~ Categorical(weights), rows x ~ p(x | parameters of class y), and conjugate priors of both.

    Parameters
    ----------
    family : Product
        The prior of a class's parameters, the same for each. One group is a full model, a group a column naive Bayes.
    classes : int
        K, from 2.
    class_prior : float or array_like
        Pseudo-count of each class, above 0: one number for all, or shape (K,). Of two classes it is Beta(b, a).

    Raises
    ------
    TypeError
        If classes is no integer.
    ValueError
        If a setting is out of range.

    Examples
    --------
    >>> from samplers.conjugate import NormalInverseGamma
    >>> model = GenerativeModel(Product([NormalInverseGamma(0, 1, 1, 1)]), 2, 1.0)
    >>> posterior = model.posterior([[-1.2], [-0.8], [1.1]], [0, 0, 1])
    >>> posterior.weights.prior
    array([3., 2.])
    >>> posterior.predictive().predict([[-1.0], [np.nan]]).round(2)
    array([[0.82, 0.18],
           [0.6 , 0.4 ]])
    """

    family: Product
    classes: int
    class_prior: float | np.ndarray

    def __post_init__(self) -> None:
        object.__setattr__(self, "classes", whole_from("classes", self.classes, 2))
        object.__setattr__(self, "class_prior", for_each("class_prior", self.class_prior, self.classes))

    def read(self, data: ArrayLike) -> np.ndarray:
        """Return rows as the model reads them, shape (n, D): a number that is missing is NaN, and stays so."""
        return np.array(data, float)

    def posterior(self, data: ArrayLike, labels: ArrayLike) -> ClassPosterior:
        """Return the state of knowledge after examples; those whose label is hidden teach nothing.

        Parameters
        ----------
        data : array_like
            Rows, shape (N, D), with NaN where a number is missing: see `Product`.
        labels : array_like of int
            Class of each, shape (N,), and -1 where it is hidden.

        Raises
        ------
        ValueError
            If the data or the labels are not what the model takes.
        """
        return self._posterior(*self._seen(data, labels))

    def _seen(self, data: ArrayLike, labels: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
        """Return checked rows with their labels, where these are known."""
        rows = self.family.rows(self.read(data))
        known = as_labels(labels, len(rows), self.classes)
        seen = known != HIDDEN
        return (rows, known) if seen.all() else (rows[seen], known[seen])

    def _posterior(self, rows: np.ndarray, labels: np.ndarray) -> ClassPosterior:
        counts = np.bincount(labels, minlength=self.classes)
        weights = DirichletMultinomial(self.class_prior).given(Sums(labels.size, counts, np.empty(0)))
        return ClassPosterior(weights, tuple(self.family.given_labels(rows, labels, self.classes)))

    def plug_in(self, data: ArrayLike, labels: ArrayLike, prior: bool = True) -> Classifier:
        """Return the classifier with parameters plugged in: the posterior's mode, or without a prior the likelihood's.

        Raises
        ------
        ValueError
            As `posterior`.
        NoMode
            As `ClassPosterior.mode`.
        """
        seen = self._seen(data, labels)
        flat = replace(self, family=self.family.to_the_power(0), class_prior=np.ones(self.classes))
        return (self if prior else flat)._posterior(*seen).mode()
