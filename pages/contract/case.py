"""The update on the stage, as the lines of a rule that a learner writes may know it."""

from collections.abc import Mapping, Sequence
from typing import TypedDict


class RuleOption(TypedDict):
    """An option of the update on the stage: its name, the line that weighs it, and what that line may know of it."""

    name: str
    line: int
    known: Mapping[str, float | Sequence[float]]
