"""The cards of an update: factors multiplied, a forward sum, a backward draw; and what an effective draw costs."""

from math import exp
from typing import Any

from pages.drawing.cards import Option, badge, dart, pointing, quiet, score_table, table, whole
from pages.drawing.numbers import counted, fixed, of_its_log, probability
from pages.scenes.close_up import SAMPLE, Beat, UpdateCards
from pages.topics.hidden_chain.methods import Method
from pages.topics.hidden_chain.run import ChainRun, HiddenScene
from samplers.diagnostics.convergence import diagnose
from samplers.hmm.block import FILTERED
from samplers.hmm.concentrations import CONCENTRATIONS, Concentrations, ConcentrationsGivenPath
from samplers.hmm.model import FIT, FROM_LAST, MEANS, TO_NEXT, TRANSITIONS, ChainState, Forwards
from samplers.hmm.sticky import BASE, BaseGivenPath, StickyState, Tables

FEW = 8  # sweeps before which nothing can be said of the cost
FEW_STATES = 4  # whose sum is written out
HourBeat = Beat[ChainState]
OPENS = (
    "With i others of the same kind, one opens a table with probability w / (w + i): w is αb, and κ more for a stay. A "
    "table of stays was ordered by κ with probability κ / (κ + αb)."
)
SAME = "They keep the tables that were drawn for α, γ and κ, with the values before."
DRAWN = "Tables are drawn, and which of those of stays κ has ordered."
DRAWN_BEFORE = "These tables were drawn with the concentrations."


def _state(k: int) -> str:
    """Return the number of a state in its colour."""
    return pointing(f"state-{k + 1}", badge(str(k + 1), k))


def _hour(hour: int) -> str:
    return pointing(f"hour-{hour + 1}", f"hour {hour + 1}")


def _draw(scene: HiddenScene[Any], beat: HourBeat, reached: int) -> tuple[str, ...]:
    conditional, uniform, hour = beat.update.conditional, beat.update.uniform, int(beat.update.site)
    terms = dict(conditional.terms)
    if hour + 1 == scene.run.sampler.hours:
        terms.pop(TO_NEXT, None)  # the last hour has no next one
    options = []
    for k, chance in enumerate(conditional.probabilities):
        factors = " · ".join(_factor(name, term[k]) for name, term in terms.items())
        options.append(Option(f"state {k + 1}", str(k + 1), k, factors, float(chance), f"state-{k + 1}"))
    value, old = int(beat.update.value), beat.before.labels[hour]
    assert uniform is not None  # a state is drawn from its options
    gone = f"State {_state(old)} of {_hour(hour)} is forgotten."
    if old < 0:
        gone = f"The sums have forgotten the state of {_hour(hour)}."
    again = " again" if value == old else ""
    return (
        f"<p>{gone}</p>{_beside(scene, beat, hour)}",
        score_table(options, value if reached >= SAMPLE else -1, " · ".join(_heading(name, hour) for name in terms)),
        f"<p>Random number: {uniform:.3f}</p>{dart(options, uniform)}",
        f"<p>State {_state(value)}{again} for {_hour(hour)}.</p>",
    )


def _factor(name: str, log_value: float) -> str:
    return of_its_log(log_value) if name == FIT else f"{exp(log_value):.3f}"


def _heading(name: str, hour: int) -> str:
    t = hour + 1
    return {
        FROM_LAST: f"p(z<sub>{t}</sub> | z<sub>{t - 1}</sub>)" if hour else "p(z<sub>1</sub>)",
        TO_NEXT: f"p(z<sub>{t + 1}</sub> | z<sub>{t}</sub>)",
        FIT: f"p(y<sub>{t}</sub> | z<sub>{t}</sub>)",
        FILTERED: f"p(z<sub>{t}</sub> | y<sub>1</sub> … y<sub>{t}</sub>)",
    }[name]


def _beside(scene: HiddenScene[Any], beat: HourBeat, hour: int) -> str:
    """Return the value of an hour, and the states beside it that the update reads."""
    labels, last = beat.lifted.labels, scene.run.sampler.hours - 1
    told = [f"value {fixed(scene.values[hour])}"]
    if hour and labels[hour - 1] >= 0:
        told.append(f"before it state {_state(labels[hour - 1])}")
    if hour < last:
        told.append(f"after it state {_state(labels[hour + 1])}")
    return f"<p>{'; '.join(told).capitalize()}.</p>"


def _sum(scene: HiddenScene[Any], beat: HourBeat, reached: int) -> tuple[str, ...]:
    site: Any = beat.update.site
    hour: int = site.hour
    found, rows = beat.update.conditional, beat.lifted.transitions
    states, listed = range(len(rows)), []
    for k in states:
        if hour and len(rows) <= FEW_STATES:
            last = beat.lifted.filtered[hour - 1]
            ways = [f"{last[j]:.3f} · {rows[j][k]:.3f}" for j in states]
            way = f"{scene.way.of}({scene.way.between.join(ways)})"
        else:
            way = f"{found.before[k]:.3f}" if hour else scene.begins(found.before[k])
        fit = of_its_log(beat.lifted.fits[hour][k])
        listed.append((_state(k), f"{way} · {fit}", f"<b>{probability(found.filtered[k])}</b>"))
    return (
        f"<p>The state of {_hour(hour)} is forgotten: it is summed out.</p>",
        table(("", f"{scene.way.name if hour else scene.first} · density", "share"), listed),
        quiet("Nothing is drawn."),
        f"<p>The shares are p(z<sub>{hour + 1}</sub> | y<sub>1</sub> … y<sub>{hour + 1}</sub>).</p>",
    )


def _transitions(scene: HiddenScene[Any], beat: HourBeat, reached: int) -> tuple[str, ...]:
    found, states = beat.update.conditional, scene.listed(beat.before)
    rows = [(_state(k), " · ".join(f"{count:.3g}" for count in found.pseudo_counts[k])) for k in states]
    after = [(_state(k), " · ".join(f"{p:.3f}" for p in beat.after.transitions[k])) for k in states]
    return (
        "<p>The transition probabilities are forgotten.</p>",
        table(("", "pseudo-counts + moves counted"), rows),
        quiet("A draw from a Dirichlet distribution for each row."),
        table(("", "to each state"), after),
    )


def _means(scene: HiddenScene[Any], beat: HourBeat, reached: int) -> tuple[str, ...]:
    found, states = beat.update.conditional, scene.listed(beat.before)
    scored = [(_state(k), f"{fixed(found.centres[k])} ± {fixed(found.deviations[k])}") for k in states]
    after = [(_state(k), fixed(beat.after.means[k])) for k in states]
    return (
        "<p>The means are forgotten.</p>",
        table(("", "given its values"), scored),
        quiet("A draw from a Normal distribution for each state."),
        table(("", "mean"), after),
    )


def _base_weights(scene: HiddenScene[Any], beat: HourBeat, reached: int) -> tuple[str, ...]:
    """Return tables, who ordered them, and new weights."""
    before, after, drawn = beat.before, beat.after, beat.update.value
    found: BaseGivenPath = beat.update.conditional
    assert isinstance(before, StickyState)
    assert isinstance(after, StickyState)
    assert isinstance(drawn, Tables)
    used, first = before.used, before.labels[0]
    seated = found.seated is not None
    counts, tables, weights = [], [], []
    for k in used:
        stays, every, sticky = int(found.moves[k, k]), int(drawn.tables[:, k].sum()), int(drawn.sticky[k])
        into = int(found.moves[:, k].sum()) - stays
        by_stickiness = "" if seated else f"{found.shares[k]:.3f}"
        counts.append((_state(k), f"{before.base[k]:.3f}", str(stays), str(into), by_stickiness))
        tables.append((_state(k), str(every), str(sticky)))
        weights.append((_state(k), str(every - sticky + (k == first)), f"<b>{after.base[k]:.3f}</b>"))
    if len(used) < len(before.base):
        old, new = (max(1 - sum(state.base[k] for k in used), 0.0) for state in (before, after))
        counts.append(("others", f"{old:.3f}", "0", "0", ""))
        weights.append(("others", "0", f"<b>{new:.3f}</b>"))
    return (
        "<p>The base weights are forgotten. All hours keep their states.</p>",
        f"<p>Each state is a restaurant, and the moves from it are customers. {SAME if seated else OPENS}</p>"
        + table(("", "b", "stays", "moves into it", "" if seated else "by κ"), counts),
        f"<p>{DRAWN_BEFORE if seated else DRAWN}</p>" + table(("", "tables", "by κ"), tables),
        "<p>Tables by κ do not count; the first hour does. b is Dirichlet: counts plus γ / L.</p>"
        + table(("", "n", "b"), weights),
    )


def _concentrations(scene: HiddenScene[Any], beat: HourBeat, reached: int) -> tuple[str, ...]:
    """Return the redraw of α, γ and κ: tables, auxiliary numbers, and new values."""
    before, drawn = beat.before, beat.update.value
    found: ConcentrationsGivenPath = beat.update.conditional
    assert isinstance(before, StickyState)
    assert isinstance(drawn, Concentrations)
    every, kept = int(drawn.seated.tables.sum()), int(drawn.seated.tables.sum() - drawn.seated.sticky.sum()) + 1
    (shape, rate), (a, b), (top_shape, top_rate) = found.priors.row, found.priors.share, found.priors.top
    old = ("α", before.concentration), ("γ", before.top_concentration), ("κ", before.stickiness)
    new = drawn.concentration, drawn.top_concentration, drawn.stickiness
    rows = [(name, f"{was:.3g}", f"<b>{now:.3g}</b>") for (name, was), now in zip(old, new, strict=True)]
    priors = [
        ("α + κ", f"Gamma({shape:g}, {rate:g})"),
        ("ρ = κ / (α + κ)", f"Beta({a:g}, {b:g})"),
        ("γ", f"Gamma({top_shape:g}, {top_rate:g})"),
    ]
    moves = counted(int(found.moves.sum()), "move")
    return (
        "<p>α, γ and κ are forgotten, and with them the base weights. All hours keep their states.</p>",
        f"<p>The {moves} are seated at tables again. Given these, three priors matter:</p>"
        + table(("", "prior"), priors),
        f"<p>{counted(every, 'table')}, {drawn.ordered} by κ: ρ from Beta({a + drawn.ordered:g}, "
        f"{b + every - drawn.ordered:g}) is <b>{drawn.share:.3f}</b>. A coin for each row takes {drawn.closed} off "
        f"them, and α + κ from a Gamma is <b>{drawn.row:.3g}</b>.</p><p>{kept} count for b, with the first hour. "
        f"They sit at {counted(drawn.upper, 'table')} of an upper restaurant, and γ follows as in Escobar &amp; West "
        "(1995).</p>",
        table(("", "before", "now"), rows),
    )


def _notes(scene: HiddenScene[Any], beat: HourBeat) -> dict[str, str]:
    if not isinstance(beat.update.site, int):
        return {}
    return {"site": _hour(beat.update.site), "value": f"state {_state(int(beat.update.value))}"}


CARDS = UpdateCards(
    start=quiet("This is the start: every hour has a random state. Press <b>Step</b>: one sweep redraws all of them."),
    begin=quiet("The sweep is about to begin. Press <b>Step</b>: the state of the first hour is forgotten."),
    writers={
        int: _draw,
        Forwards: _sum,
        TRANSITIONS: _transitions,
        MEANS: _means,
        BASE: _base_weights,
        CONCENTRATIONS: _concentrations,
    },
    chosen=lambda scene, close_up: scene.update_of(scene.hour),
    notes=_notes,
)


def cost(scene: HiddenScene[Any], sweep: int) -> str:
    """Return each chain's cost of an effective draw of the hours in the last state, or of changes, as HTML."""
    if sweep < FEW:
        return quiet("Run some sweeps first: a few hundred are enough to compare.")
    methods = scene.method, scene.other
    rows = [_cost(run, sweep, method) for run, method in zip(scene.runs, methods, strict=False)]
    heads = ("", "products a sweep", "mean", "ESS", "sweeps a draw", "products a draw")
    said = f"Of the number of {scene.judged_by}, over {sweep:,} sweeps."
    return table(heads, rows) + quiet(f"{said} ESS: effective sample size.")


def _cost(run: ChainRun, sweep: int, method: Method) -> tuple[str, ...]:
    found = getattr(run, run.judged)[1 : sweep + 1].astype(float)
    size, products = diagnose(found[None]).ess_bulk, method.products(run.sampler.hours, run.sampler.states)
    each = "–" if size is None else fixed(sweep / size, 1)
    paid = "–" if size is None else f"{products * sweep / size:,.0f}"
    return method.name, f"{products:,}", fixed(float(found.mean())), whole(size), each, f"<b>{paid}</b>"
