"""The mode with one run: a Gibbs sampler that visits clusterings, one update a step."""

from typing import ClassVar

from pages.topics.why_sample import inspector
from pages.topics.why_sample.film import FilmedRun
from pages.topics.why_sample.visiting import Visiting


class One(Visiting[FilmedRun]):
    """One run, or a crowd of runs from one start."""

    makes = FilmedRun
    views: ClassVar = {"update": inspector.update, "code": inspector.code, **Visiting.exact}
