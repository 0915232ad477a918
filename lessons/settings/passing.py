"""A target that a class can pass from hand to hand: states with weights, and a rule for each half."""

from typing import NamedTuple


class Passing(NamedTuple):
    """A target with a few states.

    Attributes
    ----------
    names : tuple of str
        Of the states, as people read them.
    weights : tuple of float
        The probability of each.
    rules : tuple of str
        Of half A and half B, by their names in `samplers.relay.ACCEPTANCE`.
    """

    names: tuple[str, ...]
    weights: tuple[float, ...]
    rules: tuple[str, ...]
