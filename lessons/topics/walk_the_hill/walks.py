"""Modes in which a sampler walks: Metropolis, HMC and NUTS; and all three at equal cost."""

from collections.abc import Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from lessons.settings.modes import Mode
from samplers import Chain
from samplers.gradient.hmc import HMC
from samplers.gradient.nuts import NUTS
from samplers.recipe import Kernel
from samplers.regression.metropolis import RandomWalkMetropolis
from samplers.tempering import LadderState

if TYPE_CHECKING:
    from lessons.topics.walk_the_hill import WalkTheHillSettings

ITERATIONS = 2_000
GRADIENTS = 2_000  # that each sampler may take, where all three are compared
MAX_DEPTH = 6  # doublings of NUTS
NUTS_POINTS = 64  # of the longest path: 63 leapfrog steps; one of GIST has 31 there, and 31 back
WARMUP = 200
ON_A_DENSITY = ("target", "method", "start_x", "start_y", "step_by", "iteration")
OF_A_WALK = (*ON_A_DENSITY, "seed", "layout")
OF_A_PATH = ("step_size", "mass_x", "mass_y")
ALONE = {"walker": 1}  # what a walk without a ladder has


class HillMode(Mode["WalkTheHillSettings"]):
    """A mode of the plane.

    Attributes
    ----------
    moves : {"proposes", "rolls", "swaps"}
        How an iteration moves: by a proposal, along a path of leapfrog steps, or by swaps as well.
    opens : bool
        Whether an iteration can be looked at closely.
    turns : bool
        Whether paths go on until they turn back.
    doubles : bool
        Whether they do so by doubling.
    """

    controls: ClassVar[tuple[str, ...]] = ON_A_DENSITY
    moves: ClassVar[Literal["proposes", "rolls", "swaps"]] = "proposes"
    opens: ClassVar[bool] = False
    turns: ClassVar[bool] = False
    doubles: ClassVar[bool] = False

    def warmup(self, settings: "WalkTheHillSettings") -> int:
        """Return how many iterations are no draws."""
        return 0

    def points(self, settings: "WalkTheHillSettings") -> int:
        """Return the most points that one iteration's path can have."""
        return 2


class WalkMode(HillMode):
    """A chain of one sampler, whose iterations can be opened."""

    opens = True

    def steps(self, settings: "WalkTheHillSettings") -> int:
        """Return the steps of a close-up."""
        return self.points(settings)

    def iterations(self, settings: "WalkTheHillSettings") -> int:
        return ITERATIONS if settings.opened is None else self.steps(settings)

    def of_record(self, record: Any) -> Mapping[str, float]:
        """Return the outcomes of one iteration's path."""
        return {}

    def measure(self, settings: "WalkTheHillSettings", chain: Chain[Any], t: int) -> Mapping[str, float]:
        states = [chain[now] for now in range(t + 1)]
        cold = [state.cold if isinstance(state, LadderState) else state for state in states]
        x, y = cold[t].position.tolist()
        draws = np.array([state.position for state in cold[self.warmup(settings) + 1 :]]).reshape(-1, 2)
        return {
            **ALONE,
            "x": x,
            "y": y,
            "moved": sum(bool((a.position != b.position).any()) for a, b in pairwise(cold)),
            "right": round(100 * float(settings.density.on_the_right(draws).mean()), 1) if len(draws) else 0,
            "spread": round(float((draws[:, 0] ** 2).mean()), 3) if len(draws) else 0,
            **(self.of_record(chain.record(t)) if t else {}),
        }


class Metropolis(WalkMode):
    """Random-walk Metropolis."""

    controls = (*OF_A_WALK, "scale")

    def sampler(self, settings: "WalkTheHillSettings") -> Kernel[Any, Any]:
        return RandomWalkMetropolis(settings.density, settings.scale, np.array(settings.start))


class Hamiltonian(WalkMode):
    """Hamiltonian Monte Carlo with paths of one length."""

    moves = "rolls"
    controls: ClassVar[tuple[str, ...]] = (*OF_A_WALK, *OF_A_PATH, "leapfrog_steps")

    def leapfrogs(self, settings: "WalkTheHillSettings") -> int:
        """Return the number of leapfrog steps of a path."""
        return settings.leapfrog_steps

    def points(self, settings: "WalkTheHillSettings") -> int:
        return self.leapfrogs(settings) + 1

    def sampler(self, settings: "WalkTheHillSettings") -> Kernel[Any, Any]:
        steps = self.leapfrogs(settings)
        return HMC(settings.density, settings.step_size, steps, settings.masses, start=np.array(settings.start))

    def of_record(self, record: Any) -> Mapping[str, float]:
        return {
            "leapfrogs": record.leapfrogs,
            "depth": record.depth,
            "divergent": int(record.divergent is not None),
            "accept": round(100 * record.accept_statistic),
        }


class NoUTurn(Hamiltonian):
    """The No-U-Turn sampler, with step size and masses by hand or from a warm-up."""

    turns = doubles = True
    controls = (*OF_A_WALK, *OF_A_PATH, "tuning")

    def points(self, settings: "WalkTheHillSettings") -> int:
        return NUTS_POINTS

    def warmup(self, settings: "WalkTheHillSettings") -> int:
        return WARMUP if settings.tuning == "warm-up" else 0

    def sampler(self, settings: "WalkTheHillSettings") -> Kernel[Any, Any]:
        start, warmup = np.array(settings.start), self.warmup(settings)
        if warmup:
            return NUTS(settings.density, MAX_DEPTH, warmup=warmup, start=start)
        step, masses = settings.step_size, settings.masses
        return NUTS(settings.density, MAX_DEPTH, warmup=0, step_size=step, inverse_mass=masses, start=start)


ALL_THREE: Mapping[str, WalkMode] = {"Metropolis": Metropolis(), "HMC": Hamiltonian(), "NUTS": NoUTurn()}
SAMPLERS = tuple(ALL_THREE)


class ThreeSamplers(HillMode):
    """All three samplers, each with as many gradients; what is measured is of the one that is chosen."""

    controls = (*OF_A_WALK, *OF_A_PATH, "leapfrog_steps", "scale")

    def warmup(self, settings: "WalkTheHillSettings") -> int:
        return ALL_THREE[settings.method].warmup(settings)

    def iterations(self, settings: "WalkTheHillSettings") -> int:
        return GRADIENTS // settings.leapfrog_steps

    def sampler(self, settings: "WalkTheHillSettings") -> Kernel[Any, Any]:
        return ALL_THREE[settings.method].sampler(settings)

    def measure(self, settings: "WalkTheHillSettings", chain: Chain[Any], t: int) -> Mapping[str, float]:
        return ALL_THREE[settings.method].measure(settings, chain, t)
