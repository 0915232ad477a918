"""What each stage can be set to: the one source of limits for lessons, for controls and for values from a URL."""

from lessons.reader.settings import StageSettings
from lessons.reader.stages.crp_mixture import CRPMixtureSettings
from lessons.reader.stages.crp_seating import CRPSeatingSettings

STAGES: dict[str, type[StageSettings]] = {
    "crp_seating": CRPSeatingSettings,
    "crp_mixture": CRPMixtureSettings,
}
"""The stages by the names that lessons use, in the order of the course."""
