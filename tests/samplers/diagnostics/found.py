"""How often numbers find the data of lineups: a lineup is drawn tile by tile, for as long as the data can be found."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping

import numpy as np

from samplers.diagnostics.lineup import TILES, line_up, stands_out

Measures = Mapping[str, Callable[[np.ndarray], float]]
Lineup = tuple[np.ndarray, Iterator[np.ndarray]]  # the data, and replicates, drawn when they are asked for


def found(lineup: Lineup, place: int, measures: Measures) -> list[str]:
    """Return the names of the numbers that find the data at a place, from 0.

    Once every number is beaten by a tile, the tiles that are left can change nothing, and are not drawn.
    """
    data, replicates = lineup
    ours, drawn = {name: measure(data) for name, measure in measures.items()}, []
    for number in range(TILES - 1):
        drawn.append(next(replicates))
        theirs = {name: measures[name](drawn[-1]) for name in ours}
        beaten = {name for name, it in theirs.items() if it < ours[name] or (it == ours[name] and number < place)}
        ours = {name: it for name, it in ours.items() if name not in beaten}
        if not ours:
            return []
    tiles = line_up(data, drawn, place)
    assert all(stands_out(tiles, measures[name]) == place for name in ours)
    return list(ours)


def hits(lineups: Iterable[Lineup], measures: Measures) -> Counter[str]:
    """Return how often each number finds the data, which are at another place in each lineup: equal tiles are fair."""
    counted: Counter[str] = Counter()
    for number, lineup in enumerate(lineups):
        counted.update(found(lineup, number % TILES, measures))
    return counted


def most(rounds: int) -> float:
    """Return one hit in twenty, and four standard errors."""
    return rounds / TILES + 4 * float(np.sqrt(rounds / TILES * (1 - 1 / TILES)))
