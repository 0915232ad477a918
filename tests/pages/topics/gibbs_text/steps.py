"""The steps of lessons about messages."""

from pages.lesson.lessons import library
from pages.topics.gibbs_text import GibbsTextStage

scene_of = GibbsTextStage().scene
LESSONS = library().for_stage("gibbs_text")
STEPS = [(lesson, step) for lesson in LESSONS for step in lesson.steps]
