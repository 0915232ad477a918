"""Exact distributions of the Chinese restaurant process, with and without a discount.

The seating rule is that of Gershman & Blei (2012), section 2.2; the discount makes it the two-parameter process of
Pitman (1995, "Exchangeable and partially exchangeable random partitions"; 2006, "Combinatorial stochastic processes",
chapter 3). Nothing here is simulated. The samplers, which these distributions test, share only one part of this code:
the probability of a seating.

In every function ``concentration`` is α and ``discount`` is d, with 0 <= d < 1 and α > -d (α > 0 when d = 0).
"""

import math
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

import numpy as np
from scipy.special import betaln, gammaln

from samplers.checks import finite_above, finite_from, whole_from


def checked_settings(concentration: float, discount: float) -> tuple[float, float]:
    """Return concentration and discount as floats.

    Raises
    ------
    ValueError
        Unless 0 <= discount < 1 and the concentration is finite and greater than -discount.
    """
    discount = finite_from("discount", discount, 0, 1)
    bound = -discount if discount else 0.0  # -0.0 would be printed as "-0"
    return finite_above("concentration", concentration, bound), discount


def new_table_weight(tables: float, concentration: float, discount: float) -> float:
    """Return the weight α + K d of a new table when K are in use; a table in use with m customers has weight m - d.

    The first customer has no choice, whatever the weight. If α <= 0, which a discount allows, its weight is set to 1.
    """
    return concentration + tables * discount if tables or concentration > 0 else 1.0


def log_joint(assignments: Iterable[int], concentration: float, discount: float = 0.0) -> float:
    """Return the log probability of a whole seating; 0 for an empty restaurant.

    Parameters
    ----------
    assignments : iterable of int
        The table of each customer, shape (customers,). Only the partition matters: any labels will do, in any order.

    Raises
    ------
    ValueError
        If concentration or discount is out of range.

    Notes
    -----
    Gershman & Blei (2012), section 2.2, equation 8: α^K ∏_k (N_k - 1)! / ∏_{i=1..N} (i - 1 + α). With a discount,
    Pitman's (1995) exchangeable partition probability function:
    ∏_{k=1..K-1} (α + k d) ∏_k ∏_{j=1..N_k-1} (j - d) / ∏_{i=1..N-1} (i + α).
    """
    concentration, discount = checked_settings(concentration, discount)
    labels = assignments.tolist() if isinstance(assignments, np.ndarray) else assignments
    return log_joint_of_counts(Counter(labels).values(), concentration, discount)


def log_joint_of_counts(counts: Iterable[int], concentration: float, discount: float) -> float:
    """Return `log_joint` from the sizes of the tables, in any order, without a check of the settings."""
    sizes = list(counts)
    if not sizes:
        return 0.0
    opened = math.fsum(math.log(concentration + table * discount) for table in range(1, len(sizes)))
    joined = math.fsum(math.lgamma(size - discount) for size in sizes) - len(sizes) * math.lgamma(1 - discount)
    return opened + joined - (math.lgamma(sum(sizes) + concentration) - math.lgamma(1 + concentration))


def arrival_fractions(
    assignments: Iterable[int], concentration: float, discount: float = 0.0
) -> tuple[np.ndarray, np.ndarray]:
    """Return the probability of each customer's choice at its arrival, as numerator and denominator.

    Parameters
    ----------
    assignments, concentration, discount
        As for `log_joint`, with the customers in order of arrival.

    Returns
    -------
    numerators, denominators : numpy.ndarray
        Each of shape (customers,). By the chain rule, the product of the fractions is the probability of the seating
        (`log_joint`), whatever the order of arrival: Gershman & Blei (2012), section 2.2, equations 5-7.
    """
    concentration, discount = checked_settings(concentration, discount)
    counts: dict[int, int] = {}
    numerators, denominators = [], []
    for seated, table in enumerate(assignments):
        new = new_table_weight(len(counts), concentration, discount)
        numerators.append(counts[table] - discount if table in counts else new)
        denominators.append(seated + concentration if seated else new)
        counts[table] = counts.get(table, 0) + 1
    return np.array(numerators, float), np.array(denominators, float)


def relabel(assignments: Iterable[int]) -> np.ndarray:
    """Return labels numbered from 0 by the first appearance of each table: integers of shape (customers,).

    Two seatings are the same partition if and only if these labels are equal.
    """
    order: dict[int, int] = {}
    return np.array([order.setdefault(label, len(order)) for label in assignments], np.int64)


@lru_cache(maxsize=32)
def log_stirling(n: int, discount: float = 0.0) -> np.ndarray:
    """Return the logs of the (generalised) unsigned Stirling numbers of the first kind for k = 0..n, shape (n + 1,).

    The log of 0 is -inf. The array is cached, and therefore read-only.

    Parameters
    ----------
    n : int
        The number of customers, from 0. The time grows with its square: 1,000 take some hundredths of a second.
    discount : float, optional
        d. With 0 these are the ordinary Stirling numbers: the permutations of n elements with k cycles.

    Raises
    ------
    ValueError
        If n is negative or the discount is not in [0, 1).

    Notes
    -----
    S(n, k) is the sum of ∏_k ∏_{j=1..N_k-1} (j - d) over all partitions into k tables. By the table of the last
    customer, S(n + 1, k) = (n - k d) S(n, k) + S(n, k - 1), with S(0, 0) = 1 (Pitman 2006, section 3.2).

    Examples
    --------
    >>> [round(number) for number in np.exp(log_stirling(4))]
    [0, 6, 11, 6, 1]
    """
    n = whole_from("n", n, 0)
    discount = finite_from("discount", discount, 0, 1)
    logs = np.array([0.0])
    for seated in range(n):
        joined = np.append(logs, -np.inf)
        tables = np.arange(1, seated + 1)
        joined[1:-1] += np.log(seated - tables * discount)
        joined[0] = -np.inf  # a table has a customer, and log(0) would warn
        logs = np.logaddexp(joined, np.concatenate(([-np.inf], logs)))
    logs.flags.writeable = False
    return logs


def table_count_pmf(n: int, concentration: float, discount: float = 0.0) -> np.ndarray:
    """Return the distribution of the number of tables after n customers, from 0: P(K = k) for k = 0..n, shape (n + 1,).

    Raises
    ------
    ValueError
        If n, concentration or discount is out of range.

    Notes
    -----
    P(K = k) = S(n, k) ∏_{i=1..k-1} (α + i d) / ∏_{i=1..n-1} (i + α) with S from `log_stirling`; without a discount
    |s(n, k)| α^k Γ(α) / Γ(α + n) (Antoniak 1974).
    """
    concentration, discount = checked_settings(concentration, discount)
    logs = log_stirling(n, discount).copy()
    if n > 1:
        logs[2:] += np.cumsum(np.log(concentration + discount * np.arange(1, n)))
        logs -= gammaln(n + concentration) - gammaln(1 + concentration)
    return np.exp(logs)


def first_table_pmf(n: int, concentration: float, discount: float = 0.0) -> np.ndarray:
    """Probability of each size of the first customer's table after n customers, s = 0..n, shape (n + 1,).

    Arguments and errors are those of `table_count_pmf`.

    Notes
    -----
    Of the other n - 1, a number with the distribution BetaBinomial(n - 1, 1 - d, α + d) joins it (Pitman 2006).
    """
    concentration, discount = checked_settings(concentration, discount)
    others = whole_from("n", n, 0) - 1
    if others < 0:
        return np.ones(1)
    joined = np.arange(others + 1)
    ways = gammaln(others + 1) - gammaln(joined + 1) - gammaln(others - joined + 1)
    first, rest = 1 - discount, concentration + discount
    return np.append(0.0, np.exp(ways + betaln(joined + first, others - joined + rest) - betaln(first, rest)))


def table_count_moments(n: int, concentration: float, discount: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """Return mean and variance of the number of tables after each of n customers; arguments as in `table_count_pmf`.

    Returns
    -------
    mean, variance : numpy.ndarray
        Each of shape (n,), after 1..n customers. Without a discount, the last mean is α (ψ(α + n) - ψ(α)).

    Notes
    -----
    The next customer opens a table with probability (α + d K) / (i + α), which is linear in K. So mean and variance
    follow from the previous ones, without a sum over k.
    """
    concentration, discount = checked_settings(concentration, discount)
    n = whole_from("n", n, 0)
    means, variances = [1.0], [0.0]
    for seated in range(1, n):
        mean, variance = means[-1], variances[-1]
        opens = new_table_weight(mean, concentration, discount) / (seated + concentration)
        covariance = discount * variance / (seated + concentration)
        means.append(mean + opens)
        variances.append(variance + 2 * covariance + opens * (1 - opens))
    return np.array(means[:n]), np.array(variances[:n])
