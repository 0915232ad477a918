"""The page of the Indian buffet."""

from pages.shell.topic import show

show("ibp_buffet")
