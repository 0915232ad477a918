"""The mode in which the length of each path is drawn."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from lessons.topics.walk_the_hill.walks import NUTS_POINTS, OF_A_PATH, OF_A_WALK, Hamiltonian
from samplers.gradient.gist import GIST
from samplers.gradient.wrong import WRONG_PATHS
from samplers.recipe import Kernel

if TYPE_CHECKING:
    from lessons.topics.walk_the_hill import WalkTheHillSettings


class DrawnLengths(Hamiltonian):
    """GIST: the number of leapfrog steps is drawn, and the way back must be able to draw it as well."""

    turns = True
    controls = (*OF_A_WALK, *OF_A_PATH, "shortest", "path_rule", "bars")

    def points(self, settings: "WalkTheHillSettings") -> int:
        return NUTS_POINTS

    def sampler(self, settings: "WalkTheHillSettings") -> Kernel[Any, Any]:
        rule, start = WRONG_PATHS.get(settings.path_rule, GIST), np.array(settings.start)
        return rule(settings.density, settings.step_size, settings.shortest, settings.masses, start=start)

    def of_record(self, record: Any) -> Mapping[str, float]:
        return {**super().of_record(record), "length": record.length, "failed": int(not record.turned_back)}
