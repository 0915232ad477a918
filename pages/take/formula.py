"""A formula in LaTeX as an outline for print, by Matplotlib's own typesetting."""

from __future__ import annotations

import html
import re
from functools import lru_cache

from matplotlib.font_manager import FontProperties
from matplotlib.textpath import TextPath, text_to_path

SIZE = 11.0  # points
CODES = {1: "M", 2: "L", 3: "Q", 4: "C", 79: "Z"}
SAME = (  # what Matplotlib writes in another way
    (re.compile(r"\\(?:[tdc])frac"), r"\\frac"),
    (re.compile(r"\\frac\s*(\w)\s*(\w)"), r"\\frac{\1}{\2}"),
    (re.compile(r"\\frac\s*(\w)\s*\{"), r"\\frac{\1}{"),
    (re.compile(r"\\sqrt\s*(\w|\\[a-zA-Z]+)"), r"\\sqrt{\1}"),
    (re.compile(r"\\(?:[bB]ig+[lr]?)\s*(?=[()\[\]|/\\])"), ""),
)


@lru_cache(maxsize=4_096)
def formula(latex: str) -> str:
    """Return a formula as SVG, which stands on the line of the text; as code, if it cannot be set."""
    text = " ".join(latex.split())
    for pattern, other in SAME:
        text = pattern.sub(other, text)
    font = FontProperties(size=SIZE, math_fontfamily="stix")
    try:
        wide, tall, deep = text_to_path.get_text_width_height_descent(f"${text}$", font, True)
        outline = TextPath((0, 0), f"${text}$", prop=font)
    except (ValueError, RuntimeError):
        return f"<code>{html.escape(latex)}</code>"
    path = "".join(
        CODES[int(code)] + " ".join(f"{number:.2f}" for number in ([] if code == 79 else points))
        for points, code in outline.iter_segments()
    )
    return (
        f'<svg role="img" aria-label="{html.escape(latex)}" width="{wide:.2f}pt" height="{tall:.2f}pt" '
        f'viewBox="0 {deep - tall:.2f} {wide:.2f} {tall:.2f}" style="vertical-align: {-deep:.2f}pt">'
        f'<path transform="scale(1 -1)" d="{path}"/></svg>'
    )
