"""The mode with a Metropolis chain."""

from functools import partial
from math import exp
from typing import ClassVar

import numpy as np

from lessons.topics.draws import DrawsSettings
from pages.code.ways import code_of_step
from pages.contract.case import RuleOption
from pages.contract.charts import Chart
from pages.drawing.cards import dart_below, numbered, pointing, quiet, whole
from pages.drawing.numbers import significant
from pages.drawing.wall import Grid
from pages.scenes import written
from pages.scenes.run_stage import RunStage
from pages.scenes.wall import Made, Parts, Wall
from pages.topics.draws.charts import charts_of
from pages.topics.draws.diagram import diagram
from pages.topics.draws.film import DrawsRun, Worth
from pages.topics.draws.summary import summary
from samplers.diagnostics.convergence import diagnose
from samplers.judge.problem import Problem
from samplers.judge.written import WrittenProposal, known_of_step, read, right_of


class ChainRun(DrawsRun):
    """Steps of a chain."""

    def charts(self) -> list[Chart]:
        which, scale = self.settings.proposal, self.settings.scale
        heights = [("dotted", f"heights of the {which} step: here, and there (ring)")]
        if which == "next":  # once a place is proposed, the others no longer matter
            return charts_of("chain", heights)
        return charts_of("chain", [*heights, ("dot", "places that it may propose")], scale)

    def steps(self) -> dict[str, np.ndarray]:
        """Return columns of where the last or the next step begins, and of its proposal."""
        proposed = [self.chain.record(t).position[0] for t in range(1, self.total + 1)]
        steps = np.array([[np.nan, *self.positions[:-1]], [np.nan, *proposed]])
        if self.settings.proposal == "next":
            steps = np.roll(steps, -1, axis=1)
        return {"before": steps[0], "there": steps[1]}

    def begins(self) -> list[float]:
        return [self.settings.start]

    def worth(self, t: int) -> Worth | None:
        """Return the effective sample size; None if there are too few steps."""
        if t <= 3:
            return None
        found = diagnose(self.positions[None, 1 : t + 1])
        return f"Effective sample size: <b>{whole(found.ess_bulk)}</b> of {t} draws", found.mcse_mean


def step(run: ChainRun, t: int) -> str:
    """Return step t opened, in four cards."""
    return _propose(run, t) if t else quiet("This is the start. Press <b>Step</b>.")


def _propose(run: ChainRun, t: int) -> str:
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


def _ratio(run: ChainRun, t: int) -> str:
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


def case(run: ChainRun, t: int) -> list[RuleOption]:
    """Return the names and values of the ratio for the proposal in step t, or in the first."""
    step = max(1, t)
    known = known_of_step(right_of(run.chain.sampler), run.chain[step - 1], run.chain.record(step))
    return written.case_of(["the proposal"], [known])


def means(settings: DrawsSettings, seeds: np.ndarray, last: int, grid: Grid) -> Parts:
    """Return the mean of the draws so far, of each seed's chain."""
    found = np.zeros((last + 1, len(seeds)))
    for number, seed in enumerate(seeds.tolist()):
        found[:, number] = ChainRun(settings, seed, last).means
        yield number / len(seeds)
    return Made(found)


class Chains(RunStage[DrawsSettings, ChainRun]):
    """The stage of a chain."""

    makes = ChainRun
    diagram = partial(diagram, "A step is proposed for")
    views: ClassVar = {"step": step, "code": code_of_step, "summary": summary}
    wall = Wall("run", "runs", "step", means, last=400)

    def case(self, settings: DrawsSettings, seed: int, t: int, problem: Problem) -> list[RuleOption]:
        """Return the proposal of the step in frame t, or of the first."""
        return case(self.run(settings, seed), t)
