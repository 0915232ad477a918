"""The inspector of generative classification: this step, the query's terms, what is known, and logistic regression."""

from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np

from lessons.data.columns import Column
from lessons.own.examples import Examples
from pages.drawing.cards import Option, badge, dart, numbered, pointing, quiet, table
from pages.drawing.marks import CLASSES
from pages.drawing.numbers import counted, fixed, nearly_sure, probability, to_scale
from pages.drawing.palette import COLORS
from pages.drawing.plane import grid_places
from pages.stages.generative.fit import design
from pages.stages.generative.scene import Scene
from pages.stages.leapfrog_cards import even
from samplers.conjugate import GammaPoisson, Multinomial, Normal, Parameters, Poisson
from samplers.log_density import NoMode
from samplers.mixtures.labels import HIDDEN
from samplers.recipe import Update

COLOR_OF = [COLORS.index(color) for color in CLASSES]  # a class's place in the palette
SURER = 0.02  # in the probability of the likeliest class


# ---- this step -------------------------------------------------------------------------------------------------------


def step(scene: Scene, t: int) -> str:
    """Return step t opened: an example that the story draws, one that is learned from, or a hidden label."""
    if scene.settings.method == "labels":
        return _redraw(scene, t)
    if scene.settings.tells:
        return _tell(scene, t)
    return _learn(scene, t)


def _tell(scene: Scene, t: int) -> str:
    simulated, examples = scene.settings.simulated, scene.examples
    assert simulated is not None
    weights = np.exp(simulated.story.truth().log_weights)
    if not t:
        return quiet("Nothing is drawn yet. A <b>step</b> draws a label, and then features from that class.")
    label, uniform = int(examples.labels[t - 1]), scene.run.record(t)
    chosen: Any = simulated.story.conditionals[label]
    drawn = zip(simulated.encoding.groups, chosen.groups, strict=True)
    parts = "".join(f"<p>{_distribution(examples, group, part)}</p>" for group, part in drawn)
    name, bar = _class(examples, label), dart(_options(examples, weights), uniform)
    return numbered(
        ("Draw y", f"{bar}<p>Random number {uniform:.3f}: {name}.</p>"),
        ("Draw x given y", f"<p>As {name} has them:</p>{parts}"),
        ("The example", f"<p>{pointing(f'point-{t}', _values(examples, examples.values[t - 1]))}</p>"),
    )


def _distribution(examples: Examples, group: Sequence[int], part: Parameters) -> str:
    names = " and ".join(escape(examples.features[place].name) for place in group)
    if isinstance(part, Normal):
        spread = " and ".join(f"{value:.2g}" for value in part.deviations)
        means = " and ".join(fixed(value, 1) for value in part.mean)
        across = part.covariance[0, 1] / np.prod(part.deviations[:2]) if len(part.mean) > 1 else 0.0
        tilted = f", correlation {fixed(across, 1)}" if across else ""
        return f"{names} ~ Normal, mean {means}, sd {spread}{tilted}"
    if isinstance(part, Poisson):
        return f"{names} ~ Poisson, mean {fixed(part.rate, 1)}"
    levels = examples.features[group[0]].levels
    assert isinstance(part, Multinomial)
    chances = zip(levels, part.probabilities, strict=True)
    return f"{names} ~ {', '.join(f'{escape(level)} {chance:.2f}' for level, chance in chances)}"


def _learn(scene: Scene, t: int) -> str:
    examples, fit = scene.examples, scene.fit
    if not t:
        return quiet("No example yet: you know only the priors. A <b>step</b> brings the first one.")
    label, before = int(fit.known[t - 1]), scene.run.labels_at(t - 1)
    values = examples.values[t - 1]
    answer = fit.predict(scene.settings.estimate, values[None], [before])[0]
    predicted = f"<p>{pointing(f'point-{t}', _values(examples, values))}</p>"
    predicted += _answer(examples, answer) if np.isfinite(answer).all() else quiet("No estimate yet, so no answer.")
    if label == HIDDEN:
        return numbered(("Predict", predicted), ("Look", "<p>Its label is hidden: nothing is learned from it.</p>"))
    old, new = (fit.posterior(labels).weights.prior for labels in (before, scene.run.labels_at(t)))
    weight = f"({old[label]:g} + 1) / ({old.sum():g} + 1) = <b>{new[label] / new.sum():.3f}</b>"
    others = " and ".join(_class(examples, other) for other in range(len(old)) if other != label)
    stays = quiet(f"What is known about the features of {others} stays as it was.")
    return even(
        ("Predict", predicted),
        ("Look", f"<p>It is {_class(examples, label)}. That had the probability <b>{_chance(answer[label])}</b>.</p>"),
        ("Its class’s weight", f"<p>{weight}</p>" + quiet("prior count and examples of the class, over all of them")),
        ("Its class’s features", _moved(scene, t, label) + stays),
    )


def _moved(scene: Scene, t: int, label: int) -> str:
    """Return how the averages of a class's features have moved."""
    now, before = (scene.fit.posterior(scene.run.labels_at(when)).families[label] for when in (t, t - 1))
    rows = []
    for place, (feature, column) in enumerate(zip(scene.examples.features, scene.examples.columns, strict=True)):
        columns = scene.fit.encoding.columns([place])
        if np.isnan(scene.fit.rows[t - 1, columns]).any():
            rows.append((escape(feature.name), "missing: nothing is learned"))
            continue
        old, new = (family.marginal(columns).typical().mean for family in (before, now))
        at = int(scene.examples.values[t - 1, place]) if feature.levels else 0
        name = f"{feature.name} = {feature.levels[at]}" if feature.levels else f"mean {feature.name}"
        rows.append((escape(name), f"{_own(column, old[at])} → <b>{_own(column, new[at])}</b>"))
    return table(("", ""), rows)


def _redraw(scene: Scene, t: int) -> str:
    examples, fit = scene.examples, scene.fit
    hidden = int((fit.known == HIDDEN).sum())
    if not hidden:
        return quiet("All labels are known: there is nothing to draw. Take fewer <b>known labels</b>.")
    if not t:
        return quiet(f"{counted(hidden, 'label')} hidden. A <b>step</b> draws each of them anew, given all others.")
    updates: list[Update] = scene.run.record(t)
    old = np.array(scene.run.state(t - 1).labels)
    changed = changed_by(updates, old)
    first = changed[0] if changed else 0
    shown, labels = updates[first], old.copy()
    for update in updates[:first]:
        labels[update.site] = update.value
    site = int(shown.site)
    labels[site] = HIDDEN
    terms = fit.posterior(labels).predictive().terms(fit.rows[[site]])[0]
    names = [
        "others there",
        *(" &amp; ".join(escape(examples.features[p].name) for p in group) for group in fit.encoding.groups),
    ]
    heads = ("", *(_class(examples, label) for label in range(len(examples.classes))))
    said = f"{len(changed)} of {hidden}" if changed else f"none of {hidden}"
    return numbered(
        (
            "Forget",
            f"<p>{pointing(f'point-{site + 1}', f'Example {site + 1}')}, {_class(examples, int(old[site]))} so far.</p>"
            f"<p>In this sweep {said} changed.</p>",
        ),
        ("Score", table(heads, _summed(names, terms))),
        ("Sample", dart(_options(examples, shown.conditional.probabilities), float(shown.uniform or 0))),
        ("Remember", f"<p>{_class(examples, int(shown.value))}: it counts there for the examples after it.</p>"),
    )


def changed_by(updates: Sequence[Update], labels: np.ndarray) -> list[int]:
    """Return which of a sweep's updates gave an example another label than it had."""
    return [number for number, update in enumerate(updates) if labels[update.site] != update.value]


# ---- the query -------------------------------------------------------------------------------------------------------


def query(scene: Scene, t: int, values: np.ndarray) -> str:
    """Return the query's terms in each class, their sums, and the answer."""
    examples, settings = scene.examples, scene.settings
    if settings.tells:
        answer = scene.predict("truth", values[None], t)[0]
        return f"<p>{pointing('query', _values(examples, values))}</p>{_answer(examples, answer)}" + quiet(
            "By the story’s own numbers."
        )
    found = scene.terms(t, values)
    if found is None:
        return quiet(f"No estimate: {escape(scene.fit.problem(settings.estimate, scene.run.labels_at(t)) or '')}.")
    names, terms = found
    heads = ("log of", *(_class(examples, label) for label in range(terms.shape[1])))
    words = ["weight of the class", *(f"density of {escape(name)}" for name in names[1:])]
    rows = _summed(words, terms)
    answer = scene.predict(settings.estimate, values[None], t)[0]
    rows.append(["probability", *(f"<b>{_chance(value)}</b>" for value in answer)])
    note, over = _lacking(scene, values), len(scene.run.labellings(t))
    if over > 1:
        note += quiet(f"Terms by the labels of the last sweep; the probability is averaged over {over} sweeps.")
    if settings.flip and any(feature.levels for feature in examples.features):
        note += quiet(
            f"Each category was recorded wrongly with probability ε = {settings.flip:g}. Its chance in a class is "
            "averaged over what it may have been: (1 − ε) · p(recorded) + ε · mean p(others)."
        )
    if any(column.standardised for column in examples.columns):
        note += quiet("Densities of numbers are in units of their column’s standard deviation.")
    return f"<p>{pointing('query', _values(examples, values))}</p>{table(heads, rows, 'formulas')}{note}"


def _lacking(scene: Scene, values: np.ndarray) -> str:
    """Return which features the query lacks, and what becomes of their terms by the rule."""
    row, encoding = scene.fit.read(values[None])[0], scene.fit.encoding
    places = np.flatnonzero(np.isnan(values)).tolist()
    names = [escape(scene.examples.features[place].name) for place in places]
    if not names:
        return ""
    read = not np.isnan(row[encoding.columns(places)]).any()
    return quiet(f"{'Read as 0, or as the first category' if read else 'Left out of the product'}: {', '.join(names)}.")


# ---- what is known ---------------------------------------------------------------------------------------------------


def known(scene: Scene, t: int) -> str:
    """Return the predictive of each class: averaged over the posterior, and plugged in."""
    if scene.settings.tells:
        return quiet(
            "The story knows its own numbers. <b>Learn from these examples</b> to see how much the "
            "examples reveal of them."
        )
    examples, fit = scene.examples, scene.fit
    labels = scene.run.labels_at(t)
    posterior = fit.posterior(labels)
    plugged: list[np.ndarray | None] = []
    for by in ("MAP", "MLE"):
        try:
            plugged.append(np.exp(fit.classifier(by, labels).log_weights))
        except NoMode:
            plugged.append(None)
    weights = posterior.weights.prior
    rows = []
    for label, family in enumerate(posterior.families):
        cells = [_class(examples, label), f"{int((labels == label).sum())}", f"{weights[label] / weights.sum():.3f}"]
        cells += ["–" if each is None else f"{each[label]:.3f}" for each in plugged]
        for place, feature in enumerate(examples.features):
            own: Any = family.marginal(fit.encoding.columns([place])).families[0]
            cells.append(_told(own, feature.levels, examples.columns[place]))
        rows.append(cells)
    heads = ("", "examples", "weight: averaged", "MAP", "MLE", *(escape(feature.name) for feature in examples.features))
    both = " Each posterior has its own data: labels alone, or the features of one class." if t else ""
    return table(heads, rows) + quiet(
        "For a number: where the next one of the class is expected, ± its scale, and the degrees of freedom of its "
        f"Student t; for a category: its probability; for a count: its expected value.{both}"
    )


def _told(family: Any, levels: Sequence[str], column: Column) -> str:
    if levels:
        shown = family.typical().mean
        if len(levels) == 2:
            return f"{escape(levels[1])} {_chance(shown[1])}"
        return "<br>".join(f"{escape(level)} {_chance(chance)}" for level, chance in zip(levels, shown, strict=True))
    if isinstance(family, GammaPoisson):
        return f"{fixed(family.shape / family.rate)} ({family.shape:g} / {family.rate:g})"
    mean, scale, df = family.student_t()
    return f"{_own(column, mean[0])} ± {to_scale(column.scale * np.sqrt(scale[0, 0]), column.scale)} ({df:g})"


# ---- beside logistic regression --------------------------------------------------------------------------------------


def beside(scene: Scene, t: int, values: np.ndarray) -> str:
    """Return the answers of both classifiers, and the numbers that each needs."""
    if scene.settings.tells:
        return quiet("Learn from these examples first.")
    examples, fit, by = scene.examples, scene.fit, scene.settings.estimate
    answers = [scene.predict(each, values[None], t)[0] for each in (by, "logistic")]
    told = [_answer(examples, answer) if np.isfinite(answer).all() else quiet("no answer") for answer in answers]
    labels = scene.run.labels_at(t)
    seen = labels[: t if scene.settings.method != "labels" else None]
    complete = (labels == fit.known) & (labels != HIDDEN) & ~np.isnan(examples.values).any(axis=1)
    every, usable = (counted(int(some.sum()), "example") for some in (labels != HIDDEN, complete))
    classes = len(examples.classes)
    weights = design(examples.features, np.nan_to_num(examples.values[:1])).shape[1]
    rows = [
        ["at the query", *told],
        ["learns from", every, f"{usable} with label and all features"],
        ["numbers to learn", f"{_parameters(scene)}", f"{weights * (1 if classes == 2 else classes)}"],
        ["a missing feature", "is left out of the product", "no answer"],
    ]
    if examples.in_plane and len(seen):
        rows.insert(1, ["surer on the plane", *_surer(scene, t)])
    kind = "Logistic" if classes == 2 else "Softmax"
    return table(("", "generative", f"{kind} regression"), rows)


def _parameters(scene: Scene) -> int:
    """Return how many free numbers the model has: of the weights, and of each class."""
    classes, total = len(scene.examples.classes), 0
    for family in scene.fit.model.family.families:
        size = family.dimension
        total += max(size - 1, 1) if family.of_counts else size + size * (size + 1) // 2
    return classes - 1 + classes * total


def _surer(scene: Scene, t: int) -> list[str]:
    """Return on how much of the plane either is surer of its class than the other."""
    places = grid_places()
    sure = [scene.predict(by, places, t).max(axis=1) for by in (scene.settings.estimate, "logistic")]
    if not np.isfinite(sure).all():
        return ["–", "–"]
    return [f"on {np.mean(one > other + SURER):.0%} of it" for one, other in (sure, sure[::-1])]


# ---- what sections share ---------------------------------------------------------------------------------------------


def _summed(names: Sequence[str], terms: np.ndarray) -> list[list[str]]:
    """Return terms, shape (terms, K), as the rows of a table, and their sums."""
    rows = [[name, *map(fixed, row)] for name, row in zip(names, terms, strict=True)]
    return [*rows, ["<b>sum</b>", *(f"<b>{fixed(value)}</b>" for value in terms.sum(axis=0))]]


def _class(examples: Examples, label: int) -> str:
    """Return a class's number in its colour, and its name."""
    mark, name = badge(str(label), COLOR_OF[label]), examples.classes[label]
    return f"class {mark}" if name == f"class {label}" else f"{mark} {escape(name)}"


def _options(examples: Examples, probabilities: np.ndarray) -> list[Option]:
    return [
        Option(name, str(label), COLOR_OF[label], "", float(chance))
        for label, (name, chance) in enumerate(zip(examples.classes, probabilities, strict=True))
    ]


def _answer(examples: Examples, probabilities: np.ndarray) -> str:
    told = (f"{_class(examples, label)} <b>{_chance(chance)}</b>" for label, chance in enumerate(probabilities))
    return f"<p>{', '.join(told)}</p>"


def _chance(value: float) -> str:
    return "0/0" if np.isnan(value) else nearly_sure(value) if value > 0.5 else probability(value)


def _own(column: Column, value: float) -> str:
    """Return a value of a feature in its own units."""
    return to_scale(column.own(value), column.scale)


def _values(examples: Examples, values: np.ndarray) -> str:
    told = []
    for feature, column, value in zip(examples.features, examples.columns, values, strict=True):
        level = escape(feature.levels[int(value)]) if feature.levels and not np.isnan(value) else ""
        number = f"{value:.0f}" if feature.counted and not np.isnan(value) else _own(column, value)
        said = "?" if np.isnan(value) else level or number
        told.append(f"{escape(feature.name)} = {said}")
    return ", ".join(told)
