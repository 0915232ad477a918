"""The grid of charts when some are hidden."""

from itertools import combinations

import pytest

from pages.player.layout import without

ROOM = '"room trace trace" "room many sizes"'
WIDTHS = "minmax(0, 1fr) minmax(0, 0.6fr) 0.5fr"
TENS = "minmax(0, 10fr) minmax(0, 6fr) 5fr"


@pytest.mark.parametrize(
    ("hidden", "areas", "columns"),
    [
        ([], ROOM, WIDTHS),
        (["elsewhere"], ROOM, WIDTHS),
        (["room"], '"trace trace" "many sizes"', "minmax(0, 6fr) 5fr"),
        (["trace"], '"room many sizes"', TENS),
        (["many"], '"room trace trace" "room sizes sizes"', TENS),
        (["sizes"], '"room trace trace" "room many many"', TENS),
        (["trace", "many"], '"room sizes"', "minmax(0, 10fr) 5fr"),
        (["many", "sizes"], '"room trace trace"', TENS),
        (["trace", "many", "sizes"], '"room"', "minmax(0, 10fr)"),
        (["room", "trace", "many", "sizes"], ROOM, WIDTHS),
    ],
)
def test_the_others_have_the_room_of_those_that_are_hidden(hidden, areas, columns):
    assert without(ROOM, WIDTHS, hidden) == {"areas": areas, "columns": columns}


def test_two_that_are_hidden_make_room_together():
    assert (
        without('"a b b e" "a c d e" "f f f f"', "1fr 1fr 1fr 1fr", ["b", "c", "d"])["areas"] == '"a e e e" "f f f f"'
    )


def test_a_place_that_nobody_can_fill_stays_empty():
    assert without('"a a b" "d e b" "d c c"', "1fr 1fr 1fr", ["e"])["areas"] == '"a a b" "d . b" "d c c"'


LAYOUTS = [
    ROOM,
    '"points trace trace" "points many tables"',
    '"points means means" "points trace tables"',
    '"plane weights ray" "plane weights trace"',
    '"trace trace lags" "running running kept"',
    '"log density" "log gap"',
    '"running names" "draws names_gibbs"',
    '"points second" "many trace"',
]


@pytest.mark.parametrize("areas", LAYOUTS)
def test_every_chart_that_is_left_fills_a_rectangle_and_no_place_stays_empty(areas):
    cells = areas.replace('"', " ").split()
    width = len(areas.split('"')[1].split())
    for number in range(1, len({*cells})):
        for hidden in combinations(sorted({*cells}), number):
            found = without(areas, " ".join(["1fr"] * width), hidden)
            rows = [row.split() for row in found["areas"].strip('"').split('" "')]
            assert len({len(row) for row in rows}) == 1
            assert len(rows[0]) == len(found["columns"].split())
            assert {name for row in rows for name in row} == {*cells} - {*hidden}
            for name in {*cells} - {*hidden}:
                ys = [y for y, row in enumerate(rows) if name in row]
                xs = [x for x in range(len(rows[0])) if any(row[x] == name for row in rows)]
                box = [rows[y][x] for y in range(ys[0], ys[-1] + 1) for x in range(xs[0], xs[-1] + 1)]
                assert {*box} == {name}
