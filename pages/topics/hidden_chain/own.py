"""The learner's own series: a column of a file, scaled to the means of the states."""

from lessons.own.series import IN_TIME
from pages.contract.uploads import Upload

UPLOAD = Upload(
    ("File of numbers", "own series file", "Its rows are steps in time, in order."),
    IN_TIME,
    ask="**Your own series:** drop a file here, or upload it among the controls. Each row is an hour, or any other "
    "step in time.",
    earlier="The series of an earlier file is in use.",
    example="1.5\n1.8\n4.1",
)
