"""The two ways to draw the states, as cards, charts and the diagram have them."""

from collections.abc import Callable
from typing import NamedTuple

PATH = ("before", "label", "after")  # nodes of the diagram


class Method(NamedTuple):
    """A way to draw the states of T hours, each one of K."""

    name: str
    sums: bool  # whether a sweep begins with sums, hour by hour
    redrawn: tuple[str, ...]  # nodes of the diagram
    update: Callable[[int, int], int]  # the number of the update that draws an hour's state, of T and the hour, from 0
    products: Callable[[int, int], int]  # how many products of probabilities a sweep over the states has, of T and K


class Way(NamedTuple):
    """A forward sum over the ways into a state, or what a wrong rule has in its place."""

    name: str
    said: str  # of a sum that is made
    of: str  # before the ways in brackets
    between: str


SUMMED = Way("sum over the hour before", "summed over the hour before", "", " + ")
LARGEST = Way("largest way", "the largest way", "max", ", ")
METHODS = {
    "single": Method(
        "One state at a time", False, ("label",), lambda hours, hour: hour, lambda hours, states: hours * states * 2
    ),
    "block": Method(
        "Forwards and backwards",
        True,
        PATH,
        lambda hours, hour: 2 * hours - hour - 1,
        lambda hours, states: hours * states * (states + 2),
    ),
}
