"""Problems of logistic regression: slope and curvature of the log posterior, and the average of σ over an activation.

Slope and curvature are those of the model; the average is compared with quadrature.
"""

from itertools import product
from math import pi

import numpy as np

from samplers.judge.formulas import Known, cases_of
from samplers.judge.problem import CASES, Limit, Name, Problem
from samplers.judge.table import State, Table
from samplers.regression.logistic import LogisticRegression
from samplers.regression.predictives import predict_quadrature

FEATURES, LABELS = (0.5, -1.2, 2.0, 0.3, -0.7, 1.4), (1, 0, 1, 0, 0, 1)
POSITIONS, PRECISION = (-1.5, 0.0, 0.4, 2.0), 0.7
SLOPE = {
    "w": Name("w", "the weight"),
    "x": Name("x", "the feature of each observation: a list"),
    "y": Name("y", "the label of each, 0 or 1: a list"),
    "lam": Name("λ", "the precision of the prior"),
}
MU = "1 / (1 + exp(-w * x))"


def logistic(points: int) -> LogisticRegression:
    """Return the model of the first observations."""
    return LogisticRegression(np.array(FEATURES[:points])[:, None], np.array(LABELS[:points]), PRECISION)


def _at_weights(points: int) -> Table:
    x, y = list(FEATURES[:points]), list(map(float, LABELS[:points]))
    cases: dict[State, list[Known]] = {
        (place,): [{"w": w, "x": x, "y": y, "lam": PRECISION}] for place, w in enumerate(POSITIONS)
    }
    return cases_of("value", cases)


LOGISTIC_GRADIENT = Problem(
    "logistic-gradient",
    "The slope of minus the log posterior, of one weight",
    {"slope": SLOPE},
    (f"sum(({MU} - y) * x) + lam * w",),
    _at_weights,
    len(FEATURES),
    wrong={
        "the prior without its 1/2": [(f"sum(({MU} - y) * x) + 2 * lam * w",)],
        "the prior is left out": [(f"sum(({MU} - y) * x)",)],
        "the prior is half as strong": [(f"sum(({MU} - y) * x) + lam * w / 2",)],
        "the prior itself, not its slope": [(f"sum(({MU} - y) * x) + lam / 2 * w ** 2",)],
        "the sign is reversed": [(f"sum((y - {MU}) * x) - lam * w",)],
        "the sign of the prior is reversed": [
            (f"sum(({MU} - y) * x) - lam * w",),
            (f"sum((y - {MU}) * x) + lam * w",),
        ],
        "the feature is left out": [(f"sum({MU} - y) + lam * w",)],
        "the prior for each observation": [(f"sum(({MU} - y) * x + lam * w)",)],
        "the activation without σ": [("sum((w * x - y) * x) + lam * w",)],
        "σ with the sign reversed": [("sum((1 / (1 + exp(w * x)) - y) * x) + lam * w",)],
        "the slope of squared errors": [(f"sum(({MU} - y) * {MU} * (1 - {MU}) * x) + lam * w",)],
        "the label is left out": [(f"sum({MU} * x) + lam * w",)],
    },
    limits=(Limit("as λ goes to 0", {"lam": 1e-9}), Limit("where w is 0", {"w": 0.0})),
    noun="observations",
)

LOGISTIC_CURVATURE = Problem(
    "logistic-curvature",
    "The curvature of minus the log posterior, of one weight",
    {"curvature": {name: SLOPE[name] for name in ("w", "x", "y", "lam")}},
    (f"sum({MU} * (1 - {MU}) * x ** 2) + lam",),
    _at_weights,
    len(FEATURES),
    wrong={
        "no prior in H": [(f"sum({MU} * (1 - {MU}) * x ** 2)",)],
        "the prior without its 1/2": [(f"sum({MU} * (1 - {MU}) * x ** 2) + 2 * lam",)],
        "the prior's slope": [(f"sum({MU} * (1 - {MU}) * x ** 2) + lam * w",)],
        "the feature counts once": [(f"sum({MU} * (1 - {MU}) * x) + lam",)],
        "the feature is left out": [(f"sum({MU} * (1 - {MU})) + lam",)],
        "the errors squared": [(f"sum(({MU} - y) ** 2 * x ** 2) + lam",)],
        "as of least squares": [("sum(x ** 2) + lam",)],
        "the prior for each observation": [(f"sum({MU} * (1 - {MU}) * x ** 2 + lam)",)],
    },
    limits=(Limit("as λ goes to 0", {"lam": 1e-9}), Limit("where w is 0", {"w": 0.0})),
    noun="observations",
)

# ---- the average of σ ------------------------------------------------------------------------------------------------

MEANS, VARIANCES = (-3.0, -1.0, 0.3, 1.0, 4.0), (0.2, 1.0, 4.0, 9.0)
ACTIVATION = {
    "m": Name("m", "the mean of the activation"),
    "v": Name("v", "its variance"),
    "pi": Name("π", "3.14159…"),
}


def _averages(points: int) -> Table:
    pairs = list(product(MEANS, VARIANCES[:points]))
    exact = [float(predict_quadrature([[1.0]], [m], [[v]])[0]) for m, v in pairs]
    cases: dict[State, list[Known]] = {(place,): [{"m": m, "v": v, "pi": pi}] for place, (m, v) in enumerate(pairs)}
    return cases_of("value", cases, np.array(exact))


PROBIT_AVERAGE = Problem(
    "probit-average",
    "The average of σ over a Normal activation",
    {"probability": ACTIVATION},
    ("1 / (1 + exp(-m / sqrt(1 + pi * v / 8)))",),
    _averages,
    len(VARIANCES),
    wrong={
        "π/8 is forgotten": [("1 / (1 + exp(-m / sqrt(1 + v)))",)],
        "the variance is forgotten: the plug-in": [("1 / (1 + exp(-m))",)],
        "the root is forgotten": [("1 / (1 + exp(-m / (1 + pi * v / 8)))",)],
        "the deviation in place of the variance": [("1 / (1 + exp(-m / sqrt(1 + pi * sqrt(v) / 8)))",)],
        "the variance squared": [("1 / (1 + exp(-m / sqrt(1 + pi * v ** 2 / 8)))",)],
        "8/π in place of π/8": [("1 / (1 + exp(-m / sqrt(1 + 8 * v / pi)))",)],
        "κ outside of σ": [("1 / sqrt(1 + pi * v / 8) / (1 + exp(-m))",)],
        "κ upside down": [("1 / (1 + exp(-m * sqrt(1 + pi * v / 8)))",)],
        "the sign of the activation": [("1 / (1 + exp(m / sqrt(1 + pi * v / 8)))",)],
        "the 1 is forgotten": [("1 / (1 + exp(-m / sqrt(pi * v / 8)))",)],
    },
    limits=(Limit("as the variance goes to 0", {"v": 0.0}), Limit("where the mean is 0", {"m": 0.0})),
    noun=CASES,
)
