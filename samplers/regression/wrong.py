"""Wrong rules for Bayesian logistic regression, each close to the right one: what the lessons ask learners to find.

There are wrong predictives, with the arguments of those in `samplers.regression.predictives`; a wrong model; a wrong
approximation of the posterior, in place of `samplers.regression.laplace.laplace_approximation`; and wrong rules of a
swap, for any log density. All run.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from samplers.regression.laplace import Laplace, laplace_approximation
from samplers.regression.logistic import LogisticRegression
from samplers.regression.optimise import FAR
from samplers.regression.predictives import Predictive, activation
from samplers.regression.tempering import MetropolisLadder
from samplers.tempering import COLDER, HOTTER


def gaussian_without_half(features: ArrayLike, mode: ArrayLike, covariance: ArrayLike) -> np.ndarray:
    """Φ has e^(-t²) under its integral and not e^(-t²/2): it never gets above 0.71, and is 0.35 on the boundary."""
    mean, variance = activation(features, mode, covariance)
    integral = np.sqrt(np.pi) / 2 * (1 + special.erf(mean / np.sqrt(8 / np.pi + variance)))
    return integral / np.sqrt(2 * np.pi)


def erf_for_probit(features: ArrayLike, mode: ArrayLike, covariance: ArrayLike) -> np.ndarray:
    """Φ(z) is computed as (1 + erf(z))/2, which is Φ(√2 z): too sure everywhere but on the boundary."""
    mean, variance = activation(features, mode, covariance)
    return 0.5 * (1 + special.erf(mean / np.sqrt(8 / np.pi + variance)))


def probit_not_scaled(features: ArrayLike, mode: ArrayLike, covariance: ArrayLike) -> np.ndarray:
    """Φ(μ_a / √(1 + σ_a²)) has 1 in place of 8/π: the answer of a probit model to a logistic one's weights."""
    mean, variance = activation(features, mode, covariance)
    return special.ndtr(mean / np.sqrt(1 + variance))


def mackay_not_scaled(features: ArrayLike, mode: ArrayLike, covariance: ArrayLike) -> np.ndarray:
    """σ(μ_a / √(1 + σ_a²)) forgets π/8: the variance counts two and a half times, and pulls too far towards 1/2."""
    mean, variance = activation(features, mode, covariance)
    return special.expit(mean / np.sqrt(1 + variance))


class PriorWithoutHalf(LogisticRegression):
    """The prior is exp(-λ wᵀw), and not exp(-λ/2 wᵀw): twice the precision, so weights come out too small."""

    times = 2

    def _set_prior(self, precisions: np.ndarray) -> None:
        super()._set_prior(self.times * precisions)


def prior_left_out_of_hessian(model: LogisticRegression) -> Laplace:
    """H is XᵀSX without λI: the mode is right, but the covariance knows nothing of the prior and is too wide.

    Without the prior the curvature may be 0 along some direction (with fewer points than weights, for one), which has
    an infinite variance then; the number in its place is large but finite.
    """
    found = laplace_approximation(model)
    curvatures, directions = np.linalg.eigh(-model.gradient_and_hessian(found.mode)[1] - np.diag(model.precisions))
    least = max(model.dimension * np.finfo(float).eps * curvatures.max(), FAR**-2)
    return found._replace(covariance=directions / np.maximum(curvatures, least) @ directions.T)


class WrongPredictive(NamedTuple):
    """A wrong predictive, the right one that it replaces, and its formula in mean m and variance v of the activation.

    The first line of the predictive's docstring says the error.
    """

    replaces: str
    predict: Predictive
    formula: str


WRONG_PREDICTIVES = {
    "e^(-t²) in Φ": WrongPredictive("probit", gaussian_without_half, "1/√(2π) · ∫ e^(−t²) dt up to {m} / √(8/π + {v})"),
    "erf for Φ": WrongPredictive("probit", erf_for_probit, "(1 + erf({m} / √(8/π + {v}))) / 2"),
    "1 for 8/π": WrongPredictive("probit", probit_not_scaled, "Φ({m} / √(1 + {v}))"),
    "π/8 forgotten": WrongPredictive("MacKay", mackay_not_scaled, "σ({m} / √(1 + {v}))"),
}
"""The wrong predictives by name."""

WRONG_MODELS: dict[str, type[LogisticRegression]] = {"prior without 1/2": PriorWithoutHalf}
"""The wrong models by name, likewise."""

WRONG_LAPLACES: dict[str, Callable[[LogisticRegression], Laplace]] = {"no prior in H": prior_left_out_of_hessian}
"""The wrong approximations by name, likewise."""


class RatioLeftOut(MetropolisLadder):
    """Every swap is accepted: states of hot levels come down, whatever the cold level's distribution says."""

    def terms(self, exponents: tuple[float, float], here: float, there: float) -> dict[str, float]:
        """Return a ratio of 1."""
        return {COLDER: 0.0, HOTTER: 0.0}


class OtherLevelsPower(MetropolisLadder):
    """Each level's density is taken to the power of the other one, which turns the ratio upside down."""

    def terms(self, exponents: tuple[float, float], here: float, there: float) -> dict[str, float]:
        """Return the factors with the exponents exchanged."""
        return super().terms(exponents[::-1], here, there)


WRONG_SWAPS: dict[str, type[MetropolisLadder]] = {
    "ratio left out": RatioLeftOut,
    "β of the other level": OtherLevelsPower,
}
"""The wrong rules of a swap, likewise."""
