"""The inspector of binary features: one bit in four beats, a row's updates in a sweep, and a row as a sum."""

from math import exp
from typing import Any

import numpy as np

from pages.drawing.cards import Option, dart, pointing, quiet, score_table, table
from pages.drawing.numbers import fixed, probability, significant
from pages.scenes.close_up import SAMPLE, Beat, CloseUp, UpdateCards
from pages.topics.ibp_features import slab
from pages.topics.ibp_features.charts import NEGATIVE, POSITIVE
from pages.topics.ibp_features.run import Scene, feature_name, row_name
from samplers import Update
from samplers.buffet.linear_gaussian import CONCENTRATION, VARIANCES, Bit, FeatureState, LinearGaussian, Own
from samplers.buffet.spike_slab import FACTORS
from samplers.judge.written import right_of

State = Beat[FeatureState]
COUNTS = 6  # numbers of own features that a card lists


def _chosen(scene: Scene, close_up: CloseUp[FeatureState]) -> int:
    """Return the first update of the chosen row."""
    return next(place for place, site in enumerate(close_up.sites) if getattr(site, "row", None) == scene.row)


def one_row(scene: Scene, close_up: CloseUp[FeatureState]) -> str:
    """Return all updates of the chosen row in a sweep, as a table."""
    number, line = len(scene.rows.data), slab.line if scene.sparse else _line
    updates = close_up.updates(close_up.before.copy())
    lines = [line(update) for update in updates if getattr(update.site, "row", None) == scene.row]
    heads = ("feature", f"others of {number} with it", "log fit, on − off", "P(on)", "drawn")
    if scene.sparse:
        heads = ("factor", f"others of {number} on it", "log fit, slab − spike", "P(slab)", "drawn")
    said = f"its {scene.words.bit}s in sweep {close_up.sweep}, in the order in which they were drawn."
    return f"<p>{row_name(scene, scene.row)}: {said}</p>{table(heads, lines)}"


def _line(update: Update) -> tuple[str, ...]:
    """Return a bit, or a row's own features, as a line of the table of a row's updates."""
    chances = update.conditional.probabilities
    if isinstance(update.site, Own):
        return (
            "own features",
            "",
            "",
            f"{probability(1 - float(chances[0]))} for any",
            f"<b>{update.value.number}</b>",
        )
    others, fit = update.conditional.terms.values()
    return (
        feature_name(update.site.feature),
        str(round(exp(others[1]))),
        fixed(fit[1] - fit[0], 1, plus=True),
        probability(float(chances[1])),
        "<b>on</b>" if update.value else "off",
    )


# ---- four beats --------------------------------------------------------------------------------------------------


def _bit(scene: Scene, beat: State, reached: int) -> tuple[str, ...]:
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


def _own(scene: Scene, beat: State, reached: int) -> tuple[str, ...]:
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


def _variances(scene: Scene, beat: State, reached: int) -> tuple[str, ...]:
    before, after = beat.before, beat.after
    return (
        f"<p>σₓ = {before.noise:.3f} and σₐ = {before.spread:.3f} are forgotten.</p>",
        "<p>Loadings are drawn given the matrix. Given them, each variance is inverse-gamma: its prior, with half the "
        "number of residuals and half their sum of squares added.</p>",
        "<p>One draw of each.</p>",
        f"<p>σₓ = <b>{after.noise:.3f}</b>, σₐ = <b>{after.spread:.3f}</b></p>",
    )


def _concentration(scene: Scene, beat: State, reached: int) -> tuple[str, ...]:
    conditional = beat.update.conditional
    return (
        f"<p>α = {beat.before.concentration:.3f} is forgotten.</p>",
        f"<p>Given {len(beat.before.features)} features it is Gamma: shape {conditional.shape:g}, rate "
        f"{conditional.rate:.3f}. They are the prior’s, with the number of features and 1 + 1/2 + … + 1/N added.</p>",
        "<p>One draw.</p>",
        f"<p>α = <b>{beat.after.concentration:.3f}</b></p>",
    )


def _bits(scene: Scene) -> LinearGaussian:
    sampler: LinearGaussian = right_of(scene.run.sampler)
    return sampler


CARDS = UpdateCards(
    start=quiet("This is the start. Press <b>Step</b>: one sweep redraws every bit or loading once, row by row."),
    begin=quiet("The sweep is about to begin. Press <b>Step</b>: the first row is taken out."),
    writers={
        Bit: lambda scene, *update: (slab.loading if scene.sparse else _bit)(scene, *update),
        Own: lambda scene, *update: (slab.own if scene.sparse else _own)(scene, *update),
        VARIANCES: _variances,
        CONCENTRATION: _concentration,
        FACTORS: slab.factors,
    },
    chosen=_chosen,
    notes=lambda scene, beat: {"site": _site(scene, beat.update.site)},
    whole=one_row,
    options=lambda scene, beat: _options(_bits(scene), beat),
)


# ---- a row as a sum --------------------------------------------------------------------------------------------------


def features_of(scene: Scene, state: Any) -> tuple[list[int], list[int]]:
    """Return the names of the features in order, and those that the chosen row has in the sum: some turned by hand.

    Of sparse factors, only those are named that the row loads on: none of the others has an amount to add.
    """
    parts, turned = scene.run.sampler.parts(state), scene.settings.turned
    has = {name for name, amount in zip(parts.names, parts.amounts[scene.row], strict=True) if amount}
    names = sorted(has if scene.sparse else parts.names)
    return names, [name for name in names if (name in has) ^ (turned >> name & 1)]


def as_sum(scene: Scene, state: Any) -> str:
    """Return a row as the sum of its features, with what is left over."""
    names, chosen = features_of(scene, state)
    found, x = scene.run.sampler.parts(state), scene.rows.data[scene.row]
    amounts = found.amounts[scene.row] if scene.sparse else np.ones(len(found.names))
    places = [found.names.index(name) for name in chosen]
    parts = (amounts[:, None] * found.contents)[places]
    total = parts.sum(axis=0)
    left, expected = float(((x - total) ** 2).sum()), len(x) * found.noise**2
    pieces = [figure(scene, x, row_name(scene, scene.row)), '<span class="sign">≈</span>']
    for place, name in enumerate(chosen):
        pieces += ['<span class="sign">+</span>'] * (place > 0)
        much = f"{fixed(float(amounts[places[place]]), 2)} × " if scene.sparse else ""
        pieces.append(figure(scene, parts[place], f"{much}{scene.words.one} {feature_name(name)}"))
    if not chosen:
        pieces.append("<p>nothing</p>")
    pieces += ['<span class="sign">=</span>', figure(scene, total, "put together")]
    pieces += ['<span class="sign"></span>', figure(scene, x - total, "left over")]
    by_hand = [name for name in names if scene.settings.turned >> name & 1]
    said = f" Turned by hand: {', '.join(map(feature_name, by_hand))}." if by_hand else ""
    return (
        f'<div class="tiles">{"".join(pieces)}</div><p>Sum of squares left over: <b>{significant(left)}</b> of '
        f"{significant(float((x**2).sum()))}; of noise alone D σₓ² = {significant(expected)} is expected.{said}</p>"
    )


def figure(scene: Scene, values: np.ndarray, text: str) -> str:
    """Return numbers of a row as a tile, with HTML below it."""
    down, wide = scene.rows.tile
    size = 78 // max(down, wide)
    cells = "".join(
        f'<rect x="{place % wide * size}" y="{place // wide * size}" width="{size}" height="{size}" '
        f'fill="{POSITIVE if value > 0 else NEGATIVE}" fill-opacity="{min(1, abs(value) / scene.reach):.2f}"/>'
        for place, value in enumerate(values.tolist())
    )
    width, height = wide * size, down * size
    box = f'viewBox="-1 -1 {width + 2} {height + 2}" width="{width + 2}" height="{height + 2}"'
    frame = f'<rect width="{width}" height="{height}" fill="none" stroke="currentColor" stroke-opacity=".4"/>'
    return f'<span class="tile"><svg {box} aria-hidden="true">{cells}{frame}</svg><span>{text}</span></span>'


# ---- names -----------------------------------------------------------------------------------------------------------


def _site(scene: Scene, site: object) -> str:
    if isinstance(site, Bit):
        return f"{row_name(scene, site.row)}, {scene.words.one} {feature_name(site.feature)}"
    return f"{row_name(scene, site.row)}, {scene.words.own}" if isinstance(site, Own) else str(site)
