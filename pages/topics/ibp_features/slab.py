"""The cards of sparse factors: one loading in four beats, a row's own factors, and all factors."""

from math import exp

import numpy as np

from pages.drawing.cards import Option, dart, pointing, quiet, score_table
from pages.drawing.numbers import fixed, probability, significant
from pages.scenes.close_up import SAMPLE, Beat
from pages.topics.ibp_features.inspector import cards_of
from pages.topics.ibp_features.scene import FeaturesScene, feature_name, row_name
from samplers import Update
from samplers.buffet.linear_gaussian import Bit, Own
from samplers.buffet.spike_slab import FACTORS, SlabConditional, SlabState, SpikeAndSlab

State = Beat[SlabState]
Cards = tuple[str, ...]
HEADS = ("factor", "others of {} on it", "log fit, slab − spike", "P(slab)", "drawn")


def _loading(scene: FeaturesScene, beat: State, reached: int) -> Cards:
    """Return the four cards of one loading."""
    site, conditional = beat.update.site, beat.update.conditional
    column = beat.lifted.features.index(site.feature)
    row, factor = row_name(scene, site.row), feature_name(site.feature)
    options = _options(beat, conditional)
    others = [name for name, value in zip(beat.lifted.features, beat.lifted.loadings[site.row], strict=True) if value]
    had = f"Its loadings on {', '.join(map(feature_name, others))} stay." if others else "It loads on no other factor."
    value, at = float(beat.update.value), float(conditional.uniform)
    heading = f"of N = {len(scene.rows.data)} {scene.rows.many}, times the density of this one"
    drawn = "The loading is <b>0</b>: the spike."
    if value:
        drawn = f"Then the loading, from the Normal of the slab: <b>{fixed(value, 2)}</b>."
    count = int(np.count_nonzero(beat.after.loadings[:, beat.after.features.index(site.feature)]))
    return (
        f"<p>The loading of {row} on factor {factor}, {_number(beat.before.loadings[site.row, column])}, is forgotten. "
        f"{had}</p>",
        score_table(options, int(bool(value)) if reached >= SAMPLE else -1, heading) + _formula(scene, beat),
        f"<p>{pointing('dart', f'Random number: {at:.3f}')}. {drawn}</p>{dart(options, at, 'dart')}",
        f"<p>The loading of {row} on factor {factor} is <b>{_number(value)}</b>; {count} {scene.rows.many} load on "
        "it.</p>",
    )


def _own(scene: FeaturesScene, beat: State, reached: int) -> Cards:
    """Return the four cards of a row's own factors."""
    conditional = beat.update.conditional
    row, proposed = row_name(scene, beat.update.site.row), conditional.proposed
    fits = conditional.log_fit(conditional.current), conditional.log_fit(proposed)
    ratio = exp(min(0.0, fits[1] - fits[0]))
    kept = "accepted" if conditional.accepted else "rejected"
    return (
        f"<p>The factors that only {row} loads on are integrated out. It loads on {conditional.current.size} of them."
        "</p>",
        f"<p>Proposed from the prior: Poisson with mean α / N = {significant(conditional.rate)} gives "
        f"<b>{proposed.size}</b>{_listed(proposed)}.</p>"
        + quiet(
            f"log density of what the shared factors leave of the row: {fixed(fits[0], 1)} as it is, "
            f"{fixed(fits[1], 1)} as proposed. Accepted with probability min(1, e<sup>{fixed(fits[1] - fits[0], 1)}"
            f"</sup>) = {probability(ratio)}."
        ),
        f"<p>The proposal is <b>{kept}</b>. Then its factors are drawn, given the loadings.</p>",
        f"<p>{row} has <b>{len(beat.update.value[0])}</b> of its own. The number of factors is now "
        f"{len(beat.after.features)}.</p>",
    )


def _factors(scene: FeaturesScene, beat: State, reached: int) -> Cards:
    """Return the four cards of all factors."""
    number, size = beat.after.factors.shape
    left = [scene.rows.data - state.loadings @ state.factors for state in (beat.before, beat.after)]
    before, after = (significant(float((each**2).sum())) for each in left)
    return (
        f"<p>All {number} factors are forgotten; the loadings stay.</p>",
        f"<p>Given the loadings G, each of the {size} columns of X is Normal: precision G′G / σₓ² + I, mean the "
        "inverse of that times G′y / σₓ².</p>",
        "<p>One draw.</p>",
        f"<p>Sum of squares left over: {before} before, <b>{after}</b> now. Of noise "
        f"alone, N D σₓ² = {significant(scene.rows.data.size * scene.settings.noise**2)} is expected.</p>",
    )


def _own_line(update: Update) -> tuple[str, ...]:
    """Return a row's own factors as a line of the table of its updates."""
    said = "accepted" if update.conditional.accepted else "rejected"
    return ("own factors", "", "", f"proposal {said}", f"<b>{len(update.value[0])}</b>")


def _line(update: Update) -> tuple[str, ...]:
    """Return a loading as a line of that table."""
    counts, fit = update.conditional.terms.values()
    return (
        feature_name(update.site.feature),
        f"{exp(counts[1]):.0f}",
        fixed(fit[1] - fit[0], 1, plus=True),
        probability(float(update.conditional.probabilities[1])),
        f"<b>{_number(update.value)}</b>",
    )


def _options(beat: State, conditional: SlabConditional) -> list[Option]:
    counts = [f"{exp(value):.0f}" for value in conditional.terms[SpikeAndSlab.others_with_it]]
    fits, chances = conditional.terms[SpikeAndSlab.fit], conditional.probabilities.tolist()
    return [
        Option(name, text, cluster, f"<b>{count}</b> × density e<sup>{fixed(fit, 1)}</sup>", chance)
        for (name, text, cluster), count, fit, chance in zip(
            (("spike", "0", None), ("slab", "≠ 0", beat.update.site.feature)), counts, fits, chances, strict=True
        )
    ]


def _formula(scene: FeaturesScene, beat: State) -> str:
    """Return how the densities of spike and slab differ, with the numbers in the formula."""
    conditional, sampler = beat.update.conditional, scene.run.sampler
    assert isinstance(sampler, SpikeAndSlab)
    off, on = conditional.terms[SpikeAndSlab.fit]
    mean, deviation = conditional.mean, conditional.deviation
    m, s = fixed(mean, 5), fixed(deviation, 5)
    return quiet(
        f"With the slab, the loading is Normal: mean m = {m}, standard deviation s = {s}. It is integrated out: log "
        f"density, slab − spike = log(s / σₐ) + m² / 2s² = log({s} / {sampler.slab:g}) + {m}² / (2 · {s}²) = "
        f"{fixed(on - off)}"
    )


def _number(loading: float) -> str:
    return fixed(float(loading), 2) if loading else "0"


def _listed(loadings: np.ndarray) -> str:
    if not loadings.size:
        return ""
    numbers = ", ".join(fixed(value, 2) for value in loadings.tolist())
    return f", with loading{'s' if loadings.size > 1 else ''} {numbers}"


CARDS = cards_of({Bit: _loading, Own: _own, FACTORS: _factors}, HEADS, {Bit: _line, Own: _own_line})
