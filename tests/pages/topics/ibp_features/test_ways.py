"""Other ways to take the same rows apart: what is shown of factor analysis, PCA and ICA."""

import re
from dataclasses import replace

import numpy as np
import pytest

from lessons.topics.ibp_features import IBPFeaturesSettings
from pages.topics.ibp_features import IBPFeaturesStage
from pages.topics.ibp_features.ways import other_ways
from samplers.data.features import FACTORS


def ways(sweep=20, **settings):
    return IBPFeaturesStage().cards(IBPFeaturesSettings(**settings), 3, "ways", sweep)


def parts(html):
    return re.split("<section>", html)[1:]


@pytest.mark.parametrize("data", ["images", "scores"])
def test_factors_that_are_turned_look_otherwise_and_explain_the_same(data):
    before, after = (parts(ways(data=data, angle=angle)) for angle in (0, 30))
    assert before[0] == after[0]
    assert before[2:] == after[2:]
    numbers = [re.findall("<b>(.*?)</b>", part[1]) for part in (before, after)]
    assert numbers[0] == numbers[1]
    assert before[1].replace("0°", "30°") != after[1]


def test_tests_have_the_features_from_which_they_were_made():
    binary = parts(ways(data="scores"))[0]
    rows = re.findall(r"<tr><td>([^<]+)</td>(.*?)</tr>", binary)
    groups = {tuple("transparent" in cell and " 100%" in cell for cell in cells.split("</td>")) for _, cells in rows}
    assert len(rows) == 9
    assert len(groups) == len(FACTORS) - 1


def test_nothing_is_there_yet_at_the_start():
    assert "None yet." in parts(ways(0))[0]


def test_rows_that_are_all_alike_say_so():
    scene = IBPFeaturesStage().scene(IBPFeaturesSettings(), 3)
    alike = replace(scene, rows=replace(scene.rows, data=np.ones((5, 36))))
    assert "too few directions" in other_ways(alike, scene.run.state(0))
