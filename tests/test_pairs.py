"""Choices of several options in which every two meet."""

from itertools import combinations, product
from typing import Any

from tests.pairs import pairs


def test_every_two_values_meet_in_fewer_choices():
    options: dict[str, Any] = {"a": range(5), "b": "xyz", "c": [True, False], "d": ["one"]}
    rows = pairs(**options)
    assert len(rows) < 5 * 3 * 2
    for one, other in combinations(options, 2):
        assert {(row[one], row[other]) for row in rows} == set(product(options[one], options[other]))
