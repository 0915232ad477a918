"""Problems without a list of states: a formula has the right value in each of some cases, or not.

Sums over classes, and averages over a Beta posterior, are exact. `samplers.judge.slopes` has formulas of a regression.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from scipy.sparse import csr_array

from samplers.climb.em import EM, Point
from samplers.conjugate import DirichletMultinomial, NormalKnownVariance, Product
from samplers.conjugate.parameters import Normal
from samplers.generative.classifier import GenerativeModel
from samplers.generative.wrong import WRONG_GENERATIVE_RULES
from samplers.judge.problem import CASES, Limit, Name, Problem, Rows
from samplers.judge.table import CASE, Form, Option, State, Table

Known = Mapping[str, float | Sequence[float]]
ONE = (CASE,)


def cases_of(form: Form, cases: Mapping[State, Sequence[Known]], exact: np.ndarray | None = None) -> Table:
    """Return a table of cases that have what the one line of a formula knows in each of its options."""

    def options(site: str, case: State) -> list[Option]:
        return [Option(0, known, (number,)) for number, known in enumerate(cases[case])]

    most = max(map(len, cases.values()))
    return Table([*cases], ONE, options, form=form, outcomes=[(number,) for number in range(most)], exact=exact)


# ---- classes of documents, as in Stan --------------------------------------------------------------------------------

LOG_WEIGHTS = np.log([0.5, 0.3, 0.2])
LOG_PROBS = np.log([[0.5, 0.3, 0.2], [0.2, 0.6, 0.2], [0.3, 0.15, 0.55]])
DOCUMENTS = ((1, 0, 2), (0, 3, 1), (2, 2, 0), (4, 1, 3), (900, 880, 910), (1500, 1540, 1490))
CLASS = {
    "log_weight": Name("log θ", "the log probability of the class, before its words are read"),
    "counts": Name("counts", "how often the document has each word: a list"),
    "log_probs": Name("log φ", "the log probability of each word in the class: a list"),
}


def gammas(counts: Sequence[int]) -> list[float]:
    """Return the log joint of a document and of each class."""
    return (LOG_WEIGHTS + LOG_PROBS @ np.array(counts)).tolist()


def _of_class(points: int) -> Table:
    return cases_of(
        "logarithms",
        {
            counts: [
                {"log_weight": weight, "counts": list(map(float, counts)), "log_probs": probs}
                for weight, probs in zip(LOG_WEIGHTS.tolist(), LOG_PROBS.tolist(), strict=True)
            ]
            for counts in DOCUMENTS[:points]
        },
    )


STAN_GAMMA = Problem(
    "stan-gamma",
    "γ of a class, in logarithms",
    {"a class": CLASS},
    ("log_weight + sum(counts * log_probs)",),
    _of_class,
    len(DOCUMENTS),
    wrong={
        "the weight of the class is left out": [("sum(counts * log_probs)",)],
        "the weight counts for each word": [
            ("sum(counts * (log_weight + log_probs))",),
            ("sum(log_weight + counts * log_probs)",),
        ],
        "each word counts once": [
            ("log_weight + sum(log_probs)",),
            ("log_weight + sum(log_probs if counts > 0 else 0)",),
        ],
        "probabilities in place of their logarithms": [("log_weight + sum(counts * exp(log_probs))",)],
        "the weight in place of its logarithm": [("exp(log_weight) + sum(counts * log_probs)",)],
        "the logarithm of a sum": [("log_weight + log(sum(counts * exp(log_probs)))",)],
        "a product in place of the sum": [("log_weight * sum(counts * log_probs)",)],
        "no logarithms: the product underflows": [
            ("log(exp(log_weight) * exp(sum(counts * log_probs)))",),
            ("log(exp(log_weight + sum(counts * log_probs)))",),
        ],
        "a weight where its logarithm is asked for": [("exp(log_weight + sum(counts * log_probs))",)],
    },
    limits=(Limit("where all classes weigh the same", {"log_weight": 0.0}),),
    noun=CASES,
)

GAMMA = {
    "gamma": Name("γ", "the log joint of the document and of this class"),
    "gammas": Name("γs", "that of each class: a list"),
}


def _of_gammas(points: int) -> Table:
    found = {counts: gammas(counts) for counts in DOCUMENTS[:points]}
    return cases_of(
        "value", {case: [{"gamma": gamma, "gammas": each} for gamma in each] for case, each in found.items()}
    )


TOP = "max(gammas)"
STAN_PR_Z = Problem(
    "stan-pr-z",
    "Pr[z] of a class, without underflow",
    {"Pr[z]": GAMMA},
    (f"exp(gamma - {TOP}) / sum(exp(gammas - {TOP}))",),
    _of_gammas,
    len(DOCUMENTS),
    wrong={
        "no logarithms: 0 is divided by 0": [
            ("exp(gamma) / sum(exp(gammas))",),
            ("exp(gamma - log(sum(exp(gammas))))",),
        ],
        "not divided by the sum": [(f"exp(gamma - {TOP})",), ("exp(gamma)",)],
        "shares of the logarithms": [("gamma / sum(gammas)",)],
        "the largest only": [(f"1 if gamma >= {TOP} else 0",)],
        "divided by the largest, not by the sum": [(f"exp(gamma) / exp({TOP})",)],
        "the logarithm of the probability": [(f"gamma - {TOP} - log(sum(exp(gammas - {TOP})))",)],
        "the largest is taken off above only": [(f"exp(gamma - {TOP}) / sum(exp(gammas))",)],
        "divided by the exponent of the sum": [(f"exp(gamma - {TOP}) / exp(sum(gammas - {TOP}))",)],
    },
    noun=CASES,
)
WORDS = {"gammas": GAMMA["gammas"]}


def _of_words(points: int) -> Table:
    return cases_of("value", {counts: [{"gammas": gammas(counts)}] for counts in DOCUMENTS[:points]})


STAN_LOG_SUM_EXP = Problem(
    "stan-log-sum-exp",
    "The log probability of a document, its class summed out",
    {"log p(words)": WORDS},
    (f"{TOP} + log(sum(exp(gammas - {TOP})))",),
    _of_words,
    len(DOCUMENTS),
    wrong={
        "the sum of the logs": [("sum(gammas)",)],
        "no logarithms: the logarithm of 0": [("log(sum(exp(gammas)))",)],
        "the largest, not the sum": [(TOP,)],
        "the largest is not put back": [(f"log(sum(exp(gammas - {TOP})))",)],
        "the sum of the logs below the largest": [(f"{TOP} + sum(gammas - {TOP})",)],
        "without the logarithm": [("sum(exp(gammas))",), (f"{TOP} + sum(exp(gammas - {TOP}))",)],
        "the largest is added inside": [(f"{TOP} + log(sum(exp(gammas)))",)],
    },
    noun=CASES,
)

# ---- soft labels -----------------------------------------------------------------------------------------------------

VALUES = (-1.2, -0.4, 0.1, 0.8, 2.0)
WEIGHTS, CENTRES, COVARIANCE = np.array([0.6, 0.3, 0.1]), np.array([[-1.0], [0.5], [2.0]]), np.array([[0.64]])
PARTS = Point(WEIGHTS, tuple(Normal(mean, COVARIANCE) for mean in CENTRES))
SOFT = {
    "weight": Name("π", "the weight of the component"),
    "fit": Name("fit", "the density of the point in the component"),
    "weights": Name("πs", "the weight of each component: a list"),
    "fits": Name("fits", "the density of the point in each component: a list"),
}


def climb(points: int) -> EM:
    """Return EM on the first points."""
    return EM(VALUES[:points], NormalKnownVariance(0.0, 4.0, 0.64), len(PARTS.weights))


def _shares(points: int) -> Table:
    weights, densities = PARTS.weights.tolist(), np.exp(PARTS.fit_terms(climb(points).data)).tolist()
    return cases_of(
        "value",
        {
            (point,): [
                {"weight": weight, "fit": fit, "weights": weights, "fits": fits}
                for weight, fit in zip(weights, fits, strict=True)
            ]
            for point, fits in enumerate(densities)
        },
    )


E_STEP = Problem(
    "e-step",
    "The share of a component in a point",
    {"responsibility": SOFT},
    ("weight * fit / sum(weights * fits)",),
    _shares,
    len(VALUES),
    wrong={
        "not normalised": [("weight * fit",)],
        "weights left out": [("fit / sum(fits)",)],
        "weights left out below": [("weight * fit / sum(fits)",)],
        "weights left out above": [("fit / sum(weights * fits)",)],
        "the fit is left out": [("weight",), ("weight / sum(weights)",)],
        "hard labels, as k-means has them": [
            ("1 if weight * fit >= max(weights * fits) else 0",),
            ("1 if fit >= max(fits) else 0",),
        ],
        "divided by the largest": [("weight * fit / max(weights * fits)",)],
        "shares of the logarithms": [("log(weight * fit) / sum(log(weights * fits))",)],
        "sums in place of products": [("(weight + fit) / sum(weights + fits)",)],
    },
    limits=(Limit("where all weights are equal", {"weight": 1 / 3, "weights": 1 / 3}),),
    noun=CASES,
)

# ---- a generative classifier -----------------------------------------------------------------------------------------

EXAMPLES = ((1, 0), (1, 0), (0, 0), (1, 1), (0, 1), (1, 0), (1, 0))  # the feature, and the class
A, B = 1.5, 0.8
NEW_ROWS = (1.0, 0.0, np.nan)
PREDICT = {
    "n": Name("n", "how many examples the class has"),
    "ones": Name("ones", "how many of these have the feature"),
    "x": Name("x", "1 if the new row has the feature, and 0 if it has not or if that is unknown"),
    "missing": Name("missing", "1 if it is unknown whether the new row has the feature, and else 0"),
    "a": Name("a", "the pseudo-count of each class"),
    "b": Name("b", "the pseudo-count of each value of the feature"),
    "total": Name("N", "how many examples there are"),
}


def _rows(points: int) -> np.ndarray:
    values = np.array([value for value, _ in EXAMPLES[:points]], float)
    return np.column_stack([1 - values, values])


def generative(kind: type[GenerativeModel] = GenerativeModel) -> GenerativeModel:
    """Return the model of one feature with two values."""
    return kind(Product([DirichletMultinomial([B, B])]), 2, A)


def predicted(points: int, kind: type[GenerativeModel] = GenerativeModel) -> np.ndarray:
    """Return the probability of each class of the new rows, after the first examples, shape (rows, 2)."""
    model = generative(kind)
    posterior = model.posterior(_rows(points), [label for _, label in EXAMPLES[:points]])
    new = model.read([[1 - x, x] for x in NEW_ROWS])
    return posterior.predictive().predict(new)


def _predictions(points: int) -> Table:
    def known(x: float, label: int) -> Known:
        of_class = [value for value, its in EXAMPLES[:points] if its == label]
        missing = bool(np.isnan(x))
        seen = {"n": float(len(of_class)), "ones": float(sum(of_class)), "total": float(points)}
        return seen | {"x": 0.0 if missing else x, "missing": float(missing), "a": A, "b": B}

    return cases_of("weights", {(row,): [known(x, label) for label in (0, 1)] for row, x in enumerate(NEW_ROWS)})


def _predicted_by(name: str) -> Rows:
    return lambda points: csr_array(predicted(points, WRONG_GENERATIVE_RULES[name]))


def _density(one: str, zero: str, otherwise: str = "1") -> str:
    return f"({otherwise} if missing > 0 else {one} if x > 0 else {zero})"


AVERAGED = _density("(ones + b) / (n + 2 * b)", "(n - ones + b) / (n + 2 * b)")
GENERATIVE_PREDICTIVE = Problem(
    "generative-predictive",
    "The class of a new row, its feature averaged over the posterior",
    {"a class": PREDICT},
    (f"(n + a) * {AVERAGED}",),
    _predictions,
    len(EXAMPLES),
    least=3,
    wrong={
        "no pseudo-counts": [
            (f"(n + a) * {_density('ones / n', '(n - ones) / n')}",),
            (f"n * {_density('ones / n', '(n - ones) / n')}",),
        ],
        "the prior for each datum": [_predicted_by("prior for each datum")],
        "missing as zero": [("(n + a) * (ones + b if x > 0 else n - ones + b) / (n + 2 * b)",)],
        "the class's prior is left out": [(f"n * {AVERAGED}",)],
        "the class's weight is left out": [(AVERAGED,)],
        "one pseudo-count below, where two are above": [
            (f"(n + a) * {_density('(ones + b) / (n + b)', '(n - ones + b) / (n + b)')}",)
        ],
        "only the examples that have the feature": [(f"(n + a) * {_density('(ones + b) / (n + 2 * b)', '1')}",)],
        "a and b exchanged": [(f"(n + b) * {_density('(ones + a) / (n + 2 * a)', '(n - ones + a) / (n + 2 * a)')}",)],
        "the feature is left out": [("n + a",), ("(n + a) / (total + 2 * a)",)],
        "the count of the class is not taken out": [(f"(n + a) * {_density('ones + b', 'n - ones + b')}",)],
    },
    limits=(Limit("where the feature is missing", {"missing": 1.0}),),
    noun="examples",
    first=0,
)

# ---- the worth of a label --------------------------------------------------------------------------------------------

JOINTS = (
    (0.5, 0.5, 4.0, 4.0),
    (0.9, 0.1, 2.0, 5.0),
    (0.3, 0.7, 5.5, 3.25),
    (0.98, 0.02, 2.5, 6.0),
    (0.6, 0.4, 1.5, 1.0),
)
NOW = (5.5, 3.0, 4.6, 2.75, 2.4)  # bits in all labels before the answer
GAIN = {
    "p": Name("p", "the probability of each answer: a list"),
    "left": Name("left", "the bits that all labels have left after each answer: a list"),
    "now": Name("now", "the bits that they have now"),
}


def _gains(points: int) -> Table:
    cases = zip(JOINTS[:points], NOW, strict=False)
    return cases_of(
        "value",
        {(number,): [{"p": [*j[:2]], "left": [*j[2:]], "now": now}] for number, (j, now) in enumerate(cases)},
    )


LABEL_GAIN = Problem(
    "label-gain",
    "The expected gain of a label",
    {"gain": GAIN},
    ("now - sum(p * left)",),
    _gains,
    len(JOINTS),
    wrong={
        "the answers count alike": [("now - sum(left) / 2",), ("now - sum(0.5 * left)",)],
        "the most probable answer only": [("now - sum(left if p >= max(p) else 0)",)],
        "the answers are added up": [("now - sum(left)",)],
        "the best answer only": [("now - min(left)",)],
        "the worst answer only": [("now - max(left)",)],
        "the bits that are left": [("sum(p * left)",)],
        "a loss in place of a gain": [("sum(p * left) - now",)],
        "the label's own bits only": [("-sum(p * log(p))",), ("-sum(p * log(p)) / log(2)",)],
    },
    limits=(Limit("where both answers are as probable", {"p": 0.5}),),
    noun=CASES,
)
