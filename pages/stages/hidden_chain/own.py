"""The learner's own series: a column of a CSV file, scaled to the means of the states."""

import streamlit as st

from lessons.data.csv_table import Table, check_file, read_csv
from lessons.own.series import OwnSeries, series_of
from pages.shell.page import plain
from pages.shell.uploads import Upload


def _choose(read: Table) -> tuple[tuple[object, ...], OwnSeries, str] | None:
    column = st.selectbox("Column", read.columns, key="own series column", help="Its rows are steps in time, in order.")
    if column is None:
        return None
    series, notes = series_of(read, column)
    return (column,), series, " ".join(map(plain, notes))


UPLOAD = Upload(
    ("CSV file", "own series file", None),
    (check_file, read_csv),
    _choose,
    "**Your own series:** upload a CSV file among the controls. Each row is an hour, or any other step in time.",
    "The series of an earlier file is in use.",
)
