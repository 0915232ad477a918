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
    TopicInfo(
        stage="crp_mixture",
        page="pages/crp_mixture.py",
        title="Clusters without a number",
        about=(
            "Points sit down at tables too: by how many are there, and by how well they fit. A Gibbs sampler lifts one "
            "point at a time and lets it choose again. How many clusters there are comes out, with its uncertainty."
        ),
        source="Gershman & Blei (2012), *A tutorial on Bayesian nonparametric models*, sections 2.1, 2.3 and 4",
    ),
)


def topic_info(stage: str) -> TopicInfo:
    """Return the topic that plays on a stage."""
    return next(info for info in TOPICS if info.stage == stage)
