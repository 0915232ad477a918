import numpy as np
import pytest

from samplers.chain import Chain
from samplers.crp.seating import CRPSeating

SAMPLER = CRPSeating(concentration=2.0)
SEEDS = [0, 7, 2**32 - 1, 2**32, 2**40 + 3]


def seats(state):
    return state.assignments.tolist()


@pytest.mark.parametrize("seed", SEEDS)
def test_step_t_draws_from_seed_and_t_alone(seed):
    state = SAMPLER.init(np.random.default_rng((seed, 0)))
    chain = Chain(SAMPLER, seed)
    for t in range(1, 31):
        state, _ = SAMPLER.step(state, np.random.default_rng((seed, t)))
        assert seats(chain[t]) == seats(state)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("t", [0, 1, 2**32 - 1, 2**32, 2**33])
def test_the_short_cut_gives_the_same_numbers(seed, t):
    assert Chain(SAMPLER, seed).rng(t).bit_generator.state == np.random.default_rng((seed, t)).bit_generator.state


def test_seeds_differ():
    assert len({tuple(seats(Chain(SAMPLER, seed)[30])) for seed in SEEDS}) == len(SEEDS)


def test_back_is_where_it_was():
    chain = Chain(SAMPLER, 1)
    forwards = [seats(chain[t]) for t in range(40)]
    assert [seats(chain[t]) for t in reversed(range(40))] == forwards[::-1]
    assert seats(Chain(SAMPLER, 1)[39]) == forwards[-1]  # and a jump goes the same way


@pytest.mark.parametrize("keep", [2, 3, 5, 16])
def test_thinning_forgets_nothing(keep):
    whole = Chain(SAMPLER, 4)
    chain = Chain(SAMPLER, 4, keep=keep)
    chain[50]
    for t in [50, 0, 49, 17, 33, 1, 64, 63, 65, 50]:
        assert seats(chain[t]) == seats(whole[t])
        assert len(chain._states) <= keep


def test_going_on_from_the_newest_state_replays_nothing(monkeypatch):
    chain = Chain(SAMPLER, 4, keep=2)
    chain[45]
    asked = []
    rng = chain.rng
    monkeypatch.setattr(chain, "rng", lambda t: asked.append(t) or rng(t))
    chain[46]
    assert asked == [46]
    chain.record(46)  # the state before the newest one is at hand as well
    assert asked == [46, 46]


def test_a_record_is_of_the_step_that_was_made():
    chain = Chain(SAMPLER, 9, keep=4)
    for t in [1, 2, 20, 7]:
        (update,) = chain.record(t)
        assert update.site == t - 1
        assert update.value == chain[t].assignments[-1]
        assert update.uniform == chain.rng(t).random()
        assert len(update.conditional.probabilities) == len(chain[t - 1].counts) + 1


@pytest.mark.parametrize("keep", [3, 2_000])
def test_a_branch_shares_the_past_and_differs_after(keep):
    chain = Chain(SAMPLER, 1, keep=keep)
    trunk = [seats(chain[t]) for t in range(41)]
    branch = chain.branch(12, seed=2)
    assert branch.seed == 2
    assert [seats(branch[t]) for t in range(13)] == trunk[:13]
    assert seats(branch[40])[:12] == trunk[40][:12]
    assert seats(branch[40]) != trunk[40]
    assert [seats(chain[t]) for t in range(41)] == trunk
    state = chain[12]
    for t in range(13, 41):
        state, _ = SAMPLER.step(state, np.random.default_rng((2, t)))
        assert seats(branch[t]) == seats(state)


def test_a_branch_of_a_branch():
    chain = Chain(SAMPLER, 1)
    first = chain.branch(10, seed=2)
    second = first.branch(20, seed=3)
    early = second.branch(5, seed=4)  # before either
    assert seats(second[20]) == seats(first[20])
    assert seats(second[40])[:20] == seats(first[40])[:20]
    assert seats(second[40]) != seats(first[40])
    assert seats(early[5]) == seats(chain[5])
    state = chain[5]
    for t in range(6, 31):
        state, _ = SAMPLER.step(state, np.random.default_rng((4, t)))
    assert seats(early[30]) == seats(state)
    assert (chain.seed, first.seed, second.seed, early.seed) == (1, 2, 3, 4)


def test_a_branch_with_the_same_seed_is_the_same_run():
    chain = Chain(SAMPLER, 1)
    assert seats(chain.branch(10, seed=1)[40]) == seats(chain[40])


def test_a_branch_ahead_of_the_chain():
    assert seats(Chain(SAMPLER, 1).branch(10, seed=2)[10]) == seats(Chain(SAMPLER, 1)[10])


def test_bad_arguments():
    with pytest.raises(ValueError, match="seed must be 0 or more, got -1"):
        Chain(SAMPLER, -1)
    with pytest.raises(TypeError):
        Chain(SAMPLER, 1.5)
    with pytest.raises(ValueError, match="keep must be 2 or more, got 1"):
        Chain(SAMPLER, 1, keep=1)
    chain = Chain(SAMPLER, 1)
    with pytest.raises(IndexError, match="starts at iteration 0, got -1"):
        chain[-1]
    with pytest.raises(IndexError, match="numbered from 1, got 0"):
        chain.record(0)
    with pytest.raises(ValueError, match="seed must be 0 or more"):
        chain.branch(3, seed=-2)
    with pytest.raises(IndexError):
        chain.branch(-3, seed=2)


def test_on_step_hears_of_every_step_that_is_made():
    heard = []
    chain = Chain(SAMPLER, 4, keep=2, on_step=lambda t, record: heard.append((t, record[0].value)))
    chain[9]
    assert heard == [(t, chain[9].assignments[t - 1]) for t in range(1, 10)]
    chain[5]
    assert heard[9:] == heard[heard[9][0] - 1 : 5], "the steps that are made again"
    made = len(heard)
    chain.record(9)
    chain.branch(5, seed=1)[8]
    assert len(heard) == made
