"""The frames of one sweep, beat by beat, made as far as they are asked for."""

import math
from collections.abc import Generator
from typing import Any

import numpy as np

from pages.contract.columns import FLOAT32, Columns, Data, along
from pages.contract.film import Film
from pages.scenes.close_up import SAMPLE, SCORE, Beat, CloseUp, Replay, beats_of
from pages.scenes.points.model import PARAMETERS, SHOWN
from pages.scenes.points.options import DART, ROWS, Update, fields_of
from pages.scenes.points.run import highest, means_of
from pages.scenes.points.scene import MixtureScene

FIELDS = ("table", "share", "mx", "my", "a", "b", "c")
MOST_MEANS = 6  # components whose means are followed
ROOM = 1.08  # above the highest curve


class BeatFrames(Replay):
    """The columns of a sweep's frames: its start, then four beats an update.

    Parameters
    ----------
    scene : MixtureScene
        Whose first chain's sweep it is.
    close_up : CloseUp
        The sweep.
    places : numpy.ndarray
        Where each point is drawn, shape (N, 2).
    """

    def __init__(self, scene: MixtureScene, close_up: CloseUp[Any], places: np.ndarray) -> None:
        self._scene, self._places = scene, places
        self.film: Film | None = None
        self._points = len(scene.data)
        total = 4 * len(close_up) + 1
        self._labels = np.empty((total, self._points), np.int16)
        self._clusters = np.empty((total, SHOWN, PARAMETERS), np.float32)
        self._fields = fields_of(scene)
        self._options = np.empty((total, ROWS, len(self._fields)), np.float32)
        self._darts = np.empty((total, len(DART)), np.float32)
        self._log_joint, self._tables = np.empty((total, 1), np.float32), np.empty((total, 1), np.int16)
        super().__init__(close_up)

    def replayed(self) -> Generator[None, None, None]:
        self._keep(0, self.close_up.before)
        self._options[0] = self._darts[0] = np.nan
        for number, beat in enumerate(self.close_up):
            self._lift(4 * number, beat)
            self._keep(4 * number + 4, beat.after)
            yield

    def _keep(self, t: int, state: Any) -> None:
        sampler, model = self._scene.runs[0].sampler, self._scene.model
        self._labels[t], self._clusters[t] = state.labels, model.parameters(state)
        self._log_joint[t], self._tables[t] = sampler.log_joint(state), model.occupied(state)

    def _lift(self, whole: int, beat: Beat[Any]) -> None:
        """Fill in the frames in which the site is out."""
        model, three = self._scene.model, slice(whole + 1, whole + 4)
        scored = slice(whole + SCORE, whole + SAMPLE + 1)
        self._options[whole + 1 : whole + 5] = self._darts[whole + 1 : whole + 5] = np.nan
        lifted = np.array(beat.before.labels, np.int16)
        if not beat.is_block:
            lifted[int(beat.update.site)] = -1
            update = Update(self._scene, beat, self._places[int(beat.update.site)])
            rows = update.rows()
            self._options[scored, : len(rows)] = rows
            self._darts[scored] = update.dart()
        self._labels[three], self._clusters[three] = lifted, model.parameters(beat.lifted)
        self._log_joint[three], self._tables[three] = self._log_joint[whole], model.occupied(beat.lifted)

    def columns(self, start: int, stop: int) -> Columns:
        """Return the columns of frames from `start` and below `stop`."""
        self.grow(stop - 1, math.inf)
        part = slice(start, stop)
        log_joint, tables, clusters = self._log_joint[part], self._tables[part], self._clusters[part]
        done = np.arange(start, stop)
        block = np.maximum(0, (done - 1) // 4 - self._points + 1)  # the blocks' beats come last
        so_far = shares(self._scene.runs[0].tables, self.sweep - 1, self.sweep, self._scene.most_tables)
        means = means_of(clusters, MOST_MEANS)
        columns: Columns = {
            ("points_a", "label"): self._labels[part],
            **along(log_joint=log_joint, tables=tables),
            ("say", "point"): np.where(block > 0, np.nan, (done + 3) // 4),
            ("say", "kind"): block,
            ("say", "beat"): beats_of(done),
            ("counts", "share"): np.repeat(so_far, len(done), axis=0),
            **{("options_a", name): self._options[part, :, i] for i, name in enumerate(self._fields)},
            **{("dart_a", name): self._darts[part, i] for i, name in enumerate(DART)},
            **{("past", f"m{i}"): means[:, i] for i in range(MOST_MEANS)},
            **{("past", f"r{i}"): np.nan for i in range(MOST_MEANS)},
        }
        return columns | cluster_columns("a", clusters) | self._tops(part)

    def _tops(self, part: slice) -> Columns:
        """Return the height of the chart of points on a line, for the clusters and for what they predict.

        While a point is scored, what each option predicts takes the place of the clusters, in a plane as well.
        """
        scored = np.isfinite(self._options[part, :, 0])
        clusters, options = np.where(scored[:, :1], np.nan, 1), np.where(scored, 1, np.nan)
        if self._scene.flat:
            self.grow(len(self._options) - 1, math.inf)
            log_height, fit = (self._options[..., self._fields.index(name)] for name in ("log_height", "fit"))
            clusters = clusters * ROOM * highest(self._clusters)
            options = options * ROOM * max(np.nanmax(np.exp(log_height)), np.nanmax(fit))
        return {("clusters_a", "top"): clusters, ("options_a", "top"): options}


def cluster_data(name: str, tops: bool) -> Data:
    """Return the components of a chart; `tops` says whether the height of the chart changes."""
    top = FLOAT32 if tops else [None] * SHOWN
    return {f"clusters_{name}": {**dict.fromkeys(FIELDS, FLOAT32.of(SHOWN)), "top": top}}


def cluster_columns(name: str, clusters: np.ndarray) -> Columns:
    """Return the columns of the components of a chain, by the chain's letter."""
    return {(f"clusters_{name}", field): clusters[:, :, place] for place, field in enumerate(FIELDS)}


def shares(numbers: np.ndarray, start: int, stop: int, most: int) -> np.ndarray:
    """Return how often each number from 1 has come up until each sweep, shape (stop - start, most).

    Sweep 0 does not count, and the last number stands for all larger ones as well.
    """
    hits = np.minimum(numbers[1:stop, None], most) == np.arange(1, most + 1)
    until = np.concatenate([np.zeros((1, most)), hits.cumsum(axis=0)])
    shares: np.ndarray = (until / np.maximum(np.arange(stop), 1)[:, None]).astype(np.float32)
    return shares[start:stop]
