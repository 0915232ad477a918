"""The model as a picture: what a setting integrates out is dashed, and what a step redraws is lit."""

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from lessons.topics.gibbs_blobs import GibbsBlobsSettings
from pages.drawing.models import Kind, Site, mixture, redrawn_at
from pages.drawing.plates import Diagram, Node
from samplers.mixtures.finite import PARAMETERS
from samplers.mixtures.labels import WEIGHTS


class Story(NamedTuple):
    """A model, as the diagram has it."""

    symbol: str  # of what the weights are drawn with
    says: str
    plate: str
    number: Mapping[str, Node] = {}  # of components, where it is not given


GIVEN = Story("a", "Pseudo-count of each component", "K components")
NUMBER = Node("K", "How many components there are: each number from 1 to 8 is equally probable", (1, 1), "out")
STORIES = {
    "finite": GIVEN,
    "CRP": Story("α", "Concentration: the weight of a new component", "∞ components"),
    "MFM": GIVEN._replace(number={"number": NUMBER}),
}
CONTENTS = {
    "multinomial": "Component k's probabilities of directions",
    "gaussian": "Component k's mean and spread",
}


def diagram(settings: GibbsBlobsSettings, t: int, site: Site) -> Diagram:
    """Draw a mixture of K components, of as many as a CRP opens, or of a number that has a prior."""
    story, blocks = STORIES[settings.model], settings.sites(0)  # updates beside those of labels
    block: Kind = "drawn" if blocks else "out"
    own = {WEIGHTS: ("weights",), PARAMETERS: ("content",)}
    drawn = mixture(
        (story.symbol, "π", "zᵢ", "xᵢ", "θₖ", "G₀"),
        (
            story.says,
            "The components' weights",
            "The component of point i",
            "Point i",
            CONTENTS[settings.components],
            "The prior of a component's parameters",
        ),
        ("given", block, "drawn", "seen", block, "given"),
        ("N points", story.plate),
        redrawn_at(site, own, ("label", "weights", "content")) if t else (),
    )
    edges = tuple((number, "weights") for number in story.number)
    return replace(drawn, nodes={**drawn.nodes, **story.number}, edges=(*drawn.edges, *edges))
