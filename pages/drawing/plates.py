"""A model as a picture: a circle for each quantity, an arrow for each dependence, a plate around what there is many of.

Grey circles are seen, dashed ones are integrated out, bare symbols are given. The quantity that is redrawn is lit, and
so is all that its conditional reads: its Markov blanket, which reaches through what is integrated out.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from html import escape
from typing import Literal

WIDE, HIGH, ROUND = 84, 82, 21  # a column, a row and the radius of a circle, in pixels


@dataclass(frozen=True)
class Node:
    """A quantity of a model.

    Attributes
    ----------
    symbol, says : str
        Its symbol, and what it is in a few words.
    place : tuple of float
        Column and row in the picture.
    kind : str
        Whether it is drawn, seen, given, or integrated out.
    """

    symbol: str
    says: str
    place: tuple[float, float]
    kind: Literal["drawn", "seen", "given", "out"] = "drawn"


@dataclass(frozen=True)
class Diagram:
    """A model, and what is redrawn of it now.

    Attributes
    ----------
    nodes : mapping
        By name.
    edges : tuple of (str, str)
        From what is conditioned on to what depends on it.
    plates : mapping
        The names of the nodes on each plate, by its label.
    redrawn : tuple of str
        Names of the nodes that are redrawn, in turn.
    act : str
        How that is called.
    gone : str
        How it is called that nodes are not drawn.
    forward : bool
        Whether nodes are drawn from what they depend on alone, as data are made.
    together : bool
        Whether they are redrawn in one move, and not in turn.
    """

    nodes: Mapping[str, Node]
    edges: tuple[tuple[str, str], ...]
    plates: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    redrawn: tuple[str, ...] = ()
    act: str = "Redrawn"
    gone: str = "Integrated out"
    forward: bool = False
    together: bool = False

    def reads(self, node: str) -> set[str]:
        """Return the nodes that a node is drawn from; itself among them if it reads others of its plate."""
        return self._reads(node, {node})

    def _reads(self, node: str, seen: set[str]) -> set[str]:
        """Return a node's blanket, or its parents alone, with that of each node in it that is integrated out."""
        found: set[str] = set()
        for other in self._parents(node) if self.forward and node in self.redrawn else self._blanket(node):
            if self.nodes[other].kind != "out":
                found.add(other)
            elif other not in seen:
                found |= self._reads(other, seen | {other}) - {node} | ({node} if self._is_one_of_many(node) else set())
        return found

    def _is_one_of_many(self, node: str) -> bool:
        return any(node in names for names in self.plates.values())

    def _parents(self, node: str) -> set[str]:
        return {parent for parent, child in self.edges if child == node}

    def _blanket(self, node: str) -> set[str]:
        """Return parents, children, and the children's other parents."""
        children = {child for parent, child in self.edges if parent == node}
        return (self._parents(node) | children).union(*map(self._parents, children)) - {node}


def panel(diagram: Diagram) -> str:
    """Return a picture of the model with a line for each of its quantities, as HTML."""
    read = set().union(*map(diagram.reads, diagram.redrawn))
    return f'<div class="model">{_picture(diagram, read)}<div>{_sentence(diagram)}{_list(diagram, read)}</div></div>'


def _looks(name: str, node: Node, diagram: Diagram, read: Collection[str]) -> str:
    return " ".join([node.kind, *["redrawn"] * (name in diagram.redrawn), *["read"] * (name in read)])


def _sentence(diagram: Diagram) -> str:
    if not diagram.redrawn:
        return "<p>Nothing is redrawn yet.</p>"
    if diagram.together:
        redrawn = _given(diagram, diagram.redrawn)
    else:
        redrawn = "; then ".join(_given(diagram, (name,)) for name in diagram.redrawn)
    out = [f"<i>{node.symbol}</i>" for node in diagram.nodes.values() if node.kind == "out"]
    gone = f" {diagram.gone}, and never drawn: {' and '.join(out)}." * bool(out)
    return f"<p>{diagram.act}: {redrawn}.{gone}</p>"


def _given(diagram: Diagram, names: tuple[str, ...]) -> str:
    """Return the symbols of nodes, and of those that they are drawn from together, in the order of the nodes."""
    read = set().union(*map(diagram.reads, names)) - (set(names) if diagram.together else set())
    drawn = " and ".join(f"<b><i>{diagram.nodes[name].symbol}</i></b>" for name in names)
    given = (
        f"{'the others’ ' * (name in names)}<i>{node.symbol}</i>"
        for name, node in diagram.nodes.items()
        if name in read
    )
    return f"{drawn} given {', '.join(given)}"


def _list(diagram: Diagram, read: Collection[str]) -> str:
    rows = (
        f'<dt class="{_looks(name, node, diagram, read)}">{node.symbol}</dt><dd>{escape(node.says)}</dd>'
        for name, node in diagram.nodes.items()
    )
    return f"<dl>{''.join(rows)}</dl>"


# ---- the picture -----------------------------------------------------------------------------------------------------


def _at(node: Node) -> tuple[float, float]:
    column, row = node.place
    return WIDE * (column + 0.5), HIGH * (row + 0.5)


def _picture(diagram: Diagram, read: Collection[str]) -> str:
    wide = WIDE * (1 + max(node.place[0] for node in diagram.nodes.values()))
    high = HIGH * (1 + max(node.place[1] for node in diagram.nodes.values())) + 14
    parts = [_plate(label, [diagram.nodes[name] for name in names]) for label, names in diagram.plates.items()]
    parts += [_arrow(diagram.nodes[one], diagram.nodes[other]) for one, other in diagram.edges]
    parts += [_circle(node, _looks(name, node, diagram, read)) for name, node in diagram.nodes.items()]
    told = "; ".join(f"{diagram.nodes[one].symbol} to {diagram.nodes[other].symbol}" for one, other in diagram.edges)
    return (
        f'<svg viewBox="0 0 {wide:g} {high:g}" style="max-width:{wide:g}px" role="img" '
        f'aria-label="The model as a picture. Arrows: {told}.">{"".join(parts)}</svg>'
    )


def _plate(label: str, nodes: list[Node]) -> str:
    columns, rows = ([node.place[axis] for node in nodes] for axis in (0, 1))
    left, top = WIDE * min(columns) + 7, HIGH * min(rows) + 7
    wide, high = WIDE * (1 + max(columns)) - 7 - left, HIGH * (1 + max(rows)) + 9 - top
    return (
        f'<rect class="plate" x="{left:g}" y="{top:g}" width="{wide:g}" height="{high:g}" rx="8"/>'
        f'<text class="label" x="{left + 7:g}" y="{top + high - 6:g}">{escape(label)}</text>'
    )


def _arrow(one: Node, other: Node) -> str:
    (x, y), (to_x, to_y) = _at(one), _at(other)
    long = ((to_x - x) ** 2 + (to_y - y) ** 2) ** 0.5
    along = ((to_x - x) / long, (to_y - y) / long)
    x, y = x + along[0] * (ROUND + 2), y + along[1] * (ROUND + 2)
    to_x, to_y = to_x - along[0] * (ROUND + 3), to_y - along[1] * (ROUND + 3)
    back = (to_x - 8 * along[0], to_y - 8 * along[1])
    side = (4 * along[1], -4 * along[0])
    head = f"{to_x:g},{to_y:g} {back[0] + side[0]:g},{back[1] + side[1]:g} {back[0] - side[0]:g},{back[1] - side[1]:g}"
    look = "out" if "out" in (one.kind, other.kind) else ""
    return f'<g class="{look}"><path d="M{x:g},{y:g}L{back[0]:g},{back[1]:g}"/><polygon points="{head}"/></g>'


def _circle(node: Node, looks: str) -> str:
    x, y = _at(node)
    return (
        f'<g class="{looks}"><title>{escape(node.says)}</title><circle cx="{x:g}" cy="{y:g}" r="{ROUND}"/>'
        f'<text x="{x:g}" y="{y:g}">{node.symbol}</text></g>'
    )
