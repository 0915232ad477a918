"""Parts of views besides sentences and tables: charts, columns side by side, and files to save, as HTML."""

import base64
import json
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any


def chart(spec: dict[str, Any], says: str, **sets: Sequence[Mapping[str, Any] | float]) -> str:
    """Return a chart as HTML, which the browser draws (``pages/player/drawn.js``).

    Parameters
    ----------
    spec : dict
        Vega-Lite with a height in pixels.
    says : str
        What a reader of the screen hears in its place.
    **sets : sequence
        The rows of its named data sets: mappings of fields, or numbers.
    """
    told = json.dumps({"spec": spec, "sets": sets}, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")
    look = f'class="drawn-chart" role="img" aria-label="{escape(says)}" style="--height: {spec["height"]}px"'
    return f'<div {look}><script type="application/json">{told}</script></div>'


def columns(*parts: str, widths: Sequence[float] = ()) -> str:
    """Return parts of a view side by side, as wide as said, or all of them as wide."""
    shares = widths or [1] * len(parts)
    sides = (f'<div style="flex: {share:g} 1 0">{part}</div>' for part, share in zip(parts, shares, strict=True))
    return f'<div class="columns">{"".join(sides)}</div>'


def saving(label: str, name: str, kind: str, content: str) -> str:
    """Return a link that saves a file of this name and media type."""
    coded = base64.b64encode(content.encode()).decode()
    return f'<a class="saving" download="{escape(name)}" href="data:{kind};base64,{coded}">{escape(label)}</a> '
