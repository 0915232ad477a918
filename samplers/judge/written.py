"""A chain of any data that moves by a rule that a learner wrote.

`Written` puts the rule in place of a Gibbs sampler's conditionals: all else, the data, the order of the sites and the
numbers that are drawn, stays that of the right sampler. `WrittenMetropolis` does the same for the ratio by which a
proposal is accepted. A link holds such a rule as one text: the problem's id, and the lines, with semicolons between.
"""

from collections.abc import Iterator, Mapping, Sequence
from math import exp, inf, nan
from typing import Any, NamedTuple

import numpy as np

from samplers.judge.bank import PROBLEMS
from samplers.judge.problem import Problem
from samplers.judge.rule import Rule, RuleError, Value
from samplers.judge.table import columns_of
from samplers.judge.verdict import WEIGHT_OF
from samplers.log_density import PositionState
from samplers.recipe import Conditional, Distribution, GibbsSampler, Kernel
from samplers.regression.metropolis import RandomWalkMetropolis

BETWEEN = ";"  # the lines, which have none


class Known(NamedTuple):
    """The part of an update that a line of a rule may know of an option."""

    line: int  # which line weighs the option
    values: Mapping[str, float | Sequence[float]]  # by name


class WrittenConditional(Conditional):
    """The conditional of a label by a rule that a learner wrote.

    Parameters
    ----------
    right : Conditional
        By the right rule; its terms stay there for drawings of what they stand for.
    problem : Problem
        The names and the lines.
    rules : sequence of Rule
        The lines.
    known : sequence of Known
        For each option.
    """

    __slots__ = ("fault", "given", "known", "problem", "rules")

    def __init__(self, right: Conditional, problem: Problem, rules: Sequence[Rule], known: Sequence[Known]) -> None:
        super().__init__(right.terms)
        self.problem, self.rules, self.known = problem, rules, known
        self.given = weighed(rules, known)
        self.fault = _fault(problem, self.given, known)  # why there are no probabilities; "" if there are

    @property
    def log_weights(self) -> Sequence[float]:
        """The log weights of the options by the rule."""
        if self.problem.form == "logarithms":
            return self.given
        with np.errstate(divide="ignore", invalid="ignore"):
            found: list[float] = np.log(np.array(self.given)).tolist()
        return found

    @property
    def undefined(self) -> bool:
        """Whether the rule gives no probabilities here."""
        return bool(self.fault)

    @property
    def probabilities(self) -> np.ndarray:
        """The probabilities of the options, shape (options,); not numbers where the rule gives none."""
        return np.full(len(self.given), nan) if self.fault else super().probabilities

    def pick(self, uniform: float) -> int:
        """Return the option at a number in [0, 1); the first, if the rule gives no probabilities."""
        return 0 if self.fault else super().pick(uniform)


class Written(GibbsSampler[Any]):
    """A Gibbs sampler whose labels are redrawn by a rule that a learner wrote.

    Parameters
    ----------
    right : GibbsSampler
        Which has the data, the states and all other updates.
    written : str
        The problem's id and the lines, with semicolons between.

    Raises
    ------
    RuleError
        If there is no such problem, or a line cannot be read.

    Examples
    --------
    >>> from samplers.chain import Chain
    >>> from samplers.crp.seating import CRPSeating
    >>> alone = Written(CRPSeating(concentration=1.0), "crp-seating;0;1")
    >>> Chain(alone, seed=1)[4].counts
    [1, 1, 1, 1]
    """

    def __init__(self, right: GibbsSampler[Any], written: str) -> None:
        self.right, self.written = right, written
        self.problem, self.rules = read(written)

    def __getattr__(self, name: str) -> Any:
        """Return an attribute of the right sampler: its data and settings."""
        if name == "right":  # while a copy is made
            raise AttributeError(name)
        return getattr(self.right, name)

    def init(self, rng: np.random.Generator) -> Any:
        return self.right.init(rng)

    def sites(self, state: Any) -> Iterator[Any]:
        yield from self.right.sites(state)

    def forget(self, state: Any, site: Any) -> None:
        self.right.forget(state, site)

    def score(self, state: Any, site: Any) -> Distribution:
        """Return the conditional of a label by the rule; that of a block is right."""
        found = self.right.score(state, site)
        if isinstance(site, str) or not isinstance(found, Conditional):
            return found
        return WrittenConditional(
            found, self.problem, self.rules, known_of(self.problem, self.right, state, site, found)
        )

    def remember(self, state: Any, site: Any, value: Any) -> None:
        self.right.remember(state, site, value)

    def log_joint(self, state: Any) -> float:
        return self.right.log_joint(state)

    def variables(self, state: Any) -> dict[str, Any]:
        return self.right.variables(state)

    def packed(self, state: Any) -> Any:
        return self.right.packed(state)

    def unpacked(self, kept: Any) -> Any:
        return self.right.unpacked(kept)


class WrittenProposal(NamedTuple):
    """The record of one step, as `Proposal`, with what the rule knew and gave."""

    position: np.ndarray
    log_density: float
    probability: float
    uniform: float
    accepted: bool
    known: Known
    given: float  # the ratio; not a number, or negative, where the rule gives no probability


class WrittenMetropolis(Kernel[PositionState, WrittenProposal]):
    """Random-walk Metropolis whose proposals are accepted by a ratio that a learner wrote.

    Parameters
    ----------
    right : RandomWalkMetropolis
        Which proposes.
    written : str
        As for `Written`.

    Raises
    ------
    RuleError
        As for `Written`.
    """

    def __init__(self, right: RandomWalkMetropolis, written: str) -> None:
        self.right, self.written = right, written
        self.problem, self.rules = read(written)

    def init(self, rng: np.random.Generator) -> PositionState:
        """Return the start."""
        return self.right.init(rng)

    def variables(self, state: PositionState) -> dict[str, Any]:
        """Return the parameters at the chain's position, and the log density there."""
        return self.right.variables(state)

    def step(self, state: PositionState, rng: np.random.Generator) -> tuple[PositionState, WrittenProposal]:
        """Return the next state and the proposal; what the rule gives no probability is rejected."""
        _, right = self.right.step(state, rng)
        known = known_of_step(self.right, state, right)
        (given,) = weighed(self.rules, [known])
        probability = min(1.0, given) if given >= 0 else 0.0
        accepted = right.uniform < probability and right.log_density > -inf
        there = PositionState(right.position, right.log_density)
        record = WrittenProposal(*right[:2], probability, right.uniform, accepted, known, given)
        return there if accepted else state, record


def right_of(sampler: Any) -> Any:
    """Return the sampler by the right rule that has the data and the states of a sampler."""
    return sampler.right if isinstance(sampler, (Written, WrittenMetropolis)) else sampler


def read(written: str) -> tuple[Problem, list[Rule]]:
    """Return the problem and the lines of a rule in a link, or raise `RuleError`."""
    name, *lines = written.split(BETWEEN)
    problem = PROBLEMS.get(name)
    if problem is None:
        raise RuleError("There is no problem of that name.")
    if len(lines) != len(problem.lines):
        raise RuleError(f"This rule has {len(problem.lines)} lines, not {len(lines)}.")
    return problem, problem.read(lines)


def known_of(problem: Problem, sampler: Any, state: Any, site: Any, conditional: Conditional) -> list[Known]:
    """Return the names and values of the lines for each option of an update; the site has been taken out."""
    assert problem.knows is not None
    names = [*problem.lines.values()]
    return [
        Known(line, {name: known[name] for name in names[line]})
        for line, known in problem.knows(sampler, state, site, conditional)
    ]


def known_of_step(sampler: RandomWalkMetropolis, state: PositionState, proposal: Any) -> Known:
    """Return the names and values of the ratio for a proposal: a Normal step is as probable forwards as back."""
    step = (proposal.position - state.position) / sampler.scale
    q = float(np.prod(np.exp(-step * step / 2) / np.sqrt(2 * np.pi) / sampler.scale))
    return Known(0, {"p": exp(state.log_density), "p_there": exp(proposal.log_density), "q": q, "q_back": q})


def weighed(rules: Sequence[Rule], known: Sequence[Known]) -> list[float]:
    """Return the lines' values for each option."""
    found = [nan] * len(known)
    for number, rule in enumerate(rules):
        places = [place for place, one in enumerate(known) if one.line == number]
        if places:
            values: dict[str, Value] = columns_of([known[place].values for place in places])
            for place, value in zip(places, rule.evaluate(values).tolist(), strict=True):
                found[place] = value
    return found


def _fault(problem: Problem, given: Sequence[float], known: Sequence[Known]) -> str:
    """Say why what a rule gives is no distribution; "" if it is one."""
    logs = problem.form == "logarithms"
    for value, one in zip(given, known, strict=True):
        label = [*problem.lines][one.line]
        bad = "not a number" if value != value else "infinite" if value == inf else "negative" if value < 0 else ""
        if bad and not (logs and bad == "negative"):
            return f"The {WEIGHT_OF[problem.form]}{label} is {bad}."
    if max(given) <= (-inf if logs else 0):
        return "The weight of every option is 0."
    return ""
