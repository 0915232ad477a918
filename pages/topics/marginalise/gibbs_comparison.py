"""The sampler without labels beside Gibbs with them, on the same data: the same posterior, at another price."""

from typing import NamedTuple

import numpy as np

from pages.contract.charts import Chart
from pages.contract.columns import Columns
from pages.contract.film import Film
from pages.drawing.cards import plus_minus, quiet, table, whole
from pages.drawing.numbers import counted
from pages.drawing.palette import SOFT
from pages.topics.marginalise import charts, run_film
from pages.topics.marginalise.charts import EXACT, Line
from pages.topics.marginalise.scene import MarginaliseScene, of_one_class, room, too_early
from samplers.diagnostics.convergence import Diagnosis, diagnose
from samplers.mixtures.labels import HIDDEN

NAMED = "named"  # whether the item is of the first class: told where labels that are shown give the classes names
CHOOSE = "Choose <b>Charts: Beside Gibbs</b> among the controls: a Gibbs sampler with labels then runs beside it."
NOT_COMPARABLE = {
    "supervised": "With every label known, there is nothing to sum out, and no label for Gibbs to draw.",
    "prediction": "Prediction without model updates is not a joint posterior: the unlabelled documents teach nothing. "
    "Choose <b>Full Bayes</b> or <b>Unsupervised</b> to compare.",
}


# ---- what is compared ------------------------------------------------------------------------------------------------


def summary(scene: MarginaliseScene, what: str, stop: int) -> tuple[np.ndarray, np.ndarray]:
    """Return a summary of both runs, shape (stop,) each: expected given the parameters, and of labels."""
    assert scene.gibbs is not None
    labels = scene.gibbs.labels[:stop]
    if what == NAMED:
        return scene.run.belongs(slice(stop), scene.item)[:, 0], _of_labels(scene, what, labels)
    if what == "larger class":
        return scene.run.larger[:stop], _of_labels(scene, what, labels)
    first, second = (scene.run.belongs(slice(stop), item) for item in (scene.item, scene.partner))
    same = of_one_class(first, second) if scene.item != scene.partner else np.ones(len(first))
    return same.astype(float), _of_labels(scene, what, labels)


def exact_of(scene: MarginaliseScene, what: str) -> float | None:
    """Return the summary's exact posterior mean, if every labelling is listed."""
    if scene.exact is None:
        return None
    return float(_of_labels(scene, what, scene.exact.labellings) @ scene.exact.probabilities)


def _of_labels(scene: MarginaliseScene, what: str, labels: np.ndarray) -> np.ndarray:
    """Return the summary of each labelling, shape (labellings,)."""
    if what == NAMED:
        return np.asarray(labels[:, scene.item] == 0, float)
    if what == "larger class":
        sizes = [(labels == label).sum(axis=1) for label in range(scene.classes)]
        return np.asarray(np.max(sizes, axis=0), float)
    return np.asarray(labels[:, scene.item] == labels[:, scene.partner], float)


def title_of(scene: MarginaliseScene, what: str) -> str:
    """Return a summary's title."""
    if what == "larger class":
        return f"Items in the {'larger' if scene.classes == 2 else 'largest'} class"
    if what == NAMED:
        return f"{scene.item + 1} is {scene.names[0]}"
    return f"{scene.item + 1} and {scene.partner + 1} in one class"


SERIES = ("both0", "both1", "named0", "labelled0")  # along the run


# ---- the film --------------------------------------------------------------------------------------------------------


def film(scene: MarginaliseScene) -> Film:
    """Return the film of both runs, an iteration a frame."""
    settings = scene.settings
    return run_film.by_iteration(
        scene,
        lambda start, stop: _columns(scene, start, stop),
        {
            "exact": {"value": [exact_of(scene, settings.compared_by)]},
            "past": room(*(f"{name}{end}" for name in SERIES for end in run_film.ENDS)),
            "say": room("both0_mean", "both1_mean"),
        },
        key=f"beside {scene.key} {settings.gibbs} {settings.compared_by} {scene.item} {scene.partner}",
        charts=_charts(scene),
    )


def _charts(scene: MarginaliseScene) -> list[Chart]:
    settings, warmup = scene.settings, scene.settings.warmup
    together = settings.compared_by == "together"
    domain = (0.0, 1.0) if together else (settings.size / scene.classes, float(settings.size))
    averages = (
        Line("both1_mean", "ink", 1.92, dash=(5, 3), start=warmup + 1),
        Line("both0_mean", "accent", 2.4, start=warmup + 1),
    )
    draws = Line("both1", "soft", 0.8, dash=(2, 2), start=1), Line("both0", "accent", 1, start=1)
    keys, theirs_now = [("accent", settings.method)], (f"{SOFT} dotted", "Gibbs")
    exact = [(f"{EXACT} solid", "exact")] if scene.exact is not None else []
    asked = f"is {scene.item + 1} in {scene.names[0]}?"
    mine = (
        f"{settings.method}: {asked}",
        f"· {run_film.THIN_AND_THICK}",
        "The probability that one item is of the first class, of the sampler without labels.",
    )
    theirs = f"Gibbs: {asked}", "· a label is yes or no", "Whether one item is in the first class, of Gibbs."
    return [
        Chart(
            "running",
            title_of(scene, settings.compared_by),
            "· average so far, {both0_mean} and {both1_mean}",
            "The average of a summary without names so far, of both samplers, and its exact value.",
            charts.along(averages, warmup, exact=True),
            [*keys, ("dashed", "Gibbs"), *exact],
            aspect="3 / 1",
            params={"both1_mean_span": domain},
        ),
        run_film.named_chart(scene, "names", mine, "named", (0.0, 1.0), 1),
        Chart(
            "draws",
            "The same, iteration by iteration",
            "",
            "The summary in each iteration: a probability from the one, a yes or no from the other.",
            charts.along(draws, warmup),
            [*keys, theirs_now],
            params={"both1_span": domain},
        ),
        run_film.named_chart(scene, "names_gibbs", theirs, "labelled", (0.0, 1.0), 1),
    ]


def _columns(scene: MarginaliseScene, start: int, stop: int) -> Columns:
    assert scene.gibbs is not None
    item = scene.item
    series = {
        "both": np.column_stack(summary(scene, scene.settings.compared_by, stop)),
        "named": scene.run.belongs(slice(stop), item)[:, :1],
        "labelled": (scene.gibbs.labels[:stop, [item]] == 0).astype(float),
    }
    columns: Columns = {}
    for name, values in series.items():
        columns |= run_film.averaged(name, values, start, scene.settings.warmup)
    return columns | {("say", name): columns["past", name] for name in ("both0_mean", "both1_mean")}


# ---- the table -------------------------------------------------------------------------------------------------------


class Estimate(NamedTuple):
    """One sampler's estimate of one summary."""

    sampler: str
    mean: float
    found: Diagnosis
    seconds: float
    exact: float | None


def entries(scene: MarginaliseScene, what: str, t: int) -> list[Estimate]:
    """Return both samplers' estimates of a summary, from the iterations after the warm-up to t."""
    assert scene.gibbs is not None
    first = scene.settings.warmup + 1
    exact = exact_of(scene, what)
    names, seconds = (scene.settings.method, "Gibbs"), (scene.run.seconds, scene.gibbs.seconds)
    return [
        Estimate(name, float(values[first:].mean()), diagnose(values[first:]), float(spent[first : t + 1].sum()), exact)
        for name, spent, values in zip(names, seconds, summary(scene, what, t + 1), strict=True)
    ]


def panel(scene: MarginaliseScene, t: int) -> str:
    """Return the price of both samplers, and how often names changed."""
    if scene.gibbs is None:
        return quiet(_why_not(scene))
    t = min(t, scene.made)
    warmup = scene.settings.warmup
    if too_early(scene, t):
        return quiet(f"{too_early(scene, t)}.")
    heads = ("after the warm-up", "mean ± error", "exact", "ESS", "ESS an iteration", "seconds", "ESS a second")
    told = (*scene.settings.summaries, *([NAMED] if (scene.labels != HIDDEN).any() else []))
    rows = [_row(title_of(scene, what), entry, t - warmup) for what in told for entry in entries(scene, what, t)]
    warm_seconds = float(scene.run.seconds[: warmup + 1].sum())
    return table(heads, rows, "race") + quiet(
        f"{_switches(scene, t)} <i>ESS</i>, effective sample size: how many independent draws would be as precise. "
        "Seconds: processor time of these iterations, on this server, in Python; the warm-up took "
        f"{warm_seconds:.2f} s more."
    )


def _row(name: str, entry: Estimate, iterations: int) -> list[str]:
    worth = entry.found.ess_bulk
    return [
        f"{name}: <b>{entry.sampler}</b>",
        f"{entry.mean:.3f}{plus_minus(entry.found.mcse_mean)}",
        "–" if entry.exact is None else f"{entry.exact:.3f}",
        whole(worth),
        "–" if worth is None else f"{worth / iterations:.2f}",
        f"{entry.seconds:.2f}",
        "–" if worth is None or not entry.seconds else f"<b>{worth / entry.seconds:,.0f}</b>",
    ]


def _switches(scene: MarginaliseScene, t: int) -> str:
    assert scene.gibbs is not None
    first = scene.settings.warmup + 1
    likeliest = scene.run.belongs(slice(first, t + 1), scene.item).argmax(axis=1)
    mine = int((np.diff(likeliest) != 0).sum())
    theirs = int((np.diff(scene.gibbs.labels[first : t + 1, scene.item].astype(int)) != 0).sum())
    return (
        f"The most probable class of item {scene.item + 1} flipped {counted(mine, 'time')} with "
        f"{scene.settings.method}, its label {counted(theirs, 'time')} with Gibbs."
    )


def _why_not(scene: MarginaliseScene) -> str:
    return CHOOSE if scene.settings.comparable else NOT_COMPARABLE[scene.settings.variant]
