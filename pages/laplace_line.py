"""The page of Laplace approximations on a line."""

from pages.lesson.topic import show

show("laplace_line")
