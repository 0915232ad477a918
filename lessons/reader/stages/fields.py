"""Fields that several stages have, and the way from one sweep to the next."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeVar

from pydantic import Field

from lessons.reader.settings import StageSettings

SWEEPS = 2_000  # of the longest run

DataSeed = Annotated[
    int,
    Field(
        ge=0,
        le=999,
        title="Data seed",
        description="Another number draws other points of the same kind.",
        json_schema_extra={"step": 1, "typed": True},
    ),
]
StepBy = Annotated[
    Literal["sweep", "update"],
    Field(title="Step by", description="Whether a step is a whole sweep or one beat of one update."),
]
Sweep = Annotated[
    int,
    Field(
        ge=1,
        le=SWEEPS,
        title="Sweep",
        description="The sweep that is looked at update by update.",
        json_schema_extra={"step": 1},
    ),
]

Swept = TypeVar("Swept", bound=StageSettings)


def other_sweep(settings: Swept, by: int) -> Swept | None:
    """Return settings with fields ``step_by`` and ``sweep`` at a sweep so many later; None if that is no chapter."""
    now: Any = settings
    if now.step_by == "sweep" or not 1 <= now.sweep + by <= SWEEPS:
        return None
    return settings.model_copy(update={"sweep": now.sweep + by})
