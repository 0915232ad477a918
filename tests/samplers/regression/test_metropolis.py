"""Random-walk Metropolis: one step by hand, a long chain on laws that are known, and what a wrong rule does to it."""

import numpy as np
import pytest
from scipy import stats

from samplers.diagnostics.convergence import frequencies_with_error
from samplers.log_density import FunctionLogDensity
from samplers.regression.line_targets import LINE_TARGETS
from samplers.regression.metropolis import RandomWalkMetropolis, run
from tests.samplers.regression.regressions import in_the_plane

GAMMA = RandomWalkMetropolis(LINE_TARGETS["skewed"], 3.0, [2.0])
WEIGHTS = RandomWalkMetropolis(in_the_plane(), [0.5, 0.3], [1.0, 0.5])


def test_one_step_by_hand():
    state = WEIGHTS.init()
    for seed in range(300):
        rng = np.random.default_rng(seed)
        after, proposal = WEIGHTS.step(state, np.random.default_rng(seed))
        assert proposal.position == pytest.approx(state.position + [0.5, 0.3] * rng.standard_normal(2), rel=1e-15)
        assert proposal.uniform == rng.random()
        assert proposal.log_density == float(in_the_plane().log_density(proposal.position))
        ratio = np.exp(proposal.log_density - state.log_density)
        assert proposal.probability == pytest.approx(min(1, ratio))
        assert proposal.accepted == (proposal.uniform < ratio)
        kept = proposal if proposal.accepted else state
        assert (after.position == kept.position).all()
        assert after.log_density == kept.log_density
        state = after


def scores(chain, quantile, steps=20_000, seed=1):
    """Shares of ten intervals of equal probability, in standard errors from a tenth; one in 3 x 10⁴ is beyond 5."""
    draws = run(chain, steps, np.random.default_rng(seed))[:, 0]
    bins = np.searchsorted(quantile(np.arange(1, 10) / 10), draws)
    shares, errors = frequencies_with_error(bins, range(10))
    return np.abs((shares - 0.1) / errors)


class NoReject(RandomWalkMetropolis):
    """Planted error: what is rejected is drawn again, so that no position counts twice."""

    def step(self, state, rng):
        while not (made := super().step(state, rng))[1].accepted:
            pass
        return made


class LongerFartherOut(RandomWalkMetropolis):
    """Planted error: the step's length depends on where it starts, and nothing corrects for that."""

    def step(self, state, rng):
        return super().step(state, Stretched(rng, np.abs(state.position)))


class Stretched:
    def __init__(self, rng, length):
        self.random, self.standard_normal = rng.random, lambda size: length * rng.standard_normal(size)


def test_a_long_chain_has_the_law_of_its_target():
    assert scores(GAMMA, stats.gamma(3).ppf).max() < 5
    normal = RandomWalkMetropolis(FunctionLogDensity(1, lambda x: -0.5 * x[0] ** 2), 2.4, [0.0])
    assert scores(normal, stats.norm.ppf).max() < 5


@pytest.mark.parametrize(("wrong", "scale"), [(NoReject, 3.0), (LongerFartherOut, 1.0)])
def test_wrong_chains_do_not(wrong, scale):
    assert scores(wrong(GAMMA.target, scale, [2.0]), stats.gamma(3).ppf).max() > 7


def test_what_is_out_of_range_is_named():
    with pytest.raises(ValueError, match="scale must be a number > 0, or 1 of them, and finite, got 0"):
        RandomWalkMetropolis(GAMMA.target, 0, [1.0])
    with pytest.raises(ValueError, match="or 1 of them"):
        RandomWalkMetropolis(GAMMA.target, [1.0, 2.0], [1.0])
    with pytest.raises(ValueError, match="start must be 1 finite numbers, got 3"):
        RandomWalkMetropolis(GAMMA.target, 1.0, 3.0)
    with pytest.raises(ValueError, match="where the log density is finite"):
        RandomWalkMetropolis(GAMMA.target, 1.0, [-1.0])
    undefined = RandomWalkMetropolis(FunctionLogDensity(1, lambda x: 0.0 if x[0] == 0 else np.nan), 1.0, [0.0])
    with pytest.raises(ValueError, match="not a number"):
        undefined.step(undefined.init(), np.random.default_rng(0))
