"""A chart at an iteration, drawn without a browser: as SVG or PDF, and as PNG for the preview of a link."""

import copy
import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from lessons.course.recorded import seen_of
from pages.contract.charts import Chart, Trail
from pages.contract.film import Film
from pages.contract.stage import stage_of
from pages.contract.waiting import NotYet
from pages.drawing.palette import THEMES
from pages.player.turns import one_slice

WIDE, TALL = 640, 440  # pixels
NARROW = 480  # of a picture among a learner's work
Rows = list[dict[str, Any]]


def picture(
    film: Film, name: str, t: int, kind: str = "svg", theme: str = "light", *, told: bool = True, wide: float = WIDE
) -> bytes:
    """Return a chart of a film at iteration t, which is made.

    Parameters
    ----------
    film : Film
        Of the run.
    name : str
        Of the chart.
    t : int
        The iteration.
    kind : {"svg", "pdf", "png"}, optional
        What is returned.
    theme : {"light", "dark"}, optional
        Whose colours it has.
    told : bool, optional
        Whether it says what a question withholds with the captions.
    wide : float, optional
        Its width at most, in pixels: type has the same size whatever the width.

    Raises
    ------
    KeyError
        If the film has no such chart.
    """
    import vl_convert  # here: it brings a JavaScript engine with it

    chart = next((chart for chart in film.charts if chart.name == name), None)
    if chart is None:
        raise KeyError(name)
    spec = drawn(film, chart, t, THEMES[theme], told=told, wide=wide)
    if kind == "png":
        return bytes(vl_convert.vegalite_to_png(spec))
    return vl_convert.vegalite_to_svg(spec).encode() if kind == "svg" else bytes(vl_convert.vegalite_to_pdf(spec))


def figure(topic: str, link: str) -> str:
    """Return the main picture of the moment of a topic to which the query string of a link leads, as SVG.

    It is "" if the moment is gone, or takes longer than a slice of computing.
    """
    seen, stage = seen_of(topic, link), stage_of(topic)
    if stage.missing(seen.settings):
        return ""
    try:
        with one_slice("my work"):
            film = stage.film(seen.settings, seen.seed)
            t = min(seen.t, film.total)
            film.reach(t)
            return picture(film, film.charts[0].name, t, theme="print", wide=NARROW).decode()
    except NotYet:
        return ""


def drawn(
    film: Film, chart: Chart, t: int, colors: Mapping[str, str], *, told: bool = True, wide: float = WIDE
) -> dict[str, Any]:
    """Return a chart's Vega-Lite with its data and parameters at iteration t, as the player sets them."""
    spec: dict[str, Any] = copy.deepcopy(dict(chart.spec))
    columns = film.frames(t, t + 1)
    text = json.dumps(spec)
    rested = film.still(t) if film.still else {}
    sets = {name: rows for name, rows in film.staying.items() if f'"name": "{name}"' in text}
    spec["datasets"] = {
        name: _rows(rested.get(name, held), {} if name in rested else _now(film, columns, name, t))
        for name, held in sets.items()
    }
    spec["datasets"] |= {name: _rows(held, {}) for name, held in rested.items() if f'"name": "{name}"' in text}
    if '"name": "past"' in text:
        spec["datasets"]["past"] = _past(film, t)
    for name, count in (chart.listed.sets if chart.listed else {}).items():
        assert chart.listed is not None
        spec["datasets"][name] = spec["datasets"][name][: chart.listed.shown * count]
    values = {"frame": t, "told": told, "lit": "", "running": False, "scrolled": 0, **colors}
    values |= {**film.params, **chart.params}
    if ("say", "current") in columns:
        values["current"] = float(columns["say", "current"][0, 0])
    for param in spec.get("params", []):
        if param["name"] in values:
            param["value"] = values[param["name"]]
    across, down = map(float, (chart.aspect or f"{WIDE} / {TALL}").split("/"))
    down *= chart.tall
    wide = min(wide, TALL / WIDE * wide * across / down)
    size = {"width": wide, "height": wide * down / across, "autosize": {"type": "fit", "contains": "padding"}}
    return spec | size | {"config": _config(colors)}


def _now(film: Film, columns: Mapping[tuple[str, str], np.ndarray], name: str, t: int) -> dict[str, np.ndarray]:
    """Return the columns of a data set that change, as they are at iteration t."""
    found = {field: column[0] for (of, field), column in columns.items() if of == name}
    return found | {trail.field: _trailed(film, trail, t) for trail in film.trails if trail.set == name}


def _trailed(film: Film, trail: Trail, t: int) -> np.ndarray:
    """Return a column that looks back: for each row its values in the last frames, the oldest first."""
    start = max(0, t + 1 - trail.many)
    column = film.frames(start, t + 1)[trail.of]
    found = np.full((column.shape[1], trail.many), trail.empty, column.dtype)
    found[:, trail.many - len(column) :] = column.T
    return found.ravel()


def _past(film: Film, t: int) -> Rows:
    columns = {field: column[:, 0] for (name, field), column in film.frames(0, t + 1).items() if name == "past"}
    return _rows({"t": np.arange(t + 1)}, columns)


def _rows(held: Mapping[str, Sequence[Any] | np.ndarray], now: Mapping[str, np.ndarray]) -> Rows:
    """Return columns as rows, each with its number ``i``; without NaN, as JSON has none, and null would count as 0."""
    columns = {
        name: [value.item() if isinstance(value, np.generic) else value for value in column]
        for name, column in {**held, **now}.items()
    }
    rows = (zip(columns, row, strict=True) for row in zip(*columns.values(), strict=True))
    return [
        {"i": i, **{name: value for name, value in row if not isinstance(value, float) or math.isfinite(value)}}
        for i, row in enumerate(rows)
    ]


def _config(colors: Mapping[str, str]) -> dict[str, Any]:
    soft, line = colors["soft"], colors["line"]
    axis = {"labelColor": soft, "titleColor": soft, "gridColor": line, "domainColor": line, "tickColor": line}
    sizes = {"labelFontSize": 12, "titleFontSize": 12, "titleFontWeight": "normal"}
    base = {"background": colors["paper"], "font": "sans-serif", "view": {"stroke": None}}
    return base | {"axis": axis | sizes, "text": {"color": colors["ink"]}}
