"""Bits: a row has a feature or not. The mode, and its cards: one bit in four beats, own features, numbers redrawn."""

from dataclasses import dataclass
from math import exp
from typing import ClassVar

import numpy as np

from pages.contract.charts import Chart
from pages.drawing.cards import Option, dart, pointing, quiet, score_table
from pages.drawing.numbers import fixed, probability, significant
from pages.scenes.close_up import SAMPLE, Beat
from pages.topics.ibp_features import charts
from pages.topics.ibp_features.base import Features
from pages.topics.ibp_features.diagram import of_bits
from pages.topics.ibp_features.film import pictures
from pages.topics.ibp_features.inspector import cards_of
from pages.topics.ibp_features.run import SHOWN
from pages.topics.ibp_features.scene import FeaturesScene, Words, feature_name, row_name
from pages.topics.ibp_features.truth import truth
from samplers import Update
from samplers.buffet.linear_gaussian import CONCENTRATION, VARIANCES, Bit, FeatureState, LinearGaussian, Own
from samplers.buffet.loadings import Parts
from samplers.judge.written import right_of

State = Beat[FeatureState]
COUNTS = 6  # numbers of own features that a card lists
HEADS = ("feature", "others of {} with it", "log fit, on − off", "P(on)", "drawn")


@dataclass(frozen=True)
class BitsScene(FeaturesScene):
    """Rows that have features or not."""

    words = Words(
        "feature",
        "features",
        "bit",
        "own features",
        {VARIANCES: "variances", CONCENTRATION: "concentration"},
        "Binary features",
        "Each is there or not",
        "exact posterior",
    )

    def pictured(self) -> list[Chart]:
        return [pictures(self), _matrix(self)]

    def summands(self, parts: Parts) -> list[int]:
        return sorted(parts.names)

    def term(self, name: int, amount: float) -> str:
        return f"{self.words.one} {feature_name(name)}"


def _matrix(scene: FeaturesScene) -> Chart:
    rows = scene.rows
    return Chart(
        "matrix",
        f"Which {rows.one} has which feature",
        f"{{more:|· the first {SHOWN} features}}",
        f"A row for each {rows.one}, a column for each feature, filled where the {rows.one} has it.",
        charts.matrix(len(rows.data), rows.one, scene.named, bars=False),
        share=3,
    )


# ---- one row ---------------------------------------------------------------------------------------------------------


def _own_line(update: Update) -> tuple[str, ...]:
    """Return a row's own features as a line of the table of its updates."""
    chance = 1 - float(update.conditional.probabilities[0])
    return ("own features", "", "", f"{probability(chance)} for any", f"<b>{update.value.number}</b>")


def _line(update: Update) -> tuple[str, ...]:
    """Return a bit as a line of that table."""
    others, fit = update.conditional.terms.values()
    return (
        feature_name(update.site.feature),
        str(round(exp(others[1]))),
        fixed(fit[1] - fit[0], 1, plus=True),
        probability(float(update.conditional.probabilities[1])),
        "<b>on</b>" if update.value else "off",
    )


# ---- four beats ------------------------------------------------------------------------------------------------------


def _bit(scene: FeaturesScene, beat: State, reached: int) -> tuple[str, ...]:
    site, state, sampler = beat.update.site, beat.before, _bits(scene)
    row, feature = row_name(scene, site.row), feature_name(site.feature)
    options = _options(sampler, beat)
    keeps = sampler.variance_of_own(state, 1) > 0  # a wrong rule drops the row's own features
    had = [
        feature_name(name)
        for name, count, has in zip(state.features, state.counts, state.matrix[site.row], strict=True)
        if name != site.feature and has and (keeps or count > 1)
    ]
    none = "It has no other feature." if keeps else ""
    others = f"Its other features stay: {', '.join(had)}." if had else none
    value, at = beat.update.value, beat.update.uniform
    assert at is not None
    count = int(beat.after.counts[beat.after.features.index(site.feature)])
    heading = f"of N = {len(scene.rows.data)} {scene.rows.many}, times the density of this one"
    picked = f"<p>{pointing('dart', f'Random number: {at:.3f}')}.</p>{dart(options, at, 'dart')}"
    has = "has" if value else "does not have"
    return (
        f"<p>{row} is taken out of the sums, and its bit for feature {feature} is open. {others}</p>",
        score_table(options, value if reached >= SAMPLE else -1, heading) + _formula(sampler, beat),
        picked,
        f"<p>{row} <b>{has}</b> feature {feature}; {count} {scene.rows.many} have it.</p>",
    )


def _options(sampler: LinearGaussian, beat: State) -> list[Option]:
    site, conditional = beat.update.site, beat.update.conditional
    weights = [round(exp(value)) for value in conditional.terms[LinearGaussian.others_with_it]]
    terms = [
        f"<b>{weight}</b> × N(x; v = {significant(variance)}, |x − zE|² = {significant(misfit)})"
        for weight, (variance, misfit) in zip(weights, sampler.off_and_on(beat.lifted, site), strict=True)
    ]
    off, on = map(float, conditional.probabilities)
    return [Option("off", "0", None, terms[0], off), Option("on", "1", site.feature, terms[1], on)]


def _formula(sampler: LinearGaussian, beat: State) -> str:
    """Return the log densities of the row, with their numbers in the formula."""
    size, lines = sampler.data.shape[1], []
    for name, (variance, misfit) in zip(("off", "on"), sampler.off_and_on(beat.lifted, beat.update.site), strict=True):
        value = -0.5 * (size * np.log(2 * np.pi * variance) + misfit / variance)
        v = significant(variance)
        lines.append(f"{name}: −½ [{size} · log(2π · {v}) + {significant(misfit)} / {v}] = {fixed(value)}")
    return quiet("log density, " + "; ".join(lines))


def _own(scene: FeaturesScene, beat: State, reached: int) -> tuple[str, ...]:
    site, conditional = beat.update.site, beat.update.conditional
    row, chances = row_name(scene, site.row), conditional.probabilities
    rate = _bits(scene).new_rate(beat.before)
    prior, fit = (conditional.terms[name] for name in (LinearGaussian.new, LinearGaussian.fit))
    options = [
        Option(
            f"{number} own",
            str(number),
            8 - number if number else None,
            f"{probability(exp(prior[number]))} × density e<sup>{fixed(fit[number], 1)}</sup>",
            float(chances[number]),
        )
        for number in range(min(COUNTS, len(chances)))
    ]
    own, at = beat.update.value.number, conditional.uniform
    assert at is not None
    heading = f"Poisson probability with mean {significant(rate)}, times the density of the row"
    return (
        f"<p>The features that only {row} has are dropped: how many it needs is drawn anew.</p>",
        score_table(options, own if reached >= SAMPLE and own < len(options) else -1, heading),
        f"<p>{pointing('dart', f'Random number: {at:.3f}')}.</p>{dart(options, at, 'dart')}",
        f"<p>{row} has <b>{own}</b> of its own. The number of features is now {len(beat.after.features)}.</p>",
    )


def _variances(scene: FeaturesScene, beat: State, reached: int) -> tuple[str, ...]:
    before, after = beat.before, beat.after
    return (
        f"<p>σₓ = {before.noise:.3f} and σₐ = {before.spread:.3f} are forgotten.</p>",
        "<p>Loadings are drawn given the matrix. Given them, each variance is inverse-gamma: its prior, with half the "
        "number of residuals and half their sum of squares added.</p>",
        "<p>One draw of each.</p>",
        f"<p>σₓ = <b>{after.noise:.3f}</b>, σₐ = <b>{after.spread:.3f}</b></p>",
    )


def _concentration(scene: FeaturesScene, beat: State, reached: int) -> tuple[str, ...]:
    conditional = beat.update.conditional
    return (
        f"<p>α = {beat.before.concentration:.3f} is forgotten.</p>",
        f"<p>Given {len(beat.before.features)} features it is Gamma: shape {conditional.shape:g}, rate "
        f"{conditional.rate:.3f}. They are the prior’s, with the number of features and 1 + 1/2 + … + 1/N added.</p>",
        "<p>One draw.</p>",
        f"<p>α = <b>{beat.after.concentration:.3f}</b></p>",
    )


def _bits(scene: FeaturesScene) -> LinearGaussian:
    sampler: LinearGaussian = right_of(scene.run.sampler)
    return sampler


class Bits(Features):
    """The stage of bits."""

    one = "Bit"
    shows = BitsScene
    diagram = of_bits
    update = cards_of(
        {Bit: _bit, Own: _own, VARIANCES: _variances, CONCENTRATION: _concentration},
        HEADS,
        {Bit: _line, Own: _own_line},
        lambda scene, beat: _options(_bits(scene), beat),
    )
    views: ClassVar = Features.views | {
        "sparse": lambda scene, _: quiet("Bits have no weights. Take <b>Sparse factors</b> as the model."),
        "truth": truth,
    }
