"""The learner's own examples: from a CSV file, or made by pressing on the picture."""

from dataclasses import replace

import numpy as np
import streamlit as st

from lessons.data.csv_features import Cells, Kind, read_cells
from lessons.data.csv_table import check_file
from lessons.own.examples import MOST_EXAMPLES, MOST_FEATURES, USUAL, Examples, examples_of
from pages.contract.events import Touch
from pages.shell.page import plain
from pages.shell.uploads import Upload
from samplers.mixtures.labels import HIDDEN


def edited(old: Examples, pointer: str, touch: Touch) -> Examples:
    """Return the examples after the pointer did something to them; the same ones if it hit nothing."""
    strips = 1 if old.in_plane else len(old.features)
    if pointer.startswith("add"):
        label = int(pointer[-1])
        if len(old.labels) >= MOST_EXAMPLES or label >= len(old.classes) or not old.in_plane:
            return old
        at = np.array([touch.x, touch.y]).round(2)
        return replace(old, values=np.vstack([old.values, at]), labels=np.append(old.labels, label))
    if touch.row is None or not 0 <= touch.row < strips * len(old.labels):
        return old
    row, place = divmod(touch.row, strips)
    values, labels = old.values.copy(), old.labels.copy()
    if pointer == "remove":
        return replace(old, values=np.delete(values, row, axis=0), labels=np.delete(labels, row))
    if pointer == "relabel":
        labels[row] = (labels[row] + 1) % len(old.classes)
    elif pointer == "hide label":
        labels[row] = HIDDEN
    elif pointer == "hide cell":
        values[row, int(np.isnan(values[row, 0])) if old.in_plane else place] = np.nan  # first x, then y
    elif pointer == "move" and old.in_plane:
        values[row] = np.where(np.isnan(values[row]), np.nan, np.array([touch.x, touch.y]).round(2))
    else:
        return old
    return replace(old, values=values, labels=labels)


def _choose(cells: Cells) -> tuple[tuple[object, ...], Examples, str] | None:
    names = list(cells.columns)
    label = st.selectbox(
        "Class", names, cells.likely_label, key="own class", help="Two or three values; an empty cell hides the label."
    )
    rest = [name for name in names if name != label]
    chosen = st.multiselect(
        "Features", rest, default=rest[:USUAL], max_selections=MOST_FEATURES, key=f"own features {label}"
    )
    kinds: dict[str, Kind] = {}
    for name in chosen:
        guess = cells.kind(name)
        kinds[name] = st.segmented_control(
            name, ["number", "category"], default=guess, required=True, key=f"own type {name} {guess}"
        )
    if not chosen:
        st.info("Choose one feature or more.")
        return None
    examples, notes = examples_of(cells, kinds, label)
    return (label, *kinds.items()), examples, " ".join(map(plain, notes))


UPLOAD = Upload(
    (
        "CSV file",
        "own examples file",
        "Each row is an example: its features, and a column with its class. Cells may be empty.",
    ),
    (check_file, read_cells),
    _choose,
    idle="Or make examples of your own: choose what pressing does, and press on the plane.",
    remove="Remove all examples",
)
