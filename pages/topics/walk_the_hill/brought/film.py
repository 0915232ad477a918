"""The film of own chains: a draw of each chain a frame."""

from math import ceil, log2
from typing import Any

import numpy as np

from pages.contract.charts import Chart
from pages.contract.columns import FLOAT32, UINT8, UINT16, Columns, Data
from pages.contract.film import Film
from pages.drawing.numbers import rounded
from pages.drawing.palette import COLORS
from pages.topics.walk_the_hill.brought import charts
from pages.topics.walk_the_hill.brought.scene import BINS, RANK_BINS, BroughtScene
from samplers.diagnostics.convergence import Diagnosis

ENOUGH = 100  # effective draws of each chain, after Vehtari et al. (2021)
HUNDREDTHS = 255  # that a byte holds
LARGEST = 99.0  # of an R-hat that is written
KNOWN, TOO_FEW, NONE = range(3)  # what a caption says of a diagnostic: the number, or why there is none
COUNTED = ("draws", "divergences", "switches", "drawn", "rhat", "bulk", "tail")
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
        f"· {{draws}} {{draws:draws|draw|draws}}{counts}{{drawn:|| · not all are drawn}}",
        "Where the chains have been, draw by draw, with the draws that diverged, and both margins.",
        charts.plane(scene.window, scene.columns, scene.chains, scene.diagonal),
        [
            *((f"{COLORS[chain]} solid", f"chain {chain + 1}") for chain in scene.chains),
            *([("ink", "divergence")] if marked else []),
            *([("dotted", "both equal")] if scene.diagonal else []),
        ],
        aspect="5 / 4",
    )


def _traces(scene: BroughtScene) -> list[Chart]:
    found = [
        Chart(
            f"trace{end}",
            column.name,
            "",
            f"{column.name} along the run, a line for each chain, with a mark below each draw that diverged.",
            charts.trace(letter, part, column, scene.chains, marked=True),
        )
        for letter, end, column, part in zip("xy", ("", "_y"), scene.columns, scene.window, strict=True)
    ]
    if len(scene.family) < 2:
        return found
    names = [scene.shown.data.names[place] for place in scene.family]
    labels = Chart(
        "labels",
        f"One vector in chain {scene.chains[0] + 1}",
        "· order changed {switches} {switches:times|time|times} in all chains",
        "The elements of the first parameter’s vector along one chain: where their lines cross, labels have switched.",
        charts.trace("l", scene.reach, scene.columns[0], tuple(range(len(names))), marked=False),
        [(f"{COLORS[number]} solid", name) for number, name in enumerate(names)],
    )
    return [labels, *found]


def _ranks(scene: BroughtScene) -> list[Chart]:
    said = "" if len(scene.chains) > 1 else "· its first half, its second half"
    return [
        Chart(
            f"ranks{end}",
            f"Ranks of {column.name}",
            said,
            f"How the ranks of {column.name} among all draws are spread in each chain: level where chains agree.",
            charts.ranks(f"h_{letter}", scene.parts),
            [("dashed", "expected")],
        )
        for letter, end, column in zip("xy", ("", "_y"), scene.columns, strict=True)
    ]


def _along(scene: BroughtScene) -> list[Chart]:
    many = len(scene.chains)
    both = [("accent", scene.columns[0].name), ("dashed", scene.columns[1].name)]
    return [
        Chart(
            "rhat",
            "R-hat",
            "· {how:larger |too few draws|none}{rhat}",
            "R-hat of both parameters after so many draws, and the line at 1.01.",
            charts.rhat(),
            both,
        ),
        Chart(
            "ess",
            "Effective draws",
            "· {sized:bulk |too few draws|none}{bulk}{sized:, tail ||}{tail}",
            "Effective sample sizes of bulk and tails after so many draws, the smaller of both parameters.",
            charts.sizes(2 * many * max(scene.total, ENOUGH), ENOUGH * many),
            [("accent", "bulk"), ("dashed", "tail")],
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
    return {"c": colors, "low": rounded(low), "high": rounded(low + wide), "h_x": UINT8, "h_y": UINT8}


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
    found = values[max(0, start - 1) : stop - 1]
    return np.concatenate([[before], found]) if start == 0 else found


def _told(scene: BroughtScene, numbers: np.ndarray) -> Columns:
    """Return the diagnostics at frames: curves have a point where they are computed anew."""
    columns: Columns = {("past", name): np.full(len(numbers), np.nan) for name in CURVES}
    said: dict[str, list[float]] = {name: [] for name in ("rhat", "how", "bulk", "tail", "sized")}
    heights = np.zeros((2, len(numbers), scene.parts * RANK_BINS), np.uint8)
    for row, t in enumerate(numbers.tolist()):
        told = scene.told(t)
        if told:
            heights[:, row] = np.minimum(HUNDREDTHS, 100 * told.ranks.reshape(2, -1))
        each = told.each if told else ()
        rhat, bulk, tail = (
            _worst([getattr(one, name) for one in each], name) for name in ("rhat", "ess_bulk", "ess_tail")
        )
        few, small = any(one.too_few_for_rhat for one in each), any(one.too_few for one in each)
        for name, value in (("rhat", round(min(rhat, LARGEST), 3)), ("bulk", np.round(bulk)), ("tail", np.round(tail))):
            said[name].append(value)
        said["how"].append(KNOWN if rhat == rhat else TOO_FEW if few or not each else NONE)
        said["sized"].append(KNOWN if bulk == bulk else TOO_FEW if small or not each else NONE)
        if told and t == scene.mark(t):
            values = [_over_one(told.each[0]), _over_one(told.each[1]), bulk, tail]
            for name, value in zip(CURVES, values, strict=True):
                columns["past", name][row] = value
    columns |= {("say", name): values for name, values in said.items()}
    return columns | {("ranks", f"h_{letter}"): heights[axis] for axis, letter in enumerate("xy")}


def _worst(found: list[float | None], name: str) -> float:
    """Return the worse of a diagnostic of both parameters; NaN if one is not known."""
    if not found or None in found:
        return float("nan")
    known = [value for value in found if value is not None]
    return max(known) if name == "rhat" else min(known)


def _over_one(found: Diagnosis) -> float:
    return float("nan") if found.rhat is None else min(found.rhat, LARGEST) - 1
