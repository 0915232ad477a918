"""Gibbs on Gaussian blobs: a mixture, and what it makes of its data; or lineups of the data among replicates."""

from typing import ClassVar

from lessons.topics.gibbs_blobs import GibbsBlobsSettings
from pages.scenes.modes import ModeStage
from pages.topics.gibbs_blobs.chains import Chains
from pages.topics.gibbs_blobs.lineups import BlobLineups

RUNS = {"chain": Chains()}


class GibbsBlobsStage(ModeStage[GibbsBlobsSettings]):
    """The stage of the topic "Gibbs on Gaussian blobs"."""

    modes: ClassVar = {**RUNS, "lineup": BlobLineups(RUNS)}
    whole = Chains.whole
    about = ("check", "fits", "runs", "evidence", "switching", "truth")
    opens = (*Chains.opens, *BlobLineups.opens)
