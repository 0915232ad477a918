"""What the stage of the Chinese restaurant can be set to."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from lessons.reader.settings import StageSettings
from samplers.crp import CRPSeating
from samplers.recipe import GibbsSampler
from samplers.stick_breaking import StickBreakingSeating


class CRPSeatingSettings(StageSettings):
    """Customers who arrive one at a time and choose a table, by the seating rule or by a broken stick."""

    views = ("customer", "evening")
    unit = "customers"
    measured = ("customers", "tables", "largest", "alone")
    charts = ("room", "trace", "many", "sizes")
    controls = ("concentration", "discount", "customers", "door", "seed")
    dials = ("concentration", "discount")

    concentration: float = Field(
        default=1.0,
        ge=0.1,
        le=50,
        allow_inf_nan=False,
        title="Concentration α",
        description="The weight of opening a new table: the larger it is, the more tables there are.",
        json_schema_extra={"step": 0.1},
    )
    discount: float = Field(
        default=0.0,
        ge=0,
        le=0.9,
        allow_inf_nan=False,
        title="Discount d",
        description="What every occupied table loses to the new one: above 0 there are many small tables.",
        json_schema_extra={"step": 0.05},
    )
    customers: int = Field(
        default=60,
        ge=1,
        le=500,
        title="Customers",
        description="How many customers arrive in one evening.",
        json_schema_extra={"step": 1},
    )
    shuffle: int = Field(
        default=0,
        ge=0,
        le=999,
        title="Shuffles of the arrivals",
        description="How often the order of the arrivals has been shuffled; 0 is the order in which they came.",
        json_schema_extra={"step": 1},
    )
    door: Literal["seating", "stick"] = Field(
        default="seating",
        title="Rule",
        description="Whether customers look at the tables (seating) or at the pieces of a broken stick (stick).",
    )

    @property
    def iterations(self) -> int:
        """One step a customer."""
        return self.customers

    def sampler(self) -> GibbsSampler[Any]:
        """Build the seating rule or the broken stick."""
        if self.door == "stick":
            return StickBreakingSeating(self.concentration, self.discount)
        return CRPSeating(self.concentration, self.discount)

    def measure(self, state: Any) -> dict[str, int]:
        """Count the customers, the tables, the largest table and the tables with one customer."""
        occupied = [int(count) for count in state.counts if count]  # a piece of a stick may still be empty
        return {
            "customers": sum(occupied),
            "tables": len(occupied),
            "largest": max(occupied, default=0),
            "alone": occupied.count(1),
        }
