"""Settings of the stage of a hidden Markov model."""

from functools import lru_cache
from typing import Any, ClassVar, Literal

import numpy as np

from lessons.own.series import IN_TIME
from lessons.settings.calls import Call, Origins, call
from lessons.settings.fields import UPDATES, OwnDigest, StepBy, Sweep, SweptSettings, choice, one_or_many, quantity
from lessons.settings.law import Law
from lessons.settings.lineups import STEPS, LineupSettings
from lessons.topics.hidden_chain.fixed import States
from lessons.topics.hidden_chain.learned import PRIOR, LearnedStates
from samplers import Chain
from samplers.data.hours import EIGHT, MOST_HOURS, made_series
from samplers.hmm.exact import Truth
from samplers.hmm.exact_sticky import ExactStates
from samplers.hmm.model import HiddenMarkov

MADE = (3, 0.92, 1.0)  # states, probability to stay, and σ of the long series
MODELS = {"fixed": States(), "learned": LearnedStates()}  # by the number of states


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
        **dict.fromkeys(States.controls, lambda own: own.number == "fixed"),
        **dict.fromkeys(LearnedStates.controls, lambda own: own.number == "learned"),
        "rule": lambda own: own.number == "fixed" and "single" in own.methods,
        "block_rule": lambda own: own.number == "fixed" and "block" in own.methods,
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
        return labels * (1 + (self.method == "block")) + self.model.blocks(self)

    @property
    def iterations(self) -> int:
        """As of all stages with sweeps; fewer on a wall where states are learned, as each update takes more time.

        In a lineup, two for each round.
        """
        if not self.many:
            return STEPS if self.lined_up else super().iterations
        return min(self.model.most, max(5, UPDATES // (self.model.price * self.wall * self.size)))

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
    def model(self) -> States:
        """The model, by its number of states."""
        return MODELS[self.number]

    @property
    def learns(self) -> bool:
        """Whether α, γ and κ are redrawn."""
        return self.number == "learned" and self.learning == "learned"

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
        return self.model.kernel(self, method, series)

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
            "high": int((labels == self.model.highest(self, labels, state.means)).sum()),
            "used": len(set(state.labels)),
            "tile": 0,
        }

    def law(self, outcome: str, t: int) -> Law | None:
        """Return the posterior of the number of changes or of states, or the mean number of hours in the last state."""
        exact = self.exact() if outcome in self.lawful else None
        law = self.model.laws.get(outcome)
        return law(exact) if law and exact is not None else None


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
    made = HiddenChainSettings.model_validate_json(settings)
    return made.model.truth(made.sampler())
