"""The places of tables and chairs, so that nothing overlaps and nothing moves while a run plays."""

from dataclasses import dataclass

import numpy as np

WIDTH, HEIGHT = 120.0, 90.0  # the room, in its own units
DOOR = (5.0, 24.0)
LEFT, RIGHT, BOTTOM, TOP = 11.0, 118.0, 15.0, 89.0  # where tables may stand: the door is to the left, a bar below
CHAIR = 0.74  # radius of a customer, in units of the chairs' spacing, at which neighbours just do not touch
LARGEST_SPACING = 6.0
FINE = 10_000  # spots for the centres of tables
GAP = 0.12  # between tables, in units of the chairs' spacing
SHAPES = (2, 3, 4, 8)  # that tables may fill, from an ellipse to nearly a rectangle: powers of their distances
GOLDEN_ANGLE = np.pi * (3 - np.sqrt(5))


@dataclass(frozen=True)
class Floor:
    """A floor plan."""

    tables: np.ndarray  # centres
    spacing: float  # the scale of everything: a customer's radius is `CHAIR` times this, see also `radius`

    def chairs(self, table: int, count: int) -> np.ndarray:
        """Positions of a table's customers in order of arrival, shape (count, 2): a sunflower's seeds."""
        seat = np.arange(count)
        distance = self.spacing * np.sqrt(seat + 0.5 if count > 1 else seat)
        angle = seat * GOLDEN_ANGLE + table
        return self.tables[table] + np.column_stack([distance * np.cos(angle), distance * np.sin(angle)])


def radius(count: np.ndarray, spacing: float = 1.0) -> np.ndarray:
    """Radius of a table with a number of customers."""
    return spacing * (np.sqrt(count) + CHAIR + 0.25)


def plan(counts: np.ndarray, fine: int = FINE) -> Floor:
    """Place tables of these final sizes, shape (tables,), in the shape in which they can be the largest.

    There are about `fine` spots.
    """
    need = radius(np.asarray(counts, float)) + GAP
    spots = _spots(need, fine)
    return max((_placed(need, spots, power) for power in SHAPES), key=lambda floor: floor.spacing)


def _placed(need: np.ndarray, spots: np.ndarray, power: float) -> Floor:
    """Place the largest table first, and each as near the middle as it fits."""
    away = (np.abs(spots / (RIGHT - LEFT, TOP - BOTTOM)) ** power).sum(axis=1)
    spots = spots[np.argsort(away, kind="stable")]
    room = np.full(len(spots), np.inf)  # from each spot to the nearest table placed so far
    centres = np.zeros((len(need), 2))
    for table in np.argsort(-need, kind="stable"):
        centres[table] = spots[np.argmax(room >= need[table])]
        room = np.minimum(room, np.hypot(*(spots - centres[table]).T) - need[table])
    low, high = (centres - need[:, None]).min(axis=0), (centres + need[:, None]).max(axis=0)
    scale = min(LARGEST_SPACING, *(np.array([RIGHT - LEFT, TOP - BOTTOM]) / (high - low)))
    middle = np.array([LEFT + RIGHT, BOTTOM + TOP]) / 2
    return Floor((centres - (low + high) / 2) * scale + middle, float(scale))


def _spots(need: np.ndarray, fine: int) -> np.ndarray:
    """Return a fine grid of places for centres."""
    area = 2.2 * np.pi * float(np.sum(need**2)) + 16 * float(need.max()) ** 2
    half = np.sqrt(area / (WIDTH * HEIGHT)) * np.array([WIDTH, HEIGHT]) / 2
    pitch = max(0.3, float(np.sqrt(area / fine)))
    x, y = np.meshgrid(np.arange(-half[0], half[0], pitch), np.arange(-half[1], half[1], pitch))
    return np.column_stack([x.ravel(), y.ravel()])
