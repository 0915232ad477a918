"""The models of the topics as pictures: what a setting integrates out is dashed, and what a step redraws is lit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from lessons.stages.coin import CoinSettings
from lessons.stages.crp_mixture import CRPMixtureSettings
from lessons.stages.crp_seating import CRPSeatingSettings
from lessons.stages.generative import GenerativeSettings
from lessons.stages.gibbs_blobs import GibbsBlobsSettings
from lessons.stages.gibbs_text import ALL_LABELS, GibbsTextSettings
from lessons.stages.ibp_buffet import IBPBuffetSettings
from lessons.stages.ibp_features import IBPFeaturesSettings
from lessons.stages.logistic import LogisticSettings
from lessons.stages.marginalise import MarginaliseSettings
from pages.drawing.plates import Diagram, Node
from samplers.buffet.linear_gaussian import CONCENTRATION, VARIANCES
from samplers.mixtures.finite import PARAMETERS
from samplers.mixtures.labels import WEIGHTS
from samplers.mixtures.naive_bayes import WORD_PROBS

Kind = Any  # of a node, as `Node` lists them
Site = Any  # what a frame redraws, of an iteration that is looked at update by update; None of a whole one
PARTS = {"naive": ("Feature j", "ⱼ"), "pairs": ("Pair j of features", "ⱼ"), "whole": ("The features", "")}
KNOWN = 1.4  # the row of what has a known label
MIXTURE = (("prior", "weights"), ("weights", "label"), ("label", "seen"), ("content", "seen"), ("base", "content"))


def _mixture(
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


def _of_words(diagram: Diagram, words: str) -> Diagram:
    """Put words on a plate of their own: given the class, they have nothing to do with each other."""
    inner = {words: tuple(name for name in ("seen", "shown") if name in diagram.nodes)[:1]}
    if "shown" in diagram.nodes:
        inner[words.replace("ₘ", "ₗ")] = ("shown",)
    return replace(diagram, plates={**diagram.plates, **inner})


def _half_known(diagram: Diagram, plates: tuple[str, str], symbols: tuple[str, str], says: tuple[str, str]) -> Diagram:
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


def coin(settings: CoinSettings, t: int) -> Diagram:
    """Draw a probability, and tosses that depend on it."""
    nodes = {
        "prior": Node("a, b", "Heads and tails that the prior counts as if they had been seen", (0, 0), "given"),
        "theta": Node("θ", "The probability of heads", (1, 0)),
        "toss": Node("xₙ", "A toss: heads or tails", (2, 0), "seen"),
    }
    acts = {"tosses": "Learned from one more toss", "draws": "Drawn", "chain": "A step is proposed for"}
    edges = (("prior", "theta"), ("theta", "toss"))
    return Diagram(nodes, edges, {"N tosses": ("toss",)}, ("theta",) * bool(t), acts[settings.method])


def why_sample(t: int) -> Diagram:
    """Draw points in groups, of which each has a centre of its own that is not drawn."""
    return _mixture(
        ("α", "π", "zᵢ", "xᵢ", "θₖ", "G₀"),
        (
            "Concentration: the weight of a new group",
            "The groups' weights, endlessly many",
            "The group of point i",
            "Point i",
            "Group k's centre",
            "The prior of a group's centre",
        ),
        ("given", "out", "drawn", "seen", "out", "given"),
        ("N points", "∞ groups"),
        ("label",) * bool(t),
    )


def crp_seating(settings: CRPSeatingSettings, t: int) -> Diagram:
    """Draw the restaurant: a stick that the seating rule need not break, and that is broken where it is the recipe."""
    stick, discount = settings.door == "stick", settings.discount > 0
    nodes = {
        "alpha": Node("α", "Concentration: the weight of a new table", (0, 0), "given"),
        "weights": Node(
            "π", "The tables' weights, endlessly many: a broken stick", (1, 0), "drawn" if stick else "out"
        ),
        "label": Node("zₙ", "The table of customer n", (2, 0)),
    }
    edges: tuple[tuple[str, str], ...] = (("alpha", "weights"), ("weights", "label"))
    if discount:
        nodes["discount"] = Node("d", "Discount: what each table loses to the new one", (1, 1), "given")
        edges = (*edges, ("discount", "weights"))
    redrawn = ("weights", "label") if stick else ("label",)
    return Diagram(nodes, edges, {"N customers": ("label",)}, redrawn if t else (), "Drawn", forward=True)


def crp_mixture(settings: CRPMixtureSettings, t: int, site: Site) -> Diagram:
    """Draw points at tables, each table with parameters of its own."""
    learned = settings.learning == "learned"
    blocks = ("label", "prior") if site is None else ("prior",) if isinstance(site, str) else ("label",)
    return _mixture(
        ("α", "π", "zᵢ", "xᵢ", "θₖ", "G₀"),
        (
            "Concentration: the weight of a new table",
            "The tables' weights, endlessly many",
            "The table of point i",
            "Point i",
            "Table k's mean, and its spread if that is learned",
            "The prior of a table's parameters",
        ),
        ("drawn" if learned else "given", "out", "drawn", "seen", "out", "given"),
        ("N points", "∞ tables"),
        blocks if t else (),
    )


def crp_story(t: int) -> Diagram:
    """Draw the same while points are made: labels, dishes and points are drawn in turn, and nothing is seen yet."""
    turns = ("label", "content", "seen")
    drawn = _mixture(
        ("α", "π", "zᵢ", "xᵢ", "θₖ", "G₀"),
        (
            "Concentration: the weight of a new table",
            "The tables' weights, endlessly many",
            "The table of point i",
            "Point i",
            "Table k's dish: its mean",
            "What dishes are drawn from",
        ),
        ("given", "out", "drawn", "drawn", "drawn", "given"),
        ("N points", "∞ tables"),
        (turns[(t - 1) % len(turns)],) if t else (),
    )
    return replace(drawn, act="Drawn", forward=True)


def gibbs_blobs(settings: GibbsBlobsSettings, t: int, site: Site) -> Diagram:
    """Draw a mixture of K components, or of as many as a CRP opens."""
    crp = settings.model == "CRP"
    block: Kind = "drawn" if settings.blocks == "uncollapsed" and not crp else "out"
    own = {WEIGHTS: ("weights",), PARAMETERS: ("content",)}
    return _mixture(
        ("α" if crp else "a", "π", "zᵢ", "xᵢ", "θₖ", "G₀"),
        (
            "Concentration: the weight of a new component" if crp else "Pseudo-count of each component",
            "The components' weights",
            "The component of point i",
            "Point i",
            "Component k's probabilities of directions"
            if settings.components == "multinomial"
            else "Component k's mean and spread",
            "The prior of a component's parameters",
        ),
        ("given", block, "drawn", "seen", block, "given"),
        ("N points", "∞ components" if crp else "K components"),
        _at(site, own, ("label", "weights", "content")) if t else (),
    )


def gibbs_text(settings: GibbsTextSettings, t: int, site: Site) -> Diagram:
    """Draw naive Bayes: words that have nothing to do with each other, given a class that is known or not."""
    variant, some = settings.variant, settings.known_labels > 0 and settings.layout != "three_times"
    explicit: dict[str, Kind] = {"explicit": "drawn", "collapsed": "out"}
    own = {WEIGHTS: ("weights",), WORD_PROBS: ("content",)}
    every = some and (settings.known_labels == ALL_LABELS or settings.size == 0)
    diagram = _mixture(
        ("γ", "π", "zₘ", "wₘₙ", "θₖ", "β"),
        (
            "Pseudo-count of each class",
            "How common each class is",
            "The class of message m",
            "Word n of message m",
            "Class k's probability of each word",
            "Pseudo-count of each word in each class",
        ),
        (
            "given",
            explicit[variant["weights"]],
            "seen" if every else "drawn",
            "seen",
            explicit[variant["word_probs"]],
            "given",
        ),
        ("M messages", "K classes"),
        _at(site, own, ("label", "content", "weights")) if t else (),
    )
    if some and not every:
        says = "The class of message l, whose label is shown", "Word n of message l"
        diagram = _half_known(diagram, ("M messages, labels hidden", "L messages, labels shown"), ("zₗ", "wₗₙ"), says)
    return _of_words(diagram, "Nₘ words")


def ibp_buffet(settings: IBPBuffetSettings, t: int) -> Diagram:
    """Draw the buffet, or the finite model: how popular each dish is need not be drawn."""
    number = settings.number_of_columns
    alpha = "how many dishes a customer takes on average" if number is None else "each πₖ is Beta(α/K, 1)"
    nodes = {
        "alpha": Node("α", f"Concentration: {alpha}", (0, 0), "given"),
        "popular": Node("πₖ", f"How popular {'dish' if number is None else 'column'} k is", (1, 0), "out"),
        "bit": Node("zₙₖ", f"Whether customer n takes {'dish' if number is None else 'column'} k", (2, 0)),
    }
    edges = (("alpha", "popular"), ("popular", "bit"))
    dishes = "∞ dishes" if number is None else f"K = {number} columns"
    plates = {dishes: ("popular", "bit"), "N customers": ("bit",)}
    return Diagram(nodes, edges, plates, ("bit",) * bool(t), "Drawn", forward=True)


def ibp_features(settings: IBPFeaturesSettings, t: int, site: Site) -> Diagram:
    """Draw rows that are sums of features."""
    variances: Kind = "drawn" if settings.redrawn in ("variances", "all") else "given"
    alpha: Kind = "drawn" if settings.redrawn in ("concentration", "all") else "given"
    nodes = {
        "alpha": Node("α", "Concentration: how many features a row is expected to have", (0, 0), alpha),
        "popular": Node("πₖ", "How common feature k is", (1, 0), "out"),
        "bit": Node("zₙₖ", "Whether row n has feature k", (2, 0)),
        "seen": Node("xₙ", "Row n: the sum of its features, and noise", (3, 0), "seen"),
        "content": Node("aₖ", "Loadings: what feature k adds to each number", (1, 1), "out"),
        "spread": Node("σₐ", "Standard deviation of the loadings", (0, 1), variances),
        "noise": Node("σₓ", "Standard deviation of the noise", (4, 0), variances),
    }
    edges = (("alpha", "popular"), ("popular", "bit"), ("bit", "seen"), ("content", "seen"), ("spread", "content"))
    own = {VARIANCES: ("spread", "noise"), CONCENTRATION: ("alpha",)}
    redrawn = _at(site, own, ("bit", "spread", "noise", "alpha")) if t else ()
    lit = tuple(name for name in redrawn if nodes[name].kind == "drawn")
    plates = {"∞ features": ("popular", "bit", "content"), "N rows": ("bit", "seen")}
    return Diagram(nodes, (*edges, ("noise", "seen")), plates, lit)


def generative(settings: GenerativeSettings, t: int) -> Diagram:
    """Draw the story from which examples come: first a class, then what it looks like."""
    story, hidden = settings.method == "story", settings.method == "labels"
    out: Kind = "given" if story else "out"
    redrawn = ("label", "seen") if story else ("label",) if hidden else ("weights", "content")
    every = hidden and settings.labelled >= settings.points and settings.data != "own"
    kinds: tuple[Kind, ...] = ("given", out, "seen" if every else "drawn", "drawn" if story else "seen", out, "given")
    if not (story or hidden):
        kinds = ("given", "drawn", "seen", "seen", "drawn", "given")
    part, index = PARTS[settings.grouping]
    diagram = _mixture(
        ("a, b", "π", "yₙ", f"xₙ{index}", f"θₖ{index}", "G₀"),
        (
            "Pseudo-counts of the classes",
            "How common each class is",
            "The class of example n",
            f"{part} of example n",
            "How class k looks" + f" in {part.lower()}" * bool(index),
            "The prior of how a class looks",
        ),
        kinds,
        ("N examples", "K classes"),
        (),
    )
    if hidden and settings.labelled and not every:
        says = "The class of example l, whose label is known", f"{part} of example l"
        plates = ("N examples, labels hidden", "L examples, labels known")
        diagram = _half_known(diagram, plates, ("yₗ", f"xₗ{index}"), says)
    if index:
        seen = tuple(name for name in ("seen", "shown", "content") if name in diagram.nodes)
        name = "J features" if settings.grouping == "naive" else "J pairs of features"
        diagram = replace(diagram, plates={name: seen, **diagram.plates})
    act = "Drawn" if story else "Redrawn" if hidden else "Learned, by formula, from one more example"
    return replace(diagram, redrawn=redrawn if t and not every else (), act=act, forward=story)


def logistic(settings: LogisticSettings, t: int) -> Diagram:
    """Draw weights, and labels that depend on them and on the points."""
    line, classes = settings.likelihood == "normal", settings.likelihood == "softmax"
    flat = settings.prior == "flat" and settings.likelihood == "logistic"
    said = {
        "normal": ("w", "The weights: intercept and slope", "tₙ", "The number t of point n"),
        "softmax": ("wₖ", "The weights of class k", "yₙ", "The class of point n"),
        "logistic": ("w", "The weights: which side of the plane is which, and how sure", "yₙ", "The label of point n"),
    }[settings.likelihood]
    nodes = {
        "weights": Node(*said[:2], (1, 0)),
        "label": Node(*said[2:], (2, 0), "seen"),
        "point": Node("xₙ", "The features of point n; nobody asks where they come from", (3, 0), "given"),
    }
    if line:
        nodes["noise"] = Node("β", "Precision of the noise: 1/β is its variance", (2, 1), "given")
    if not flat:
        nodes = {"prior": Node("λ", "Precision of the Normal prior", (0, 0), "given")} | nodes
    edges = (("prior", "weights"),) * (not flat) + (("weights", "label"), ("point", "label"))
    edges += (("noise", "label"),) * line
    acts = {
        "newton": "Moved towards the mode",
        "gradient": "Moved towards the mode",
        "chain": "A step is proposed for",
        "points": "Learned from one more point",
    }
    plates: dict[str, tuple[str, ...]] = {"N points": ("label", "point")}
    if classes:
        plates["3 classes"] = ("weights",)
    return Diagram(nodes, edges, plates, ("weights",) * bool(t), acts[settings.method])


def marginalise(settings: MarginaliseSettings, t: int) -> Diagram:
    """Draw a mixture whose labels are summed out, so that gradients can move all that is left."""
    if settings.model == "two means":
        nodes = {
            "weights": Node("½", "Both components are equally common", (0, 0), "given"),
            "label": Node("zₙ", "The component of point n", (1, 0), "out"),
            "seen": Node("yₙ", "Point n", (2, 0), "seen"),
            "content": Node("μₖ", "The mean of component k", (3, 0)),
            "base": Node("σ", "The prior's spread of the means", (4, 0), "given"),
        }
        plates = {"N points": ("label", "seen"), "2 components": ("content",)}
        diagram = Diagram(nodes, MIXTURE[1:], plates, ("content",) * bool(t))
        return replace(diagram, act="Moved together", gone="Summed out", together=True)
    known = settings.variant in ("supervised", "prediction")
    some = settings.variant == "full Bayes" and settings.known_labels > 0
    diagram = _mixture(
        ("α", "θ", "zₘ", "wₘₙ", "φₖ", "β"),
        (
            "Pseudo-count of each class",
            "How common each class is",
            "The class of document m; those without a label teach nothing"
            if settings.variant == "prediction"
            else "The class of document m",
            "Word n of document m",
            "Class k's probability of each word",
            "Pseudo-count of each word in each class",
        ),
        ("given", "drawn", "seen" if known else "out", "seen", "drawn", "given"),
        ("M documents", "K classes"),
        ("weights", "content") if t else (),
    )
    if some:
        says = "The class of document l, whose label is data", "Word n of document l"
        diagram = _half_known(diagram, ("M documents, no label", "L documents, labelled"), ("zₗ", "wₗₙ"), says)
    return replace(_of_words(diagram, "Nₘ words"), act="Moved together", gone="Summed out", together=True)


def _at(site: Site, own: Mapping[str, tuple[str, ...]], whole: tuple[str, ...]) -> tuple[str, ...]:
    """Return the nodes that are redrawn at a site: a block's, or labels; without a site, those of a `whole` sweep."""
    return whole if site is None else own[site] if isinstance(site, str) else whole[:1]
