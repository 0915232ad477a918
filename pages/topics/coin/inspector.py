"""The inspector of one coin: a toss in four cards, and the prior beside the posterior so far."""

from pages.drawing.cards import dart_below, numbered, pointing, quiet, table
from pages.topics.coin.film import CoinRun
from samplers.conjugate.beta import Beta

HEADS = ("", "mean of θ", "sd", "Pr(θ &gt; ½)")  # of the summary's table


def step(run: CoinRun, t: int) -> str:
    """Return toss t opened, in four cards."""
    if not t:
        return quiet("This is the start. Press <b>Step</b>.")
    bias, prior, before, uniform = run.settings.bias, run.settings.prior, run.posterior(t - 1), run.chain.record(t)
    heads, tails = run.chain[t - 1]
    side, grows = ("heads", "a") if uniform < bias else ("tails", "b")
    return numbered(
        ("Before", f"<p>{heads} heads, {tails} tails</p><p>{before}</p>"),
        (
            "Predict",
            "<p>How likely are heads? The posterior predictive is</p><p>(a + heads) / (a + b + N) = "
            f"({prior.a:g} + {heads}) / ({prior.a:g} + {prior.b:g} + {t - 1}) = <b>{before.mean:.3f}</b></p>",
        ),
        ("Toss", f"{dart_below(bias, uniform, pointing('bias', f'{bias:g}'))}: <b>{side}</b>.</p>"),
        ("Learn", f"<p>{grows} grows by 1: <b>{pointing('posterior', f'{run.posterior(t)}')}</b></p>"),
    )


def summary(run: CoinRun, t: int) -> str:
    """Return the prior beside the posterior after t tosses."""
    return table(HEADS, [facts("prior", run.settings.prior), facts(f"posterior after {t} tosses", run.posterior(t))])


def facts(name: str, beta: Beta) -> list[str]:
    """Return a row of the summary's table: of θ the mean, the standard deviation, and the probability of over ½."""
    return [name, f"{beta.mean:.3f}", f"{beta.deviation:.3f}", f"{1 - float(beta.below(0.5)):.3f}"]
