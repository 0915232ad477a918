"""Draws as ArviZ keeps them: groups of variables with chains and draws along two axes, in whatever file they lie."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, Protocol

import numpy as np

from lessons.chains.source import ANOTHER, DENSITY, DIVERGENT, LARGEST, Part, check_rows, elements
from lessons.data.csv_text import OwnDataError
from lessons.data.phrases import quoted

POSTERIOR, STATISTICS = "posterior", "sample_stats"
WARMUP = "warmup_"
NAMED_AS = {DIVERGENT: ("diverging", "divergent", "divergent__"), DENSITY: ("lp", "log_density", "lp__")}
AXES = ("chain", "draw")
WHOLE = 25_000_000  # numbers of a variable that is read at once: to pick one by one unpacks the same parts again
MOST_NAMES = 20_000
MOST_LABELS = 1_000


@dataclass(frozen=True)
class Variable:
    """A variable as its file describes it."""

    dims: tuple[str, ...]  # the names of its axes
    shape: tuple[int, ...]
    # the labels along each axis; none where they only count
    labels: tuple[tuple[str, ...], ...] = ()

    @property
    def drawn(self) -> bool:
        """Whether it has chains and draws."""
        return {*AXES} <= {*self.dims} and len(self.dims) == len(self.shape)

    @property
    def own(self) -> list[int]:
        """The places of its axes besides those of chains and draws."""
        return [place for place, name in enumerate(self.dims) if name not in AXES]

    def names(self, name: str) -> list[str]:
        """Return the names of its elements."""
        labels = [self.labels[place] if place < len(self.labels) else () for place in self.own]
        return elements(name, [self.shape[place] for place in self.own], labels)


class Asked(NamedTuple):
    """Elements of a variable that are asked for."""

    group: str
    name: str
    places: list[int]  # among the elements of a draw


class Store(Protocol):
    """A file with groups of variables."""

    @property
    def form(self) -> str:
        """The kind of file, in a word or two."""

    @property
    def groups(self) -> Mapping[str, Mapping[str, Variable]]:
        """The variables of numbers in each group; "" is the group of those that are in none."""

    def read(self, asked: Sequence[Asked]) -> list[np.ndarray]:
        """Return elements of variables with chains and draws, as `picked` does; an `OwnDataError` if that fails."""


def picked(array: Any, variable: Variable, places: Sequence[int]) -> np.ndarray:
    """Return elements of an array, by their places among those of a draw: shape (chains, draws, places).

    The array need only know slices. What is read is the least box that holds the elements, if that is not too large.
    """
    own, order = variable.own, [variable.dims.index(name) for name in AXES]
    at = np.array(np.unravel_index(list(places), [variable.shape[axis] for axis in own]) if own else []).reshape(
        -1, len(places)
    )
    low, high = at.min(axis=1, initial=2**40), at.max(axis=1, initial=-1)
    rows = np.prod([variable.shape[axis] for axis in order], dtype=float)
    if rows * np.prod(high - low + 1, dtype=float) > WHOLE and len(places) > 1:
        return np.concatenate([picked(array, variable, [place]) for place in places], axis=2)
    box = [slice(None)] * len(variable.shape)
    for axis, first, last in zip(own, low.tolist(), high.tolist(), strict=True):
        box[axis] = slice(first, last + 1)
    found = np.moveaxis(np.asarray(array[tuple(box)], float), order, (0, 1))
    return found[(slice(None), slice(None), *(at - low[:, None]))] if own else found[:, :, None]


class Tree:
    """A file with groups as ArviZ writes them, or a single group.

    See `lessons.chains.source.Source`.

    Raises
    ------
    OwnDataError
        If it has no group of draws, or too many.
    """

    notes: tuple[str, ...] = ()

    def __init__(self, store: Store) -> None:
        self._store = store
        groups = store.groups
        self._group = next((name for name in (POSTERIOR, "") if self._of(groups.get(name, {}))), None)
        if self._group is None:
            there = f"There are the groups {quoted([*filter(None, groups)])}." if any(groups) else "There is no group."
            raise OwnDataError(
                f"It has no group “posterior” of variables with the axes chain and draw. {there} Save the whole "
                "InferenceData, as by “idata.to_netcdf”."
            )
        for variable in self._variables.values():
            rows = int(np.prod([variable.shape[variable.dims.index(name)] for name in AXES], dtype=float))
            check_rows(rows, "The file")
        many = sum(
            int(np.prod([one.shape[place] for place in one.own], dtype=float)) for one in self._variables.values()
        )
        if many > MOST_NAMES:
            raise OwnDataError(f"It has {many:,} parameters; at most {MOST_NAMES:,} can be read. Keep those you need.")

    @staticmethod
    def _of(variables: Mapping[str, Variable]) -> dict[str, Variable]:
        return {name: one for name, one in variables.items() if one.drawn and all(one.shape)}

    @property
    def form(self) -> str:
        """The kind of file, in a word or two."""
        return self._store.form

    @cached_property
    def _variables(self) -> dict[str, Variable]:
        return self._of(self._store.groups[self._group or ""])

    @cached_property
    def _places(self) -> dict[str, tuple[str, int]]:
        """The variable of each element, and its place in it."""
        return {
            element: (name, place)
            for name, variable in self._variables.items()
            for place, element in enumerate(variable.names(name))
        }

    @cached_property
    def _statistics(self) -> dict[str, tuple[str, str]]:
        """The group and the variable of what comes with a draw."""
        found = {}
        for name, spellings in NAMED_AS.items():
            for group in (STATISTICS, self._group or ""):
                there = self._of(self._store.groups.get(group, {}))
                spelling = next((each for each in spellings if each in there and not there[each].own), None)
                if spelling and name not in found:
                    found[name] = group, spelling
        return found

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the parameters."""
        own = tuple(name for name in self._places if name not in self._statistics)
        return (*own, *([DENSITY] if DENSITY in self._statistics else ()))

    @property
    def known(self) -> frozenset[str]:
        """Which of `DIVERGENT` and `DENSITY` there are."""
        return frozenset(self._statistics)

    def chains(self, names: Sequence[str]) -> list[Part]:
        """Return the draws of some parameters, and of what is `known`, chain by chain; see `Source`."""
        asked = self._asked(names)
        before = {key: one._replace(group=WARMUP + one.group) for key, one in asked.items()}
        groups = self._store.groups
        if not all(one.name in self._of(groups.get(one.group, {})) for one in before.values()):
            before = {}
        read = self._store.read([*before.values(), *asked.values()])
        made, columns = read[len(before) :], dict[str, np.ndarray]()
        for place, (found, values) in enumerate(zip(asked.values(), made, strict=True)):
            whole = np.concatenate([read[place], values], axis=1) if before else values
            columns |= {name: whole[:, :, at] for name, at in self._columns(names, found).items()}
        warmup = read[0].shape[1] if before else 0
        chains = min(len(values) for values in columns.values())
        return [Part({name: values[chain] for name, values in columns.items()}, warmup) for chain in range(chains)]

    def _where(self, name: str) -> tuple[str, str, int]:
        """Return the group and the variable of a name, and its place there."""
        if name in self._statistics:
            return *self._statistics[name], 0
        return self._group or "", *self._places[name]

    def _asked(self, names: Sequence[str]) -> dict[tuple[str, str], Asked]:
        """Return the elements of each variable that are asked for: it is read once."""
        found: dict[tuple[str, str], Asked] = {}
        for name in dict.fromkeys([*names, *sorted(self.known)]):
            group, variable, place = self._where(name)
            found.setdefault((group, variable), Asked(group, variable, [])).places.append(place)
        for one in found.values():
            about = self._store.groups[one.group][one.name]
            rows = np.prod([about.shape[about.dims.index(axis)] for axis in AXES], dtype=float)
            if 8 * rows * len(one.places) > LARGEST:
                raise OwnDataError(f"{quoted([one.name])} has too many draws to be read. {ANOTHER}")
        return found

    def _columns(self, names: Sequence[str], one: Asked) -> dict[str, int]:
        """Return the names that were asked for of a variable, and the place of each among these."""
        found = {}
        for name in dict.fromkeys([*names, *sorted(self.known)]):
            group, variable, place = self._where(name)
            if (group, variable) == (one.group, one.name):
                found[name] = one.places.index(place)
        return found
