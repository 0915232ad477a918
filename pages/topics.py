"""The topics of the course, in order. It imports no sampler and no chart, so that the course map opens at once."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class TopicInfo:
    """What the navigation, the course map and free play say of a topic.

    Attributes
    ----------
    stage : str
        The name that lessons use.
    page : str
        Path of the page file.
    title, about, source : str
        About and source are Markdown.
    """

    stage: str
    page: str
    title: str
    about: str
    source: str


TOPICS = (
    TopicInfo(
        stage="crp_seating",
        page="pages/crp_seating.py",
        title="Chinese restaurant",
        about=(
            "Customers come in one at a time. Each joins a table with a weight of how many already sit there, or opens "
            "a new one with a weight of $\\alpha$. Nobody says in advance how many tables there will be."
        ),
        source="Gershman & Blei (2012), *A tutorial on Bayesian nonparametric models*, section 2.2",
    ),
)


def topic_info(stage: str) -> TopicInfo:
    """Return the topic that plays on a stage."""
    return next(info for info in TOPICS if info.stage == stage)
