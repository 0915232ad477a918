"""Nothing overlaps on the floor, and nothing stands outside the room."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pages.topics.crp_seating.floor import CHAIR, DOOR, HEIGHT, WIDTH, Floor, plan, radius

SIZES = st.lists(st.integers(1, 500), min_size=1, max_size=60)
MANY_SMALL = st.integers(100, 400).map(lambda tables: [1] * tables)


def overlap_of_tables(floor: Floor, sizes: np.ndarray) -> float:
    """By how much the two closest tables overlap, in units of the room; negative if they do not."""
    rim = radius(sizes, floor.spacing)
    apart = np.hypot(*(floor.tables[:, None] - floor.tables[None]).transpose(2, 0, 1))
    np.fill_diagonal(apart, np.inf)
    return float((rim[:, None] + rim[None] - apart).max())


def closest_chairs(chairs: np.ndarray) -> float:
    apart = np.hypot(*(chairs[:, None] - chairs[None]).transpose(2, 0, 1))
    np.fill_diagonal(apart, np.inf)
    return float(apart.min())


@settings(max_examples=60, deadline=None)
@given(SIZES | MANY_SMALL)
def test_tables_do_not_overlap_and_stand_in_the_room_away_from_the_door(sizes):
    sizes = np.array(sizes)
    floor = plan(sizes)
    rim = radius(sizes, floor.spacing)[:, None]
    assert overlap_of_tables(floor, sizes) < 0
    assert floor.spacing > 0
    assert ((floor.tables - rim) >= 0).all()
    assert ((floor.tables + rim) <= [WIDTH, HEIGHT]).all()
    assert (np.hypot(*(floor.tables - DOOR).T) > rim[:, 0] + CHAIR * floor.spacing).all(), "a table blocks the door"


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 10, 100, 500])
def test_chairs_stand_at_their_table_and_do_not_touch(count):
    floor = plan(np.array([count, 3]))
    chairs = floor.chairs(0, count)
    assert chairs.shape == (count, 2)
    distance = np.hypot(*(chairs - floor.tables[0]).T)
    assert (distance + CHAIR * floor.spacing <= radius(count, floor.spacing)).all()
    if count > 1:
        assert closest_chairs(chairs) > 2 * CHAIR * floor.spacing


def test_the_plan_is_the_same_every_time_and_follows_its_tables():
    sizes = np.array([3, 40, 1, 12])
    one, other = plan(sizes), plan(sizes)
    np.testing.assert_array_equal(one.tables, other.tables)
    middle = np.hypot(*(one.tables - one.tables.mean(axis=0)).T)
    assert middle[1] == middle.min(), "the largest table stands in the middle"


def test_tables_put_on_one_spot_would_be_seen():
    sizes = np.array([4, 4])
    assert overlap_of_tables(Floor(np.array([[50.0, 50.0], [51.0, 50.0]]), 1.0), sizes) > 0


def test_tables_are_as_large_as_the_shape_of_the_room_lets_them_be():
    """On a phone a unit is 1.8 pixels: a customer is at least 9 pixels across."""
    floor = plan(np.array([20, 15, 9, 5, 4, 2, 2, 1, 1, 1]))
    assert 2 * CHAIR * floor.spacing * 1.8 > 9.5
