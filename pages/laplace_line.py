"""The page of Laplace approximations on a line."""

from pages.contract.stage import stage_of
from pages.shell.topic import show

show(stage_of("laplace_line"))
