"""Cards of the redraw of base weights: tables, who ordered them, and new weights."""

from __future__ import annotations

from pages.drawing.cards import badge, pointing, table
from pages.drawing.numbers import significant
from pages.stages.close_up import Beat
from samplers.hmm.model import ChainState
from samplers.hmm.sticky import BaseGivenPath, StickyState, Tables

HourBeat = Beat[ChainState]


def state_badge(k: int) -> str:
    """Return the number of a state in its colour, as HTML."""
    return pointing(f"state-{k + 1}", badge(str(k + 1), k))


def base_weights(beat: HourBeat) -> tuple[str, str, str, str]:
    """Return the four beats of the redraw of base weights, as HTML."""
    before, after, drawn = beat.before, beat.after, beat.update.value
    found: BaseGivenPath = beat.update.conditional
    assert isinstance(before, StickyState)
    assert isinstance(after, StickyState)
    assert isinstance(drawn, Tables)
    used, first = before.used, before.labels[0]
    stays = [int(found.moves[k, k]) for k in used]
    counts = [
        (state_badge(k), str(n), str(int(found.moves[:, k].sum()) - n), f"{found.shares[k]:.3f}")
        for k, n in zip(used, stays, strict=True)
    ]
    tables = []
    for k in used:
        own, sticky, every = int(drawn.tables[k, k]), int(drawn.sticky[k]), int(drawn.tables[:, k].sum())
        counted = f"<b>{every - sticky + (k == first)}</b>"
        tables.append((state_badge(k), str(own), str(sticky), str(every - own), counted))
    weights = [(state_badge(k), _three(before.base[k]), f"<b>{_three(after.base[k])}</b>") for k in used]
    left = (1 - sum(state.base[k] for k in used) for state in (before, after))
    others = [("others", *(_three(max(weight, 0.0)) for weight in left))] if len(used) < len(before.base) else []
    return (
        "<p>The base weights are forgotten. All hours keep their states.</p>",
        "<p>Each state is a restaurant, and the moves from it are customers. With i others of the same kind, one opens "
        "a table with probability w / (w + i): w is αb, and κ more for a stay. A table of stays was ordered by κ with "
        "probability κ / (κ + αb).</p>" + table(("", "stays", "moves into it", "by κ"), counts),
        "<p>Tables that κ has ordered do not count. The first hour counts as a table.</p>"
        + table(("", "tables of stays", "ordered by κ", "tables of moves", "counted"), tables),
        "<p>The weights are drawn from a Dirichlet distribution: its parameters are γ / L, and what is counted.</p>"
        + table(("", "before", "now"), [*weights, *others]),
    )


def _three(weight: float) -> str:
    return significant(weight, 3)
