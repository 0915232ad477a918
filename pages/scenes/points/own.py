"""The learner's own points: one or two columns of a file or of what was typed, standardised or not."""

from lessons.own.points import ON_A_LINE_OR_PLANE
from pages.contract.uploads import Upload

UPLOAD = Upload(
    ("File of numbers", "own file", "One or two columns of it are used."),
    ON_A_LINE_OR_PLANE,
    standardise="The sampler sees mean 0 and standard deviation 1; axes and tables keep each column’s own units.",
    ask="**Your own data:** drop a file here, upload it among the controls, or type points there.",
    earlier="Your earlier points are in use.",
    example="1.5, 2\n1.8, 2.4\n4.1, 0.3",
)
