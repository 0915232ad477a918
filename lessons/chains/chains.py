"""Chains put together from all files of somebody: draws of a few parameters, and what was left out."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from lessons.chains.opening import opened
from lessons.chains.source import DENSITY, DIVERGENT, File, Part, Source, family
from lessons.data.csv_text import OwnDataError
from lessons.data.phrases import counted, listed, quoted

MOST_CHAINS, MOST_DRAWS = 10, 10_000
FEWEST = 4  # draws of a chain
MOST_OF_FAMILY = 6  # elements of a vector that are looked at together
AS_IN_FILE = -1  # rows of warm-up: as many as the file says


class Drawn(NamedTuple):
    """The draws of a few parameters, as far as they are kept."""

    values: np.ndarray  # shape (chains, rows, parameters), NaN where the file has none
    divergent: np.ndarray  # whether the draw's trajectory diverged, shape (chains, rows)
    warmup: int  # rows that are no draws
    notes: tuple[str, ...]  # what was left out, in sentences


@dataclass(frozen=True)
class Chains:
    """Opened files of one model.

    Attributes
    ----------
    names : tuple of str
        The parameters that are in all of them.
    """

    sources: tuple[Source, ...]
    names: tuple[str, ...]

    @property
    def form(self) -> str:
        """The kinds of files, in a few words."""
        return listed([*dict.fromkeys(source.form for source in self.sources)])

    @property
    def marks_divergences(self) -> bool:
        """Whether the files say which draws diverged."""
        return all(DIVERGENT in source.known for source in self.sources)

    def guess(self) -> tuple[str, str]:
        """Return two parameters to look at: the first ones, or the log density for want of a second."""
        if len(self.names) < 2:
            raise OwnDataError(
                f"There is one parameter, {quoted(self.names)}, and no lp__: a plane needs two. Save another as well."
            )
        return self.names[0], self.names[1]

    def with_family(self, across: str, up: str) -> tuple[str, ...]:
        """Return two parameters, and the other elements of the first one's vector, if it is short."""
        base = family(across)
        others = [name for name in self.names if base and family(name) == base and name not in (across, up)]
        size = 1 + len(others) + (family(up) == base)
        return (across, up, *(others if size <= MOST_OF_FAMILY else ()))

    def draws(self, names: Sequence[str], split: int = 1, warmup: int = AS_IN_FILE) -> Drawn:
        """Return the draws of some parameters.

        Parameters
        ----------
        names : sequence of str
            The parameters.
        split : int, optional
            How many chains lie one after the other in a file that has one.
        warmup : int, optional
            How many rows at the beginning of each chain are warm-up, if that is not left to the files.

        Raises
        ------
        OwnDataError
            If there are too few draws, or a parameter never moves.
        """
        parts = [part for source in self.sources for part in source.chains(names)]
        notes = [note for source in self.sources for note in source.notes]
        if split > 1 and len(parts) == 1:
            parts = list(_split(parts[0], split))
        first = max(part.warmup for part in parts) if warmup == AS_IN_FILE else warmup
        rows = [len(part.columns[names[0]]) for part in parts]
        if (short := min(rows)) - first < FEWEST:
            raise OwnDataError(
                f"A chain has {counted(max(0, short - first), 'draw')}; at least {FEWEST} are needed. Let it run on, "
                "or leave out less as warm-up."
            )
        if len(parts) > MOST_CHAINS:
            notes.append(f"Of {len(parts)} chains the first {MOST_CHAINS} are shown.")
        if max(rows) > short:
            notes.append(f"The chains have {short:,} to {max(rows):,} draws: of each the first {short:,} are shown.")
        every = -(-(short - first) // MOST_DRAWS)
        kept = np.r_[0:first:every, first:short:every]
        if every > 1:
            notes.append(f"Of {short - first:,} draws in a chain every {_nth(every)} is shown.")
        chains = parts[:MOST_CHAINS]
        values = np.array([[part.columns[name][kept] for name in names] for part in chains]).transpose(0, 2, 1)
        diverged = [part.columns.get(DIVERGENT, np.zeros(short))[kept] > 0 for part in chains]
        warm = int((kept < first).sum())
        notes += _faults(values[:, warm:], names)
        return Drawn(np.ascontiguousarray(values), np.array(diverged, np.uint8), warm, tuple(notes))


def _nth(number: int) -> str:
    return {2: "second", 3: "third"}.get(number, f"{number}th")


def _split(part: Part, many: int) -> Iterator[Part]:
    """Yield the chains that lie one after the other."""
    rows = len(next(iter(part.columns.values()))) // many
    for chain in range(many):
        yield Part({name: of[chain * rows : (chain + 1) * rows] for name, of in part.columns.items()}, 0)


def _faults(draws: np.ndarray, names: Sequence[str]) -> list[str]:
    """Say where numbers lack; raise an `OwnDataError` for one of the first two parameters that never moves."""
    notes = []
    for place, name in enumerate(names):
        of = draws[:, :, place]
        fine = np.isfinite(of)
        if place < 2 and (not fine.any() or np.ptp(of[fine]) == 0):
            what = f"is {of[fine][0]:g} in every draw" if fine.any() else "has no number"
            raise OwnDataError(f"{quoted([name])} {what}, so there is nothing to see. Choose another parameter.")
        if lacking := int((~fine).sum()):
            notes.append(f"{quoted([name])} has no number in {counted(lacking, 'draw')}, where nothing is drawn.")
    return notes


def chains_of(files: Sequence[File]) -> Chains:
    """Open files of chains.

    Raises
    ------
    OwnDataError
        If one cannot be read, or if they have no parameter in common.
    """
    sources = opened(files)
    if not sources:
        raise OwnDataError("There is no file. Load CmdStan’s CSV, one for each chain, a table, NetCDF or Zarr.")
    shared = set(sources[0].names).intersection(*(source.names for source in sources[1:]))
    names = tuple(name for name in sources[0].names if name in shared)
    if not names:
        first, other = sources[0].names[:3], next(each.names[:3] for each in sources if not shared & {*each.names})
        raise OwnDataError(
            f"The files have no parameter in common: the first has {quoted(first)}, another has {quoted(other)}. Load "
            "chains of one model together."
        )
    if names == (DENSITY,):
        raise OwnDataError("The log density lp__ is all that the files have in common: a plane needs two parameters.")
    return Chains(tuple(sources), names)
