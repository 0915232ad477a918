"""Cards of the redraw of base weights: tables, who ordered them, and new weights."""

from pages.drawing.cards import badge, pointing, table
from pages.stages.close_up import Beat
from samplers.hmm.model import ChainState
from samplers.hmm.sticky import BaseGivenPath, StickyState, Tables

HourBeat = Beat[ChainState]
OPENS = (
    "With i others of the same kind, one opens a table with probability w / (w + i): w is αb, and κ more for a stay. A "
    "table of stays was ordered by κ with probability κ / (κ + αb)."
)
SAME = "They keep the tables that were drawn for α, γ and κ, with the values before."
DRAWN = "Tables are drawn, and which of those of stays κ has ordered."
DRAWN_BEFORE = "These tables were drawn with the concentrations."


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
    seated = found.seated is not None
    counts, tables, weights = [], [], []
    for k in used:
        stays, every, sticky = int(found.moves[k, k]), int(drawn.tables[:, k].sum()), int(drawn.sticky[k])
        into = int(found.moves[:, k].sum()) - stays
        by_stickiness = "" if seated else f"{found.shares[k]:.3f}"
        counts.append((state_badge(k), f"{before.base[k]:.3f}", str(stays), str(into), by_stickiness))
        tables.append((state_badge(k), str(every), str(sticky)))
        weights.append((state_badge(k), str(every - sticky + (k == first)), f"<b>{after.base[k]:.3f}</b>"))
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
