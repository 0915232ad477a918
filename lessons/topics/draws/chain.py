"""The mode with a Metropolis chain."""

from typing import TYPE_CHECKING, Any

import numpy as np

from lessons.topics.draws.independent import DrawMode
from samplers.conjugate.beta import BetaDensity
from samplers.diagnostics.convergence import diagnose
from samplers.judge.written import WrittenMetropolis
from samplers.recipe import Kernel
from samplers.regression.metropolis import RandomWalkMetropolis

if TYPE_CHECKING:
    from lessons.topics.draws import DrawsSettings


class Steps(DrawMode):
    """A step of the chain, which may move by a learner's ratio."""

    controls = ("scale", "start", "proposal")
    ruled = ("metropolis-grid",)

    def sampler(self, settings: "DrawsSettings") -> Kernel[Any, Any]:
        density, start = BetaDensity(settings.posterior), np.array([settings.start])
        right = RandomWalkMetropolis(density, settings.scale, start)
        return WrittenMetropolis(right, settings.moves_by) if settings.moves_by else right

    def theta(self, state: Any) -> float:
        return float(state.position[0])

    def worth(self, draws: list[float]) -> float:
        return diagnose(np.array([draws])).ess_bulk or 0
