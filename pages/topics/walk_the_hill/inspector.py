"""One iteration in four beats, a leapfrog step with its numbers, or a proposal; and the code that ran."""

from math import exp
from typing import Any

from pages.code.ways import code_of_step
from pages.drawing.cards import pointing, quiet
from pages.drawing.numbers import bracketed, counted, fixed, vector
from pages.scenes import leapfrog_cards
from pages.scenes.close_up import opened
from pages.scenes.leapfrog_cards import energy, even, parts_of_step
from pages.scenes.leapfrogs import LeapfrogPath, code_of_leapfrog
from pages.topics.walk_the_hill.film import WalkScene
from pages.topics.walk_the_hill.run import ProposedPath


def step(scene: WalkScene, t: int) -> str:
    """Return the text of iteration t, or of the start."""
    if t:
        return iteration(scene, opened(scene.key, scene.run, t), t)
    here = pointing("here", "The puck")
    return quiet(f"{here} lies at the start. {scene.way.start} Press <b>Step</b>.")


def iteration(scene: WalkScene, path: Any, t: int) -> str:
    """Return the text of one iteration."""
    return _proposed(scene, path, t) if isinstance(path, ProposedPath) else _rolled(scene, path, t)


def _rolled(scene: WalkScene, path: LeapfrogPath, t: int) -> str:
    trajectory = path.trajectory
    begin, chosen = trajectory.points[trajectory.start], trajectory.points[trajectory.chosen]
    there = (
        f"<p>{pointing('here', vector(chosen.position))}</p>"
        f"<p>log density {fixed(begin.log_density)} → <b>{fixed(chosen.log_density)}</b></p>"
        + quiet(f"{counted(int(scene.run.divergent[1 : t + 1].sum()), 'divergence')} so far")
    )
    return leapfrog_cards.iteration(trajectory, there, tree=scene.tree, drawn=", drawn from Normal(0, M)")


def _proposed(scene: WalkScene, path: ProposedPath, t: int) -> str:
    before, proposal = scene.run.state(t - 1), path.proposal
    verdict = "accepted" if proposal.accepted else "<b>rejected</b>: the old position is repeated"
    return even(
        ("Here", f"<p>{vector(before.position)}</p><p>log density {fixed(before.log_density)}</p>"),
        ("Propose", f"<p>{vector(proposal.position)}</p><p>log density <b>{fixed(proposal.log_density)}</b></p>"),
        (
            "Compare",
            f"<p>min(1, exp({fixed(proposal.log_density)} − {bracketed(fixed(before.log_density))})) = "
            f"{proposal.probability:.3f}</p>",
        ),
        (
            "Decide",
            f"<p>The dart falls at {proposal.uniform:.3f}: {pointing('chosen', verdict)}.</p>",
        ),
    )


def leapfrog(scene: WalkScene, path: Any, t: int) -> str:
    """Return one leapfrog step in its three parts, with the numbers along x and along y; at the end, the iteration."""
    if t >= path.total:
        return iteration(scene, path, scene.settings.iteration)
    trajectory = path.trajectory
    if t == 0:
        arrow = pointing("momentum", "the momentum")
        begins = f"Your throw, with {arrow} as an arrow" if scene.thrown else f"The start, with {arrow} that was drawn"
        return quiet(
            f"{begins}. Press <b>Step</b>: half a kick by the gradient, a drift along the momentum, half a kick."
        )
    point, begin = trajectory.points[path.place(t)], trajectory.points[trajectory.start]
    first, drift, last = zip(*(parts_of_step(path, t, i) for i in (0, 1)), strict=True)
    return even(
        ("Half a kick", f"<p>{pointing('kick', 'momentum p + ε/2 · slope')}</p>{_both(first)}"),
        ("Drift", f"<p>place + ε · p / mass</p>{_both(drift)}"),
        ("Half a kick", f"<p>with the slope found there</p>{_both(last)}"),
        (
            "There",
            energy(point, begin)
            + (_if_it_ended(point.energy - begin.energy) if scene.thrown else quiet(_where(scene, path, t))),
        ),
    )


def _if_it_ended(error: float) -> str:
    chance = f"min(1, exp({fixed(-error, 3)})) = {exp(min(0.0, -error)):.3f}"
    return f"<p>If the path ended here, it would be accepted with probability {chance}</p>"


def _where(scene: WalkScene, path: LeapfrogPath, t: int) -> str:
    place = path.place(t)
    number = path.trajectory.points[place].step
    doubling = f", doubling {path.trajectory.doublings[place]}" if scene.tree else ""
    return f"Step {fixed(number, 0)}{doubling}{': back in time, so the arrow is −p' if number < 0 else ''}"


def _both(sums: tuple[str, ...]) -> str:
    return "".join(f"<p>{name}: {text}</p>" for name, text in zip("xy", sums, strict=True))


def code_of_path(scene: WalkScene, path: Any, t: int) -> str:
    """Return the code of leapfrog step t, as it ran; at the end of the path, that of the iteration."""
    if t >= path.total:
        return code_of_step(scene.run, scene.settings.iteration)
    return code_of_leapfrog(path, scene.settings.density, t)
