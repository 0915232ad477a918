"""The model as a picture: what a setting integrates out is dashed, and what a step redraws is lit."""

from lessons.topics.gibbs_text import ALL_LABELS, GibbsTextSettings
from pages.drawing.models import Kind, Site, half_known, mixture, of_words, redrawn_at, without
from pages.drawing.plates import Diagram
from samplers.mixtures.labels import WEIGHTS
from samplers.mixtures.naive_bayes import WORD_PROBS


def diagram(settings: GibbsTextSettings, t: int, site: Site) -> Diagram:
    """Draw naive Bayes: words that have nothing to do with each other, given a class that is known or not."""
    variant, some = settings.variant, settings.known_labels > 0 and settings.layout != "three_times"
    equal = variant["weights"] == "equal"
    kind: dict[str, Kind] = {"explicit": "drawn", "collapsed": "out", "equal": "given"}
    own = {WEIGHTS: ("weights",), WORD_PROBS: ("content",)}
    every = some and (settings.known_labels == ALL_LABELS or settings.size == 0)
    drawn = mixture(
        ("γ", "π", "zₘ", "wₘₙ", "θₖ", "β"),
        (
            "Pseudo-count of each class",
            "How common each class is: 1/K" if equal else "How common each class is",
            "The class of message m",
            "Word n of message m",
            "Class k's probability of each word",
            "Pseudo-count of each word in each class",
        ),
        (
            "given",
            kind[variant["weights"]],
            "seen" if every else "drawn",
            "seen",
            kind[variant["word_probs"]],
            "given",
        ),
        ("M messages", "K classes"),
        redrawn_at(site, own, ("label", "content", "weights")) if t else (),
    )
    if some and not every:
        says = "The class of message l, whose label is shown", "Word n of message l"
        drawn = half_known(drawn, ("M messages, labels hidden", "L messages, labels shown"), ("zₗ", "wₗₙ"), says)
    if equal:
        drawn = without(drawn, "prior")
    return of_words(drawn, "Nₘ words")
