"""Settings of the stage of Bayesian logistic regression."""

from collections.abc import Callable, Generator
from math import nan, pi, sqrt
from typing import Any, ClassVar, Literal

import numpy as np
from scipy import special

from lessons.own.labelled import MOST_POINTS, TWO_CLASSES
from lessons.settings.calls import Call, Entry, Origins, call
from lessons.settings.fields import OwnDigest, choice, quantity
from lessons.settings.lineups import LAST, LineupSettings
from lessons.settings.lineups import STEPS as OF_LINEUPS
from samplers import Chain
from samplers.data.planes import NOISE, GrowingData, features_of
from samplers.diagnostics.lineup import TILES
from samplers.log_density import NoMode
from samplers.recipe import Kernel
from samplers.regression.laplace import Laplace, laplace_approximation, replicate_labels, spread
from samplers.regression.least_squares import LeastSquares
from samplers.regression.linear import LinearModel
from samplers.regression.logistic import LogisticRegression
from samplers.regression.metropolis import RandomWalkMetropolis
from samplers.regression.optimise import GradientDescent, Newton
from samplers.regression.predictives import PREDICTIVES, Predictive, monte_carlo_error
from samplers.regression.softmax import SoftmaxRegression
from samplers.regression.wrong import WRONG_LAPLACES, WRONG_MODELS, WRONG_PREDICTIVES

STEPS = {"newton": 30, "gradient": 300, "chain": 2_000}
SQUEEZE = 0.625  # of Φ: about the root of π/8
ACTIVATIONS = np.linspace(-10, 10, 2001)  # where σ and Φ are compared
OTHERS: dict[str, Literal["softmax", "normal"]] = {"three": "softmax", "line": "normal"}  # likelihoods, by the data
WORDS = {"right": "Correct", "prior without 1/2": "Prior without ½", "erf for Φ": "erf for Φ"}


class LogisticSettings(LineupSettings):
    """Points of two classes in a plane, the weights that separate the classes, and what averaging over them buys.

    Three classes are separated by softmax regression, and numbers are fitted by least squares.

    An iteration is a step of the optimiser, a step of a Metropolis chain over the weights, or one more point, as
    `method` says. In a lineup, replicates have the data's points, with labels that Laplace's Normal draws.
    """

    unit = "steps"
    charts = ("plane", "weights", "ray", "sigma", "averages", "phi", "losses", "simplex", "trace", "lineup")
    marks = ("point-N", "draw-N", "probe", "weights", "step", "gradient", "quadratic", "laplace", "tile-N")
    picks: ClassVar = {"plane": ("row", "name"), "sigma": ("row", "name"), "lineup": ("number",)}

    takes: ClassVar = TWO_CLASSES

    data: Literal["overlapping", "separable", "xor", "few", "outlier", "three", "line", "own"] = choice("overlapping")
    points: int = quantity(30, (2, 200, 1))
    data_seed: int = quantity(1, (0, 999, 1), typed=True)
    own: OwnDigest = ""
    pointer: Literal["probe", "add class 1", "add class 0", "move", "relabel", "remove"] = choice(
        "probe", look=True, dial=True
    )
    method: Literal["newton", "gradient", "chain", "points"] = choice("newton")
    step_length: float = quantity(1.0, (0.005, 2.5, 0.005), dial=True)
    prior: Literal["normal", "flat"] = choice("normal")
    log_precision: float = quantity(0.0, (-4, 3, 0.1), dial=True)
    bias: Literal["off", "on"] = choice("off")
    features: Literal["linear", "quadratic", "rbf"] = choice("linear")
    predictive: Literal["plug-in", "Monte Carlo", "probit", "MacKay", "quadrature", "exact"] = choice("quadrature")
    against: Literal["none", "plug-in", "Monte Carlo", "probit", "MacKay", "quadrature", "exact"] = choice("none")
    draws: int = quantity(20, (1, 2_000, 1))
    curve: Literal["ray", "sigma", "averages", "phi", "losses"] = choice("ray")
    squeeze: float = quantity(SQUEEZE, (0.3, 1.2, 0.005), look=True, dial=True)
    rule: Literal[
        "right",
        "prior without 1/2",
        "no prior in H",
        "e^(-t²) in Φ",
        "erf for Φ",
        "1 for 8/π",
        "π/8 forgotten",
    ] = choice("right")
    probe_x: float = quantity(3.0, (-8, 8, 0.1), typed=True, look=True)
    probe_y: float = quantity(2.0, (-6, 6, 0.1), typed=True, look=True)
    shown: Literal["run", "lineup"] = choice("run", look=True)

    @property
    def iterations(self) -> int:
        """Steps of the method; of own points that are gone, as many as there may be; or those of a lineup."""
        if self.lined_up:
            return OF_LINEUPS
        return self.steps(MOST_POINTS if self.unknown else len(self.dataset()[0]))

    @property
    def mode(self) -> str:
        """The method, or a lineup of its data."""
        return "lineup" if self.lined_up else self.method

    @property
    def replicable(self) -> bool:
        """Whether the model draws labels of these points: two classes, with a prior and without a mistake."""
        return self.likelihood == "logistic" and not self.flat and self.rule == "right"

    @property
    def edits(self) -> bool:
        """Whether the pointer changes points, and does not move the probe: of two classes alone."""
        return self.pointer != "probe" and self.likelihood == "logistic"

    @property
    def on_sigma(self) -> bool:
        """Whether each point is shown at its activation on σ."""
        return self.curve == "sigma" and self.likelihood == "logistic"

    @property
    def counted_as(self) -> str:
        """A point that comes, or a step."""
        return "point" if self.method == "points" and not self.lined_up else "step"

    def steps(self, points: int) -> int:
        """Return the number of steps for a number of points."""
        return STEPS.get(self.method, points)

    @property
    def likelihood(self) -> Literal["logistic", "softmax", "normal"]:
        """The distribution of the data given the weights: two classes, three classes, or numbers."""
        return OTHERS.get(self.data, "logistic")

    @property
    def averages(self) -> str:
        """The predictive: the formulas for the activation of two classes give way to draws where there are others."""
        others = {"softmax": "Monte Carlo", "normal": "exact"}
        return self.predictive if self.predictive in self.predictives else others[self.likelihood]

    @property
    def predictives(self) -> tuple[str, ...]:
        """The predictives that there are for these data."""
        of_two = ("plug-in", "Monte Carlo", "probit", "MacKay", "quadrature", "exact")
        return {"softmax": ("plug-in", "Monte Carlo", "exact"), "normal": ("plug-in", "exact")}.get(
            self.likelihood, of_two
        )

    @property
    def compared(self) -> str | None:
        """The predictive whose difference to the other is shown, if one is."""
        return None if self.against == "none" or self.likelihood != "logistic" else self.against

    @property
    def mistake(self) -> str:
        """The error at work, or "right": all are errors with two classes."""
        return self.rule if self.likelihood == "logistic" else "right"

    @property
    def flat(self) -> bool:
        """Whether there is no prior: of two classes alone, as the others' weights would have no mode then."""
        return self.prior == "flat" and self.likelihood == "logistic"

    @property
    def prior_precision(self) -> float:
        """The precision λ of the prior; 0 if it is flat."""
        return 0.0 if self.flat else 10.0**self.log_precision

    @property
    def pair(self) -> slice:
        """The two weights that are shown: those of the coordinates, or else the first ones."""
        first = int(self.bias == "on" and self.data != "line")
        return slice(first, first + 2)

    def dataset(self) -> tuple[np.ndarray, np.ndarray]:
        """Return points, drawn or somebody's own, and their labels, shapes (N, 2) and (N,).

        See `its_own` for what this raises.
        """
        if self.mine:
            own = self.its_own()
            return own.points, own.labels
        points, labels = self._drawing.made()
        return points, labels

    def origins(self) -> Origins:
        """Return the calls that draw the points and make features of them; none for somebody's own."""
        if self.mine:
            return {}
        found: Origins = {"points, labels": self._drawing}
        if self.likelihood != "normal":
            found["features"] = self._describing(self.dataset()[0])
        return found

    @property
    def _drawing(self) -> Call:
        return call(Entry("samplers.data.planes", "PLANES", self.data), self.points, self.data_seed)

    def _describing(self, places: np.ndarray) -> Call:
        return call(features_of, places, self.features, bias=self.bias == "on")

    def features_of(self, places: np.ndarray) -> np.ndarray:
        """Return the features of places in the plane, shape (P, D); of numbers, 1 and the place below them."""
        if self.likelihood == "normal":
            return np.column_stack([np.ones(len(places)), places[:, 0]])
        return self._describing(places).made()

    def model(self, points: np.ndarray, labels: np.ndarray) -> LinearModel:
        """Build the regression of these points, shape (N, 2), and labels."""
        features = self.features_of(points)
        if self.likelihood == "softmax":
            return SoftmaxRegression(features, labels, 3, self.prior_precision)
        if self.likelihood == "normal":
            return LeastSquares(features, points[:, 1], NOISE**-2, self.prior_precision)
        rule = WRONG_MODELS.get(self.rule, LogisticRegression)
        return rule(features, labels, self.prior_precision)

    def approximation(self, model: LinearModel) -> Laplace:
        """Return Laplace's Normal, by the rule.

        Raises
        ------
        NoMode
            If the prior is flat, and the labels do not say how large the weights are.
        """
        wrong = WRONG_LAPLACES.get(self.mistake)
        return wrong(model) if wrong and isinstance(model, LogisticRegression) else laplace_approximation(model)

    def predictive_by(self, name: str) -> Predictive:
        """Return a predictive that needs no draws, by the rule."""
        wrong = WRONG_PREDICTIVES.get(self.mistake)
        return wrong.predict if wrong and wrong.replaces == name else PREDICTIVES[name]

    def sampler(self) -> Kernel[Any, Any]:
        """Build what makes the steps."""
        points, labels = self.dataset()
        return self.sampler_of(self.model(points, labels), len(points))

    def sampler_of(self, model: LinearModel, points: int) -> Kernel[Any, Any]:
        """Build what makes the steps for a model of a number of points; all begin at 0."""
        kernels: dict[str, Callable[[], Kernel[Any, Any]]] = {
            "newton": lambda: Newton(model, self.step_length),
            "gradient": lambda: GradientDescent(model, self.step_length),
            "points": lambda: GrowingData(points),
            "chain": lambda: self._metropolis(model),
        }
        return kernels[self.method]()

    @staticmethod
    def _metropolis(model: LinearModel) -> RandomWalkMetropolis:
        """Build a Metropolis chain whose proposals have about the posterior's width in each direction."""
        try:
            variances = laplace_approximation(model).covariance.diagonal()
        except NoMode:
            variances = np.ones(model.dimension)
        scale = 2.4 / np.sqrt(model.dimension) * np.sqrt(variances)
        return RandomWalkMetropolis(model, scale, np.zeros(model.dimension))

    def observed(self) -> np.ndarray:
        """Return points with their labels, shape (N, 3)."""
        return np.column_stack(self.dataset())

    def replicate(self, sampler: LinearModel, state: Laplace, seed: tuple[int, int]) -> np.ndarray:
        """Draw labels of the points from one draw of the weights by Laplace's Normal; shape (N, 3), with the points."""
        points, _ = self.dataset()
        rng = np.random.default_rng((*seed, len(points)))
        return np.column_stack([points, replicate_labels(self.features_of(points), state, rng)])

    def drawn_at(self, number: int) -> int:
        """Return the iteration at which the run has the Normal of all points: a replicate is of a draw from it."""
        return min(LAST, self.iterations)

    def replicates(self, seed: int) -> Generator[None, None, list[np.ndarray]]:
        """Draw the replicates of a lineup, each from another draw of the weights."""
        model = self.model(*self.dataset())
        found = laplace_approximation(model)
        yield
        return [self.replicate(model, found, (seed, number)) for number in range(TILES - 1)]

    def measure(self, chain: Chain[Any], t: int) -> dict[str, float]:
        """Count points learned from and steps downhill; return whether a run has diverged, and what follows of Laplace.

        ``width`` is the standard deviation of the weights over all directions, and ``probability`` that of class 1 at
        the probe; NaN without a mode, and by predictives that need draws or a grid. ``mode`` is 1 if there is one, and
        else 0. ``scatter`` is the standard deviation over Laplace's Normal of the probability at the probe, and
        ``error`` that of an average over the Monte Carlo draws. ``slope`` is that of the line through numbers, or with
        classes that of Φ(t·a) at 0; ``gap`` is how far Φ(t·a) is from σ(a) at most. In a lineup, all but the ``tile``
        are those of its round before the first step.
        """
        if self.lined_up:
            own, seed = self.of_round(chain.seed, t)
            return {**own.measure(Chain(own.sampler(), seed), 0), "tile": self.tile(chain.seed, t)}
        points, labels = self.dataset()
        climbs = self.method in ("newton", "gradient")
        seen = chain[t] if self.method == "points" else len(labels)
        found = self._found(points[:seen], labels[:seen])
        numbers = self.likelihood == "normal"
        probability, scatter = self._at_probe(found) if found and self.likelihood == "logistic" else (nan, nan)
        steps = [chain.record(now) for now in range(1, t + 1)] if climbs else []
        return {
            "points": chain[t] if self.method == "points" else 0,
            "setbacks": sum(step.setback for step in steps),
            "diverged": int(any(step.diverged for step in steps)),
            "width": spread(found) if found else nan,
            "probability": probability,
            "mode": int(found is not None),
            "scatter": scatter,
            "error": scatter / sqrt(self.draws),
            "evidence": found.log_evidence if found else nan,
            "slope": found.mode[1] if numbers and found else self.squeeze / sqrt(2 * pi),
            "gap": float(np.abs(special.ndtr(self.squeeze * ACTIVATIONS) - special.expit(ACTIVATIONS)).max()),
            "tile": 0,
        }

    def _found(self, points: np.ndarray, labels: np.ndarray) -> Laplace | None:
        try:
            return self.approximation(self.model(points, labels))
        except NoMode:
            return None

    def _at_probe(self, found: Laplace) -> tuple[float, float]:
        """Return the probability of class 1 at the probe, and its standard deviation over Laplace's Normal."""
        there = self.features_of(np.array([[self.probe_x, self.probe_y]])), found.mode, found.covariance
        said = float(self.predictive_by(self.averages)(*there)[0]) if self.averages in PREDICTIVES else nan
        return said, float(monte_carlo_error(*there, 1)[0])

    def matters(self, name: str) -> bool:
        """Hide what the method, the data or the prior has no use for."""
        two, numbers = self.likelihood == "logistic", self.data == "line"
        return {
            "points": self.data not in ("few", "own"),
            "data_seed": self.data not in ("few", "own"),
            "step_length": self.method in ("newton", "gradient"),
            "log_precision": not self.flat,
            "prior": two,
            "bias": not numbers,
            "features": not numbers,
            "against": two,
            "curve": two,
            "squeeze": two and self.curve == "phi",
            "rule": two,
            "pointer": two,
            "shown": self.replicable,
        }.get(name, True)
