"""The learner's own rows: some columns of a file, standardised or not."""

from lessons.own.rows import IN_ROWS, MOST_COLUMNS
from pages.contract.uploads import Upload

UPLOAD = Upload(
    ("File of numbers", "own feature file", f"Up to {MOST_COLUMNS} columns of it are used."),
    IN_ROWS,
    standardise="Each column is scaled to mean 0 and standard deviation 1, since a feature adds to some rows but never "
    "shifts them all.",
    ask="**Your own rows:** drop a file here, or upload it among the controls. Each row becomes a picture, and each "
    "column a pixel.",
    earlier="The rows of an earlier file are in use.",
    example="1, 0, 2\n0, 1, 2\n1, 1, 4",
)
