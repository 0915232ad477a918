"""The query's missing values, drawn with its class in turn, beside the classifier that leaves them out."""

from html import escape

import numpy as np

from pages.drawing.cards import badge, numbered, pointing, quiet, table
from pages.drawing.marks import colors_of
from pages.drawing.numbers import fixed, probability
from pages.drawing.palette import COLORS
from pages.topics.generative.scene import GenerativeScene
from samplers import Chain
from samplers.generative.imputing import Imputation, ImputedRow
from samplers.log_density import NoMode

SWEEPS, SHOWN = 1_000, 6


def imputed(scene: GenerativeScene, t: int, values: np.ndarray) -> str:
    """Return a run of imputation for the query, as cards."""
    settings, fit = scene.settings, scene.fit
    missing = np.flatnonzero(np.isnan(values)).tolist()
    if not missing:
        return quiet("The query has all its features. Press <b>without …</b> to leave one out, and it is drawn here.")
    row = fit.encoding.rows(values[None])[0]
    try:
        classifier = settings.asked(fit.classifier(settings.estimate, scene.run.labels_at(t)))
        sampler = Imputation(classifier, row)
    except NoMode:
        return quiet("No estimate yet, so nothing can be drawn.")
    except ValueError:
        return quiet("A missing number can be drawn here only by itself: take features as <b>naive</b>.")
    chain = Chain(sampler, scene.run.chain.seed)
    states = [chain[sweep] for sweep in range(1, SWEEPS + 1)]
    left_out = classifier.predict(row[None])[0]
    return numbered(
        ("Draw in turn", _sweeps(scene, missing, states[:SHOWN])),
        ("The class", _classes(scene, states, left_out)),
        ("What is missing", "".join(_feature(scene, place, states, sampler, left_out) for place in missing)),
    )


def _class(scene: GenerativeScene, label: int) -> str:
    classes = scene.examples.classes
    return f"{badge(str(label), COLORS.index(colors_of(classes)[label]))} {escape(classes[label])}"


def _value(scene: GenerativeScene, place: int, row: np.ndarray) -> str:
    feature, value = scene.examples.features[place], float(scene.fit.encoding.values(row[None])[0, place])
    return escape(feature.levels[int(value)]) if feature.levels else fixed(value, 0 if feature.counted else 1)


def _sweeps(scene: GenerativeScene, missing: list[int], states: list[ImputedRow]) -> str:
    heads = ("sweep", "class", *(escape(scene.examples.features[place].name) for place in missing))
    rows = [
        (str(number), _class(scene, state.label), *(_value(scene, place, state.row) for place in missing))
        for number, state in enumerate(states, 1)
    ]
    return table(heads, rows) + quiet("Class given all features; each missing feature given the class.")


def _classes(scene: GenerativeScene, states: list[ImputedRow], left_out: np.ndarray) -> str:
    shares = np.bincount([state.label for state in states], minlength=len(left_out)) / len(states)
    rows = [
        (_class(scene, label), probability(share), f"<b>{probability(exact)}</b>")
        for label, (share, exact) in enumerate(zip(shares, left_out, strict=True))
    ]
    return f"<p>{pointing('query', 'The query')}, {SWEEPS:,} sweeps</p>" + table(
        ("", "drawn", "left out of the product"), rows
    )


def _feature(
    scene: GenerativeScene, place: int, states: list[ImputedRow], sampler: Imputation, left_out: np.ndarray
) -> str:
    feature, encoding = scene.examples.features[place], scene.fit.encoding
    (*columns,) = encoding.columns([place])
    drawn = np.array([state.row[columns] for state in states]).mean(axis=0)
    exact = left_out @ sampler.means(columns)
    name = f"<p><b>{escape(feature.name)}</b></p>"
    rows = [("mean", fixed(float(drawn[0])), f"<b>{fixed(float(exact[0]))}</b>")]
    if feature.levels:
        rows = [
            (escape(level), probability(share), f"<b>{probability(chance)}</b>")
            for level, share, chance in zip(feature.levels, drawn, exact, strict=True)
        ]
    return name + table(("", "drawn", "exact"), rows)
