"""Draws from a posterior: what a draw is, how the mean of draws settles, and a chain of draws."""

from typing import ClassVar

from lessons.topics.draws import DrawsSettings
from pages.code.ways import code_of_step
from pages.contract.case import RuleOption
from pages.scenes.run_stage import RunStage
from pages.topics.draws import inspector
from pages.topics.draws.diagram import diagram
from pages.topics.draws.film import DrawsRun
from pages.topics.draws.wall import WALL
from samplers.judge.problem import Problem


class DrawsStage(RunStage[DrawsSettings, DrawsRun]):
    """The stage of the topic "Draws"."""

    makes = DrawsRun
    diagram = diagram
    views: ClassVar = {"step": inspector.step, "code": code_of_step, "summary": inspector.summary}
    wall = WALL

    def case(self, settings: DrawsSettings, seed: int, t: int, problem: Problem) -> list[RuleOption]:
        """Return the proposal of the step in frame t, or of the first."""
        return inspector.case(self.run(settings, seed), t)
