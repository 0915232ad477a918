"""Tables of a Chinese restaurant franchise, drawn given how many customers eat each dish in each restaurant."""

import numpy as np


def draw_tables(counts: np.ndarray, weights: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Draw the number of tables of each dish in each restaurant, integers of shape (D, K).

    Of the customers of a dish in a restaurant, the i-th, from 0, opens a table with probability w / (w + i), where w is
    the dish's weight (Antoniak 1974; Teh et al. 2006, equation 40).

    Parameters
    ----------
    counts : numpy.ndarray
        The customers of each dish in each restaurant, integers of shape (D, K).
    weights : numpy.ndarray
        The weight w of each dish, shape (K,), or of each dish in each restaurant, shape (D, K).
    rng : numpy.random.Generator
        The source of random numbers.
    """
    found = np.zeros_like(counts)
    restaurant, dish = np.nonzero(counts)
    customers = counts[restaurant, dish]
    starts = np.cumsum(customers) - customers
    earlier = np.arange(customers.sum()) - np.repeat(starts, customers)
    weight = np.repeat(np.broadcast_to(weights, counts.shape)[restaurant, dish], customers)
    opens = rng.random(len(earlier)) * (weight + earlier) < weight
    opens[starts] = True  # the first customer always does
    if len(starts):
        found[restaurant, dish] = np.add.reduceat(opens, starts, dtype=int)
    return found
