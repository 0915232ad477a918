"""A small film, and messages read as the browser reads them."""

import json
import struct
from typing import Any

import numpy as np

from lessons.flow import Screen
from pages.contract.charts import Chart
from pages.contract.columns import FLOAT32, UINT16
from pages.contract.film import Film
from pages.player.player import Reel, message

ROWS = 3
AHEAD = 60  # frames that are fetched beyond the one that is shown


def refuse(constant: str) -> None:
    raise AssertionError(f"{constant} in JSON, which browsers refuse")


def unpack(data: bytes) -> tuple[dict, dict[tuple[str, str], np.ndarray]]:
    """Read a message as player.js does: typed arrays must begin at a multiple of four bytes."""
    (length,) = struct.unpack_from("<I", data)
    assert length % 4 == 0
    head = json.loads(data[4 : 4 + length], parse_constant=refuse)
    offset, columns = 4 + length, {}
    for column in head["columns"]:
        shape = (head["count"], column["width"])
        size = shape[0] * shape[1]
        array = np.frombuffer(data, column["type"], size, offset).reshape(shape)
        columns[column["set"], column["field"]] = array
        offset += -(-array.nbytes // 4) * 4
    assert offset == len(data), "bytes are left over"
    return head, columns


def film(total: int = 10, key: str = "a film", **more: Any) -> Film:
    """A film whose frame t holds t in a column, and 100 t + row in another."""

    def frames(start: int, stop: int) -> dict:
        assert start == stop or 0 <= start < stop <= total + 1, "frames are asked for that there are not"
        t = np.arange(start, stop)
        return {
            ("say", "t"): t,
            ("dots", "value"): 100 * t[:, None] + np.arange(ROWS),
        }

    chart = Chart("room", "Room", "at {t}", "A room.", {"mark": "point"}, [("ink", "exact"), ("dashed", "now", "t")])
    data = {"dots": {"x": [1, 2, 3], "value": FLOAT32}, "say": {"t": UINT16}}
    return Film(key, [chart], data, total, "customer {t} of {total}", frames, **more)


def told(a_film: Film, reel: Reel, at: int = 0) -> dict[str, Any]:
    """The message about a film, as it comes out of JSON, which has no NaN."""
    seen = Screen(lock=("play", "step"), hidden=("room",))
    data = message(a_film, reel, seen, at=at, source="coin?seed=7", link="a=1", address="a=1")
    return json.loads(json.dumps(data, allow_nan=False), parse_constant=refuse)


def fetched(a_film: Film, at: int = 0, ahead: int = AHEAD) -> tuple[dict[str, Any], dict[tuple[str, str], np.ndarray]]:
    """All that the browser gets of a film until it can be played from an iteration, and its frames."""
    described = json.loads(json.dumps(a_film.described(), allow_nan=False), parse_constant=refuse)
    head, columns = unpack(a_film.packed(0, a_film.made(at + ahead) + 1))
    still = {"still": a_film.still(at)} if a_film.still else {}
    return told(a_film, Reel(), at) | described | head | still, columns
