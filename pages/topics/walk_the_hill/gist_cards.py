"""Cards of an iteration of GIST: the momentum, the length and its weight, the way back, and the ratio in numbers."""

from typing import Any

from pages.drawing.cards import pointing
from pages.drawing.numbers import counted, fixed, subtracted, vector
from pages.scenes.close_up import opened
from pages.scenes.leapfrog_cards import even
from pages.topics.walk_the_hill import inspector
from pages.topics.walk_the_hill.film import WalkScene
from samplers.gradient.gist import GistPath, Lengths


def step(scene: WalkScene, t: int) -> str:
    """Return the text of iteration t, or of the start."""
    if not t:
        return inspector.step(scene, t)
    return iteration(opened(scene.key, scene.run, t), scene.settings.path_rule)


def iteration(path: Any, rule: str) -> str:
    """Return the cards of one iteration, by a rule of acceptance."""
    found: GistPath = path.trajectory
    begin = found.points[found.start]
    kinetic = begin.energy + begin.log_density
    return even(
        (
            "Momentum",
            f"<p>{pointing('momentum', f'p = {vector(found.momentum)}')}, drawn from Normal(0, M)</p>"
            f"<p>Energy H = {subtracted(kinetic, begin.log_density, mark='b')}</p>",
        ),
        ("Length", _drawn(found)),
        ("The way back", _back(found)),
        ("Ratio", _ratio(found, rule)),
    )


def _each(lengths: Lengths) -> str:
    many = lengths.most - lengths.least + 1
    return (
        f"{lengths.least} to {lengths.most}, each with weight <b>1/{many}</b>" if many > 1 else f"{lengths.most} alone"
    )


def _drawn(found: GistPath) -> str:
    steps = counted(found.lengths.most, "step")
    turned = pointing("turn", f"After {steps} the path turns back")
    end = turned if found.turn else f"The path ends after {steps}"
    return (
        f"<p>{end}. Lengths {_each(found.lengths)}.</p><p>The {pointing('dart', 'dart')} falls at {found.dart:.3f}: "
        f"length <b>{found.length}</b>.</p>"
    )


def _back(found: GistPath) -> str:
    steps = counted(found.back.most, "step")
    turned = f"From there, turned round, the path turns back after {steps}: lengths {_each(found.back)}."
    verdict = (
        f"Length {found.length} is among them."
        if found.turned_back
        else f"<b>Length {found.length} is not among them:</b> the way back would never be taken."
    )
    return f"<p>{turned}</p><p>{verdict}</p>"


def _ratio(found: GistPath, rule: str) -> str:
    """Return the ratio in numbers that give its value, and whether the end was accepted."""
    end = found.points[found.start + found.length]
    less = found.points[found.start].energy - end.energy
    by_energy = f"exp(H<sub>0</sub> − H) = exp({fixed(less, 3)})"
    there, back = (each.most - each.least + 1 for each in (found.lengths, found.back))
    if rule == "place chosen evenly":
        formula = "1: each place is taken as it is"
    elif rule == "backward weight forgotten":
        formula = f"min(1, {by_energy}) = <b>{found.ratio:.3f}</b>"
    elif not found.turned_back:
        formula = f"{by_energy}, times 0 = <b>0</b>"
    else:
        formula = f"{by_energy}, times (1/{back}) / (1/{there}) = <b>{found.ratio:.3f}</b>"
    verdict = "accepted" if found.chosen != found.start else "<b>rejected</b>: the old position is repeated"
    return f"<p>{formula}</p><p>The dart falls at {found.uniform:.3f}: {pointing('chosen', verdict)}.</p>"
