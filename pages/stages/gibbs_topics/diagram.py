"""The model as a picture: a word's topic is drawn from its message's mixture, and the word from the topic."""

from __future__ import annotations

from dataclasses import replace

from lessons.stages.gibbs_topics import GibbsTopicsSettings
from pages.drawing.models import Site, mixture, redrawn_at
from pages.drawing.plates import Diagram
from samplers.topics.lda import TOPIC_PRIOR, WORD_PRIOR


def diagram(settings: GibbsTopicsSettings, t: int, site: Site) -> Diagram:
    """Draw latent Dirichlet allocation, with mixtures and word probabilities integrated out."""
    learned = settings.learning == "learned"
    prior = "drawn" if learned else "given"
    blocks = {TOPIC_PRIOR: ("prior",), WORD_PRIOR: ("base",)}
    drawn = mixture(
        ("α", "θₘ", "zₘₙ", "wₘₙ", "φₖ", "β"),
        (
            "Pseudo-count of each topic in each message",
            "How common each topic is in message m",
            "The topic of word n of message m",
            "Word n of message m",
            "Topic k's probability of each word",
            "Pseudo-count of each word in each topic",
        ),
        (prior, "out", "drawn", "seen", "out", prior),
        ("M messages", "K topics"),
        redrawn_at(site, blocks, ("label", "prior", "base")) if t else (),
    )
    return replace(
        drawn,
        plates={"M messages": ("weights", "label", "seen"), "Nₘ words": ("label", "seen"), "K topics": ("content",)},
    )
