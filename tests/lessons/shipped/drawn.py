"""The charts of a step as values, without a browser: what is drawn, where, how large, and what lies over it.

Vega lays each chart out as in a window of 1280 × 800. A step's main picture has the width of the column's left part,
the others share its right part.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

import vl_convert

from lessons.flow import Place, Screen
from pages.contract.charts import Chart
from pages.contract.film import Film
from pages.contract.stage import stage_of
from pages.download.picture import drawn
from pages.drawing.palette import THEMES
from tests.pages.waiting import waited

MAIN, SIDE, TALL = 530, 305, 360  # pixels: widths, and the height of the stage
OPAQUE = 0.9
TYPE = 11  # pixels that the player gives letters at least
WHO, TOLD = "who is drawn", "told:"


@dataclass(frozen=True)
class Box:
    """A rectangle in pixels of a chart."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def size(self) -> float:
        return max(self.right - self.left, self.bottom - self.top)

    def within(self, other: "Box") -> "Box":
        """Return the part of it in another one, of size 0 or less if there is none."""
        found = Box(
            max(self.left, other.left),
            max(self.top, other.top),
            min(self.right, other.right),
            min(self.bottom, other.bottom),
        )
        return found if found.left <= found.right and found.top <= found.bottom else Box(0, 0, 0, 0)

    def holds(self, other: "Box") -> bool:
        return (
            self.left <= other.left
            and self.top <= other.top
            and self.right >= other.right
            and self.bottom >= other.bottom
        )


@dataclass(frozen=True)
class Item:
    """An item of a chart, in the order in which they are drawn."""

    kind: str  # Vega's kind of mark
    told: Mapping[str, str]  # the fields of its row that were asked for
    box: Box
    covers: bool  # whether nothing shines through it
    type: float  # pixels of its letters; 0 if it has none


@dataclass(frozen=True)
class Scene:
    """A chart as it is drawn."""

    frame: Box
    items: Sequence[Item]

    def of(self, field: str, value: str) -> list[int]:
        """Return the places of the items whose row has this value in a field."""
        return [place for place, item in enumerate(self.items) if item.told.get(field) == value]

    def seen(self, field: str, value: str) -> float:
        """Return how many pixels of a mark are seen, in its longer direction; 0 if it is not drawn, or covered."""
        found = self.of(field, value)
        return max((self._seen(place) for place in found), default=0)

    def _seen(self, place: int) -> float:
        item = self.items[place]
        part = item.box.within(self.frame)
        over = (other for other in self.items[place + 1 :] if other.covers and other.told != item.told)
        return 0 if any(other.box.holds(part) for other in over) else part.size


def film_at(place: Place[Any]) -> tuple[Film, int]:
    """Return the film of a place, and the iteration, both made."""
    film: Film = waited(lambda: stage_of(place.stage).film(place.settings, place.seed))
    t = min(place.t, film.total)
    waited(lambda: film.reach(t))
    return film, t


def charts_of(film: Film, seen: Screen) -> list[Chart]:
    """Return the charts of a screen that it does not hide, the main picture first."""
    known = {chart.name: chart for chart in film.charts}
    names = [name for name in seen.charts or known if name in known]
    return [known[name] for name in names if name not in seen.hidden]


def scene_of(film: Film, chart: Chart, t: int, seen: Screen, fields: Sequence[str] = ("mark",)) -> Scene:
    """Return a chart as a screen shows it, with these fields of its rows."""
    spec = drawn(film, chart, t, THEMES["light"], told=seen.captions)
    _name(spec, fields)
    shown = charts_of(film, seen)
    main = chart is shown[0] or chart.beside
    across, down = map(float, (chart.aspect or ("4 / 3" if main else "2 / 1")).split("/"))
    high = TALL * (1 if main else chart.share / max(1, sum(each.share for each in shown[1:] if not each.beside)))
    wide = MAIN if main else SIDE
    high = min(high, wide * down / across) if chart.aspect else high
    spec |= {"width": min(wide, high * across / down) if chart.aspect else wide, "height": high}
    root = vl_convert.vegalite_to_scenegraph(spec)["scenegraph"]
    while root.get("role") != "frame":
        root = root["items"][0]
    (root,) = root["items"]
    frame = Box(0, 0, float(root["width"]), float(root["height"]))
    return Scene(frame, [*_items(root, 0, 0, fields)])


def _name(view: dict[str, Any], fields: Sequence[str]) -> None:
    """Have each item of a specification say the fields of its row, in the place of what screen readers are told."""
    for part in view.get("layer", ()):
        _name(part, fields)
    if "mark" in view:
        told = " + '\\n' + ".join(f"toString(datum['{field}'])" for field in fields)
        view["transform"] = [*view.get("transform", ()), {"calculate": f"'{TOLD}' + {told}", "as": WHO}]
        view["encoding"] = view.get("encoding", {}) | {"description": {"field": WHO, "type": "nominal"}}


def _items(group: Mapping[str, Any], x: float, y: float, fields: Sequence[str]) -> Iterator[Item]:
    for mark in group.get("items", ()):
        if mark.get("role") in ("axis", "legend", "title"):
            continue
        lines: dict[str, list[Mapping[str, Any]]] = {}
        for item in mark.get("items", ()):
            if "items" in item:
                yield from _items(item, x + item.get("x", 0), y + item.get("y", 0), fields)
            elif not _shows(item):
                continue
            elif mark["marktype"] in ("line", "area", "trail"):
                lines.setdefault(item.get("description", ""), []).append(item)
            else:
                yield _item(mark["marktype"], [item], x, y, fields)
        for points in lines.values():
            yield _item(mark["marktype"], points, x, y, fields)


def _shows(item: Mapping[str, Any]) -> bool:
    inked = any(item.get(paint) not in (None, "transparent") for paint in ("fill", "stroke", "url"))
    return inked and item.get("opacity", 1) > 0 and item.get("defined", True)


def _item(kind: str, items: Sequence[Mapping[str, Any]], x: float, y: float, fields: Sequence[str]) -> Item:
    boxes = [_box(kind, item) for item in items]
    box = Box(
        x + min(each.left for each in boxes),
        y + min(each.top for each in boxes),
        x + max(each.right for each in boxes),
        y + max(each.bottom for each in boxes),
    )
    first = items[0]
    opaque = first.get("opacity", 1) * first.get("fillOpacity", 1) >= OPAQUE
    covers = opaque and kind in ("symbol", "rect", "image") and first.get("fill") not in (None, "transparent")
    said = first.get("description", "")
    told = dict(zip(fields, said[len(TOLD) :].split("\n"), strict=True)) if said.startswith(TOLD) else {}
    return Item(kind, told, box, covers, float(first.get("fontSize", 11)) if kind == "text" else 0)


def _box(kind: str, item: Mapping[str, Any]) -> Box:
    """Return the box of an item, nearly: the shape of a symbol is as large as a circle of its area."""
    left, top = float(item.get("x", 0)), float(item.get("y", 0))
    right, bottom = float(item.get("x2", left)), float(item.get("y2", top))
    pen = float(item.get("strokeWidth", 1)) / 2 if item.get("stroke") else 0
    around = pen
    if kind == "symbol":
        around += sqrt(float(item.get("size", 64))) / 2
    elif kind == "arc":
        around += float(item.get("outerRadius", 0))
    elif kind == "text":
        around = max(TYPE, float(item.get("fontSize", TYPE))) / 2 * (1 if item.get("text") not in (None, "") else 0)
    elif kind in ("rect", "image"):
        right, bottom = left + float(item.get("width", 0)), top + float(item.get("height", 0))
    elif kind == "path":
        around += 6
    return Box(
        min(left, right) - around, min(top, bottom) - around, max(left, right) + around, max(top, bottom) + around
    )
