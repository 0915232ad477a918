"""The film of logistic regression: the plane of the points beside the plane of the weights."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import numpy as np

from lessons.topics.logistic import SQUEEZE, LogisticSettings
from pages.contract.charts import TOLD, Chart
from pages.contract.columns import FLOAT32, UINT8, Columns, along
from pages.contract.film import Film
from pages.drawing.contours import level_lines
from pages.drawing.marks import CLASSES
from pages.drawing.numbers import rounded
from pages.drawing.palette import SOFT
from pages.drawing.plane import Sets, polylines
from pages.scenes.scene import RunScene
from pages.topics.logistic import at_probe, averages, charts
from pages.topics.logistic.fit import Fit
from pages.topics.logistic.maps import maps
from pages.topics.logistic.run import LogisticRun, laplace_ellipse
from samplers.regression.laplace import spread

ROOM = 160  # corners that a line of the plane may have, if it is not straight
CONTOURS = (0.5, 2.0, 4.5, 8.0)  # below the top of the log posterior: of a Normal, 1 to 4 standard deviations
FIRST_LOOK = 300  # iterations that are made at once: they set the axes
SHAPE = ("mx", "my", "a", "b", "c")  # of an ellipse: centre, and factor by rows


Ends = tuple[float, float]
LegendKey = tuple[str, str] | tuple[str, str, str]  # of a `Chart`
SAID = ("narrow", "lost", "drew", "lined", "stepping")  # of a frame: yes or no


class Trace(NamedTuple):
    """The chart of a number along the run."""

    title: str
    alt: str
    unit: str = ""  # of the run
    grows: bool = False  # whether its axis does


@dataclass(frozen=True)
class LogisticScene(RunScene[LogisticSettings, LogisticRun]):
    """A fit, of data and model, with its run, and the film that is made of them; one class a method."""

    makes: ClassVar[type[LogisticRun]] = LogisticRun
    label: ClassVar[str] = "step {t} of {total}{lost:| · diverged}"
    strides: ClassVar[tuple[tuple[str, int], ...]] = (("1", 1),)
    around: ClassVar[list[LegendKey]] = [(f"{SOFT} dot", "draws", "drew")]  # the legend of what is around the mode
    trace: ClassVar[Trace] = Trace("Log joint", "The log probability of labels and weights together, along the run.")
    chain: ClassVar[bool] = False  # whether the run is a chain
    grows: ClassVar[bool] = False  # whether a step adds a point
    colours: ClassVar[bool] = False  # whether the plane may have those of each step's weights while it plays

    fit: Fit

    @property
    def follows(self) -> bool:
        """Whether the plane has the colours of each step's weights while it plays."""
        return self.colours and self.fit.classes > 0 and self.settings.compared is None

    @property
    def room(self) -> int:
        """The largest number of corners of a line in the plane."""
        return 2 if self.fit.straight else ROOM

    @property
    def probe(self) -> tuple[float, float]:
        """The place of the probe."""
        return self.settings.probe_x, self.settings.probe_y

    def step(self, t: int) -> int:
        """Return the step that frame t shows; there are fewer if points have been removed since."""
        return min(t, self.run.total)

    def at(self, t: int) -> Fit:
        """Return the fit after t steps."""
        return self.fit

    def steps(self, t: int) -> np.ndarray | None:
        """Return the weights after each of t steps of a chain, shape (t, D); None where there is none."""
        return None

    @property
    def mapped(self) -> int:
        """The step whose map the plane has at first; -2, which is none, if it differs from step to step."""
        return -1

    def reach(self, low: np.ndarray, high: np.ndarray, way: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the corners of the plane of weights, of those of the posterior and the way of the run."""
        return low, high

    def data(self, wx: Ends, wy: Ends) -> Sets:
        """Return the data sets that differ from method to method."""
        shapes: dict[str, Any] = {name: [None, None] for name in SHAPE} | {"size": [1, 2]}
        if self.fit.laplace is not None:
            rows = laplace_ellipse(self.fit.laplace, self.fit.settings.pair)
            if np.isfinite(rows).all():
                shapes |= {name: [value] * 2 for name, value in zip(SHAPE, rows.tolist(), strict=True)}
        arrow = dict.fromkeys(("wx", "wy", "x2", "y2"), FLOAT32)
        return {
            "laplace": shapes,
            "quadratic": {name: [None] for name in SHAPE} | {"size": [1]},
            "step": arrow,
            "gradient": arrow,
            "contours": polylines(contours(self.fit, wx, wy), ("wx", "wy"), -1),
        }

    def columns(self, start: int, stop: int, widths: tuple[float, float]) -> Columns:
        """Return the columns that differ from method to method; `widths` are those of the plane of weights."""
        return {}

    def spreads(self, start: int, stop: int) -> np.ndarray:
        """Return the width of the posterior in each frame, NaN where there is none."""
        return np.full(stop - start, spread(self.fit.laplace) if self.fit.laplace else np.nan)

    def drew(self, start: int, stop: int) -> np.ndarray:
        """Return whether draws from around the mode are shown in each frame."""
        return np.full(stop - start, len(self.fit.draws) > 0)

    def still(self, t: int, probe: tuple[float, float]) -> Sets:
        """Return the columns that are drawn at rest: those at the probe, and the errors of averages."""
        fit = self.at(t)
        sets = averages.sets(fit, probe, self.steps(t)) if self.settings.curve == "averages" else {}
        return sets | at_probe.rows(fit, probe)

    @cached_property
    def film(self) -> Film:
        """The film, without what depends on the probe."""
        run = self.run
        run.reach(min(FIRST_LOOK, run.total), "Making the first steps")
        wx, wy = _weight_domains(self)
        return Film(
            key=self.key,
            charts=_charts(self),
            data=_data(self, wx, wy),
            columns=lambda start, stop: _frames(self, start, stop, (wx[1] - wx[0], wy[1] - wy[0])),
            total=run.total,
            label=self.label,
            strides=self.strides,
            params={"wx": wx, "wy": wy, "span": _span(run), "along": (0, run.total)},
            grow=run.grow,
        )


def filmed(scene: LogisticScene, probe: tuple[float, float], squeeze: float = SQUEEZE) -> Film:
    """Return the film with the probe at a place, and Φ squeezed."""
    film = scene.film
    return replace(
        film,
        params={**film.params, "probe": probe, **({"squeeze": squeeze} if scene.settings.curve == "phi" else {})},
        still=lambda t: scene.still(t, probe),
        stilled_by=f"{probe}",
    )


class Look(NamedTuple):
    """How data of a likelihood are drawn."""

    plane: str  # what is in it, in words
    weights: str  # the title of their plane
    title: Callable[[Fit, str], str]  # of the plane, of the name of a predictive
    legend: Callable[[Fit], list[LegendKey]]


LINE, DRAWS = ("accent", "line of these weights", "lined"), (f"{SOFT} solid", "draws", "drew")
LAPLACE = (f"{charts.LAPLACE} solid", "Laplace, 1 and 2 sd", "narrow")  # where there is a mode
HALF = "ink", "one half", "lined"
LEVELS = [(f"{SOFT} dotted", "10, 25, 75, 90 %", when) for when in ("lined", TOLD)]  # beside σ a question is about them
DIFFERENCE: list[LegendKey] = [
    (f"{CLASSES[0]} ramp {CLASSES[1]}", f"−{charts.FULL:g} or less … 0 … {charts.FULL:g} or more")
]


def _title_of_two(fit: Fit, by: str) -> str:
    other = fit.settings.compared
    return f"{capital(by)} minus {charts.name_of(other, fit)}" if other else f"Probability of class 1: {by}"


LOOKS = {
    "logistic": Look(
        "Points of two classes in a plane, coloured by the probability of class 1.",
        "Weights",
        _title_of_two,
        lambda fit: DIFFERENCE if fit.settings.compared else [LINE, HALF, LEVELS[fit.settings.on_sigma], DRAWS],
    ),
    "softmax": Look(
        "Points of three classes in a plane, coloured by the most probable class: the fainter, the less sure.",
        "Weights of class 0",
        lambda _, by: f"The most probable class, and how sure: {by}",
        lambda _: [("accent", "borders of these weights", "lined"), DRAWS],
    ),
    "normal": Look(
        "Numbers above their places, the line of these weights, and the density of a new number.",
        "Intercept and slope",
        lambda _, by: f"Density of a number t at x: {by}",
        lambda _: [LINE, ("ink", "mean and 2 sd"), DRAWS],
    ),
}


def _charts(scene: LogisticScene) -> list[Chart]:
    fit, settings, follows = scene.fit, scene.settings, scene.follows
    likelihood, look, trace = settings.likelihood, LOOKS[settings.likelihood], scene.trace
    return [
        Chart(
            "plane",
            look.title(fit, charts.name_of(settings.averages, fit)),
            "· while it plays: by the weights of each step alone" if follows else "",
            look.plane,
            charts.plane(likelihood, settings.compared is not None, fit.columns, follows, settings.on_sigma),
            look.legend(fit),
            aspect="4 / 3",
            hand="probe",
        ),
        Chart(
            "weights",
            look.weights,
            "· ({w1}, {w2}){narrow:| · width }{width}",
            "Contours of the posterior of two weights, Laplace's ellipses, and the way that the steps have taken.",
            charts.weights(scene.chain, scene.grows),
            [(f"{SOFT} thick", "posterior"), LAPLACE, *scene.around],
            aspect="1 / 1",
            share=3,
        ),
        *at_probe.small_charts(settings, scene.chain),
        Chart("trace", trace.title, "· {value}", trace.alt, charts.trace(trace.unit, grows=trace.grows)),
    ]


def capital(words: str) -> str:
    """Return words with a capital at their beginning, and all else as it is."""
    return words[:1].upper() + words[1:]


def _span(run: LogisticRun) -> tuple[float, float]:
    """Return where the trace moves in the first iterations, with some room; a run that is lost leaves it."""
    seen = run.value[np.isfinite(run.value)]
    if not seen.size:
        return 0.0, 1.0
    low, top, first = float(seen.min()), float(seen.max()), float(seen[0])
    low = run.lowest(low, first)
    room = 0.08 * (top - low) or 0.1
    return low - room, top + room


# ---- the plane of the weights --------------------------------------------------------------------------------------


def _weight_domains(scene: LogisticScene) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return where the posterior of the first two weights lies, and the way there from the start; as wide as high."""
    fit, run, shown = scene.fit, scene.run, scene.settings.pair
    way = run.positions[: run.made + 1, shown]
    way = way[np.isfinite(way).all(axis=1)]
    places = [np.zeros(2)]
    if fit.laplace is not None:
        mode, reach = fit.laplace.mode[shown], 8 * np.sqrt(fit.laplace.covariance.diagonal()[shown])
        axes = [np.linspace(c - r, c + r, 81) for c, r in zip(mode, reach, strict=True)]
        high = _slice(fit, axes) > -CONTOURS[2]
        places += [np.array([axes[0][i], axes[1][j]]) for j, i in zip(*np.nonzero(high), strict=True)]
    else:
        places += list(way)
    low, high = np.min(places, axis=0), np.max(places, axis=0)
    low, high = scene.reach(low, high, way)
    middle, half = (low + high) / 2, 0.62 * float(max(*(high - low), 1e-6)) + 0.02
    (x0, y0), (x1, y1) = middle - half, middle + half
    return (float(x0), float(x1)), (float(y0), float(y1))


def _slice(fit: Fit, axes: Sequence[np.ndarray]) -> np.ndarray:
    """Return the log posterior of the first two weights less its top, the others being at the mode."""
    weights = np.tile(
        fit.laplace.mode if fit.laplace else np.zeros(fit.model.dimension), (len(axes[0]) * len(axes[1]), 1)
    )
    weights[:, fit.settings.pair] = np.column_stack([axis.ravel() for axis in np.meshgrid(*axes)])
    log_density = fit.model.log_density(weights).reshape(len(axes[1]), len(axes[0]))
    return log_density - log_density.max()


def contours(fit: Fit, wx: Ends, wy: Ends) -> list[np.ndarray]:
    """Return contours of the posterior of the two weights that are shown."""
    x, y = (np.linspace(*domain, 70) for domain in (wx, wy))
    return [line for _, line in level_lines(x, y, _slice(fit, (x, y)), [-drop for drop in CONTOURS])]


# ---- data that stay ------------------------------------------------------------------------------------------------


def _data(scene: LogisticScene, wx: Ends, wy: Ends) -> Sets:
    fit = scene.fit
    points = {
        "row": list(range(len(fit.points))),
        "name": list(range(1, len(fit.points) + 1)),
        "x": rounded(fit.points[:, 0]),
        "y": rounded(fit.points[:, 1]),
        "label": fit.labels.astype(int).tolist(),
        "seen": FLOAT32 if scene.grows else [1] * len(fit.points),
        **({"a": FLOAT32} if fit.settings.on_sigma else {}),
    }
    return {
        "points": points,
        "boundary": dict.fromkeys("xy", FLOAT32.of(scene.room)),
        "here": dict.fromkeys(("wx", "wy"), FLOAT32),
        "now": {"p": UINT8.of(len(fit.coarse)) if scene.follows else [0]},
        "past": dict.fromkeys(("wx", "wy", "value"), FLOAT32),
        "say": dict.fromkeys(("value", "w1", "w2", "width"), FLOAT32) | dict.fromkeys(SAID, UINT8),
        "ray": {"s": [0.0], "p": [0.0], "by": ["exact"]},
        **averages.NOTHING,
        "simplex": {"x": [0.0], "y": [0.0], "by": ["exact"]},
        **maps(fit, scene.mapped),
        **scene.data(wx, wy),
    }


# ---- frames --------------------------------------------------------------------------------------------------------


def _frames(scene: LogisticScene, start: int, stop: int, widths: tuple[float, float]) -> Columns:
    run = scene.run
    weights = run.positions[start:stop]
    x, y = weights[:, scene.settings.pair].T
    wide = scene.spreads(start, stop)
    columns: Columns = {
        **{(name, f"w{axis}"): way for name in ("past", "here") for axis, way in (("x", x), ("y", y))},
        **along(value=run.value[start:stop]),
        ("say", "w1"): x,
        ("say", "w2"): y,
        ("say", "width"): wide,
        ("say", "narrow"): np.isfinite(wide),
        ("say", "lost"): run.lost[start:stop],
        ("say", "drew"): scene.drew(start, stop),
        ("say", "stepping"): np.zeros(stop - start, np.uint8),
    }
    lines = np.array([_boundary(scene, row) for row in weights]).reshape(-1, scene.room, 2)
    columns |= {("boundary", "x"): lines[:, :, 0], ("boundary", "y"): lines[:, :, 1]}
    columns[("say", "lined")] = np.isfinite(lines[:, :, 0]).any(axis=1)
    columns |= scene.columns(start, stop, widths)
    if scene.follows:
        columns[("now", "p")] = scene.fit.shades(np.nan_to_num(weights))
    if scene.settings.on_sigma:
        columns[("points", "a")] = weights @ scene.fit.features(scene.fit.points).T
    return columns


def shape(name: str, rows: np.ndarray) -> Columns:
    """Return the columns of an ellipse."""
    return {(name, field): rows[:, i] for i, field in enumerate(SHAPE)}


def arrows(scene: LogisticScene, start: int, stop: int, widths: tuple[float, float], back: int = 0) -> Columns:
    """Return the step and the way downhill, from where the run was `back` iterations before."""
    run = scene.run
    origin = run.positions[np.maximum(np.arange(start, stop) - back, 0), scene.settings.pair]
    downhill = origin + 0.12 * np.array(widths) * run.gradient[start:stop]
    columns: Columns = {}
    for name, end in (("step", run.arrow[start:stop]), ("gradient", downhill)):
        for i, axis in enumerate("xy"):
            columns[(name, f"w{axis}")] = origin[:, i]
            columns[(name, f"{axis}2")] = end[:, i]
    return columns


def _boundary(scene: LogisticScene, weights: np.ndarray) -> np.ndarray:
    """Return the line where these weights say one half, shape (room, 2): NaN between its parts, and after the last."""
    rows = np.full((scene.room, 2), np.nan)
    at = 0
    for line in scene.fit.lines(weights):
        line = line[: max(0, scene.room - at)]
        rows[at : at + len(line)] = line
        at += len(line) + 1
    return rows
