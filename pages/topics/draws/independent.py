"""The mode with independent draws."""

from functools import partial
from math import sqrt
from typing import ClassVar

import numpy as np

from lessons.topics.draws import DrawsSettings
from pages.code.ways import code_of_step
from pages.contract.charts import Chart
from pages.drawing.cards import dart_in, numbered, pointing, quiet
from pages.drawing.wall import Grid
from pages.scenes.run_stage import RunStage
from pages.scenes.wall import Made, Parts, Wall
from pages.topics.draws.charts import charts_of
from pages.topics.draws.diagram import diagram
from pages.topics.draws.film import DrawsRun, Worth
from pages.topics.draws.summary import summary
from samplers.conjugate.beta import Beta
from samplers.streams import first_uniforms

TENTHS = np.linspace(0, 1, 11)


class IndependentRun(DrawsRun):
    """Draws from nothing but the posterior."""

    def charts(self) -> list[Chart]:
        return charts_of("draws")

    def worth(self, t: int) -> Worth | None:
        """Return the number of draws, as each counts as one; None before the first."""
        if not t:
            return None
        return f"{t} independent {'draws' if t > 1 else 'draw'}", self.settings.posterior.deviation / sqrt(t)


def step(run: IndependentRun, t: int) -> str:
    """Return draw t opened, in four cards."""
    return (
        _draw(run, t)
        if t
        else numbered(*_laid_out(run.settings.posterior, None)) + quiet("This is the start. Press <b>Step</b>.")
    )


def _laid_out(posterior: Beta, dart: float | None) -> list[tuple[str, str]]:
    """Return the cards of a posterior and of the bar that holds it, with the dart once it is thrown."""
    bar = dart_in(np.diff(posterior.below(TENTHS)).tolist(), dart)
    return [
        ("Posterior", f"<p>{pointing('posterior', f'{posterior}')}</p><p>mean {posterior.mean:.3f}</p>"),
        ("Dart", f"<p>The bar holds all of the probability, θ from 0 to 1 in tenths.</p>{bar}"),
    ]


def _draw(run: IndependentRun, t: int) -> str:
    posterior, uniform = run.settings.posterior, run.chain.record(t)
    theta = pointing("draw", f"θ = {run.positions[t]:.3f}")
    error = f"standard error sd/√n = {posterior.deviation / sqrt(t):.3f}"
    return numbered(
        *_laid_out(posterior, uniform),
        ("Draw", f"<p>{uniform:.3f} of the probability lies below</p><p><b>{theta}</b></p>"),
        ("Average", f"<p>mean of {t}: <b>{run.means[t]:.3f}</b></p><p>{error}</p>"),
    )


def means(settings: DrawsSettings, seeds: np.ndarray, last: int, grid: Grid) -> Parts:
    """Return the mean of the draws so far, of each seed's run."""
    count = np.arange(1, last + 1)[:, None]
    uniforms = first_uniforms(seeds, count)
    yield 0.5
    draws = settings.posterior.quantiles(uniforms)
    return Made(np.vstack([np.full(len(seeds), np.nan), draws.cumsum(axis=0) / count]))


class Draws(RunStage[DrawsSettings, IndependentRun]):
    """The stage of independent draws."""

    makes = IndependentRun
    diagram = partial(diagram, "Drawn")
    views: ClassVar = {"step": step, "code": code_of_step, "summary": summary}
    wall = Wall("run", "runs", "step", means, last=400)
