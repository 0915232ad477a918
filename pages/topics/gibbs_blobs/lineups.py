"""The mode in which the data are one of twenty tiles, and the others are replicates, each from a draw of the chain."""

from typing import Any, ClassVar

import numpy as np

from lessons.settings.lineups import FORGOTTEN, LAST, SWEEPS
from lessons.topics.gibbs_blobs import GibbsBlobsSettings
from pages.code.listing import listing
from pages.code.watch import Way, names
from pages.contract.moment import Moment, ShownChain
from pages.scenes.lineups import DRAWING, RADIUS, Lineups, Marks, shares
from pages.scenes.points.checks import compared
from pages.scenes.points.scene import MixtureScene
from pages.topics.gibbs_blobs.chains import chains_only
from pages.topics.gibbs_blobs.check import replicates
from samplers.crp.prediction import draw_new_points
from samplers.diagnostics.lineup import TILES, line_up
from samplers.mixtures.finite import FiniteMixture

CODE = {
    "finite": Way((FiniteMixture.replicate,), names("log_weights", "drawn", "here", "points return")),
    "CRP": Way((draw_new_points,), names("place labels", "drawn", "dishes", "points return")),
}


class Round:
    """One lineup, from 0, of data and a chain of their own, which sessions share and which may have to be made."""

    def __init__(self, settings: GibbsBlobsSettings, seed: int, number: int) -> None:
        self.settings, self.seed = settings.of_round(seed, 2 * number)
        self.place = settings.place(seed, 2 * number)
        self.scene: MixtureScene[GibbsBlobsSettings] = chains_only(self.settings, self.seed)

    def grow(self) -> bool:
        """Make sweeps of the chain for a slice of time; return whether all are made."""
        return self.scene.run.grow(LAST) >= LAST

    def reach(self) -> None:
        """Make all sweeps; raise `NotYet` if a slice is not enough."""
        self.scene.run.reach(LAST, DRAWING)

    def tiles(self) -> np.ndarray:
        """Return the points of each tile, shape (tiles, N, D), in the data's units."""
        return line_up(self.scene.data, replicates(self.scene, SWEEPS), self.place)

    def marks(self) -> Marks:
        """Return where the points are in their tiles; those beyond a tile are at its rim."""
        tiles = self.tiles()
        x = shares(tiles[:, :, 0])
        if tiles.shape[2] > 1:
            y = shares(tiles[:, :, 1])
        else:  # points on a line are scattered up and down, by other numbers in each tile
            y = np.random.default_rng((self.seed, self.place, TILES)).random(x.shape)
        return Marks(x, y, np.zeros(x.shape), np.full(x.shape, RADIUS))


class BlobLineups(Lineups[GibbsBlobsSettings]):
    """Lineups of points, of which each replicate leads to its draw of the chain."""

    inside = "as many points"
    round: ClassVar[Any] = staticmethod(Round)

    def marks(self, made: Round) -> Marks:
        return made.marks()

    def cards(self, settings: GibbsBlobsSettings, seed: int, view: str, t: int) -> str:
        return listing(CODE[settings.model]) if view == "code" else super().cards(settings, seed, view, t)

    def told(self, made: Round, view: str) -> str:
        """Return the check of all replicates, or a view of the chain after its last sweep."""
        if view == "check":
            sweeps = np.arange(FORGOTTEN + 1, LAST + 1)
            return compared(made.scene, sweeps, replicates(made.scene, sweeps))
        return self.runs["chain"].cards(made.settings, made.seed, view, LAST)

    def moment(self, settings: GibbsBlobsSettings, seed: int, t: int) -> Moment:
        """Return the chain of the round at hand, at the last sweep that made a replicate."""
        own, of_chain = settings.of_round(seed, t)
        return Moment(self.chains(settings, seed, t), own.origins(), self.runs["chain"].more(own, of_chain, LAST))

    def chains(self, settings: GibbsBlobsSettings, seed: int, t: int) -> list[ShownChain]:
        own, of_chain = settings.of_round(seed, t)
        return [ShownChain(own.sampler(), of_chain, LAST)]
