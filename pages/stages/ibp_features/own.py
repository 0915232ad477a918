"""The learner's own rows: a CSV file, some of its columns, standardised or not."""

import streamlit as st

from lessons.data.csv_table import Table, check_file, read_csv
from lessons.own.rows import MOST_COLUMNS, Rows, rows_of
from pages.shell.page import plain
from pages.shell.uploads import Upload


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
    rows, notes = rows_of(read, columns, standardise=standardise)
    return (*columns, standardise), rows, " ".join(map(plain, notes))


UPLOAD = Upload(
    ("CSV file", "own feature file", None),
    (check_file, read_csv),
    _choose,
    "**Your own rows:** upload a CSV file among the controls. Each row becomes a picture, and each column a pixel.",
    "The rows of an earlier file are in use.",
)
