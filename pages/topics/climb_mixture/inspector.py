"""The inspector of a climb: a half-step in four cards, its code, and the components."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from pages.code.listing import listing
from pages.code.mistakes import of_class
from pages.code.watch import watch
from pages.code.ways import HALF_STEP
from pages.drawing.cards import badge, numbered, pointing, quiet, score_table, table
from pages.drawing.numbers import fixed, probability, significant, to_scale
from pages.scenes.points.model import option_of
from pages.topics.climb_mixture.scene import ClimbScene
from samplers.climb.halves import ClimbState, HalfStep

START = (
    "Labels have been chosen, and the components set to them. Press <b>Step</b>: the E step sets the responsibilities, "
    "and the M step the components."
)


def step(scene: ClimbScene, t: int) -> str:
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


def _e(scene: ClimbScene, record: HalfStep, after: ClimbState) -> list[tuple[str, str]]:
    point, size = scene.run.point, len(scene.data)
    shares, row = after.responsibilities[point], scene.data[point : point + 1]
    weights, fits = after.parts.weight_terms().tolist(), after.parts.fit_terms(row)[0].tolist()
    head = pointing(f"point-{point + 1}", f"point {point + 1}")
    terms = [scene.term(weight, fit) for weight, fit in zip(weights, fits, strict=True)]
    options = [option_of("component", k, term, float(shares[k])) for k, term in enumerate(terms)]
    return [
        ("One point", f"<p>{head} at {_place(scene, scene.data[point])}</p><p>{scene.rule()}</p>"),
        ("E: responsibilities", score_table(options, int(shares.argmax()), f"r of {head}")),
        (
            "All points",
            f"<p>Summed over all {size}, each component has this many points:</p>{_listed(record.counts.tolist())}",
        ),
    ]


def _place(scene: ClimbScene, place: np.ndarray) -> str:
    """Return a place in the columns' own units."""
    return _row(
        to_scale(column.own(at), column.scale) for column, at in zip(scene.columns, place.tolist(), strict=True)
    )


def spread(scene: ClimbScene, parts: Any, k: int) -> str:
    """Return a component's standard deviations along the columns, in their own units."""
    pairs = zip(scene.columns, parts.components[k].deviations.tolist(), strict=True)
    return _row(to_scale(column.scale * deviation, column.scale) for column, deviation in pairs)


def _row(numbers: Iterable[str]) -> str:
    first, *others = numbers
    return f"({', '.join([first, *others])})" if others else first


def _m(scene: ClimbScene, before: ClimbState, after: ClimbState) -> list[tuple[str, str]]:
    counts = after.responsibilities.sum(axis=0).tolist()
    first = f"<p>The responsibilities stay. N<sub>k</sub> = Σ r:</p>{_listed(counts)}"
    if after.stuck:
        why = "A component has closed in on its points: its spread would be <b>0</b>, and the likelihood infinite."
        return [("Points", first), ("M: components", f"<p>{why}</p>"), ("M: weights", quiet("Not set."))]
    heads = ("", scene.mean, *scene.details)
    return [
        ("Points", first),
        ("M: components", table(heads, [_component(scene, k, before, after) for k in range(len(counts))])),
        ("M: weights", _weights(scene, counts, after)),
    ]


def _weights(scene: ClimbScene, counts: Sequence[float], after: ClimbState) -> str:
    if not scene.weighed:
        return quiet("k-means has no weights.")
    rows = [
        [_badge(k), scene.share(k, counts, after.parts), f"<b>{probability(weight)}</b>"]
        for k, weight in enumerate(after.parts.weights.tolist())
    ]
    return f"<p>{scene.weighed}</p>{table(('', '', ''), rows)}"


def _component(scene: ClimbScene, k: int, before: ClimbState, after: ClimbState) -> list[str]:
    old, new = before.parts.components[k], after.parts.components[k]
    mean = f"{_place(scene, old.mean)} → <b>{_place(scene, new.mean)}</b>"
    return [_badge(k), mean, *(write(scene, after.parts, k) for write in scene.details.values())]


def _bound(scene: ClimbScene, record: HalfStep, t: int) -> str:
    before, after = scene.run.bound[t - 1 : t + 1].tolist()
    rise = np.inf if record.rise == np.inf else after - before
    by = significant(abs(rise), 3, least=1e-9)
    changed = "does not change" if by == "0" else f"rises by {by}" if rise > 0 else f"<b>falls</b> by {by}"
    if rise == np.inf:
        return f"<p>{pointing('bound', fixed(before, 3))}</p><p>It would rise without end.</p>"
    said = f"<p>{pointing('bound', fixed(before, 3))} → <b>{fixed(after, 3)}</b></p>"
    said += f"<p>It {changed}.</p>"
    return said + scene.beside_bound(record, after)


def code(scene: ClimbScene, t: int) -> str:
    """Return the code of half-step t, as it ran."""
    sampler = scene.run.chain.sampler
    if not t:
        return listing(HALF_STEP, mistakes=of_class(sampler))
    state = scene.run.state(t - 1)
    return listing(HALF_STEP, watch(HALF_STEP, lambda: sampler.step(state))[1], of_class(sampler))


def components(scene: ClimbScene, t: int) -> str:
    """Return the components, and each method's answer for the mean of the chosen point's component."""
    state = scene.run.state(t)
    counts, weights = state.responsibilities.sum(axis=0).tolist(), state.parts.weights.tolist()
    named = pointing(f"point-{scene.run.point + 1}", f"point {scene.run.point + 1}")
    rows = [
        [
            _badge(k),
            fixed(counts[k]),
            probability(weights[k]),
            _place(scene, each.mean),
            spread(scene, state.parts, k),
        ]
        for k, each in enumerate(state.parts.components)
    ]
    return table(("", "points", "weight", "mean", "spread"), rows) + scene.of_mean(state, named)
