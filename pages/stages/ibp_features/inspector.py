"""The inspector of binary features: one bit in four beats, a row's updates in a sweep, and a row as a sum."""

from __future__ import annotations

from math import exp

import numpy as np

from pages.drawing.cards import Option, badge, dart, pointing, quiet, score_table, table
from pages.drawing.numbers import fixed, probability, significant
from pages.stages.close_up import SAMPLE, Beat, CloseUp, UpdateCards, four_beats
from pages.stages.ibp_features.charts import NEGATIVE, POSITIVE
from pages.stages.ibp_features.run import Scene
from samplers.buffet.linear_gaussian import VARIANCES, Bit, FeatureState, LinearGaussian, Own

State = Beat[FeatureState]
COUNTS = 6  # numbers of own features that a card lists


def _four(scene: Scene, beat: State, reached: int) -> str:
    write = _block if beat.is_block else _own if isinstance(beat.update.site, Own) else _bit
    return four_beats(write(scene, beat, reached), reached, reached)


def _chosen(scene: Scene, close_up: CloseUp[FeatureState]) -> int:
    """Return the first update of the chosen row."""
    return next(place for place, site in enumerate(close_up.sites) if getattr(site, "row", None) == scene.row)


def one_row(scene: Scene, close_up: CloseUp[FeatureState]) -> str:
    """Return all updates of the chosen row in a sweep, as a table."""
    number = len(scene.rows.data)
    lines: list[tuple[str, ...]] = []
    for update in close_up.updates(close_up.before.copy()):
        if getattr(update.site, "row", scene.row) != scene.row:
            continue
        chances = [] if isinstance(update.site, str) else update.conditional.probabilities
        if isinstance(update.site, Bit):
            others, fit = update.conditional.terms.values()
            with_it = round(exp(others[1])) if others[1] > -np.inf else 0
            lines.append(
                (
                    _feature(update.site.feature),
                    str(with_it),
                    fixed(fit[1] - fit[0], 1, plus=True),
                    probability(float(chances[1])),
                    "<b>on</b>" if update.value else "off",
                )
            )
        elif isinstance(update.site, Own):
            drawn = update.value.number
            lines.append(("own features", "", "", f"{probability(1 - float(chances[0]))} for any", f"<b>{drawn}</b>"))
    heads = ("feature", f"others of {number} with it", "log fit, on − off", "P(on)", "drawn")
    return (
        f"<p>{_row(scene, scene.row)}: its bits in sweep {close_up.sweep}, in the order in which they were drawn.</p>"
        f"{table(heads, lines)}"
    )


CARDS = UpdateCards(
    start=quiet("This is the start. Press <b>Step</b>: one sweep redraws every bit once, row by row."),
    begin=quiet("The sweep is about to begin. Press <b>Step</b>: the first row is taken out."),
    four=_four,
    whole=one_row,
    chosen=_chosen,
    notes=lambda scene, beat: {"site": _site(scene, beat.update.site)},
)


# ---- four beats --------------------------------------------------------------------------------------------------


def _bit(scene: Scene, beat: State, reached: int) -> tuple[str, ...]:
    site, sampler = beat.update.site, scene.run.sampler
    row, feature = _row(scene, site.row), _feature(site.feature)
    options = _options(scene, beat)
    had = [
        _feature(name) for name in beat.before.features if name != site.feature and _bit_of(beat.before, site.row, name)
    ]
    others = f"Its other features stay: {', '.join(had)}." if had else "It has no other feature."
    value, at = beat.update.value, beat.update.uniform
    assert at is not None
    count = int(beat.after.counts[beat.after.features.index(site.feature)])
    heading = f"of N = {len(scene.rows.data)} {scene.rows.many}, times the density of this one"
    picked = f"<p>{pointing('dart', f'Random number: {at:.3f}')}.</p>{dart(options, at, 'dart')}"
    state = "has" if value else "does not have"
    return (
        f"<p>{row} is taken out of the sums, and its bit for feature {feature} is open. {others}</p>",
        score_table(options, value if reached >= SAMPLE else -1, heading) + _formula(sampler, beat),
        picked,
        f"<p>{row} <b>{state}</b> feature {feature}; {count} {scene.rows.many} have it.</p>",
    )


def _options(scene: Scene, beat: State) -> list[Option]:
    site, chances = beat.update.site, beat.update.conditional.probabilities
    weights = [round(exp(value)) for value in beat.update.conditional.terms[LinearGaussian.others_with_it]]
    parts = scene.run.sampler.off_and_on(beat.lifted, site)
    looks = (("off", "0", None), ("on", "1", site.feature))
    return [
        Option(
            name,
            text,
            cluster,
            f"<b>{weight}</b> × N(x; v = {significant(variance)}, |x − zE|² = {significant(misfit)})",
            float(chance),
        )
        for (name, text, cluster), weight, (variance, misfit), chance in zip(
            looks, weights, parts, chances, strict=True
        )
    ]


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
    row, chances = _row(scene, site.row), conditional.probabilities
    rate = scene.run.sampler.new_rate(beat.before)
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


def _block(scene: Scene, beat: State, reached: int) -> tuple[str, ...]:
    before, after = beat.before, beat.after
    if beat.update.site == VARIANCES:
        return (
            f"<p>σₓ = {before.noise:.3f} and σₐ = {before.spread:.3f} are forgotten.</p>",
            "<p>Loadings are drawn given the matrix. Given them, each variance is inverse-gamma: its prior, with half "
            "the number of residuals and half their sum of squares added.</p>",
            "<p>One draw of each.</p>",
            f"<p>σₓ = <b>{after.noise:.3f}</b>, σₐ = <b>{after.spread:.3f}</b></p>",
        )
    conditional = beat.update.conditional
    return (
        f"<p>α = {before.concentration:.3f} is forgotten.</p>",
        f"<p>Given {len(before.features)} features it is Gamma: shape {conditional.shape:g}, rate "
        f"{conditional.rate:.3f}. They are the prior’s, with the number of features and 1 + 1/2 + … + 1/N added.</p>",
        "<p>One draw.</p>",
        f"<p>α = <b>{after.concentration:.3f}</b></p>",
    )


# ---- a row as a sum --------------------------------------------------------------------------------------------------


def features_of(scene: Scene, state: FeatureState) -> tuple[list[int], list[int]]:
    """Return the names of the features in order, and those that the chosen row has in the sum: some turned by hand."""
    names = sorted(state.features)
    turned = scene.settings.turned
    return names, [name for name in names if _bit_of(state, scene.row, name) ^ (turned >> name & 1)]


def as_sum(scene: Scene, state: FeatureState) -> str:
    """Return a row as the sum of its features, with what is left over."""
    names, chosen = features_of(scene, state)
    loadings = scene.run.sampler.loadings(state)
    x = scene.rows.data[scene.row]
    parts = np.array([loadings[state.features.index(name)] for name in chosen]).reshape(-1, len(x))
    total = parts.sum(axis=0)
    left, expected = float(((x - total) ** 2).sum()), len(x) * state.noise**2
    pieces = [figure(scene, x, _row(scene, scene.row)), '<span class="sign">≈</span>']
    for place, name in enumerate(chosen):
        pieces += ['<span class="sign">+</span>'] * (place > 0)
        pieces.append(figure(scene, parts[place], f"feature {_feature(name)}"))
    if not chosen:
        pieces.append("<p>nothing</p>")
    pieces += ['<span class="sign">=</span>', figure(scene, total, "put together")]
    pieces += ['<span class="sign"></span>', figure(scene, x - total, "left over")]
    by_hand = [name for name in names if scene.settings.turned >> name & 1]
    said = f" Turned by hand: {', '.join(map(_feature, by_hand))}." if by_hand else ""
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


def _bit_of(state: FeatureState, row: int, feature: int) -> int:
    return int(state.matrix[row, state.features.index(feature)])


def _feature(name: int) -> str:
    return pointing(f"feature-{name + 1}", badge(str(name + 1), name))


def _row(scene: Scene, row: int) -> str:
    return pointing(f"row-{row + 1}", f"{scene.rows.one.capitalize()} {scene.rows.names[row]}")


def _site(scene: Scene, site: object) -> str:
    if isinstance(site, Bit):
        return f"{_row(scene, site.row)}, feature {_feature(site.feature)}"
    return f"{_row(scene, site.row)}, own features" if isinstance(site, Own) else str(site)
