"""Parts of model diagrams that topics share: a mixture in one line, and the nodes that a step redraws."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from pages.drawing.plates import Diagram, Node

Kind = Any  # of a node, as `Node` lists them
Site = Any  # what a frame redraws, of an iteration that is looked at update by update; None of a whole one
KNOWN = 1.4  # the row of what has a known label
MIXTURE = (("prior", "weights"), ("weights", "label"), ("label", "seen"), ("content", "seen"), ("base", "content"))


def mixture(
    symbols: Sequence[str], says: Sequence[str], kinds: Sequence[Kind], plates: tuple[str, str], redrawn: Sequence[str]
) -> Diagram:
    """Return a mixture in one line: prior, weights, label, data, content of a component, and its prior."""
    names = ("prior", "weights", "label", "seen", "content", "base")
    nodes = {
        name: Node(symbol, said, (column, 0), kind)
        for column, (name, symbol, said, kind) in enumerate(zip(names, symbols, says, kinds, strict=True))
    }
    lit = tuple(name for name in redrawn if nodes[name].kind == "drawn")
    return Diagram(nodes, MIXTURE, {plates[0]: ("label", "seen"), plates[1]: ("content",)}, lit)


def without(diagram: Diagram, name: str) -> Diagram:
    """Take a node and its edges out of a diagram, and move what is left to the left edge."""
    kept = {other: node for other, node in diagram.nodes.items() if other != name}
    left = min(node.place[0] for node in kept.values())
    nodes = {other: replace(node, place=(node.place[0] - left, node.place[1])) for other, node in kept.items()}
    return replace(diagram, nodes=nodes, edges=tuple(edge for edge in diagram.edges if name not in edge))


def of_words(diagram: Diagram, words: str) -> Diagram:
    """Put words on a plate of their own: given the class, they have nothing to do with each other."""
    inner = {words: tuple(name for name in ("seen", "shown") if name in diagram.nodes)[:1]}
    if "shown" in diagram.nodes:
        inner[words.replace("ₘ", "ₗ")] = ("shown",)
    return replace(diagram, plates={**diagram.plates, **inner})


def half_known(diagram: Diagram, plates: tuple[str, str], symbols: tuple[str, str], says: tuple[str, str]) -> Diagram:
    """Draw what has a known label in a row of its own, below what has none: of the same model, and shaded."""
    (column, _), (further, _) = diagram.nodes["label"].place, diagram.nodes["seen"].place
    nodes = {
        **diagram.nodes,
        "known": Node(symbols[0], says[0], (column, KNOWN), "seen"),
        "shown": Node(symbols[1], says[1], (further, KNOWN), "seen"),
    }
    edges = (*diagram.edges, ("weights", "known"), ("known", "shown"), ("content", "shown"))
    kept = {label: names for label, names in diagram.plates.items() if "label" not in names}
    return replace(
        diagram, nodes=nodes, edges=edges, plates={plates[0]: ("label", "seen"), plates[1]: ("known", "shown"), **kept}
    )


def redrawn_at(site: Site, own: Mapping[str, tuple[str, ...]], whole: tuple[str, ...]) -> tuple[str, ...]:
    """Return the nodes that are redrawn at a site: a block's, or labels; without a site, those of a `whole` sweep."""
    return whole if site is None else own[site] if isinstance(site, str) else whole[:1]
