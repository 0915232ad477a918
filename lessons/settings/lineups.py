"""Settings of lineups: the data are one of twenty tiles, and the others are replicates from draws of the posterior."""

from collections.abc import Generator
from typing import Any, ClassVar, Self

import numpy as np

from lessons.settings.settings import SEED_HIGH, StageSettings, limits
from samplers import Chain
from samplers.diagnostics.lineup import TILES

ROUNDS = 5  # of lineups, each with data of its own
STEPS = 2 * ROUNDS - 1  # of a lineup: two for each round, of which the first is iteration 0
FORGOTTEN, REPLICATED = 40, 200  # sweeps of a round's chain: those left out, and those among which replicates are drawn
LAST = FORGOTTEN + REPLICATED
SWEEPS = LAST - REPLICATED // TILES * np.arange(TILES - 1)[::-1]  # whose replicates are on the tiles, in order


class LineupSettings(StageSettings):
    """Settings of a stage that can show its data among replicates, if its field ``shown`` says so.

    An iteration of a lineup opens a round, with data of its own, or shows which tile the data are.

    Attributes
    ----------
    of_chain : mapping of str to object
        The settings with which a round's chain is shown by itself.
    """

    of_chain: ClassVar[dict[str, Any]] = {}

    @property
    def replicable(self) -> bool:
        """Whether the model draws replicates of these data."""
        return True

    @property
    def lined_up(self) -> bool:
        """Whether the data are shown among replicates."""
        return getattr(self, "shown", "") == "lineup" and self.replicable

    @property
    def alone(self) -> Self:
        """The settings without the lineup."""
        return self.model_copy(update={"shown": type(self).model_fields["shown"].default})

    @property
    def counted_as(self) -> str:
        """A step of a lineup, or as without one."""
        return "step" if self.lined_up else super().counted_as

    @property
    def opened(self) -> int | None:
        """The sweep that is looked at update by update; none in a lineup."""
        return None if self.lined_up else super().opened

    @property
    def many(self) -> str:
        """The outcome that a wall of many runs compares; "" in a lineup."""
        return "" if self.lined_up else super().many

    def of_round(self, seed: int, t: int) -> tuple[Self, int]:
        """Return settings and seed of the run whose data are in the lineup of iteration t."""
        number, field = t // 2, type(self).model_fields["data_seed"]
        now: Any = self
        data_seed = (now.data_seed + number) % (limits(field)[1] + 1)
        alone = {"shown": type(self).model_fields["shown"].default, "data_seed": data_seed, **self.of_chain}
        return self.model_copy(update=alone), (seed + number) % (SEED_HIGH + 1)

    def place(self, seed: int, t: int) -> int:
        """Return the place of the data in the lineup of iteration t, from 0: by chance, from the seed."""
        return int(np.random.default_rng((seed, t // 2, TILES)).integers(TILES))

    def drawn_at(self, number: int) -> int:
        """Return the iteration of a round's run whose draw has a replicate, from 0 in the order of tiles."""
        return int(SWEEPS[number])

    def tile(self, seed: int, t: int) -> int:
        """Return the number of the data's tile in the lineup of iteration t, from 1; 0 without a lineup."""
        return self.place(seed, t) + 1 if self.lined_up else 0

    def observed(self) -> np.ndarray:
        """Return the data as a tile has them."""
        raise NotImplementedError

    def replicate(self, sampler: Any, state: Any, seed: tuple[int, int], /) -> np.ndarray:
        """Draw a replicate of the data, as a tile has them, from one draw of the posterior.

        Parameters
        ----------
        sampler, state : object
            The sampler, and the state of its chain.
        seed : tuple of int
            The chain's seed and the iteration: the same draw has the same replicate.
        """
        raise NotImplementedError

    def replicates(self, seed: int) -> Generator[None, None, list[np.ndarray]]:
        """Draw the replicates of a lineup, each from another draw of the chain; pause after every piece of work."""
        chain, found = Chain(self.sampler(), seed, keep=2), []
        for sweep in SWEEPS.tolist():
            state = yield from chain.towards(sweep)
            found.append(self.replicate(chain.sampler, state, (seed, sweep)))
        return found
