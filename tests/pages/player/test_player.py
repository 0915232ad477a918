"""Messages to the player, read as the browser reads it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from pages.contract.events import Rest
from pages.contract.waiting import NotYet
from pages.contract.wire import TYPES, pack
from pages.player.player import Reel
from tests.pages.player.films import fetched, film, told, unpack

# ---- pack ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("frames", [0, 1, 2, 5])
@pytest.mark.parametrize("width", [0, 1, 2, 3, 4, 7])
def test_arrays_of_every_type_and_width_arrive_as_they_were(frames, width):
    rng = np.random.default_rng(0)
    columns = {("set", name): rng.integers(0, 200, (frames, width)).astype(name) for name in TYPES}
    head, arrived = unpack(pack({"count": frames, "title": "α – ⟨1⟩"}, columns))
    assert head["title"] == "α – ⟨1⟩"
    assert list(arrived) == list(columns)
    for name, array in columns.items():
        assert arrived[name].dtype == array.dtype
        np.testing.assert_array_equal(arrived[name], array)


@given(
    first=arrays(np.int16, st.tuples(st.just(3), st.integers(0, 9))),
    second=arrays(np.float32, st.tuples(st.just(3), st.integers(0, 9))),
    third=arrays(np.uint8, st.tuples(st.just(3), st.integers(0, 9))),
    title=st.text(),
)
def test_any_values_and_any_title_arrive(first, second, third, title):
    columns = {("a", "first"): first, ("a", "third"): third, ("b", "second"): second}
    head, arrived = unpack(pack({"count": 3, "title": title}, columns))
    assert head["title"] == title
    for name, array in columns.items():
        assert arrived[name].tobytes() == array.tobytes()


def test_arrays_that_lie_otherwise_in_memory_arrive_in_reading_order():
    table = np.arange(24, dtype=np.uint16).reshape(4, 6)
    _, arrived = unpack(pack({"count": 6}, {("a", "turned"): table.T}))
    np.testing.assert_array_equal(arrived["a", "turned"], table.T)
    _, arrived = unpack(pack({"count": 2}, {("a", "every second"): table[::2, ::3]}))
    np.testing.assert_array_equal(arrived["a", "every second"], table[::2, ::3])


@pytest.mark.parametrize("name", ["int64", "float64", "bool", "int8", "uint32"])
def test_a_type_that_the_browser_cannot_read_is_named(name):
    with pytest.raises(ValueError, match=f"dots.value is {name}; the player reads uint8"):
        pack({"count": 1}, {("dots", "value"): np.zeros((1, 2), name)})


# ---- films and messages ----------------------------------------------------------------------------------------------


def test_a_film_is_described_once_and_its_frames_are_packed():
    head, columns = fetched(film(), 4)
    assert (head["start"], head["count"], head["total"], head["at"]) == (0, 11, 10, 4)
    assert (head["label"], head["strides"]) == ("customer {t} of {total}", [["1", 1]])
    assert (head["before"], head["after"]) == (False, False)
    assert head["data"] == {"dots": {"x": [1, 2, 3], "value": [None] * 3}}
    assert [chart["name"] for chart in head["charts"]] == ["room"]
    always, now = {"mark": "ink", "text": "exact"}, {"mark": "dashed", "text": "now", "when": "t"}
    assert head["charts"][0]["legend"] == [always, now]
    np.testing.assert_array_equal(columns["say", "t"][:, 0], range(11))
    np.testing.assert_array_equal(columns["dots", "value"][7], [700, 701, 702])


def test_another_film_has_another_name():
    assert told(film(), Reel())["chain"] != told(film(key="another film"), Reel())["chain"]


def test_what_is_withheld_the_link_and_the_order_to_go_arrive():
    reel = Reel()
    reel.go_to(7, walk=True)
    head = told(film(), reel)
    assert (head["lock"], head["hide"], head["link"]) == (["play", "step"], ["room"], "a=1")
    assert head["source"] == "coin?seed=7"
    assert (head["go"]["t"], head["go"]["walk"]) == (7, True)
    token = head["go"]["token"]
    reel.go_to(7, walk=True)
    assert told(film(), reel)["go"]["token"] != token, "going there twice is two orders"


def test_frames_that_take_time_come_as_far_as_they_are_made():
    made = []

    def grow(t: int) -> int:
        made.append(min(t, 5 * (len(made) + 1)))
        return made[-1]

    a_film = film(total=12, grow=grow)
    with pytest.raises(NotYet, match="Computing: 5 of 12") as wait:
        a_film.reach(12)
    with pytest.raises(NotYet, match="Computing: 10 of 12"):
        wait.value.more()
    a_film.reach(12)
    assert a_film.made(10**9) == 12, "a film ends where it ends"


def test_reports_are_heard_once_and_those_of_another_film_are_not():
    a_film, reel = film(), Reel()
    reports = [{"kind": "rest", "number": n, "chain": chain, "t": n} for n, chain in ((1, a_film.chain), (2, "other"))]
    assert list(reel.news(reports, a_film.chain)) == [Rest(1)]
    assert list(reel.news(reports, a_film.chain)) == []
    assert told(a_film, reel)["heard"] == 2
