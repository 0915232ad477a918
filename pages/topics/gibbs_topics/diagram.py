"""The model as a picture: a word's topic is drawn from its message's mixture, and the word from the topic."""

from dataclasses import replace

from lessons.topics.gibbs_topics import GibbsTopicsSettings
from pages.drawing.models import MIXTURE, Kind, Site, mixture, redrawn_at
from pages.drawing.plates import Diagram, Node
from samplers.topics.hdp import BASE, TOP
from samplers.topics.lda import TOPIC_PRIOR, WORD_PRIOR

WORDS = ("label", "seen")
LOWER = 1.2  # the row of what the base weights come from


def allocation(settings: GibbsTopicsSettings, t: int, site: Site) -> Diagram:
    """Draw latent Dirichlet allocation."""
    prior = _prior(settings)
    blocks = {TOPIC_PRIOR: ("prior",), WORD_PRIOR: ("base",)}
    symbols = ("α", "θₘ", "zₘₙ", "wₘₙ", "φₖ", "β")
    redrawn = redrawn_at(site, blocks, ("label", "prior", "base")) if t else ()
    says = ("Pseudo-count of each topic in each message", *SAYS)
    drawn = mixture(symbols, says, (prior, *KINDS, prior), ("M messages", "K topics"), redrawn)
    return replace(drawn, plates={"M messages": ("weights", *WORDS), "Nₘ words": WORDS, "K topics": ("content",)})


def franchise(settings: GibbsTopicsSettings, t: int, site: Site) -> Diagram:
    """Draw the hierarchical Dirichlet process."""
    symbols, prior = ("b", "θₘ", "zₘₙ", "wₘₙ", "φₖ", "β"), _prior(settings)
    says = ("Base weights of all topics, which messages share", *SAYS)
    drawn = mixture(symbols, says, ("drawn", *KINDS, prior), ("M messages", "∞ topics"), ())
    nodes = {
        **drawn.nodes,
        "top": Node("γ", "Asks for many topics if large", (0, LOWER), prior),
        "concentration": Node("α", "Pseudo-counts of all topics together in each message", (1, LOWER), prior),
    }
    edges = (*MIXTURE, ("top", "prior"), ("concentration", "weights"))
    plates = {"M messages": ("weights", *WORDS), "Nₘ words": WORDS, "∞ topics": ("content",)}
    blocks = {TOPIC_PRIOR: ("concentration",), WORD_PRIOR: ("base",), TOP: ("top",), BASE: ("prior",)}
    learned = ("concentration", "base", "top") if settings.learns else ()
    redrawn = redrawn_at(site, blocks, ("label", *learned, "prior")) if t else ()
    return replace(drawn, nodes=nodes, edges=edges, plates=plates, redrawn=redrawn)


def _prior(settings: GibbsTopicsSettings) -> Kind:
    """Return how α, β and γ are drawn."""
    return "drawn" if settings.learns else "given"


KINDS = ("out", "drawn", "seen", "out")  # of the nodes between both priors
SAYS = (
    "How common each topic is in message m",
    "The topic of word n of message m",
    "Word n of message m",
    "Topic k's probability of each word",
    "Pseudo-count of each word in each topic",
)
