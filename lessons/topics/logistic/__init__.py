"""Settings of the stage of Bayesian logistic regression."""

from collections.abc import Generator, Mapping
from typing import ClassVar, Literal

import numpy as np

from lessons.own.labelled import MOST_POINTS, TWO_CLASSES
from lessons.settings.calls import Call, Entry, Origins, call
from lessons.settings.fields import OwnDigest, choice, quantity
from lessons.settings.lineups import LAST, LineupSettings
from lessons.settings.modes import ModeSettings
from lessons.topics.logistic.chain import Walk
from lessons.topics.logistic.likelihoods import LIKELIHOODS, TwoClasses
from lessons.topics.logistic.lineup import LabelLineup
from lessons.topics.logistic.points import GrowingPoints
from lessons.topics.logistic.steps import OPTIMISERS, RegressionMode
from samplers.data.planes import features_of
from samplers.diagnostics.lineup import TILES
from samplers.regression.laplace import Laplace, laplace_approximation, replicate_labels
from samplers.regression.linear import LinearModel
from samplers.regression.logistic import LogisticRegression
from samplers.regression.predictives import PREDICTIVES, Predictive
from samplers.regression.wrong import WRONG_LAPLACES, WRONG_PREDICTIVES

SQUEEZE = 0.625  # of Φ: about the root of π/8
OTHERS: dict[str, Literal["softmax", "normal"]] = {"three": "softmax", "line": "normal"}  # likelihoods, by the data
WORDS = {"right": "Correct", "prior without 1/2": "Prior without ½", "erf for Φ": "erf for Φ"}
OF_TWO = ("prior", "against", "curve", "rule", "pointer")  # controls that two classes alone have
DRAWN = ("points", "data_seed")  # those of data that are drawn


class LogisticSettings(ModeSettings, LineupSettings):
    """Points of two classes in a plane, the weights that separate the classes, and what averaging over them buys.

    Three classes are separated by softmax regression, and numbers are fitted by least squares.

    An iteration is a step of the optimiser, a step of a Metropolis chain over the weights, or one more point, as
    `method` says. In a lineup, replicates have the data's points, with labels that Laplace's Normal draws.
    """

    unit = "steps"
    charts = ("plane", "weights", "ray", "sigma", "averages", "phi", "losses", "simplex", "trace", "lineup")
    marks = ("point-N", "draw-N", "probe", "weights", "step", "gradient", "quadratic", "laplace", "tile-N")
    picks: ClassVar = {"plane": ("row", "name"), "sigma": ("row", "name"), "lineup": ("number",)}

    modes: ClassVar[Mapping[str, RegressionMode]] = {
        **OPTIMISERS,
        "chain": Walk(),
        "points": GrowingPoints(),
        "lineup": LabelLineup(),
    }
    takes: ClassVar = TWO_CLASSES
    needs: ClassVar = {
        **dict.fromkeys(OF_TWO, lambda now: now.likelihood == "logistic"),
        **dict.fromkeys(DRAWN, lambda now: now.data not in ("few", "own")),
        **dict.fromkeys(("bias", "features"), lambda now: now.data != "line"),
        "step_length": lambda now: now.method in OPTIMISERS,
        "log_precision": lambda now: not now.flat,
        "squeeze": lambda now: now.likelihood == "logistic" and now.curve == "phi",
        "shown": lambda now: now.replicable,
    }

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
    def mode(self) -> str:
        """The method, or a lineup of its data."""
        return "lineup" if self.lined_up else self.method

    @property
    def now(self) -> RegressionMode:
        return self.modes[self.mode]

    @property
    def size(self) -> int:
        """The number of points; of own ones that are gone, as many as there may be."""
        return MOST_POINTS if self.unknown else len(self.dataset()[0])

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
    def likelihood(self) -> Literal["logistic", "softmax", "normal"]:
        """The distribution of the data given the weights: two classes, three classes, or numbers."""
        return OTHERS.get(self.data, "logistic")

    @property
    def of_data(self) -> TwoClasses:
        """The row of the likelihood: what there is of data such as these."""
        return LIKELIHOODS[self.likelihood]

    @property
    def averages(self) -> str:
        """The predictive: the formulas for the activation of two classes give way to draws where there are others."""
        return self.predictive if self.predictive in self.predictives else self.predictives[1]

    @property
    def predictives(self) -> tuple[str, ...]:
        """The predictives that there are for these data."""
        return self.of_data.predictives

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
            found["features"] = self.describing(self.dataset()[0])
        return found

    @property
    def _drawing(self) -> Call:
        return call(Entry("samplers.data.planes", "PLANES", self.data), self.points, self.data_seed)

    def describing(self, places: np.ndarray) -> Call:
        """Return the call that makes features of places in the plane."""
        return call(features_of, places, self.features, bias=self.bias == "on")

    def features_of(self, places: np.ndarray) -> np.ndarray:
        """Return the features of places in the plane, shape (P, D); of numbers, 1 and the place below them."""
        return self.of_data.features(self, places)

    def model(self, points: np.ndarray, labels: np.ndarray) -> LinearModel:
        """Build the regression of these points, shape (N, 2), and labels."""
        return self.of_data.model(self, points, labels)

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
