"""HTML as a reader sees it."""

import re
from html import unescape


def words(html: str) -> str:
    """Return what a reader sees of it."""
    spaced = re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", html))).strip()
    return re.sub(r" ([.,:;])(?= |$)", r"\1", spaced)


def rows(html: str) -> list[tuple[str, str, str]]:
    """Return badge, terms and probability of each row of the score table, the probability as Python writes numbers."""
    found = re.findall(r"<tr[^>]*>(.*?)</tr>", html, re.DOTALL)
    cells = [[words(cell) for cell in re.findall(r"<td[^>]*>(.*?)</td>", row, re.DOTALL)] for row in found]
    return [(cell[0], cell[1], cell[-1].replace("−", "-")) for cell in cells]
