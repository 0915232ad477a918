"""Settings of the stage of a hidden Markov model."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, ClassVar, Literal

import numpy as np

from lessons.own.series import IN_TIME
from lessons.settings.calls import Call, Origins, call
from lessons.settings.fields import UPDATES, OwnDigest, StepBy, Sweep, SweptSettings, choice, one_or_many, quantity
from lessons.settings.law import LATER, Law, counted
from lessons.settings.lineups import STEPS, LineupSettings
from samplers import Chain
from samplers.data.hours import EIGHT, MOST_HOURS, centres, made_series, stay_or_move
from samplers.hmm.block import Block
from samplers.hmm.concentrations import Priors
from samplers.hmm.exact import Truth, truth
from samplers.hmm.exact_sticky import ExactStates, exact_states
from samplers.hmm.model import HiddenMarkov
from samplers.hmm.single import SingleSite
from samplers.hmm.sticky import Sticky, StickyBlock, StickySingle
from samplers.hmm.wrong import WRONG_BLOCK, WRONG_SINGLE, WRONG_STICKY_BLOCK, WRONG_STICKY_SINGLE

MADE = (3, 0.92, 1.0)  # states, probability to stay, and σ of the long series
MOST_ON_A_WALL = 40  # sweeps of each chain on a wall, if the number of states is learned
PRIOR = (  # if the number of states is learned
    "most_states",
    "mean_spread",
    "concentration",
    "top_concentration",
    "stickiness",
    "learning",
)


class HiddenChainSettings(LineupSettings, SweptSettings):
    """A series whose states are hidden: each hour's state depends on the one before, and its value on the state.

    A sweep redraws every state, one at a time or all as a block, and then the parameters, if they are drawn. In a
    lineup, a replicate is a new path with new values, by the parameters of a draw.
    """

    of_chain: ClassVar = {"runs": "one", "step_by": "sweep"}
    lawful = ("changes", "high", "used")
    charts = ("series", "shares", "second", "moved", "changes", "number", "trace", "moves", "weights", "lineup")
    marks = ("hour-N", "state-N", "count-N", "tile-N")
    picks: ClassVar = {"series": ("name",), "changes": ("k",), "weights": ("k",), "lineup": ("number",)}

    takes: ClassVar = IN_TIME
    needs: ClassVar = {
        "runs": lambda own: own.walled and not own.lined_up,
        "compare": lambda own: not own.lined_up,
        "shown": lambda own: own.replicable,
        **dict.fromkeys(("hours", "data_seed"), lambda own: own.data == "long"),
        **dict.fromkeys((*PRIOR, "base_rule"), lambda own: own.sticky),
        **dict.fromkeys(("stay", "parameters"), lambda own: not own.sticky),
        "rule": lambda own: not own.sticky and "single" in own.methods,
        "block_rule": lambda own: not own.sticky and "block" in own.methods,
    }

    data: Literal["eight", "long", "own"] = choice("eight")
    own: OwnDigest = ""
    hours: int = quantity(60, (10, MOST_HOURS, 10))
    data_seed: int = quantity(12, (0, 999, 1), control=False)
    method: Literal["single", "block"] = choice("single")
    number: Literal["fixed", "learned"] = choice("fixed")
    most_states: int = quantity(8, (2, 12, 1))
    mean_spread: float = quantity(2.0, (0.1, 10, 0.1))
    concentration: float = quantity(1.0, (0.1, 10, 0.1))
    top_concentration: float = quantity(1.0, (0.1, 10, 0.1))
    stickiness: float = quantity(10.0, (0, 100, 1), dial=True)
    learning: Literal["fixed", "learned"] = choice("fixed")
    stay: float = quantity(0.85, (0.5, 0.99, 0.01), dial=True)
    deviation: float = quantity(1.0, (0.3, 3, 0.1), dial=True)
    parameters: Literal["given", "drawn"] = choice("given")
    compare: Literal["none", "other"] = choice("none")
    rule: Literal["right", "next state left out", "stays not counted"] = choice("right")
    block_rule: Literal["right", "drawn from the filter", "largest, not sum", "stays not counted"] = choice("right")
    base_rule: Literal["right", "stay tables counted", "every stay by κ"] = choice("right")
    hour: int = quantity(1, (1, MOST_HOURS, 1), look=True, control=False)
    step_by: StepBy = "sweep"
    sweep: Sweep = 1
    runs: Literal["one", "changes", "high", "used"] = one_or_many()
    shown: Literal["run", "lineup"] = choice("run", look=True)

    @property
    def size(self) -> int:
        """The number of hours; of an own series that is gone, the largest possible one."""
        if self.mine:
            return MOST_HOURS if self.unknown else len(self.own_data.values)
        return len(EIGHT) if self.data == "eight" else self.hours

    def sites(self, labels: int) -> int:
        """Return the number of updates in a sweep: a block has a forward sum for each hour as well."""
        parameters = 3 + self.learns if self.sticky else 2 * (self.parameters == "drawn")
        return labels * (1 + (self.method == "block")) + parameters

    @property
    def iterations(self) -> int:
        """As of all stages with sweeps; fewer on a wall where states are learned, as each update takes more time.

        In a lineup, two for each round.
        """
        if self.lined_up:
            return STEPS
        if not (self.many and self.sticky):
            return super().iterations
        return min(MOST_ON_A_WALL, max(5, UPDATES // (3 * self.wall * self.size)))

    @property
    def mode(self) -> str:
        """Whether the number of states is fixed or learned; or a lineup."""
        return "lineup" if self.lined_up else self.number

    @property
    def replicable(self) -> bool:
        """Whether the model draws replicates of the series: a long one, by one chain with the right rules."""
        right = {self.rule, self.block_rule, self.base_rule} == {"right"}
        return self.data != "eight" and self.compare == "none" and right

    @property
    def methods(self) -> tuple[str, ...]:
        """The methods of all chains on the screen."""
        return (self.method, self.other)[: 1 + (self.compare == "other")]

    @property
    def sticky(self) -> bool:
        """Whether the number of states is learned."""
        return self.number == "learned"

    @property
    def learns(self) -> bool:
        """Whether α, γ and κ are redrawn."""
        return self.sticky and self.learning == "learned"

    @property
    def states(self) -> int:
        """The number of states, K."""
        return 2 if self.data == "eight" else MADE[0]

    def series(self) -> np.ndarray:
        """Return the values, shape (T,), of somebody's own as well; see `its_own` for what this raises."""
        if self.mine:
            values: np.ndarray = self.its_own().values
            return values
        return _series(self.data, self.hours, self.data_seed)

    def origins(self) -> Origins:
        """Return the call that makes the long series."""
        return {"series, made_by": self._making()} if self.data == "long" else {}

    def _making(self) -> Call:
        return call(made_series, self.hours, *MADE, self.data_seed)

    def sampler(self) -> HiddenMarkov:
        return self.sampler_by(self.method, self.series())

    def sampler_by(self, method: str, series: np.ndarray) -> HiddenMarkov:
        """Build the sampler of a series by one of the methods, each with its own rule."""
        if self.sticky:
            return self._sticky(method, series)
        kind: type[HiddenMarkov] = (
            WRONG_SINGLE.get(self.rule, SingleSite) if method == "single" else WRONG_BLOCK.get(self.block_rule, Block)
        )
        rows = stay_or_move(self.states, self.stay)
        return kind(series, centres(self.states), self.deviation, rows, learned=self.parameters == "drawn")

    def _sticky(self, method: str, series: np.ndarray) -> Sticky:
        kind: type[Sticky] = (
            WRONG_STICKY_SINGLE.get(self.base_rule, StickySingle)
            if method == "single"
            else WRONG_STICKY_BLOCK.get(self.base_rule, StickyBlock)
        )
        prior = self.concentration, self.top_concentration, self.stickiness
        centre = float(centres(self.states).mean())
        priors = Priors() if self.learns else None
        spread = self.mean_spread
        return kind(series, self.most_states, self.deviation, *prior, centre=centre, spread=spread, priors=priors)

    @property
    def other(self) -> str:
        """The other method."""
        return "block" if self.method == "single" else "single"

    def exact(self) -> Truth | ExactStates | None:
        """Return the exact posterior of the states, where it can be summed."""
        return _exact(self.model_dump_json(include={*OF_THE_POSTERIOR}))

    def observed(self) -> np.ndarray:
        """Return the series, shape (T,)."""
        return self.series()

    def replicate(self, sampler: HiddenMarkov, state: Any, seed: tuple[int, int]) -> np.ndarray:
        """Draw a new path and its values, shape (T,), by the parameters of a state."""
        return sampler.replicate(state, np.random.default_rng((*seed, sampler.hours)))

    def measure(self, chain: Chain[Any], t: int) -> dict[str, float]:
        """Count changes of state, hours in the last state and states; return the first and the last state."""
        if self.lined_up:
            own, seed = self.of_round(chain.seed, t)
            return {**own.measure(Chain(own.sampler(), seed), 0), "tile": self.tile(chain.seed, t)}
        state = chain[t]
        labels = np.array(state.labels)
        return {
            "changes": changes_of(labels),
            "last": int(labels[-1]) + 1,
            "first": int(labels[0]) + 1,
            "high": int((labels == self.highest(labels, state.means)).sum()),
            "used": len(set(state.labels)),
            "tile": 0,
        }

    def highest(self, labels: np.ndarray, means: Sequence[float]) -> int:
        """Return the last state; if the number is learned, that with the highest mean of those in use."""
        return max(set(labels.tolist()), key=lambda k: means[k]) if self.sticky else self.states - 1

    def law(self, outcome: str, t: int) -> Law | None:
        """Return the posterior of the number of changes or of states, or the mean number of hours in the last state."""
        if outcome not in self.lawful or (exact := self.exact()) is None:
            return None
        if outcome == "changes":
            return counted(LATER, exact.changes)
        if isinstance(exact, ExactStates):
            return counted(LATER, exact.states) if outcome == "used" else None
        return Law(LATER, float(exact.marginals[:, -1].sum())) if outcome == "high" else None


def changes_of(labels: np.ndarray) -> int:
    """Return how many hours have another state than the hour before."""
    return int(np.count_nonzero(labels[1:] != labels[:-1]))


@lru_cache(maxsize=32)
def _series(data: str, hours: int, seed: int) -> np.ndarray:
    found = np.array(EIGHT) if data == "eight" else made_series(hours, *MADE, seed)[0]
    found.flags.writeable = False
    return found


OF_THE_POSTERIOR = ("data", "own", "hours", "data_seed", "number", *PRIOR, "stay", "deviation", "parameters")


@lru_cache(maxsize=32)
def _exact(settings: str) -> Truth | ExactStates | None:
    return truth_of(HiddenChainSettings.model_validate_json(settings).sampler())


def truth_of(model: HiddenMarkov) -> Truth | ExactStates | None:
    """Return the exact posterior of the states, where it can be summed."""
    return exact_states(model) if isinstance(model, Sticky) else truth(model)
