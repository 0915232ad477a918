"""The model as a picture: a chain of states, each with its value."""

from dataclasses import replace
from typing import Any

from lessons.stages.hidden_chain import HiddenChainSettings
from pages.drawing.plates import Diagram, Node
from samplers.hmm.concentrations import CONCENTRATIONS
from samplers.hmm.model import MEANS, TRANSITIONS, Forwards
from samplers.hmm.sticky import BASE

PATH = ("before", "label", "after")
TOP, OF_ROWS = "top", "of rows"
BLOCKS = {BASE: ("base",), CONCENTRATIONS: (OF_ROWS, TOP), TRANSITIONS: ("rows",), MEANS: ("means",)}
WITHOUT = {"base": ("rows",), OF_ROWS: ("rows",), TOP: ("base", "rows")}
EDGES = (
    ("before", "label"),
    ("label", "after"),
    ("label", "seen"),
    ("rows", "before"),
    ("rows", "label"),
    ("rows", "after"),
    ("means", "seen"),
)


def diagram(settings: HiddenChainSettings, t: int, site: object) -> Diagram:
    """Draw three hours of the chain, with the transitions above and the means below."""
    kind: Any = "drawn" if settings.parameters == "drawn" or settings.sticky else "given"
    nodes = {
        "rows": Node("A", "Probabilities of the next state, a row for each state", (1, 0), kind),
        "before": Node("zₜ₋₁", "The state of the hour before", (0, 1)),
        "label": Node("zₜ", "The state of hour t", (1, 1)),
        "after": Node("zₜ₊₁", "The state of the next hour", (2, 1)),
        "seen": Node("yₜ", "The value of hour t", (1, 2), "seen"),
        "means": Node("μ", "The mean of each state", (2, 2), kind),
    }
    edges: tuple[tuple[str, str], ...] = EDGES
    if settings.sticky:
        base = Node("b", "Base weights, which all rows share; κ adds to staying", (0, 0), "drawn")
        nodes = {"base": base, **nodes}
        edges = (("base", "rows"), *EDGES)
    if settings.learns:
        nodes = {name: replace(node, place=(node.place[0] + 1, node.place[1])) for name, node in nodes.items()}
        of_rows = Node("α, κ", "Pseudo-counts of a row: of all next states, and more for staying", (3, 0))
        nodes = {TOP: Node("γ", "Pseudo-counts of the base weights", (0, 0)), OF_ROWS: of_rows, **nodes}
        edges = ((TOP, "base"), (OF_ROWS, "rows"), *edges)
    redrawn = _redrawn(settings, site) if t else ()
    found = Diagram(nodes, edges, {}, redrawn, together=redrawn == PATH, without=WITHOUT)
    return replace(found, act="Summed out, before they are drawn") if isinstance(site, Forwards) else found


def _redrawn(settings: HiddenChainSettings, site: object) -> tuple[str, ...]:
    """Return the names of the nodes that are redrawn: a block's states are one draw, also while their sums are made."""
    if isinstance(site, str):
        return BLOCKS[site]
    states = PATH if settings.method == "block" else ("label",)
    if site is not None:
        return states
    base = (*(OF_ROWS, TOP) * settings.learns, "base") if settings.sticky else ()
    return (*states, *base, "rows", "means") if settings.parameters == "drawn" or settings.sticky else states
