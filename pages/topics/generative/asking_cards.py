"""Cards of labels that are asked for: the worth of each, the chosen one's opened, and what its answer struck out."""

from typing import Any

import numpy as np

from pages.drawing.cards import numbered, pointing, quiet, table
from pages.drawing.numbers import counted
from pages.topics.generative.inspector import class_of, values_of
from samplers.mixtures.asking import Outlook

MOST = 5  # rows of a table of labels
DIGITS = 3  # of probabilities and bits


def answer(run: Any, t: int) -> str:
    """Return answer t: which label was asked for and why, the sum of its gain, and what the answer brought."""
    if not t:
        left = len(run.asking.hidden)
        return quiet(
            f"{counted(left, 'label')} hidden, {len(run.asking.exact.labellings):,} labellings are possible. Press "
            "<b>Step</b> to ask for one label, or press an example."
        )
    asked, outlook = run.states[t - 1].asked, run.outlooks[t - 1]
    if len(run.states[t].asked) == len(asked):
        return quiet("All labels are known.")
    which = run.states[t].asked[-1]
    label = int(run.asking.truth[which])
    return numbered(
        ("Compare", _compared(run, t - 1, which)),
        (f"Example {which + 1}, opened", _opened(run, outlook, which)),
        (
            "Answer",
            f"<p>{_example(which)} is {class_of(run.examples, label)}.</p>"
            + quiet(values_of(run.examples, run.examples.values[which]))
            + _struck_out(run, t),
        ),
    )


def _example(which: int) -> str:
    return pointing(f"point-{which + 1}", f"Example {which + 1}")


def _number(which: int) -> str:
    return pointing(f"point-{which + 1}", f"{which + 1}")


def _compared(run: Any, t: int, which: int) -> str:
    """Return the labels with the largest gains, and the one that was chosen."""
    outlook, gains = run.outlooks[t], run.gains[t]
    left = [each for each in run.asking.hidden.tolist() if each not in run.states[t].asked]
    first = sorted(left, key=lambda each: -gains[each])[:MOST]
    shown = first if which in first else [*first[:-1], which]
    rows = [
        (
            f"<b>{_number(each)}</b>" if each == which else _number(each),
            f"{outlook.bits[each]:.2f}",
            f"{gains[each]:.2f}",
        )
        for each in shown
    ]
    hand = len(run.states[t].asked) < len(run.asking.first)
    chosen = "It was pressed." if hand else CHOSEN[run.asking.way]
    return table(("label", "own", "gain"), rows) + quiet(chosen)


CHOSEN = {
    "most gain": "The label with the largest gain is asked for.",
    "least sure": "The label with the most bits of its own is asked for.",
    "at random": "Any label is asked for, with equal probability.",
}


def _opened(run: Any, outlook: Outlook, which: int) -> str:
    """Return the sum of the chosen label's gain, in numbers that add up as they are printed."""
    bits = round(float(outlook.bits.sum()), DIGITS)
    weights = _weights(run, outlook.chances[which])
    after = outlook.after[which].round(DIGITS)
    products = (weights * after).round(DIGITS)
    rows = [
        (class_of(run.examples, label), f"{weight:.3f}", f"{left:.3f}", f"{product:.3f}")
        for label, (weight, left, product) in enumerate(zip(weights, after, products, strict=True))
    ]
    expected = round(float(products.sum()), DIGITS)
    total = f"<p>{bits:.3f} − {expected:.3f} = <b>{bits - expected:.3f}</b> bits</p>"
    return table(("if it is", "counts", "bits left then", "product"), rows) + total.replace("-", "−")


def _weights(run: Any, chances: np.ndarray) -> np.ndarray:
    """Return how much each answer counts, by the rule that is set."""
    rule = run.settings.gain_rule
    if rule == "answers count alike":
        return np.full(len(chances), 1 / len(chances)).round(DIGITS)
    if rule == "most probable answer only":
        return np.eye(len(chances))[chances.argmax()]
    first = chances.round(DIGITS)
    first[-1] = round(1 - first[:-1].sum(), DIGITS)  # what is printed adds up to 1
    return first


def _struck_out(run: Any, t: int) -> str:
    before, after = (int((run.asking.believed(run.states[now].asked) > 0).sum()) for now in (t - 1, t))
    left = run.outlooks[t].bits.sum()
    return (
        f"<p>{before:,} labellings were possible, {after:,} are left.</p><p>All labels together have "
        f"<b>{left:.2f}</b> bits left, after {run.outlooks[t - 1].bits.sum():.2f}.</p>"
    )


def known(run: Any, t: int) -> str:
    """Return the probabilities of each hidden label."""
    outlook = run.outlooks[t]
    heads = ("label", *(class_of(run.examples, label) for label in range(outlook.chances.shape[1])), "bits")
    rows = [
        (_example(which), *(f"{chance:.3f}" for chance in outlook.chances[which]), f"{outlook.bits[which]:.2f}")
        for which in run.asking.hidden.tolist()
    ]
    return table(heads, rows) + quiet(
        "An average over all labellings that the answers have left, each by its posterior."
    )
