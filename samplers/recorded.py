"""A chain that was drawn elsewhere: its draws are given, and a step goes to the next one."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from samplers.checks import whole_from
from samplers.recipe import Kernel


class RecordedDraw(NamedTuple):
    """A draw of a recorded chain."""

    t: int  # its number, from 1; 0 is the start, which is not recorded
    values: np.ndarray  # the values of the parameters, shape (parameters,), read-only; NaN at the start


class Recorded(Kernel[RecordedDraw, None]):
    """Draws in the order in which a sampler made them; there is no chance left in them.

    Parameters
    ----------
    draws : array_like
        Shape (T, parameters), one draw or more.
    names : sequence of str
        The names of the parameters.
    warmup : int, optional
        How many of the first draws are warm-up.

    Raises
    ------
    ValueError
        If there is no draw, if names and parameters are not of one number, or if the warm-up is below 0.

    Examples
    --------
    >>> from samplers.chain import Chain
    >>> chain = Chain(Recorded([[1.0, 5.0], [2.0, 4.0]], ["mu", "tau"]), seed=0)
    >>> chain.sampler.variables(chain[2])
    {'mu': 2.0, 'tau': 4.0}
    """

    of_a_posterior = True

    def __init__(self, draws: ArrayLike, names: Sequence[str], warmup: int = 0) -> None:
        self.draws = np.array(draws, float)
        self.names = tuple(names)
        if self.draws.ndim != 2 or not len(self.draws) or self.draws.shape[1] != len(self.names):
            raise ValueError(f"draws must have the shape (T, {len(self.names)}) with T >= 1, got {self.draws.shape}")
        whole_from("warmup", warmup, 0)
        self.draws.flags.writeable = False
        self.warmup = warmup

    def init(self, rng: np.random.Generator) -> RecordedDraw:
        """Return the place before the first draw, which is not recorded."""
        return RecordedDraw(0, np.full(len(self.names), np.nan))

    def step(self, state: RecordedDraw, rng: np.random.Generator) -> tuple[RecordedDraw, None]:
        """Return the next draw; after the last one, the last one again."""
        t = state.t + 1
        return RecordedDraw(t, self.draws[min(t, len(self.draws)) - 1]), None

    def variables(self, state: RecordedDraw) -> dict[str, Any]:
        """Return the parameters of a draw by their names."""
        return dict(zip(self.names, state.values.tolist(), strict=True))
