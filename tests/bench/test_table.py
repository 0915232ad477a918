"""The table of a bench: limits hold in bare loops, so a slow machine misses none for being slow."""

import pytest

from bench import LOOP, Row, bare_loop
from bench.__main__ import holds, line

TIME = Row("a time", 0.030, 0.020)
RATE = Row("a rate", 150.0, 200.0, unit="/s")
SHARE = Row("a share", 0.3, 0.2, unit="share")


@pytest.mark.parametrize(("row", "there", "slow"), [(TIME, False, True), (RATE, False, True), (SHARE, False, False)])
def test_limits_of_times_and_rates_go_with_the_machine(row, there, slow):
    assert (holds(row, LOOP), holds(row, 2 * LOOP)) == (there, slow)
    assert ("MISSED" in line(row, LOOP), "MISSED" in line(row, 2 * LOOP)) == (not there, not slow)


def test_a_time_is_told_in_loops_as_well():
    assert line(Row("a time", 30 * LOOP), LOOP).split() == ["a", "time", f"{3e4 * LOOP:.2f}", "ms", "30"]
    assert "not measured" in line(Row("nothing", None, 0.1), LOOP)
    assert bare_loop() > 0
