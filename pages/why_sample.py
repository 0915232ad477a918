"""The page of why one samples."""

from pages.shell.topic import show

show("why_sample")
