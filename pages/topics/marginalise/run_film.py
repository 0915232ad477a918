"""The film of a run, an iteration a frame: log density, class probabilities, and what has a name and may change it."""

from collections.abc import Callable
from typing import Any

import numpy as np

from lessons.topics.marginalise.mixture import ITERATIONS
from pages.contract.charts import Chart, Listed
from pages.contract.columns import FLOAT32, UINT8, Columns, Data
from pages.contract.film import Film
from pages.drawing.charts import Domain
from pages.drawing.palette import COLORS
from pages.topics.marginalise import charts
from pages.topics.marginalise.run import FIRST_LOOK
from pages.topics.marginalise.scene import ROWS, MarginaliseScene, room, running

THIN_AND_THICK = "thin: now, thick: average so far"

ENDS = ("", "_mean")  # of the names of numbers: now, and the average so far
LOW = 0.09  # of a main picture's height, for each document


def film(scene: MarginaliseScene) -> Film:
    """Return the film of a run's iterations."""
    return by_iteration(
        scene,
        lambda start, stop: _columns(scene, start, stop),
        _data(scene),
        key=f"walk {scene.key} {scene.settings.word} {scene.item}",
        charts=scene.walk_charts(),
    )


def by_iteration(scene: MarginaliseScene, made: Callable[[int, int], Columns], data: Data, /, **film: Any) -> Film:
    """Return a film of the run, an iteration a frame; `made` makes its columns, without what is said of the warm-up."""

    def columns(start: int, stop: int) -> Columns:
        return made(start, stop) | {("say", "warm"): np.arange(start, stop) <= scene.settings.warmup}

    return Film(
        data=data | {"say": data["say"] | {"warm": UINT8}},
        columns=columns,
        params=scene.params,
        total=ITERATIONS,
        label="iteration {t} of {total}{warm:| · warm-up}",
        strides=(("Iteration", 1),),
        grow=scene.grow,
        **film,
    )


def _data(scene: MarginaliseScene) -> Data:
    means = [f"{name}{k}{end}" for name in scene.by_class for k in range(scene.classes) for end in ENDS]
    sets = items(scene, means=True) | scene.walk_data()
    return sets | {
        "past": {**sets.get("past", {}), **room("log_density", *means)},
        "say": room(*_said(scene)),
    }


def _said(scene: MarginaliseScene) -> list[str]:
    """Return the columns that captions read, of what moves along the run."""
    return ["log_density", *(f"a{k}" for k in range(scene.classes)), *scene.told]


def items(scene: MarginaliseScene, *, means: bool) -> Data:
    """Return the data sets that the charts of items share; `means` says whether there are averages."""
    size, ks = scene.settings.size, range(scene.classes - 1)
    rows: dict[str, Any] = {
        "row": list(range(size)),
        "name": [scene.title_of(item) for item in range(size)],
        "known": [int(label) for label in scene.labels[:size]],
        "shown": [_shown(scene, int(label)) for label in scene.labels[:size]],
        **{f"now{k}": FLOAT32 for k in ks},
        **{f"mean{k}": FLOAT32 if means else [None] * size for k in ks},
    }
    return scene.item_data(rows)


def _shown(scene: MarginaliseScene, label: int) -> str:
    """Return the words on the bar of an item whose label is shown."""
    return "label shown" if label < 0 else f"label shown: {scene.names[label]}"


def legend(scene: MarginaliseScene) -> list[tuple[str, str]]:
    """Return the colours of the classes."""
    return [(f"{COLORS[label]} solid", name) for label, name in enumerate(scene.names)]


def trace_domain(scene: MarginaliseScene) -> tuple[float, float]:
    """Return the y-range of the log density: the running maximum, spread as for D standard Normals."""
    top = float(scene.run.log_density[: FIRST_LOOK + 1].max())
    spread = np.sqrt(scene.run.target.dimension / 2)
    return float(np.floor(top - 8 * spread)), float(np.ceil(top + 3 * spread))


def log_density_chart(scene: MarginaliseScene) -> Chart:
    """Return the trace of the log density."""
    line = charts.Line("log_density", "accent", 1.4)
    return Chart(
        "trace",
        "Log density",
        "· {log_density}",
        "The log density of the unconstrained parameters along the run.",
        charts.along((line,), scene.settings.warmup, ticks=4),
        params={"log_density_span": trace_domain(scene)},
    )


def named_chart(
    scene: MarginaliseScene,
    area: str,
    words: tuple[str, str, str],
    name: str,
    domain: Domain,
    many: int = 2,
    **more: Any,
) -> Chart:
    """Return a number that each class has along the run, and its average so far; words are title, caption and alt."""
    warmup = scene.settings.warmup
    lines = charts.now_and_mean(name, warmup, many)
    return Chart(area, *words, charts.along(lines, warmup), params={f"{lines[0].field}_span": domain}, **more)


def class_chart(scene: MarginaliseScene, *, path: bool = False) -> Chart:
    """Return the bars of class probabilities: of a run with their averages, or at a point of a path."""
    size = scene.settings.size
    shown = min(size, ROWS)
    all_of_them = f"· {size} in all, scroll " if shown < size else ""
    words = (
        "Pr[z = k] of each document",
        f"{all_of_them}· from its words alone · thick: now, thin: average after the warm-up",
        "For each document the probability of each class given the parameters, now and averaged over the run.",
    )
    if path:
        words = (
            "Pr[z = k] at this point of the path",
            "",
            "For each document the probability of each class at the point that the path has reached.",
        )
    listed = Listed(size, shown, {"rows": 1})
    look = charts.classes(shown, not path, scene.classes)
    tall = min(1.0, shown * LOW)  # a short list leaves the fold to the program below it
    return Chart("classes", *words, look, legend(scene), listed=listed, tall=tall)


def averaged(name: str, values: np.ndarray, start: int, warmup: int) -> Columns:
    """Return numbers that classes have, shape (stop, K), from a start on, with their averages so far."""
    means = running(values, start, warmup)
    return {
        ("past", f"{name}{k}{end}"): column[:, k]
        for end, column in zip(ENDS, (values[start:], means), strict=True)
        for k in range(values.shape[1])
    }


def edges(name: str, probabilities: np.ndarray) -> Columns:
    """Return where the bars of classes meet: their probabilities (frames, M, K) summed up, but for the last."""
    sums = np.cumsum(probabilities[..., :-1], axis=-1)
    return {("rows", f"{name}{k}"): sums[..., k] for k in range(sums.shape[-1])}


def _columns(scene: MarginaliseScene, start: int, stop: int) -> Columns:
    run, warmup = scene.run, scene.settings.warmup
    probs = run.class_probs[:stop]
    columns = {
        **edges("now", probs[start:]),
        **edges("mean", running(probs, start, warmup, within=np.nan)),
        ("past", "log_density"): run.log_density[start:stop],
        **averaged("a", run.by_class[:stop], start, warmup),
    }
    columns |= scene.walk_columns(start, stop)
    return columns | {("say", name): columns["past", name] for name in _said(scene)}
