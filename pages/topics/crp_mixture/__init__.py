"""The CRP mixture: Gibbs for a label, opened up update by update, and compared with the exact posterior."""

from typing import ClassVar

from lessons.topics.crp_mixture import CRPMixtureSettings
from pages.scenes.modes import ModeStage
from pages.topics.crp_mixture.chains import Chains
from pages.topics.crp_mixture.limit import BesideFinite
from pages.topics.crp_mixture.story import Story


class CRPMixtureStage(ModeStage[CRPMixtureSettings]):
    """The stage of the topic "Clusters"."""

    modes: ClassVar = {"forwards": Story(), "backwards": Chains(), "finite": BesideFinite()}
    whole = Chains.whole
    about = ("prediction", "summaries", "truth")
    opens = Chains.opens
