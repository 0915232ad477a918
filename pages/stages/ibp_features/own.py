"""The learner's own rows: a CSV file, some of its columns, standardised or not."""

import math

import numpy as np
import streamlit as st

from lessons.data.csv_table import Table, check_file, read_csv
from lessons.stages.ibp_features import MOST_COLUMNS
from pages.shell.page import plain
from pages.shell.uploads import Upload
from pages.stages.ibp_features.run import Rows
from samplers.data.features import MOST_ROWS


def _choose(read: Table) -> tuple[tuple[object, ...], Rows, str] | None:
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
        return None
    data, _, notes = read.points(columns, standardise, MOST_ROWS, MOST_COLUMNS)
    said = f"{len(data)} rows. " + " ".join(plain(note) for note in (*read.notes, *notes))
    return (*columns, standardise), rows_of(data, tuple(columns)), said


def rows_of(data: np.ndarray, columns: tuple[str, ...]) -> Rows:
    """Return rows of a file as pictures, about as wide as they are high; one line, if there are few columns."""
    size = data.shape[1]
    wide = size if size <= 4 else math.ceil(math.sqrt(size))
    names = tuple(str(number + 1) for number in range(len(data)))
    return Rows(data, (math.ceil(size / wide), wide), names, "row", "rows", columns)


UPLOAD = Upload(
    Rows,
    ("CSV file", "own feature file", None),
    (check_file, read_csv),
    _choose,
    "**Your own rows:** upload a CSV file among the controls. Each row becomes a picture, and each column a pixel.",
    "The rows of an earlier file are in use.",
)
