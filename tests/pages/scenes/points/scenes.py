"""Scenes of points, grown by sweeps."""

import numpy as np

from lessons.data.columns import Column
from lessons.own.points import OwnPoints
from lessons.own.store import keep_own
from lessons.topics.crp_mixture import CRPMixtureSettings
from pages.scenes.points.scene import MixtureScene
from pages.topics.crp_mixture.chains import scene_of
from samplers.crp.wrong import WRONG_RULES

SEED, SWEEPS = 3, 120
SETTINGS = {
    "plane": CRPMixtureSettings(points=30),
    "line, learned": CRPMixtureSettings(data="response_times", points=25, learning="learned"),
    "seven points": CRPMixtureSettings(data="seven_points", family="known", second="start"),
    "many tables": CRPMixtureSettings(points=40, concentration=20.0, start="apart"),
}
RULES = {rule: CRPMixtureSettings(data="uneven_points", family="known", rule=rule) for rule in WRONG_RULES}
ALL = SETTINGS | RULES
TINY = ["seven points", *RULES]


def grown(made: MixtureScene, sweeps: int = SWEEPS) -> MixtureScene:
    for run in made.runs:
        while run.grow(sweeps) < sweeps:
            pass
    return made


def scene(name: str) -> MixtureScene:
    return grown(scene_of(ALL[name], SEED))


def own(data: np.ndarray, names: tuple[str, ...], units=((0.0, 1.0), (0.0, 1.0)), **changes) -> MixtureScene:
    columns = tuple(Column(name, *unit) for name, unit in zip(names, units, strict=False))
    digest = keep_own(OwnPoints(data, columns))
    return grown(scene_of(CRPMixtureSettings(data="own", own=digest, **changes), SEED))
