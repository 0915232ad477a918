"""Draws in the form that ArviZ reads: groups of variables, with chains and draws along the first two axes.

The groups are those of ArviZ's schema: ``posterior`` and ``sample_stats``, and the same of the warm-up with the prefix
``warmup_``.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from samplers.checks import whole_from
from samplers.recipe import Kernel

if TYPE_CHECKING:
    from xarray import DataTree

DENSITIES = ("log_joint", "log_density")  # what ArviZ calls lp
Table = dict[str, np.ndarray]


class Run(Protocol):
    """The methods of a `samplers.chain.Chain` that are used."""

    sampler: Kernel[Any, Any]

    @property
    def seed(self) -> int:
        """The seed."""

    def __getitem__(self, t: int) -> Any:
        """Return the state after t steps."""

    def record(self, t: int) -> Any:
        """Return the record of step t, from 1."""


def stacked(values: Sequence[Any]) -> np.ndarray:
    """Return arrays along a new first axis; smaller ones are filled up: bits with 0, and all else with NaN."""
    arrays = [np.asarray(value) for value in values]
    shape = tuple(max(sizes) for sizes in zip(*(array.shape for array in arrays), strict=True))
    if all(array.shape == shape for array in arrays):
        return np.array(arrays)
    bits = all(array.dtype == bool for array in arrays)
    filled = np.zeros((len(arrays), *shape), bool) if bits else np.full((len(arrays), *shape), np.nan)
    for row, array in zip(filled, arrays, strict=True):
        row[tuple(slice(size) for size in array.shape)] = array
    return filled


def groups(
    numbers: np.ndarray, variables: Table, statistics: Table, warmup: int
) -> Iterator[tuple[str, tuple[np.ndarray, Table]]]:
    """Yield the name of each group that has draws, the iterations in it, and its variables.

    Parameters
    ----------
    numbers : numpy.ndarray
        The iterations, from 1, shape (draws,).
    variables, statistics : mapping of str to numpy.ndarray
        What the states hold, and statistics of the steps, each of shape (chains, draws, ...).
    warmup : int
        The number of iterations of warm-up.
    """
    densities = [values for name, values in variables.items() if name in DENSITIES]
    variables = {name: values for name, values in variables.items() if name not in DENSITIES}
    statistics = statistics | ({"lp": densities[0]} if densities else {})
    for name, table in (("posterior", variables), ("sample_stats", statistics)):
        for prefix, there in (("warmup_", numbers <= warmup), ("", numbers > warmup)):
            if table and there.any():
                yield prefix + name, (numbers[there], {key: value[:, there] for key, value in table.items()})


def axes(name: str, values: np.ndarray) -> dict[str, int]:
    """Return the dimensions of a variable beside chain and draw, by ArviZ's names, with their sizes."""
    return {f"{name}_dim_{axis}": size for axis, size in enumerate(values.shape[2:])}


def to_datatree(chains: Sequence[Run], draws: int) -> "DataTree":
    """Return the first draws of some chains as a tree of data sets, as ArviZ reads them.

    Parameters
    ----------
    chains : sequence of Chain
        Chains of one model.
    draws : int
        The number of iterations, from 1; the start is no draw.

    Raises
    ------
    ImportError
        If xarray is not installed.
    ValueError
        If there is no chain or no draw, or if the states are no draws from a posterior.
    """
    from xarray import Dataset, DataTree  # an extra, which takes a second to load

    whole_from("draws", draws, 1)
    if not chains or not all(chain.sampler.of_a_posterior for chain in chains):
        raise ValueError("chains must be at least one, and their states draws from a posterior")
    made = [_draws(chain, draws) for chain in chains]
    variables, statistics = (_together([tables[part] for tables in made]) for part in (0, 1))
    found = {}
    for name, (numbers, table) in groups(
        np.arange(1, draws + 1), variables, statistics, getattr(chains[0].sampler, "warmup", 0)
    ):
        own = {key: (("chain", "draw", *axes(key, values)), values) for key, values in table.items()}
        found[name] = Dataset(own, coords={"chain": np.arange(len(chains)), "draw": numbers})
        found[name].attrs["seeds"] = [chain.seed for chain in chains]
    tree = DataTree.from_dict(found)
    tree.attrs["inference_library"] = "samplescope"
    return tree


def _draws(chain: Run, draws: int) -> tuple[Table, Table]:
    """Return the variables of a chain's states and the statistics of its steps, draws along the first axis."""
    rows = [chain.sampler.variables(chain[t]) for t in range(1, draws + 1)]
    has_statistics = hasattr(chain.record(1), "statistics")
    steps = [chain.record(t).statistics() for t in range(1, draws + 1)] if has_statistics else []
    return _by_name(rows), _by_name(steps)


def _by_name(rows: Sequence[Mapping[str, Any]]) -> Table:
    return {name: stacked([row[name] for row in rows]) for name in (rows[0] if rows else ())}


def _together(tables: Sequence[Table]) -> Table:
    return {name: stacked([table[name] for table in tables]) for name in tables[0]}
