"""The film of own chains: a draw of each chain a frame."""

from math import ceil, log2, nan
from typing import Any

import numpy as np

from pages.contract.charts import Chart
from pages.contract.columns import FLOAT32, UINT8, UINT16, Columns, Data
from pages.contract.film import Film
from pages.drawing.numbers import rounded
from pages.drawing.palette import COLORS, SOFT
from pages.topics.walk_the_hill.brought import charts
from pages.topics.walk_the_hill.brought.scene import BINS, RANK_BINS, BroughtScene, Told

ENOUGH = 100  # effective draws of each chain, after Vehtari et al. (2021)
LARGEST = 99.0  # of an R-hat that is written
KNOWN, TOO_FEW, NONE = range(3)  # what a caption says of a diagnostic: the number, or why there is none
COUNTED = ("draws", "divergences", "switches", "drawn", "rhat_x", "rhat_y", "bulk", "tail", "at")
CURVES = ("rhat_x", "rhat_y", "bulk", "tail")


def brought_film(scene: BroughtScene) -> Film:
    """Return the film of own chains."""
    data: Data = {}
    for name, part in zip(("bars_x", "bars_y"), scene.window, strict=True):
        edges = np.linspace(*part, BINS + 1)
        data[name] = {"low": rounded(edges[:-1]), "high": rounded(edges[1:]), "h": FLOAT32}
    letters = [f"{letter}_{chain}" for letter in "xy" for chain in scene.chains]
    elements = [f"l_{number}" for number, _ in enumerate(scene.family)]
    return Film(
        key=scene.key,
        charts=[_plane(scene), *_traces(scene), *_ranks(scene), *_along(scene)],
        data={
            **data,
            "ranks": _parts(scene),
            "past": dict.fromkeys((*letters, *elements, *CURVES), FLOAT32) | {"diverged": UINT16, "draw": UINT8},
            "say": dict.fromkeys(COUNTED, FLOAT32) | dict.fromkeys(("how", "sized", "warm"), UINT8),
        },
        columns=lambda start, stop: _columns(scene, start, stop),
        total=scene.total,
        label="draw {t} of {total}{warm:| · warm-up}",
        strides=(("Draw", 1),),
        grow=scene.grow,
    )


# ---- charts ----------------------------------------------------------------------------------------------------------


def _plane(scene: BroughtScene) -> Chart:
    marked = scene.shown.data.marked
    counts = " · {divergences} {divergences:divergences|divergence|divergences}" if marked else ""
    return Chart(
        "plane",
        "Your chains",
        f"· {{draws}} {{draws:draws|draw|draws}} in all{counts}{{drawn:|| · not all are drawn}}",
        "Where the chains have been, draw by draw, with the draws that diverged, and both margins.",
        charts.plane(scene.window, scene.columns, scene.chains, scene.diagonal),
        [
            *_named(scene),
            *([("sign", "✚ divergence")] if marked else []),
            *([(f"{SOFT} dashed", "both equal")] if scene.diagonal else []),
        ],
    )


def _named(scene: BroughtScene) -> list[tuple[str, str]]:
    """Return the legend of the chains."""
    return [(f"{COLORS[chain]} solid", f"chain {chain + 1}") for chain in scene.chains]


def _traces(scene: BroughtScene) -> list[Chart]:
    legend = [*_named(scene), *([("sign", "▲ divergence")] if scene.shown.data.marked else [])]
    found = [
        Chart(
            f"trace{end}",
            column.name,
            "",
            f"{column.name} along the run, a line for each chain, with a mark below each draw that diverged.",
            charts.trace(letter, part, column, scene.chains, scene.total, marked=True),
            legend,
        )
        for letter, end, column, part in zip("xy", ("", "_y"), scene.columns, scene.ends, strict=True)
    ]
    if len(scene.family) < 2:
        return found
    names = [scene.shown.data.names[place] for place in scene.family]
    labels = Chart(
        "labels",
        f"Labels in chain {scene.chains[0] + 1}",
        "· {switches} {switches:switches|switch|switches} in all chains",
        "The elements of the first parameter’s vector along one chain: where their lines cross, labels have switched.",
        charts.trace("l", scene.reach, scene.columns[0], tuple(range(len(names))), scene.total, marked=False),
        [(f"{COLORS[number]} solid", name) for number, name in enumerate(names)],
    )
    return [labels, *found]


def _ranks(scene: BroughtScene) -> list[Chart]:
    said = "· dashed: expected" if len(scene.chains) > 1 else "· its two halves · dashed: expected"
    return [
        Chart(
            f"ranks{end}",
            f"Ranks of {column.name}",
            said,
            f"How the ranks of {column.name} among all draws are spread in each chain: level where chains agree.",
            charts.ranks(f"h_{letter}", scene.parts),
            _named(scene),
        )
        for letter, end, column in zip("xy", ("", "_y"), scene.columns, strict=True)
    ]


def _along(scene: BroughtScene) -> list[Chart]:
    many, (across, up) = len(scene.chains), scene.columns
    return [
        Chart(
            "rhat",
            "R-hat",
            "· {how:after |too few draws|none}{at}{how:, across ||}{rhat_x}{how:, up ||}{rhat_y}",
            "R-hat of both parameters along the run, and the line at 1.01.",
            charts.rhat(scene.total),
            [("accent", across.name), ("dashed", up.name)],
        ),
        Chart(
            "ess",
            "Effective draws",
            "· {sized:bulk |too few draws|none}{bulk}{sized:, tail ||}{tail}",
            "Effective sample sizes of bulk and tails along the run, the smaller of both parameters.",
            charts.sizes(2 * many * max(scene.total, ENOUGH), ENOUGH * many, scene.total),
            [("accent", "bulk"), ("dashed", "tail"), (f"{SOFT} dashed", "enough")],
        ),
    ]


# ---- frames ----------------------------------------------------------------------------------------------------------


def _parts(scene: BroughtScene) -> dict[str, Any]:
    """Return the bars of the rank plots: of each part, side by side."""
    part, place = np.divmod(np.arange(scene.parts * RANK_BINS), RANK_BINS)
    wide = (1 - charts.BETWEEN) / RANK_BINS
    low = part + charts.BETWEEN / 2 + place * wide
    several = len(scene.chains) > 1
    colors = [scene.chains[number] if several else scene.chains[0] for number in part.tolist()]
    return {"c": colors, "low": rounded(low), "high": rounded(low + wide), "h_x": UINT16, "h_y": UINT16}


def _columns(scene: BroughtScene, start: int, stop: int) -> Columns:
    scene.grow(stop - 1)
    numbers = np.arange(start, stop)
    warmup, many = scene.shown.warmup, len(scene.chains)
    draws = many * np.maximum(0, numbers - warmup)
    columns: Columns = {
        ("past", "draw"): numbers > warmup,
        ("past", "diverged"): _from_start(scene.diverged, start, stop, 0),
        ("say", "draws"): draws,
        ("say", "warm"): (numbers <= warmup) & (numbers > 0) & (warmup > 0),
        ("say", "divergences"): scene.divergences[start:stop],
        ("say", "switches"): scene.switches[start:stop],
        ("say", "drawn"): [2 ** ceil(log2(max(1.0, t / (charts.MOST_DOTS // many)))) for t in numbers.tolist()],
    }
    for along, letter in enumerate("xy"):
        for place, chain in enumerate(scene.chains):
            columns["past", f"{letter}_{chain}"] = _from_start(scene.places[place, :, along], start, stop)
        counts = scene.counts[start:stop, along]
        columns[f"bars_{letter}", "h"] = counts / np.maximum(1, counts.max(axis=1, keepdims=True))
    for number, _ in enumerate(scene.family):
        columns["past", f"l_{number}"] = _from_start(scene.elements[:, number], start, stop)
    return columns | _told(scene, numbers)


def _from_start(values: np.ndarray, start: int, stop: int, before: float = np.nan) -> np.ndarray:
    """Return the values at frames: that of the first draw at frame 1, and at 0 none."""
    found = values[max(0, start - 1) : max(0, stop - 1)]
    return np.concatenate([[before], found]) if start == 0 < stop else found


def _told(scene: BroughtScene, numbers: np.ndarray) -> Columns:
    """Return the diagnostics at frames: curves have a point where they are computed anew."""
    columns: Columns = {("past", name): np.full(len(numbers), np.nan) for name in CURVES}
    columns |= {("say", name): np.full(len(numbers), np.nan) for name in (*CURVES, "at")}
    columns |= {("say", name): np.full(len(numbers), TOO_FEW, np.uint8) for name in ("how", "sized")}
    columns |= {
        ("ranks", name): np.zeros((len(numbers), scene.parts * RANK_BINS), np.uint16) for name in ("h_x", "h_y")
    }
    for row, t in enumerate(numbers.tolist()):
        told = scene.told(t)
        if told is None:
            continue
        for name, heights in zip(("h_x", "h_y"), told.ranks, strict=True):
            columns["ranks", name][row] = np.rint(100 * heights.ravel())
        found = _numbers(told)
        for name, value in found.items():
            columns["say", name][row] = value
            if t == scene.mark(t):
                columns["past", name][row] = value - 1 if name.startswith("rhat") else value
        columns["say", "at"][row] = scene.mark(t) if found["rhat_x"] == found["rhat_x"] else nan
        few, small = told.each[0].too_few_for_rhat, told.each[0].too_few
        columns["say", "how"][row] = _how(few, found["rhat_x"], found["rhat_y"])
        columns["say", "sized"][row] = _how(small, found["bulk"], found["tail"])
    return columns


def _numbers(told: Told) -> dict[str, float]:
    """Return the numbers of captions and curves; NaN where one is not known."""
    across, up = (nan if one.rhat is None else round(min(one.rhat, LARGEST), 3) for one in told.each)
    bulk, tail = (
        min(nan if size is None else round(size) for size in sizes)
        for sizes in zip(*((one.ess_bulk, one.ess_tail) for one in told.each), strict=True)
    )
    return {"rhat_x": across, "rhat_y": up, "bulk": bulk, "tail": tail}


def _how(few: bool, *values: float) -> int:
    return TOO_FEW if few else NONE if any(value != value for value in values) else KNOWN
