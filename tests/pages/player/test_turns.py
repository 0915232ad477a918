"""Slices, turns and pauses: what a session that computes a lot may do to the others."""

from types import SimpleNamespace

import pytest

from pages.contract.waiting import MOST, NotYet
from pages.player import turns
from pages.player.run import RECENT, Run
from pages.player.turns import FREE, MINUTE, SLICE, THERE, SlicedWork, Turns
from samplers import Chain
from samplers.crp.seating import CRPSeating


class Clock:
    """A clock that is set by hand."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def two(clock):
    """Return turns of two sessions that have used up what is free."""
    made = Turns(clock)
    made.spend("a", FREE)
    made.spend("b", 2 * FREE)
    return made


# ---- turns -----------------------------------------------------------------------------------------------------------


def test_who_computes_little_never_waits(clock):
    made = Turns(clock)
    made.spend("b", 5.0)
    for _ in range(20):
        assert made.granted("a") == SLICE
        assert made.pause("a") == 0
    assert made.granted("b") == SLICE, "nor does what others have for free count"


def test_long_work_takes_turns_and_leaves_half_of_the_time(two, clock):
    given = 0
    for _ in range(1_000):  # 10 seconds, in which two sessions ask as often as they like
        given += sum(two.granted(name) > 0 for name in "ab")
        clock.now += 0.01
    assert 24 <= given <= 25
    assert given * SLICE <= 5


def test_a_lone_session_computes_all_the_time(clock):
    made = Turns(clock)
    made.spend("a", 10 * FREE)
    for _ in range(50):
        assert made.granted("a") == SLICE
        assert made.pause("a") == 0
        clock.now += SLICE


def test_who_left_is_not_waited_for(two, clock):
    two.granted("a")
    assert two.pause("a") > 0
    clock.now += THERE + 1
    assert two.pause("a") == 0


def test_whoever_has_computed_more_asks_later(two):
    assert two.granted("a")
    assert two.granted("b") == 0
    assert 2 * SLICE <= two.pause("a") < two.pause("b") <= 2 * SLICE + 1


def test_after_a_minute_all_is_forgotten(two, clock):
    two.granted("a")
    clock.now += MINUTE + 1
    two.see("b")
    assert two.pause("a") == 0
    assert len(two._sessions) == 2
    clock.now += MINUTE + 1
    two.see("c")
    assert set(two._sessions) == {"c"}, "and who has left is kept no longer"


# ---- work ------------------------------------------------------------------------------------------------------------


def counting(last: int):
    yield from range(last)
    return "made"


def test_work_goes_on_where_it_was():
    work = SlicedWork(counting(5))
    assert not work.until(lambda: True)
    assert not work.until(lambda: True)
    assert work.pieces == 2, "a piece each time, however short the time is"
    assert work.until(lambda: False)
    assert (work.made, work.pieces) == ("made", 5)
    assert work.until(lambda: True), "and then it stays done"


def test_work_that_fails_fails_again():
    def broken():
        yield
        raise ValueError("no distribution")

    work = SlicedWork(broken())
    for _ in range(2):
        with pytest.raises(ValueError, match="no distribution"):
            work.until(lambda: False)


# ---- runs ------------------------------------------------------------------------------------------------------------


class Counted(Run):
    """A run that remembers what it was given."""

    def __init__(self, chain):
        self.added = []
        super().__init__(chain)

    def add(self, t, state):
        self.added.append(t)


@pytest.fixture
def learner(monkeypatch):
    """Let a session ask; each look at the clock takes as long as the test says."""
    time = SimpleNamespace(now=0.0, look=0.0)

    def monotonic() -> float:
        time.now += time.look
        return time.now

    monkeypatch.setattr(turns, "time", SimpleNamespace(monotonic=monotonic, thread_time=float))
    monkeypatch.setattr(turns, "session", lambda: "a learner")
    monkeypatch.setattr(turns, "TURNS", Turns(Clock()))
    return time


def test_a_run_is_made_in_slices_and_only_while_somebody_asks(learner):
    run = Counted(Chain(CRPSeating(concentration=1.0), seed=7))
    learner.look = SLICE / 10
    with pytest.raises(NotYet) as first:
        run.reach(100)
    assert str(first.value) == f"Replaying: {run.made} of 100 sweeps"
    assert first.value.share == pytest.approx(run.made / 100)
    assert first.value.iteration == run.made
    assert not first.value.endless
    asked = 1
    while True:
        try:
            run.reach(100)
        except NotYet:
            asked += 1
        else:
            break
    assert 12 <= asked <= 25, "ten looks at the clock are about five customers"
    assert run.added == list(range(101))
    with pytest.raises(NotYet):
        run.reach(200)
    made = run.made
    assert made < 200
    assert run.chain._latest[0] == made, "nobody asks: nothing is computed"


def test_what_waits_knows_how_to_go_on(learner):
    run = Counted(Chain(CRPSeating(concentration=1.0), seed=7))
    learner.look = SLICE
    with pytest.raises(NotYet) as wait:
        run.reach(50)
    learner.look = 0
    wait.value.more()
    assert run.made == 50


def test_a_state_is_replayed_in_slices(learner):
    run = Counted(Chain(CRPSeating(concentration=1.0), seed=7, keep=2))
    run.grow(60 + RECENT)
    expected = Chain(CRPSeating(concentration=1.0), seed=7)[59].assignments.tolist()
    run.state(1)
    learner.look = SLICE / 4
    asked = 0
    while True:
        try:
            state = run.state(59)
        except NotYet:
            asked += 1
        else:
            break
    assert asked > 3
    assert state.assignments.tolist() == expected


def test_two_who_look_at_different_states_do_not_hold_each_other_up(learner):
    run = Counted(Chain(CRPSeating(concentration=1.0), seed=7, keep=2))
    run.grow(60)
    learner.look = SLICE
    open_ones = {31, 57}
    for _ in range(500):
        for t in sorted(open_ones):
            try:
                run.state(t)
            except NotYet:
                continue
            open_ones.discard(t)
    assert not open_ones


def test_what_would_take_too_long_is_not_begun(learner):
    run = Counted(Chain(CRPSeating(concentration=1.0), seed=7))
    run.grow(10)
    run._seconds = 10 * MOST / 80  # each takes an 80th of what is too long
    with pytest.raises(NotYet) as wait:
        run.reach(91)
    assert wait.value.endless
    assert run.made == 10
    run.reach(89)
    assert run.made == 89
