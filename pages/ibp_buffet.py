"""The page of the Indian buffet."""

from pages.lesson.topic import show

show("ibp_buffet")
