"""The model as a picture: a word's topic is drawn from its message's mixture, and the word from the topic."""

from __future__ import annotations

from dataclasses import replace

from lessons.stages.gibbs_topics import GibbsTopicsSettings
from pages.drawing.models import MIXTURE, Site, mixture, redrawn_at
from pages.drawing.plates import Diagram, Node
from samplers.topics.hdp import BASE
from samplers.topics.lda import TOPIC_PRIOR, WORD_PRIOR

WORDS = ("label", "seen")
LOWER = 1.2  # the row of what the base weights come from


def diagram(settings: GibbsTopicsSettings, t: int, site: Site) -> Diagram:
    """Draw the model, with mixtures and word probabilities integrated out."""
    return _franchise(t, site) if settings.hdp else _allocation(settings, t, site)


def _allocation(settings: GibbsTopicsSettings, t: int, site: Site) -> Diagram:
    """Draw latent Dirichlet allocation."""
    prior = "drawn" if settings.learning == "learned" else "given"
    blocks = {TOPIC_PRIOR: ("prior",), WORD_PRIOR: ("base",)}
    symbols = ("α", "θₘ", "zₘₙ", "wₘₙ", "φₖ", "β")
    redrawn = redrawn_at(site, blocks, ("label", "prior", "base")) if t else ()
    says = ("Pseudo-count of each topic in each message", *SAYS)
    drawn = mixture(symbols, says, (prior, *KINDS, prior), ("M messages", "K topics"), redrawn)
    return replace(drawn, plates={"M messages": ("weights", *WORDS), "Nₘ words": WORDS, "K topics": ("content",)})


def _franchise(t: int, site: Site) -> Diagram:
    """Draw the hierarchical Dirichlet process."""
    symbols = ("b", "θₘ", "zₘₙ", "wₘₙ", "φₖ", "β")
    redrawn = redrawn_at(site, {BASE: ("prior",)}, ("label", "prior")) if t else ()
    says = ("Base weights of all topics, which messages share", *SAYS)
    drawn = mixture(symbols, says, ("drawn", *KINDS, "given"), ("M messages", "∞ topics"), redrawn)
    nodes = {
        **drawn.nodes,
        "top": Node("γ", "Asks for many topics if large", (0, LOWER), "given"),
        "concentration": Node("α", "Pseudo-counts of all topics together in each message", (1, LOWER), "given"),
    }
    edges = (*MIXTURE, ("top", "prior"), ("concentration", "weights"))
    plates = {"M messages": ("weights", *WORDS), "Nₘ words": WORDS, "∞ topics": ("content",)}
    return replace(drawn, nodes=nodes, edges=edges, plates=plates)


KINDS = ("out", "drawn", "seen", "out")  # of the nodes between both priors
SAYS = (
    "How common each topic is in message m",
    "The topic of word n of message m",
    "Word n of message m",
    "Topic k's probability of each word",
    "Pseudo-count of each word in each topic",
)
