"""Categories that were recorded wrongly: a classifier that averages over what they may have been.

Piyush Rai's lecture of 23 January 2019 (CS698X, Topics in Probabilistic Modeling and Inference) names missing and
corrupted features as a strength of generative classification: a channel from the true feature to the recorded one is
one more factor, and the true one is summed out.
"""

from dataclasses import replace
from typing import Any

import numpy as np

from samplers.conjugate import DirichletMultinomial, Multinomial, Product
from samplers.conjugate.product import ProductParameters
from samplers.generative.classifier import Classifier


def flipped(classifier: Classifier, chance: float) -> Classifier:
    """Return the classifier of rows in which each category may be a wrong one.

    Parameters
    ----------
    classifier : Classifier
        Of true rows.
    chance : float
        The probability that a category was recorded as another one of its feature, each with the same chance; from 0 to
        below 1. Numbers are recorded as they are.

    Raises
    ------
    ValueError
        If the chance is out of range.
    """
    if not 0 <= chance < 1:
        raise ValueError(f"chance must be from 0 to below 1, got {chance}")
    if not chance:
        return classifier

    def recorded(shares: np.ndarray) -> np.ndarray:
        """Return shares of the recorded categories, or their pseudo-counts: both keep their sum."""
        others: np.ndarray = (shares.sum() - shares) / (shares.size - 1)
        return (1 - chance) * shares + chance * others

    def group(part: Any) -> Any:
        if isinstance(part, Multinomial):
            return Multinomial(recorded(part.probabilities))
        # of a single row, the probability of a category is its pseudo-count's share
        return part.with_counts(recorded(part.prior)) if isinstance(part, DirichletMultinomial) else part

    def conditional(one: Product | ProductParameters) -> Product | ProductParameters:
        if isinstance(one, Product):
            return Product([group(family) for family in one.families])
        return ProductParameters([group(parameters) for parameters in one.groups])

    return replace(classifier, conditionals=tuple(conditional(one) for one in classifier.conditionals))
