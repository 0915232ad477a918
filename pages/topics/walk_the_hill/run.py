"""The run behind the charts: where the chain is after each iteration, and the path that led there."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from lessons.topics.walk_the_hill import WalkTheHillSettings
from lessons.topics.walk_the_hill.walks import ITERATIONS
from pages.player.run import KEPT, Run
from pages.scenes.energy_axis import FAR, bounded
from pages.scenes.leapfrogs import LeapfrogPath
from samplers import Chain
from samplers.gradient.hmc import Trajectory
from samplers.log_density import PositionState
from samplers.regression.metropolis import Proposal

BINS = 32  # of each margin's histogram, within the window
PLACES = ("x", "y", "px", "py", "hx", "hy", "error")
MARKS = ("doubling", "cut", "offered", "chosen", "turn")
POINT = np.dtype([("step", "i2"), *((name, "f4") for name in PLACES), *((name, "u1") for name in MARKS)])
NO_POINT = np.array((0, *(np.nan for _ in PLACES), *(0 for _ in MARKS)), POINT)


def path_of(trajectory: Trajectory, *, tree: bool) -> dict[str, np.ndarray]:
    """Return the points of an iteration of HMC, or (`tree`) of NUTS, in the order in which they were made.

    Returns
    -------
    dict of str to numpy.ndarray
        Shape (points,) each: ``step``, how many steps from the start, negative backwards in time; ``x`` and ``y``, the
        place; ``px`` and ``py``, the momentum there, and ``hx`` and ``hy``, the one that led there, half a kick before,
        of unit spread, whatever the masses; ``error``, the energy less that of the start; ``doubling``, in which one
        the point was made; whether that was thrown away (``cut``), whether the point could be chosen (``offered``),
        and was (``chosen``); ``turn``, whether it is an end of the stretch that turns back.
    """
    order, unit = trajectory.order, np.sqrt(trajectory.inverse_mass)
    points = [trajectory.points[place] for place in order]
    steps, offered = np.array([point.step for point in points]), np.array(trajectory.offered)[order]
    with np.errstate(all="ignore"):
        momenta = trajectory.momenta[order]
        kicks = (np.sign(steps) * 0.5 * trajectory.step_size)[:, None] * np.array([point.gradient for point in points])
        errors = trajectory.energies[order] - points[0].energy
        pairs = {"": trajectory.positions[order], "p": momenta * unit, "h": (momenta - kicks) * unit}
    return {
        "step": steps,
        **{f"{name}{axis}": bounded(values[:, i]) for name, values in pairs.items() for i, axis in enumerate("xy")},
        "error": bounded(errors),
        "doubling": np.array(trajectory.doublings)[order],
        "cut": ~offered & tree,
        "offered": offered,
        "chosen": order == trajectory.chosen,
        "turn": np.isin(order, trajectory.turn or ()),
    }


@dataclass(frozen=True)
class ProposedPath:
    """One iteration of random-walk Metropolis, opened: at its end from the start, as it has no leapfrog steps."""

    proposal: Proposal
    total: ClassVar[int] = 0


def path_of_proposal(proposal: Proposal, before: PositionState) -> dict[str, Any]:
    """Return a proposal as a path of one step, without momenta; the error is how much less its log density is."""
    x, y = np.array([before.position, proposal.position]).T
    return {
        "step": [0, 1],
        "x": x,
        "y": y,
        "error": np.array([0.0, before.log_density - proposal.log_density]).clip(-FAR, FAR),
        "doubling": [0, 1],
        "offered": [1, 1],
        "chosen": [not proposal.accepted, proposal.accepted],
    }


class WalkRun(Run[Any]):
    """The iterations of one chain.

    Attributes
    ----------
    positions : numpy.ndarray
        Shape (T + 1, 2).
    counts : numpy.ndarray
        Draws so far in each bin of both margins, shape (T + 1, 2, bins).
    paths : numpy.ndarray
        The path that led to each iteration, as `path_of` has it, with room for the points that it may have: records of
        shape (T + 1, points), `NO_POINT` after its end.
    leapfrogs : numpy.ndarray
        How many gradients the iteration took, shape (T + 1,).
    divergent : numpy.ndarray
        Whether its path diverged, shape (T + 1,).
    """

    unit = "iterations"

    def __init__(self, settings: WalkTheHillSettings, seed: int) -> None:
        self.settings = settings
        rows = ITERATIONS + 1
        self.positions = np.empty((rows, 2))
        self.counts = np.empty((rows, 2, BINS), np.uint16)
        self.paths = np.empty((rows, settings.most_points), POINT)
        self.leapfrogs, self.divergent = np.zeros(rows, np.int16), np.zeros(rows, np.uint8)
        self.edges = tuple(np.linspace(*ends, BINS + 1) for ends in settings.window)
        super().__init__(Chain(settings.sampler(), seed, keep=KEPT, on_step=self._note))

    def add(self, t: int, state: Any) -> None:
        self.positions[t] = state.position
        self.counts[t] = self.counts[t - 1] if t else 0
        if t > self.settings.warmup:
            for axis, edges in enumerate(self.edges):
                found = int(np.searchsorted(edges, state.position[axis], "right")) - 1
                if 0 <= found < BINS:
                    self.counts[t, axis, found] += 1
        if not t:
            self._keep_path(0, {"x": state.position[:1], "y": state.position[1:], "error": [0.0], "chosen": [1]})

    def _note(self, t: int, record: Any) -> None:
        """Keep the path of iteration t, when it is made for the first time."""
        if t <= self.made:
            return
        if isinstance(record, Trajectory):
            self._keep_path(t, path_of(record, tree=self.settings.now.doubles))
            self.leapfrogs[t] = record.leapfrogs
            self.divergent[t] = record.divergent is not None
        else:
            self._keep_path(t, path_of_proposal(record, self.state(t - 1)))

    def _keep_path(self, t: int, path: Mapping[str, Any]) -> None:
        self.paths[t] = NO_POINT
        for name, values in path.items():
            self.paths[name][t, : len(values)] = values

    def close_up(self, t: int) -> LeapfrogPath | ProposedPath:
        """Return iteration t, from 1, replayed; see `state` for what this raises."""
        record = self.record(t)
        return LeapfrogPath(t, record) if isinstance(record, Trajectory) else ProposedPath(record)
