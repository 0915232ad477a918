"""The CRP mixture: Gibbs for a label, opened up update by update, and compared with the exact posterior."""

from dataclasses import replace
from typing import ClassVar

import numpy as np
import streamlit as st
from scipy import special

from lessons.stages.crp_mixture import CONCENTRATION_PRIOR, CRPMixtureSettings
from pages.contract.events import Open
from pages.contract.film import Film
from pages.contract.moment import ShownChain
from pages.contract.place import Place
from pages.drawing import truth
from pages.drawing.plates import Diagram
from pages.player.kept import RUNS
from pages.player.run import KEPT
from pages.shell.widgets import pressed
from pages.stages.crp_mixture import story
from pages.stages.crp_mixture.diagram import diagram, diagram_of_story
from pages.stages.crp_mixture.limit import Finite, limit
from pages.stages.crp_mixture.making import Making
from pages.stages.crp_mixture.prediction import average_of, check, exact_of, next_point, replica_of
from pages.stages.crp_mixture.run import MixtureRun
from pages.stages.crp_mixture.summaries import summaries
from pages.stages.gibbs_stage import BEATS
from pages.stages.points import panels
from pages.stages.points.concentration import LINE, Concentration
from pages.stages.points.run import PointsRun
from pages.stages.points.scene import Scene
from pages.stages.points.stage import PointsStage, chains_of, points_of
from samplers import Chain
from samplers.crp.exact_partitions import ExactPosterior, concentration_density, exact_posterior, sweep_matrix
from samplers.crp.forwards import TURNS
from samplers.crp.wrong import WRONG_RULES

EXACT_POINTS = 8
MATRIX_SHOWN = 5  # points whose exact sweep can be written down while somebody waits
LEAST_MADE = 3  # points from which a sampler can begin
ONE = ("points", "many", "trace", "tables")
ON_A_LINE = ("points", "histogram", "many", "trace", "tables")
WITH_REPLICA = ("points", "replica", "many", "trace")
WITH_MAKERS = ("points", "makers", "many", "trace")
TWO = ("points", "second", "many", "trace", "tables")
SECOND = {
    "none": "",
    "seed": "Second chain: the next seed",
    "concentration": "Second chain: another concentration",
    "start": "Second chain: another start",
    "branch": "Second chain: branched off",
    "finite": "Finite mixture",
}


def _scene(settings: CRPMixtureSettings, seed: int, key: str) -> Scene[CRPMixtureSettings]:
    """Make the chains of these settings."""
    data, columns = points_of(settings)
    chain = Chain(settings.sampler_of(data), seed, keep=KEPT)
    runs: list[PointsRun] = [MixtureRun(chain, columns)]
    other = (seed + 1) % 2**32  # always: the same darts would lead chains that meet along the same path for ever
    if settings.second == "branch":
        runs.append(MixtureRun(chain.branch(settings.branch_at, other), columns))
    elif settings.second == "finite":
        runs.append(
            PointsRun(Chain(settings.finite_of(data), other, keep=KEPT), Finite(settings.finite_of(data), columns))
        )
    elif settings.second != "none":
        runs.append(MixtureRun(Chain(settings.sampler_of(data, second=True), other, keep=KEPT), columns))
    titles = ("First chain", SECOND[settings.second])
    if settings.second == "finite":
        titles = ("CRP mixture", f"Finite mixture, K = {settings.second_finite}")
    return Scene(settings, key, runs, _truth(settings, data), ONE, TWO, titles)


def _truth(settings: CRPMixtureSettings, data: np.ndarray) -> ExactPosterior | None:
    if len(data) > EXACT_POINTS:
        return None
    family = settings.prior(data)
    if settings.learning == "learned":
        return exact_posterior(data, family, concentration_prior=CONCENTRATION_PRIOR)
    return exact_posterior(data, family, settings.concentration)


def scene_of(settings: CRPMixtureSettings, seed: int) -> Scene[CRPMixtureSettings]:
    """Return the chains of these settings, on the points that they name or the learner's own; sessions share them."""
    made = chains_of("crp_mixture", settings, seed, _scene)
    shows_alpha = settings.learning == "learned" and not settings.compared and settings.step_by == "sweep"
    learned = concentration_of(made) if shows_alpha else None
    listed = made.flat and made.exact is None
    one = WITH_REPLICA if settings.replicated else WITH_MAKERS if settings.remembered else ON_A_LINE if listed else ONE
    shown = replace(
        made,
        settings=settings,
        key=f"{made.key} {settings.prediction} {settings.replicated} {settings.remembered}",
        one=tuple("alpha" if learned and name == "trace" else name for name in one),
        replica=replica_of(_first(made)) if settings.replicated else None,
        makers=settings.dataset().labels if settings.remembered else None,
        learned=learned,
    )
    if settings.prediction == "sweep" or settings.second == "finite":
        return shown
    both = settings.second != "concentration"  # chains of one posterior
    exact = exact_of(shown) if both and shown.exact is not None and shown.flat else None
    return replace(shown, averaged=average_of(shown), exact_density=exact)


class CRPMixtureStage(PointsStage[CRPMixtureSettings]):
    """The stage of the topic "Clusters"."""

    makes = scene_of
    about = ("prediction", "summaries", "truth")
    diagram = diagram
    views: ClassVar = {
        "clusters": panels.clusters,
        "prediction": lambda scene, sweep: (check if scene.replica else next_point)(scene, sweep),
        "summaries": summaries,
        "chains": lambda scene, sweep: panels.chains(scene, sweep, followed(scene)),
        "truth": lambda scene, sweep: truth_of(scene, sweep),
    }

    def film(self, settings: CRPMixtureSettings, seed: int) -> Film:
        """Return the film of the story, or that of the sampler."""
        return making_of(settings, seed).film if settings.tells else super().film(settings, seed)

    def cards(self, settings: CRPMixtureSettings, seed: int, view: str, t: int) -> str:
        """Return a view of the inspector at frame t; of the story there is its step, and its code."""
        if not settings.tells:
            return super().cards(settings, seed, view, t)
        making = making_of(settings, seed)
        write = {"update": story.story, "code": story.code}.get(view)
        return write(making, min(t, making.total)) if write else story.BACKWARDS

    def chains(self, settings: CRPMixtureSettings, seed: int, t: int) -> list[ShownChain]:
        """Return the story, or the sampler's chains; a branch begins where the settings say."""
        if settings.tells:
            return [ShownChain(settings.story, seed, t)]
        chains = super().chains(settings, seed, t)
        if settings.second == "branch":
            chains[1] = replace(chains[1], branch=settings.branch_at)
        return chains

    def missing(self, settings: CRPMixtureSettings) -> str | None:
        """Return a sentence if a file is needed; the story needs none."""
        return None if settings.tells else super().missing(settings)

    def actions(self, place: Place[CRPMixtureSettings]) -> None:
        """Draw the buttons beside the inspector's views; of a story, the way from it to the sampler."""
        if not place.settings.tells:
            super().actions(place)
        elif place.t >= TURNS * LEAST_MADE and pressed(
            "Forget who made them", icon=":material/visibility_off:", help="The sampler gets these points alone."
        ):
            forget(place)
            st.rerun()

    def levels(self, settings: CRPMixtureSettings) -> tuple[str, ...]:
        """Return sweeps, points and beats; the story runs draw by draw."""
        return () if settings.tells else super().levels(settings)

    def open(self, place: Place[CRPMixtureSettings], mark: Open) -> None:
        """Open the update of a point, or go to the next sweep with a number of tables; of a story, go to the point."""
        if not place.settings.tells:
            super().open(place, mark)
        elif mark.what == "point":
            place.move(TURNS * mark.which)

    def model(self, settings: CRPMixtureSettings, seed: int, t: int) -> Diagram:
        """Return the model as a picture."""
        return diagram_of_story(t) if settings.tells else super().model(settings, seed, t)

    def beside(self, place: Place[CRPMixtureSettings]) -> None:
        """Draw the button that branches off a second chain, while there is none; beside an update there is no room."""
        if (
            place.view not in BEATS
            and place.settings.second == "none"
            and pressed(
                "Branch here", icon=":material/fork_right:", help="A second chain that draws other numbers from here"
            )
        ):
            place.change(second="branch", branch_at=place.t)
            st.rerun()


def forget(place: Place[CRPMixtureSettings]) -> None:
    """Go on with the points that have been made so far, and a sampler that does not know who made them."""
    settings = place.settings
    place.change(
        direction="backwards",
        data="made",
        points=place.t // TURNS,
        data_seed=place.seed,
        family="known",
        concentration=settings.made_alpha,
        step_by="sweep",
    )
    place.move(0)


def making_of(settings: CRPMixtureSettings, seed: int) -> Making:
    """Return the run of a story; sessions share it."""
    run = settings.as_run()
    key = f"crp_mixture forwards {run.points} {run.made_alpha} {seed}"
    return RUNS.shared(key, lambda: Making(run, seed, key))


def truth_of(scene: Scene[CRPMixtureSettings], sweep: int) -> str:
    """Return the chain beside the truth; beside a finite mixture, how near it comes to its limit."""
    if scene.settings.second == "finite":
        return limit(scene, sweep)
    return panels.truth(scene, sweep, listed="seat the points", more=own_limit(scene))


def own_limit(scene: Scene[CRPMixtureSettings]) -> str:
    """Return where a wrong rule ends up, and when that shows, as a sentence; nothing for the right rule."""
    settings, data = scene.settings, scene.data
    if settings.rule not in WRONG_RULES or len(data) > MATRIX_SHOWN or settings.learning == "learned":
        return ""
    assert scene.exact is not None
    rules = settings, settings.model_copy(update={"rule": "right"})
    right = scene.exact.probabilities
    found: str = RUNS.shared(
        f"{scene.key} limit", lambda: truth.own_limit(right, [sweep_matrix(rule.sampler_of(data)) for rule in rules])
    )
    return found


def followed(scene: Scene[CRPMixtureSettings]) -> dict[str, list[np.ndarray]]:
    """Return the series by which the chains are judged."""
    names = {"number of tables": "tables", "log joint": "log_joint"}
    if scene.settings.learning == "learned" and scene.settings.second != "finite":
        names["concentration"] = "concentration"
    return {title: [getattr(run, name) for run in scene.runs] for title, name in names.items()}


def concentration_of(scene: Scene[CRPMixtureSettings]) -> Concentration:
    """Return a concentration that is learned, as it is drawn."""
    exact = None
    if scene.exact is not None:
        exact = concentration_density(scene.exact, CONCENTRATION_PRIOR, LINE)
    shape, rate = CONCENTRATION_PRIOR
    prior = np.exp(shape * np.log(rate * LINE) - rate * LINE - special.gammaln(shape)) / LINE
    return Concentration(_first(scene).concentration, prior, exact)


def _first(scene: Scene[CRPMixtureSettings]) -> MixtureRun:
    assert isinstance(scene.run, MixtureRun)
    return scene.run
