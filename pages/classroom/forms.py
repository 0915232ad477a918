"""Settings and outcomes of each topic's runs, for the form with which an instructor sets them."""

import json

from lessons.reader import STAGES
from lessons.stages.settings import flags_of


def forms() -> str:
    """Return as JSON, for each topic, the settings that runs can vary and the outcomes they can report, with labels."""
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
