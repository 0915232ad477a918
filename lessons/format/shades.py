"""Words for a shade, such as those for the shades of ink, which is another one in the dark theme."""

import re

_PARTS = "line|curve|dot|tile|cell|ring|arrow|area|band|bar|border|frame|pixel|contour|square|circle|end"

SHADES = re.compile(
    r"\b(?:dark(?:er|est)?|pale(?:r|st)?|the (?:lighter|lightest|brighter|brightest)|"
    rf"(?:black|white|lighte?r?|bright(?:er)?) (?:{_PARTS})s?)\b(?!;| (?:theme|mode|page|matter|energy)\b)",
    re.IGNORECASE,
)

SHADED = "'{}' is another shade in the dark theme; say faint, strong, thick, dashed, or name the colour"
