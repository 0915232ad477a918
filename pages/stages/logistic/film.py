"""The film of logistic regression: the plane of the points beside the plane of the weights."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from lessons.stages.logistic import SQUEEZE, LogisticSettings
from pages.contract.charts import Chart
from pages.contract.columns import FLOAT32, UINT8, Columns, along
from pages.contract.film import Film
from pages.drawing.contours import level_lines
from pages.drawing.marks import CLASSES
from pages.drawing.numbers import rounded
from pages.drawing.palette import SOFT
from pages.drawing.plane import Sets, polylines
from pages.stages.logistic import at_probe, averages, charts
from pages.stages.logistic.fit import Fit
from pages.stages.logistic.maps import maps
from pages.stages.logistic.run import LogisticRun, laplace_ellipse
from pages.stages.scene import RunScene
from samplers.regression.laplace import spread

ROOM = 160  # corners that a line of the plane may have, if it is not straight
CONTOURS = (0.5, 2.0, 4.5, 8.0)  # below the top of the log posterior: of a Normal, 1 to 4 standard deviations
FALL = 100  # times as far below the start as the top is above it: what falls farther leaves the chart
WAY = 4  # times the posterior's width: how far from it the way of the steps is followed
STEPPED = ("newton", "gradient")  # methods that step towards the mode
FIRST_LOOK = 300  # iterations that are made at once: they set the axes
SHAPE = ("mx", "my", "a", "b", "c")  # of an ellipse: centre, and factor by rows


@dataclass(frozen=True)
class Scene(RunScene[LogisticSettings, LogisticRun]):
    """A fit, of data and model, with its run, and the film that is made of them."""

    fit: Fit

    @property
    def climbs(self) -> bool:
        """Whether the plug-in of each step's own weights is shown: there is no mode to predict with, or no prior."""
        steps = self.settings.method in STEPPED and self.settings.predictive == "plug-in"
        likely = self.settings.prior == "flat" and self.settings.likelihood == "logistic"
        return steps and (self.fit.laplace is None or likely)

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

    def steps(self, t: int) -> np.ndarray | None:
        """Return the weights after each of t steps of a chain, shape (t, D); None where there is none."""
        if self.settings.method != "chain":
            return None
        self.run.reach(t)
        return self.run.positions[1 : t + 1]

    @cached_property
    def film(self) -> Film:
        """The film, without what depends on the probe."""
        settings, run = self.settings, self.run
        run.reach(min(FIRST_LOOK, run.total), "Making the first steps")
        growing, chain = settings.method == "points", settings.method == "chain"
        wx, wy = _weight_domains(self)
        return Film(
            key=self.key,
            charts=_charts(self.fit),
            data=_data(self, wx, wy),
            columns=lambda start, stop: _frames(self, start, stop, (wx[1] - wx[0], wy[1] - wy[0])),
            total=run.total,
            label="{t} of {total} points" if growing else "step {t} of {total}{lost:| · diverged}",
            strides=(("1", 1), ("10", 10), ("100", 100)) if chain else (("1", 1),),
            params={"wx": wx, "wy": wy, "span": _span(run), "along": (0, run.total)},
            grow=run.grow,
        )


def filmed(scene: Scene, probe: tuple[float, float], squeeze: float = SQUEEZE) -> Film:
    """Return the film with the probe at a place, and Φ squeezed."""
    film = scene.film
    return replace(
        film,
        params={**film.params, "probe": probe, **({"squeeze": squeeze} if scene.settings.curve == "phi" else {})},
        still=lambda t: _still(scene, t, probe),
        stilled_by=f"{probe}",
    )


PLANES = {
    "logistic": "Points of two classes in a plane, coloured by the probability of class 1.",
    "softmax": "Points of three classes in a plane, coloured by the most probable class: the fainter, the less sure.",
    "normal": "Numbers above their places, the line of these weights, and the density of a new number.",
}
WEIGHTS = {"logistic": "Weights", "softmax": "Weights of class 0", "normal": "Intercept and slope"}
METHODS = {"newton": "Newton steps", "gradient": "gradient steps", "chain": "Metropolis steps", "points": "points"}


def colours_follow(settings: LogisticSettings) -> bool:
    """Return whether the plane has the colours of each step's weights while an optimiser runs."""
    return settings.method in STEPPED and settings.likelihood != "normal" and settings.compared is None


def _charts(fit: Fit) -> list[Chart]:
    settings, columns = fit.settings, fit.columns
    method, likelihood, by = settings.method, settings.likelihood, charts.name_of(settings.averages, fit)
    legend = [("accent", "line of these weights"), (f"{SOFT} solid", "draws")]
    if likelihood == "normal":
        title = f"Density of a number t at x: {by}"
        legend.insert(1, ("ink", "mean and 2 sd"))
    elif likelihood == "softmax":
        title = f"The most probable class, and how sure: {by}"
        legend[0] = ("accent", "borders of these weights")
    elif settings.compared:
        title = f"{capital(by)} minus {charts.name_of(settings.compared, fit)}"
        legend = [(f"{CLASSES[0]} ramp {CLASSES[1]}", f"−{charts.FULL:g} or less … 0 … {charts.FULL:g} or more")]
    else:
        title = f"Probability of class 1: {by}"
        legend.insert(1, ("ink", "one half"))
    ellipses = (f"{charts.LAPLACE} solid", "Laplace, 1 and 2 sd")
    chain, follows = method == "chain", colours_follow(settings)
    around = [("accent", "chain")] if chain else [("dotted", "draws")]
    if method in STEPPED:
        around += [("var(--st-primary-color) dashed", "the step’s parabola"), (f"{SOFT} solid", "along the gradient")]
    return [
        Chart(
            "plane",
            title,
            "· while it plays: by the weights of each step alone" if follows else "",
            PLANES[likelihood],
            charts.plane(likelihood, settings.compared is not None, columns, follows),
            legend,
            aspect="4 / 3",
            hand="probe",
        ),
        Chart(
            "weights",
            WEIGHTS[likelihood],
            "· ({w1}, {w2}){narrow:| · width }{width}",
            "Contours of the posterior of two weights, Laplace's ellipses, and the way that the steps have taken.",
            charts.weights(chain),
            [("ink", "posterior"), ellipses, *around],
            aspect="1 / 1",
            share=3,
        ),
        *at_probe.small_charts(fit),
        Chart(
            "trace",
            "Width of the posterior" if method == "points" else "Log joint",
            "· {value}",
            "The standard deviation of the weights as points are added."
            if method == "points"
            else "The log probability of labels and weights together, along the run.",
            charts.trace(METHODS[method], grows=chain or method == "gradient"),
        ),
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
    if run.fit.settings.method in STEPPED and run.fit.laplace is not None:
        most = float(run.fit.model.log_density(run.fit.laplace.mode))
        low = max(low, first - FALL * (most - first) - 1)
    if run.fit.settings.method == "points":  # a width: how low it ends is for the learner to see, not the axis
        low = 0.0
    room = 0.08 * (top - low) or 0.1
    return low - room, top + room


# ---- the plane of the weights --------------------------------------------------------------------------------------


def _weight_domains(scene: Scene) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return where the posterior of the first two weights lies, and the way there from the start; as wide as high."""
    fit, run, shown = scene.fit, scene.run, scene.settings.shown
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
    if scene.settings.method in STEPPED and fit.laplace is not None:
        far = WAY * (high - low)
        places = [low, high, *np.clip(way, low - far, high + far)]
        low, high = np.min(places, axis=0), np.max(places, axis=0)
    if scene.settings.method == "points" and fit.laplace is not None:  # as far as the first, wide ones fit beside it
        mx, my, a, b, c = run.ellipse[np.isfinite(run.ellipse).all(axis=1)].T
        reach = 2 * np.column_stack([a, np.hypot(b, c)])
        centres, width = np.column_stack([mx, my]), high - low
        low, high = (
            np.clip((centres - reach).min(axis=0), low - width, low),
            np.clip((centres + reach).max(axis=0), high, high + width),
        )
    middle, half = (low + high) / 2, 0.62 * float(max(*(high - low), 1e-6)) + 0.02
    (x0, y0), (x1, y1) = middle - half, middle + half
    return (float(x0), float(x1)), (float(y0), float(y1))


def _slice(fit: Fit, axes: Sequence[np.ndarray]) -> np.ndarray:
    """Return the log posterior of the first two weights less its top, the others being at the mode."""
    weights = np.tile(
        fit.laplace.mode if fit.laplace else np.zeros(fit.model.dimension), (len(axes[0]) * len(axes[1]), 1)
    )
    weights[:, fit.settings.shown] = np.column_stack([axis.ravel() for axis in np.meshgrid(*axes)])
    log_density = fit.model.log_density(weights).reshape(len(axes[1]), len(axes[0]))
    return log_density - log_density.max()


def _contours(fit: Fit, wx: tuple[float, float], wy: tuple[float, float]) -> list[np.ndarray]:
    x, y = (np.linspace(*domain, 70) for domain in (wx, wy))
    return [line for _, line in level_lines(x, y, _slice(fit, (x, y)), [-drop for drop in CONTOURS])]


# ---- data that stay ------------------------------------------------------------------------------------------------


def _data(scene: Scene, wx: tuple[float, float], wy: tuple[float, float]) -> Sets:
    fit, growing = scene.fit, scene.settings.method == "points"
    points = {
        "row": list(range(len(fit.points))),
        "name": list(range(1, len(fit.points) + 1)),
        "x": rounded(fit.points[:, 0]),
        "y": rounded(fit.points[:, 1]),
        "label": fit.labels.astype(int).tolist(),
        "seen": FLOAT32 if growing else [1] * len(fit.points),
        **({"a": FLOAT32} if fit.settings.curve == "sigma" and fit.settings.likelihood == "logistic" else {}),
    }
    method = scene.settings.method
    shapes: dict[str, Any] = dict.fromkeys(SHAPE, FLOAT32 if growing else [None, None]) | {"size": [1, 2]}
    arrow = dict.fromkeys(("wx", "wy", "x2", "y2"), [None] if growing else FLOAT32)
    if fit.laplace is not None and not growing:
        rows = laplace_ellipse(fit.laplace, fit.settings.shown)
        if np.isfinite(rows).all():
            shapes |= {name: [value] * 2 for name, value in zip(SHAPE, rows.tolist(), strict=True)}
    return {
        "points": points,
        "boundary": dict.fromkeys("xy", FLOAT32.of(scene.room)),
        "laplace": shapes,
        "quadratic": dict.fromkeys(SHAPE, FLOAT32 if method in STEPPED else [None]) | {"size": [1]},
        "step": arrow,
        "gradient": arrow,
        "here": dict.fromkeys(("wx", "wy"), FLOAT32),
        "now": {"p": UINT8.of(len(fit.coarse)) if colours_follow(scene.settings) else [0]},
        "past": dict.fromkeys(("wx", "wy", "value"), FLOAT32),
        "say": dict.fromkeys(("value", "w1", "w2", "width"), FLOAT32) | dict.fromkeys(("narrow", "lost"), UINT8),
        "ray": {"s": [0.0], "p": [0.0], "by": ["exact"]},
        **averages.NOTHING,
        "simplex": {"x": [0.0], "y": [0.0], "by": ["exact"]},
        **maps(fit, -2 if growing or scene.climbs else -1),
        "contours": polylines(_contours(fit, wx, wy) if not growing else [], ("wx", "wy"), -1),
    }


def _still(scene: Scene, t: int, probe: tuple[float, float]) -> Sets:
    """Return the data sets drawn at rest: the ray through the probe, and maps that differ from step to step."""
    fit = scene.fit.at(t)
    sets = averages.sets(fit, probe, scene.steps(t)) if scene.settings.curve == "averages" else {}
    if scene.climbs:
        weights = np.nan_to_num(scene.run.positions[t], posinf=0, neginf=0)  # a lost run says one half
        return maps(fit, t, weights) | at_probe.ray(fit, probe, weights)
    if scene.settings.method == "points":
        sets |= maps(fit, t)
        if fit.laplace is not None:
            x, y = (np.array(scene.film.params[name]).tolist() for name in ("wx", "wy"))
            sets["contours"] = polylines(_contours(fit, x, y), ("wx", "wy"), t)
    return sets | at_probe.rows(fit, probe)


# ---- frames --------------------------------------------------------------------------------------------------------


def _frames(scene: Scene, start: int, stop: int, widths: tuple[float, float]) -> Columns:
    run = scene.run
    weights = run.positions[start:stop]
    x, y = weights[:, scene.settings.shown].T
    laplace, growing = scene.fit.laplace, scene.settings.method == "points"
    wide = run.value[start:stop] if growing else np.full(stop - start, spread(laplace) if laplace else np.nan)
    columns: Columns = {
        **{(name, f"w{axis}"): way for name in ("past", "here") for axis, way in (("x", x), ("y", y))},
        **along(value=run.value[start:stop]),
        ("say", "w1"): x,
        ("say", "w2"): y,
        ("say", "width"): wide,
        ("say", "narrow"): np.isfinite(wide),
        ("say", "lost"): run.lost[start:stop],
    }
    lines = np.array([_boundary(scene, row) for row in weights]).reshape(-1, scene.room, 2)
    columns |= {("boundary", "x"): lines[:, :, 0], ("boundary", "y"): lines[:, :, 1]}
    if growing:
        columns[("points", "seen")] = np.arange(len(scene.fit.points)) < np.arange(start, stop)[:, None]
        columns |= _shape("laplace", run.ellipse[start:stop])
    else:
        columns |= _shape("quadratic", run.ellipse[start:stop]) if scene.settings.method != "chain" else {}
        columns |= _arrows(scene, start, stop, widths)
    if colours_follow(scene.settings):
        columns[("now", "p")] = scene.fit.shades(np.nan_to_num(weights))
    if scene.settings.curve == "sigma" and scene.settings.likelihood == "logistic":
        columns[("points", "a")] = weights @ scene.fit.features(scene.fit.points).T
    return columns


def _shape(name: str, rows: np.ndarray) -> Columns:
    return {(name, field): rows[:, i] for i, field in enumerate(SHAPE)}


def _arrows(scene: Scene, start: int, stop: int, widths: tuple[float, float]) -> Columns:
    """Return the step and the way downhill; of a chain, the last proposal, from where it was made."""
    run = scene.run
    chain = scene.settings.method == "chain"
    before = np.maximum(np.arange(start, stop) - chain, 0)
    origin = run.positions[before, scene.settings.shown]
    downhill = origin + 0.12 * np.array(widths) * run.gradient[start:stop]
    columns: Columns = {}
    for name, end in (("step", run.arrow[start:stop]), ("gradient", downhill)):
        for i, axis in enumerate("xy"):
            columns[(name, f"w{axis}")] = origin[:, i]
            columns[(name, f"{axis}2")] = end[:, i]
    return columns


def _boundary(scene: Scene, weights: np.ndarray) -> np.ndarray:
    """Return the line where these weights say one half, shape (room, 2): NaN between its parts, and after the last."""
    rows = np.full((scene.room, 2), np.nan)
    at = 0
    for line in scene.fit.lines(weights):
        line = line[: max(0, scene.room - at)]
        rows[at : at + len(line)] = line
        at += len(line) + 1
    return rows
