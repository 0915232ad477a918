"""Exact answers for a hidden Markov model: sums over all paths, one by one if they are few, else hour by hour."""

from dataclasses import dataclass
from itertools import product

import numpy as np
from scipy.special import gammaln, logsumexp

from samplers.enumerated import Enumerated
from samplers.hmm.model import HiddenMarkov

MOST_PATHS = 60_000  # that are listed: ten hours of three states have 59,049


@dataclass(frozen=True, eq=False)
class ExactPaths(Enumerated):
    """The posterior over every path."""

    paths: np.ndarray  # the state of each hour, in lexical order: integers of shape (K ** T, T)
    log_joint: np.ndarray  # log p(series, path) of each, parameters integrated out if they are drawn


@dataclass(frozen=True, eq=False)
class Truth:
    """The exact posterior of the states."""

    marginals: np.ndarray  # p(z_t = k | series), shape (T, K)
    changes: np.ndarray  # the posterior distribution of the number of changes of state, shape (T,)
    log_evidence: float  # log p(series)


def truth(model: HiddenMarkov) -> Truth | None:
    """Return the exact posterior of the states; None where parameters are drawn and the paths are too many to list."""
    if not model.learned:
        marginals, evidence = smoothed(model)
        return Truth(marginals, changes(model), evidence)
    if model.states**model.hours > MOST_PATHS:
        return None
    exact = exact_paths(model)
    marginals = np.array([(exact.paths == k).T @ exact.probabilities for k in range(model.states)]).T
    moved = (np.diff(exact.paths) != 0).sum(axis=1)
    return Truth(marginals, np.bincount(moved, exact.probabilities, model.hours), exact.log_evidence)


def exact_paths(model: HiddenMarkov) -> ExactPaths:
    """Return the posterior of every path.

    Drawn parameters are integrated out: each row of transitions gives a Dirichlet-multinomial of its moves, and each
    state a Normal integral over its mean (Murphy 2007, "Conjugate Bayesian analysis of the Gaussian distribution").

    Raises
    ------
    ValueError
        If there are more than 60,000 paths.
    """
    states, hours = model.states, model.hours
    if states**hours > MOST_PATHS:
        raise ValueError(f"{states} states and {hours} hours have more than {MOST_PATHS:,} paths")
    paths = np.array(list(product(range(states), repeat=hours)))
    log_joint = np.full(len(paths), -np.log(states))
    moves = np.zeros((len(paths), states, states))
    for t in range(1, hours):
        np.add.at(moves, (np.arange(len(paths)), paths[:, t - 1], paths[:, t]), 1)
    if model.learned:
        prior = model.weight * model.transitions
        log_joint += _rising(moves, prior).sum(axis=(1, 2)) - _rising(moves.sum(axis=2), prior.sum(axis=1)).sum(axis=1)
    else:
        log_joint += (moves * np.log(model.transitions)).sum(axis=(1, 2))
    for k in range(states):
        log_joint += fit_of(model, k, paths == k)
    return ExactPaths(paths, log_joint)


def _rising(counts: np.ndarray, start: np.ndarray) -> np.ndarray:
    return gammaln(start + counts) - gammaln(start)


def fit_of(model: HiddenMarkov, k: int, here: np.ndarray) -> np.ndarray:
    """Return the log density of the values in state k, for each path; `here` has shape (paths, T)."""
    away = model.series - model.centres[k]
    count, total, square = here.sum(axis=1), here @ away, here @ away**2
    variance = model.deviation**2
    found = -0.5 * count * np.log(2 * np.pi * variance) - 0.5 * square / variance
    if model.learned:
        precision = 1 / model.spread**2 + count / variance
        found += -0.5 * np.log(model.spread**2 * precision) + 0.5 * (total / variance) ** 2 / precision
    return np.asarray(found)


def _fits(model: HiddenMarkov) -> np.ndarray:
    """Return the log density of each value in each state with the given means, shape (T, K)."""
    return np.array(model.state([0] * model.hours).fits)


def smoothed(model: HiddenMarkov) -> tuple[np.ndarray, float]:
    """Return p(z_t = k | series) with the given parameters, shape (T, K), and the log evidence.

    Sums forwards and backwards on the log scale (Rabiner 1989, sections III.A and III.B).
    """
    fits, moves = _fits(model), np.log(model.transitions)
    forwards, backwards = np.empty_like(fits), np.zeros_like(fits)
    forwards[0] = fits[0] - np.log(model.states)
    for t in range(1, model.hours):
        forwards[t] = fits[t] + logsumexp(forwards[t - 1][:, None] + moves, axis=0)
        back = model.hours - 1 - t
        backwards[back] = logsumexp(moves + fits[back + 1] + backwards[back + 1], axis=1)
    evidence = float(logsumexp(forwards[-1]))
    return np.exp(forwards + backwards - evidence), evidence


def changes(model: HiddenMarkov) -> np.ndarray:
    """Return the posterior distribution of the number of changes of state, shape (T,), with the given parameters.

    The forward sum, with the number of changes so far beside the state.
    """
    fits, hours = _fits(model), model.hours
    stay = np.diag(np.diag(model.transitions))
    move = model.transitions - stay
    weights = np.zeros((hours, model.states))
    weights[0] = np.exp(fits[0] - fits[0].max()) / model.states
    for t in range(1, hours):
        moved = np.vstack([np.zeros(model.states), weights[:-1] @ move])
        weights = (weights @ stay + moved) * np.exp(fits[t] - fits[t].max())
        weights /= weights.sum()
    found: np.ndarray = weights.sum(axis=1)
    return found / found.sum()
