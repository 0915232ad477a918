"""Series whose states are known: eight hours of rest and activity, and a hundred made by a chain of three states."""

import numpy as np

from samplers.checks import whole_from

GAP = 2.0  # between the means of neighbouring states
EIGHT = (0.3, -0.6, 1.1, 0.7, 2.4, 1.2, 2.9, 1.5)  # few enough to list every path of two states
MOST_HOURS = 200


def centres(states: int) -> np.ndarray:
    """Return the mean of each state: 0, 2, 4 …, shape (states,)."""
    return GAP * np.arange(states)


def stay_or_move(states: int, stay: float) -> np.ndarray:
    """Return transition probabilities: the state stays with this one, or moves to any other alike, shape (K, K)."""
    found = np.full((states, states), (1 - stay) / (states - 1))
    np.fill_diagonal(found, stay)
    return found


def made_series(hours: int, states: int, stay: float, deviation: float, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Make a series as the model does: a state for each hour, then a value around its mean.

    Parameters
    ----------
    hours : int
        From 1; fewer hours are the first ones of more.
    states : int
        From 2.
    stay, deviation : float
        Probability of keeping a state, and standard deviation of a value.
    seed : int
        Of the draws.

    Returns
    -------
    values : numpy.ndarray
        Rounded to two decimals, shape (hours,).
    labels : numpy.ndarray
        The states that made them, shape (hours,).
    """
    rng = np.random.default_rng(whole_from("seed", seed, 0))
    u, z = rng.random(MOST_HOURS + 1), rng.standard_normal(MOST_HOURS)
    labels = [int(u[0] * states)]
    for chance in u[1 : whole_from("hours", hours, 1)].tolist():
        last = labels[-1]
        move = 1 + int((chance - stay) / (1 - stay) * (states - 1)) if chance >= stay else 0
        labels.append((last + move) % states)
    found = np.array(labels)
    return np.round(centres(states)[found] + deviation * z[:hours], 2), found
