"""The film of a Laplace approximation on a line: log density, density, and the difference of the two densities."""

from functools import cached_property
from math import log, pi

import numpy as np

from lessons.stages.laplace_line import STEPS, WINDOWS, LaplaceLineSettings
from pages.contract.charts import Chart
from pages.contract.columns import FLOAT32, UINT8, Data
from pages.contract.film import Film
from pages.stages.laplace_line import charts
from pages.stages.laplace_line.run import OptimiserRun
from samplers.regression.optimise import FAR
from samplers.regression.variational import normal_divergence

HERE = ("at", "value", "slope", "bend", "own", "to", "top", "fall", "taken", "mean", "variance")
SAID, WORDS = ("x", "to", "apart", "forward", "backward"), ("verdict", "kind", "endless", "lost")
OF_SECOND = ("centre", "spread", "second")  # what captions say of the second Normal
VERDICTS = (  # by Verdict
    ": up",
    ": down, the step is too long",
    ": the mode",
    ": a minimum, and it stays there",
    ": the parabola opens upwards, to its bottom",
    ": beyond the chart, and farther",
    ": no density there, not taken",
    " beyond all numbers, not taken",
    ": as high as here",
)
NORMALS = (
    " · total variation",
    " · no Normal: the parabola has no top",
    " · the mean of q is where p is 0",
    " · the mean of q is off the chart",
)
SECONDS = {"by hand": "your Normal", "best": "the best Normal"}


class FilmedRun(OptimiserRun):
    """A run with its film, which is made once."""

    @cached_property
    def film(self) -> Film:
        """The film of the run."""
        return film_of(self)


def film_of(run: OptimiserRun) -> Film:
    """Return the film of a run; the same settings make the same film."""
    settings = run.settings
    return Film(
        key=f"laplace_line {settings.model_dump_json()}",
        charts=_charts(run),
        data=_data(run),
        columns=columns(run),
        total=STEPS,
        label="step {t} of {total}{lost:| · diverged}",
        params={"start": (settings.start_at, float(run.target.value(settings.start_at)))},
    )


def _charts(run: OptimiserRun) -> list[Chart]:
    settings = run.settings
    name = settings.target
    other = settings.method == "gradient" or settings.step_length != 1
    own = [("dashed", "parabola of the step")] if other else []
    second = [(f"{charts.SECOND} dashed", SECONDS[settings.second])] if settings.second_normal else []
    return [
        Chart(
            "log",
            "Log density",
            f"· x = {{x}} → {{to}}{{verdict:{'|'.join(VERDICTS)}}}",
            "The logarithm of the density, the parabola that touches it at the position, and where the step leads.",
            charts.log(name, other),
            [("ink", "log p"), (f"{charts.LAPLACE} solid", "Taylor parabola"), *own, *second],
            aspect="4 / 3",
            hand="start",
        ),
        Chart(
            "density",
            "Density",
            f"{{kind:{'|'.join(NORMALS)}}} {{apart}}{{kind: %|||}}{_said_of_second(settings)}",
            "The density as an area, and the Normal that the parabola makes as a line.",
            charts.density(name),
            [("ink", "p"), (f"{charts.LAPLACE} solid", "q, the parabola’s Normal"), *second],
        ),
        Chart(
            "gap",
            "q − p",
            "{kind:· KL(q‖p) |||}{forward}{endless:|∞}{kind:, KL(p‖q) |||}{backward}{kind: nats|||}",
            "By how much the Normal is above the density, and by how much below. Either area is the total variation.",
            charts.gap(name),
            [(f"{charts.LAPLACE} solid", "too much"), (f"{charts.MISSED} solid", "missed")],
        ),
    ]


def _said_of_second(settings: LaplaceLineSettings) -> str:
    """Return the caption's words on the second Normal, whose divergence is the same at every step."""
    if not settings.second_normal:
        return ""
    return f" · {SECONDS[settings.second]}: {{centre}}, sd {{spread}}, KL(q‖p) {{second}}{{never:|∞}}"


def _data(run: OptimiserRun) -> Data:
    name, target = run.settings.target, run.target
    x = charts.grid(name)
    log_density = target.value(x)
    known = np.isfinite(log_density)
    density = np.exp(log_density)
    inner = np.linspace(*_within(run), charts.POINTS)
    values = target.value(inner)
    slopes, bends = np.full_like(x, np.nan), np.full_like(x, np.nan)
    slopes[known], bends[known] = target.slope(x[known]), target.curvature(x[known])
    field = {"xs": x, "values": np.where(known, log_density, np.nan), "slopes": slopes, "bends": bends}
    return {
        "curve": {"x": inner.tolist(), "y": values.tolist()},
        "density": {"x": x.tolist(), "y": density.tolist()},
        "field": {"home": [run.settings.start_at]} | {key: [_listed(array)] for key, array in field.items()},
        "second": _second(run.settings, x),
        "here": {"ps": [density.tolist()], **dict.fromkeys(HERE, FLOAT32)},
        "past": dict.fromkeys(("x", "y"), FLOAT32),
        "say": dict.fromkeys((*SAID, *OF_SECOND), FLOAT32) | dict.fromkeys((*WORDS, "never"), UINT8),
    }


def _second(settings: LaplaceLineSettings, x: np.ndarray) -> dict[str, list]:
    """Return the second Normal's density and its logarithm at the places of the curves, or one empty row."""
    if not settings.second_normal:
        return {"x": [0.0], "log": [None], "p": [None]}
    mean, deviation = settings.second_normal
    logs = -0.5 * ((x - mean) / deviation) ** 2 - 0.5 * log(2 * pi) - log(deviation)
    return {"x": x.tolist(), "log": logs.tolist(), "p": np.exp(logs).tolist()}


def _within(run: OptimiserRun) -> tuple[float, float]:
    """Return where the window and the support meet, less an end at 0, where the logarithm would be infinite."""
    (low, high), (first, last) = WINDOWS[run.settings.target], run.target.support
    return max(low, first + 1e-30), min(high, last)


def _listed(array: np.ndarray) -> list[float | None]:
    return [float(value) if np.isfinite(value) else None for value in array]


def columns(run: OptimiserRun) -> dict[tuple[str, str], np.ndarray]:
    """Return every column of every iteration."""
    rows = [_row(run, t) for t in range(STEPS + 1)]
    found = {name: np.array([row[name] for row in rows]) for name in rows[0]}
    here = {("here", name): found[name] for name in HERE}
    past = {("past", "x"): found["at"], ("past", "y"): found["value"]}
    said = {("say", name): found[{"to": "leads"}.get(name, name)] for name in (*SAID, *WORDS)}
    return here | past | said | _of_second(run.settings)


def _of_second(settings: LaplaceLineSettings) -> dict[tuple[str, str], np.ndarray]:
    """Return the numbers of the second Normal for captions, the same at every step."""
    mean, deviation = settings.second_normal or (np.nan, np.nan)
    off = normal_divergence(settings.line_target, mean, deviation) if settings.second_normal else np.nan
    never = np.isinf(off)
    told = (_shown(mean), deviation, np.nan if never else off, never)
    return {("say", name): np.array(value) for name, value in zip((*OF_SECOND, "never"), told, strict=True)}


def _row(run: OptimiserRun, t: int) -> dict[str, float]:
    at, (slope, bend), own, to = run.at(t), run.slopes(t), run.bend(t), run.leads_to(t)
    step, value, nothing = to - at, run.states[t].log_density, float("nan")
    taken = not run.steps[t].diverged
    normal, distances = run.normal(t), run.distances(t)
    row = {"at": at, "value": value, "slope": slope, "bend": bend, "own": own, "taken": float(taken)}
    if abs(to) > FAR:
        to = step = nothing
    row |= {"to": to, "top": value + slope * step + own / 2 * step**2}
    row |= {"fall": run.steps[t].log_density_after if taken else nothing}
    row |= {"mean": normal[0] if normal else nothing, "variance": normal[1] if normal else nothing}
    lost = t > 0 and run.steps[t - 1].diverged
    row |= {"x": _shown(at), "leads": _shown(to), "verdict": run.verdict(t), "lost": lost}
    first, last = run.target.support
    missing = 1 if normal is None else 3 if first < normal[0] < last else 2
    row |= {"kind": 0 if distances else missing, "endless": 0}
    row |= {"apart": nothing, "forward": nothing, "backward": nothing}
    if distances:
        forward, endless = distances.laplace_to_target, np.isinf(distances.laplace_to_target)
        row |= {"apart": 100 * distances.total_variation, "forward": nothing if endless else forward}
        row |= {"endless": endless, "backward": distances.target_to_laplace}
    return row


def _shown(x: float) -> float:
    """Return a position for a caption; one nearer to 0 than a millionth is 0."""
    return 0.0 if abs(x) < 1e-6 else x
