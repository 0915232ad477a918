"""A program that draws by ``draw(weights)`` alone, run once for every path of its draws.

A run replays the choices of its path so far and takes the first option from there on; the next run takes the next
option of the last draw that has one. So every path is run once, depth first, and its probability is the product of the
probabilities of its choices.
"""

import math
import random
from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np

H = TypeVar("H", bound=Hashable)
MOST_PATHS = 10_000  # from one start
MOST_DRAWS = 1_000  # on one path


class Choice(NamedTuple):
    """A draw on a path: the probabilities of its options, and the one that is taken."""

    probabilities: tuple[float, ...]
    option: int


class DrawError(ValueError):
    """Weights that no option can be drawn by; the text says why."""


class NotReproducibleError(BaseException):
    """Two runs with the same choices that differ, or chance that does not come from ``draw``.

    Like the next one, it must not be caught by an ``except Exception`` of the program that draws.
    """


class TooManyPathsError(BaseException):
    """More paths than are run, or more draws on one than are made; the text says which."""


class Draw:
    """The source of chance of one run.

    Parameters
    ----------
    path : sequence of Choice
        Choices to replay.
    """

    def __init__(self, path: Sequence[Choice]) -> None:
        self.path, self.taken = path, list[Choice]()

    def __call__(self, weights: Any) -> int:
        """Return an option, whose probability is its share of the weights.

        Raises
        ------
        DrawError
            If there are no weights, one is negative, infinite or not a number, or all are 0.
        """
        probabilities = shares(weights)
        number = len(self.taken)
        if number == MOST_DRAWS:
            raise TooManyPathsError(f"draws more than {MOST_DRAWS:,} times on one path")
        if number < len(self.path):
            choice = self.path[number]
            if choice.probabilities != probabilities:
                raise NotReproducibleError
        else:
            choice = Choice(probabilities, _next_option(probabilities, 0))
        self.taken.append(choice)
        return choice.option


def shares(weights: Any) -> tuple[float, ...]:
    """Return the probabilities of options from their weights; errors as in `Draw`."""
    try:
        numbers = [float(weight) for weight in weights]
    except (TypeError, ValueError):
        raise DrawError(f"draw takes a list of weights, and got {str(weights)[:60]}") from None
    if not numbers:
        raise DrawError("draw got no weights")
    for said, wrong in (("not a number", math.isnan), ("infinite", math.isinf), ("negative", lambda x: x < 0)):
        bad = next((place for place, number in enumerate(numbers) if wrong(number)), None)
        if bad is not None:
            raise DrawError(f"weight {bad} of {len(numbers)} that draw got is {said}")
    total = math.fsum(numbers)
    if not total:
        raise DrawError("all weights that draw got are 0")
    return tuple(number / total for number in numbers)


def _next_option(probabilities: Sequence[float], start: int) -> int:
    """Return the first option from a place on that can be drawn, or the number of options."""
    return next(
        (option for option in range(start, len(probabilities)) if probabilities[option] > 0), len(probabilities)
    )


def _next_path(taken: Sequence[Choice]) -> list[Choice] | None:
    """Return the choices up to the last that has another option, with that option; None if all have been taken."""
    for number in reversed(range(len(taken))):
        probabilities, option = taken[number]
        following = _next_option(probabilities, option + 1)
        if following < len(probabilities):
            return [*taken[:number], Choice(probabilities, following)]
    return None


def ends(run: Callable[[Draw], H]) -> dict[H, float]:
    """Return the probability of each end of a program.

    Parameters
    ----------
    run : callable
        ``run(draw)`` runs the program from the start, and returns where it ends.

    Raises
    ------
    NotReproducibleError
        If another source of chance is used.
    TooManyPathsError
        If there are more than 10,000 paths, or more than 1,000 draws on one.
    """
    found: dict[H, float] = defaultdict(float)
    path: list[Choice] | None = []
    others = _states_of_others()
    for _ in range(MOST_PATHS):
        draw = Draw(path or [])
        end = run(draw)
        if len(draw.taken) < len(draw.path) or (not draw.path and run(Draw(draw.taken)) != end):
            raise NotReproducibleError
        found[end] += math.prod(choice.probabilities[choice.option] for choice in draw.taken)
        path = _next_path(draw.taken)
        if path is None:
            if _states_of_others() != others:
                raise NotReproducibleError
            return found
    raise TooManyPathsError(f"has more than {MOST_PATHS:,} paths of draws from one state")


def _states_of_others() -> tuple[Any, ...]:
    """Return the states of the generators that programs share: those of ``random`` and of NumPy."""
    name, keys, *rest = np.random.get_state(legacy=True)  # noqa: NPY002  a program's, which must not move
    return random.getstate(), name, np.asarray(keys).tobytes(), tuple(rest)
