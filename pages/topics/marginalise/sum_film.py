"""The film of one item's γ along the run: each γ as it is and less the largest, and where exp becomes 0 as a float."""

from __future__ import annotations

from typing import Any

import numpy as np

from pages.contract.charts import Chart
from pages.contract.columns import FLOAT32, Columns
from pages.contract.film import Film
from pages.drawing.charts import INK, SOFT, finish, rows
from pages.drawing.lazy import alt
from pages.drawing.marks import written
from pages.drawing.once import drawn_once
from pages.topics.marginalise import charts, run_film
from pages.topics.marginalise.scene import MarginaliseScene, room
from samplers.gradient.naive_bayes_marginal import LogSumExp

LOWEST = -745.0  # below it, exp is 0 as a float
A_WORD = -3.0  # about what a word adds to γ; the axis has room for so many of them
INDEX = "₁₂₃"
TALL = 0.75  # of a main picture: four or six lines
POWER = "floor((datum.x + 0.005) / log(10))"  # of ten; 9.95 is 10.0 already
DIGITS = ((100, "floor(-datum.power / 100)"), (10, "floor(-datum.power / 10) % 10"), (0, "-datum.power % 10"))
RAISED = "".join(
    f" + (-datum.power >= {least} ? slice('⁰¹²³⁴⁵⁶⁷⁸⁹', {digit}, {digit} + 1) : '')" for least, digit in DIGITS
)
TINY = f"format(pow(10, datum.x / log(10) - datum.power), '.1f') + '·10⁻'{RAISED}"
EXPONENTIAL = f"'exp = ' + (exp(datum.x) == 0 ? '0' : exp(datum.x) >= 0.001 ? format(exp(datum.x), '.3f') : {TINY})"


def film(scene: MarginaliseScene) -> Film:
    """Return the film of an item's γ, an iteration a frame."""
    classes = range(scene.classes)
    names = [f"γ{INDEX[k]}" for k in classes]
    return run_film.by_iteration(
        scene,
        lambda start, stop: _columns(scene, start, stop),
        {
            "sums": {
                "line": [*names, *(f"{name} − max γ" for name in names)],
                "k": [*classes] * 2,
                "shifted": np.repeat([0, 1], scene.classes).tolist(),
                "x": FLOAT32,
            },
            "say": room("score"),
        },
        key=f"sums {scene.key} {scene.settings.repeat} {scene.item}",
        charts=[_chart(scene)],
    )


def _chart(scene: MarginaliseScene) -> Chart:
    low = min(1.25 * LOWEST, A_WORD * scene.tokens * scene.times)
    return Chart(
        "sums",
        "γ, and γ less the largest",
        "· log_sum_exp {score}",
        "Each γ of the open item on a line, as it is and less the largest of them, with its exponential. "
        "Below −745, exp is 0.",
        line(low),
        run_film.legend(scene),
        tall=TALL,
    )


@drawn_once
def line(low: float) -> dict[str, Any]:
    """Draw numbers on a line from `low` to 0, a row each, with their exponentials, and the part where exp is 0."""
    scale = alt.Scale(domain=[low, 0], nice=False, clamp=True)
    x = alt.X("x:Q", title="γ", scale=scale, axis=alt.Axis(grid=False, tickCount=6))
    y = alt.Y("line:N", title=None, sort=alt.SortField("i"), axis=alt.Axis(ticks=False, domain=False, labelPadding=6))
    dead = alt.Chart(alt.Data(values=[{"x": low, "x2": LOWEST}]))
    sums = rows("sums", "x")
    color: dict[str, Any] = {"scale": charts.SHARES, "legend": None}
    dots = {shifted: sums.transform_filter(f"datum.shifted == {shifted}") for shifted in (0, 1)}
    look: dict[str, Any] = {"shape": "circle", "size": 130, "strokeWidth": 2.5, "opacity": 1}
    worked = sums.transform_calculate(power=POWER).transform_calculate(text=EXPONENTIAL)
    layers = [
        dead.mark_rect(color=SOFT, opacity=0.2).encode(x, x2="x2:Q"),
        dead.mark_rule(color=INK, strokeDash=[4, 3]).encode(alt.X("x2:Q", scale=scale)),
        dead.mark_text(text="exp is 0 below −745", align="left", dx=6, dy=8, fontSize=12, color=INK).encode(
            alt.X("x:Q", scale=scale), y=alt.value(0)
        ),
        sums.transform_calculate(zero="0")
        .mark_rule(strokeWidth=1.6, opacity=0.5)
        .encode(x, y, alt.Stroke("k:N", **color), x2="zero:Q"),
        dots[0].mark_point(filled=True, **look).encode(x, y, alt.Fill("k:N", **color)),
        dots[1].mark_point(filled=False, **look).encode(x, y, alt.Stroke("k:N", **color)),
    ]
    for where, align, dx in ((">=", "right", -12), ("<", "left", 12)):
        beside = worked.transform_filter(f"datum.x {where} {low / 2}")
        layers += [part.encode(x, y, text="text:N") for part in written(beside, align=align, dx=dx, fontSize=12.5)]
    return finish(alt.layer(*layers))


def _columns(scene: MarginaliseScene, start: int, stop: int) -> Columns:
    positions = scene.run.positions[start:stop].astype(float)
    found = [scene.gamma(position)[1] for position in positions]
    gamma = np.array(found).reshape(-1, scene.classes)
    shifted = gamma - gamma.max(axis=1, keepdims=True)
    return {("sums", "x"): np.hstack([gamma, shifted]), ("say", "score"): LogSumExp(gamma).values}
