"""What the stage of Bayesian logistic regression can be set to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from pydantic import Field

from lessons.reader.settings import StageSettings
from lessons.reader.stages.fields import DataSeed
from samplers.laplace import Laplace, laplace_approximation
from samplers.logistic import LogisticRegression
from samplers.metropolis import RandomWalkMetropolis
from samplers.optimise import GradientDescent, Newton, NoMode
from samplers.planes import features_of, plane_data
from samplers.predictives import PREDICTIVES, Predictive
from samplers.recipe import Stepper
from samplers.wrong_logistic import WRONG_PREDICTIVES, prior_left_out_of_hessian

STEPS = {"newton": 30, "gradient": 300, "chain": 2_000}
MOST_POINTS = 500  # of a learner's own


@dataclass(frozen=True)
class PointsState:
    """How many of the points have been looked at."""

    points: int


@dataclass(frozen=True)
class GrowingData:
    """A stepper that looks at one more point a step."""

    most: int

    def init(self, rng: np.random.Generator) -> PointsState:
        """Return the state without points."""
        return PointsState(0)

    def advance(self, state: PointsState, rng: np.random.Generator) -> PointsState:
        """Return the state with one more point, as long as there is one."""
        return PointsState(min(state.points + 1, self.most))


class LogisticSettings(StageSettings):
    """Points of two classes in a plane, the weights that tell the classes apart, and what averaging over them buys.

    An iteration is a step of the optimiser, a step of a Metropolis chain over the weights, or one more point, as
    `method` says.
    """

    views = ("step", "probe", "errors", "evidence")
    unit = "steps"
    measured = ("points", "setbacks", "diverged")
    charts = ("plane", "weights", "ray", "trace")
    controls = (
        "data",
        "points",
        "data_seed",
        "pointer",
        "method",
        "step_length",
        "prior",
        "log_precision",
        "bias",
        "features",
        "predictive",
        "against",
        "draws",
        "rule",
        "probe_x",
        "probe_y",
        "seed",
    )
    dials = ("step_length", "log_precision")

    data: Literal["overlapping", "separable", "xor", "few", "outlier", "own"] = Field(
        default="overlapping", title="Data", description="Where the points come from."
    )
    points: int = Field(
        default=30,
        ge=2,
        le=200,
        title="Points",
        description="How many points are drawn; more points begin with the same ones.",
        json_schema_extra={"step": 1},
    )
    data_seed: DataSeed = 1
    pointer: Literal["probe", "add class 1", "add class 0", "move", "relabel", "remove"] = Field(
        default="probe",
        title="A click or a drag",
        description="What pressing on the plane does: move the probe, add a point, or change the one that is pressed.",
    )
    method: Literal["newton", "gradient", "chain", "points"] = Field(
        default="newton",
        title="A step is",
        description="Of Newton's method, of gradient descent, of a Metropolis chain, or one more point to learn from.",
    )
    step_length: float = Field(
        default=1.0,
        ge=0.005,
        le=2.5,
        allow_inf_nan=False,
        title="Step length η",
        description="What each step of an optimiser is multiplied by: 1 is Newton's own.",
        json_schema_extra={"step": 0.005},
    )
    prior: Literal["normal", "flat"] = Field(
        default="normal",
        title="Prior",
        description="Normal weights around 0 with precision λ; or none, so that the mode is the maximum of likelihood.",
    )
    log_precision: float = Field(
        default=0.0,
        ge=-4,
        le=3,
        allow_inf_nan=False,
        title="Prior precision: log₁₀ λ",
        description="0 stands for λ = 1, -2 for 0.01: the smaller, the larger the weights may become.",
        json_schema_extra={"step": 0.1},
    )
    bias: Literal["off", "on"] = Field(
        default="off", title="Bias", description="A weight of its own that moves the line away from the origin."
    )
    features: Literal["linear", "quadratic", "rbf"] = Field(
        default="linear",
        title="Features",
        description="The coordinates; with their squares and product as well; or bumps around sixteen centres.",
    )
    predictive: Literal["plug-in", "Monte Carlo", "probit", "MacKay", "quadrature", "exact"] = Field(
        default="quadrature",
        title="Probability of class 1",
        description="How the weights are averaged over. Plug-in takes the mode alone, exact takes the true posterior.",
    )
    against: Literal["none", "plug-in", "Monte Carlo", "probit", "MacKay", "quadrature", "exact"] = Field(
        default="none", title="Minus", description="Show the difference of two predictives in place of one."
    )
    draws: int = Field(
        default=20,
        ge=1,
        le=2_000,
        title="Monte Carlo draws",
        description="How many weights the Monte Carlo predictive averages over; forty at most are drawn as lines.",
        json_schema_extra={"step": 1},
    )
    rule: Literal[
        "right",
        "prior without 1/2",
        "no prior in H",
        "e^(-t²) in Φ",
        "erf for Φ",
        "1 for 8/π",
        "π/8 forgotten",
    ] = Field(default="right", title="Rule", description="The right formulas, or an error that people make with them.")
    probe_x: float = Field(
        default=3.0,
        ge=-6,
        le=6,
        allow_inf_nan=False,
        title="Probe x₁",
        description="First coordinate of the probe.",
        json_schema_extra={"step": 0.1, "typed": True},
    )
    probe_y: float = Field(
        default=2.0,
        ge=-6,
        le=6,
        allow_inf_nan=False,
        title="Probe x₂",
        description="Second coordinate of the probe.",
        json_schema_extra={"step": 0.1, "typed": True},
    )

    @property
    def iterations(self) -> int:
        """Steps of the method; of the learner's own points, as many as there may be."""
        return self.steps(MOST_POINTS if self.data == "own" else len(self.dataset()[0]))

    def steps(self, points: int) -> int:
        """Return how many steps there are with so many points."""
        return STEPS.get(self.method, points)

    @property
    def prior_precision(self) -> float:
        """The precision λ of the prior; 0 if it is flat."""
        return 0.0 if self.prior == "flat" else 10.0**self.log_precision

    @property
    def shown(self) -> slice:
        """Which two of the weights are shown: those of the coordinates, or else the first ones."""
        first = int(self.bias == "on")
        return slice(first, first + 2)

    def dataset(self) -> tuple[np.ndarray, np.ndarray]:
        """Draw the points and their labels, shapes (N, 2) and (N,).

        Raises
        ------
        ValueError
            For the learner's own data, which these settings do not hold.
        """
        return plane_data(self.data, self.points, self.data_seed)

    def features_of(self, places: np.ndarray) -> np.ndarray:
        """Return the features of places in the plane, shape (P, D)."""
        return features_of(places, self.features, self.bias == "on")

    def model(self, points: np.ndarray, labels: np.ndarray) -> LogisticRegression:
        """Build the regression of these points, shape (N, 2), and labels."""
        doubled = 2 if self.rule == "prior without 1/2" else 1
        return LogisticRegression(self.features_of(points), labels, doubled * self.prior_precision)

    def approximation(self, model: LogisticRegression) -> Laplace:
        """Return Laplace's Normal, by the rule.

        Raises
        ------
        NoMode
            If the prior is flat, and the labels do not say how large the weights are.
        """
        found = laplace_approximation(model)
        if self.rule != "no prior in H":
            return found
        wrong = prior_left_out_of_hessian(model.features, model.labels, self.prior_precision)
        return Laplace(*wrong, found.log_evidence)

    def predictive_by(self, name: str) -> Predictive:
        """Return a predictive that needs no draws, by the rule."""
        if self.rule in WRONG_PREDICTIVES and name == ("MacKay" if self.rule == "π/8 forgotten" else "probit"):
            return WRONG_PREDICTIVES[self.rule]
        return PREDICTIVES[name]

    def sampler(self) -> Stepper[Any]:
        """Build what makes the steps."""
        return self.sampler_of(self.model(*self.dataset()))

    def sampler_of(self, model: LogisticRegression) -> Stepper[Any]:
        """Build what makes the steps for this model; all begin at 0."""
        if self.method == "newton":
            return Newton(model, self.step_length)
        if self.method == "gradient":
            return GradientDescent(model, self.step_length)
        if self.method == "points":
            return GrowingData(len(model.labels))
        try:
            variances = laplace_approximation(model).covariance.diagonal()
        except NoMode:
            variances = np.ones(model.size)
        scale = 2.4 / np.sqrt(model.size) * np.sqrt(variances)
        return RandomWalkMetropolis(model.log_joint, scale, np.zeros(model.size))

    def measure(self, state: Any) -> dict[str, int]:
        """Count points that were looked at and steps that went downhill, and tell whether a run has diverged."""
        return {
            "points": getattr(state, "points", 0),
            "setbacks": getattr(state, "setbacks", 0),
            "diverged": int(getattr(state, "diverged", False)),
        }

    def matters(self, name: str) -> bool:
        """Hide what the method, the data or the prior has no use for."""
        return {
            "points": self.data not in ("few", "own"),
            "data_seed": self.data not in ("few", "own"),
            "step_length": self.method in ("newton", "gradient"),
            "log_precision": self.prior == "normal",
        }.get(name, True)
