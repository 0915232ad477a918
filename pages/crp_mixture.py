"""The page of the CRP mixture."""

from pages.shell.topic import show
from pages.stages.crp_mixture import CRPMixtureStage

show(CRPMixtureStage())
