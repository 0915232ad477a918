"""The forms of a class for the browser: what runs of each topic can vary, and find."""

from __future__ import annotations

import json

from lessons.reader import STAGES
from lessons.stages.settings import flags_of


def forms() -> str:
    """Return as JSON what runs of each topic can vary, and what they can find: names, with the words for them."""
    return json.dumps(
        {
            name: {
                "seeded": model.seeded,
                "settings": {
                    field: info.title or field
                    for field, info in model.model_fields.items()
                    if field not in model.looks and flags_of(info).get("lesson", True)
                },
                "outcomes": model.outcomes(),
            }
            for name, model in STAGES.items()
        }
    )
