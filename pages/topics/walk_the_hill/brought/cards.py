"""The cards of own chains: a draw, and what all draws so far are worth."""

from html import escape

from pages.code.listing import listing
from pages.code.watch import Way, names
from pages.drawing.cards import badge, effective, mean_error, pointing, quiet, rhat, table
from pages.drawing.numbers import counted, significant
from pages.topics.walk_the_hill.brought.scene import BroughtScene
from samplers.diagnostics.convergence import diagnose

FEWEST = 10  # draws of a chain before anything is said of them
DIAGNOSED = Way((diagnose,), names("values", "nothing return", "stats has_tails", "after"))


def step(scene: BroughtScene, t: int) -> str:
    """Return a draw of each chain."""
    if not t:
        many = counted(len(scene.chains), "chain")
        return quiet(
            f"{many.capitalize()} of {counted(scene.total, 'draw')}. Press <b>Step</b>: each goes to its next draw."
        )
    shown = scene.shown
    heads = ("", *(escape(name) for name in shown.data.names), *(["divergent"] if shown.data.marked else []))
    rows = []
    for place, chain in enumerate(scene.chains):
        values = [_number(value) for value in shown.values[place, t - 1].tolist()]
        mark = [pointing("divergence", "<b>yes</b>") if shown.divergent[place, t - 1] else "no"]
        name = pointing(f"chain-{chain + 1}", badge(str(chain + 1), chain))
        rows.append((name, *values, *(mark if shown.data.marked else [])))
    warm = " It is warm-up: no draw yet." if t <= shown.warmup else ""
    return table(heads, rows) + quiet(f"Draw {t:,} of each chain, as the file has it.{warm}")


def so_far(scene: BroughtScene, t: int) -> str:
    """Return the averages of the draws so far, and the diagnostics of all chains together."""
    shown = scene.shown
    if t - shown.warmup < FEWEST:
        warm = f" The first {shown.warmup:,} are warm-up." if shown.warmup else ""
        return quiet(f"Too few draws so far.{warm} Run on beyond {shown.warmup + FEWEST:,}.")
    heads = ("", "mean ± its error", "standard deviation", "R-hat", "ESS, bulk", "ESS, tail")
    rows = []
    for place, name in enumerate(shown.data.names):
        found, values = shown.diagnosed(t, place), shown.drawn(t)[:, :, place]
        mean = f"{_number(float(values.mean()))}{mean_error(found)}"
        spread = _number(float(values.std()))
        rows.append((escape(name), mean, spread, rhat(found), *effective(found)))
    many = counted(len(scene.chains), "chain")
    enough = f"At least {100 * len(scene.chains):,} effective draws, of bulk and tails, make R-hat and errors reliable."
    return table(heads, rows) + quiet(f"{t - shown.warmup:,} draws of {many}.{_switched(scene, t)} {enough}")


def _switched(scene: BroughtScene, t: int) -> str:
    """Say how often the order of a vector's elements has changed."""
    if len(scene.family) < 2:
        return ""
    return (
        f" The order of the elements has changed {counted(int(scene.switches[t]), 'time')} from one draw to the next."
    )


def _number(value: float) -> str:
    return "–" if value != value else significant(value, 4)


def code(scene: BroughtScene, t: int) -> str:
    """Return the function that computes the diagnostics: no sampler runs here."""
    return quiet("These draws were made elsewhere. What runs here are the diagnostics:") + listing(DIAGNOSED)
