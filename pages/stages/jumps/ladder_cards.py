"""The four cards of a sweep of a ladder: sweeps, pair, ratio, decision, with the numbers in the formula."""

from __future__ import annotations

from math import isclose
from typing import Any

from pages.code.listing import listing
from pages.code.mistakes import of_class
from pages.code.watch import watch
from pages.code.ways import TEMPERING
from pages.drawing.cards import numbered, pointing, quiet, table
from pages.drawing.numbers import counted, fixed, of_its_log, probability
from pages.stages.close_up import opened
from pages.stages.jumps.ladder_charts import LETTERS
from pages.stages.jumps.ladder_film import DICE, RATIO, stage_of_frame
from pages.stages.jumps.ladder_run import SWEPT, LadderRun, OpenedLadder
from pages.stages.points.scene import Scene
from samplers.tempering import COLDER, HOTTER, Swap

START = quiet("This is the start. Press <b>Step</b>: each level makes a Gibbs sweep, and then neighbours may swap.")
BEGIN = quiet("The sweep is about to begin. Press <b>Step</b>: each level makes a Gibbs sweep.")
WAITING = quiet("Not yet.")
TITLES = ("Sweep", "Pair", "Ratio", "Decide")


def ladder_cards(scene: Scene[Any], t: int) -> str:
    """Return the cards of the last swap of sweep t, or of the opened sweep up to frame t."""
    step = scene.step(t)
    if not step:
        return START
    ladder: Any = opened(scene.key, scene.run, step)
    if scene.settings.opened is None:
        return _cards(ladder, ladder.total)
    return _cards(ladder, min(t, ladder.total)) if t else BEGIN


def _cards(ladder: OpenedLadder, t: int) -> str:
    swap, stage = ladder.swap(t), stage_of_frame(t)
    bodies = (
        _sweep(ladder),
        _pair(swap) if swap else WAITING,
        _ratio(swap) if swap and stage >= RATIO else WAITING,
        _decide(ladder, swap, t) if swap and stage >= DICE else WAITING,
    )
    return f'<div class="moves">{numbered(*zip(TITLES, bodies, strict=True))}</div>'


def _level(level: int) -> str:
    return pointing(f"level-{level + 1}", f"level {level + 1}")


def _sweep(ladder: OpenedLadder) -> str:
    """Return what the Gibbs sweep has made of each level."""
    rows = []
    for level, state in enumerate(ladder.at(SWEPT).levels):
        changed = sum(a != b for a, b in zip(ladder.before.levels[level].labels, state.labels, strict=True))
        rows.append((_level(level), f"{changed}"))
    return table(("labels", "changed"), rows)


def _pair(swap: Swap) -> str:
    both = zip((swap.level, swap.level + 1), swap.exponents, swap.log_densities, strict=True)
    rows = [(_level(level), f"{exponent:.3g}", fixed(joint, 2)) for level, exponent, joint in both]
    return table(("", "β", "log joint"), rows) + "<p>Should they swap their states?</p>"


def _ratio(swap: Swap) -> str:
    here, there = swap.log_densities
    names = (COLDER, HOTTER)
    differences = (there - here, here - there)
    said = "".join(
        f"<p>{pointing(name, f'{name} level')}: {_product(exponent, difference, swap.terms[name])}</p>"
        for name, exponent, difference in zip(names, swap.exponents, differences, strict=True)
    )
    return f"{said}<p>{pointing('sum', 'log r, their sum')} = <b>{_log(swap.log_ratio)}</b></p>"


def _product(exponent: float, difference: float, value: float) -> str:
    """Return β · difference = value; the value alone, if a wrong rule computes something else."""
    if isclose(exponent * difference, value, abs_tol=1e-9):
        change = _log(difference)
        return f"{exponent:.3g} · {f'({change})' if change.startswith('−') else change} = {_log(value)}"
    return _log(value)


def _log(value: float) -> str:
    """Return a log with two decimals; 0 has no sign."""
    return fixed(round(value, 2) or 0.0, 2)


def _decide(ladder: OpenedLadder, swap: Swap, t: int) -> str:
    ratio = f"r = {of_its_log(swap.log_ratio)}"
    chance = pointing("probability", f"min(1, r) = {probability(swap.probability)}")
    verdict = "accepted" if swap.accepted else "rejected"
    number = pointing("dart", f"Random number: {swap.uniform:.3f}")
    said = f"<p>{ratio}, so {chance}</p><p>{number}. The swap is <b>{verdict}</b>.</p>"
    if t < ladder.total:
        left = counted(len(ladder.step.swaps) - 1 - ladder.step.swaps.index(swap), "more pair", "more pairs")
        return said + quiet(f"{left} to come, down to the cold level.")
    return said + quiet(f"Walker {LETTERS[ladder.at(t).walkers[0]]} is at the cold level now.")


def code(scene: Scene[Any], t: int) -> str:
    """Return the code of sweep t, or of the opened one, as it ran."""
    step, run = scene.step(t), scene.run
    assert isinstance(run, LadderRun)
    mistakes = of_class(run.swapping)
    if not step:
        return listing(TEMPERING, mistakes=mistakes)
    state = run.ladder(step - 1)
    calls = watch(TEMPERING, lambda: run.swapping.step(state, run.chain.rng(step)))[1]
    return listing(TEMPERING, calls, mistakes)
