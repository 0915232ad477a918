"""A chart without a browser has the data and the parameters that the player would set."""

import pytest

from lessons.topics import STAGES
from pages.contract.stage import stage_of
from pages.contract.waiting import NotYet
from pages.download.picture import drawn, picture
from pages.drawing.palette import THEMES
from tests.pages.server.asking import ask


def film_of(topic, t, **settings):
    for _ in range(1_000):
        try:
            film = stage_of(topic).film(STAGES[topic](**settings), 5)
            film.reach(t)
            if film.still:
                film.still(t)
            return film
        except NotYet:
            continue
    raise AssertionError("it takes too long")


@pytest.mark.parametrize("topic", ["crp_seating", "gibbs_blobs", "ibp_buffet", "laplace_line"])
def test_every_chart_has_the_data_that_it_names(topic):
    film = film_of(topic, 3)
    for chart in film.charts:
        spec = drawn(film, chart, 3, THEMES["dark"])
        values = {param["name"]: param.get("value") for param in spec["params"]}
        assert values["frame"] == 3
        assert values["ink"] == THEMES["dark"]["ink"]
        assert {**film.params, **chart.params}.items() <= {**film.params, **chart.params, **values}.items()
        for name, rows in spec["datasets"].items():
            assert not rows or "i" in rows[0], name


def test_the_rows_are_those_of_the_frame_and_of_the_frames_before():
    film = film_of("draws", 4)
    spec = drawn(film, next(chart for chart in film.charts if chart.name == "trace"), 4, THEMES["light"])
    past = spec["datasets"]["past"]
    assert [row["t"] for row in past] == [0, 1, 2, 3, 4]
    assert "mean" not in past[0]  # NaN: nothing has been drawn yet
    assert past[4]["x"] == film.frames(4, 5)["past", "x"][0, 0].item()
    here = drawn(film, film.charts[0], 4, THEMES["light"])["datasets"]["here"]
    assert here[0]["a"] == film.frames(4, 5)["here", "a"][0, 0].item()


def test_what_looks_back_ends_with_this_frame():
    film = film_of("gibbs_text", 3, data="six_messages")
    spec = drawn(film, film.charts[0], 3, THEMES["light"])
    trail = film.trails[0]
    rows = spec["datasets"][trail.set]
    now = film.frames(3, 4)[trail.of][0]
    assert [rows[trail.many * (n + 1) - 1][trail.field] for n in range(2)] == now[:2].tolist()
    assert rows[0][trail.field] == trail.empty


def test_a_picture_is_a_file_of_its_kind():
    film = film_of("coin", 4)
    assert picture(film, "density", 4).startswith(b"<svg")
    with pytest.raises(KeyError):
        picture(film, "room", 4)
    reply = ask("coin/take", seed=5, t=4, chart="density", theme="dark", **{"as": "pdf"})
    assert (reply.status, reply.body[:4]) == (200, b"%PDF")
    bad = ask("coin/take", seed=5, t=4, chart="room", **{"as": "svg"})
    assert (bad.status, bad.body) == (400, b"There is no such picture here.")
