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
from samplers.crp.wrong import WRONG_RULES
from samplers.judge.problem import Name, Problem
from samplers.judge.table import State, Table, options_of, rows_of
from samplers.partitions import partitions

POINTS = (-2.1, -1.6, -1.1, 0.2, 1.0, 1.7, 2.2)
FAMILY, ALPHA = NormalKnownVariance(0.0, 4.0, 0.5), 1.3
TABLE = {
    "n": Name("n", "how many others sit at the table"),
    "fit": Name("fit", "the density of the point there, given the others at the table"),
    "alpha": Name("α", "the concentration"),
    "fit_new": Name("fit_new", "the density of the point at a table of its own"),
    "total": Name("total", "how many other points there are"),
    "mine": Name("mine", "1 at the table that the point has just left, and 0 elsewhere"),
    "fit_mine": Name("fit_mine", "the same, with the point itself among the data of the table that it has just left"),
}
NEW = {name: TABLE[name] for name in ("alpha", "fit_new", "total")}


def _canonical(labels: State) -> State:
    return tuple(relabel(labels).tolist())


def _knows(sampler: Any, lifted: Any, site: Any, conditional: Any) -> Iterator[tuple[int, Mapping[str, float]]]:
    fits = [exp(value) for value in conditional.terms["fit"]]
    shared = {"alpha": lifted.concentration, "fit_new": fits[-1], "total": float(len(lifted.labels) - 1)}
    left = lifted.labels[site]
    for fit, (table, cluster) in zip(fits[:-1], lifted.clusters.items(), strict=True):
        known = {"n": float(cluster.count), "fit": fit, "mine": float(table == left), "fit_mine": fit}
        if table == left:
            (x,) = FAMILY.observations(sampler.data[[site]])
            whole = cluster.copy()
            whole.add(x)
            known["fit_mine"] = exp(whole.log_predictive(x))
        yield 0, known | shared
    yield 1, shared


def _of(points: int, rule: type[CRPMixture] = CRPMixture) -> CRPMixture:
    return rule(POINTS[:points], FAMILY, ALPHA)


def _table(points: int) -> Table:
    sampler = _of(points)
    posterior = exact_posterior(sampler.data, FAMILY, ALPHA).probabilities
    options = options_of(sampler, partial(_knows, sampler), _canonical)
    return Table(partitions(points), range(points), options, posterior)


def _wrong(rule: type[CRPMixture], points: int) -> csr_array:
    return rows_of(_of(points, rule), partitions(points), _canonical)


CRP_MIXTURE = Problem(
    "crp-mixture",
    "Where does a point sit?",
    {"a table": TABLE, "a new table": NEW},
    ("n * fit", "alpha * fit_new"),
    _table,
    7,
    wrong={name: [partial(_wrong, rule)] for name, rule in WRONG_RULES.items() if name != "all labels at once"},
)
