"""HTML as a reader sees it."""

import json
import re
from html import unescape
from typing import Any


def words(html: str) -> str:
    """Return the text that a reader sees of it."""
    seen = re.sub(r"<script[^>]*>.*?</script>", " ", html, flags=re.DOTALL)
    spaced = re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", seen))).strip()
    return re.sub(r" ([.,:;])(?= |$)", r"\1", spaced)


def charts(html: str) -> list[dict[str, Any]]:
    """Return of each chart in a view its specification and the rows of its data sets."""
    found = [json.loads(told) for told in re.findall(r'<script type="application/json">(.*?)</script>', html)]
    assert all(chart.keys() == {"spec", "sets"} for chart in found)
    return found


def rows(html: str) -> list[tuple[str, str, str]]:
    """Return badge, terms and probability of each row of the score table, the probability as Python writes numbers."""
    found = re.findall(r"<tr[^>]*>(.*?)</tr>", html, re.DOTALL)
    cells = [[words(cell) for cell in re.findall(r"<td[^>]*>(.*?)</td>", row, re.DOTALL)] for row in found]
    return [(cell[0], cell[1], cell[-1].replace("−", "-")) for cell in cells]
