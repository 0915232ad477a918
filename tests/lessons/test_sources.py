"""Sections that are cited exist, by the contents page of what is cited."""

import re

from tests.browser.driver import ROOT

TUTORIAL = {"1", "2", "2.1", "2.2", "2.3", "3", "4", "5", "5.1", "5.2", "5.3", "5.4", "6", "6.1", "6.2"}
CITED = re.compile(
    r"Gershman\s+&\s+Blei\s+\(?2012(?:,\s+A\s+tutorial[\w\s]+?models)?\)?,?\s+"
    r"(?:\*A tutorial on Bayesian nonparametric models\*,\s+)?sections?\s+"
    r"((?:[\d.]+\d|\d)(?:(?:,\s+|\s+and\s+)[\d.]*\d)*)"
)


def test_the_sections_of_the_tutorial_that_are_cited_exist():
    """Gershman & Blei (2012), whose section 3 has no parts."""
    texts = [
        path.read_text("utf-8")
        for folder, ending in (("lessons", "md"), ("pages", "py"), ("samplers", "py"))
        for path in (ROOT / folder).rglob(f"*.{ending}")
    ]
    plain = (re.sub(r'"\s*\n\s*"|\n\s*', " ", text) for text in texts)
    cited = [number for text in plain for found in CITED.findall(text) for number in re.findall(r"[\d.]*\d", found)]
    assert len(cited) > 30
    assert set(cited) <= TUTORIAL
