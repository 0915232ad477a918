"""One step opened: an iteration in four beats, a leapfrog step with its numbers, or a line of the program at work."""

from __future__ import annotations

from html import escape

import numpy as np

from pages.drawing.cards import badge, card, cards
from pages.drawing.numbers import bracketed, counted, fixed, vector
from pages.stages.marginalise import plane, triangle
from pages.stages.marginalise.program_trace import Act, ProgramTrace
from pages.stages.marginalise.run import LeapfrogPath
from pages.stages.marginalise.scene import Scene
from samplers.gradient.hmc import Trajectory


def even(*beats: str) -> str:
    """Return cards that need about the same room."""
    return f'<div class="even">{cards(*beats)}</div>'


# ---- an iteration ----------------------------------------------------------------------------------------------------


def start(scene: Scene) -> str:
    """Return what there is to say before the first iteration."""
    target = scene.run.target
    return (
        f'<p class="quiet">{counted(target.dimension, "unconstrained number")}, each drawn between −2 and 2; no label '
        "is among them. Press <b>Step</b>: one iteration draws a momentum and follows the gradient.</p>"
    )


def iteration(scene: Scene, path: LeapfrogPath) -> str:
    """Return what one iteration did."""
    trajectory = path.trajectory
    begin, chosen = trajectory.points[trajectory.start], trajectory.points[trajectory.chosen]
    kinetic = begin.energy + begin.log_density
    tree = scene.settings.method == "NUTS"
    lost = scene.run.divergent[1 : path.iteration + 1]
    warm = int(lost[: scene.settings.warmup].sum())
    in_warmup = f", {warm} of them in the warm-up" if warm else ""
    moved = f"<p>log density {fixed(begin.log_density)} → <b>{fixed(chosen.log_density)}</b></p>"
    after = (
        f"<p>Accept statistic {trajectory.accept_statistic:.2f}.{_adapts(scene, path.iteration)}</p>"
        f'<p class="quiet">{counted(int(lost.sum()), "divergence")} so far{in_warmup}</p>'
    )
    return even(
        card(
            1,
            "Momentum",
            f"<p>p = {vector(trajectory.momentum)}</p><p>Energy H = ½ pᵀM<sup>−1</sup>p − log density = "
            f"{fixed(kinetic)} − {bracketed(fixed(begin.log_density))} = <b>{fixed(begin.energy)}</b></p>",
        ),
        card(2, "Follow the gradient", _walked(trajectory, tree), main=True),
        card(3, "Choose", _chosen(trajectory, tree)),
        card(4, "There", moved + after),
    )


def _adapts(scene: Scene, t: int) -> str:
    if scene.settings.method == "HMC" or t > scene.settings.warmup:
        return ""
    before, now = scene.run.step_size[t - 1], scene.run.step_size[t]
    return f" Warm-up: ε goes from {before:.3f} to {now:.3f}."


def _walked(trajectory: Trajectory, tree: bool) -> str:
    size = f"ε = {trajectory.step_size:.3f}"
    many = counted(trajectory.leapfrogs, "leapfrog step")
    if trajectory.divergent is not None:
        end = "<b>The energy runs away: a divergence.</b> The path ends there."
    elif trajectory.turn is not None:
        first, last = (trajectory.points[place].step for place in trajectory.turn)
        end = (
            f"The ends {fixed(first, 0)} and {fixed(last, 0)} begin to approach each other: a <b>U-turn</b>, "
            "so it stops."
        )
    else:
        end = "As many as were asked for." if not tree else "No U-turn, but doubled as often as is allowed."
    doubled = ""
    if tree:
        sizes = np.bincount(trajectory.doublings)[1:].tolist()
        sums = " + ".join(map(str, sizes))
        doubled = (
            f"<p>Doubled {counted(len(sizes), 'time')}: {sums} = {trajectory.leapfrogs}, forwards or backwards.</p>"
        )
    return f"<p><b>{many}</b> of {size}, one gradient each.</p>{doubled}<p>{end}</p>"


def _chosen(trajectory: Trajectory, tree: bool) -> str:
    chosen = trajectory.points[trajectory.chosen]
    if not tree:
        last = trajectory.points[-1]
        begin = trajectory.points[trajectory.start]
        verdict = "accepted" if trajectory.chosen else "<b>refused</b>: the old place counts once more"
        change = f"{fixed(begin.energy)} − {bracketed(fixed(last.energy))}"
        return (
            f"<p>min(1, exp({change})) = {trajectory.accept_statistic:.3f}</p>"
            f"<p>The dart falls at {trajectory.uniform:.3f}: {verdict}.</p>"
        )
    offered = np.array(trajectory.offered)
    weights = np.exp(trajectory.energies[offered].min() - trajectory.energies[offered])
    share = weights[int(offered[: trajectory.chosen].sum())] / weights.sum()
    where = "the start itself" if chosen.step == 0 else f"the one {fixed(chosen.step, 0)} steps from the start"
    return (
        f"<p>{counted(int(offered.sum()), 'point')} on offer, each with the weight exp(−H).</p>"
        f"<p>Taken: <b>{where}</b>, with a share of {share:.2f} in the weights.</p>"
    )


# ---- a leapfrog step -------------------------------------------------------------------------------------------------


def leapfrog(scene: Scene, path: LeapfrogPath, t: int) -> str:
    """Return one leapfrog step in its three parts, with the numbers of the first coordinate that is drawn."""
    trajectory = path.trajectory
    if t == 0:
        return (
            '<p class="quiet">The start, with the momentum that was drawn (the arrow). Press <b>Step</b>: half a kick '
            "by the gradient, a drift along the velocity, half a kick.</p>"
        )
    if t >= path.total:
        return iteration(scene, path)
    place = path.place(t)
    point = trajectory.points[place]
    forwards = point.step > 0
    before = trajectory.points[place - 1 if forwards else place + 1]
    size = trajectory.step_size if forwards else -trajectory.step_size
    i = plane.coordinates(scene)[0]
    name = escape(plane.titles(scene)[0])
    half = before.momentum[i] + 0.5 * size * before.gradient[i]
    velocity = trajectory.inverse_mass[i] * half
    error = point.energy - trajectory.points[trajectory.start].energy
    step = f"ε = {fixed(size, 3)}"
    return even(
        card(
            1,
            "Half a kick",
            f"<p>p + ε/2 · slope = {fixed(before.momentum[i])} + {bracketed(fixed(size / 2, 3))} · "
            f"{bracketed(fixed(before.gradient[i]))} = <b>{fixed(half)}</b></p><p class='quiet'>{step}</p>",
        ),
        card(
            2,
            "Drift",
            f"<p>{name}</p><p>x + ε · p / mass = {fixed(before.position[i])} + {bracketed(fixed(size, 3))} · "
            f"{bracketed(fixed(velocity))} = <b>{fixed(point.position[i])}</b></p>" + _moved(scene, point.position),
            main=True,
        ),
        card(
            3,
            "Half a kick",
            f"<p>with the slope found there: {fixed(half)} + {bracketed(fixed(size / 2, 3))} · "
            f"{bracketed(fixed(point.gradient[i]))} = <b>{fixed(point.momentum[i])}</b></p>",
        ),
        card(
            4,
            "There",
            f"<p>log density {fixed(point.log_density)}</p><p>H − H<sub>0</sub> = <b>{fixed(error, 3)}</b></p>"
            f'<p class="quiet">Step {fixed(point.step, 0)}, doubling {trajectory.doublings[place]}</p>',
        ),
    )


def _moved(scene: Scene, position: np.ndarray) -> str:
    """Return what moved with the coordinate that is drawn: of three words, the probabilities in the triangle."""
    together = f"All {len(position)} coordinates move at once"
    if not triangle.shown(scene):
        return f'<p class="quiet">{together}; this is the one drawn across.</p>'
    return f'<p class="quiet">{together}:</p>' + "".join(
        f"<p>{badge(str(label + 1), label)} φ = {', '.join(f'{value:.2f}' for value in values)}</p>"
        for label, values in enumerate(scene.run.target.constrain(position).word_probs)
    )


# ---- a line of the program -------------------------------------------------------------------------------------------


def act(scene: Scene, trace: ProgramTrace, t: int) -> str:
    """Return what the program's line at work has just added."""
    if t == 0:
        return (
            '<p class="quiet">The parameters of this iteration are given; target is 0 and γ is not declared yet. Press '
            "<b>Step</b>: the program begins.</p>"
        )
    now = trace.acts[t - 1]
    line = trace.lines[now.line]
    code = escape(line.text.partition("//")[0].strip())
    reads, adds = _told(scene, trace, now, t)
    after = trace.target()
    moved = "target stays as it is" if now.target == 0 else f"{fixed(after[t - 1])} + {bracketed(fixed(now.target))}"
    total = f"<p>{moved}</p><p>target = <b>{fixed(after[t])}</b></p>"
    return even(
        card(1, "Reads", reads),
        card(2, "Adds", f"<p><code>{code}</code></p>{adds}", main=True),
        card(3, "Target", total),
        card(4, "Role", f"<p>{ROLES[line.role]}</p>"),
    )


ROLES = {
    "parameters": "Simplexes are made of unconstrained numbers; how much that stretches space counts too.",
    "prior": "A prior of the parameters.",
    "labelled likelihood": "The label is data: only its own class is asked.",
    "gamma prior term": "Every class is still possible: γ begins with each one's log weight.",
    "gamma word term": "Each word is asked in every class. Nothing enters the density yet.",
    "log_sum_exp": "The document enters the density, with its label summed out.",
    "generated gamma": "After the density is done: these documents teach the parameters nothing.",
    "generated softmax": "The label comes back, as a probability.",
    "data": "",
    "structure": "",
}


def _told(scene: Scene, trace: ProgramTrace, now: Act, t: int) -> tuple[str, str]:
    gamma = trace.gamma()
    if now.token >= 0:
        token = trace.tokens[now.token]
        reads = (
            f"<p>w{token.mark}[{token.n}] is “{escape(scene.words[token.word])}”</p>"
            f"<p>doc{token.mark}[{token.n}] = {token.number}: document {token.document + 1}</p>"
        )
        return reads, _added(scene, trace, now, gamma[t - 1])
    if now.softmax:
        row = trace.documents.tolist().index(_open(scene, trace))
        values = gamma[t][row]
        first = 1 / (1 + np.exp(values[1] - values[0]))
        adds = f"<p>exp({fixed(values[0])} − log_sum_exp) = <b>{first:.3f}</b> for {_name(scene, 0)}</p>"
        return f"<p>γ of each document; here document {_open(scene, trace) + 1}</p>", adds
    if now.document >= 0:
        row = trace.documents.tolist().index(now.document)
        terms = ", ".join(fixed(value) for value in gamma[t][row])
        what = trace.lines[now.line].text.partition("+=")[2].partition("(")[0].strip()
        return (
            f"<p>γ of document {now.document + 1}</p>",
            f"<p>{what}({terms}) = <b>{fixed(now.target)}</b></p>",
        )
    if now.gamma:
        weights = scene.run.target.constrain(scene.run.positions[scene.iteration].astype(float)).weights
        listed = "".join(
            f"<p>log {weight:.3f} = {fixed(float(np.log(weight)))} for {_name(scene, label)}</p>"
            for label, weight in enumerate(weights)
        )
        return "<p>θ, the weights of the classes</p>", listed
    return "<p>the parameters</p>", f"<p>= <b>{fixed(now.target)}</b></p>"


def _open(scene: Scene, trace: ProgramTrace) -> int:
    """Return a document without a label, if there is one: the one that is looked at, or the next."""
    hidden = [document for document in trace.documents.tolist() if scene.labels[document] < 0]
    return scene.item if scene.item in hidden else hidden[0]


def _added(scene: Scene, trace: ProgramTrace, now: Act, before: np.ndarray) -> str:
    row = trace.documents.tolist().index(now.document)
    listed = ""
    for (_, label), value in now.gamma.items():
        old = float(before[row, label])
        listed += (
            f"<p>γ[{trace.tokens[now.token].number}, {label + 1}] = {fixed(old)} + log {np.exp(value):.3f} = "
            f"{fixed(old)} + {bracketed(fixed(value))} = <b>{fixed(old + value)}</b> {_name(scene, label)}</p>"
        )
    return listed


def _name(scene: Scene, label: int) -> str:
    name = scene.names[label]
    text = "" if name.startswith(("class ", "component ")) else f" {escape(name)}"
    return f"{badge(str(label + 1), label)}{text}"
