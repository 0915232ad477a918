"""The steps of the mixture's lessons."""

from pages.lesson.lessons import library
from pages.topics.crp_mixture import CRPMixtureStage

scene_of = CRPMixtureStage().scene
LESSONS = library().for_stage("crp_mixture")
STEPS = [(lesson, step) for lesson in LESSONS for step in lesson.steps]
IDS = {"ids": lambda thing: thing.id}


def step_of(lesson: str, step: str):
    found = next(pair for pair in STEPS if (pair[0].id, pair[1].id) == (lesson, step))
    return found[0].settings_for(found[1]), found[0].seed_for(found[1]), found[1]


WRONG = ("mixture-spot-the-error", "mixture-table-weights")
ERRORS = {  # each step with its lesson, where a line is struck
    step.id: (lesson.id, step) for lesson, step in STEPS if lesson.id in WRONG and step.form.look == "lines"
}
