"""Gibbs sampling of the CRP mixture: one chain, or a second one beside it."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, ClassVar, NamedTuple

import numpy as np
from scipy import special

from lessons.topics.crp_mixture import CONCENTRATION_PRIOR, CRPMixtureSettings
from pages.contract.moment import ShownChain
from pages.contract.place import Place
from pages.contract.tools import Press, Tool
from pages.drawing import truth
from pages.player.run import KEPT
from pages.scenes.gibbs_stage import BEATS
from pages.scenes.points import panels
from pages.scenes.points.concentration import LINE, Concentration
from pages.scenes.points.scene import MixtureScene
from pages.scenes.points.stage import PointsStage, chains_of, points_of
from pages.scenes.shared import key_of, shared
from pages.topics.crp_mixture.diagram import diagram
from pages.topics.crp_mixture.prediction import average_of, check, exact_of, next_point, replica_of
from pages.topics.crp_mixture.run import MixtureRun
from pages.topics.crp_mixture.summaries import summaries
from samplers import Chain
from samplers.crp.exact_partitions import ExactPosterior, concentration_density, exact_posterior, sweep_matrix
from samplers.crp.wrong import WRONG_RULES

EXACT_POINTS = 8
MATRIX_SHOWN = 5  # points whose exact sweep can be written down while somebody waits
ONE = ("points", "many", "trace", "tables")
ON_A_LINE = ("points", "histogram", "many", "trace", "tables")
WITH_REPLICA = ("points", "replica", "many", "trace")
WITH_MAKERS = ("points", "makers", "many", "trace")
TWO = ("points", "second", "many", "trace", "tables")
FOLLOWED = {"number of tables": "tables", "log joint": "log_joint"}  # the series by which chains are judged
SERIES = {"fixed": FOLLOWED, "learned": FOLLOWED | {"concentration": "concentration"}}


class Second(NamedTuple):
    """A second chain: its title, and what makes it from settings, the points, the first chain and another seed."""

    title: str
    chain: Callable[[CRPMixtureSettings, np.ndarray, Chain, int], Chain]


def _other(settings: CRPMixtureSettings, data: np.ndarray, first: Chain, seed: int) -> Chain:
    return Chain(settings.sampler_of(data, second=True), seed, keep=KEPT)


SECOND = {
    "seed": Second("Second chain: the next seed", _other),
    "concentration": Second("Second chain: another concentration", _other),
    "start": Second("Second chain: another start", _other),
    "branch": Second(
        "Second chain: branched off", lambda settings, data, first, seed: first.branch(settings.branch_at, seed)
    ),
}


def another(seed: int) -> int:
    """Return the seed of a second chain: with the same darts, chains that meet would go the same way for ever."""
    return (seed + 1) % 2**32


@shared
def _scene(settings: CRPMixtureSettings, seed: int) -> MixtureScene[CRPMixtureSettings]:
    data, columns = points_of(settings)
    chains, titles = [Chain(settings.sampler_of(data), seed, keep=KEPT)], ("First chain", "")
    if second := SECOND.get(settings.second):
        chains.append(second.chain(settings, data, chains[0], another(seed)))
        titles = ("First chain", second.title)
    beside = settings.second not in ("none", "branch")
    runs = [MixtureRun(chain, columns, renamed=beside and chain is not chains[0]) for chain in chains]
    return MixtureScene(settings, key_of(settings, seed), runs, truth_of(settings, data), ONE, TWO, titles)


def truth_of(settings: CRPMixtureSettings, data: np.ndarray) -> ExactPosterior | None:
    """Return the posterior over all seatings of few points."""
    return exact_posterior(data, settings.prior(data), **settings.weight) if len(data) <= EXACT_POINTS else None


def looked_at(made: MixtureScene[CRPMixtureSettings], settings: CRPMixtureSettings) -> MixtureScene[CRPMixtureSettings]:
    """Return chains with the settings of the one who looks at them."""
    key = f"{made.key} {settings.prediction} {settings.replicated} {settings.remembered}"
    return replace(made, settings=settings, key=key)


def scene_of(settings: CRPMixtureSettings, seed: int) -> MixtureScene[CRPMixtureSettings]:
    """Return the chains of these settings, on the points that they name or the learner's own; sessions share them."""
    made = chains_of(settings, seed, _scene)
    shown = replace(looked_at(made, settings), **_beside(settings, made))
    if settings.learning == "learned" and not settings.compared and settings.step_by == "sweep":
        one = tuple("alpha" if name == "trace" else name for name in shown.one)
        shown = replace(shown, one=one, learned=concentration_of(made))
    if settings.prediction == "sweep":
        return shown
    both = settings.second != "concentration"  # chains of one posterior
    exact = exact_of(shown) if both and shown.exact is not None and shown.flat else None
    return replace(shown, averaged=average_of(shown), exact_density=exact)


def _beside(settings: CRPMixtureSettings, made: MixtureScene[CRPMixtureSettings]) -> dict[str, Any]:
    """Return the charts of one chain, and what is drawn beside its points, if anything is."""
    if settings.replicated:
        return {"one": WITH_REPLICA, "replica": replica_of(_first(made))}
    if settings.remembered:
        return {"one": WITH_MAKERS, "makers": settings.dataset().labels}
    return {"one": ON_A_LINE if made.flat and made.exact is None else ONE}


class Chains(PointsStage[CRPMixtureSettings]):
    """The sampler, backwards from points to labels."""

    makes = scene_of
    diagram = diagram
    views: ClassVar = {
        "clusters": panels.clusters,
        "prediction": lambda scene, sweep: (check if scene.replica else next_point)(scene, sweep),
        "summaries": summaries,
        "chains": lambda scene, sweep: panels.chains(scene, sweep, followed(scene)),
        "truth": lambda scene, sweep: beside_truth(scene, sweep),
    }

    def chains(self, settings: CRPMixtureSettings, seed: int, t: int) -> list[ShownChain]:
        """Return the chains on the screen; a branch begins where the settings say."""
        chains = super().chains(settings, seed, t)
        if settings.second == "branch":
            chains[1] = replace(chains[1], branch=settings.branch_at)
        return chains

    def beside(self, place: Place[CRPMixtureSettings]) -> Iterable[Tool]:
        """Yield the button that branches off a second chain, while there is none; beside an update there is no room."""
        if place.view not in BEATS and place.settings.second == "none":
            said = "A second chain that draws other numbers from here"
            yield Press("Branch here", lambda: branch(place), ":material/fork_right:", said)


def branch(place: Place[CRPMixtureSettings]) -> None:
    """Add a second chain that leaves the first one here."""
    place.change(second="branch", branch_at=place.t)


def beside_truth(scene: MixtureScene[CRPMixtureSettings], sweep: int) -> str:
    """Return the chain beside the exact posterior."""
    return panels.truth(scene, sweep, listed="seat the points", more=own_limit(scene))


def own_limit(scene: MixtureScene[CRPMixtureSettings]) -> str:
    """Return where a wrong rule ends up, and when that shows, as a sentence; nothing for the right rule."""
    settings, data = scene.settings, scene.data
    if settings.rule not in WRONG_RULES or len(data) > MATRIX_SHOWN or settings.learning == "learned":
        return ""
    return _own_limit(scene)


@shared
def _own_limit(scene: MixtureScene[CRPMixtureSettings]) -> str:
    assert scene.exact is not None
    rules = scene.settings, scene.settings.model_copy(update={"rule": "right"})
    return truth.own_limit(scene.exact.probabilities, [sweep_matrix(rule.sampler_of(scene.data)) for rule in rules])


def followed(scene: MixtureScene[CRPMixtureSettings]) -> dict[str, list[np.ndarray]]:
    """Return the series by which the chains are judged."""
    return series_of(scene, SERIES[scene.settings.learning])


def series_of(scene: MixtureScene[CRPMixtureSettings], names: Mapping[str, str]) -> dict[str, list[np.ndarray]]:
    """Return series of all chains by their titles; the names are those of columns."""
    return {title: [getattr(run, name) for run in scene.runs] for title, name in names.items()}


def concentration_of(scene: MixtureScene[CRPMixtureSettings]) -> Concentration:
    """Return a concentration that is learned, as it is drawn."""
    exact = None
    if scene.exact is not None:
        exact = concentration_density(scene.exact, CONCENTRATION_PRIOR, LINE)
    shape, rate = CONCENTRATION_PRIOR
    prior = np.exp(shape * np.log(rate * LINE) - rate * LINE - special.gammaln(shape)) / LINE
    return Concentration(_first(scene).concentration, prior, exact)


def _first(scene: MixtureScene[CRPMixtureSettings]) -> MixtureRun:
    assert isinstance(scene.run, MixtureRun)
    return scene.run
