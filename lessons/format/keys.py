"""Types that the keys of a lesson file share."""

from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from pydantic_core import PydanticCustomError

from lessons.settings.settings import SEED_HIGH, SEED_LOW


def _ascending(limits: tuple[float, ...]) -> tuple[float, ...]:
    if len(limits) != 2 or limits[0] > limits[1]:
        raise PydanticCustomError("range", "this should be two numbers, the smaller one first, such as [0, 30]")
    return limits


Text = Annotated[str, Field(min_length=1)]
Iteration = Annotated[int, Field(ge=0)]
Names = Annotated[tuple[Text, ...], Field(strict=False)]  # YAML gives a list
Seed = Annotated[int, Field(ge=SEED_LOW, le=SEED_HIGH)]
Finite = Annotated[float, Field(allow_inf_nan=False)]
Range = Annotated[tuple[Finite, ...], Field(strict=False), AfterValidator(_ascending)]


class Strict(BaseModel):
    """Keys of which none is unknown, and none is turned into another type."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)
