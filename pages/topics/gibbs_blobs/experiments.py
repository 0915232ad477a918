"""The four experiments of the post on one data set, a press each."""

from typing import Any

from lessons.topics.gibbs_blobs import GibbsBlobsSettings
from pages.contract.place import Place
from pages.contract.tools import Pick

DATA: dict[str, Any] = {
    "data": "two_directions",
    "points": 120,
    "data_seed": 1,
    "second": "none",
    "relabel": "off",
    "step_by": "sweep",
}
AS_IN_THE_POST = {"model": "finite", "blocks": "uncollapsed", "start": "prior"}
EXPERIMENTS: dict[str, dict[str, Any]] = {
    "Multinomial, K = 2": AS_IN_THE_POST | {"components": "multinomial", "number": 2, "class_prior": 1.0},
    "Multinomial, K = 3": AS_IN_THE_POST | {"components": "multinomial", "number": 3, "class_prior": 5.0},
    "Gaussian, K = 3": {"model": "finite", "blocks": "collapsed", "start": "random", "class_prior": 1.0}
    | {"components": "gaussian", "number": 3},
    "CRP": {"model": "CRP", "components": "gaussian", "concentration": 0.2},
}
SEED = 5


def settings_of(name: str) -> GibbsBlobsSettings:
    """Return an experiment's settings."""
    return GibbsBlobsSettings(**DATA, **EXPERIMENTS[name])


def experiments(place: Place) -> Pick:
    """Return the choice of an experiment; the one that is set is marked."""
    now = (place.settings.model_dump(exclude={"sweep", "point"}), place.seed)
    names = [name for name in EXPERIMENTS if (settings_of(name).model_dump(exclude={"sweep", "point"}), SEED) == now]

    def chosen(name: str | None) -> None:
        if name is not None:
            place.settings, place.seed = settings_of(name), SEED
            place.move(0)

    return Pick(
        "experiment",
        "Experiments",
        {name: name for name in EXPERIMENTS},
        next(iter(names), None),
        chosen,
        pills=True,
        help="One data set, four models: the first two as in “Stepping into the mixtures with Gibbs sampling”.",
    )
