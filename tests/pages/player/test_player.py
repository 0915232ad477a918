"""What goes over the wire to the player, read as the browser reads it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from pages.player.events import Need
from pages.player.player import BATCH, TYPES, Reel, pack
from tests.pages.player.films import film, send, sent, unpack

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


# ---- message ---------------------------------------------------------------------------------------------------------


def test_a_new_film_comes_from_the_start_with_its_charts_and_data():
    a_film, reel = film(), Reel()
    head, columns = sent(a_film, reel, at=4)
    assert (head["start"], head["count"], head["total"], head["at"]) == (0, 11, 10, 4)
    assert (head["label"], head["strides"]) == ("customer {t} of {total}", [["1", 1]])
    assert (head["before"], head["after"]) == (False, False)
    assert head["data"] == {"dots": {"x": [1, 2, 3]}}
    assert head["layout"] == {"areas": '"room"', "columns": "1fr"}
    assert [chart["area"] for chart in head["charts"]] == ["room"]
    assert head["charts"][0]["legend"] == [{"mark": "ink", "text": "exact"}]
    np.testing.assert_array_equal(columns["say", "t"][:, 0], range(11))
    np.testing.assert_array_equal(columns["dots", "value"][7], [700, 701, 702])


@pytest.mark.parametrize("at", [0, 1, 300])
def test_the_first_message_of_a_long_film_holds_a_batch_beyond_its_opening(at):
    head, _ = sent(film(total=2_000), Reel(), at=at)
    assert (head["start"], head["count"]) == (0, at + BATCH + 1)


def test_then_only_what_is_missing_is_sent():
    a_film, reel = film(total=1_000), Reel()
    first, _ = sent(a_film, reel)
    again, columns = sent(a_film, reel)
    assert (again["start"], again["count"]) == (first["count"], 0)
    assert "charts" not in again
    assert "data" not in again
    assert again["chain"] == first["chain"]
    assert all(array.shape[0] == 0 for array in columns.values())
    reel.need(Need(first["count"], 400, ""))
    more, columns = sent(a_film, reel)
    assert (more["start"], more["count"]) == (first["count"], 401 - first["count"])
    np.testing.assert_array_equal(columns["say", "t"][:, 0], range(first["count"], 401))


def test_what_the_browser_says_it_holds_is_believed():
    a_film, reel = film(total=1_000), Reel()
    sent(a_film, reel)
    reel.need(Need(17, 30, ""))
    head, columns = sent(a_film, reel)
    assert (head["start"], head["count"]) == (17, 14)
    assert columns["say", "t"][0, 0] == 17
    reel.need(Need(0, 5, ""))
    head, _ = sent(a_film, reel)
    assert (head["start"], head["count"]) == (0, 6)
    assert "charts" in head, "a browser that holds nothing needs the charts too"


def test_another_film_begins_anew():
    reel = Reel()
    one, _ = sent(film(), reel)
    other, _ = sent(film(key="another film"), reel)
    assert other["chain"] != one["chain"]
    assert (other["start"], other["count"]) == (0, 11)
    assert "charts" in other


def test_the_film_ends_where_it_ends():
    head, _ = sent(film(total=3), Reel(), at=3)
    assert head["count"] == 4
    reel = Reel()
    sent(film(total=1_000), reel)
    reel.need(Need(241, 10**9, ""))
    head, _ = sent(film(total=1_000), reel)
    assert head["start"] + head["count"] == 1_001


def test_what_is_withheld_the_link_and_the_order_to_go_arrive():
    reel = Reel()
    reel.go_to(7, walk=True)
    head, _ = sent(film(), reel)
    assert (head["lock"], head["hide"], head["link"]) == (["play", "step"], ["room"], "a=1")
    assert (head["go"]["t"], head["go"]["walk"]) == (7, True)
    token = head["go"]["token"]
    reel.go_to(7, walk=True)
    assert sent(film(), reel)[0]["go"]["token"] != token, "going there twice is two orders"


def test_frames_that_take_time_come_as_far_as_they_are_made():
    made, reel = [], Reel()

    def grow(t: int) -> int:
        made.append(min(t, 5 * (len(made) + 1)))
        return made[-1]

    a_film = film(total=12, grow=grow)
    reel_ends = []
    for _ in range(4):
        head, _ = sent(a_film, reel)
        reel_ends.append((head["start"], head["count"]))
        reel.need(Need(head["start"] + head["count"], 12, ""))
    assert reel_ends == [(0, 6), (6, 5), (11, 2), (13, 0)]
    assert made == [5, 10, 12], "what is there is not made again"


# ---- a browser that lies, and a wire that loses messages -------------------------------------------------------------


@given(held=st.integers(), want=st.integers(), total=st.integers(0, 400))
def test_a_hostile_browser_gets_a_bounded_and_readable_message(held, want, total):
    a_film, reel = film(total=total), Reel()
    sent(a_film, reel)
    reel.need(Need(held, want, ""))
    head, _ = sent(a_film, reel)
    assert 0 <= head["count"] <= total + 1
    reel.need(Need(0, total, ""))
    head, _ = sent(a_film, reel)
    assert (head["start"], head["count"]) == (0, total + 1), "the next browser is served as ever"


class Browser:
    """What player.js does with messages, without the painting."""

    def __init__(self) -> None:
        self.chain: str | None = None
        self.frames: list[int] = []

    def receive(self, data: bytes) -> int | None:
        """Take a message; return how many frames it holds if it has to ask."""
        head, columns = unpack(data)
        fresh = head["chain"] != self.chain
        if head["start"] > (0 if fresh else len(self.frames)):
            return 0 if fresh else len(self.frames)
        if fresh:
            assert "charts" in head
            self.chain, self.frames = head["chain"], []
        for frame in range(len(self.frames), head["start"] + head["count"]):
            self.frames.append(int(columns["say", "t"][frame - head["start"], 0]))
        return None


@given(
    arrives=st.lists(st.tuples(st.booleans(), st.sampled_from("ab"), st.integers(0, 900)), max_size=12),
    total=st.integers(1, 900),
)
def test_lost_messages_are_made_good(arrives, total):
    browser, reel = Browser(), Reel()
    films = {key: film(total, key) for key in "ab"}
    for is_received, key, want in arrives:
        data = send(films[key], reel)
        if is_received:
            browser.receive(data)
        reel.need(Need(len(browser.frames), want, ""))
    for _ in range(3):  # from here on nothing is lost: one answer, and at most two questions, must do
        held = browser.receive(send(films["a"], reel))
        reel.need(Need(len(browser.frames) if held is None else held, total, ""))
    assert browser.frames == list(range(total + 1))
