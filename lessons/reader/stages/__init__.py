"""What each stage can be set to: the one source of limits for lessons, for controls and for values from a URL."""

from lessons.reader.settings import StageSettings
from lessons.reader.stages.crp_mixture import CRPMixtureSettings
from lessons.reader.stages.crp_seating import CRPSeatingSettings
from lessons.reader.stages.gibbs_blobs import GibbsBlobsSettings
from lessons.reader.stages.gibbs_text import GibbsTextSettings
from lessons.reader.stages.laplace_line import LaplaceLineSettings
from lessons.reader.stages.logistic import LogisticSettings
from lessons.reader.stages.marginalise import MarginaliseSettings

STAGES: dict[str, type[StageSettings]] = {
    "crp_seating": CRPSeatingSettings,
    "crp_mixture": CRPMixtureSettings,
    "gibbs_blobs": GibbsBlobsSettings,
    "gibbs_text": GibbsTextSettings,
    "logistic": LogisticSettings,
    "laplace_line": LaplaceLineSettings,
    "marginalise": MarginaliseSettings,
}
"""The stages by the names that lessons use, in the order of the course."""
