"""The sampler without labels beside Gibbs with them, on the same data: the same posterior, at another price."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import altair as alt
import numpy as np

from pages.drawing.charts import ACCENT, INK, NOW, SOFT, SPECS, finish
from pages.drawing.numbers import counted
from pages.drawing.palette import COLORS
from pages.player.player import Chart, Film
from pages.stages.marginalise import charts, run_film
from pages.stages.marginalise.scene import Scene, running
from samplers.diagnostics.convergence import Diagnosis, diagnose

Domain = tuple[float, float]
FEWEST = 20  # iterations after the warm-up, before anything is said of them
SUMMARIES = ("together", "larger class")
EXACT = COLORS[1]


# ---- what is compared ------------------------------------------------------------------------------------------------


def summary(scene: Scene, what: str, stop: int) -> tuple[np.ndarray, np.ndarray]:
    """Return a summary without names of both runs, shape (stop,) each: expected given the parameters, and of labels."""
    assert scene.gibbs is not None
    labels, i, j = scene.gibbs.labels[:stop], scene.item, scene.partner
    if what == "larger class":
        first = (labels == 0).sum(axis=1)
        return scene.run.larger[:stop], np.maximum(first, labels.shape[1] - first).astype(float)
    first, second = scene.run.belongs[:stop, i], scene.run.belongs[:stop, j]
    same = first * second + (1 - first) * (1 - second) if i != j else np.ones(len(first))
    return same.astype(float), (labels[:, i] == labels[:, j]).astype(float)


def exact_of(scene: Scene, what: str) -> float | None:
    """Return the summary's exact posterior mean, if every labelling is listed."""
    if scene.exact is None:
        return None
    labels, law = scene.exact.labellings, scene.exact.probabilities
    if what == "larger class":
        first = (labels == 0).sum(axis=1)
        return float(np.maximum(first, labels.shape[1] - first) @ law)
    return float((labels[:, scene.item] == labels[:, scene.partner]) @ law)


def title_of(scene: Scene, what: str) -> str:
    """Return a summary's title."""
    if what == "larger class":
        return "Items in the larger class"
    return f"{scene.item + 1} and {scene.partner + 1} in one class"


# ---- the film --------------------------------------------------------------------------------------------------------


def film(scene: Scene) -> Film:
    """Return the film of both runs, an iteration a frame."""
    settings = scene.settings
    return Film(
        key=f"beside {scene.key} {settings.gibbs} {settings.summary} {scene.item} {scene.partner}",
        charts=_charts(scene),
        areas='"running names" "draws names_gibbs"',
        columns="minmax(0, 1fr) minmax(0, 1fr)",
        data={"exact": {"value": [exact_of(scene, settings.summary)]}},
        frames=lambda start, stop: _frames(scene, start, stop),
        total=scene.last,
        label="iteration {t} of {total}{warm:| · warm-up}",
        strides=run_film.STRIDES,
        grow=scene.grow,
    )


def _charts(scene: Scene) -> list[Chart]:
    settings, item = scene.settings, scene.item + 1
    what = title_of(scene, settings.summary)
    domain = (0.0, 1.0) if settings.summary == "together" else (settings.size / 2, float(settings.size))
    keys = [("accent", settings.method), ("dashed", "Gibbs")]
    exact = [(f"{EXACT} solid", "exact")] if scene.exact is not None else []
    one = ("c",), ("d",)
    warmup = settings.warmup
    return [
        Chart(
            "running",
            what,
            "· average so far, {running} and {running_g}",
            "The average of a summary without names so far, of both samplers, and its exact value.",
            both("running", domain, warmup, True),
            [*keys, *exact],
            aspect="3 / 1",
        ),
        Chart(
            "names",
            f"{settings.method}: is {item} in {scene.names[0]}?",
            f"· {run_film.THIN_AND_THICK}",
            "The probability that one item is of the first class, of the sampler without labels.",
            charts.pair(*one, (0.0, 1.0), warmup),
        ),
        Chart(
            "draws",
            "The same, iteration by iteration",
            "",
            "The summary in each iteration: a probability of the one, a yes or no of the other.",
            both("now", domain, warmup, False),
            keys,
        ),
        Chart(
            "names_gibbs",
            f"Gibbs: is {item} in {scene.names[0]}?",
            "· a label is yes or no",
            "Whether one item is in the first class, of Gibbs.",
            charts.pair(("e",), ("f",), (0.0, 1.0), warmup),
        ),
    ]


@lru_cache(maxsize=SPECS)
def both(field: str, domain: Domain, warmup: int, exact: bool) -> dict[str, Any]:
    """Draw a number of both runs along the iterations; `exact` draws its exact mean as a line."""
    x = charts.iterations("iterations")
    y = alt.Y("value:Q", title=None, scale=alt.Scale(domain=list(domain), nice=False, clamp=True))
    past = alt.Chart(alt.NamedData("past")).transform_filter(f"datum.t <= {NOW} && datum.t > {warmup if exact else 0}")
    layers = [charts.warm(warmup)]
    if exact:
        truth = alt.Chart(alt.NamedData("exact")).transform_filter("isValid(datum.value)")
        layers.append(truth.mark_rule(color=EXACT, strokeWidth=2).encode(y))
    width = 2.4 if exact else 1
    gibbs = past.transform_calculate(value=f"datum.{field}_g").encode(x, y)
    mine = past.transform_calculate(value=f"datum.{field}").encode(x, y)
    dash = [5, 3] if exact else [2, 2]
    layers += [
        gibbs.mark_line(color=INK if exact else SOFT, strokeWidth=0.8 * width, strokeDash=dash, clip=True),
        mine.mark_line(color=ACCENT, strokeWidth=width, clip=True),
    ]
    return finish(alt.layer(*layers))


def _frames(scene: Scene, start: int, stop: int) -> Mapping[tuple[str, str], np.ndarray]:
    assert scene.gibbs is not None
    warmup, item = scene.settings.warmup, scene.item
    mine, theirs = summary(scene, scene.settings.summary, stop)
    names = scene.run.belongs[:stop, item]
    labels = (scene.gibbs.labels[:stop, item] == 0).astype(float)
    columns = {"now": mine, "now_g": theirs, "c": names, "e": labels}
    means = {"running": mine, "running_g": theirs, "d": names, "f": labels}
    shown = {name: values[start:] for name, values in columns.items()}
    shown |= {name: running(values, start, warmup) for name, values in means.items()}
    wide = {("past", name): np.asarray(values, np.float32)[:, None] for name, values in shown.items()}
    said = {("say", name): wide["past", name] for name in ("running", "running_g")}
    warm = (np.arange(start, stop) <= warmup).astype(np.uint8)[:, None]
    return {**wide, **said, ("say", "warm"): warm}


# ---- the table -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Entry:
    """One sampler's estimate of one summary."""

    sampler: str
    mean: float
    found: Diagnosis
    seconds: float
    exact: float | None


def entries(scene: Scene, what: str, t: int) -> list[Entry]:
    """Return what both samplers say of a summary, from the iterations after the warm-up to t."""
    assert scene.gibbs is not None
    first = scene.settings.warmup + 1
    exact = exact_of(scene, what)
    names, seconds = (scene.settings.method, "Gibbs"), (scene.run.seconds, scene.gibbs.seconds)
    return [
        Entry(name, float(values[first:].mean()), diagnose(values[first:]), float(spent[first : t + 1].sum()), exact)
        for name, spent, values in zip(names, seconds, summary(scene, what, t + 1), strict=True)
    ]


def panel(scene: Scene, t: int) -> str:
    """Return the price of both samplers, and how often names changed."""
    if scene.gibbs is None:
        return f'<p class="quiet">{_why_not(scene)}</p>'
    t = min(t, scene.made)
    if t - scene.settings.warmup < FEWEST:
        return (
            f'<p class="quiet">Averages leave the first {scene.settings.warmup} iterations out. Run on beyond '
            f"{scene.settings.warmup + FEWEST}.</p>"
        )
    heads = ("after the warm-up", "mean ± error", "exact", "worth, draws", "per iteration", "seconds", "worth a second")
    rows = ""
    for what in SUMMARIES:
        name = title_of(scene, what)
        rows += "".join(_row(name, entry, t - scene.settings.warmup) for entry in entries(scene, what, t))
    head = "".join(f"<th>{text}</th>" for text in heads)
    return (
        f'<table class="list race"><tr>{head}</tr>{rows}</table><p class="quiet">{_switches(scene, t)} <i>Worth</i>: '
        "as many independent draws would say as much (bulk effective sample size). Seconds: processor time of "
        f"these iterations, on this server, in Python; the warm-up took {_warm_seconds(scene):.2f} s more.</p>"
    )


def _row(name: str, entry: Entry, iterations: int) -> str:
    error = "" if entry.found.mcse_mean is None else f" ± {entry.found.mcse_mean:.2g}"
    worth = entry.found.ess_bulk
    cells = [
        f"{name}: <b>{entry.sampler}</b>",
        f"{entry.mean:.3f}{error}",
        "–" if entry.exact is None else f"{entry.exact:.3f}",
        "–" if worth is None else f"{worth:,.0f}",
        "–" if worth is None else f"{worth / iterations:.2f}",
        f"{entry.seconds:.2f}",
        "–" if worth is None or not entry.seconds else f"<b>{worth / entry.seconds:,.0f}</b>",
    ]
    return f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"


def _warm_seconds(scene: Scene) -> float:
    return float(scene.run.seconds[: scene.settings.warmup + 1].sum())


def _switches(scene: Scene, t: int) -> str:
    assert scene.gibbs is not None
    first = scene.settings.warmup + 1
    mine = int(np.diff(scene.run.belongs[first : t + 1, scene.item] > 0.5).sum())
    theirs = int((np.diff(scene.gibbs.labels[first : t + 1, scene.item].astype(int)) != 0).sum())
    return (
        f"Item {scene.item + 1} changed its likelier class {counted(mine, 'time')} with {scene.settings.method}, and "
        f"its label {counted(theirs, 'time')} with Gibbs."
    )


def _why_not(scene: Scene) -> str:
    if scene.settings.comparable:
        return "Choose <b>Charts: Beside Gibbs</b> on the left: a Gibbs sampler with labels then runs beside."
    if scene.settings.variant == "supervised":
        return "With every label known there is nothing to sum out, and nothing for Gibbs to draw a label of."
    return (
        "Prediction without model updates is no joint posterior: the unlabelled documents teach nothing. Choose "
        "<b>Full Bayes</b> or <b>Unsupervised</b> to compare."
    )
