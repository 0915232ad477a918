"""The inspector of a climb: a half-step in four cards, its code, and the components."""

from collections.abc import Iterable, Sequence
from math import sqrt
from typing import Any

import numpy as np

from lessons.topics.climb_mixture import STICK, Mixed, moments, of_posterior, of_q
from pages.code.listing import listing
from pages.code.mistakes import of_class
from pages.code.watch import watch
from pages.code.ways import HALF_STEP
from pages.drawing.cards import badge, numbered, pointing, quiet, score_table, table
from pages.drawing.numbers import counted, fixed, multiplied, probability, significant, to_scale
from pages.scenes.points.model import option_of
from pages.topics.climb_mixture.run import Scene
from samplers.climb.halves import ClimbState, HalfStep

START = (
    "Labels have been chosen, and the components set to them. Press <b>Step</b>: the E step sets the responsibilities, "
    "and the M step the components."
)
KINDS = {
    "EM": ("weight π", "density"),
    "MAP": ("weight π", "density"),
    "VB": ("exp E[log π]", "exp E[log density]"),
    STICK: ("exp E[log π]", "exp E[log density]"),
}
SAID = {
    "EM": "N<sub>k</sub> / N",
    "MAP": "(N<sub>k</sub> + a − 1) / all",
    "VB": "E[π] = (N<sub>k</sub> + a) / all",
    STICK: "piece : what is left",
}


def step(scene: Scene, t: int) -> str:
    """Return half-step t opened, in four cards."""
    if not t:
        return quiet(START)
    run = scene.run
    before, after, record = run.state(t - 1), run.state(t), run.record(t)
    if before.stuck:
        return quiet(
            "The climb is stuck: a component has closed in on its points, and its spread is 0. There are no best "
            "components."
        )
    cards = _e(scene, record, after) if record.name == "E" else _m(scene, before, after)
    return numbered(*cards, ("Bound", _bound(scene, record, t)))


def _badge(number: int) -> str:
    return pointing(f"component-{number + 1}", badge(str(number + 1), number))


def _listed(counts: Iterable[float]) -> str:
    return f"<p>{' · '.join(f'{_badge(k)} {fixed(count)}' for k, count in enumerate(counts))}</p>"


def _e(scene: Scene, record: HalfStep, after: ClimbState) -> list[tuple[str, str]]:
    point, size = scene.run.point, len(scene.data)
    shares, row = after.responsibilities[point], scene.data[point : point + 1]
    weights, fits = after.parts.weight_terms().tolist(), after.parts.fit_terms(row)[0].tolist()
    head = pointing(f"point-{point + 1}", f"point {point + 1}")
    if scene.run.method == "k-means":
        terms = [f"distance {fixed(sqrt(max(0.0, -2 * fit)))}" for fit in fits]
        rule = "The nearest mean gets the whole point."
    else:
        terms = [multiplied(weight, fit) for weight, fit in zip(weights, fits, strict=True)]
        weight, fit = KINDS[scene.run.method]
        rule = f"{weight} · {fit}, divided by the sum, is the <b>responsibility</b> r."
    options = [option_of("component", k, term, float(shares[k])) for k, term in enumerate(terms)]
    return [
        ("One point", f"<p>{head} at {_place(scene, scene.data[point])}</p><p>{rule}</p>"),
        ("E: responsibilities", score_table(options, int(shares.argmax()), f"r of {head}")),
        (
            "All points",
            f"<p>Summed over all {size}, each component has this many points:</p>{_listed(record.counts.tolist())}",
        ),
    ]


def _place(scene: Scene, place: np.ndarray) -> str:
    """Return a place in the columns' own units."""
    return _row(
        to_scale(column.own(at), column.scale) for column, at in zip(scene.columns, place.tolist(), strict=True)
    )


def _spread(scene: Scene, deviations: np.ndarray) -> str:
    """Return standard deviations along the columns in their own units."""
    pairs = zip(scene.columns, deviations.tolist(), strict=True)
    return _row(to_scale(column.scale * deviation, column.scale) for column, deviation in pairs)


def _row(numbers: Iterable[str]) -> str:
    first, *others = numbers
    return f"({', '.join([first, *others])})" if others else first


def _m(scene: Scene, before: ClimbState, after: ClimbState) -> list[tuple[str, str]]:
    counts = after.responsibilities.sum(axis=0).tolist()
    method = scene.run.method
    first = f"<p>The responsibilities stay. N<sub>k</sub> = Σ r:</p>{_listed(counts)}"
    if after.stuck:
        why = "A component has closed in on its points: its spread would be <b>0</b>, and the likelihood infinite."
        return [("Points", first), ("M: components", f"<p>{why}</p>"), ("M: weights", quiet("Not set."))]
    mean = "mean Σ r x / N<sub>k</sub>" if method in ("k-means", "EM") else "mean"
    heads = ("", mean, *["± (q)"] * scene.bayes, *["spread"] * (method != "k-means"))
    return [
        ("Points", first),
        ("M: components", table(heads, [_component(scene, k, before, after) for k in range(len(counts))])),
        ("M: weights", _weights(scene, counts, after)),
    ]


def _weights(scene: Scene, counts: Sequence[float], after: ClimbState) -> str:
    method, points = scene.run.method, sum(counts)
    if method == "k-means":
        return quiet("k-means has no weights.")
    climb: Any = scene.run.chain.sampler
    rows = []
    for k, (count, weight) in enumerate(zip(counts, after.parts.weights.tolist(), strict=True)):
        if method == "EM":
            said = f"{fixed(count)} / {significant(points)}"
        elif method == "MAP":
            a, total = climb.class_prior[k], climb.class_prior.sum() - len(counts)
            said = f"{fixed(count + a - 1)} / {significant(points + total)}"
        elif method == "VB":
            pseudo = after.parts.of_weights.dirichlet.pseudo_counts
            said = f"{fixed(float(pseudo[k]))} / {pseudo.sum():g}"
        else:
            pieces = after.parts.of_weights.dirichlet.pseudo_counts
            said = f"{fixed(float(pieces[k, 0]))} : {fixed(float(pieces[k, 1]))}" if k < len(pieces) else "the rest"
        rows.append([_badge(k), said, f"<b>{probability(weight)}</b>"])
    return f"<p>{SAID[method]}</p>{table(('', '', ''), rows)}"


def _component(scene: Scene, k: int, before: ClimbState, after: ClimbState) -> list[str]:
    old, new = before.parts.components[k], after.parts.components[k]
    cells = [_badge(k), f"{_place(scene, old.mean)} → <b>{_place(scene, new.mean)}</b>"]
    if scene.bayes:
        cells.append(_along(scene, moments(np.ones(1), [after.parts.families[k]])[1]))
    if scene.run.method != "k-means":
        cells.append(_spread(scene, new.deviations))
    return cells


def _bound(scene: Scene, record: HalfStep, t: int) -> str:
    before, after = scene.run.bound[t - 1 : t + 1].tolist()
    rise = np.inf if record.rise == np.inf else after - before
    by = significant(abs(rise), 3, least=1e-9)
    changed = "does not change" if by == "0" else f"rises by {by}" if rise > 0 else f"<b>falls</b> by {by}"
    if rise == np.inf:
        return f"<p>{pointing('bound', fixed(before, 3))}</p><p>It would rise without end.</p>"
    said = f"<p>{pointing('bound', fixed(before, 3))} → <b>{fixed(after, 3)}</b></p>"
    said += f"<p>It {changed}.</p>"
    if scene.bayes and scene.exact:
        evidence, exactly = scene.exact[0], pointing("evidence", "Exact log evidence")
        gap = fixed(evidence - after, 3)
        said += f"<p>{exactly} {fixed(evidence, 3)}: KL(q‖posterior) = <b>{gap}</b></p>"
    elif record.name == "E" and scene.run.method in ("EM", "MAP") and scene.settings.rule == "right":
        said += quiet(f"After E, the bound is the log {'joint' if scene.run.method == 'MAP' else 'likelihood'}.")
    return said


def code(scene: Scene, t: int) -> str:
    """Return the code of half-step t, as it ran."""
    sampler = scene.run.chain.sampler
    if not t:
        return listing(HALF_STEP, mistakes=of_class(sampler))
    state = scene.run.state(t - 1)
    return listing(HALF_STEP, watch(HALF_STEP, lambda: sampler.step(state))[1], of_class(sampler))


def components(scene: Scene, t: int) -> str:
    """Return the components, and each method's answer for the mean of the chosen point's component."""
    state = scene.run.state(t)
    counts, weights = state.responsibilities.sum(axis=0).tolist(), state.parts.weights.tolist()
    rows = [
        [
            _badge(k),
            fixed(counts[k]),
            probability(weights[k]),
            _place(scene, each.mean),
            _spread(scene, each.deviations),
        ]
        for k, each in enumerate(state.parts.components)
    ]
    return table(("", "points", "weight", "mean", "spread"), rows) + _narrow(scene, state)


def _narrow(scene: Scene, state: ClimbState) -> str:
    point = scene.run.point
    named = pointing(f"point-{point + 1}", f"point {point + 1}")
    if not scene.bayes:
        return quiet(f"The mean of the component of {named} is a single number here: it has no distribution.")
    said = f"<p>Mean of the component of {named}, by q: {_mean(scene, of_q(state, point))}"
    if scene.posterior is not None:
        exact = of_posterior(scene.posterior, scene.run.chain.sampler, point)
        said += f"; by the exact posterior: {_mean(scene, exact)}"
    return f"{said}.</p>{quiet(counted(len(scene.data), 'point') + '; ± one standard deviation.')}"


def _mean(scene: Scene, mixed: Mixed) -> str:
    """Return the first coordinate of a mean with its standard deviation, in the column's own units."""
    mean, variance = moments(*mixed)
    column = scene.columns[0]
    return f"{to_scale(column.own(mean), column.scale)} ± <b>{_along(scene, variance, 3)}</b>"


def _along(scene: Scene, variance: float, digits: int = 2) -> str:
    """Return the standard deviation of a variance of the first coordinate, in the column's own units."""
    scale = scene.columns[0].scale
    return to_scale(scale * sqrt(variance), scale, digits)
