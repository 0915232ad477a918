"""Draws from a posterior: what a draw is, how the mean of draws settles, and a chain of draws."""

from typing import ClassVar

from lessons.stages.draws import DrawsSettings
from pages.code.ways import code_of_step
from pages.stages.draws import inspector
from pages.stages.draws.diagram import diagram
from pages.stages.draws.film import DrawsRun
from pages.stages.draws.wall import WALL
from pages.stages.run_stage import RunStage


class DrawsStage(RunStage[DrawsSettings, DrawsRun]):
    """The stage of the topic "Draws"."""

    makes = DrawsRun
    diagram = diagram
    views: ClassVar = {"step": inspector.step, "code": code_of_step, "summary": inspector.summary}
    wall = WALL
