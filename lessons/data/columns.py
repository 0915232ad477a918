"""A column of data: its name, and how the numbers that samplers take become its own again."""

from dataclasses import dataclass
from typing import TypeVar

import numpy as np

V = TypeVar("V", float, np.ndarray)


@dataclass(frozen=True)
class Column:
    """A column of numbers, as it is or standardised."""

    name: str  # what it is called
    # shift, scale: of a standardised column its mean and its standard deviation, in its own units
    shift: float = 0.0
    scale: float = 1.0

    @property
    def standardised(self) -> bool:
        """Whether samplers take other numbers than its own."""
        return (self.shift, self.scale) != (0.0, 1.0)

    def own(self, values: V) -> V:
        """Return numbers that samplers take in the column's own units."""
        return self.shift + self.scale * values


AXES = (Column("x₁"), Column("x₂"))
REACH = (8.0, 6.0)  # half the width and half the height of the plane of labelled points
