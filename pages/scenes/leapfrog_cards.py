"""Cards of HMC and NUTS: how far an iteration went, which point it took, and one leapfrog step as sums."""

import numpy as np

from pages.drawing.cards import numbered, pointing, quiet, table
from pages.drawing.numbers import bracketed, counted, enough_decimals, fixed, probability, subtracted, vector
from pages.scenes.leapfrogs import LeapfrogPath
from samplers.gradient.hmc import Point, Trajectory
from samplers.gradient.nuts import chances

MOST_SHARES = 4  # points of a doubling whose probabilities are listed one by one


def even(*beats: tuple[str, str], tree: bool = False) -> str:
    """Return cards that need about the same room, the second to look at; a tree fills the third."""
    return f'<div class="even{" coins" if tree else ""}">{numbered(*beats)}</div>'


def iteration(trajectory: Trajectory, there: str, *, tree: bool, drawn: str = "") -> str:
    """Return the cards of one iteration; `there` is the body of the last one, `drawn` a remark behind the momentum."""
    begin = trajectory.points[trajectory.start]
    kinetic = begin.energy + begin.log_density
    return even(
        (
            "Momentum",
            f"<p>{pointing('momentum', f'p = {vector(trajectory.momentum)}')}{drawn}</p>"
            f"<p>Energy H = ½ pᵀM<sup>−1</sup>p − log density = "
            f"{subtracted(kinetic, begin.log_density, mark='b')}</p>",
        ),
        ("Follow the gradient", walked(trajectory, tree)),
        ("Choose", taken(trajectory) if tree else accepted(trajectory)),
        ("There", there),
        tree=tree,
    )


def walked(trajectory: Trajectory, tree: bool) -> str:
    """Return how many leapfrog steps an iteration made, and why no more."""
    if trajectory.divergent is not None:
        end = "<b>The energy runs away: a divergence.</b> The path ends there."
    elif trajectory.turn is not None:
        first, last = (fixed(trajectory.points[place].step, 0) for place in trajectory.turn)
        turn = pointing("turn", f"The ends {first} and {last}")
        end = f"{turn} approach each other: a <b>U-turn</b>."
    else:
        end = "No U-turn, but doubled as often as is allowed." if tree else "As many as were asked for."
    doubled = ""
    if tree:
        sizes = np.bincount(trajectory.doublings)[1:].tolist()
        sums = f"{' + '.join(map(str, sizes))} = {trajectory.leapfrogs}"
        doubled = f"<p>Doubled {counted(len(sizes), 'time')}: {sums}, forwards or backwards.</p>"
    many = f"<b>{counted(trajectory.leapfrogs, 'leapfrog step')}</b> of ε = {trajectory.step_size:.3f}"
    return f"<p>{many}, one gradient each.</p>{doubled}<p>{end}</p>"


def accepted(trajectory: Trajectory) -> str:
    """Return whether the end of a path was accepted."""
    before, after = trajectory.points[trajectory.start].energy, trajectory.points[-1].energy
    verdict = "accepted" if trajectory.chosen else "<b>rejected</b>: the old position is repeated"
    return (
        f"<p>min(1, exp({fixed(before)} − {bracketed(fixed(after))})) = {trajectory.accept_statistic:.3f}</p>"
        f"<p>The dart falls at {trajectory.uniform:.3f}: {verdict}.</p>"
    )


def taken(trajectory: Trajectory) -> str:
    """Return which point of a path was picked: the coin of each doubling, and the probability of each point."""
    step, shares = trajectory.points[trajectory.chosen].step, chances(trajectory)
    way = f"{counted(abs(int(step)), 'leapfrog step')} {'on' if step > 0 else 'back'} from the start"
    where = f"the point {way}" if step else "the start itself"
    picked = (
        f"<p>Picked: <b>{pointing('chosen', where)}</b> (probability {probability(shares[trajectory.chosen])}).</p>"
    )
    if not trajectory.coins:
        return f"<p>No doubling was kept, so there is the start alone.</p>{picked}"
    rows, bold = [("start", "", "", *_each(trajectory, shares, 0))], ""
    for number, coin in enumerate(trajectory.coins, 1):
        took = coin.uniform < coin.probability
        dart = f"<b>{coin.uniform:.3f}</b>" if took else f"{coin.uniform:.3f}"
        bold = bold or (" Bold: it took over." if took else "")
        rows.append((str(number), f"{coin.probability:.3f}", dart, *_each(trajectory, shares, number)))
    return (
        "<p>A coin for each doubling: it takes over with probability min(1, new / old), by sums of exp(−H). Within it, "
        "shares are proportional to exp(−H). At the right: how probable it is that a point is picked in the end.</p>"
        + table(("doubling", "its coin", "dart", "each point", "all"), rows)
        + quiet(f"{counted(sum(trajectory.offered), 'point')}, together {shares.sum():.3f}.{bold}")
        + picked
    )


def _each(trajectory: Trajectory, shares: np.ndarray, number: int) -> tuple[str, str]:
    """Return the probabilities of a doubling's points, in order of time, and their sum; of many, the ends."""
    own = shares[np.array(trajectory.doublings) == number]
    ends = f"{probability(own.min())} to {probability(own.max())}"
    return " ".join(map(probability, own)) if len(own) <= MOST_SHARES else ends, probability(own.sum())


def energy(point: Point, start: Point) -> str:
    """Return a point's energy with its numbers, and how much more it is than that of the start."""
    kinetic = point.energy + point.log_density
    log_density = pointing("here", f"log density {fixed(point.log_density)}")
    return (
        f"<p>{log_density}</p>"
        f"<p>Energy H = ½ Σ p² / mass − log density = {subtracted(kinetic, point.log_density)}</p>"
        f"<p>H<sub>0</sub> = {fixed(start.energy)} at the start: "
        f"H − H<sub>0</sub> = <b>{fixed(point.energy - start.energy, 3)}</b> (0 if steps were exact)</p>"
    )


def parts_of_step(path: LeapfrogPath, t: int, i: int) -> tuple[str, str, str]:
    """Return leapfrog step t along coordinate i as sums with their numbers: half a kick, the drift, half a kick."""
    (before, size), point = path.step(t), path.trajectory.points[path.place(t)]
    half = before.momentum[i] + 0.5 * size * before.gradient[i]
    return (
        _sum(before.momentum[i], size / 2, before.gradient[i], half),
        _sum(before.position[i], size, path.trajectory.inverse_mass[i] * half, point.position[i]),
        _sum(half, size / 2, point.gradient[i], point.momentum[i]),
    )


def _sum(start: float, size: float, slope: float, end: float) -> str:
    """Return start + size · slope = end with its numbers, in the decimals in which a reader finds the end."""
    n = enough_decimals(lambda n: round(start, n) + round(size, n + 1) * round(slope, n))
    return f"{fixed(start, n)} + {bracketed(fixed(size, n + 1))} · {bracketed(fixed(slope, n))} = <b>{fixed(end)}</b>"
