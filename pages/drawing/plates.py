"""The plate diagram of a model: a circle for each quantity, an arrow for each dependence, a plate for repetition.

Grey circles are observed, dashed ones are integrated out, bare symbols are given. The quantity that is redrawn is lit,
and so is everything in its conditional: its Markov blanket, which extends through quantities that are integrated out.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from html import escape
from typing import Literal

WIDE, HIGH, ROUND = 84, 82, 21  # a column, a row and the radius of a circle, in pixels
LETTER = 6.2  # the width of a label's letter, about
STEP = 15  # pixels by which an outer plate extends below an inner one, for its label


@dataclass(frozen=True)
class Node:
    """A quantity of a model."""

    # symbol, says: its symbol, and a description in a few words
    symbol: str
    says: str
    place: tuple[float, float]  # its column and row in the picture
    # whether it is drawn, observed ("seen"), given, or integrated out ("out")
    kind: Literal["drawn", "seen", "given", "out"] = "drawn"


@dataclass(frozen=True)
class Diagram:
    """A model, with the quantities that are redrawn now."""

    nodes: Mapping[str, Node]  # the nodes, by name
    edges: tuple[tuple[str, str], ...]  # pairs of a parent and the node that depends on it
    # the names of the nodes on each plate, by the plate's label
    plates: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    redrawn: tuple[str, ...] = ()  # the names of the nodes that are redrawn, in order
    act: str = "Redrawn"  # the word for redrawing
    gone: str = "Integrated out"  # the word for nodes that are never drawn
    forward: bool = False  # whether nodes are drawn given their parents only, as when data are generated
    together: bool = False  # whether all are redrawn in one move, and not in turn
    # the names of the nodes that the redraw of a node integrates out, and that are redrawn after it, by its name
    without: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def reads(self, node: str) -> set[str]:
        """Return the nodes in the conditional of a node, with the node itself if it reads others on its plate."""
        return self._reads(node, {node}, self.without.get(node, ()))

    def _reads(self, node: str, seen: set[str], without: tuple[str, ...]) -> set[str]:
        """Return a node's Markov blanket, or only its parents, extended through nodes that are integrated out."""
        found: set[str] = set()
        for other in self._parents(node) if self.forward and node in self.redrawn else self._blanket(node):
            if self.nodes[other].kind != "out" and other not in without:
                found.add(other)
            elif other not in seen:
                itself = {node} if self.plates_of({node}) else set()
                found |= self._reads(other, seen | {other}, without) - {node} | itself
        return found

    def plates_of(self, nodes: Collection[str]) -> set[str]:
        """Return the plates that hold any of these nodes."""
        return {label for label, held in self.plates.items() if not set(held).isdisjoint(nodes)}

    def _parents(self, node: str) -> set[str]:
        return {parent for parent, child in self.edges if child == node}

    def _blanket(self, node: str) -> set[str]:
        """Return parents, children, and the children's other parents."""
        children = {child for parent, child in self.edges if parent == node}
        return (self._parents(node) | children).union(*map(self._parents, children)) - {node}


@dataclass(frozen=True)
class Factor:
    """A factor of the joint: the probability of some nodes given others."""

    # of, given: the names of the nodes
    of: frozenset[str]
    given: frozenset[str]
    tied: bool = False  # whether it is one factor for the whole plate, and not one for each item there

    @property
    def nodes(self) -> frozenset[str]:
        """All nodes in the factor."""
        return self.of | self.given


def factors(diagram: Diagram) -> list[Factor]:
    """Return the factors of the joint, in the order of the nodes.

    Integrating a node out merges all factors that contain it, which ties items on plates outside the node's own.
    """
    found = [
        Factor(frozenset({name}), frozenset(parent for parent, child in diagram.edges if child == name))
        for name, node in diagram.nodes.items()
        if node.kind != "given"
    ]
    for gone in (name for name, node in diagram.nodes.items() if node.kind == "out"):
        merged = [factor for factor in found if gone in factor.nodes]
        of = frozenset[str]().union(*(factor.of for factor in merged)) - {gone}
        given = frozenset[str]().union(*(factor.given for factor in merged)) - of - {gone}
        tied = any(factor.tied for factor in merged) or not diagram.plates_of(of) <= diagram.plates_of({gone})
        place = found.index(merged[0])
        found = [factor for factor in found if factor not in merged]
        found.insert(place, Factor(of, given, tied))
    return found


def panel(diagram: Diagram) -> str:
    """Return the diagram of the model with a line for each quantity, as HTML."""
    read = set().union(*map(diagram.reads, diagram.redrawn))
    told = _sentence(diagram) + _list(diagram, read)
    return f'<div class="model">{_picture(diagram, read)}<div>{told}</div>{_conditional(diagram)}</div>'


def _looks(name: str, node: Node, diagram: Diagram, read: Collection[str]) -> str:
    return " ".join([node.kind, *["redrawn"] * (name in diagram.redrawn), *["read"] * (name in read)])


def _sentence(diagram: Diagram) -> str:
    if not diagram.redrawn:
        left = any(node.kind == "drawn" for node in diagram.nodes.values())
        return f"<p>{'Nothing is redrawn yet.' if left else 'All labels are observed: nothing is left to redraw.'}</p>"
    if diagram.together:
        redrawn = _given(diagram, diagram.redrawn)
    else:
        redrawn = "; then ".join(_given(diagram, (name,)) for name in diagram.redrawn)
    out = [f"<i>{node.symbol}</i>" for node in diagram.nodes.values() if node.kind == "out"]
    gone = f" {diagram.gone}, and never drawn: {' and '.join(out)}." * bool(out)
    return f"<p>{diagram.act}: {redrawn}.{gone}</p>"


def _given(diagram: Diagram, names: tuple[str, ...]) -> str:
    """Return the symbols of nodes, and of the nodes in their conditional, in the order of the diagram."""
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


# ---- from the joint to the conditional -------------------------------------------------------------------------------


def _conditional(diagram: Diagram) -> str:
    """Return the joint, struck down to the conditional of the first redrawn node; "" for forward draws."""
    if diagram.forward or not diagram.redrawn:
        return ""
    names = frozenset(diagram.redrawn if diagram.together else diagram.redrawn[:1])
    joint = factors(_marginal(diagram, {gone for name in names for gone in diagram.without.get(name, ())}))
    one = frozenset() if diagram.together else names
    struck = (
        _written(diagram, factor, one) if factor.nodes & names else f"<s>{_written(diagram, factor)}</s>"
        for factor in joint
    )
    symbols = " and ".join(f"<i>{diagram.nodes[name].symbol}</i>" for name in diagram.redrawn if name in names)
    return (
        "<div><p><b>From the joint to the conditional.</b> Multiply the probabilities of everything drawn or observed: "
        f"{' '.join(_written(diagram, factor) for factor in joint)}.</p>"
        f"<p>Strike out what does not depend on {symbols}: {' '.join(struck)}. "
        f"What is left, divided by its sum or integral over {symbols}, is the conditional.</p></div>"
    )


def _marginal(diagram: Diagram, gone: Collection[str]) -> Diagram:
    """Return the diagram with these nodes integrated out."""
    nodes = {name: replace(node, kind="out") if name in gone else node for name, node in diagram.nodes.items()}
    return replace(diagram, nodes=nodes)


def _written(diagram: Diagram, factor: Factor, names: frozenset[str] = frozenset()) -> str:
    """Return a factor with a product over its plate; no product if a redrawn node is on that plate."""
    plates = diagram.plates_of(factor.of)
    many = plates and not factor.tied and not plates & diagram.plates_of(names)
    of, given = (
        ", ".join(node.symbol for name, node in diagram.nodes.items() if name in part)
        for part in (factor.of, factor.given)
    )
    told = f"{'all ' * factor.tied}<i>{of}</i>{f' | <i>{given}</i>' * bool(given)}"
    return f'<span class="joint">{"∏ " * bool(many)}p({told})</span>'


# ---- the picture -----------------------------------------------------------------------------------------------------


def _at(node: Node) -> tuple[float, float]:
    column, row = node.place
    return WIDE * (column + 0.5), HIGH * (row + 0.5)


def _picture(diagram: Diagram, read: Collection[str]) -> str:
    wide = WIDE * (1 + max(node.place[0] for node in diagram.nodes.values()))
    around = {label: _around(diagram, label) for label in diagram.plates}
    high = (
        HIGH * (1 + max(node.place[1] for node in diagram.nodes.values())) + 14 + STEP * max(around.values(), default=0)
    )
    parts = [
        _plate(label, [diagram.nodes[name] for name in names], around[label], 3 if _is_crowded(diagram, label) else 9)
        for label, names in diagram.plates.items()
    ]
    parts += [_arrow(diagram.nodes[one], diagram.nodes[other]) for one, other in diagram.edges]
    parts += [_circle(node, _looks(name, node, diagram, read)) for name, node in diagram.nodes.items()]
    told = "; ".join(f"{diagram.nodes[one].symbol} to {diagram.nodes[other].symbol}" for one, other in diagram.edges)
    return (
        f'<svg viewBox="0 0 {wide:g} {high:g}" style="max-width:{wide / 16:g}rem" role="img" '
        f'aria-label="The model as a picture. Arrows: {told}.">{"".join(parts)}</svg>'
    )


def _around(diagram: Diagram, label: str) -> int:
    """Return how many levels of other plates this plate is drawn around: inner ones, and later ones that cross it."""
    held, labels = set(diagram.plates[label]), list(diagram.plates)
    inner = (
        other
        for other in labels
        if other != label
        and held & set(diagram.plates[other])
        and (set(diagram.plates[other]) < held or labels.index(other) > labels.index(label))
        and not held < set(diagram.plates[other])
    )
    return max((1 + _around(diagram, other) for other in inner), default=0)


def _is_crowded(diagram: Diagram, label: str) -> bool:
    """Return whether another plate shares some of its nodes, and may be drawn around it."""
    return any({*diagram.plates[label]} & {*names} for other, names in diagram.plates.items() if other != label)


def _plate(label: str, nodes: list[Node], around: int, room: int) -> str:
    """Return a plate; a long label makes it wider, by at most that room on each side, in pixels."""
    columns, rows = ([node.place[axis] for node in nodes] for axis in (0, 1))
    left, top = WIDE * min(columns) + 11 - 4 * around, HIGH * min(rows) + 11 - 4 * around
    wide, high = WIDE * (1 + max(columns)) - 11 + 4 * around - left, HIGH * (1 + max(rows)) + 9 + STEP * around - top
    more = min(room, max(0, (LETTER * len(label) + 14 - wide) / 2))
    left, wide = left - more, wide + 2 * more
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
