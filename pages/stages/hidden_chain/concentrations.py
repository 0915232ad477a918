"""Cards of the redraw of α, γ and κ: tables, auxiliary numbers, and new values."""

from pages.drawing.cards import table
from pages.drawing.numbers import counted
from pages.stages.hidden_chain.base_weights import HourBeat
from samplers.hmm.concentrations import Concentrations, ConcentrationsGivenPath
from samplers.hmm.sticky import StickyState


def concentrations(beat: HourBeat) -> tuple[str, str, str, str]:
    """Return the four beats of the redraw of the concentrations, as HTML."""
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
