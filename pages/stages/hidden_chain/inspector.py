"""The cards of an update: factors multiplied, a forward sum, a backward draw; and what an effective draw costs."""

from collections.abc import Sequence
from math import exp
from typing import Any

from pages.drawing.cards import Option, dart, pointing, quiet, score_table, table, whole
from pages.drawing.numbers import fixed, of_its_log, probability
from pages.stages.close_up import UpdateCards
from pages.stages.hidden_chain.base_weights import HourBeat, base_weights, state_badge
from pages.stages.hidden_chain.concentrations import concentrations
from pages.stages.hidden_chain.film import NAMES
from pages.stages.hidden_chain.run import ChainRun, Scene
from samplers.diagnostics.convergence import diagnose
from samplers.hmm.block import FILTERED, Block
from samplers.hmm.concentrations import CONCENTRATIONS
from samplers.hmm.model import FIT, FROM_LAST, MEANS, TO_NEXT, TRANSITIONS, Forwards
from samplers.hmm.sticky import BASE, StickyState
from samplers.hmm.wrong import LargestNotSum

FEW = 8  # sweeps before which nothing can be said of the cost
FEW_STATES = 4  # whose sum is written out


def update_of(scene: Scene, hour: int) -> int:
    """Return the number of the update that draws an hour's state, both counted from 0."""
    return hour if scene.settings.method == "single" else 2 * len(scene.values) - hour - 1


def _hour(hour: int) -> str:
    return pointing(f"hour-{hour + 1}", f"hour {hour + 1}")


def _draw(scene: Scene, beat: HourBeat, reached: int) -> tuple[str, ...]:
    terms, uniform, hour = beat.update.conditional.terms, beat.update.uniform, int(beat.update.site)
    options = [
        Option(
            f"state {k + 1}",
            str(k + 1),
            k,
            " · ".join(_factor(name, term[k]) for name, term in terms.items() if _told(scene, name, hour)),
            float(chance),
            f"state-{k + 1}",
        )
        for k, chance in enumerate(beat.update.conditional.probabilities)
    ]
    heading = " · ".join(_heading(name, hour) for name in terms if _told(scene, name, hour))
    value = int(beat.update.value)
    assert uniform is not None  # a state is drawn from its options
    old = beat.before.labels[hour]
    gone = f"<p>State {state_badge(old)} of {_hour(hour)} is forgotten.</p>{_beside(scene, beat, hour)}"
    if old < 0:
        gone = f"<p>The sums have forgotten the state of {_hour(hour)}.</p>{_beside(scene, beat, hour)}"
    again = " again" if value == old else ""
    return (
        gone,
        score_table(options, value, heading),
        f"<p>Random number: {uniform:.3f}</p>{dart(options, uniform)}",
        f"<p>State {state_badge(value)}{again} for {_hour(hour)}.</p>",
    )


def _told(scene: Scene, name: str, hour: int) -> bool:
    """Whether a term is a factor in this hour: the last has no next one."""
    return name != TO_NEXT or hour + 1 < scene.run.sampler.hours


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


def _beside(scene: Scene, beat: HourBeat, hour: int) -> str:
    """Return the value of an hour, and the states beside it that the update reads."""
    labels, last = beat.lifted.labels, scene.run.sampler.hours - 1
    told = [f"value {fixed(scene.values[hour])}"]
    if hour and labels[hour - 1] >= 0:
        told.append(f"before it state {state_badge(labels[hour - 1])}")
    if hour < last:
        told.append(f"after it state {state_badge(labels[hour + 1])}")
    return f"<p>{'; '.join(told).capitalize()}.</p>"


def _sum(scene: Scene, beat: HourBeat, reached: int) -> tuple[str, ...]:
    site: Any = beat.update.site
    hour: int = site.hour
    found, rows = beat.update.conditional, beat.lifted.transitions
    states, first = range(len(rows)), "base weight" if isinstance(beat.lifted, StickyState) else "1/K"
    largest, listed = isinstance(scene.run.sampler, LargestNotSum), []
    for k in states:
        if hour and len(rows) <= FEW_STATES:
            last = beat.lifted.filtered[hour - 1]
            ways = [f"{last[j]:.3f} · {rows[j][k]:.3f}" for j in states]
            way = f"max({', '.join(ways)})" if largest else f"({' + '.join(ways)})"
        elif hour or isinstance(beat.lifted, StickyState):
            way = f"{found.before[k]:.3f}"
        else:
            way = f"1/{len(rows)}"
        fit = of_its_log(beat.lifted.fits[hour][k])
        listed.append((state_badge(k), f"{way} · {fit}", f"<b>{probability(found.filtered[k])}</b>"))
    over = "largest way" if largest else "sum over the hour before"
    return (
        f"<p>The state of {_hour(hour)} is forgotten: it is summed out.</p>",
        table(("", f"{over} · density" if hour else f"{first} · density", "share"), listed),
        quiet("Nothing is drawn."),
        f"<p>The shares are p(z<sub>{hour + 1}</sub> | y<sub>1</sub> … y<sub>{hour + 1}</sub>).</p>",
    )


def _states(scene: Scene, beat: HourBeat) -> Sequence[int]:
    """Return the states whose parameters are listed: those in use, if their number is learned."""
    return beat.before.used if isinstance(beat.before, StickyState) else range(scene.run.sampler.states)


def _transitions(scene: Scene, beat: HourBeat, reached: int) -> tuple[str, ...]:
    found, states = beat.update.conditional, _states(scene, beat)
    rows = [(state_badge(k), " · ".join(f"{count:.3g}" for count in found.pseudo_counts[k])) for k in states]
    after = [(state_badge(k), " · ".join(f"{p:.3f}" for p in beat.after.transitions[k])) for k in states]
    return (
        "<p>The transition probabilities are forgotten.</p>",
        table(("", "pseudo-counts + moves counted"), rows),
        quiet("A draw from a Dirichlet distribution for each row."),
        table(("", "to each state"), after),
    )


def _means(scene: Scene, beat: HourBeat, reached: int) -> tuple[str, ...]:
    found, states = beat.update.conditional, _states(scene, beat)
    scored = [(state_badge(k), f"{fixed(found.centres[k])} ± {fixed(found.deviations[k])}") for k in states]
    after = [(state_badge(k), fixed(beat.after.means[k])) for k in states]
    return (
        "<p>The means are forgotten.</p>",
        table(("", "given its values"), scored),
        quiet("A draw from a Normal distribution for each state."),
        table(("", "mean"), after),
    )


def _notes(scene: Scene, beat: HourBeat) -> dict[str, str]:
    if not isinstance(beat.update.site, int):
        return {}
    return {"site": _hour(beat.update.site), "value": f"state {state_badge(int(beat.update.value))}"}


CARDS = UpdateCards(
    start=quiet("This is the start: every hour has a random state. Press <b>Step</b>: one sweep redraws all of them."),
    begin=quiet("The sweep is about to begin. Press <b>Step</b>: the state of the first hour is forgotten."),
    writers={
        int: _draw,
        Forwards: _sum,
        TRANSITIONS: _transitions,
        MEANS: _means,
        BASE: lambda scene, beat, reached: base_weights(beat),
        CONCENTRATIONS: lambda scene, beat, reached: concentrations(beat),
    },
    chosen=lambda scene, close_up: update_of(scene, scene.hour),
    notes=_notes,
)


def cost(scene: Scene, sweep: int) -> str:
    """Return each chain's cost of an effective draw of the hours in the last state, or of changes, as HTML."""
    if sweep < FEW:
        return quiet("Run some sweeps first: a few hundred are enough to compare.")
    names = (NAMES[scene.settings.method], NAMES[scene.settings.other])
    rows = [_cost(run, sweep, name) for run, name in zip(scene.runs, names, strict=False)]
    heads = ("", "products a sweep", "mean", "ESS", "sweeps a draw", "products a draw")
    of = "changes of state" if scene.settings.sticky else f"hours in state {scene.run.sampler.states}"
    said = f"Of the number of {of}, over {sweep:,} sweeps."
    return table(heads, rows) + quiet(f"{said} ESS: effective sample size.")


def products(run: ChainRun) -> int:
    """Return how many products of probabilities a sweep over the states computes."""
    hours, states = run.sampler.hours, run.sampler.states
    if isinstance(run.sampler, Block):
        return hours * states * (states + 2)
    return hours * states * 2


def _cost(run: ChainRun, sweep: int, name: str) -> tuple[str, ...]:
    found = (run.changes if run.sticky else run.high)[1 : sweep + 1].astype(float)
    size = diagnose(found[None]).ess_bulk
    each = "–" if size is None else fixed(sweep / size, 1)
    paid = "–" if size is None else f"{products(run) * sweep / size:,.0f}"
    return name, f"{products(run):,}", fixed(float(found.mean())), whole(size), each, f"<b>{paid}</b>"
