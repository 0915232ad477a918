"""The inspector of draws: this step in four cards, and what the draws so far add up to."""

from math import exp, sqrt

import numpy as np

from pages.contract.case import RuleOption
from pages.drawing.cards import dart_below, dart_in, numbered, pointing, quiet, table, whole
from pages.drawing.numbers import significant
from pages.scenes import written
from pages.topics.coin.inspector import HEADS, facts
from pages.topics.draws.film import DrawsRun
from samplers.conjugate.beta import Beta
from samplers.diagnostics.convergence import diagnose
from samplers.judge.written import WrittenProposal, known_of_step, read, right_of

TENTHS = np.linspace(0, 1, 11)


def step(run: DrawsRun, t: int) -> str:
    """Return step t opened, in four cards."""
    if t:
        return STEPS[run.settings.method](run, t)
    start = quiet("This is the start. Press <b>Step</b>.")
    return numbered(*_laid_out(run.settings.posterior, None)) + start if run.settings.method == "draws" else start


def _laid_out(posterior: Beta, dart: float | None) -> list[tuple[str, str]]:
    """Return the cards of a posterior and of the bar that holds it, with the dart once it is thrown."""
    bar = dart_in(np.diff(posterior.below(TENTHS)).tolist(), dart)
    return [
        ("Posterior", f"<p>{pointing('posterior', f'{posterior}')}</p><p>mean {posterior.mean:.3f}</p>"),
        ("Dart", f"<p>The bar holds all of the probability, θ from 0 to 1 in tenths.</p>{bar}"),
    ]


def _draw(run: DrawsRun, t: int) -> str:
    posterior, uniform = run.settings.posterior, run.chain.record(t)
    theta = pointing("draw", f"θ = {run.positions[t]:.3f}")
    error = f"standard error sd/√n = {posterior.deviation / sqrt(t):.3f}"
    return numbered(
        *_laid_out(posterior, uniform),
        ("Draw", f"<p>{uniform:.3f} of the probability lies below</p><p><b>{theta}</b></p>"),
        ("Average", f"<p>mean of {t}: <b>{run.means[t]:.3f}</b></p><p>{error}</p>"),
    )


def _propose(run: DrawsRun, t: int) -> str:
    proposal, here = run.chain.record(t), run.positions[t - 1]
    verdict = "Accepted" if proposal.accepted else "Rejected"
    theta = pointing("draw", f"θ = <b>{run.positions[t]:.3f}</b>")
    return numbered(
        ("Here", f"<p>θ = {here:.3f}</p>"),
        (
            "Propose",
            f"<p>θ′ = {here:.3f} + a Normal step = <b>{proposal.position[0]:.3f}</b></p>{_ratio(run, t)}",
        ),
        ("Accept?", f"{dart_below(proposal.probability, proposal.uniform, f'{proposal.probability:.3f}')}.</p>"),
        ("There", f"<p>{verdict}: {theta}</p>"),
    )


def _ratio(run: DrawsRun, t: int) -> str:
    """Return the ratio of a proposal with its numbers: by a learner's rule, if the chain moves by one."""
    proposal = run.chain.record(t)
    if not isinstance(proposal, WrittenProposal):
        ratio = f"{exp(proposal.log_density - run.chain[t - 1].log_density):.3f} (1 if larger)"
        return f"<p>{pointing('proposal', 'height there')} ÷ height here = {ratio}</p>"
    problem, rules = read(run.settings.moves_by)
    said = f"<p>{written.formula(problem, [rule.text for rule in rules])}</p>"
    said += f"<p>{written.numbers(rules[0].text, proposal.known.values)} = <b>{significant(proposal.given, 4)}</b></p>"
    none = "" if proposal.given >= 0 else "<p>This is no probability: the proposal is rejected.</p>"
    return said + none


def case(run: DrawsRun, t: int) -> list[RuleOption]:
    """Return the names and values of the ratio for the proposal in step t, or in the first."""
    step = max(1, t)
    known = known_of_step(right_of(run.chain.sampler), run.chain[step - 1], run.chain.record(step))
    return written.case_of(["the proposal"], [known])


STEPS = {"draws": _draw, "chain": _propose}


def summary(run: DrawsRun, t: int) -> str:
    """Return the exact posterior beside the mean and spread of the draws so far."""
    posterior, draws = run.settings.posterior, run.positions[1 : t + 1]
    worth, error = "Draw at least four to see more", None
    if run.settings.method == "draws" and t:  # independent: each draw counts as one
        worth, error = f"{t} independent {'draws' if t > 1 else 'draw'}", posterior.deviation / sqrt(t)
    elif t > 3:
        found = diagnose(draws[None])
        worth, error = f"Effective sample size: <b>{whole(found.ess_bulk)}</b> of {t} draws", found.mcse_mean
    worth += f", Monte Carlo standard error of the mean {error:.4f}" if error else ""
    rows = [facts("exact", posterior)]
    if t:
        rows += [[f"{t} draws", *(f"{fact:.3f}" for fact in (draws.mean(), draws.std(), (draws > 0.5).mean()))]]
    return f'{table(HEADS, rows)}<p class="took">{worth}.</p>'
