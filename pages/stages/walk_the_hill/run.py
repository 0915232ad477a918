"""The run behind the charts: where the chain is after each iteration, and the path that led there."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from lessons.stages.walk_the_hill import ITERATIONS, WalkTheHillSettings
from pages.player.run import KEPT, Run
from pages.stages.energy_axis import FAR
from pages.stages.leapfrogs import LeapfrogPath
from samplers import Chain
from samplers.gradient.hmc import Point, Trajectory
from samplers.log_density import PositionState
from samplers.regression.metropolis import Proposal

BINS = 32  # of each margin's histogram, within the window
PLACES = ("x", "y", "px", "py", "hx", "hy", "error")  # of a point; p at it, h half a kick before it
MARKS = ("doubling", "cut", "offered", "chosen", "turn")


@dataclass(frozen=True)
class Path:
    """One iteration's points in the order in which they were made, as arrays of one length.

    Attributes
    ----------
    step : numpy.ndarray
        How many steps from the start; negative backwards in time.
    x, y : numpy.ndarray
        Where they are.
    px, py, hx, hy : numpy.ndarray
        The momentum there, and the one that led there; of unit spread, whatever the masses. NaN of a proposal.
    error : numpy.ndarray
        The energy less that of the start; of a proposal, the log density of the start less its own.
    doubling, cut, offered, chosen, turn : numpy.ndarray
        In which doubling a point was made; whether that was thrown away; whether the point could be chosen, and was;
        whether it is an end of the stretch that turns back.
    """

    step: np.ndarray
    x: np.ndarray
    y: np.ndarray
    px: np.ndarray
    py: np.ndarray
    hx: np.ndarray
    hy: np.ndarray
    error: np.ndarray
    doubling: np.ndarray
    cut: np.ndarray
    offered: np.ndarray
    chosen: np.ndarray
    turn: np.ndarray


def path_of(trajectory: Trajectory, *, tree: bool) -> Path:
    """Return the path of an iteration of HMC, or (`tree`) of NUTS."""
    order = trajectory.order
    points = [trajectory.points[place] for place in order]
    unit = np.sqrt(trajectory.inverse_mass)
    offered = np.array(trajectory.offered)[order]
    with np.errstate(all="ignore"):
        momenta = np.array([point.momentum for point in points]) * unit
        halves = np.array([_half(point, trajectory.step_size) for point in points]) * unit
        errors = np.nan_to_num(np.array([point.energy for point in points]) - points[0].energy, nan=FAR)
    x, y = _within([point.position for point in points])
    px, py = _within(momenta)
    hx, hy = _within(halves)
    return Path(
        step=np.array([point.step for point in points]),
        x=x,
        y=y,
        px=px,
        py=py,
        hx=hx,
        hy=hy,
        error=errors.clip(-FAR, FAR),
        doubling=np.array(trajectory.doublings)[order],
        cut=~offered if tree else np.zeros(len(points), bool),
        offered=offered,
        chosen=order == trajectory.chosen,
        turn=np.isin(order, trajectory.turn or ()),
    )


def _half(point: Point, step_size: float) -> np.ndarray:
    """Return the momentum of the drift to a point: half a kick less than at the point."""
    back: np.ndarray = point.momentum - np.sign(point.step) * 0.5 * step_size * point.gradient
    return back


def _within(pairs: Any) -> np.ndarray:
    """Return both coordinates of pairs, shape (2, pairs), none of them beyond `FAR`."""
    found: np.ndarray = np.nan_to_num(np.array(pairs, float), nan=FAR).clip(-FAR, FAR).T
    return found


@dataclass(frozen=True)
class ProposedPath:
    """One iteration of random-walk Metropolis, opened: at its end from the start, as it has no leapfrog steps."""

    proposal: Proposal
    total: ClassVar[int] = 0


def path_of_proposal(proposal: Proposal, before: PositionState) -> Path:
    """Return a proposal as a path of one step."""
    x, y = np.array([before.position, proposal.position]).T
    none = np.full(2, np.nan)
    return Path(
        step=np.arange(2),
        x=x,
        y=y,
        **dict.fromkeys(("px", "py", "hx", "hy"), none),
        error=np.array([0.0, before.log_density - proposal.log_density]).clip(-FAR, FAR),
        doubling=np.arange(2),
        cut=np.zeros(2, bool),
        offered=np.ones(2, bool),
        chosen=np.array([not proposal.accepted, proposal.accepted]),
        turn=np.zeros(2, bool),
    )


class WalkRun(Run[Any]):
    """The iterations of one chain.

    Attributes
    ----------
    positions : numpy.ndarray
        Shape (T + 1, 2).
    counts : numpy.ndarray
        Draws so far in each bin of both margins, shape (T + 1, 2, bins).
    places, marks, steps : numpy.ndarray
        The path that led to each iteration, with a row for each point that it may have: `PLACES`, NaN after its
        end, `MARKS`, and the steps; shapes (T + 1, 7, points), (T + 1, 5, points) and (T + 1, points).
    leapfrogs : numpy.ndarray
        How many gradients the iteration took, shape (T + 1,).
    divergent : numpy.ndarray
        Whether its path diverged, shape (T + 1,).
    """

    unit = "iterations"

    def __init__(self, settings: WalkTheHillSettings, seed: int) -> None:
        self.settings = settings
        rows, points = ITERATIONS + 1, settings.most_points
        self.positions = np.empty((rows, 2))
        self.counts = np.empty((rows, 2, BINS), np.uint16)
        self.places = np.empty((rows, len(PLACES), points), np.float32)
        self.marks = np.empty((rows, len(MARKS), points), np.uint8)
        self.steps = np.empty((rows, points), np.int16)
        self.leapfrogs, self.divergent = np.zeros(rows, np.int16), np.zeros(rows, np.uint8)
        self.edges = tuple(np.linspace(*ends, BINS + 1) for ends in settings.window)
        super().__init__(Chain(settings.sampler(), seed, keep=KEPT, on_step=self._note))

    def add(self, t: int, state: Any) -> None:
        """Keep where iteration t led."""
        self.positions[t] = state.position
        self.counts[t] = self.counts[t - 1] if t else 0
        if t > self.settings.warmup:
            for axis, edges in enumerate(self.edges):
                found = int(np.searchsorted(edges, state.position[axis], "right")) - 1
                if 0 <= found < BINS:
                    self.counts[t, axis, found] += 1
        if not t:
            self._keep_path(0, _at_start(state))

    def _note(self, t: int, record: Any) -> None:
        """Keep the path of iteration t, when it is made for the first time."""
        if t <= self.made:
            return
        self._keep_path(t, self._as_path(t, record))
        if isinstance(record, Trajectory):
            self.leapfrogs[t] = record.leapfrogs
            self.divergent[t] = record.divergent is not None

    def _as_path(self, t: int, record: Any) -> Path:
        if isinstance(record, Trajectory):
            return path_of(record, tree=self.settings.method == "NUTS")
        return path_of_proposal(record, self.state(t - 1))

    def _keep_path(self, t: int, path: Path) -> None:
        many = len(path.x)
        self.places[t], self.marks[t], self.steps[t] = np.nan, 0, 0
        for row, name in enumerate(PLACES):
            self.places[t, row, :many] = getattr(path, name)
        for row, name in enumerate(MARKS):
            self.marks[t, row, :many] = getattr(path, name)
        self.steps[t, :many] = path.step

    def close_up(self, t: int) -> LeapfrogPath | ProposedPath:
        """Return iteration t, from 1, replayed; see `state` for what this raises."""
        record = self.record(t)
        return LeapfrogPath(t, record) if isinstance(record, Trajectory) else ProposedPath(record)


def _at_start(state: PositionState) -> Path:
    """Return the path of a chain that has not moved yet: one point."""
    (x, y), none, zero = state.position[:, None], np.full(1, np.nan), np.zeros(1)
    arrows = dict.fromkeys(("px", "py", "hx", "hy"), none)
    marks = dict.fromkeys(MARKS, zero) | {"chosen": np.ones(1)}
    return Path(zero, x, y, **arrows, error=zero, **marks)
