"""The draws of the chains on the screen, by the names of the field: as CSV, and as NetCDF for ArviZ."""

import csv
import io
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import product
from math import ceil
from typing import Any

import numpy as np

from pages.contract.moment import Moment, ShownChain
from pages.download.writing import given, same
from pages.player.kept import RUNS
from pages.player.run import KEPT, Run
from samplers import Chain
from samplers.datatree import Table, axes, groups, stacked
from samplers.recipe import Kernel

MOST = 1_000_000  # numbers of a chain; of more, every second draw is left out, or two of three, and so on


class Nothing(ValueError):  # noqa: N818 - nothing is wrong: there is nothing to take
    """There is nothing of this kind to take away; the text is a sentence on why."""


class Draws(Run[Any]):
    """The variables of a chain, iteration by iteration, from 1.

    Parameters
    ----------
    shown, first : ShownChain
        Whose they are, and the chain that it is a branch of, if it is one.
    every : int
        1 for all iterations, 2 for every second one.

    Attributes
    ----------
    rows : list of mapping
        Of each iteration that is kept, what its state holds.
    paths : list of mapping
        What the records of these iterations have by way of statistics: those of HMC and NUTS.
    numbers : list of int
        The iterations that are kept.
    """

    unit = "draws"

    def __init__(self, shown: ShownChain, first: ShownChain, every: int) -> None:
        self.every = every
        self._record: Any = None  # of the step that was made last
        self.rows: list[Mapping[str, Any]] = []
        self.paths: list[Mapping[str, Any]] = []
        self.numbers: list[int] = []
        if shown.branch is None:
            chain = Chain(shown.sampler, shown.seed, keep=KEPT, on_step=self._note)
        else:
            chain = Chain(first.sampler, first.seed, keep=KEPT).branch(shown.branch, shown.seed)
        super().__init__(chain, recent=1)

    def _note(self, t: int, record: Any) -> None:
        self._record = record

    @property
    def nbytes(self) -> int:
        """About how many bytes it takes."""
        last = self.rows[-1] if self.rows else {}
        return super().nbytes + len(self.rows) * sum(8 * np.size(part) + 100 for part in last.values())

    def add(self, t: int, state: Any) -> None:
        """Keep what the state of iteration t holds; the start is no draw."""
        if t and t % self.every == 0:
            self.numbers.append(t)
            self.rows.append(self.chain.sampler.variables(state))
            if hasattr(self._record, "statistics"):
                self.paths.append(self._record.statistics())


def draws_of(moment: Moment, key: str) -> list[Draws]:
    """Return the draws of all chains up to the iteration that is shown, or raise `NotYet`; sessions share them.

    Raises
    ------
    Nothing
        If no iteration has been made.
    """
    if any(shown.t < 1 for shown in moment.chains):
        raise Nothing("There are no draws yet: take a step first.")
    found, first = [], moment.chains[0]
    for number, shown in enumerate(moment.chains):
        one = Chain(shown.sampler, shown.seed)[1]
        size = sum(np.size(part) for part in shown.sampler.variables(one).values())
        every = max(1, ceil(shown.t * size / MOST))
        run = RUNS.shared(f"draws {key} {number} {every}", partial(Draws, shown, first, every))
        run.reach(shown.t)
        found.append(run)
    return found


def tables(moment: Moment, draws: Sequence[Draws], *, paths: bool = False) -> list[tuple[np.ndarray, Table]]:
    """Return of each chain which iterations are kept, and its variables with the draws along the first axis.

    An array whose shape changes along the run is filled up: bits with 0, and all else with NaN.
    """
    found = []
    for shown, run in zip(moment.chains, draws, strict=True):
        stop = int(np.searchsorted(run.numbers, shown.t, "right"))
        rows = (run.paths if paths else run.rows)[:stop]
        names = rows[0].keys() if rows else ()
        found.append((np.array(run.numbers[:stop]), {name: stacked([row[name] for row in rows]) for name in names}))
    return found


# ---- CSV -------------------------------------------------------------------------------------------------------------


def as_csv(moment: Moment, draws: Sequence[Draws]) -> bytes:
    """Return the draws as a table: a row a draw, with columns named as CmdStan names them, ``weights.1``."""
    found = tables(moment, draws)
    columns = list(dict.fromkeys(name for _, table in found for name in _columns(table)))
    text = io.StringIO()
    write = csv.writer(text, lineterminator="\n")
    write.writerow(["chain", "draw", *columns])
    for chain, (numbers, table) in enumerate(found, 1):
        held = _columns(table)
        listed = [held[name] if name in held else [""] * len(numbers) for name in columns]
        write.writerows([chain, draw, *row] for draw, *row in zip(numbers.tolist(), *listed, strict=True))
    return text.getvalue().encode()


def _columns(table: Table) -> dict[str, list[Any]]:
    """Return the numbers under each column; a cell without a number is empty."""
    return {
        ".".join([name, *(str(index + 1) for index in place)]): _cells(values, place)
        for name, values in table.items()
        for place in product(*map(range, values.shape[1:]))
    }


def _cells(values: np.ndarray, place: tuple[int, ...]) -> list[Any]:
    where: Any = (slice(None), *place)
    return [int(cell) if isinstance(cell, bool) else "" if cell != cell else cell for cell in values[where].tolist()]


# ---- NetCDF ----------------------------------------------------------------------------------------------------------


def as_netcdf(moment: Moment, draws: Sequence[Draws]) -> bytes:
    """Return the draws as NetCDF-4, with the groups that ArviZ's InferenceData has.

    Chains that do not sample as the first one does are left out: ArviZ takes all chains of a group for draws from one
    posterior.

    Raises
    ------
    Nothing
        If these are no draws from a posterior.
    """
    first: Kernel = moment.chains[0].sampler
    if not first.of_a_posterior:
        raise Nothing("NetCDF is for draws from a posterior, and these steps are not draws. Take the CSV.")
    alike = [_of_one_posterior(first, shown.sampler) for shown in moment.chains]
    values = _together(tables(moment, draws), alike)
    statistics = _together(tables(moment, draws, paths=True), alike)[1]
    numbers, variables = values
    seeds = [shown.seed for shown, kept in zip(moment.chains, alike, strict=True) if kept]
    return _written(dict(groups(numbers, variables, statistics, getattr(first, "warmup", 0))), seeds)


def _of_one_posterior(first: Kernel, other: Kernel) -> bool:
    """Return whether two samplers are one but for where they start."""
    if type(first) is not type(other):
        return False
    ours, theirs = given(first), given(other)
    return all(same(ours[name], theirs[name]) for name in ours if name != "start")


def _together(found: Sequence[tuple[np.ndarray, Table]], alike: Sequence[bool]) -> tuple[np.ndarray, Table]:
    """Return the draws that all chains have, and variables with chains and draws along the first two axes."""
    chains = [each for each, kept in zip(found, alike, strict=True) if kept]
    numbers = min((numbers for numbers, _ in chains), key=len)
    tables = [table for _, table in chains]
    return numbers, {name: stacked([table[name][: len(numbers)] for table in tables]) for name in tables[0]}


def _written(groups: Mapping[str, tuple[np.ndarray, Table]], seeds: Sequence[int]) -> bytes:
    import h5netcdf  # here, as it takes 0.2 s to import, and few ask for such a file

    into = io.BytesIO()
    with h5netcdf.File(into, "w") as file:
        file.attrs["inference_library"] = "Samplescope"
        for name, (numbers, table) in groups.items():
            group = file.create_group(name)
            group.attrs["seeds"] = np.array(seeds)
            chains = next(iter(table.values())).shape[0]
            group.dimensions = {"chain": chains, "draw": len(numbers)}
            group.create_variable("chain", ("chain",), data=np.arange(chains))
            group.create_variable("draw", ("draw",), data=numbers)
            for variable, values in table.items():
                own = axes(variable, values)
                for dimension, size in own.items():
                    group.dimensions[dimension] = size
                    group.create_variable(dimension, (dimension,), data=np.arange(size))
                plain = values.astype(np.int8) if values.dtype == bool else values
                group.create_variable(variable, ("chain", "draw", *own), data=plain)
    return into.getvalue()
