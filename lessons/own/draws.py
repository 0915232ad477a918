"""Draws of chains from files: two parameters to walk along, and the others of the first one's vector."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lessons.chains.chains import AS_IN_FILE, Chains, chains_of
from lessons.chains.source import LARGEST, File, family
from lessons.data.csv_text import OwnDataError
from lessons.data.phrases import counted, quoted
from lessons.data.sheet import check_file
from lessons.own.taking import Choice, ColumnError, Taken


@dataclass(frozen=True, eq=False)
class OwnDraws:
    """Draws of a few parameters."""

    names: tuple[str, ...]  # of the parameters: across, up, and then others of the first one's vector
    values: np.ndarray  # shape (chains, rows, parameters)
    divergent: np.ndarray  # whether the draw's trajectory diverged, shape (chains, rows)
    warmup: int  # rows at the beginning of each chain that are no draws
    marked: bool  # whether the files say which draws diverged

    @property
    def chains(self) -> int:
        """The number of chains."""
        return len(self.values)

    @property
    def family(self) -> tuple[int, ...]:
        """The places of the parameters that are elements of the first one's vector, in the order of their indices."""
        base = family(self.names[0])
        found = [place for place, name in enumerate(self.names) if base and family(name) == base]
        return tuple(sorted(found, key=lambda place: (len(self.names[place]), self.names[place])))


@dataclass(frozen=True)
class Picked:
    """The choices in files of chains; those that are left open are guessed."""

    columns: tuple[str, ...] = ()  # the parameters across and up
    split: int = 1  # how many chains lie one after the other
    warmup: int = AS_IN_FILE  # rows of each chain that are warm-up


def drawn(chains: Chains, picked: Picked) -> Taken[OwnDraws]:
    """Return the draws of the parameters that were picked, or of those that are guessed.

    Raises
    ------
    OwnDataError
        If they cannot be drawn: a `ColumnError` for a parameter that is not there.
    """
    for name in picked.columns:
        if name not in chains.names:
            raise ColumnError(name, chains.names)
    if len(picked.columns) > 2 or len({*picked.columns}) < len(picked.columns):
        raise OwnDataError(f"Two different parameters make a plane; there {_are(picked.columns)}.")
    across, up = (*picked.columns, *(name for name in chains.guess() if name not in picked.columns))[:2]
    names = chains.with_family(across, up)
    found = chains.draws(names, picked.split, picked.warmup)
    many, rows = found.divergent.shape
    data = OwnDraws(names, found.values, found.divergent, found.warmup, chains.marks_divergences)
    first = f"{counted(many, 'chain')} of {counted(rows - found.warmup, 'draw')}, from {chains.form}."
    warm = [f"{counted(found.warmup, 'row')} of each are warm-up: drawn, and not counted."] if found.warmup else []
    diverged = int(found.divergent[:, found.warmup :].sum())
    told = f"{counted(diverged, 'draw')} diverged." if data.marked else "The files do not say which draws diverged."
    return Taken(data, (first, *warm, told, *found.notes))


def _are(names: Sequence[str]) -> str:
    return f"are {quoted(names)}" if len(names) > 1 else f"is {quoted(names)}"


@dataclass(frozen=True)
class DrawsTaking:
    """How a topic takes chains from files."""

    kind: type[OwnDraws] = OwnDraws
    keys: tuple[str, ...] = ("columns",)
    none: None = None

    def check_size(self, size: int, name: str) -> None:
        """Raise an `OwnDataError` if a file of this size in bytes is too large to be read."""
        check_file(size, name, LARGEST, "parameters and draws")

    def take(self, content: bytes, name: str, choice: Choice) -> Taken[OwnDraws]:
        """Return the draws of a file: those of the columns that are chosen, or of those that are guessed."""
        return drawn(chains_of([File(name, content)]), Picked(choice.columns))

    def columns(self, content: bytes, name: str) -> tuple[str, ...]:
        """Return the parameters of a file."""
        return chains_of([File(name, content)]).names


CHAINS = DrawsTaking()
