"""Goals of a step: what a learner is to bring about on the stage, and when that is so."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import AfterValidator, Field, WithJsonSchema
from pydantic_core import PydanticCustomError

from lessons.format.guesses import Span
from lessons.format.keys import Iteration, Seed, Strict, Text
from lessons.settings.settings import StageSettings

Wanted = Span | tuple[str, ...]  # a number within it, or one of the words
_NUMBER = {"type": "number"}
_WORD = {"type": "string"}
_SCHEMA = {
    "anyOf": [
        _NUMBER,
        {"type": "array", "items": _NUMBER, "minItems": 2, "maxItems": 2},
        _WORD,
        {"type": "array", "items": _WORD, "minItems": 1},
    ]
}


def _wanted(given: Any) -> Wanted:
    parts = given if isinstance(given, list) else [given]
    if all(isinstance(part, int | float) and not isinstance(part, bool) for part in parts):
        if len(parts) in (1, 2) and isinstance(given, list) == (len(parts) == 2) and parts[0] <= parts[-1]:
            return Span(float(parts[0]), float(parts[-1]))
    elif all(isinstance(part, str) for part in parts):
        return tuple(parts)
    raise PydanticCustomError("wanted", "this should be a number, two numbers such as [18, 22], or words")


Condition = Annotated[Any, AfterValidator(_wanted), WithJsonSchema(_SCHEMA)]


class Way(Strict):
    """Changes to where the step opens that lead to a goal, beside what the goal's own conditions say."""

    settings: dict[str, Any] = Field(default={}, description="Changes to the step's settings.")
    seed: Seed | None = Field(default=None, description="A seed other than the step's.")
    at: Iteration | None = Field(default=None, description="The iteration.")


class GoalKeys(Strict):
    """The conditions of one goal. All of them must hold at once where the learner rests."""

    reach: dict[str, Condition] = Field(
        default={}, description="Named outcomes of the run: a number, or the least and the most."
    )
    settings: dict[str, Condition] = Field(
        default={}, description="Settings: a number, the least and the most, or words."
    )
    at: Condition = Field(default=None, description="The iteration: a number, or the least and the most.")
    open: Text | None = Field(default=None, description="The view that is open.")
    seeds: int = Field(default=1, ge=1, le=5, description="With how many seeds it has to be reached.")
    way: Way = Field(default=Way(), description="How the checker gets there, where the conditions do not say it.")


@dataclass(frozen=True)
class Goal:
    """One goal."""

    id: str  # under it, it is kept
    # text, reason: what is to be done, and what is said once it is; in Markdown. The reason may be empty.
    text: str
    reason: str
    keys: GoalKeys  # when it is reached

    def is_near(self, settings: StageSettings, t: int, view: str) -> bool:
        """Return whether all conditions but those of the run's outcomes hold at iteration t."""
        keys = self.keys
        return (
            (keys.at is None or keys.at.has(t))
            and keys.open in (None, view)
            and all(_holds(wanted, getattr(settings, name)) for name, wanted in keys.settings.items())
        )

    def is_reached_by(self, outcomes: Mapping[str, float]) -> bool:
        """Return whether a run's outcomes are those that are to be reached; none of them is if it is not measured."""
        return all(name in outcomes and _holds(wanted, outcomes[name]) for name, wanted in self.keys.reach.items())

    def way(self, settings: StageSettings, t: int, seed: int) -> tuple[StageSettings, int, int]:
        """Return settings, iteration and seed of the shortest way there from where a step opens."""
        keys, way = self.keys, self.keys.way
        asked = {name: _nearest(wanted, getattr(settings, name)) for name, wanted in keys.settings.items()}
        there = settings.model_validate({**settings.model_dump(), **asked, **way.settings})
        at = t if keys.at is None else int(_nearest(keys.at, t))
        return there, at if way.at is None else way.at, seed if way.seed is None else way.seed


def _holds(wanted: Wanted, found: Any) -> bool:
    return wanted.has(found) if isinstance(wanted, Span) else found in wanted


def _nearest(wanted: Wanted, found: Any) -> Any:
    if isinstance(wanted, Span):
        low = math.ceil(wanted.low) if isinstance(found, int) else wanted.low
        return type(found)(min(max(found, low), wanted.high))
    return found if found in wanted else wanted[0]
