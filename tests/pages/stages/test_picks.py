"""The charts whose marks a question can ask for have marks that are known by the fields that the lessons name."""

from collections import defaultdict

import pytest

from lessons.stages import STAGES
from pages.contract.film import Film
from tests.pages.stages.every_film import SETTINGS, film_of, named_sets

WITH_PICKS = [stage for stage, settings in STAGES.items() if settings.picks]


def fields_of(film: Film) -> dict[str, set[str]]:
    """Return the fields of all data that a chart draws, by the chart."""
    fields = defaultdict(set)
    still = film.still(0) if film.still else {}
    for name, columns in (*film.data.items(), *still.items()):
        fields[name] |= columns.keys()
    for name, field in film.frames(0, 1):
        fields[name].add(field)
    return {chart.name: {field for name in named_sets(chart.spec) for field in fields[name]} for chart in film.charts}


@pytest.mark.parametrize("stage", WITH_PICKS)
def test_marks_that_can_be_picked_are_known_by_these_fields(stage):
    picks, seen = STAGES[stage].picks, set()
    for changes in SETTINGS[stage]:
        for chart, fields in fields_of(film_of(stage, changes)).items():
            assert {*picks.get(chart, ())} <= fields, (chart, changes)
            seen.add(chart)
    assert picks.keys() <= seen
