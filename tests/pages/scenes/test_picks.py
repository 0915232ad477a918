"""The charts whose marks a question can ask for have marks that are known by the fields that the lessons name."""

import pytest

from lessons.topics import STAGES
from pages.contract.film import Film
from pages.drawing.reads import reads
from tests.pages.topics.every_film import SETTINGS, opened
from tests.pages.topics.few import show_little

WITH_PICKS = [stage for stage, settings in STAGES.items() if settings.picks]


@pytest.fixture(scope="module", autouse=True)
def little_is_shown():
    """Which fields there are does not depend on what a run comes to."""
    with pytest.MonkeyPatch.context() as patch:
        show_little(patch)
        yield


def fields_of(film: Film) -> dict[str, set[str]]:
    """Return the fields of all data that a chart draws, by the chart."""
    sets = {chart.name: {name for name, _ in reads(chart.spec)} for chart in film.charts}
    return {chart: {field for name in names for field in film.data.get(name, ())} for chart, names in sets.items()}


@pytest.mark.parametrize("stage", WITH_PICKS)
def test_marks_that_can_be_picked_are_known_by_these_fields(stage):
    """Some settings have other marks in a chart of the same name: each step that asks for marks is tested by itself."""
    picks, seen = STAGES[stage].picks, dict[str, set[str]]()
    for changes in SETTINGS[stage]:
        for chart, fields in fields_of(opened(stage, changes)).items():
            seen.setdefault(chart, set()).update(fields)
    for chart, fields in picks.items():
        assert {*fields} <= seen[chart], chart
