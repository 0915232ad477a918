"""The marks of a chart's legend, beside those that its specification draws."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from pages.contract.charts import MARKS, Chart
from pages.drawing.palette import ACCENT, COLORS, SOFT

POINTS, PATHS = {"point", "circle", "square"}, {"line", "rule", "trail", "tick", "area"}
DRAWN = {  # by what a key's sign can mean
    "block": {"bar", "area", "rect", "arc"},
    **dict.fromkeys(("dot", "disc", "ring", "triangle", "sign"), POINTS),
    **dict.fromkeys(("solid", "dotted", "thick"), PATHS),
    "dashed": {"line", "rule", *POINTS},  # a tick has no dashes; a ring can have them
}
LINES = "solid", "dashed", "dotted"
FAINT = 0.5  # the opacity up to which ink is seen as grey
CALLED = {ACCENT: "accent", SOFT: "soft"}  # as a specification calls the theme's colours


class Look(NamedTuple):
    """How a layer is drawn."""

    mark: str
    colors: str  # all that its colour can be, as text; "*" where its rows have it
    dashes: str  # all that its dashes can be, as text
    opacity: float


def looks(spec: Mapping[str, Any], above: Mapping[str, Any] | None = None) -> Iterator[Look]:
    """Yield the look of every layer of a specification."""
    channels = {**(above or {}), **spec.get("encoding", {})}
    if "mark" in spec:
        mark = {"type": spec["mark"]} if isinstance(spec["mark"], str) else spec["mark"]
        colors = [either.get(name) for either in (mark, channels) for name in ("color", "fill", "stroke")]
        rows_have = any(isinstance(color, Mapping) and color.get("scale", "") is None for color in colors)
        dashes = json.dumps([mark.get("strokeDash"), channels.get("strokeDash")])
        opacity = channels.get("opacity", {}).get("value", mark.get("opacity", 1))
        yield Look(
            mark["type"],
            "*" if rows_have else json.dumps(colors),
            dashes,
            opacity if isinstance(opacity, int | float) else 1,
        )
    for part in (*spec.get("layer", ()), *spec.get("hconcat", ()), *spec.get("vconcat", ())):
        yield from looks(part, channels)


def unlike(chart: Chart) -> list[str]:
    """Return the meanings of a legend's marks that look as nothing in the chart: by colour, shape, dashes and ink."""
    drawn = [*looks(chart.spec)]
    keys = [(MARKS.get(mark, mark).split(), text) for mark, text, *_ in chart.legend]
    return [text for (color, kind, *to), text in keys if not to and not any(_fits(color, kind, one) for one in drawn)]


def _fits(color: str, kind: str, look: Look) -> bool:
    if not _colored(color, look) or (kind in LINES and kind not in _lines(look.dashes)):
        return False
    if color in COLORS and kind == "solid":  # of a class or a chain, whatever is drawn of it
        return True
    faint = look.opacity <= FAINT and color != "accent"
    return look.mark in DRAWN[kind] and (color != "ink" or kind != "solid" or not faint)


def _colored(color: str, look: Look) -> bool:
    if look.colors == "*":
        return True
    if color in ("ink", SOFT) and '"field"' in look.colors:  # what has the colour of its cluster or class
        return True
    if color == SOFT and "ink" in look.colors and look.opacity <= FAINT:
        return True
    return bool(re.search(rf"{CALLED.get(color, color)}\b", look.colors))


def _lines(dashes: str) -> set[str]:
    """Return the kinds of line that these dashes make; without a gap it is solid."""
    found = [(float(dash), float(gap)) for dash, gap in re.findall(r"\[([\d.]+), ([\d.]+)\]", dashes)]
    return {"solid" if not gap else "dotted" if dash <= 2 else "dashed" for dash, gap in found} or {"solid"}
