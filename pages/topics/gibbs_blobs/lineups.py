"""The mode in which the data are one of twenty tiles, and the others are replicates, each from a draw of the chain."""

from typing import Any

import numpy as np
import streamlit as st

from lessons.topics.gibbs_blobs import FORGOTTEN, REPLICATED, ROUNDS, GibbsBlobsSettings
from pages.code.listing import listing
from pages.code.watch import Way, names
from pages.contract.charts import Chart
from pages.contract.columns import FLOAT32, UINT8, Columns
from pages.contract.events import Open
from pages.contract.film import Film
from pages.contract.moment import Moment, ShownChain
from pages.contract.place import Place
from pages.contract.stage import Stage
from pages.drawing.cards import quiet
from pages.drawing.numbers import rounded
from pages.drawing.plates import Diagram
from pages.drawing.wall import ACROSS, DOWN, EDGE, Grid, lineup
from pages.scenes.points.checks import compared
from pages.scenes.points.scene import Scene, domain
from pages.topics.gibbs_blobs.chains import Chains, chains_only
from pages.topics.gibbs_blobs.check import replicates
from samplers.crp.prediction import draw_new_points
from samplers.diagnostics.lineup import TILES, line_up
from samplers.mixtures.finite import FiniteMixture

GRID = Grid(5, 4)
LAST = FORGOTTEN + REPLICATED  # sweep of a round's chain
SWEEPS = LAST - REPLICATED // TILES * np.arange(TILES - 1)[::-1]  # whose replicates are on the tiles, in order
ROOM, TITLE = 0.05, 0.55  # around the points of a tile, in their span; and the height of a tile's number
BEYOND = 2  # tiles that may reach beyond either end of the range
RADIUS = 0.062  # of a point, in units of the wall
CODE = {
    "finite": Way((FiniteMixture.replicate,), names("log_weights", "drawn", "here", "points return")),
    "CRP": Way((draw_new_points,), names("place labels", "drawn", "dishes", "points return")),
}
CLOSED = "Press the tile that you take for the data: the numbers and the chain come with the answer."


class Round:
    """One lineup, from 0, of data and a chain of their own, which sessions share and which may have to be made."""

    def __init__(self, settings: GibbsBlobsSettings, seed: int, number: int) -> None:
        self.settings, self.seed = settings.of_round(seed, 2 * number)
        self.place = settings.place(seed, 2 * number)
        self.scene: Scene[GibbsBlobsSettings] = chains_only(self.settings, self.seed)

    def sweep(self, tile: int) -> int | None:
        """Return the sweep whose replicate is on a tile, from 0; None for the data's."""
        return None if tile == self.place else int(SWEEPS[tile - (tile > self.place)])

    def tiles(self) -> np.ndarray:
        """Return the points of each tile, shape (tiles, N, D), in the data's units."""
        return line_up(self.scene.data, replicates(self.scene, SWEEPS), self.place)

    def discs(self) -> tuple[np.ndarray, np.ndarray]:
        """Return where the points are on the wall, x and y of shape (tiles, N); those beyond a tile are at its rim."""
        tiles = self.tiles()
        shares = np.stack([_shares(tiles[:, :, axis]) for axis in range(tiles.shape[2])])
        if len(shares) == 1:  # points on a line are scattered up and down, by other numbers in each tile
            heights = np.random.default_rng((self.seed, self.place, TILES)).random(shares[0].shape)
            shares = np.stack([shares[0], heights])
        x, y = GRID.corners(TILES).T[:, :, None] + EDGE
        return x + (ACROSS - 2 * EDGE) * shares[0], y + (DOWN - EDGE - TITLE) * shares[1]


def _shares(values: np.ndarray) -> np.ndarray:
    """Return numbers of all tiles, shape (tiles, N), as shares of one range, with some room beside them.

    The range leaves out the same number of tiles at either end. It treats all tiles alike: one made for the data would
    give them away, as they alone could not reach beyond it.
    """
    ends = np.sort(values.min(axis=1))[BEYOND], np.sort(values.max(axis=1))[-1 - BEYOND]
    low, high = domain(np.array(ends), ROOM)
    share: np.ndarray = np.clip((values - low) / (high - low), 0, 1)
    return share


class Lineups(Stage[GibbsBlobsSettings]):
    """Five lineups: in one step all tiles are alike, in the next the data's is marked."""

    opens = ("tile",)

    def film(self, settings: GibbsBlobsSettings, seed: int) -> Film:
        first = Round(settings, seed, 0).scene
        first.run.reach(LAST, "Drawing replicates")
        points, corners = TILES * len(first.data), GRID.corners(TILES)
        steps = np.arange(settings.iterations + 1)
        shown = np.zeros((len(steps), TILES))
        places = np.array([settings.place(seed, int(t)) for t in steps])
        shown[steps, places] = steps % 2

        def columns(start: int, stop: int) -> Columns:
            rounds = {number: Round(settings, seed, number).discs() for number in {t // 2 for t in range(start, stop)}}
            discs = np.array([rounds[t // 2] for t in range(start, stop)], np.float32).reshape(stop - start, 2, points)
            return {("discs", "x"): discs[:, 0], ("discs", "y"): discs[:, 1]}

        return Film(
            key=f"lineups {settings.model_dump_json()} {seed}",
            charts=[_chart()],
            data={
                "tiles": {
                    "number": list(range(1, TILES + 1)),
                    "x": rounded(corners[:, 0]),
                    "y": rounded(corners[:, 1]),
                }
                | UINT8.made(shown=shown),
                "discs": {"x": FLOAT32, "y": FLOAT32, "radius": [RADIUS] * points, "color": [0] * points},
                "say": UINT8.made(open=steps % 2, round=1 + steps // 2)
                | FLOAT32.made(tile=np.where(steps % 2, places + 1, np.nan)),
            },
            columns=columns,
            total=settings.iterations,
            label=f"step {{t}} of {{total}}, round {{round}} of {ROUNDS}",
            grow=lambda t: _grown(settings, seed, t),
        )

    def cards(self, settings: GibbsBlobsSettings, seed: int, view: str, t: int) -> str:
        if view == "code":
            return listing(CODE[settings.model])
        if t % 2 == 0:
            return quiet(CLOSED)
        made = Round(settings, seed, t // 2)
        made.scene.run.reach(LAST, "Drawing replicates")
        if view == "check":
            sweeps = np.arange(FORGOTTEN + 1, LAST + 1)
            return compared(made.scene, sweeps, replicates(made.scene, sweeps))
        return Chains().cards(made.settings, made.seed, view, LAST)

    def moment(self, settings: GibbsBlobsSettings, seed: int, t: int) -> Moment:
        """Return the chain of the round at hand, at the last sweep that made a replicate."""
        own, of_chain = settings.of_round(seed, t)
        return Moment(self.chains(settings, seed, t), own.origins(), Chains().more(own, of_chain, LAST))

    def chains(self, settings: GibbsBlobsSettings, seed: int, t: int) -> list[ShownChain]:
        own, of_chain = settings.of_round(seed, t)
        return [ShownChain(own.sampler(), of_chain, LAST)]

    def model(self, settings: GibbsBlobsSettings, seed: int, t: int) -> Diagram:
        return Chains().model(*settings.of_round(seed, t), 0)

    def missing(self, settings: GibbsBlobsSettings) -> str | None:
        return Chains().missing(settings)

    def extra(self, place: Place[GibbsBlobsSettings]) -> None:
        Chains().extra(place)

    def open(self, place: Place[GibbsBlobsSettings], mark: Open) -> None:
        """Show which tile the data are; after that, go to the chain, at the draw that a tile's replicate is from."""
        if mark.t % 2 == 0:
            place.move(mark.t + 1)
            return
        sweep = Round(place.settings, place.seed, mark.t // 2).sweep(mark.which - 1)
        if sweep is None:
            return
        own, seed = place.settings.of_round(place.seed, mark.t)
        changes: dict[str, Any] = {name: getattr(own, name) for name in ("shown", "data_seed", "step_by")}
        place.seed = seed
        place.change(**changes)
        place.move(sweep)
        st.rerun()


def _grown(settings: GibbsBlobsSettings, seed: int, t: int) -> int:
    """Make the chains of the rounds up to step t, for a slice of time, and return the last step that is there."""
    for number in range(t // 2 + 1):
        if Round(settings, seed, number).scene.run.grow(LAST) < LAST:
            return 2 * number - 1
    return t


def _chart() -> Chart:
    return Chart(
        "lineup",
        "Which one is the data?",
        "· {open:press the tile that you take for the data|the data are tile }{tile}",
        f"{TILES} tiles with as many points each, and a number: one is the data, the others are replicates that the "
        "model draws, each from another draw of the posterior. Points beyond a tile are at its rim.",
        lineup(GRID),
        aspect=f"{GRID.width:g} / {GRID.height:g}",
    )
