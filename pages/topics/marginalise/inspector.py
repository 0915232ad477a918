"""One step opened: an iteration in four beats, a leapfrog step or a line of the program; and the code that ran."""

from html import escape
from typing import Any

import numpy as np

from pages.code.listing import listing
from pages.code.mistakes import of_class
from pages.code.watch import Way, names, watch
from pages.code.ways import code_of_step
from pages.drawing.cards import badge, pointing, quiet
from pages.drawing.numbers import bracketed, counted, enough_decimals, fixed
from pages.scenes import leapfrog_cards
from pages.scenes.close_up import opened
from pages.scenes.leapfrog_cards import energy, even, parts_of_step
from pages.scenes.leapfrogs import LeapfrogPath, code_of_leapfrog
from pages.topics.marginalise.program_trace import Act, ProgramTrace
from pages.topics.marginalise.scene import MarginaliseScene
from samplers.gradient.naive_bayes_marginal import LogSumExp, NaiveBayesMarginal

# ---- an iteration ----------------------------------------------------------------------------------------------------


def step(scene: MarginaliseScene, t: int) -> str:
    """Return the text of iteration t, or of the start."""
    if t:
        return iteration(scene, opened(scene.key, scene.run, t))
    return quiet(
        f"{counted(scene.run.target.dimension, 'unconstrained number')}, each drawn between −2 and 2; none of them is "
        "a label. Press <b>Step</b>: one iteration draws a momentum and follows the gradient."
    )


def iteration(scene: MarginaliseScene, path: LeapfrogPath) -> str:
    """Return the text of one iteration."""
    trajectory = path.trajectory
    begin, chosen = trajectory.points[trajectory.start], trajectory.points[trajectory.chosen]
    lost = scene.run.divergent[1 : path.iteration + 1]
    warm = int(lost[: scene.settings.warmup].sum())
    in_warmup = f", {warm} of them in the warm-up" if warm else ""
    there = (
        f"<p>{pointing('here', 'log density')} {fixed(begin.log_density)} → <b>{fixed(chosen.log_density)}</b></p>"
        f"<p>Accept statistic {trajectory.accept_statistic:.2f}.{_adapts(scene, path.iteration)}</p>"
        + quiet(f"{counted(int(lost.sum()), 'divergence')} so far{in_warmup}")
    )
    return leapfrog_cards.iteration(trajectory, there, tree=scene.settings.method == "NUTS")


def _adapts(scene: MarginaliseScene, t: int) -> str:
    if scene.settings.method == "HMC" or t > scene.settings.warmup:
        return ""
    before, now = scene.run.step_size[t - 1], scene.run.step_size[t]
    return f" Warm-up: ε goes from {before:.3f} to {now:.3f}."


# ---- a leapfrog step -------------------------------------------------------------------------------------------------


def leapfrog(scene: MarginaliseScene, path: LeapfrogPath, t: int) -> str:
    """Return one leapfrog step in its three parts, with the numbers of the first coordinate that is drawn."""
    trajectory = path.trajectory
    if t == 0:
        return quiet(
            "The start, with the momentum that was drawn (the arrow). Press <b>Step</b>: half a kick by the gradient, "
            "a drift along the velocity, half a kick."
        )
    if t >= path.total:
        return iteration(scene, path)
    place, size = path.place(t), fixed(path.step(t)[1], 3)
    point = trajectory.points[place]
    first, drift, last = parts_of_step(path, t, scene.coordinates[0])
    return even(
        ("Half a kick", f"<p>momentum p + ε/2 · slope = {first}</p><p class='quiet'>ε = {size}</p>"),
        (
            "Drift",
            f"<p>{escape(scene.titles[0])}</p><p>x + ε · p / mass = {drift}</p>" + scene.beside(point.position),
        ),
        ("Half a kick", f"<p>with the slope found there: {last}</p>"),
        (
            "There",
            energy(point, trajectory.points[trajectory.start])
            + quiet(f"Step {fixed(point.step, 0)}, doubling {trajectory.doublings[place]}"),
        ),
    )


# ---- a line of the program -------------------------------------------------------------------------------------------


def act(scene: MarginaliseScene, trace: ProgramTrace, t: int) -> str:
    """Return the card of the term that the program has just added."""
    if t == 0:
        return quiet(
            "The parameters of this iteration are given; target is 0 and γ is not declared yet. Press <b>Step</b>: the "
            "program begins."
        )
    now, (before, after) = trace.acts[t - 1], trace.target()[t - 1 : t + 1]
    line = trace.lines[now.line]
    text = escape(line.text.partition("//")[0].strip())
    reads, adds = _told(scene, trace, t)
    moved = "target stays as it is" if now.target == 0 else _plus(before, now.target)
    return even(
        ("Reads", reads),
        ("Adds", f"<p><code>{text}</code></p>{adds}"),
        ("Target", f"<p>{moved}</p><p>target = <b>{fixed(after)}</b></p>"),
        ("Role", f"<p>{ROLES[line.role]}</p>"),
    )


ROLES = {
    "parameters": "Simplexes are made of unconstrained numbers; how much that stretches space counts too.",
    "prior": "A prior on the parameters.",
    "labelled likelihood": "The label is data: only its own class counts.",
    "gamma prior term": "Every class is still possible: γ begins with each one's log weight.",
    "gamma word term": "Each word is scored in every class. Nothing enters the density yet.",
    "log_sum_exp": "The document enters the density, with its label summed out.",
    "generated gamma": "After the density is complete: the parameters do not learn from these documents.",
    "gamma again": "The model's γ was local: it is gone. The same sums are computed again, once for this draw.",
    "generated softmax": "The label comes back, as a probability.",
    "generated draw": "A label is drawn, in case you want one. Nothing depends on it.",
    "data": "",
    "structure": "",
}


def _plus(before: float, added: float) -> str:
    """Return a sum of two numbers, in the decimals in which a reader finds its value."""
    enough = enough_decimals(lambda n: round(before, n) + round(added, n))
    return f"{fixed(before, enough)} + {bracketed(fixed(added, enough))}"


def _told(scene: MarginaliseScene, trace: ProgramTrace, t: int) -> tuple[str, str]:
    """Return the values that the program's line at work reads, and the term that it makes of them."""
    now, gamma = trace.acts[t - 1], trace.gamma()
    if now.token >= 0:
        token = trace.tokens[now.token]
        reads = (
            f"<p>w{token.mark}[{token.n}] is “{escape(scene.words[token.word])}”</p>"
            f"<p>doc{token.mark}[{token.n}] = {token.number}: document {token.document + 1}</p>"
        )
        adds = ""
        for (document, label), value in now.gamma.items():
            old = float(gamma[t - 1, trace.row_of(document), label])
            adds += (
                f"<p>γ[{token.number}, {label + 1}] = {fixed(old)} + log {np.exp(value):.3f} = {_plus(old, value)} = "
                f"<b>{fixed(old + value)}</b> {_name(scene, label)}</p>"
            )
        return reads, adds
    if now.softmax:
        hidden = [document for document in trace.documents.tolist() if scene.labels[document] < 0]
        document = scene.item if scene.item in hidden else hidden[0]
        row = gamma[t, trace.row_of(document)]
        adds = "".join(
            f"<p>exp({fixed(row[label])} − log_sum_exp) = <b>{share:.3f}</b> for {_name(scene, label)}</p>"
            for label, share in enumerate(_shares(row)[: 1 if scene.classes == 2 else None])
        )
        return f"<p>γ of each document; here document {document + 1}</p>", adds
    if now.dart >= 0:
        return _drawn(scene, now, _shares(gamma[t, trace.row_of(now.document)]))
    if now.document >= 0:
        terms = ", ".join(fixed(value) for value in gamma[t, trace.row_of(now.document)])
        what = trace.lines[now.line].text.partition("+=")[2].partition("(")[0].strip()
        return f"<p>γ of document {now.document + 1}</p>", f"<p>{what}({terms}) = <b>{fixed(now.target)}</b></p>"
    if now.gamma:
        weights = scene.run.target.constrain(scene.run.positions[scene.iteration].astype(float)).weights
        adds = "".join(
            f"<p>log {weight:.3f} = {fixed(float(np.log(weight)))} for {_name(scene, label)}</p>"
            for label, weight in enumerate(weights)
        )
        return "<p>θ, the weights of the classes</p>", adds
    return "<p>the parameters</p>", f"<p>= <b>{fixed(now.target)}</b></p>"


def _drawn(scene: MarginaliseScene, now: Act, shares: np.ndarray) -> tuple[str, str]:
    """Return the probabilities by which a label is drawn, and where the dart fell among them."""
    ends = np.cumsum(shares[:-1])
    label = int((now.dart > ends).sum())
    told = "".join(f"<p><b>{share:.3f}</b> for {_name(scene, k)}</p>" for k, share in enumerate(shares[:-1]))
    if label == 0:
        where = f"at most {ends[0]:.3f}"
    elif label == len(ends):
        where = f"more than {ends[-1]:.3f}"
    else:
        where = f"between {ends[label - 1]:.3f} and {ends[label]:.3f}"
    together = "" if len(ends) == 1 else f"<p>Together {ends[-1]:.3f}</p>"
    return (
        f"<p>γ of document {now.document + 1}:</p>{told}{together}",
        f"<p>A dart falls at {now.dart:.3f}; that is {where}: <b>z = {label + 1}</b> {_name(scene, label)}</p>",
    )


def _shares(row: np.ndarray) -> np.ndarray:
    """Return the probability of each class by a document's row of γ."""
    return LogSumExp(row).softmax


def _name(scene: MarginaliseScene, label: int) -> str:
    name = scene.names[label]
    text = "" if name.startswith(("class ", "component ")) else f" {escape(name)}"
    return f"{badge(str(label + 1), label)}{text}"


# ---- code ------------------------------------------------------------------------------------------------------------


DENSITY = Way(
    (NaiveBayesMarginal.log_density_and_gradient, NaiveBayesMarginal._terms),
    names("sum_out", "log_jacobian", "priors", "terms"),
    frozenset({"_checked", "_simplexes"}),
)
BEATS = {  # of the density, by what a line of the program is for
    "gamma prior term": 1,
    "gamma word term": 1,
    "log_sum_exp": 1,
    "parameters": 2,
    "prior": 3,
    "labelled likelihood": 4,
}


def code(scene: MarginaliseScene, t: int) -> str:
    """Return the code of an iteration, as it ran."""
    timed: Any = scene.run.chain.sampler
    return code_of_step(scene.run, t, of_class(scene.run.target), timed.kernel)


def code_of_path(scene: MarginaliseScene, path: LeapfrogPath, t: int) -> str:
    """Return the code of leapfrog step t, as it ran; at the end of the path, that of the iteration."""
    if t >= path.total:
        return code(scene, path.iteration)
    return code_of_leapfrog(path, scene.run.target, t, of_class(scene.run.target))


def code_of_term(scene: MarginaliseScene, trace: ProgramTrace, t: int) -> str:
    """Return the code of the density, with the line lit that adds what the program's line at work adds."""
    target, position = scene.run.target, scene.run.state(scene.iteration).position
    _, calls = watch(DENSITY, lambda: target.log_density_and_gradient(position))
    role = trace.lines[trace.acts[t - 1].line].role if t else ""
    return listing(DENSITY, calls, of_class(target), main=BEATS.get(role, 0))
