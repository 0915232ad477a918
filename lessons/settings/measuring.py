"""The outcomes of many runs: one chain for each seed, measured after every iteration, as lessons measure."""

from collections.abc import Generator
from typing import Any

import numpy as np

from lessons.settings.settings import StageSettings
from samplers import Chain

KEEP = 40  # states of a chain in memory: an outcome looks back at few


class Measuring:
    """Measures an outcome of runs with the same settings.

    Parameters
    ----------
    settings : StageSettings
        Settings of a wall; ``settings.many`` names the outcome.
    """

    def __init__(self, settings: StageSettings) -> None:
        self._run, self._sampler, self._outcome = settings.as_run(), settings.sampler(), settings.many

    def run(self, seed: int, last: int) -> Generator[None, None, np.ndarray]:
        """Return the outcome of a seed's run after iterations 0 to `last`; yield between pieces of an iteration."""
        values = np.empty(last + 1)
        chain: Chain[Any] = Chain(self._sampler, seed, keep=KEEP)
        for t in range(last + 1):
            yield from chain.towards(t)
            values[t] = self._run.measure(chain, t)[self._outcome]
        return values
