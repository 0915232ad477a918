"""The learner's own rows: a CSV file, some of its columns, standardised or not."""

from __future__ import annotations

import math

import numpy as np
import streamlit as st

from lessons.data.csv_table import Table, check_file, read_csv
from lessons.stages.ibp_features import MOST_COLUMNS
from pages.contract.place import Place
from pages.player.kept import OWN_DATA, digest_of
from pages.shell.page import plain
from pages.shell.uploads import panel, use
from pages.stages.ibp_features.run import Rows
from samplers.data.features import MOST_ROWS

ASK = "**Your own rows:** upload a CSV file on the left. Each row becomes a picture, and each column a pixel."


def keep(rows: Rows) -> str:
    """Keep rows for those who have their digest, and return it."""
    digest = digest_of(rows.data, np.array(rows.columns))
    OWN_DATA.keep(digest, rows, rows.data.nbytes)
    return digest


def upload(place: Place) -> None:
    """Draw the upload and the choice of columns, and keep what comes of it."""
    idle = "The rows of an earlier file are in use." if OWN_DATA.get(place.settings.own, Rows) else None
    panel(place, ("CSV file", "own feature file", None), idle, (check_file, read_csv), _choose)


def _choose(place: Place, read: Table, file: str) -> None:
    columns = st.multiselect(
        "Columns",
        read.columns,
        default=read.columns[:MOST_COLUMNS],
        max_selections=MOST_COLUMNS,
        key="own feature columns",
        help=f"Up to {MOST_COLUMNS} of them.",
    )
    standardise = st.toggle(
        "Standardise",
        value=True,
        key="own feature standardise",
        help="Each column is scaled to mean 0 and standard deviation 1, since a feature adds to some rows but never "
        "shifts them all.",
    )
    if not columns:
        st.info("Choose at least one column.")
        return
    data, _, notes = read.points(columns, standardise, MOST_ROWS, MOST_COLUMNS)
    use(place, (file, *columns, standardise), keep(rows_of(data, tuple(columns))))
    st.caption(f"{len(data)} rows. " + " ".join(plain(note) for note in (*read.notes, *notes)))


def rows_of(data: np.ndarray, columns: tuple[str, ...]) -> Rows:
    """Return rows of a file as pictures, about as wide as they are high; one line, if there are few columns."""
    size = data.shape[1]
    wide = size if size <= 4 else math.ceil(math.sqrt(size))
    names = tuple(str(number + 1) for number in range(len(data)))
    return Rows(data, (math.ceil(size / wide), wide), names, "row", "rows", columns)
