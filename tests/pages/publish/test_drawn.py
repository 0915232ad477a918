"""Views that the app draws by Streamlit are written down whole: words, columns and charts."""

import json
import re

import pytest

from lessons.stages.crp_mixture import CRPMixtureSettings
from lessons.stages.marginalise import MarginaliseSettings
from pages.contract.stage import stage_of
from pages.publish.drawn import drawn
from pages.publish.scenes import patiently


def written(settings, view, t):
    stage = stage_of("marginalise" if isinstance(settings, MarginaliseSettings) else "crp_mixture")
    return patiently(lambda: drawn(stage, settings, 7, view, t))


@pytest.mark.parametrize(("view", "charts"), [("truth", 2), ("clusters", 1)])
def test_charts_come_with_their_data(view, charts):
    html = written(CRPMixtureSettings(data="seven_points", second="none"), view, 5)
    specs = [json.loads(one) for one in re.findall(r'<script type="application/json">(.*?)</script>', html)]
    assert len(specs) == charts
    assert all(rows for spec in specs for rows in spec["datasets"].values())
    assert html.count('class="columns"') == 1


def test_a_program_can_be_taken_along():
    html = written(MarginaliseSettings(model="naive Bayes"), "program", 0)
    assert re.search(r'<a download="\w+\.stan" href="data:text/plain;base64,', html)
    assert "Marked against" in html
