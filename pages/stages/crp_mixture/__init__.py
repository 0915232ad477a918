"""The CRP mixture: Gibbs for a label, opened up update by update, and compared with the exact posterior."""

from typing import ClassVar

from lessons.stages.crp_mixture import CRPMixtureSettings
from pages.stages.crp_mixture.chains import Chains
from pages.stages.crp_mixture.limit import BesideFinite
from pages.stages.crp_mixture.story import Story
from pages.stages.modes import ModeStage


class CRPMixtureStage(ModeStage[CRPMixtureSettings]):
    """The stage of the topic "Clusters"."""

    modes: ClassVar = {"forwards": Story(), "backwards": Chains(), "finite": BesideFinite()}
    whole = Chains.whole
    about = ("prediction", "summaries", "truth")
    opens = Chains.opens
