"""The whole truth about a split–merge move on a few points: every pair, every coin, every scan."""

from collections import defaultdict
from itertools import product

import numpy as np

from samplers.crp.exact_partitions import ExactPosterior
from samplers.crp.facts import relabel

Partition = tuple[int, ...]


def as_partition(labels) -> Partition:
    return tuple(relabel(labels).tolist())


class Moves:
    """A move by the joint of whole partitions alone, without predictive densities, counts or clusters."""

    def __init__(self, exact: ExactPosterior, scans: int) -> None:
        self.log_joint = dict(zip(exact.partitions, exact.log_joint.tolist(), strict=True))
        self.partitions, self.scans = exact.partitions, scans

    def sides(self, labels, point, tables) -> np.ndarray:
        """Probability of either table for a point, the others as they are."""
        found = []
        for table in tables:
            moved = [*labels[:point], table, *labels[point + 1 :]]
            found.append(self.log_joint[as_partition(moved)])
        weights = np.exp(np.array(found) - max(found))
        return weights / weights.sum()

    def scanned(self, spread, points, tables):
        """Spread of labels after one restricted scan."""
        for point in points:
            after = defaultdict(float)
            for labels, chance in spread.items():
                for table, share in zip(tables, self.sides(labels, point, tables), strict=True):
                    after[*labels[:point], table, *labels[point + 1 :]] += chance * share
            spread = after
        return spread

    def launches(self, labels, pair, tables, points):
        """Spread of launch states: coins, then scans."""
        tossed = list(labels)
        tossed[pair[0]], tossed[pair[1]] = tables
        spread = {}
        for coins in product(tables, repeat=len(points)):
            for point, table in zip(points, coins, strict=True):
                tossed[point] = table
            spread[tuple(tossed)] = 0.5 ** len(points)
        for _ in range(self.scans):
            spread = self.scanned(spread, points, tables)
        return spread

    def log_ratio(self, launch, split, labels, pair, points, tables) -> float:
        """Log of the acceptance ratio of a split of `labels` from a launch state; the merge has its negative."""
        now, log_q = list(launch), 0.0
        for point in points:
            chances = self.sides(tuple(now), point, tables)
            log_q += np.log(chances[tables.index(split[point])])
            now[point] = split[point]
        return self.log_joint[as_partition(split)] - self.log_joint[as_partition(labels)] - log_q

    def matrix(self) -> np.ndarray:
        """Transition matrix of a move, over all pairs, launch states and proposals."""
        place = {labels: row for row, labels in enumerate(self.partitions)}
        many = len(self.partitions[0])
        pairs = [(i, j) for i in range(many) for j in range(many) if i != j]
        matrix = np.zeros((len(place),) * 2)
        for labels in self.partitions:
            for pair in pairs:
                for after, chance in self._after(labels, pair):
                    matrix[place[labels], place[as_partition(after)]] += chance / len(pairs)
        return matrix

    def _after(self, labels, pair):
        first, second = labels[pair[0]], labels[pair[1]]
        points = [point for point, table in enumerate(labels) if table in (first, second) and point not in pair]
        splits = first == second
        tables = (many_of(labels), second) if splits else (first, second)
        for launch, chance in self.launches(labels, pair, tables, points).items():
            reached = self.scanned({launch: 1.0}, points, tables) if splits else {labels: 1.0}
            for split, drawn in reached.items():
                one = tuple(second if table == tables[0] else table for table in split)
                ratio = self.log_ratio(launch, split, one, pair, points, tables)
                accepted = np.exp(min(0.0, ratio if splits else -ratio))
                yield (split if splits else one), chance * drawn * accepted
                yield labels, chance * drawn * (1 - accepted)


def many_of(labels) -> int:
    return max(labels) + 1
