"""Problems of mixtures: seats at tables, and labels of a finite mixture."""

from collections.abc import Iterator, Mapping
from functools import partial
from math import exp
from typing import Any

from scipy.sparse import csr_array

from samplers.conjugate import NormalKnownVariance
from samplers.crp.exact_partitions import exact_posterior
from samplers.crp.facts import relabel
from samplers.crp.mixture import CRPMixture
from samplers.crp.wrong import ALMOST_CERTAIN, WRONG_RULES
from samplers.judge.problem import Limit, Name, Own, Problem, Rows
from samplers.judge.table import State, Table, options_of, rows_of
from samplers.mixtures.exact_labellings import exact_finite_mixture
from samplers.mixtures.finite import FiniteMixture
from samplers.partitions import partitions

POINTS = (-2.1, -1.6, -1.1, 0.2, 1.0, 1.7, 2.2)
MEAN, PRIOR_VARIANCE, VARIANCE, ALPHA = 0.0, 4.0, 0.5, 1.3
FAMILY = NormalKnownVariance(MEAN, PRIOR_VARIANCE, VARIANCE)
CLASSES, GAMMA = 3, 1.6
EQUAL_FITS = {"fit": 1.0, "fit_new": 1.0, "fit_mine": 1.0, "fit_centre": 1.0}
ALMOST_NOTHING = 1e-9
MODEL = {
    "points": "the points",
    "prior_mean": "the mean of the Normal prior of a mean",
    "prior_variance": "its variance",
    "variance": "the variance of a point around its mean",
}


def model(points: int) -> dict[str, Any]:
    """Return the first points and the settings of their model, for a program."""
    settings = {"prior_mean": MEAN, "prior_variance": PRIOR_VARIANCE, "variance": VARIANCE}
    return {"points": POINTS[:points], **settings}


def fit_with(sampler: Any, cluster: Any, point: int) -> float:
    """Return the density of a point in a cluster that has it among its data."""
    (x,) = sampler.family.observations(sampler.data[[point]])
    whole = cluster.copy()
    whole.add(x)
    return exp(whole.log_predictive(x))


# ---- tables ----------------------------------------------------------------------------------------------------------

TABLE = {
    "n": Name("n", "how many others sit at the table"),
    "fit": Name("fit", "the density of the point there, given the others at the table"),
    "alpha": Name("α", "the concentration"),
    "fit_new": Name("fit_new", "the density of the point at a table of its own"),
    "total": Name("total", "how many other points there are"),
    "mine": Name("mine", "1 at the table that the point has just left, and 0 elsewhere"),
    "fit_mine": Name("fit_mine", "the same as fit, with the point itself among the data of the table that it has left"),
}
NEW = {name: TABLE[name] for name in ("alpha", "fit_new", "total")} | {
    "alone": Name("alone", "1 if the point sat alone, so that its table is gone, and else 0"),
    "fit_centre": Name("fit_centre", "the density of the point around the centre of the prior"),
}
AT_NEW = "alpha * fit_new"


def canonical(labels: State) -> State:
    """Return labels as a partition, in which names of tables do not count."""
    return tuple(relabel(labels).tolist())


def _at_tables(sampler: Any, lifted: Any, site: Any, conditional: Any) -> Iterator[tuple[int, Mapping[str, float]]]:
    fits = [exp(value) for value in conditional.terms["fit"]]
    shared = {"alpha": lifted.concentration, "fit_new": fits[-1], "total": float(len(lifted.labels) - 1)}
    left = lifted.labels[site]
    for fit, (table, cluster) in zip(fits[:-1], lifted.clusters.items(), strict=True):
        known = {"n": float(cluster.count), "fit": fit, "mine": float(table == left), "fit_mine": fit}
        if table == left:
            known["fit_mine"] = fit_with(sampler, cluster, site)
        yield 0, known | shared
    centre = sampler.family.with_certain_centre(ALMOST_CERTAIN)
    at_centre = exp(float(centre.log_density(sampler.data[[site]])[0]))
    yield 1, shared | {"alone": float(left not in lifted.clusters), "fit_centre": at_centre}


def crp_mixture(points: int, rule: type[CRPMixture] = CRPMixture) -> CRPMixture:
    """Return a sampler of the first points."""
    return rule(POINTS[:points], FAMILY, ALPHA)


def _tables(points: int) -> Table:
    sampler = crp_mixture(points)
    posterior = exact_posterior(sampler.data, FAMILY, ALPHA).probabilities
    options = options_of(sampler, partial(_at_tables, sampler), canonical)
    return Table(partitions(points), range(points), options, posterior)


def _of_rule(name: str) -> Rows:
    def rows(points: int) -> csr_array:
        return rows_of(crp_mixture(points, WRONG_RULES[name]), partitions(points), canonical)

    return rows


CRP_MIXTURE = Problem(
    "crp-mixture",
    "Where does a point sit?",
    {"a table": TABLE, "a new table": NEW},
    ("n * fit", AT_NEW),
    _tables,
    7,
    wrong={
        "the counts include the point": [_of_rule("counts include the point"), ("(n + mine) * fit", AT_NEW)],
        "the data include the point": [_of_rule("data include the point"), ("n * fit_mine", AT_NEW)],
        "the point is not removed": [
            _of_rule("point not removed"),
            ("(n + mine) * fit_mine", AT_NEW),
        ],
        "the counts are forgotten": [_of_rule("counts forgotten"), ("fit", "fit_new"), ("fit", "alpha * fit_new")],
        "the fits are forgotten": [("n", "alpha"), ("n * fit_new", AT_NEW)],
        "the emptied table is offered too": [_of_rule("emptied table offered too")],
        "the new table is too sure": [_of_rule("new table too sure")],
        "the new table is guessed": [_of_rule("new table guessed")],
        "a new table without its fit": [("n * fit", "alpha")],
        "a table without its fit": [("n", AT_NEW)],
        "a table's share is divided and a new table's is not": [("n / (total + alpha) * fit", AT_NEW)],
        "a table's own count below, not that of all": [
            ("n / (n + alpha) * fit", AT_NEW),
            ("n / (n + alpha) * fit", "alpha / (total + alpha) * fit_new"),
        ],
        "a new table without the concentration": [("n * fit", "fit_new"), ("alpha * n * fit", AT_NEW)],
        "the concentration at every table": [("(n + alpha) * fit", AT_NEW)],
        "one is taken off, though the point is out already": [("(n - 1) * fit", AT_NEW)],
        "one is added, though the point is out already": [("(n + 1) * fit", AT_NEW)],
        "the fit counts twice": [("n * fit ** 2", "alpha * fit_new ** 2"), ("n * fit ** 2", AT_NEW)],
        "a new table's share is divided and a table's is not": [
            ("n * fit", "alpha * fit_new / (total + alpha)"),
            ("n / total * fit", "alpha / (total + alpha) * fit_new"),
            ("n / total * fit", AT_NEW),
        ],
        "log weights that were not exponentiated": [("log(n) + log(fit)", "log(alpha) + log(fit_new)")],
        "the log of the count": [("log(n) * fit", AT_NEW), ("log(n + 1) * fit", AT_NEW)],
        "the count as a power": [("n ** 2 * fit", AT_NEW)],
    },
    limits=(
        Limit("where all fits are equal", EQUAL_FITS),
        Limit("as α goes to 0", {"alpha": ALMOST_NOTHING}),
    ),
    own=Own(
        lambda points: model(points) | {"alpha": ALPHA}, MODEL | {"alpha": "α, the weight of a new table"}, canonical
    ),
    knows=_at_tables,
)

# ---- components ------------------------------------------------------------------------------------------------------

COMPONENT = {
    "n": Name("n", "how many other points have the component"),
    "gamma": Name("γ", "the pseudo-count of each component"),
    "fit": Name("fit", "the density of the point in the component, given the other points there"),
    "classes": Name("K", "how many components there are"),
    "total": Name("total", "how many other points there are"),
    "mine": Name("mine", "1 at the component that the point has just left, and 0 elsewhere"),
    "fit_mine": Name("fit_mine", "the same as fit, with the point itself among the data of the component it has left"),
}


def _in_components(sampler: Any, lifted: Any, site: Any, conditional: Any) -> Iterator[tuple[int, Mapping[str, float]]]:
    left, total = lifted.labels[site], float(len(lifted.labels) - 1)
    for label, (count, log_fit) in enumerate(zip(lifted.counts, conditional.terms["fit"], strict=True)):
        fit = exp(log_fit)
        gamma, classes = float(sampler.class_prior[label]), float(sampler.classes)
        known = {"n": float(count), "gamma": gamma, "fit": fit, "classes": classes, "total": total}
        fit_mine = fit_with(sampler, lifted.clusters[label], site) if label == left else fit
        yield 0, known | {"mine": float(label == left), "fit_mine": fit_mine}


def finite_mixture(points: int) -> FiniteMixture:
    """Return a sampler of the first points."""
    return FiniteMixture(POINTS[:points], FAMILY, CLASSES, GAMMA)


def _components(points: int) -> Table:
    sampler = finite_mixture(points)
    exact = exact_finite_mixture(sampler.data, FAMILY, CLASSES, GAMMA)
    states = [tuple(labels) for labels in exact.labellings.tolist()]
    options = options_of(sampler, partial(_in_components, sampler))
    return Table(states, range(points), options, exact.probabilities)


FINITE_MIXTURE = Problem(
    "finite-mixture",
    "Which component made a point? (weights summed out)",
    {"a component": COMPONENT},
    ("(n + gamma) * fit",),
    _components,
    5,
    wrong={
        "the pseudo-count is forgotten": [("n * fit",), ("n * gamma * fit",)],
        "the counts include the point": [("(n + mine + gamma) * fit",)],
        "the data include the point": [("(n + gamma) * fit_mine",)],
        "the point is not removed": [("(n + mine + gamma) * fit_mine",)],
        "the counts are forgotten": [("fit",), ("gamma * fit",)],
        "the fit is forgotten": [("n + gamma",)],
        "one is taken off, though the point is out already": [("(n + gamma - 1) * fit",)],
        "the pseudo-count is shared among the components": [("(n + gamma / classes) * fit",)],
        "the pseudo-count is counted for all components": [("(n + classes * gamma) * fit",)],
        "one in place of the pseudo-count": [("(n + 1) * fit",)],
        "the fit counts twice": [("(n + gamma) * fit ** 2",)],
        "the pseudo-count beside the fit": [("n * fit + gamma",)],
        "the log of the fit": [("(n + gamma) * log(fit)",)],
        "log weights that were not exponentiated": [("log(n + gamma) + log(fit)",)],
        "the component's own count below, not that of all": [("(n + gamma) / (n + classes * gamma) * fit",)],
    },
    limits=(
        Limit("where all fits are equal", EQUAL_FITS),
        Limit("as γ goes to 0", {"gamma": ALMOST_NOTHING}),
        Limit("where γ is 1", {"gamma": 1.0}),
    ),
    own=Own(
        lambda points: model(points) | {"gamma": GAMMA, "classes": CLASSES},
        MODEL | {"gamma": "γ, the pseudo-count of each component", "classes": "K"},
    ),
    knows=_in_components,
)
