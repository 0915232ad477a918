"""A relay: the class is the chain. Each learner is the accept step of chains that go from hand to hand.

A chain is at a state, another one is proposed, and whoever holds the chain moves it or lets it stay. With a known
target, the class is in two halves, each with chains and a rule of its own; with a mind as target, learners say which of
two numbers is the more likely. Nothing is kept of who did what: only where each chain is, and what was visited.
"""

import secrets
import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np
from pydantic import BaseModel, ConfigDict

from lessons.settings.passing import Passing
from lessons.topics import STAGES
from pages.classroom.hands import settings_shown
from pages.classroom.messages import Acted, NotSaidError, RelayOn, Shown
from pages.classroom.news import Hand
from samplers.relay import ACCEPTANCE, dealt, other_than

LEAST, MOST = 30, 120  # chains of a class
PATIENCE = 20.0  # seconds for which a chain waits for whoever holds it, if somebody else has none
MOMENT = 1.0  # seconds until whoever passed a chain on may have it again: somebody at another process may wait for it
MOST_VALUES = 25  # numbers that a mind is asked about
HALVES = ("A", "B")
RULES = {
    "right": "Throw the dart. If it lands in the coloured part, move. Else stay.",
    "preference": "Throw the dart. If it lands in the coloured part, move. Else stay.",
    "upwards": "If the ratio is above 1, move. Else stay.",
    "": "Which is the more likely?",
}


class Walker(BaseModel):
    """A chain: where it is, how many steps it has done, who holds it, and who held it last (-1: no one), since when."""

    model_config = ConfigDict(frozen=True)

    state: int
    steps: int = 0
    holder: int = -1
    since: float = 0.0
    last: int = -1


class RelayRound(BaseModel):
    """A relay.

    Attributes
    ----------
    id : int
        Its number, among those of questions.
    title : str
        What it is about, or the question to a mind.
    names : tuple of str
        Of the states.
    weights : tuple of float
        The target; empty for a mind, which is unknown.
    rules : tuple of str
        Of each half, by name; one empty name for a mind.
    seed : int
        Of all proposals and darts: each belongs to a step, so whoever passes a step on cannot change its dart.
    walkers : tuple of Walker
        The chains, those of half A first.
    counts : tuple of tuple of int
        How often each half has visited each state.
    slips : tuple of int
        How many steps of each half were not by its rule.
    """

    model_config = ConfigDict(frozen=True)

    id: int = 0
    title: str
    names: tuple[str, ...]
    weights: tuple[float, ...] = ()
    rules: tuple[str, ...]
    seed: int
    walkers: tuple[Walker, ...]
    counts: tuple[tuple[int, ...], ...]
    slips: tuple[int, ...]
    open: bool = True

    @property
    def steps(self) -> int:
        """The number of steps of all chains."""
        return sum(one.steps for one in self.walkers)

    def half_of(self, index: int) -> int:
        """Return a learner's half: of two who joined one after the other, one is in each, by a hash."""
        coin = zlib.crc32(f"{self.seed} {index // 2}".encode()) & 1
        return (index + coin) % len(self.rules)

    def chains(self, half: int) -> Sequence[int]:
        """Return the numbers of a half's chains."""
        each = len(self.walkers) // len(self.rules)
        return range(half * each, (half + 1) * each)

    def held(self, index: int) -> int | None:
        """Return the number of the chain that a learner holds; None if she has none."""
        return next((number for number, one in enumerate(self.walkers) if one.holder == index), None)

    def hand(self, index: int) -> Hand | None:
        """Return a learner's hand: a chain's state, the proposal, and what her rule needs; None if she holds none."""
        number = self.held(index)
        if number is None or not self.open:
            return None
        here, there, dart = self._drawn(number)
        rule, weights = self.rules[self.half_of(index)], self.weights
        return {
            "relay": self.id,
            "chain": number,
            "step": self.walkers[number].steps,
            "here": self.names[here],
            "there": self.names[there],
            "ratio": weights[there] / weights[here] if weights else None,
            "bar": self._chance(rule, here, there) if rule in ("right", "preference") else None,
            "dart": dart if rule in ("right", "preference") else None,
            "rule": RULES[rule],
        }

    def _drawn(self, number: int) -> tuple[int, int, float]:
        """Return where a chain is, the proposal of its next step, and the step's dart."""
        one = self.walkers[number]
        proposal, dart = np.random.default_rng((self.seed, number, one.steps)).random(2).tolist()
        return one.state, int(other_than(one.state, proposal, len(self.names))), dart

    def _chance(self, rule: str, here: int, there: int) -> float:
        return float(ACCEPTANCE[rule](self.weights[here], self.weights[there]))

    # ---- what changes it ---------------------------------------------------------------------------------------------

    def acted(self, said: Acted, index: int, now: float) -> "RelayRound":
        """Return the relay after a learner's step; one that has been done already, and is sent again, changes nothing.

        Raises
        ------
        NotSaidError
            If there is no such chain, or somebody else holds it now.
        """
        if not self.open or said.chain >= len(self.walkers):
            raise NotSaidError("This class passes no such chain on.")
        one, half = self.walkers[said.chain], self.half_of(index)
        if one.steps > said.step:
            return self
        if one.holder != index or one.steps != said.step:
            raise NotSaidError("This chain has gone on to somebody else.")
        here, there, dart = self._drawn(said.chain)
        state = there if said.moves else here
        slip = bool(self.weights) and said.moves != (dart < self._chance(self.rules[half], here, there))
        visits = tuple(many + (place == state) for place, many in enumerate(self.counts[half]))
        return self._with(said.chain, Walker(state=state, steps=one.steps + 1, since=now, last=index)).model_copy(
            update={
                "counts": _replaced(self.counts, half, visits),
                "slips": _replaced(self.slips, half, self.slips[half] + slip),
            }
        )

    def dealt(self, waiting: Sequence[int], now: float) -> "RelayRound":
        """Return the relay with chains given to those who wait, as far as there are any: first to who came first.

        A chain goes to another one than before, if anybody takes it within a moment; one that has done fewer steps goes
        first, and one whose holder has not answered for a while is passed on.
        """
        found = self
        for index in waiting:
            if found.open and found.held(index) is None:
                found = found._given(index, now)
        return found

    def _given(self, index: int, now: float) -> "RelayRound":
        def order(number: int) -> tuple[bool, bool, int, float]:
            one = self.walkers[number]
            return one.last == index, one.holder >= 0, one.steps, one.since

        def is_free(number: int) -> bool:
            one = self.walkers[number]
            free = one.holder < 0 or now - one.since > PATIENCE
            return free and (one.last != index or now - one.since >= MOMENT)

        free = [number for number in self.chains(self.half_of(index)) if is_free(number)]
        if not free:
            return self
        number = min(free, key=order)
        return self._with(number, self.walkers[number].model_copy(update={"holder": index, "since": now}))

    def closed(self) -> "RelayRound":
        """Return the relay closed, with all chains put down."""
        walkers = tuple(one.model_copy(update={"holder": -1}) for one in self.walkers)
        return self.model_copy(update={"open": False, "walkers": walkers})

    def _with(self, number: int, walker: Walker) -> "RelayRound":
        return self.model_copy(update={"walkers": _replaced(self.walkers, number, walker)})


def _replaced(parts: tuple[Any, ...], place: int, part: Any) -> tuple[Any, ...]:
    return (*parts[:place], part, *parts[place + 1 :])


def relay_shown(shown: Shown | None, said: RelayOn, people: int) -> RelayRound:
    """Return a relay of what the instructor shows, or of a question to a mind, for a number of learners.

    Raises
    ------
    NotSaidError
        If what she shows cannot be passed on.
    """
    if said.question:
        return relay_round(Passing(_values(said), (), ("",)), said.question, people, secrets.randbelow(2**32))
    passing = settings_shown(shown)[0].passing if shown and shown.page in STAGES else None
    if passing is None:
        raise NotSaidError("This page has nothing to pass on: open a step of the lesson “The class is the chain”.")
    return relay_round(passing, "The class is the chain", people, secrets.randbelow(2**32))


def relay_round(passing: Passing, title: str, people: int, seed: int) -> RelayRound:
    """Return a relay for a number of learners: with fewer chains than learners, if they are many."""
    names, weights, rules = passing
    each = min(MOST, max(LEAST, 3 * people // 4)) // len(rules)
    rng = np.random.default_rng(seed)
    starts = [int(state) for _ in rules for state in dealt(weights or np.ones(len(names)), each, rng)]
    return RelayRound(
        title=title,
        names=names,
        weights=weights,
        rules=rules,
        seed=seed,
        walkers=tuple(Walker(state=state) for state in starts),
        counts=((0,) * len(names),) * len(rules),
        slips=(0,) * len(rules),
    )


def _values(said: RelayOn) -> tuple[str, ...]:
    """Return round numbers from `low` to `high`, at most `MOST_VALUES`."""
    if said.low >= said.high:
        raise NotSaidError("The second number is above the first.")
    rough = (said.high - said.low) / (MOST_VALUES - 1)
    power = 10 ** max(0, int(np.floor(np.log10(max(rough, 1)))))
    step = next(times * power for times in (1, 2, 5, 10) if times * power >= rough)
    return tuple(str(value) for value in range(said.low, said.high + 1, step))
