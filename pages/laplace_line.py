"""The page of Laplace approximations on a line."""

from pages.shell.topic import show
from pages.stages import stage_of

show(stage_of("laplace_line"))
