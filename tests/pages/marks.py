"""How many marks a film's charts have in a frame, as values: Vega works on each of them when it draws a frame."""

from collections.abc import Iterator, Mapping
from typing import Any

import vl_convert

from pages.contract.charts import Chart
from pages.contract.columns import PAST
from pages.contract.film import Film
from pages.download.picture import drawn
from pages.drawing.palette import THEMES

MOST = 1000
MORE = {  # charts that have more
    "lineup": 2000,  # a hundred points in each of twenty tiles, with ten rounds to play
    "pictures": 2000,  # whose pixels have rims, for a learner counts them
}
PATHS = "line", "area", "trail"  # each is one mark, whatever its corners are


def too_many(film: Film, t: int) -> dict[str, int]:
    """Return the charts that have more marks than they may at iteration t, with how many."""
    many = [chart for chart in film.charts if chart.name != "wall" and _at_most(film, chart) > MOST]  # a wall rests
    found = {chart.name: _counted(film, chart, t) for chart in many}
    return {name: count for name, count in found.items() if count > MORE.get(name, MOST)}


def _at_most(film: Film, chart: Chart) -> int:
    """Return the number of rows that a chart's layers have before any transform; of the past, a frame brings one."""

    def rows(data: Mapping[str, Any]) -> int:
        name = data.get("name", "")
        if name == PAST:
            return 1
        if chart.listed and name in chart.listed.sets:
            return chart.listed.shown * chart.listed.sets[name]
        held = film.staying.get(name) or {"": chart.spec.get("datasets", {}).get(name, data.get("values", [{}]))}
        return max(map(len, held.values()))

    return sum(1 if _kind(view) in PATHS else rows(data) for view, data in _layers(chart.spec, {}))


def _layers(view: Mapping[str, Any], data: Mapping[str, Any]) -> Iterator[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    """Yield the layers that a player draws mark by mark, with their data; cells are one picture."""
    data = view.get("data", data)
    if "mark" in view and not view.get("name", "").startswith("cells_"):
        yield view, data
    for layer in view.get("layer", ()):
        yield from _layers(layer, data)


def _kind(view: Mapping[str, Any]) -> str:
    return str(view["mark"] if isinstance(view["mark"], str) else view["mark"]["type"])


def _counted(film: Film, chart: Chart, t: int) -> int:
    spec = drawn(film, chart, t, THEMES["light"])
    spec["layer"] = [layer for layer in spec["layer"] if not layer.get("name", "").startswith("cells_")]
    return _marks(vl_convert.vegalite_to_scenegraph(spec)["scenegraph"])


def _marks(mark: Mapping[str, Any]) -> int:
    items = mark.get("items", ())
    if mark.get("marktype") != "group":
        return bool(items) if mark.get("marktype") in PATHS else len(items)
    return sum(_marks(inner) for item in items for inner in item.get("items", ()))
