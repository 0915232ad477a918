"""The table of a bench: limits are multiples of a reference, so a slow machine misses none for being slow."""

import pytest

from bench import Reference, Row, bare_loop
from bench.__main__ import head, holds, line

TIME = Row("a time", 0.030, 0.020)
RATE = Row("a rate", 150.0, 200.0, unit="/s")
SHARE = Row("a share", 0.3, 0.2, unit="share")
USUAL, SLOW = Reference("pages", 0.005, 0.005), Reference("pages", 0.010, 0.005)


@pytest.mark.parametrize(("row", "there", "slow"), [(TIME, False, True), (RATE, False, True), (SHARE, False, False)])
def test_limits_of_times_and_rates_go_with_the_machine(row, there, slow):
    assert (holds(row, USUAL), holds(row, SLOW)) == (there, slow)
    assert ("MISSED" in line(row, USUAL), "MISSED" in line(row, SLOW)) == (not there, not slow)


def test_times_and_rates_are_told_as_multiples_of_the_reference_and_so_are_their_limits():
    assert line(TIME, USUAL).split() == ["a", "time", "30.00", "ms", "6", "<=", "20", "ms", "(4)", "MISSED"]
    assert line(TIME, SLOW).split() == ["a", "time", "30.00", "ms", "3", "<=", "40", "ms", "(4)"]
    assert line(RATE, SLOW).split() == ["a", "rate", "150.00", "/s", "1.5", ">=", "100", "/s", "(1)"]
    assert line(SHARE, SLOW).split() == ["a", "share", "30.00", "%", "<=", "20", "%", "MISSED"]
    assert "not measured" in line(Row("nothing", None, 0.1), USUAL)
    assert head(SLOW).startswith("reference: 10.00 ms here, 5.00 ms where limits were agreed")
    assert "pages" in head(SLOW)
    assert bare_loop().seconds > 0
