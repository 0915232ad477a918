"""Settings of the stage of samplers that walk over a density on a plane."""

from collections.abc import Mapping
from typing import ClassVar, Literal, Self

import numpy as np

from lessons.own.draws import CHAINS, OwnDraws
from lessons.own.recorded import Shown
from lessons.settings.fields import Hottest, Levels, OwnDigest, choice, quantity
from lessons.settings.modes import ModeSettings
from lessons.topics.walk_the_hill.gist import DrawnLengths
from lessons.topics.walk_the_hill.hand import ByHand
from lessons.topics.walk_the_hill.own import OwnChains
from lessons.topics.walk_the_hill.tempering import Tempering
from lessons.topics.walk_the_hill.walks import ALL_THREE, ITERATIONS, HillMode, ThreeSamplers
from samplers.gradient.plane_targets import PLANE_TARGETS, PlaneTarget
from samplers.gradient.posterior_planes import POSTERIOR_PLANES
from samplers.gradient.throw import Throw

WINDOWS = {  # the middle of the part that is drawn, and half of its height; it is 4 / 3 as wide
    "correlated": (0.0, 0.0, 3.3),
    "long": (0.0, 0.0, 3.6),
    "banana": (0.0, 2.7, 4.6),
    "ring": (0.0, 0.0, 3.4),
    "two hills": (0.0, 0.0, 3.2),
    "funnel": (0.0, -0.5, 8.5),
    "two means": (0.35, 0.35, 3.2),
    "a word": (-3.1, -3.3, 4.0),
}
TARGETS: dict[str, PlaneTarget] = {**PLANE_TARGETS, **POSTERIOR_PLANES}
WIDE = 1.4  # of the window's half height: half of its width
PLACES = 1_000  # of a start, along each axis
MOST_PUSH = 3.0


class WalkTheHillSettings(ModeSettings):
    """A density on a plane, and a sampler that walks over it.

    An iteration is one of the chain; looked at closely, it is a leapfrog step. With parallel tempering, each level of a
    ladder makes a Metropolis step in an iteration, and then neighbours may swap; looked at closely, it is the swaps.
    Or the draws are somebody's own, from a file: then an iteration is one draw of each chain.
    """

    unit = "iterations"
    charts = (
        *("plane", "energy", "metropolis", "hmc", "nuts", "trace", "trace_y", "hills"),
        *("ladder", "walkers", "ratio", "accept", "lengths"),
        *("labels", "ranks", "ranks_y", "rhat", "ess"),
    )
    marks = (
        *("here", "momentum", "kick", "chosen", "turn", "start", "push"),
        *("level-N", "colder", "hotter", "sum", "probability", "dart", "chain-N", "divergence"),
    )
    picks: ClassVar = {"plane": ("doubling", "cut"), "ladder": ("rung",), "ranks": ("c",), "ranks_y": ("c",)}

    modes: ClassVar[Mapping[str, HillMode]] = {
        **ALL_THREE,
        "three samplers": ThreeSamplers(),
        "GIST": DrawnLengths(),
        "tempering": Tempering(),
        "hand": ByHand(),
        "own": OwnChains(),
    }
    takes: ClassVar = CHAINS
    needs: ClassVar = {
        **dict.fromkeys(("step_size", "mass_x", "mass_y"), lambda now: now.compared or not now.warmup),
        "bars": lambda now: not now.doubled,
        "chain": lambda now: now.own_data is None or now.own_data.chains > 1,
        "names": lambda now: now.own_data is None or len(now.own_data.family) > 1,
    }

    data: Literal["density", "own"] = choice("density")
    own: OwnDigest = ""
    target: Literal["correlated", "long", "banana", "ring", "two hills", "funnel", "two means", "a word"] = choice(
        "correlated"
    )
    method: Literal["hand", "HMC", "NUTS", "GIST", "Metropolis", "tempering"] = choice("HMC")
    step_size: float = quantity(0.25, (0.02, 2, 0.01), dial=True)
    leapfrog_steps: int = quantity(10, (1, 40, 1), dial=True)
    shortest: float = quantity(0.0, (0, 1, 0.1))
    path_rule: Literal["right", "backward weight forgotten", "place chosen evenly"] = choice("right")
    tuning: Literal["by hand", "warm-up"] = choice("by hand")
    mass_x: float = quantity(1.0, (0.05, 20, 0.05))
    mass_y: float = quantity(1.0, (0.05, 20, 0.05))
    scale: float = quantity(0.6, (0.05, 5, 0.05), dial=True)
    start_x: float = quantity(0.25, (0, 1, 1 / PLACES))
    start_y: float = quantity(0.75, (0, 1, 1 / PLACES))
    push_x: float = quantity(1.0, (-MOST_PUSH, MOST_PUSH, 0.01))
    push_y: float = quantity(0.5, (-MOST_PUSH, MOST_PUSH, 0.01))
    levels: Levels = 4
    hottest: Hottest = 0.1
    swap_rule: Literal["right", "ratio left out", "β of the other level"] = choice("right")
    chain: Literal["all", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10"] = choice("all")
    thin: int = quantity(1, (1, 50, 1))
    names: Literal["as drawn", "smallest first"] = choice("as drawn")
    layout: Literal["alone", "three samplers", "two chains"] = choice("alone", look=True)
    bars: Literal["last", "there", "next"] = choice("last", look=True)
    step_by: Literal["iteration", "leapfrog"] = choice("iteration", look=True, control=False)
    iteration: int = quantity(1, (1, ITERATIONS, 1), look=True, control=False)

    @property
    def mode(self) -> str:
        """Own draws, three samplers, or the method."""
        return "own" if self.mine else "three samplers" if self.compared else self.method

    @property
    def now(self) -> HillMode:
        return self.modes[self.mode]

    @property
    def opened(self) -> int | None:
        """The iteration that is looked at closely; None if a step is an iteration."""
        return self.iteration if self.step_by == "leapfrog" and self.now.opens else None

    @property
    def compared(self) -> bool:
        """Whether three samplers are shown, at equal cost."""
        return self.layout == "three samplers" and self.method in ALL_THREE

    @property
    def doubled(self) -> bool:
        """Whether two chains are shown."""
        return self.layout == "two chains" and self.method != "hand"

    @property
    def warmup(self) -> int:
        """Iterations that are no draws."""
        return self.now.warmup(self)

    @property
    def most_points(self) -> int:
        """The most points that one iteration's path can have."""
        return self.now.points(self)

    def chapter(self, by: int) -> Self | None:
        """Return the settings of the iteration after or before the one that is looked at closely."""
        if self.opened is None or not 1 <= self.iteration + by <= ITERATIONS:
            return None
        return self.model_copy(update={"iteration": self.iteration + by})

    def shown(self) -> Shown:
        """Return the own draws as these settings show them; see `its_own` for what this raises."""
        return self.made_of_own(self._shown, "chain", "thin", "names")

    def _shown(self, data: OwnDraws) -> Shown:
        return Shown(data, int(self.chain) if self.chain != "all" else 0, self.thin, self.names == "smallest first")

    @property
    def density(self) -> PlaneTarget:
        """The target."""
        return TARGETS[self.target]

    @property
    def window(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """The ends of the part that is drawn, across and up."""
        return window_of(self.target)

    @property
    def start(self) -> tuple[float, float]:
        """The place of the start."""
        (left, right), (low, high) = self.window
        return left + self.start_x * (right - left), low + self.start_y * (high - low)

    def share_of(self, place: tuple[float, float]) -> tuple[float, float]:
        """Return the start that is nearest to a place."""
        across, up = (
            min(1.0, max(0.0, round((at - low) / (high - low) * PLACES) / PLACES))
            for at, (low, high) in zip(place, self.window, strict=True)
        )
        return across, up

    @property
    def masses(self) -> np.ndarray:
        """The inverse masses, shape (2,)."""
        return 1 / np.array([self.mass_x, self.mass_y])

    def of_sampler(self, method: str) -> Self:
        """Return the settings of one of three samplers that are compared: NUTS with the step size of HMC."""
        return self.as_run().model_copy(update={"method": method, "tuning": "by hand"})

    def of_second(self) -> Self:
        """Return the settings of the second chain, which begins in the opposite corner."""
        return self.as_run().model_copy(update={"start_x": 1 - self.start_x, "start_y": 1 - self.start_y})

    def throw(self) -> Throw:
        """Build the learner's own throw."""
        return Throw(self.density, self.step_size, self.start, (self.push_x, self.push_y))


def window_of(target: str) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the ends of the part of a target that is drawn, across and up."""
    x, y, high = WINDOWS[target]
    return (x - WIDE * high, x + WIDE * high), (y - high, y + high)
