"""The inspector of one coin: this step in four cards, and what the steps so far add up to."""

from math import exp, sqrt

import numpy as np

from pages.drawing.cards import dart_in, numbered, pointing, quiet, table, whole
from pages.stages.coin.film import CoinRun
from samplers.conjugate.beta import Beta
from samplers.diagnostics.convergence import diagnose

TENTHS = np.linspace(0, 1, 11)
HEADS = ("", "mean of θ", "sd", "Pr(θ &gt; ½)")  # of the summary's table


def step(run: CoinRun, t: int) -> str:
    """Return step t opened, in four cards."""
    return STEPS[run.settings.method](run, t) if t else quiet("This is the start. Press <b>Step</b>.")


def _toss(run: CoinRun, t: int) -> str:
    bias, prior, before, uniform = run.settings.bias, run.settings.prior, run.beta(t - 1), run.chain.record(t)
    heads, tails = run.chain[t - 1]
    side, grows = ("heads", "a") if uniform < bias else ("tails", "b")
    hit = _hit(uniform, bias, pointing("bias", f"{bias:g}"))
    return numbered(
        ("Before", f"<p>{heads} heads, {tails} tails</p><p>{before}</p>"),
        (
            "Predict",
            "<p>How likely are heads? The posterior predictive is</p><p>(a + heads) / (a + b + N) = "
            f"({prior.a:g} + {heads}) / ({prior.a:g} + {prior.b:g} + {t - 1}) = <b>{before.mean:.3f}</b></p>",
        ),
        ("Toss", f"{hit}: <b>{side}</b>.</p>"),
        ("Learn", f"<p>{grows} grows by 1: <b>{pointing('posterior', f'{run.beta(t)}')}</b></p>"),
    )


def _draw(run: CoinRun, t: int) -> str:
    posterior, uniform = run.settings.posterior, run.chain.record(t)
    bar = dart_in(np.diff(posterior.below(TENTHS)).tolist(), uniform)
    theta = pointing("draw", f"θ = {run.positions[t]:.3f}")
    error = f"standard error sd/√n = {posterior.deviation / sqrt(t):.3f}"
    return numbered(
        ("Posterior", f"<p>{pointing('posterior', f'{posterior}')}</p><p>mean {posterior.mean:.3f}</p>"),
        ("Dart", f"<p>The bar holds all of the probability, θ from 0 to 1 in tenths.</p>{bar}"),
        ("Draw", f"<p>{uniform:.3f} of the probability lies below</p><p><b>{theta}</b></p>"),
        ("Average", f"<p>mean of {t}: <b>{run.means[t]:.3f}</b></p><p>{error}</p>"),
    )


def _propose(run: CoinRun, t: int) -> str:
    proposal, here = run.chain.record(t), run.positions[t - 1]
    ratio = f"{exp(proposal.log_density - run.chain[t - 1].log_density):.3f} (1 if larger)"
    verdict = "Accepted" if proposal.accepted else "Rejected"
    theta = pointing("draw", f"θ = <b>{run.positions[t]:.3f}</b>")
    return numbered(
        ("Here", f"<p>θ = {here:.3f}</p>"),
        (
            "Propose",
            f"<p>θ′ = {here:.3f} + a Normal step = <b>{proposal.position[0]:.3f}</b></p>"
            f"<p>{pointing('proposal', 'height there')} ÷ height here = {ratio}</p>",
        ),
        ("Accept?", f"{_hit(proposal.uniform, proposal.probability, f'{proposal.probability:.3f}')}.</p>"),
        ("There", f"<p>{verdict}: {theta}</p>"),
    )


def _hit(uniform: float, share: float, told: str) -> str:
    """Return a bar of two parts with the dart on it, and the words for where that is."""
    place = "below" if uniform < share else "not below"
    return f"{dart_in([share, 1 - share], uniform)}<p>Random number: {uniform:.3f} is {place} {told}"


STEPS = {"tosses": _toss, "draws": _draw, "chain": _propose}


def summary(run: CoinRun, t: int) -> str:
    """Return the exact posterior beside the mean and spread of the draws so far; of tosses, prior beside posterior."""
    if run.tossing:
        return table(HEADS, [_row("prior", run.settings.prior), _row(f"posterior after {t} tosses", run.beta(t))])
    posterior, draws = run.settings.posterior, run.positions[1 : t + 1]
    worth, error = "Draw at least four to see more", None
    if run.settings.method == "draws" and t:  # independent: each draw counts as one
        worth, error = f"{t} independent {'draws' if t > 1 else 'draw'}", posterior.deviation / sqrt(t)
    elif t > 3:
        found = diagnose(draws[None])
        worth, error = f"Effective sample size: <b>{whole(found.ess_bulk)}</b> of {t} draws", found.mcse_mean
    worth += f", Monte Carlo standard error of the mean {error:.4f}" if error else ""
    so_far = [_facts(f"{t} draws", draws.mean(), draws.std(), (draws > 0.5).mean())] if t else []
    return f'{table(HEADS, [_row("exact", posterior), *so_far])}<p class="took">{worth}.</p>'


def _row(name: str, beta: Beta) -> list[str]:
    return _facts(name, beta.mean, beta.deviation, 1 - float(beta.below(0.5)))


def _facts(name: str, *facts: float) -> list[str]:
    return [name, *(f"{fact:.3f}" for fact in facts)]
