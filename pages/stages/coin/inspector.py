"""The inspector of one coin: this step in four cards, and what the steps so far add up to."""

from __future__ import annotations

from math import exp, sqrt

import numpy as np

from pages.code.listing import listing
from pages.code.watch import watch
from pages.code.ways import DRAW, METROPOLIS, TOSS
from pages.drawing.cards import dart_in, numbered, pointing, table, whole
from pages.stages.coin.film import CoinRun
from samplers.conjugate.beta import Beta
from samplers.diagnostics.convergence import diagnose

EDGES = np.linspace(0, 1, 11)


def step(run: CoinRun, t: int) -> str:
    """Return step t opened, in four cards."""
    if not t:
        return '<p class="quiet">This is the start. Press <b>Step</b>.</p>'
    bodies = {"tosses": _toss, "draws": _draw, "chain": _propose}[run.settings.method](run, t)
    return numbered(*bodies.items())


def _toss(run: CoinRun, t: int) -> dict[str, str]:
    settings, before, uniform = run.settings, run.beta(t - 1), run.chain.record(t)
    heads, a, b = run.heads[t - 1], settings.prior_heads, settings.prior_tails
    place, side, grows = ("below", "heads", "a") if uniform < settings.bias else ("not below", "tails", "b")
    return {
        "Before": f"<p>{heads} heads, {t - 1 - heads} tails</p><p>{before}</p>",
        "Predict": "<p>How likely are heads? The posterior predictive is</p><p>(a + heads) / (a + b + N) = "
        f"({a:g} + {heads}) / ({a:g} + {b:g} + {t - 1}) = <b>{before.mean:.3f}</b></p>",
        "Toss": f"{dart_in([settings.bias, 1 - settings.bias], uniform)}"
        f"<p>Random number: {uniform:.3f} is {place} {pointing('bias', f'{settings.bias:g}')}: <b>{side}</b>.</p>",
        "Learn": f"<p>{grows} grows by 1: <b>{pointing('posterior', f'{run.beta(t)}')}</b></p>",
    }


def _draw(run: CoinRun, t: int) -> dict[str, str]:
    posterior, theta, uniform = run.settings.posterior, run.positions[t], run.chain.record(t)
    error = posterior.deviation / sqrt(t)
    return {
        "Posterior": f"<p>{pointing('posterior', f'{posterior}')}</p><p>mean {posterior.mean:.3f}</p>",
        "Dart": "<p>The bar holds all of the probability, θ from 0 to 1 in tenths.</p>"
        f"{dart_in(np.diff(posterior.below(EDGES)).tolist(), uniform)}",
        "Draw": f"<p>{uniform:.3f} of the probability lies below</p>"
        f"<p><b>{pointing('draw', f'θ = {theta:.3f}')}</b></p>",
        "Average": f"<p>mean of {t}: <b>{run.means[t]:.3f}</b></p><p>standard error sd/√n = {error:.3f}</p>",
    }


def _propose(run: CoinRun, t: int) -> dict[str, str]:
    proposal, before = run.chain.record(t), run.chain[t - 1]
    here, there, p = run.positions[t - 1], proposal.position[0], proposal.probability
    place, verdict = ("below", "Accepted") if proposal.accepted else ("not below", "Rejected")
    return {
        "Here": f"<p>θ = {here:.3f}</p>",
        "Propose": f"<p>θ′ = {here:.3f} + a Normal step = <b>{there:.3f}</b></p>"
        f"<p>{pointing('proposal', 'height there')} ÷ height here = "
        f"{exp(proposal.log_density - before.log_density):.3f} (1 if larger)</p>",
        "Accept?": f"{dart_in([p, 1 - p], proposal.uniform)}"
        f"<p>Random number: {proposal.uniform:.3f} is {place} {p:.3f}.</p>",
        "There": f"<p>{verdict}: {pointing('draw', f'θ = <b>{run.positions[t]:.3f}</b>')}</p>",
    }


def code(run: CoinRun, t: int) -> str:
    """Return the code of step t, as it ran."""
    chain, way = run.chain, {"tosses": TOSS, "draws": DRAW, "chain": METROPOLIS}[run.settings.method]
    calls = watch(way, lambda: chain.record(t))[1] if t else ()
    return listing(way, calls)


def summary(run: CoinRun, t: int) -> str:
    """Return the exact posterior beside the mean and spread of the draws so far; of tosses, prior beside posterior."""
    if run.tossing:
        return _table(("prior", *_facts(run.settings.prior)), (f"posterior after {t} tosses", *_facts(run.beta(t))))
    exact, draws = ("exact", *_facts(run.settings.posterior)), run.positions[1 : t + 1]
    worth = "Draw at least four to see more"
    if run.settings.method == "draws" and t:  # independent: each draw counts as one
        error = run.settings.posterior.deviation / sqrt(t)
        worth = f"{t} independent {'draws' if t > 1 else 'draw'}, Monte Carlo standard error of the mean {error:.4f}"
    elif t > 3:
        found = diagnose(draws[None])
        worth = f"Effective sample size: <b>{whole(found.ess_bulk)}</b> of {t} draws"
        worth += f", Monte Carlo standard error of the mean {found.mcse_mean:.4f}" if found.mcse_mean else ""
    so_far = [(f"{t} draws", draws.mean(), draws.std(), (draws > 0.5).mean())] if t else []
    return f'{_table(exact, *so_far)}<p class="took">{worth}.</p>'


def _facts(beta: Beta) -> tuple[float, float, float]:
    return beta.mean, beta.deviation, 1 - float(beta.below(0.5))


def _table(*rows: tuple[str, float, float, float]) -> str:
    heads = ("", "mean of θ", "sd", "Pr(θ &gt; ½)")
    return table(heads, ((name, *(f"{fact:.3f}" for fact in facts)) for name, *facts in rows))
