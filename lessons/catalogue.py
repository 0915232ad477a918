"""The topics of the course, in order: each has its words, its cover and a drawing in `lessons.topics`.

The second part of such a file has the words of the stage: see `lessons.settings.words`.

It imports no sampler and no chart, so that the course map opens at once.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

ORDER = (
    "coin",
    "draws",
    "why_sample",
    "crp_seating",
    "crp_mixture",
    "gibbs_blobs",
    "jumps",
    "climb_mixture",
    "ibp_buffet",
    "ibp_features",
    "gibbs_text",
    "gibbs_topics",
    "hidden_chain",
    "logistic",
    "laplace_line",
    "generative",
    "walk_the_hill",
    "marginalise",
)
HOME = Path(__file__).parent / "topics"
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # ten times as fast, where PyYAML was built with libyaml


@dataclass(frozen=True)
class Cover:
    """The run that plays by itself on a topic's cover."""

    charts: Sequence[str]  # those that are shown, the main picture first
    frames: int  # how many iterations are played
    pace: float  # of them in a second
    settings: Mapping[str, Any] = field(default_factory=dict)  # of the stage; what is left out has its default
    seed: int = 7  # of the chain


@dataclass(frozen=True)
class TopicInfo:
    """A topic as the navigation, the course map and free play present it."""

    stage: str  # the name that lessons use
    # title, line, about, source: the line says in a few words what it is about; about and source are Markdown
    title: str
    line: str
    about: str
    source: str
    read_on: Sequence[str]  # where it goes on from here: papers and chapters, each with what is in it, in Markdown
    cover: Cover  # what plays on its cover
    items: Sequence[str] = ()  # three questions of its lessons to ask before and after, each as lesson/step

    @property
    def page(self) -> str:
        """Path of the page file, from the router."""
        return f"{self.stage}.py"

    @property
    def drawing(self) -> str:
        """The drawing for the course map, as SVG."""
        return (HOME / f"{self.stage}.svg").read_text("utf-8")


def _read(stage: str) -> TopicInfo:
    words = next(yaml.load_all((HOME / f"{stage}.yaml").read_text("utf-8"), LOADER))  # the rest is its stage's
    return TopicInfo(stage, **{**words, "cover": Cover(**words["cover"])})


TOPICS = tuple(map(_read, ORDER))


def topic_info(stage: str) -> TopicInfo:
    """Return the topic that plays on a stage."""
    return next(info for info in TOPICS if info.stage == stage)
