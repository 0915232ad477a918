"""Problems of proposals that are accepted by a ratio: on a grid, between temperatures, and of whole clusters."""

from collections.abc import Iterator
from itertools import combinations, product
from math import exp, fsum
from typing import Any

import numpy as np

from samplers.crp.exact_partitions import exact_posterior
from samplers.crp.mixture import MixtureState
from samplers.judge.mixtures import ALPHA, FAMILY, MODEL, canonical, crp_mixture, model
from samplers.judge.problem import Limit, Name, Own, Problem
from samplers.judge.table import GIVEN, Option, State, Table
from samplers.jumps.split_merge import RestrictedScan, SplitMerge, log_probability
from samplers.partitions import partitions

# ---- a grid ----------------------------------------------------------------------------------------------------------

DENSITY = (1.0, 3.0, 2.0, 0.5, 4.0, 1.5, 2.5)
UP = 0.7  # of a proposal one place up; otherwise it is one down
STEP = {
    "p": Name("p", "the density where the chain is, up to a constant"),
    "p_there": Name("p_there", "the density at the proposal, up to the same constant"),
    "q": Name("q", "the probability, or the density, of this proposal from here"),
    "q_back": Name("q_back", "the same of the proposal that leads back"),
}


def _grid(points: int) -> Table:
    density = DENSITY[:points]

    def options(site: str, state: State) -> Iterator[Option]:
        (here,) = state
        for there, q in ((here + 1, UP), (here - 1, 1 - UP)):
            if 0 <= there < points:
                known = {"p": density[here], "p_there": density[there], "q": q, "q_back": 1 - q}
                yield Option(0, known, (there,), q)

    states = [(place,) for place in range(points)]
    posterior = np.array(density) / sum(density)
    return Table(states, ("step",), lambda *update: [*options(*update)], posterior, "ratio")


METROPOLIS_GRID = Problem(
    "metropolis-grid",
    "When is a proposal accepted?",
    {"acceptance ratio": STEP},
    ("p_there * q_back / (p * q)",),
    _grid,
    7,
    least=2,
    wrong={
        "the proposals are left out": [("p_there / p",)],
        "the proposals are upside down": [("p_there * q / (p * q_back)",)],
        "the ratio is upside down": [("p * q / (p_there * q_back)",), ("p / p_there",)],
        "the densities are left out": [("q_back / q",)],
        "everything is accepted": [("1",)],
        "only uphill": [("1 if p_there > p else 0",), ("1 if p_there >= p else 0",)],
        "only one proposal": [("p_there / (p * q)",), ("p_there * q_back / p",)],
        "half the proposals are symmetric": [("p_there / p * sqrt(q_back / q)",)],
        "the density of the proposal, not a ratio": [("p_there",), ("p_there * q_back",)],
        "the ratio squared": [("(p_there * q_back / (p * q)) ** 2",), ("(p_there / p) ** 2",)],
        "the square root of the ratio": [("sqrt(p_there * q_back / (p * q))",)],
        "Barker's rule without the proposals": [("p_there / (p + p_there)",)],
        "a difference for a ratio": [
            ("exp(p_there - p)",),
            ("exp(p_there * q_back - p * q)",),
            ("p_there - p",),
            ("p_there * q_back - p * q",),
        ],
        "the logarithm of the ratio": [("log(p_there / p)",), ("log(p_there * q_back / (p * q))",)],
    },
    limits=(
        Limit("where the proposal is symmetric", {"q": 0.5, "q_back": 0.5}),
        Limit("where the density is flat", {"p": 1.0, "p_there": 1.0}),
    ),
    noun="places",
    own=Own(
        lambda points: {"density": DENSITY[:points], "up": UP},
        {
            "density": "of each place, up to a constant",
            "up": "the probability that a place up is proposed, and else one down",
        },
    ),
)

# ---- a drawn length --------------------------------------------------------------------------------------------------

REACH = (2, 3, 1, 2, 3, 1, 2)  # of the lengths that can be drawn at each place
PATH = {
    "p": STEP["p"],
    "p_there": Name("p_there", "the density at the end of the path, up to the same constant"),
    "length": Name("length", "the length that was drawn"),
    "many": Name("many", "how many lengths there are here, from 1 on, each as probable"),
    "many_back": Name("many_back", "how many there are at the end"),
}


def _lengths(points: int) -> Table:
    density = DENSITY[:points]

    def options(site: str, state: State) -> Iterator[Option]:
        (here,) = state
        for way, length in product((1, -1), range(1, REACH[here] + 1)):
            there = here + way * length
            if 0 <= there < points:
                known = {"p": density[here], "p_there": density[there], "length": float(length)}
                known |= {"many": float(REACH[here]), "many_back": float(REACH[there])}
                yield Option(0, known, (there,), 1 / (2 * REACH[here]))

    states = [(place,) for place in range(points)]
    return Table(states, ("path",), lambda *at: [*options(*at)], np.array(density) / sum(density), "ratio")


def _if_back(ratio: str) -> str:
    return f"{ratio} if length <= many_back else 0"


PATH_LENGTH = Problem(
    "path-length",
    "When is the end of a path accepted whose length was drawn?",
    {"acceptance ratio": PATH},
    (_if_back("p_there * many / (p * many_back)"),),
    _lengths,
    7,
    least=2,
    wrong={
        "the weights of the length are left out": [("p_there / p",)],
        "whether there is a way back is left out": [("p_there * many / (p * many_back)",)],
        "the weights count, but only as whether there is a way back": [(_if_back("p_there / p"),)],
        "the weights are upside down": [
            (_if_back("p_there * many_back / (p * many)"),),
            ("p_there * many_back / (p * many)",),
        ],
        "the ratio is upside down": [(_if_back("p * many_back / (p_there * many)"),), ("p / p_there",)],
        "the densities are left out": [(_if_back("many / many_back"),), ("many / many_back",)],
        "everything is accepted": [("1",)],
        "everything with a way back is accepted": [(_if_back("1"),)],
    },
    limits=(Limit("where each place has as many lengths", {"many": 3.0, "many_back": 3.0}),),
    noun="places",
)

# ---- temperatures ----------------------------------------------------------------------------------------------------

COLD, HOT = 1.0, 0.35
PAIR = {
    "beta": Name("β", "the exponent of the colder level"),
    "beta_hot": Name("β_hot", "the exponent of the hotter level"),
    "logp": Name("logp", "the log density of the target at the colder level's state"),
    "logp_hot": Name("logp_hot", "the log density of the target at the hotter level's state"),
}


def _levels(points: int) -> Table:
    """Return a Metropolis step of each level, which is given, and then a swap."""
    log_density = np.log(DENSITY[:points]).tolist()

    def steps(level: int, exponent: float, state: State) -> Iterator[Option]:
        here = state[level]
        for there in (here + 1, here - 1):
            if 0 <= there < points:
                ratio = exp(exponent * (log_density[there] - log_density[here]))
                after = (there, state[1]) if level == 0 else (state[0], there)
                yield Option(GIVEN, {}, after, min(1.0, ratio) / 2)

    def options(site: str, state: State) -> list[Option]:
        if site != "swap":
            return [*(steps(0, COLD, state) if site == "cold" else steps(1, HOT, state))]
        cold, hot = state
        known = {"beta": COLD, "beta_hot": HOT, "logp": log_density[cold], "logp_hot": log_density[hot]}
        return [Option(0, known, (hot, cold))]

    weights = np.array(DENSITY[:points])
    joint = np.outer(weights**COLD, weights**HOT).ravel()
    states = list(product(range(points), repeat=2))
    return Table(states, ("cold", "hot", "swap"), options, joint / joint.sum(), "ratio")


TEMPERATURE_SWAP = Problem(
    "temperature-swap",
    "When do two temperatures swap their states?",
    {"acceptance ratio": PAIR},
    ("exp((beta - beta_hot) * (logp_hot - logp))",),
    _levels,
    6,
    least=2,
    wrong={
        "the ratio is left out": [("1",)],
        "the hotter level is left out": [("exp(beta * (logp_hot - logp))",), ("exp(logp_hot - logp)",)],
        "the colder level is left out": [
            ("exp(beta_hot * (logp - logp_hot))",),
            ("exp(beta_hot * (logp_hot - logp))",),
        ],
        "the sign is reversed": [
            ("exp((beta - beta_hot) * (logp - logp_hot))",),
            ("exp((beta_hot - beta) * (logp_hot - logp))",),
        ],
        "the exponents are added": [("exp((beta + beta_hot) * (logp_hot - logp))",)],
        "the logarithm of the ratio": [("(beta - beta_hot) * (logp_hot - logp)",)],
        "each state keeps its exponent": [("exp(beta_hot * logp_hot - beta * logp)",)],
        "only what is better for the cold level": [("1 if logp_hot > logp else 0",), ("1 if logp_hot >= logp else 0",)],
        "temperatures in place of exponents": [("exp((1 / beta - 1 / beta_hot) * (logp_hot - logp))",)],
        "the densities without their logarithms": [("(beta - beta_hot) * exp(logp_hot - logp)",)],
    },
    limits=(
        Limit("where both levels are equally hot", {"beta": 0.5, "beta_hot": 0.5}),
        Limit("where the density is flat", {"logp": 0.0, "logp_hot": 0.0}),
    ),
    noun="places",
    own=Own(
        lambda points: {"density": DENSITY[:points], "beta": COLD, "beta_hot": HOT},
        {
            "density": "the target at each place, up to a constant",
            "beta": "the colder level's exponent; labels are the places of the colder and the hotter level",
            "beta_hot": "the hotter level's exponent",
        },
    ),
)

# ---- whole clusters --------------------------------------------------------------------------------------------------

SPLIT = {
    "alpha": Name("α", "the concentration"),
    "n1": Name("n₁", "how many points one of the two clusters has"),
    "n2": Name("n₂", "how many the other has"),
    "fit1": Name("fit₁", "the density of the points of one of the two, its mean integrated out"),
    "fit2": Name("fit₂", "that of the other's"),
    "fit_both": Name("fit_both", "that of the points of both, as one cluster"),
    "q": Name("q", "the probability that the last scan makes the two clusters from the launch state"),
}


class Tossed(SplitMerge):
    """A split–merge move whose coins have been tossed, and that is not scanned before its last scan."""

    coins: tuple[int, ...] = ()

    def toss(self, *_: Any) -> list[int]:
        """Return the coins."""
        return [*self.coins]


def _clusters(points: int) -> Table:
    mixture = crp_mixture(points)
    move = Tossed(mixture, scans=0, sweeps=0)

    def log_marginal(state: MixtureState, table: int) -> float:
        return state.clusters[table].log_marginal()

    def known(apart: MixtureState, tables: tuple[int, int], q: float) -> dict[str, float]:
        both = mixture.state([tables[0] if label in tables else label for label in apart.labels])
        one, other = tables
        return {
            "alpha": ALPHA,
            "n1": float(apart.clusters[one].count),
            "n2": float(apart.clusters[other].count),
            "fit1": exp(log_marginal(apart, one)),
            "fit2": exp(log_marginal(apart, other)),
            "fit_both": exp(log_marginal(both, one)),
            "q": q,
        }

    def options(pair: tuple[int, int], labels: State) -> Iterator[Option]:
        state = mixture.state(labels)
        splits = labels[pair[0]] == labels[pair[1]]
        tables, rest = move.sides(state, pair)
        scan = RestrictedScan(mixture, rest)
        rng = np.random.default_rng(0)  # of which nothing is drawn
        for move.coins in product((0, 1), repeat=len(rest)):
            launch, _, _ = move.launch(state, pair, tables, scan, rng)
            ends = product(tables, repeat=len(rest)) if splits else [[labels[point] for point in rest]]
            for sides in ends:
                apart = launch.labels.copy()
                for point, table in zip(rest, sides, strict=True):
                    apart[point] = table
                q = exp(fsum(log_probability(update) for update in scan.towards(launch.copy(), apart)))
                reached = apart if splits else [tables[1] if label == tables[0] else label for label in labels]
                share = 0.5 ** len(rest) * (q if splits else 1)
                yield Option(not splits, known(mixture.state(apart), tables, q), canonical(tuple(reached)), share)

    posterior = exact_posterior(mixture.data, FAMILY, ALPHA).probabilities
    pairs = list(combinations(range(points), 2))
    return Table(partitions(points), pairs, lambda *update: [*options(*update)], posterior, "ratio")


SEATING = "alpha * exp(lgamma(n1) + lgamma(n2) - lgamma(n1 + n2))"
RATIO = f"{SEATING} * fit1 * fit2 / fit_both"
UPSIDE = "exp(lgamma(n1 + n2) - lgamma(n1) - lgamma(n2)) / alpha * fit_both / (fit1 * fit2)"
FACTORIALS = "exp(lgamma(n1 + 1) + lgamma(n2 + 1) - lgamma(n1 + n2 + 1))"
SPLIT_MERGE = Problem(
    "split-merge",
    "When is a split accepted, and when a merge?",
    {"ratio of a split": SPLIT, "ratio of a merge": SPLIT},
    (f"{RATIO} / q", f"{UPSIDE} * q"),
    _clusters,
    5,
    least=2,
    wrong={
        "the proposal is left out": [(RATIO, UPSIDE), (RATIO, f"{UPSIDE} * q"), (f"{RATIO} / q", UPSIDE)],
        "the seating is left out": [("fit1 * fit2 / fit_both / q", "fit_both / (fit1 * fit2) * q")],
        "the fit is left out": [(f"{SEATING} / q", "exp(lgamma(n1 + n2) - lgamma(n1) - lgamma(n2)) / alpha * q")],
        "the proposal is upside down": [(f"{RATIO} * q", f"{UPSIDE} / q")],
        "a merge has the ratio of a split": [(f"{RATIO} / q", f"{RATIO} / q"), (f"{RATIO} / q", f"{RATIO} * q")],
        "the concentration is left out": [
            (
                "exp(lgamma(n1) + lgamma(n2) - lgamma(n1 + n2)) * fit1 * fit2 / fit_both / q",
                "exp(lgamma(n1 + n2) - lgamma(n1) - lgamma(n2)) * fit_both / (fit1 * fit2) * q",
            )
        ],
        "all points count in the seating, not all but one": [
            (
                f"alpha * {FACTORIALS} * fit1 * fit2 / fit_both / q",
                f"1 / (alpha * {FACTORIALS}) * fit_both / (fit1 * fit2) * q",
            )
        ],
        "the seating has no factorials": [
            (
                "alpha * n1 * n2 / (n1 + n2) * fit1 * fit2 / fit_both / q",
                "(n1 + n2) / (alpha * n1 * n2) * fit_both / (fit1 * fit2) * q",
            )
        ],
        "everything is accepted": [("1", "1")],
    },
    limits=(
        Limit("where the last scan is certain", {"q": 1.0}),
        Limit("where all fits are equal", {"fit1": 1.0, "fit2": 1.0, "fit_both": 1.0}),
    ),
    own=Own(
        lambda points: model(points) | {"alpha": ALPHA},
        MODEL | {"alpha": "α, the weight of a new table; what is updated is a pair of points"},
        canonical,
    ),
)
