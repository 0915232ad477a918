"""The code of a class for the browser: one module, and the door by which every page can ask for it."""

from __future__ import annotations

import json
from pathlib import Path

from lessons.reader import STAGES
from lessons.stages.settings import flags_of
from pages.player.bundle import BUILD
from pages.room.laws import outcomes

HERE = Path(__file__).parent
PARTS = (
    *("drawing", "line", "follow", "tally", "round", "pile", "hands", "learner"),
    *("projector", "lab", "desk", "entrance", "room"),
)


def door() -> str:
    """Return the few lines that every page carries."""
    return (HERE / "door.js").read_text().replace("BUILD", BUILD)


def code() -> str:
    """Return the panels and the connection of a class as one JavaScript module."""
    styles = {"CSS": "room.css", "PAGE_CSS": "page.css"}
    named = [f"const {name} = {json.dumps((HERE / file).read_text())};" for name, file in styles.items()]
    return "\n".join([*named, *((HERE / f"{part}.js").read_text() for part in PARTS)])


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
                "outcomes": outcomes(model),
            }
            for name, model in STAGES.items()
        }
    )
