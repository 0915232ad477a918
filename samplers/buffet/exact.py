"""Exact facts of the Indian buffet process, and of the finite model whose limit it is.

A binary matrix has a row a customer and a column a dish. What the buffet gives a probability is a class of matrices:
all that become the same when their columns are sorted and empty ones dropped (Griffiths & Ghahramani 2011, The Indian
buffet process: an introduction and review). Nothing here is simulated, and nothing shares code with the samplers that
it is there to judge.

In every function ``concentration`` is α > 0, and ``columns`` the number K of columns of the finite model, in which each
has a probability π_k ~ Beta(α / K, 1) of being taken; None stands for the limit of ever more columns: the buffet.
"""

import math
from collections import Counter

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gammaln, xlog1py, xlogy

from samplers.checks import finite_above, whole_from

LEAST = 1e-12  # probability of a number of dishes that is listed


def left_ordered(matrix: ArrayLike) -> np.ndarray:
    """Return the left-ordered form of a binary matrix, shape (customers, dishes), without its empty columns.

    A column is read as a binary number whose first customer counts most; the largest number comes first. Two matrices
    are of one class if and only if their left-ordered forms are equal (Griffiths & Ghahramani 2011, section 2.2).

    Raises
    ------
    ValueError
        If the matrix is not two-dimensional, or holds anything but 0 and 1.

    Examples
    --------
    >>> left_ordered([[0, 1, 0, 1], [1, 1, 0, 0]]).tolist()
    [[1, 1, 0], [1, 0, 1]]
    """
    bits = _bits(matrix)
    taken = bits[:, bits.any(axis=0)]
    return taken[:, left_order(taken)]


def left_order(matrix: ArrayLike) -> np.ndarray:
    """Return the order of the columns in which a binary matrix is left-ordered, empty ones last, shape (columns,).

    Equal columns keep their order. Sorted by all rows, columns are sorted by the first rows too: a dish need not move
    when the next customer comes.
    """
    bits = _bits(matrix)
    return np.lexsort(1 - bits[::-1]) if len(bits) else np.arange(bits.shape[1])


def log_probability_of_class(matrix: ArrayLike, concentration: float, columns: int | None = None) -> float:
    """Log probability of the class of a binary matrix, shape (customers, dishes); empty columns do not count.

    Raises
    ------
    ValueError
        If a number is out of range, or the matrix is not binary.

    Notes
    -----
    The buffet's is that of Griffiths & Ghahramani (2011), equation 14: α^K₊ / ∏_h K_h! · exp(-α H_N) ·
    ∏_k (N - m_k)! (m_k - 1)! / N!, where m_k customers have taken dish k and K_h columns are the same. With K columns
    it is K! / ∏_h K_h! · ∏_k (α/K) Γ(m_k + α/K) (N - m_k)! / Γ(N + 1 + α/K), over all columns, the empty ones too
    (section 2.3); it is -∞ if there are fewer.
    """
    bits, concentration = left_ordered(matrix), finite_above("concentration", concentration, 0)
    customers, dishes = bits.shape
    alike = Counter(map(bytes, bits.T.astype(np.uint8))).values()
    ways = -math.fsum(map(math.lgamma, (count + 1 for count in alike)))
    takers = bits.sum(axis=0).tolist()
    if columns is None:
        powers = dishes * math.log(concentration) - concentration * harmonic(customers)
        each = (math.lgamma(customers - m + 1) + math.lgamma(m) - math.lgamma(customers + 1) for m in takers)
        return ways + powers + math.fsum(each)
    empty, share = whole_from("columns", columns, 1) - dishes, concentration / columns
    if empty < 0:
        return -math.inf
    ways += math.lgamma(columns + 1) - math.lgamma(empty + 1)
    total = columns * (math.log(share) - math.lgamma(customers + 1 + share))
    each = (math.lgamma(m + share) + math.lgamma(customers - m + 1) for m in [*takers, *[0] * empty])
    return ways + total + math.fsum(each)


def dishes_overall(customers: int, concentration: float, columns: int | None = None) -> np.ndarray:
    """Return the distribution of the number of dishes that a number of customers, from 0, have taken among them.

    Returns
    -------
    numpy.ndarray
        Probabilities of 0, 1, 2, … dishes, as far as they are above 10⁻¹².

    Raises
    ------
    ValueError
        If a number is out of range.

    Notes
    -----
    Customer i finds Poisson(α / i) new dishes, so all find Poisson(α H_N). In the finite model a column stays empty
    with probability ∏_i i / (i + α/K).
    """
    concentration, customers = finite_above("concentration", concentration, 0), whole_from("customers", customers, 0)
    if columns is None:
        return _poisson(concentration * harmonic(customers))
    share = concentration / whole_from("columns", columns, 1)
    return _binomial(columns, -math.expm1(-math.fsum(math.log1p(share / i) for i in range(1, customers + 1))))


def dishes_of_a_customer(concentration: float, columns: int | None = None) -> np.ndarray:
    """Return the distribution of the number of dishes that a customer takes, the first as well as the last.

    It is Poisson(α): the first customer's, and the order does not matter. In the finite model each column is taken with
    probability (α/K) / (α/K + 1), the mean of π_k. Returns and errors are those of `dishes_overall`.
    """
    return dishes_overall(1, concentration, columns)


def new_dishes_of_a_customer(customer: int, concentration: float, columns: int | None = None) -> np.ndarray:
    """Return the distribution of the number of dishes that a customer, numbered from 1, is the first to take.

    It is Poisson(α / i). In the finite model a column that i - 1 customers have left alone is taken with probability
    (α/K) / (i + α/K). Returns and errors are those of `dishes_overall`.
    """
    concentration, customer = finite_above("concentration", concentration, 0), whole_from("customer", customer, 1)
    if columns is None:
        return _poisson(concentration / customer)
    share = concentration / whole_from("columns", columns, 1)
    untouched = math.exp(-math.fsum(math.log1p(share / i) for i in range(1, customer)))
    return _binomial(columns, untouched * share / (customer + share))


def harmonic(n: int) -> float:
    """Return H_n = 1 + 1/2 + ... + 1/n; 0 for n = 0."""
    return math.fsum(1 / i for i in range(1, n + 1))


def _bits(matrix: ArrayLike) -> np.ndarray:
    """Return a binary matrix as integers."""
    found = np.asarray(matrix)
    if found.ndim != 2 or not np.isin(found, (0, 1)).all():
        raise ValueError(f"matrix must be of shape (customers, dishes) and hold 0 and 1 alone, got {matrix!r}")
    return found.astype(np.int64)


def _poisson(mean: float) -> np.ndarray:
    k = np.arange(int(mean + 10 * math.sqrt(mean)) + 20)
    return _likely(np.exp(xlogy(k, mean) - mean - gammaln(k + 1)))


def _binomial(trials: int, probability: float) -> np.ndarray:
    k = np.arange(trials + 1)
    ways = gammaln(trials + 1) - gammaln(k + 1) - gammaln(trials - k + 1)
    return _likely(np.exp(ways + xlogy(k, probability) + xlog1py(trials - k, -probability)))


def _likely(probabilities: np.ndarray) -> np.ndarray:
    return probabilities[: np.flatnonzero(probabilities > LEAST)[-1] + 1]
