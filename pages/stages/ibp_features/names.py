"""The names of rows and features on the cards, which light their marks on the charts."""

from __future__ import annotations

from pages.drawing.cards import badge, pointing
from pages.stages.ibp_features.run import Scene


def feature_name(name: int) -> str:
    """Return the badge of a feature or factor."""
    return pointing(f"feature-{name + 1}", badge(str(name + 1), name))


def row_name(scene: Scene, row: int) -> str:
    """Return the name of a row."""
    return pointing(f"row-{row + 1}", f"{scene.rows.one.capitalize()} {scene.rows.names[row]}")
