"""The page of why one samples."""

from pages.lesson.topic import show

show("why_sample")
