"""The frames of one sweep, beat by beat, made as far as they are asked for."""

from __future__ import annotations

import math
import threading
from collections.abc import Generator, Sequence
from typing import Any

import numpy as np
from scipy.special import gammaln

from pages.player.player import Film
from pages.player.turns import Work, time_slice
from pages.stages.close_up import Beat, CloseUp
from pages.stages.points.model import MANY, PARAMETERS, SHOWN
from pages.stages.points.run import PointsRun, highest, means_of
from pages.stages.points.scene import Scene
from samplers.recipe import Conditional

FIELDS = ("table", "share", "mx", "my", "a", "b", "c")
MOST_MEANS = 6  # components whose means are followed
NEW = -1  # the option of a component that nobody has opened; a wrong rule may offer it twice
FITS = ("option", "centre", "scale", "df", "log_height", "x", "fit", "p", "top")
ROOM = 1.08  # above the highest curve
Columns = dict[tuple[str, str], np.ndarray]


class BeatFrames:
    """The columns of a sweep's frames: its start, then four beats an update. Sessions share them.

    Parameters
    ----------
    scene : Scene
        Whose first chain's sweep it is.
    close_up : CloseUp
        The sweep.
    places : numpy.ndarray
        Where each point is drawn, shape (N, 2).
    """

    def __init__(self, scene: Scene, close_up: CloseUp[Any], places: np.ndarray) -> None:
        self._scene, self._close_up, self._places = scene, close_up, places
        self.film: Film | None = None
        self._made = 0
        self._points = len(scene.data)
        total = 4 * len(close_up) + 1
        self._labels = np.empty((total, self._points), np.int16)
        self._clusters = np.empty((total, SHOWN, PARAMETERS), np.float32)
        self._offers = np.empty((total, SHOWN, 5), np.float32)
        self._fits = np.empty((total if scene.flat else 1, SHOWN + 1, len(FITS)), np.float32)  # over points on a line
        self._log_joint, self._tables = np.empty((total, 1), np.float32), np.empty((total, 1), np.int16)
        self._work = Work(self._beats())
        self._lock = threading.Lock()

    @property
    def nbytes(self) -> int:
        """How many bytes are taken by the frames that have been made."""
        arrays = (self._labels, self._clusters, self._offers, self._fits)
        return (self._made + 1) * sum(array.nbytes // len(array) for array in arrays)

    def grow(self, t: int, seconds: float | None = None) -> int:
        """Make frames up to t, for a slice or for so many seconds; return the last one that is there."""
        with self._lock, time_slice(seconds) as over:
            if self._made < t:
                self._work.until(lambda: self._made >= t or over())
        return self._made

    def whole(self) -> None:
        """Have all frames, or raise `NotYet` after a slice."""
        last = len(self._labels) - 1
        if self.grow(last) < last:
            raise self._close_up.not_yet(self._made // 4, last // 4, self.whole)

    def _beats(self) -> Generator[None, None, None]:
        """Fill in the start, and four frames an update."""
        self._keep(0, self._close_up.before)
        self._offers[0] = np.nan
        self._fits[0] = np.nan
        for number, beat in enumerate(self._close_up):
            self._lift(4 * number, beat)
            self._keep(4 * number + 4, beat.after)
            self._made = 4 * number + 4
            yield

    def _keep(self, t: int, state: Any) -> None:
        sampler, model = self._scene.runs[0].sampler, self._scene.model
        self._labels[t], self._clusters[t] = state.labels, model.parameters(state)
        self._log_joint[t], self._tables[t] = sampler.log_joint(state), model.occupied(state)

    def _lift(self, whole: int, beat: Beat[Any]) -> None:
        """Fill in the frames in which the site is out."""
        model, three = self._scene.model, slice(whole + 1, whole + 4)
        self._offers[whole + 1 : whole + 5] = np.nan
        self._fits[whole + 1 : whole + 5] = np.nan
        without, lifted = model.parameters(beat.lifted), np.array(beat.before.labels, np.int16)
        if not beat.is_block:
            lifted[int(beat.update.site)] = -1
            options = model.options(beat.lifted)
            offers = _offers(beat, options, without, self._places)
            self._offers[whole + 2] = offers
            if self._scene.flat:
                rows = _fits(self._scene, beat)
                self._fits[whole + 2 : whole + 4, : len(rows)] = rows
            self._offers[whole + 3] = np.where(_chosen(beat, options, without), offers, np.nan)
        self._labels[three], self._clusters[three] = lifted, without
        self._log_joint[three], self._tables[three] = self._log_joint[whole], model.occupied(beat.lifted)

    def columns(self, start: int, stop: int) -> Columns:
        """Return the columns of frames from `start` and below `stop`."""
        self.grow(stop - 1, math.inf)
        part = slice(start, stop)
        log_joint, tables, clusters = self._log_joint[part], self._tables[part], self._clusters[part]
        done = np.arange(start, stop)
        block = np.maximum(0, (done - 1) // 4 - self._points + 1)  # the blocks' beats come last
        sweep = self._close_up.sweep
        so_far = shares(self._scene.runs[0], sweep - 1, sweep, self._scene.most_tables)
        means = means_of(clusters, MOST_MEANS)
        nothing = np.full((len(done), 1), np.nan, np.float32)
        columns: Columns = {
            ("points_a", "label"): self._labels[part],
            ("past", "log_joint"): log_joint,
            ("past", "tables"): tables,
            ("say", "log_joint"): log_joint,
            ("say", "tables"): tables,
            ("say", "point"): np.where(block > 0, np.nan, (done + 3) // 4).astype(np.float32)[:, None],
            ("say", "kind"): block.astype(np.uint8)[:, None],
            ("say", "beat"): np.where(done == 0, 0, (done - 1) % 4 + 1).astype(np.uint8)[:, None],
            ("counts", "share"): np.repeat(so_far, len(done), axis=0),
            **{("offers_a", name): self._offers[part, :, i] for i, name in enumerate(("x", "y", "x2", "y2", "p"))},
            **{("past", f"m{i}"): means[:, i : i + 1] for i in range(MOST_MEANS)},
            **{("past", f"r{i}"): nothing for i in range(MOST_MEANS)},
            **(self._fit_columns(part) if self._scene.flat else {}),
        }
        return columns | cluster_columns("a", clusters)

    def _fit_columns(self, part: slice) -> Columns:
        """Return each option's predictive while a point is scored, and the height of the chart in the whole sweep."""
        self.grow(len(self._fits) - 1, math.inf)
        fits = self._fits[part].copy()
        scored = np.isfinite(fits[:, :1, FITS.index("x")])
        height, fit, top = (FITS.index(name) for name in ("log_height", "fit", "top"))
        highest_fit = max(np.nanmax(np.exp(self._fits[..., height])), np.nanmax(self._fits[..., fit]))
        fits[..., top] = np.where(np.isfinite(fits[..., fit]), ROOM * highest_fit, np.nan)
        tops = np.where(scored, np.nan, ROOM * highest(self._clusters)).astype(np.float32)
        return {
            ("clusters_a", "top"): np.repeat(tops, SHOWN, axis=1),
            **{("fits_a", name): fits[:, :, i] for i, name in enumerate(FITS)},
        }


def cluster_columns(name: str, clusters: np.ndarray) -> Columns:
    """Return the columns of the components of a chain, by the chain's letter."""
    return {(f"clusters_{name}", field): clusters[:, :, place] for place, field in enumerate(FIELDS)}


def shares(run: PointsRun, start: int, stop: int, most: int) -> np.ndarray:
    """Return how often each number of tables has come up until each sweep, shape (stop - start, most)."""
    numbers = np.minimum(run.tables[1:stop, None], most)  # the last bar stands for all larger ones as well
    hits = numbers == np.arange(1, most + 1)
    until = np.concatenate([np.zeros((1, most)), hits.cumsum(axis=0)])
    sweeps = np.maximum(np.arange(stop), 1)
    shares: np.ndarray = (until / sweeps[:, None]).astype(np.float32)
    return shares[start:stop]


def _fits(scene: Scene, beat: Beat[Any]) -> list[tuple[float, ...]]:
    """Return a row for each option of a point, as `FITS`; of very many, the likeliest."""
    conditional = beat.update.conditional
    assert isinstance(conditional, Conditional)
    x = float(scene.data[int(beat.update.site), 0])
    names, predictives = scene.model.options(beat.lifted), scene.model.predictives(beat.lifted)
    fit = conditional.terms[scene.run.sampler.fit]
    rows: list[tuple[float, ...]] = []
    for option in np.argsort(-conditional.probabilities, kind="stable")[: SHOWN + 1]:
        name = names[option] if option < len(names) else NEW
        centre, scale, df = (predictives[option] if name != NEW else predictives[-1]).student_t()
        df = min(df, MANY)
        log_height = gammaln((df + 1) / 2) - gammaln(df / 2) - np.log(df * np.pi) / 2 - np.log(scale)
        chance = conditional.probabilities[option]
        rows.append((name, centre, scale, df, log_height, x, np.exp(fit[option]), chance, 0.0))
    return rows


def _offers(beat: Beat[Any], names: Sequence[int], clusters: np.ndarray, place: np.ndarray) -> np.ndarray:
    """Return a line to each table that is drawn, shape (SHOWN, 5): from, to, probability; a new one has no place."""
    rows = np.full((SHOWN, 5), np.nan, np.float32)
    conditional = beat.update.conditional
    assert isinstance(conditional, Conditional)
    offers = dict(zip(names, conditional.probabilities, strict=False))
    for row, (table, _, x, y, *_) in enumerate(clusters):
        if table in offers:
            rows[row] = (*place[int(beat.update.site)], x, y, offers[table])
    return rows


def _chosen(beat: Beat[Any], names: Sequence[int], clusters: np.ndarray) -> np.ndarray:
    """Return which of the drawn tables the dart has hit, shape (SHOWN, 1); none if it opens a new one."""
    chosen = names[beat.update.value] if beat.update.value < len(names) else -1
    hit: np.ndarray = clusters[:, :1] == chosen
    return hit
