"""The texts of a chart as values, without a browser: where each is in a chart of some size, nearly."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import vl_convert

from pages.contract.film import Film
from pages.download.picture import drawn
from pages.drawing.palette import THEMES
from tests.pages.waiting import waited

LETTER, HIGH = 0.55, 0.7  # of the size of type: the breadth of a letter, and the height of a digit
BEGIN = {"left": 0.0, "center": -0.5, "right": -1.0}


class Text(NamedTuple):
    """A text in a chart, with its ends in pixels."""

    said: str
    left: float
    right: float
    top: float
    bottom: float

    def meets(self, other: "Text") -> bool:
        """Return whether one lies over the other."""
        across = self.left < other.right and other.left < self.right
        return across and self.top < other.bottom and other.top < self.bottom


def scene_graph(film: Film, name: str, t: int, size: tuple[float, float], told: bool = True) -> Any:
    """Return a film's chart as Vega lays it out at iteration t, in so many pixels."""
    (chart,) = (each for each in film.charts if each.name == name)
    waited(lambda: film.reach(t))
    room = dict(zip(("width", "height"), size, strict=True))
    spec: dict[str, Any] = drawn(film, chart, t, THEMES["light"], told=told) | room
    root = vl_convert.vegalite_to_scenegraph(spec)["scenegraph"]
    while root.get("role") != "frame":
        root = root["items"][0]
    return root["items"][0]


def marks(item: Any, x: float = 0, y: float = 0) -> Iterator[tuple[str, Mapping[str, Any], float, float]]:
    """Yield the items of a scene with their kinds and their places, but for those of axes."""
    for mark in item.get("items", ()):
        if mark.get("role") in ("axis", "legend", "title"):
            continue
        for each in mark.get("items", ()):
            left, top = x + each.get("x", 0), y + each.get("y", 0)
            yield mark.get("marktype", ""), each, left, top
            if "items" in each:
                yield from marks(each, left, top)


def texts(film: Film, name: str, t: int, size: tuple[float, float]) -> list[Text]:
    """Return the texts that are drawn in a chart."""
    found = []
    for kind, item, x, y in marks(scene_graph(film, name, t, size)):
        said = str(item.get("text", ""))
        if kind != "text" or not said or item.get("opacity", 1) == 0:
            continue
        type_size = max(11.0, float(item.get("fontSize", 11)))
        left = x + float(item.get("dx", 0)) + BEGIN[item.get("align", "left")] * LETTER * type_size * len(said)
        middle, half = y + float(item.get("dy", 0)), HIGH * type_size / 2
        found.append(Text(said, left, left + LETTER * type_size * len(said), middle - half, middle + half))
    return found
