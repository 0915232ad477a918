"""The page of Laplace approximations on a line."""

from pages.shell.topic import show

show("laplace_line")
