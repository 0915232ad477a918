"""A problem as a table: every option of every update in every state, where it leads, and what a rule may know of it.

Most tables are of a chain: the options of an update lead to states, and a sweep has a long run. Others are of cases,
and have no posterior: a formula has the right value in each, or not.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

import numpy as np
from scipy.sparse import csr_array

from samplers.judge.rule import Rule, RuleError, Value, Values
from samplers.recipe import outcomes

State = tuple[int, ...]


Form = Literal["weights", "logarithms", "ratio", "value"]
ROUNDING = 1e-12
GIVEN = -1  # the line of an option that no line of the rule weighs
CASE = "case"  # the only site of a table of cases


class Option(NamedTuple):
    """An option of an update."""

    line: int  # which line of the rule weighs it; `GIVEN` if it has its share whatever the rule says
    knows: Mapping[str, float | Sequence[float]]  # what that line may know
    to: State  # the state that it leads to, or one of the table's `outcomes`
    share: float = 1.0  # the probability that it is proposed, where a rule only accepts or rejects


@dataclass(frozen=True, eq=False)
class Table:
    """All updates of one sweep from every state, with the posterior; or all cases of a formula.

    Parameters
    ----------
    states : sequence of State
        All of them, or the cases.
    sites : sequence
        What a sweep updates, in order.
    options : callable
        ``options(site, state)`` returns the options of an update; without any, the state stays.
    posterior : numpy.ndarray, optional
        The exact probability of each state, shape (states,); None for cases.
    form : {"weights", "logarithms", "ratio", "value"}, optional
        What a line gives: the weight of an option, its logarithm, the ratio by which a proposal is accepted, and
        otherwise the state stays; or just a value, of cases.
    outcomes : sequence of State, optional
        What options lead to, if these are not the states.
    exact : numpy.ndarray, optional
        The value that a formula approximates, for each option.
    """

    states: Sequence[State]
    sites: Sequence[Any]
    options: Callable[[Any, State], Sequence[Option]]
    posterior: np.ndarray | None = None
    form: Form = "weights"
    outcomes: Sequence[State] = ()
    exact: np.ndarray | None = None
    # of each option: its site's number times the number of states, plus that of the state
    update: np.ndarray = field(init=False)
    # line, target, share: of each option; the target is a place among the outcomes
    line: np.ndarray = field(init=False)
    target: np.ndarray = field(init=False)
    share: np.ndarray = field(init=False)
    # for each line, what it may know of the options that it weighs, in order
    known: tuple[Values, ...] = field(init=False)

    def __post_init__(self) -> None:
        ends = self.outcomes or self.states
        place = {state: index for index, state in enumerate(self.states)}
        column = {outcome: index for index, outcome in enumerate(ends)}
        rows = [
            (number * len(place) + start, option)
            for number, site in enumerate(self.sites)
            for state, start in place.items()
            for option in self.options(site, state)
        ]
        lines = np.array([option.line for _, option in rows])
        found = {
            "update": np.array([update for update, _ in rows]),
            "line": lines,
            "target": np.array([column[option.to] for _, option in rows]),
            "share": np.array([option.share for _, option in rows]),
            "outcomes": ends,
            "known": tuple(
                columns_of([option.knows for _, option in rows if option.line == line])
                for line in range(lines.max() + 1)
            ),
        }
        for name, values in found.items():
            object.__setattr__(self, name, values)

    @property
    def updates(self) -> int:
        """The number of updates: sites times states."""
        return len(self.sites) * len(self.states)

    def where(self, update: int) -> tuple[Any, State]:
        """Return the site and the state of an update."""
        site, state = divmod(int(update), len(self.states))
        return self.sites[site], self.states[state]

    def knows(self, option: int) -> dict[str, float | list[float]]:
        """Return the names that a rule may use of an option, with their values."""
        line = int(self.line[option])
        if line == GIVEN:
            return {}
        row = int((self.line[:option] == line).sum())
        return {name: at(value, row) for name, value in self.known[line].items()}

    def shared(self, update: int) -> dict[str, float | list[float]]:
        """Return the names that have one value in all options of an update, with these."""
        each = [self.knows(int(option)) for option in np.flatnonzero(self.update == update)]
        first = next(filter(None, each), {})
        return {name: value for name, value in first.items() if all(one.get(name) == value for one in each if one)}

    def weights(self, rules: Sequence[Rule], instead: Mapping[str, float] | None = None) -> np.ndarray:
        """Return the weights that a rule of one line or several gives to the options, shape (options,).

        Numbers in ``instead`` replace what is known under their names.
        """
        found = np.ones(len(self.line))
        for number, (rule, known) in enumerate(zip(rules, self.known, strict=False)):
            if known:  # some option has this line
                values = {name: _instead(value, (instead or {}).get(name)) for name, value in known.items()}
                found[self.line == number] = rule.evaluate(values)
        return found

    def probabilities(self, rules: Sequence[Rule], instead: Mapping[str, float] | None = None) -> np.ndarray:
        """Return the probability of each option in its update by a rule, or its value, shape (options,).

        Raises
        ------
        BrokenRuleError
            If in some update a weight is negative, infinite or not a number, or all are 0.
        """
        return self.normalised(self.weights(rules, instead))

    def normalised(self, weights: np.ndarray) -> np.ndarray:
        """Return the probability of each option from what a rule gives for it; errors as in `probabilities`."""
        if self.form == "logarithms":
            tops = np.full(self.updates, -np.inf)
            np.maximum.at(tops, self.update, np.where(np.isnan(weights), np.inf, weights))
            with np.errstate(invalid="ignore"):
                weights = np.exp(weights - np.where(np.isfinite(tops), tops, 0.0)[self.update])
        for test, said in (
            (np.isnan(weights), "is not a number"),
            (np.isinf(weights) & (self.form != "ratio"), "is infinite"),
            ((weights < 0) & (self.form != "value"), "is negative"),
        ):
            if test.any():
                raise BrokenRuleError(said, int(np.argmax(test)), self)
        if self.form == "value":
            return weights
        if self.form == "ratio":
            return self.share * np.minimum(weights, 1.0)
        totals = np.bincount(self.update, weights, self.updates)
        nothing = (totals <= 0)[self.update]
        if nothing.any():
            least = "−∞" if self.form == "logarithms" else "0"
            raise BrokenRuleError(f"is {least}, as that of every option is", int(np.argmax(nothing)), self)
        return np.asarray(weights / totals[self.update])

    def rows(self, probabilities: np.ndarray) -> csr_array:
        """Return the probability of each outcome of each update, shape (updates, outcomes), from those of options.

        What is left over of a chain's update stays in its state.
        """
        update, target = self.update, self.target
        if self.posterior is not None:
            left = 1 - np.bincount(update, probabilities, self.updates)
            stays = np.flatnonzero(left > ROUNDING)
            probabilities = np.append(probabilities, left[stays])
            update, target = np.append(update, stays), np.append(target, stays % len(self.states))
        return csr_array((probabilities, (update, target)), (self.updates, len(self.outcomes)))


class BrokenRuleError(RuleError):
    """A rule that gives no probabilities in some update."""

    def __init__(self, said: str, option: int, table: Table) -> None:
        self.site, self.state = table.where(table.update[option])
        self.knows = table.knows(option)
        self.line = int(table.line[option])
        super().__init__(said)


def _instead(value: Value, number: float | None) -> Value:
    return value if number is None else Value(np.full_like(value.numbers, number), value.lengths)


def at(value: Value, row: int) -> float | list[float]:
    """Return the number or the list in one row of a column."""
    if value.lengths is None:
        return float(value.numbers[row])
    return value.numbers[row, : value.lengths[row]].tolist()


def columns_of(rows: Sequence[Mapping[str, float | Sequence[float]]]) -> dict[str, Value]:
    """Return the columns of a line's options, by name."""
    found = {}
    for name in rows[0] if rows else ():
        entries = [row[name] for row in rows]
        lists = [entry for entry in entries if not isinstance(entry, (int, float))]
        if not lists:
            found[name] = Value(np.array(entries, float))
            continue
        lengths = np.array([len(entry) for entry in lists])
        numbers = np.zeros((len(lists), int(lengths.max())))
        for row, entry in zip(numbers, lists, strict=True):
            row[: len(entry)] = entry
        found[name] = Value(numbers, lengths)
    return found


def rows_of(sampler: Any, states: Sequence[State], listed_as: Callable[[State], State] = tuple) -> csr_array:
    """Return the probability of each state after each update of a sampler, shape (updates, states), as `Table.rows`.

    The updates are those of the sites of a sweep, in order; the sampler's ``state`` makes a state from labels.
    """
    place = {state: index for index, state in enumerate(states)}
    sites = list(sampler.sites(sampler.state(states[0])))
    found = [
        (number * len(states) + start, place[listed_as(reached)], probability)
        for number, site in enumerate(sites)
        for start, labels in enumerate(states)
        for reached, (probability, _) in outcomes(sampler, sampler.state(labels), [site]).items()
    ]
    update, target, probabilities = (np.array(column) for column in zip(*found, strict=True))
    return csr_array((probabilities, (update, target)), (len(sites) * len(states), len(states)))


Lifted = Callable[[Any, Any, Any], Iterable[tuple[int, Mapping[str, float | Sequence[float]]]]]


def options_of(
    sampler: Any, knows: Lifted, listed_as: Callable[[State], State] = tuple
) -> Callable[[Any, State], list[Option]]:
    """Return the options of a Gibbs sampler's updates.

    Parameters
    ----------
    sampler : GibbsSampler
        The right rule.
    knows : callable
        ``knows(lifted, site, conditional)`` yields for each option its line, and what the line may know.
    listed_as : callable, optional
        Maps labels to their entry among the states.
    """
    made: dict[State, Any] = {}  # a state is asked about once a site

    def options(site: Any, labels: State) -> list[Option]:
        if labels not in made:
            made[labels] = sampler.state(labels)
        lifted = made[labels].copy()
        sampler.forget(lifted, site)
        found = []
        for option, (line, known) in enumerate([*knows(lifted, site, sampler.score(lifted, site))]):
            sampler.remember(lifted, site, option)
            found.append(Option(line, known, listed_as(tuple(lifted.labels))))
            sampler.forget(lifted, site)
        return found

    return options
