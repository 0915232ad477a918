"""A class of thirty chains: what its lesson tells, and what its cards and settings say."""

import pytest

from lessons.topics import STAGES
from pages.lesson.lessons import library
from pages.topics.why_sample import WhySampleStage
from pages.topics.why_sample.people import FilmedPeople

STAGE = WhySampleStage()


def run_at(step: str) -> FilmedPeople:
    lesson = next(one for one in library().for_stage("why_sample") if one.id == "why-class")
    found = next(one for one in lesson.steps if one.id == step)
    return FilmedPeople(lesson.settings_for(found), lesson.seed_for(found))


@pytest.mark.told
def test_the_class_as_its_lesson_has_it():
    run = run_at("accept")
    here, there, _, dart = (each[0] for each in run._hands())
    assert [round(float(run.exact[int(place)]), 3) for place in (here, there)] == [0.352, 0.209]
    assert dart == pytest.approx(0.728, abs=5e-4)
    assert run.where[1, 0, 0] == here, "the chain stays"
    assert round(float(run.exact[int(there)]), 2) == 0.21
    half_b = run_at("which")
    assert half_b.where[20, 1].tolist() == [1] * 15, "all have climbed"
    assert half_b.noise[19] == pytest.approx(0.05, abs=3e-3)
    assert half_b.distances[20, 1] > 10 * half_b.noise[19]
    both = run_at("preference").distances[100]
    assert both.max() < 0.02


def test_cards_show_what_both_halves_do_and_do_not_name_the_rule():
    settings = STAGES["why_sample"](starts="class")
    card = STAGE.cards(settings, 7, "update", 3)
    assert card.count("<b>A</b>") == card.count("<b>B</b>") == 4
    assert "upwards" not in card
    flows = STAGE.cards(settings, 7, "flows", 3)
    assert "A step of half B" in flows
    assert "differ" in flows
    assert "differ" not in STAGE.cards(settings.model_copy(update={"half_b": "preference"}), 7, "flows", 3)
    assert "left unchanged by a step of half B" in STAGE.cards(settings, 7, "kept", 0)
    assert settings.measure(STAGE.of(settings).run(settings, 7).chain, 0)["distance_b"] == 1
    assert not settings.matters("rule")
    assert settings.passing
    assert STAGES["why_sample"]().passing is None
