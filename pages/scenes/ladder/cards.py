"""The four cards of a step of a ladder: own steps, pair, ratio, decision, with the numbers in the formula."""

from math import isclose
from typing import Any

from pages.code.listing import listing
from pages.code.mistakes import of_class
from pages.code.watch import watch
from pages.code.ways import TEMPERING
from pages.drawing.cards import pointing, quiet, table
from pages.drawing.numbers import counted, fixed, of_its_log, probability
from pages.scenes.close_up import WAITING, step_cards
from pages.scenes.ladder.film import DICE, PAIR, RATIO, Words, stage_of_frame
from pages.scenes.ladder.run import SWEPT, OpenedLadder, begun_at
from pages.scenes.scene import RunScene
from samplers.tempering import COLDER, HOTTER, Swap

BEATS = {SWEPT: 1, PAIR: 2, RATIO: 3}  # of the code, by the stage of a frame; once decided, all of a swap


def step(scene: RunScene[Any, Any], t: int, words: Words) -> str:
    """Return the cards of the last swap of step t, or of the opened step up to frame t."""
    start = quiet(f"This is the start. Press <b>Step</b>: each level makes {words.own}, and then neighbours may swap.")
    begin = quiet(f"Press <b>Step</b>: each level makes {words.own}.")
    titles = words.title, "Pair", "Ratio", "Decide"
    return step_cards(scene, t, start, begin, titles, lambda ladder, now: _bodies(ladder, now, words))


def _bodies(ladder: OpenedLadder, t: int, words: Words) -> tuple[str, ...]:
    swap, stage = ladder.swap(t), stage_of_frame(t)
    return (
        words.made(ladder),
        _pair(swap, words.height) if swap else WAITING,
        _ratio(swap) if swap and stage >= RATIO else WAITING,
        _decide(ladder, swap, t) if swap and stage >= DICE else WAITING,
    )


def of_level(level: int) -> str:
    """Return the name of a level, from 0, which lights its row."""
    return pointing(f"level-{level + 1}", f"level {level + 1}")


def _pair(swap: Swap, height: str) -> str:
    both = zip((swap.level, swap.level + 1), swap.exponents, swap.log_densities, strict=True)
    rows = [(of_level(level), f"{exponent:.3g}", fixed(joint, 2)) for level, exponent, joint in both]
    return table(("", "β", height), rows) + "<p>Should they swap their states?</p>"


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
    if t == ladder.total:
        return said
    left = counted(len(ladder.step.swaps) - 1 - ladder.step.swaps.index(swap), "more pair", "more pairs")
    return said + quiet(f"{left} to come, down to the cold level.")


def code(scene: RunScene[Any, Any], t: int) -> str:
    """Return the code of step t, or of the opened step up to the swap of frame t, as it ran; of none at the start."""
    run, number, is_open = scene.run, scene.step(t), scene.settings.opened is not None
    mistakes = of_class(run.swapping)
    if not number or (is_open and not t):
        return listing(TEMPERING, mistakes=mistakes)
    state = run.ladder(number - 1)
    main = BEATS.get(stage_of_frame(t), 0) if is_open else 0
    upto = max(1, begun_at(t)) if is_open and t < scene.settings.iterations else None
    calls = watch(TEMPERING, lambda: run.swapping.step(state, run.chain.rng(number)), upto)[1]
    return listing(TEMPERING, calls, mistakes, main=main)
