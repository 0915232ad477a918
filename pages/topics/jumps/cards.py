"""The four cards of a move: launch, propose, weigh, decide, with the numbers in the formula; and what a draw costs."""

from collections.abc import Sequence
from math import exp, log
from typing import Any

import numpy as np

from pages.code.mistakes import of_class
from pages.code.ways import code_of_step
from pages.drawing.cards import dart, pointing, quiet, score_table, table, whole
from pages.drawing.numbers import counted, fixed, of_its_log, probability
from pages.scenes.close_up import WAITING, opened, step_cards
from pages.scenes.points.model import option_of
from pages.scenes.points.scene import MixtureScene
from pages.topics.jumps.film import COINS, DICE, DRAWN, LAST, RATIO, SCAN, SWEPT, stage_of_frame
from pages.topics.jumps.run import JumpRun, OpenedMove
from samplers.diagnostics.convergence import diagnose
from samplers.jumps.split_merge import FIT, PROPOSAL, SEATING

START = quiet("This is the start. Press <b>Step</b>: a move is proposed, and then a Gibbs sweep redraws every label.")
BEGIN = quiet("The move is about to begin. Press <b>Step</b>: two points are drawn.")
TITLES = ("Launch", "Propose", "Weigh", "Decide")
BEATS = {DRAWN: 1, COINS: 1, SCAN: 1, LAST: 2, RATIO: 3}  # of the code, by the stage of a frame; once decided, all


def move_cards(scene: MixtureScene[Any], t: int) -> str:
    """Return the cards of the move that sweep t begins with, or of the opened move up to frame t."""
    return step_cards(scene, t, START, BEGIN, TITLES, lambda move, now: _bodies(scene, move, now))


def _bodies(scene: MixtureScene[Any], move: OpenedMove, t: int) -> tuple[str, ...]:
    stage = stage_of_frame(move, t)
    return (
        _launch(scene, move, t, stage),
        _propose(scene, move, t) if stage >= LAST else WAITING,
        _weigh(move) if stage >= RATIO else WAITING,
        _decide(move, stage) if stage >= DICE else WAITING,
    )


def _point(point: int) -> str:
    return pointing(f"point-{point + 1}", f"{point + 1}")


def _launch(scene: MixtureScene[Any], move: OpenedMove, t: int, stage: int) -> str:
    record, model = move.move, scene.model
    one, two = (model.mark(table) for table in record.tables)
    pair = " and ".join(_point(point) for point in record.pair)
    here = model.mark(record.before[record.pair[1]])
    there = model.mark(record.before[record.pair[0]])
    if record.splits:
        said = f"<p>Points {pair} are both in {here}: a <b>split</b>.</p>"
    else:
        said = f"<p>Points {pair} are in {there} and {here}: a <b>merge</b>.</p>"
    if stage <= DRAWN:
        return said
    if not record.points:
        return f"{said}<p>No other points to sort.</p>"

    def sizes(labels: Sequence[int]) -> str:
        return f"{one} has {labels.count(record.tables[0])}, {two} has {labels.count(record.tables[1])}"

    said += f"<p>{counted(len(record.points), 'coin toss', 'coin tosses')}. With the pair, {sizes(record.tossed)}.</p>"
    done = min(len(record.scans), t - COINS if stage == SCAN else len(record.scans)) if stage > COINS else 0
    if done:
        labels = move.labels(COINS + done) if stage == SCAN else record.launch
        said += f"<p>{counted(done, 'scan')}: {sizes(labels)}</p>"
    return said


def _propose(scene: MixtureScene[Any], move: OpenedMove, t: int) -> str:
    record, number = move.move, move.in_hand(t)
    if number is None:
        way = "One more scan drew the split" if record.splits else "One more scan would draw the clusters as they are"
        q = of_its_log(move.log_q(len(record.points)))
        return f"<p>{way}: q = <b>{q}</b>, a product over {counted(len(record.points), 'point')}.</p>"
    beat = move.beat(number)
    terms, chances = beat.update.conditional.terms, beat.update.conditional.probabilities
    parts = zip(terms[move.mixture.already_there], terms[move.mixture.fit], strict=True)
    options = [
        option_of("cluster", table, f"{exp(there):.0f} · {of_its_log(fit)}", float(chance))
        for table, (there, fit), chance in zip(record.tables, parts, chances, strict=True)
    ]
    heading = f"point {_point(int(beat.update.site))}: points there · fit"
    drawn = score_table(options, beat.update.value, heading)
    if beat.update.uniform is not None:
        drawn += dart(options, beat.update.uniform, "dart")
    else:
        drawn += "<p>It goes back to where it was: nothing is drawn.</p>"
    return f"{drawn}<p>q so far: {of_its_log(move.log_q(number + 1))}</p>"


def _weigh(move: OpenedMove) -> str:
    record, terms = move.move, move.move.terms
    labels = record.proposed if record.splits else record.before
    sizes = [labels.count(table) for table in record.tables]
    apart, together = f"α · {sizes[0] - 1}! · {sizes[1] - 1}!", f"{sum(sizes) - 1}!"
    seating = f"{apart} / {together}" if record.splits else f"{together} / ({apart})"
    rows = (
        (SEATING, seating, terms[SEATING]),
        (FIT, "apart / together" if record.splits else "together / apart", terms[FIT]),
        (PROPOSAL, "1 / q" if record.splits else "q / 1", terms[PROPOSAL]),
    )
    # a wrong rule that leaves a factor out has exactly 1 for it, which its formula is not
    said = "".join(
        f"<p>{pointing(name, f'{name} {formula}' if value else name)} = {_factor(value)}</p>"
        for name, formula, value in rows
    )
    return f"{said}<p>{pointing('sum', 'r, their product')} = <b>{_factor(record.log_ratio)}</b></p>"


def _factor(log_value: float) -> str:
    """Return a factor from its logarithm, in thousands with all digits."""
    return f"{exp(log_value):,.0f}" if log(1_000) <= log_value < 9 else of_its_log(log_value)


def _decide(move: OpenedMove, stage: int) -> str:
    record = move.move
    kind = "split" if record.splits else "merge"
    chance = pointing("probability", f"min(1, r) = {probability(record.probability)}")
    verdict = "accepted" if record.accepted else "rejected"
    number = pointing("dart", f"Random number: {record.uniform:.3f}")
    said = f"<p>{chance}</p><p>{number}. The {kind} is <b>{verdict}</b>.</p>"
    if stage < SWEPT:
        return said
    start = record.proposed if record.accepted else record.before
    changed = sum(a != b for a, b in zip(start, move.after.labels, strict=True))
    return said + quiet(f"A Gibbs sweep follows: {counted(changed, 'label')} changed.")


def code(scene: MixtureScene[Any], t: int) -> str:
    """Return the code of the move of sweep t, or of the opened one up to frame t, as it ran."""
    mistakes = of_class(scene.run.chain.sampler)
    if scene.settings.opened is None:
        return code_of_step(scene.run, t, mistakes)
    if not t:
        return code_of_step(scene.run, 0, mistakes)
    move: Any = opened(scene.key, scene.run, scene.step(t))
    main = BEATS.get(stage_of_frame(move, min(t, move.total)), 0)
    return code_of_step(scene.run, scene.step(t), mistakes, main=main)


def cost(scene: MixtureScene[Any], sweep: int) -> str:
    """Return each chain's cost of an effective draw of the number of clusters, as HTML."""
    if sweep < 8:
        return quiet("Run some sweeps first: a few hundred are enough to compare.")
    rows = [_cost(run, sweep, name) for run, name in zip(scene.runs, scene.titles, strict=False)]
    heads = ("", "cost a sweep", "changes of K", "ESS of K", "cost a draw")
    said = (
        "Cost: predictive densities evaluated. K: number of clusters. A chain that is stuck is worse than its ESS says."
    )
    return table(heads, rows) + quiet(said)


def _cost(run: Any, sweep: int, name: str) -> tuple[str, ...]:
    assert isinstance(run, JumpRun)
    spent, tables = run.evaluations[1 : sweep + 1], run.tables[1 : sweep + 1]
    size = diagnose(tables).ess_bulk
    changes = int((np.diff(tables) != 0).sum())
    each = "–" if size is None else f"{spent.sum() / size:,.0f}"
    return name, fixed(float(spent.mean()), 1), f"{changes:,}", whole(size), f"<b>{each}</b>"
