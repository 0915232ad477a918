"""The page of the CRP mixture."""

from pages.parts.topic import show
from pages.stages.crp_mixture import CRPMixtureStage

show(CRPMixtureStage())
