"""The numbers that the lesson on three classes and a local γ tells."""

import numpy as np
import pytest

from lessons.topics.marginalise import MarginaliseSettings
from pages.lesson.lessons import library
from pages.topics.marginalise import MarginaliseStage
from pages.topics.marginalise.documents import trace_at
from pages.topics.marginalise.programs import data_of
from samplers.gradient.stan_programs import saved

scene_of = MarginaliseStage().scene

pytestmark = pytest.mark.told
LESSON = library().lesson("stan-three-classes")


def set_as(step: str) -> MarginaliseSettings:
    found = next(one for one in LESSON.steps if one.id == step)
    return MarginaliseSettings(**{**LESSON.stage_settings, **found.settings})


def test_numbers_terms_and_labellings():
    three = set_as("numbers")
    two = three.model_copy(update={"classes": 2})
    assert [one.target().dimension for one in (two, three)] == [19, 29]
    assert [len(one.exact().labellings) for one in (two, three)] == [64, 729]
    assert [one.size * one.classes for one in (two, three)] == [12, 18]
    assert 3 * MarginaliseSettings(data="toy_corpus").size == 762


def test_two_messages_are_less_often_together_in_three_classes():
    together = {}
    for classes in (2, 3):
        exact = set_as("apart").model_copy(update={"classes": classes}).exact()
        together[classes] = exact.probabilities @ (exact.labellings[:, 0] == exact.labellings[:, 1])
    assert {classes: f"{value:.2f}" for classes, value in together.items()} == {2: "0.73", 3: "0.55"}
    assert [f"{2 / (classes + 1):.2f}" for classes in (2, 3)] == ["0.67", "0.50"]


def test_a_class_without_a_label_has_a_share_of_every_message():
    settings = set_as("nameless")
    shares = settings.exact().class_probabilities[:, 2]
    hidden = np.flatnonzero(settings.labels < 0)
    assert (shares[hidden] > 0.15).all()
    assert (shares.argmax(), f"{shares[5]:.2f}") == (5, "0.26")
    assert settings.labels[settings.labels >= 0].tolist() == [1, 0]


def test_gamma_is_declared_twice_where_it_is_local():
    settings = set_as("braces")
    trace = trace_at(scene_of(settings, LESSON.seed))
    assert [t for t, act in enumerate(trace.acts, 1) if act.declares] == [4, 33]
    assert trace.lines[trace.acts[26].line].role == "log_sum_exp"


def test_what_a_draw_keeps():
    settings = set_as("kept")
    found = saved(settings.variant, data_of(settings), local=False)
    assert found == {"theta": 2, "phi": 20, "gamma": 12, "z_prob": 12, "z_draw": 6}
    assert sum(found.values()) == 52
    assert sum(saved(settings.variant, data_of(settings), local=settings.local).values()) == 40
    many = settings.model_copy(update={"data": "toy_corpus"})
    assert saved(many.variant, data_of(many))["gamma"] == 508


def test_the_program_draws_labels_that_nothing_depends_on():
    program = [line.text for line in MarginaliseSettings(variant="full Bayes", known_labels=2).program()]
    begins = next(number for number, text in enumerate(program) if text.startswith("generated quantities"))
    drawn = [number for number, text in enumerate(program) if "z_draw2" in text]
    assert len(drawn) == 2
    assert min(drawn) > begins


def test_the_plane_holds_the_whole_path_that_is_walked():
    lesson = next(lesson for lesson in library().lessons if lesson.id == "stan-no-discrete")
    step = next(step for step in lesson.steps if step.id == "slope")
    film = MarginaliseStage().film(lesson.settings_for(step), lesson.seed_for(step))
    film.reach(film.total)
    frames = film.frames(0, film.total + 1)
    (plane,) = (chart for chart in film.charts if chart.name == "plane")
    for axis in "xy":
        low, high = plane.spec["encoding"][axis]["scale"]["domain"]
        assert low <= frames["past", axis].min() < frames["past", axis].max() <= high
