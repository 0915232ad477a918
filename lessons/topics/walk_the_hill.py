"""Settings of the stage of samplers that walk over a density on a plane."""

from itertools import pairwise
from typing import Any, ClassVar, Literal, Self

import numpy as np

from lessons.chains.chains import MOST_DRAWS
from lessons.own.draws import CHAINS, OwnDraws
from lessons.own.recorded import Shown
from lessons.settings.fields import OF_A_SWAP, Hottest, Levels, OwnDigest, choice, quantity
from lessons.settings.settings import StageSettings
from samplers import Chain
from samplers.gradient.gist import GIST, GistPath
from samplers.gradient.hmc import HMC, Trajectory
from samplers.gradient.nuts import NUTS
from samplers.gradient.plane_targets import PLANE_TARGETS, PlaneTarget
from samplers.gradient.posterior_planes import POSTERIOR_PLANES
from samplers.gradient.throw import Throw
from samplers.gradient.wrong import WRONG_PATHS
from samplers.recipe import Kernel
from samplers.regression.metropolis import RandomWalkMetropolis
from samplers.regression.tempering import MetropolisLadder
from samplers.regression.wrong import WRONG_SWAPS
from samplers.tempering import LadderState, geometric

ITERATIONS = 2_000
GRADIENTS = 2_000  # that each sampler may take, where all three are compared
SAMPLERS = ("Metropolis", "HMC", "NUTS")
MAX_DEPTH = 6  # doublings of NUTS
NUTS_POINTS = 64  # of the longest path: 63 leapfrog steps; one of GIST has 31 there, and 31 back
WARMUP = 200
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
OF_OWN = ("chain", "thin", "names")  # settings of own draws
NOTHING = {  # what is measured, where there is none of it
    **dict.fromkeys(("x", "y", "leapfrogs", "depth", "divergent", "moved", "accept", "right"), 0),
    "walker": 1,
    **dict.fromkeys(("length", "failed", "spread", "divergences", "rhat", "ess", "switches"), 0),
}


class WalkTheHillSettings(StageSettings):
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

    takes: ClassVar = CHAINS

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

    # ---- what there is to step through -------------------------------------------------------------------------------

    @property
    def opened(self) -> int | None:
        """The iteration that is looked at closely; None if a step is an iteration."""
        alone = self.step_by == "iteration" or self.method == "hand" or self.compared or self.mine
        return None if alone else self.iteration

    @property
    def mode(self) -> str:
        """Own draws, a throw by hand, a ladder, three samplers, paths of drawn lengths, or a walk of one sampler."""
        if self.mine:
            return "own"
        own = self.method in ("hand", "tempering", "GIST")
        return "three samplers" if self.compared else self.method if own else "walk"

    @property
    def tempered(self) -> bool:
        """Whether there is a ladder of levels."""
        return self.method == "tempering"

    @property
    def rolls(self) -> bool:
        """Whether there are leapfrog steps."""
        return self.method in ("hand", "HMC", "NUTS", "GIST")

    @property
    def compared(self) -> bool:
        """Whether three samplers are shown, at equal cost."""
        return self.layout == "three samplers" and self.method in SAMPLERS

    @property
    def doubled(self) -> bool:
        """Whether two chains are shown."""
        return self.layout == "two chains" and self.method != "hand"

    @property
    def counted_as(self) -> str:
        """An iteration, or a leapfrog step of the learner's own throw, or a draw that was made elsewhere."""
        if self.mine:
            return "draw"
        return "leapfrog step" if self.method == "hand" else "iteration"

    @property
    def iterations(self) -> int:
        """Iterations of a run, or leapfrog steps of a throw; of a close-up, at most. Draws of an own chain."""
        if self.mine:
            return MOST_DRAWS // self.thin if self.unknown else self.shown().total
        if self.method == "hand":
            return self.leapfrog_steps
        if self.compared:
            return GRADIENTS // self.leapfrog_steps
        if self.opened is None:
            return ITERATIONS
        return 1 + OF_A_SWAP * (self.levels - 1) if self.tempered else self.most_points

    @property
    def most_points(self) -> int:
        """The most points that one iteration's path can have."""
        if self.method in ("HMC", "hand"):
            return self.leapfrog_steps + 1
        return NUTS_POINTS if self.method in ("NUTS", "GIST") else 2

    def chapter(self, by: int) -> Self | None:
        """Return the settings of the iteration after or before the one that is looked at closely."""
        if self.opened is None or not 1 <= self.iteration + by <= ITERATIONS:
            return None
        return self.model_copy(update={"iteration": self.iteration + by})

    # ---- what runs ---------------------------------------------------------------------------------------------------

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
    def warmup(self) -> int:
        """Iterations that are no draws."""
        if self.mine:
            return self.shown().warmup
        return WARMUP if self.method == "NUTS" and self.tuning == "warm-up" else 0

    def sampler(self) -> Kernel[Any, Any]:
        if self.mine:
            return self.shown().sampler(0)
        target, start = self.density, np.array(self.start)
        if self.method == "hand":
            return self.throw()
        masses = 1 / np.array([self.mass_x, self.mass_y])
        if self.method == "HMC":
            return HMC(target, self.step_size, self.leapfrog_steps, masses, start=start)
        if self.method == "GIST":
            rule = WRONG_PATHS.get(self.path_rule, GIST)
            return rule(target, self.step_size, self.shortest, masses, start=start)
        if self.method == "Metropolis":
            return RandomWalkMetropolis(target, self.scale, start)
        if self.tempered:
            ladder = WRONG_SWAPS.get(self.swap_rule, MetropolisLadder)
            return ladder(target, geometric(self.levels, self.hottest), self.scale, start)
        if self.warmup:
            return NUTS(target, MAX_DEPTH, warmup=self.warmup, start=start)
        return NUTS(target, MAX_DEPTH, warmup=0, step_size=self.step_size, inverse_mass=masses, start=start)

    def of_sampler(self, method: str) -> Self:
        """Return the settings of one of three samplers that are compared: NUTS with the step size of HMC."""
        return self.as_run().model_copy(update={"method": method, "tuning": "by hand"})

    def of_second(self) -> Self:
        """Return the settings of the second chain, which begins in the opposite corner."""
        return self.as_run().model_copy(update={"start_x": 1 - self.start_x, "start_y": 1 - self.start_y})

    def throw(self) -> Throw:
        """Build the learner's own throw."""
        return Throw(self.density, self.step_size, self.start, (self.push_x, self.push_y))

    # ---- what a lesson may expect, and which controls there are ------------------------------------------------------

    def measure(self, chain: Chain[Any], t: int) -> dict[str, float]:
        """Return where the chain is and facts of the last iteration.

        ``moved`` counts iterations that moved the chain. ``accept`` is the probability in per cent that the end of a
        throw would be accepted, or of an iteration the accept statistic. Of own draws it is the first chain that is
        shown that has a place, and all together have the other numbers.
        """
        if self.mine:
            return NOTHING | self._measure_own(t)
        if self.method == "hand":
            return self._measure_throw(chain, t)
        states = [chain[now] for now in range(t + 1)]
        cold = [state.cold if isinstance(state, LadderState) else state for state in states]
        record = chain.record(t) if t else None
        path = record if isinstance(record, Trajectory) else None
        drawn = record if isinstance(record, GistPath) else None
        x, y = cold[t].position.tolist()
        draws = np.array([state.position for state in cold[self.warmup + 1 :]]).reshape(-1, 2)
        return NOTHING | {
            "x": x,
            "y": y,
            "leapfrogs": path.leapfrogs if path else 0,
            "depth": path.depth if path else 0,
            "divergent": int(path is not None and path.divergent is not None),
            "moved": sum(bool((a.position != b.position).any()) for a, b in pairwise(cold)),
            "accept": round(100 * path.accept_statistic) if path else 0,
            "right": round(100 * float(self.density.on_the_right(draws).mean()), 1) if len(draws) else 0,
            "walker": states[t].walkers[0] + 1 if self.tempered else 1,
            "length": drawn.length if drawn else 0,
            "failed": int(drawn is not None and not drawn.turned_back),
            "spread": round(float((draws[:, 0] ** 2).mean()), 3) if len(draws) else 0,
        }

    def _measure_throw(self, chain: Chain[Any], t: int) -> dict[str, float]:
        path = self.throw().trajectory([chain[now] for now in range(t + 1)])
        x, y = path.points[-1].position.tolist()
        return NOTHING | {
            "x": x,
            "y": y,
            "leapfrogs": t,
            "divergent": int(path.divergent is not None),
            "moved": t,
            "accept": round(100 * path.accept_statistic),
        }

    def _measure_own(self, t: int) -> dict[str, float]:
        shown, at = self.shown(), max(t, 1) - 1
        x, y = shown.values[0, at, :2].tolist()
        both = [shown.diagnosed(t, place) for place in (0, 1)]
        rhats, sizes = [one.rhat for one in both if one.rhat], [one.ess_bulk for one in both if one.ess_bulk]
        return {
            "x": x,
            "y": y,
            "divergent": int(t > 0 and shown.divergent[0, at]),
            "divergences": int(shown.divergent[:, shown.warmup : t].sum()),
            "rhat": round(max(rhats), 3) if len(rhats) == 2 else 0,
            "ess": round(min(sizes)) if len(sizes) == 2 else 0,
            "switches": shown.switches(t),
        }

    def matters(self, name: str) -> bool:
        """Hide what belongs to another sampler, or to own draws."""
        if name == "data" or name in OF_OWN or self.mine:
            return name == "data" or (self.mine and name in OF_OWN and self._matters_here(name))
        if self.compared and name in ("leapfrog_steps", "step_size", "scale", "mass_x", "mass_y"):
            return True
        rolls = ("HMC", "GIST") if self.warmup else ("HMC", "NUTS", "GIST")
        own = {
            "leapfrog_steps": ("HMC", "hand"),
            "seed": (*SAMPLERS, "tempering", "GIST"),
            "shortest": ("GIST",),
            "path_rule": ("GIST",),
            "bars": () if self.doubled else ("GIST",),
            "levels": ("tempering",),
            "hottest": ("tempering",),
            "swap_rule": ("tempering",),
            "push_x": ("hand",),
            "push_y": ("hand",),
            "step_size": (*rolls, "hand"),
            "mass_x": rolls,
            "mass_y": rolls,
            "tuning": () if self.compared else ("NUTS",),
            "layout": (*SAMPLERS, "tempering", "GIST"),
            "scale": ("Metropolis", "tempering"),
        }
        return self.method in own.get(name, (self.method,))

    def _matters_here(self, name: str) -> bool:
        """Return whether a control of own draws has an effect on these."""
        data = self.own_data
        return name == "thin" or data is None or (data.chains > 1 if name == "chain" else len(data.family) > 1)


def window_of(target: str) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the ends of the part of a target that is drawn, across and up."""
    x, y, high = WINDOWS[target]
    return (x - WIDE * high, x + WIDE * high), (y - high, y + high)
