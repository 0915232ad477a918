"""Problems of the hidden chain: a state given the two beside it, and the forward message."""

from collections.abc import Iterator
from math import exp
from typing import Any

from samplers.hmm.block import Block
from samplers.hmm.exact import exact_paths
from samplers.hmm.model import FIT, FROM_LAST, TO_NEXT, Forwards
from samplers.hmm.single import SingleSite
from samplers.judge.problem import Limit, Name, Own, Problem
from samplers.judge.table import Option, State, Table, options_of

SERIES, CENTRES, DEVIATION = (0.2, 1.6, 0.9, -0.4, 2.1, 1.2), (0.0, 1.0, 2.0), 0.9
MOVES = ((0.7, 0.2, 0.1), (0.15, 0.6, 0.25), (0.05, 0.15, 0.8))

NEIGHBOURS = {
    "from_last": Name("from_last", "the probability of this state after the state of the hour before"),
    "to_next": Name("to_next", "the probability of the next hour's state after this one; 1 in the last hour"),
    "fit": Name("fit", "the density of the hour's value in this state"),
}


def _between(lifted: Any, site: Any, conditional: Any) -> Iterator[tuple[int, dict[str, float]]]:
    terms = conditional.terms
    for from_last, to_next, fit in zip(terms[FROM_LAST], terms[TO_NEXT], terms[FIT], strict=True):
        yield 0, {"from_last": exp(from_last), "to_next": exp(to_next), "fit": exp(fit)}


def hidden_chain(kind: Any, points: int) -> Any:
    """Return a sampler of the first hours."""
    return kind(SERIES[:points], CENTRES, DEVIATION, MOVES)


def _paths(points: int) -> Table:
    sampler = hidden_chain(SingleSite, points)
    exact = exact_paths(sampler)
    states = [tuple(path) for path in exact.paths.tolist()]
    return Table(states, range(points), options_of(sampler, _between), exact.probabilities)


CHAIN_STATE = Problem(
    "chain-state",
    "The state of an hour, given the hours beside it",
    {"a state": NEIGHBOURS},
    ("from_last * to_next * fit",),
    _paths,
    5,
    wrong={
        "the next state is left out": [("from_last * fit",)],
        "the last state is left out": [("to_next * fit",)],
        "both neighbours are left out": [("fit",)],
        "the value is left out": [("from_last * to_next",)],
        "the neighbours are added, not multiplied": [("(from_last + to_next) * fit",)],
        "the fit counts twice": [("from_last * to_next * fit ** 2",)],
        "a logarithm is added to a probability": [("from_last * to_next + log(fit)",)],
    },
    limits=(
        Limit("where all fits are equal", {"fit": 1.0}),
        Limit("where the next state says nothing", {"to_next": 1.0}),
    ),
    noun="hours",
    own=Own(
        lambda points: {"values": SERIES[:points], "means": CENTRES, "deviation": DEVIATION, "transitions": MOVES},
        {
            "values": "one an hour",
            "means": "of each state; all states are as probable in the first hour",
            "deviation": "the standard deviation of a value around its state's mean",
            "transitions": "row j has the probabilities of the state after j",
        },
    ),
)

MESSAGE = {
    "fit": Name("fit", "the density of the hour's value in this state"),
    "last": Name("last", "the message of the hour before: the probability of each state, a list"),
    "moves": Name("moves", "the probability of this state after each state: a list"),
    "leaves": Name("leaves", "the probability of each state after this one: a list"),
}


def _messages(points: int) -> Table:
    """Return the messages of the second hour and those after it, each from the one before."""
    sampler = hidden_chain(Block, points)
    states = range(len(CENTRES))
    path = sampler.state([0] * points)
    for hour in range(points):
        site = Forwards(hour)
        sampler.forget(path, site)
        sampler.remember(path, site, sampler.score(path, site).draw(None))

    def options(site: str, case: State) -> list[Option]:
        (hour,) = case
        return [
            Option(
                0,
                {
                    "fit": exp(path.fits[hour][k]),
                    "last": path.filtered[hour - 1],
                    "moves": [row[k] for row in MOVES],
                    "leaves": list(MOVES[k]),
                },
                (k,),
            )
            for k in states
        ]

    cases = [(hour,) for hour in range(1, points)]
    return Table(cases, ("message",), options, outcomes=[(k,) for k in states])


FORWARD_MESSAGE = Problem(
    "forward-message",
    "The forward message of an hour",
    {"a state": MESSAGE},
    ("fit * sum(last * moves)",),
    _messages,
    6,
    least=2,
    wrong={
        "the largest term, not the sum": [("fit * max(last * moves)",)],
        "the value is left out": [("sum(last * moves)",)],
        "the message before is left out": [("fit * sum(moves)",), ("fit * sum(last) * sum(moves)",)],
        "the transitions are left out": [("fit * sum(last)",), ("fit",), ("fit * sum(leaves)",)],
        "the transitions are turned round": [("fit * sum(last * leaves)",)],
        "the fit is added": [("fit + sum(last * moves)",), ("sum(fit + last * moves)",)],
    },
    limits=(Limit("where all fits are equal", {"fit": 1.0}), Limit("after a flat message", {"last": 1.0})),
    noun="hours",
)
