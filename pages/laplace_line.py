"""The page of Laplace approximations on a line."""

from pages.shell.topic import show
from pages.stages.laplace_line import LaplaceLineStage

show(LaplaceLineStage())
