"""Every class of binary matrices with few dishes."""

from collections.abc import Iterator
from itertools import combinations_with_replacement, product

import numpy as np


def classes(customers: int, most: int) -> Iterator[np.ndarray]:
    """Every class of at most so many dishes, as its left-ordered form."""
    histories = list(product((1, 0), repeat=customers))[:-1]
    for dishes in range(most + 1):
        for columns in combinations_with_replacement(histories, dishes):
            yield np.array(columns, int).reshape(-1, customers).T
