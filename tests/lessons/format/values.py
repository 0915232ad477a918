"""The values that STAGES.md lists."""

from collections.abc import Iterator
from typing import Any, get_args

from lessons.settings.settings import StageSettings, flags_of, limits


def values_of(model: type[StageSettings]) -> Iterator[tuple[str, list[Any]]]:
    """Yield the settings of a topic that a lesson can set, with all words, or both ends and the default, of each."""
    for name, field in model.model_fields.items():
        if flags_of(field).get("lesson", True):
            low, high = limits(field)
            ends = [field.default] if low is None else [low, field.default, high]
            yield name, list(get_args(field.annotation)) or ends
