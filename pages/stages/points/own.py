"""The learner's own points: a CSV file or what was typed, one or two of its columns, standardised or not."""

import streamlit as st

from lessons.data.csv_table import Table, check_file, read_csv
from lessons.own.points import OwnPoints, points_of
from pages.shell.page import plain
from pages.shell.uploads import Upload


def _choose(table: Table) -> tuple[tuple[object, ...], OwnPoints, str] | None:
    columns = st.multiselect(
        "Columns",
        table.columns,
        default=table.columns[:2],
        max_selections=2,
        key="own columns",
        help="One or two of them.",
    )
    standardise = st.toggle(
        "Standardise",
        value=True,
        key="own standardise",
        help="The sampler sees mean 0 and standard deviation 1; axes and tables keep each column’s own units.",
    )
    if not columns:
        st.info("Choose one column, or two.")
        return None
    data, notes = points_of(table, columns, standardise=standardise)
    return (*columns, standardise), data, " ".join(map(plain, notes))


UPLOAD = Upload(
    ("CSV file", "own file", None),
    (check_file, read_csv),
    _choose,
    "**Your own data:** upload a CSV file among the controls, or type points there.",
    "Your earlier points are in use.",
    example="1.5, 2\n1.8, 2.4\n4.1, 0.3",
)
