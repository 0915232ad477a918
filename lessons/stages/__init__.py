"""Settings of each stage: the one source of limits for lessons, for controls and for values from a URL."""

from lessons.stages.coin import CoinSettings
from lessons.stages.crp_mixture import CRPMixtureSettings
from lessons.stages.crp_seating import CRPSeatingSettings
from lessons.stages.generative import GenerativeSettings
from lessons.stages.gibbs_blobs import GibbsBlobsSettings
from lessons.stages.gibbs_text import GibbsTextSettings
from lessons.stages.ibp_buffet import IBPBuffetSettings
from lessons.stages.ibp_features import IBPFeaturesSettings
from lessons.stages.laplace_line import LaplaceLineSettings
from lessons.stages.logistic import LogisticSettings
from lessons.stages.marginalise import MarginaliseSettings
from lessons.stages.settings import StageSettings
from lessons.stages.walk_the_hill import WalkTheHillSettings
from lessons.stages.why_sample import WhySampleSettings

STAGES: dict[str, type[StageSettings]] = {
    "coin": CoinSettings,
    "why_sample": WhySampleSettings,
    "crp_seating": CRPSeatingSettings,
    "crp_mixture": CRPMixtureSettings,
    "gibbs_blobs": GibbsBlobsSettings,
    "ibp_buffet": IBPBuffetSettings,
    "ibp_features": IBPFeaturesSettings,
    "gibbs_text": GibbsTextSettings,
    "logistic": LogisticSettings,
    "laplace_line": LaplaceLineSettings,
    "generative": GenerativeSettings,
    "walk_the_hill": WalkTheHillSettings,
    "marginalise": MarginaliseSettings,
}
"""The stages by the names that lessons use, in the order of the course."""
