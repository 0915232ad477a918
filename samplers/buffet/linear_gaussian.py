"""Binary latent features of rows of numbers: the linear-Gaussian model with an Indian buffet process prior.

X = Z A + ε: row n is the sum of the loadings of the features that it has, z_n A, and Normal noise. The binary matrix Z
has as many columns as the rows ask for. Griffiths & Ghahramani (2011, The Indian buffet process: an introduction and
review), section 5; Gershman & Blei (2012, A tutorial on Bayesian nonparametric models), section 3. The loadings are
integrated out (`samplers.buffet.loadings`).

A feature is *shared* if another row has it, and a row's *own* if none has. A row's shared bits are drawn one at a time,
with its own features in place: their loadings are unknown, and this is part of how uncertain the row is. Then the
number of its own features is drawn from its exact conditional.
"""

import math
from collections.abc import Iterator
from itertools import count
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike

from samplers.buffet.conditionals import GammaConditional, OwnConditional, OwnFeatures, Prior, VariancesConditional
from samplers.buffet.exact import harmonic
from samplers.buffet.lifted import LiftedRow, LoadingSums
from samplers.buffet.loadings import (
    LOG_2PI,
    Parts,
    as_table,
    draw_loadings,
    draw_matrix,
    loadings_posterior,
    log_likelihood,
    log_prior_of_matrix,
)
from samplers.checks import finite_above
from samplers.recipe import Conditional, Distribution, GibbsSampler

VARIANCES = "variances"  # the names of the blocks that redraw them
CONCENTRATION = "concentration"
LEFT_OUT = 2.0**-54  # at most this part of the weight of all counts of own features is left out: no draw shows it
Start = Literal["empty", "prior"]


class Bit(NamedTuple):
    """The site of one bit: whether a row, by its number, has a shared feature, by its name."""

    row: int
    feature: int


class Own(NamedTuple):
    """The site of the number of a row's own features."""

    row: int


class FeatureState:
    """The features of each row, and the settings that may be redrawn.

    Attributes
    ----------
    matrix : numpy.ndarray
        Z: 0 or 1, shape (N, K). Every column has a 1. The columns are in a random order, which says nothing.
    features : list of int
        Names of the columns. A new feature gets the smallest that is free, and keeps it as long as any row has it and
        as it is below K at the end of a sweep.
    noise, spread : float
        σ_x, and σ_a.
    concentration : float
        α: how many features a row is expected to have.
    """

    __slots__ = ("_row", "concentration", "features", "matrix", "noise", "spread")

    def __init__(self, matrix: np.ndarray, features: list[int], noise: float, spread: float, alpha: float) -> None:
        self.matrix = matrix
        self.features = features
        self.noise, self.spread, self.concentration = noise, spread, alpha
        self._row: LiftedRow | None = None  # the one that a sweep is at

    @property
    def counts(self) -> np.ndarray:
        """Counts of rows by feature, shape (K,)."""
        return self.matrix.sum(axis=0, dtype=int)

    @property
    def ratio(self) -> float:
        """σ_x² / σ_a²."""
        return (self.noise / self.spread) ** 2

    def copy(self) -> "FeatureState":
        """Return a state that can change while this one stays as it is; what follows from the matrix is made anew."""
        return FeatureState(self.matrix.copy(), self.features.copy(), self.noise, self.spread, self.concentration)


class LinearGaussian(GibbsSampler[FeatureState]):
    """The linear-Gaussian model of binary features, sampled one bit at a time.

    Parameters
    ----------
    data : array_like
        X, shape (N, D): finite, at least one row and one column.
    concentration : float
        α, above 0. If it has a prior, the value that it starts from.
    noise, spread : float
        σ_x and σ_a, above 0; of one that has a prior, the value that it starts from.
    start : {"empty", "prior"}, optional
        Whether `init` gives a matrix without features, or draws one from the prior.
    concentration_prior : tuple of float, optional
        Shape and rate of a Gamma prior of α. With it, each sweep redraws α.
    noise_prior, spread_prior : tuple of float, optional
        Shape and scale of an inverse-gamma prior of σ_x², and of σ_a². With one, each sweep redraws the variance.

    Raises
    ------
    ValueError
        If a setting is out of range, or if the data are no finite table.

    Notes
    -----
    A row costs O(K²D) steps of arithmetic in arrays, and a bit O(K) in Python's numbers: a sweep's time is linear in N,
    and hardly depends on D until K²D is large. The inverse that all of it is read from is made afresh at row 0.

    Examples
    --------
    >>> from samplers.chain import Chain
    >>> rows = [[3.0, 0.1, 0.0], [0.1, 3.1, 0.0], [3.1, 3.0, 0.1], [2.9, 0.0, 0.1], [3.0, 3.1, 0.0]]
    >>> state = Chain(LinearGaussian(rows, 1.0, noise=0.2, spread=2.0), seed=1)[50]
    >>> sorted(state.matrix.T.tolist())
    [[0, 1, 1, 0, 1], [1, 0, 1, 1, 1]]
    """

    of_a_posterior = True
    others_with_it = "others with the feature"
    new = "new features"
    fit = "fit"

    def __init__(
        self,
        data: ArrayLike,
        concentration: float,
        noise: float,
        spread: float,
        *,
        start: Start = "empty",
        concentration_prior: Prior | None = None,
        noise_prior: Prior | None = None,
        spread_prior: Prior | None = None,
    ) -> None:
        self.data = as_table(data)
        if start not in get_args(Start):
            raise ValueError(f"start must be 'empty' or 'prior', got {start!r}")
        self.start = start
        self.concentration = finite_above("concentration", concentration, 0)
        self.noise, self.spread = finite_above("noise", noise, 0), finite_above("spread", spread, 0)
        self.concentration_prior = _checked_prior("concentration_prior", concentration_prior)
        self.noise_prior = _checked_prior("noise_prior", noise_prior)
        self.spread_prior = _checked_prior("spread_prior", spread_prior)
        self._columns = self.data.shape[1]
        self._log = [-math.inf, *(math.log(rows) for rows in range(1, len(self.data) + 1))]

    # ---- states ------------------------------------------------------------------------------------------------------

    def variables(self, state: FeatureState) -> dict[str, Any]:
        """Return which row has which feature, by the features' names from 0, σ_x, σ_a, α and the log joint."""
        matrix = np.zeros((len(state.matrix), max(state.features, default=-1) + 1), bool)
        matrix[:, state.features] = state.matrix
        return {
            "features": len(state.features),
            "matrix": matrix,
            "noise": state.noise,
            "spread": state.spread,
            "concentration": state.concentration,
            "log_joint": self.log_joint(state),
        }

    def init(self, rng: np.random.Generator) -> FeatureState:
        """Return a first state, as `start` says."""
        if self.start == "empty":
            return self.state(np.zeros((len(self.data), 0)))
        return self.state(draw_matrix(len(self.data), self.concentration, rng))

    def state(self, matrix: ArrayLike) -> FeatureState:
        """Return the state with this matrix, and the settings that the sampler starts from.

        Parameters
        ----------
        matrix : array_like
            Z, 0 or 1, shape (N, K); columns of zeros are dropped.

        Raises
        ------
        ValueError
            If it is no such matrix.
        """
        bits = np.asarray(matrix)
        if bits.ndim != 2 or len(bits) != len(self.data) or not np.isin(bits, (0, 1)).all():
            raise ValueError(f"matrix must be {len(self.data)} rows of 0 or 1, got {matrix!r}")
        bits = bits[:, bits.any(axis=0)].astype(np.int8)
        return FeatureState(bits, list(range(bits.shape[1])), self.noise, self.spread, self.concentration)

    # ---- the recipe --------------------------------------------------------------------------------------------------

    def sites(self, state: FeatureState) -> Iterator[Bit | Own | str]:
        """Yield, row by row, the shared bits in the order of the columns and the own features; then the blocks.

        Once all have been visited, features whose names are K or more get those below K that are free.
        """
        for row in range(len(self.data)):
            for feature in self._lifted(state, row).features:
                yield Bit(row, feature)
            yield Own(row)
        if self.noise_prior is not None or self.spread_prior is not None:
            yield VARIANCES
        if self.concentration_prior is not None:
            yield CONCENTRATION
        self._renumber(state)

    def forget(self, state: FeatureState, site: Bit | Own | str) -> None:
        """Take a row out of the sums; the matrix stays as it was."""
        if not isinstance(site, str):
            self._lifted(state, site.row)

    def score(self, state: FeatureState, site: Bit | Own | str) -> Distribution:
        """Return the conditional of a bit, of a row's own features, or of a block.

        The options of a bit are off and on. ``"others with the feature"`` is the log of the other rows that do not have
        it, with the row itself, and of those that have it: of N rows together. ``"fit"`` is the log density of the row.
        """
        if site == VARIANCES:
            return self._variances(state)
        if isinstance(site, str):
            assert self.concentration_prior is not None
            shape, rate = self.concentration_prior
            return GammaConditional(shape + len(state.features), rate + harmonic(len(self.data)))
        lifted = self._lifted(state, site.row)
        if isinstance(site, Own):
            return self._own(state, lifted)
        others, rows = int(lifted.counts[lifted.places[site.feature]]), len(self.data)
        fits = [self._log_density(variance, misfit) for variance, misfit in self.off_and_on(state, site)]
        return Conditional({self.others_with_it: [self._log[rows - others], self._log[others]], self.fit: fits})

    def remember(self, state: FeatureState, site: Bit | Own | str, value: Any) -> None:
        """Turn a bit, give a row its own features, or set a block's value."""
        if isinstance(site, Bit):
            lifted = self._lifted(state, site.row)
            place = lifted.places[site.feature]
            if lifted.bits[place] != value:
                lifted.set(place, value)
                state.matrix[site.row, state.features.index(site.feature)] = value
        elif isinstance(site, Own):
            self._give(state, self._lifted(state, site.row), value)
        elif site == VARIANCES:
            state.noise, state.spread = value
            state._row = None
        else:
            state.concentration = value

    def replicate(self, state: FeatureState, rng: np.random.Generator) -> np.ndarray:
        """Draw rows with the same features, shape (N, D): loadings given matrix and data, drawn once, and new noise."""
        noise = state.noise * rng.standard_normal(self.data.shape)
        if not state.features:
            return noise
        loadings = draw_loadings(self.data, state.matrix, state.noise, state.spread, rng)
        return noise + np.asarray(state.matrix @ loadings)

    def log_joint(self, state: FeatureState) -> float:
        """Return log p(X, Z) with the columns in a random order, and the prior density of what has one."""
        log_joint = log_likelihood(self.data, state.matrix, state.noise, state.spread)
        log_joint += log_prior_of_matrix(state.matrix, state.concentration)
        if self.concentration_prior is not None:
            log_joint += GammaConditional(*self.concentration_prior).log_density(state.concentration)
        return log_joint + self._variances(state).log_prior(state.noise, state.spread)

    def loadings(self, state: FeatureState) -> np.ndarray:
        """Return each feature's expected contribution to the numbers of a row that has it, shape (K, D)."""
        return loadings_posterior(self.data, state.matrix, state.noise, state.spread)[0]

    def parts(self, state: FeatureState) -> Parts:
        """Return the rows as sums: bits, times the expected loadings."""
        return Parts(state.features, state.matrix, self.loadings(state), state.noise)

    # ---- what it is made of ------------------------------------------------------------------------------------------

    def new_rate(self, state: FeatureState) -> float:
        """Return how many own features a row is expected to have before it is looked at: α / N."""
        return state.concentration / len(self.data)

    def off_and_on(self, state: FeatureState, site: Bit) -> tuple[tuple[float, float], tuple[float, float]]:
        """Return a row's variance in each number, and how far off it is in squares, if a bit is off, and if on."""
        lifted = self._lifted(state, site.row)
        noise, own = state.noise**2, self.variance_of_own(state, lifted.own)
        place = lifted.places[site.feature]
        spread, misfit = lifted.turned(place)
        here, there = (noise * (1 + lifted.spread) + own, lifted.misfit), (noise * (1 + spread) + own, misfit)
        return (there, here) if lifted.bits[place] else (here, there)

    def variance_of_own(self, state: FeatureState, own: int) -> float:
        """Return the variance that own features, with unknown loadings, add to a row while bits are drawn."""
        return own * state.spread**2

    def _variances(self, state: FeatureState) -> VariancesConditional:
        priors = self.noise_prior, self.spread_prior
        return VariancesConditional(self.data, state.matrix, state.noise, state.spread, *priors)

    def _log_density(self, variance: float, misfit: float) -> float:
        """Return the log density of a row, given its variance in each number and how far off it is in squares."""
        return -0.5 * (self._columns * (LOG_2PI + math.log(variance)) + misfit / variance)

    def _own(self, state: FeatureState, lifted: LiftedRow) -> OwnConditional:
        """Score 0, 1, 2... own features, until the rest cannot weigh more than `LEFT_OUT` of what has been scored.

        A row's density is highest where its variance is misfit / D, and falls from there on.
        """
        rate, misfit, likeliest = self.new_rate(state), lifted.misfit, lifted.misfit / self._columns
        variance, step = state.noise**2 * (1 + lifted.spread), state.spread**2
        log_rate, log_prior = math.log(rate), -rate
        priors, fits, total, top = [], [], 0.0, -math.inf
        for own in count(1):
            priors.append(log_prior)
            fits.append(self._log_density(variance, misfit))
            total, top = _plus(total, top, log_prior + fits[-1])
            variance += step
            log_prior += log_rate - math.log(own)
            if rate < 0.5 * own:  # each Poisson probability from here on is less than half of the one before
                rest = math.log(2) + log_prior + self._log_density(max(variance, likeliest), misfit)
                if rest - top < math.log(LEFT_OUT * total):
                    break
        return OwnConditional({self.new: priors, self.fit: fits}, len(lifted.features))

    def _give(self, state: FeatureState, lifted: LiftedRow, value: OwnFeatures) -> None:
        """Give a row its own features: the first ones that it had stay, the rest go or are new."""
        row, shared = lifted.row, set(lifted.features)
        if not value.number and not lifted.own:
            return
        names = [feature for feature in state.features if feature not in shared][: value.number]
        free = (name for name in count() if name not in shared and name not in names)
        names += [next(free) for _ in range(value.number - len(names))]
        columns = np.zeros((len(self.data), len(shared) + value.number), np.int8)
        own = np.zeros(columns.shape[1], bool)
        own[list(value.places)] = True
        columns[:, ~own] = state.matrix[:, [state.features.index(feature) for feature in lifted.features]]
        columns[row, own] = 1
        rest, new = iter(lifted.features), iter(names)
        state.features = [next(new) if here else next(rest) for here in own]
        state.matrix, lifted.own = columns, value.number

    def _renumber(self, state: FeatureState) -> None:
        number = len(state.features)
        free = (name for name in range(number) if name not in state.features)
        state.features = [name if name < number else next(free) for name in state.features]
        state._row = None  # it has the names of before

    def _lifted(self, state: FeatureState, row: int) -> LiftedRow:
        """Return the row taken out of the sums, after the one that was out has been put back."""
        lifted = state._row
        if lifted is not None and lifted.row == row:
            return lifted
        if lifted is None or row == 0:
            sums = LoadingSums.of(state.matrix, self.data, state.ratio)
        else:
            sums = self._put_back(state, lifted)
        bits, x = state.matrix[row].astype(float), self.data[row]
        sums = sums.without(bits, x)
        features, shared = state.features, sums.counts > 0.5
        if not shared.all():
            sums, bits = sums.only(shared), bits[shared]
            features = [feature for feature, others in zip(features, shared, strict=True) if others]
        state._row = LiftedRow(row, features.copy(), len(shared) - len(features), bits, x, sums)
        return state._row

    def _put_back(self, state: FeatureState, lifted: LiftedRow) -> LoadingSums:
        sums = lifted.sums
        if lifted.own:
            shared = set(lifted.features)
            sums = sums.among(np.array([feature in shared for feature in state.features]), state.ratio)
        return sums.plus(state.matrix[lifted.row].astype(float), self.data[lifted.row])


def _checked_prior(name: str, prior: Prior | None) -> Prior | None:
    return None if prior is None else (finite_above(name, prior[0], 0), finite_above(name, prior[1], 0))


def _plus(total: float, top: float, log_weight: float) -> tuple[float, float]:
    """Add a weight to a total that is held in units of exp(top), top being the largest log weight so far."""
    if log_weight > top:
        return total * math.exp(top - log_weight) + 1, log_weight
    return total + math.exp(log_weight - top), top
