"""The model as a picture: a chain of states, each with its value."""

from dataclasses import replace

from lessons.topics.hidden_chain import HiddenChainSettings
from pages.drawing.models import Kind
from pages.drawing.plates import Diagram, Node
from pages.topics.hidden_chain.methods import METHODS, PATH
from samplers.hmm.concentrations import CONCENTRATIONS
from samplers.hmm.model import MEANS, TRANSITIONS, Forwards
from samplers.hmm.sticky import BASE

Edges = tuple[tuple[str, str], ...]
TOP, OF_ROWS = "top", "of rows"
BLOCKS = {BASE: ("base",), CONCENTRATIONS: (OF_ROWS, TOP), TRANSITIONS: ("rows",), MEANS: ("means",)}
WITHOUT = {"base": ("rows",), OF_ROWS: ("rows",), TOP: ("base", "rows")}
EDGES: Edges = (
    ("before", "label"),
    ("label", "after"),
    ("label", "seen"),
    ("rows", "before"),
    ("rows", "label"),
    ("rows", "after"),
    ("means", "seen"),
)


def of_states(settings: HiddenChainSettings, t: int, site: object) -> Diagram:
    """Draw three hours of the chain, with the transitions above and the means below."""
    drawn = settings.parameters == "drawn"
    return _diagram(_nodes("drawn" if drawn else "given"), EDGES, settings, t, site, ("rows", "means") * drawn)


def of_sticky(settings: HiddenChainSettings, t: int, site: object) -> Diagram:
    """Draw the same with the base weights that all rows share, and what these come from if that is learned."""
    base = Node("b", "Base weights, which all rows share; κ adds to staying", (0, 0), "drawn")
    nodes = {"base": base, **_nodes("drawn")}
    edges: Edges = (("base", "rows"), *EDGES)
    parameters: tuple[str, ...] = ("base", "rows", "means")
    if settings.learns:
        nodes = {name: replace(node, place=(node.place[0] + 1, node.place[1])) for name, node in nodes.items()}
        of_rows = Node("α, κ", "Pseudo-counts of a row: of all next states, and more for staying", (3, 0))
        nodes = {TOP: Node("γ", "Pseudo-counts of the base weights", (0, 0)), OF_ROWS: of_rows, **nodes}
        edges = ((TOP, "base"), (OF_ROWS, "rows"), *edges)
        parameters = (OF_ROWS, TOP, *parameters)
    return _diagram(nodes, edges, settings, t, site, parameters)


def _nodes(kind: Kind) -> dict[str, Node]:
    return {
        "rows": Node("A", "Probabilities of the next state, a row for each state", (1, 0), kind),
        "before": Node("zₜ₋₁", "The state of the hour before", (0, 1)),
        "label": Node("zₜ", "The state of hour t", (1, 1)),
        "after": Node("zₜ₊₁", "The state of the next hour", (2, 1)),
        "seen": Node("yₜ", "The value of hour t", (1, 2), "seen"),
        "means": Node("μ", "The mean of each state", (2, 2), kind),
    }


def _diagram(
    nodes: dict[str, Node],
    edges: Edges,
    settings: HiddenChainSettings,
    t: int,
    site: object,
    parameters: tuple[str, ...],
) -> Diagram:
    """Return the diagram; a block's states are one draw, also while their sums are made."""
    states = METHODS[settings.method].redrawn
    redrawn = BLOCKS[site] if isinstance(site, str) else states if site is not None else (*states, *parameters)
    shown = redrawn if t else ()
    found = Diagram(nodes, edges, {}, shown, together=shown == PATH, without=WITHOUT)
    return replace(found, act="Summed out, before they are drawn") if isinstance(site, Forwards) else found
