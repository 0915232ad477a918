"""The inspector of generative classification: this step, the query's terms, what is known, and logistic regression."""

from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np

from lessons.data.columns import Column
from lessons.own.examples import Examples
from pages.drawing.cards import Option, badge, numbered, pointing, quiet, table
from pages.drawing.marks import colors_of
from pages.drawing.numbers import counted, fixed, nearly_sure, probability, to_scale
from pages.drawing.palette import COLORS
from pages.drawing.plane import grid_places
from pages.scenes.leapfrog_cards import even
from pages.topics.generative.fit import design
from pages.topics.generative.scene import GenerativeScene
from samplers.conjugate import GammaPoisson
from samplers.log_density import NoMode
from samplers.mixtures.labels import HIDDEN

SURER = 0.02  # in the probability of the likeliest class


# ---- this step -------------------------------------------------------------------------------------------------------


def learn(scene: GenerativeScene, t: int) -> str:
    """Return example t opened: what is predicted of it, and what is learned from it."""
    examples, fit = scene.examples, scene.fit
    if not t:
        return quiet("No example yet: you know only the priors. A <b>step</b> brings the first one.")
    label, before = int(fit.known[t - 1]), scene.run.labels_at(t - 1)
    values = examples.values[t - 1]
    answer = fit.predict(scene.settings.estimate, values[None], [before])[0]
    predicted = f"<p>{pointing(f'point-{t}', values_of(examples, values))}</p>"
    there = bool(np.isfinite(answer).all())
    predicted += answer_of(examples, answer) if there else quiet("No estimate yet, so no answer.")
    if label == HIDDEN:
        return numbered(("Predict", predicted), ("Look", "<p>Its label is hidden: nothing is learned from it.</p>"))
    others = " and ".join(class_of(examples, other) for other in range(len(examples.classes)) if other != label)
    stays = quiet(f"What is known about the features of {others} stays as it was.")
    return even(
        ("Predict", predicted),
        (
            "Look",
            f"<p>It is {class_of(examples, label)}."
            f"{f' That had the probability <b>{_chance(answer[label])}</b>.' * there}</p>",
        ),
        ("Its class’s weight", _weight(scene, t, label)),
        ("Its class’s features", _moved(scene, t, label) + stays),
    )


def _weight(scene: GenerativeScene, t: int, label: int) -> str:
    """Return the weight of a class before and after example t, which is of it, by the estimate."""
    by, labels = scene.settings.estimate, scene.run.labels_at(t)
    new = scene.fit.posterior(labels).weights.prior
    old = scene.fit.posterior(scene.run.labels_at(t - 1)).weights.prior
    said = "prior count and examples of the class, over all of them"
    if by == "MLE":
        new = np.bincount(labels[labels != HIDDEN], minlength=len(new))
        said = "examples of the class, over all examples"
        old = new - (np.arange(len(new)) == label)
    if by == "MAP":
        old, new = (np.maximum(each - 1, 0) for each in (old, new))
        said = f"{said}; at the mode, each less 1"
    before, after = (f"{each[label]:g} / {each.sum():g}" for each in (old, new))
    return f"<p>{before} → {after} = <b>{new[label] / new.sum():.3f}</b></p>{quiet(said)}"


def _average(scene: GenerativeScene, t: int, label: int, columns: Sequence[int]) -> np.ndarray | None:
    """Return the average of a feature in a class after t examples, by the estimate; None where there is none yet."""
    labels, by = scene.run.labels_at(t), scene.settings.estimate
    if by == "MLE":
        rows = scene.fit.rows[labels == label][:, columns]
        seen: np.ndarray = rows[~np.isnan(rows).any(axis=1)]
        return seen.mean(axis=0) if len(seen) else None
    family = scene.fit.posterior(labels).families[label].marginal(columns)
    try:
        return (family.mode() if by == "MAP" else family.typical()).mean
    except NoMode:
        return None


def _moved(scene: GenerativeScene, t: int, label: int) -> str:
    """Return how the averages of a class's features have moved."""
    rows = []
    for place, (feature, column) in enumerate(zip(scene.examples.features, scene.examples.columns, strict=True)):
        columns = scene.fit.encoding.columns([place])
        if np.isnan(scene.fit.rows[t - 1, columns]).any():
            rows.append((escape(feature.name), "missing: nothing is learned"))
            continue
        at = int(scene.examples.values[t - 1, place]) if feature.levels else 0
        name = f"{feature.name} = {feature.levels[at]}" if feature.levels else f"mean {feature.name}"
        both = (_average(scene, when, label, columns) for when in (t - 1, t))
        old, new = ("–" if each is None else _own(column, each[at]) for each in both)
        rows.append((escape(name), f"{old} → <b>{new}</b>"))
    return table(("", ""), rows)


# ---- the query -------------------------------------------------------------------------------------------------------


def query(scene: GenerativeScene, t: int, values: np.ndarray) -> str:
    """Return the query's terms in each class, their sums, and the answer."""
    examples, settings = scene.examples, scene.settings
    found = scene.terms(t, values)
    if found is None:
        return quiet(f"No estimate: {escape(scene.fit.problem(settings.estimate, scene.run.labels_at(t)) or '')}.")
    names, terms = found
    heads = ("log of", *(class_of(examples, label) for label in range(terms.shape[1])))
    discrete = {feature.name for feature in examples.features if feature.levels or feature.counted}
    kinds = ["probability" if name in discrete else "density" for name in names[1:]]
    words = ["weight of the class", *(f"{kind} of {escape(name)}" for kind, name in zip(kinds, names[1:], strict=True))]
    rows = summed(words, terms)
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
    return f"<p>{pointing('query', values_of(examples, values))}</p>{table(heads, rows, 'formulas')}{note}"


def _lacking(scene: GenerativeScene, values: np.ndarray) -> str:
    """Return which features the query lacks, and what becomes of their terms by the rule."""
    row, encoding = scene.fit.read(values[None])[0], scene.fit.encoding
    places = np.flatnonzero(np.isnan(values)).tolist()
    names = [escape(scene.examples.features[place].name) for place in places]
    if not names:
        return ""
    read = not np.isnan(row[encoding.columns(places)]).any()
    return quiet(f"{'Read as 0, or as the first category' if read else 'Left out of the product'}: {', '.join(names)}.")


# ---- what is known ---------------------------------------------------------------------------------------------------


def known(scene: GenerativeScene, t: int) -> str:
    """Return the predictive of each class: averaged over the posterior, and plugged in."""
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
        cells = [class_of(examples, label), f"{int((labels == label).sum())}", f"{weights[label] / weights.sum():.3f}"]
        cells += ["–" if each is None else f"{each[label]:.3f}" for each in plugged]
        for place, feature in enumerate(examples.features):
            own: Any = family.marginal(fit.encoding.columns([place])).families[0]
            cells.append(_told(own, feature.levels, examples.columns[place]))
        rows.append(cells)
    heads = ("", "examples", "weight: averaged", "MAP", "MLE", *(escape(feature.name) for feature in examples.features))
    both = " Each posterior has its own data: labels alone, or the features of one class." if t else ""
    return table(heads, rows) + quiet(
        "For a number: the middle of the Student t of the class’s next one, ± its scale, and its degrees of freedom; "
        f"for a category: its probability; for a count: its expected value.{both}"
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


def beside(scene: GenerativeScene, t: int, values: np.ndarray) -> str:
    """Return the answers of both classifiers, and the numbers that each needs."""
    examples, fit, by = scene.examples, scene.fit, scene.settings.estimate
    answers = [scene.predict(each, values[None], t)[0] for each in (by, "logistic")]
    told = [answer_of(examples, answer) if np.isfinite(answer).all() else quiet("no answer") for answer in answers]
    labels, seen = scene.run.labels_at(t), scene.run.seen(t)
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


def _parameters(scene: GenerativeScene) -> int:
    """Return how many free numbers the model has: of the weights, and of each class."""
    classes, total = len(scene.examples.classes), 0
    for family in scene.fit.model.family.families:
        size = family.dimension
        total += max(size - 1, 1) if family.of_counts else size + size * (size + 1) // 2
    return classes - 1 + classes * total


def _surer(scene: GenerativeScene, t: int) -> list[str]:
    """Return on how much of the plane either is surer of its class than the other."""
    places = grid_places()
    sure = [scene.predict(by, places, t).max(axis=1) for by in (scene.settings.estimate, "logistic")]
    if not np.isfinite(sure).all():
        return ["–", "–"]
    return [f"on {np.mean(one > other + SURER):.0%} of it" for one, other in (sure, sure[::-1])]


# ---- what sections share ---------------------------------------------------------------------------------------------


def summed(names: Sequence[str], terms: np.ndarray) -> list[list[str]]:
    """Return terms, shape (terms, K), as the rows of a table, and their sums."""
    rows = [[name, *map(fixed, row)] for name, row in zip(names, terms, strict=True)]
    return [*rows, ["<b>sum</b>", *(f"<b>{fixed(value)}</b>" for value in terms.sum(axis=0))]]


def class_of(examples: Examples, label: int) -> str:
    """Return a class's number in its colour, and its name."""
    mark, name = badge(str(label), _place(examples, label)), examples.classes[label]
    return f"class {mark}" if name == f"class {label}" else f"{mark} {escape(name)}"


def _place(examples: Examples, label: int) -> int:
    """Return the place of a class's colour in the palette."""
    return COLORS.index(colors_of(examples.classes)[label])


def options_of(examples: Examples, probabilities: np.ndarray) -> list[Option]:
    """Return the classes with their probabilities."""
    return [
        Option(name, str(label), _place(examples, label), "", float(chance))
        for label, (name, chance) in enumerate(zip(examples.classes, probabilities, strict=True))
    ]


def answer_of(examples: Examples, probabilities: np.ndarray) -> str:
    """Return the probability of each class."""
    told = (f"{class_of(examples, label)} <b>{_chance(chance)}</b>" for label, chance in enumerate(probabilities))
    return f"<p>{', '.join(told)}</p>"


def _chance(value: float) -> str:
    return "0/0" if np.isnan(value) else nearly_sure(value) if value > 0.5 else probability(value)


def _own(column: Column, value: float) -> str:
    """Return a value of a feature in its own units."""
    return to_scale(column.own(value), column.scale)


def values_of(examples: Examples, values: np.ndarray) -> str:
    """Return the values of an example's features, by their names."""
    told = []
    for feature, column, value in zip(examples.features, examples.columns, values, strict=True):
        level = escape(feature.levels[int(value)]) if feature.levels and not np.isnan(value) else ""
        number = f"{value:.0f}" if feature.counted and not np.isnan(value) else _own(column, value)
        said = "?" if np.isnan(value) else level or number
        told.append(f"{escape(feature.name)} = {said}")
    return ", ".join(told)
