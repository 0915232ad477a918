"""The page of the Chinese restaurant."""

from pages.shell.topic import show
from pages.stages.crp_seating import CRPSeatingStage

show(CRPSeatingStage())
