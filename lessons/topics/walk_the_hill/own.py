"""The mode in which chains from a file are played."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from lessons.chains.chains import MOST_DRAWS
from lessons.topics.walk_the_hill.walks import ALONE, HillMode
from samplers import Chain
from samplers.recipe import Kernel

if TYPE_CHECKING:
    from lessons.topics.walk_the_hill import WalkTheHillSettings


class OwnChains(HillMode):
    """Somebody's own draws: an iteration is one draw of each chain.

    It is the first chain that is shown that has a place; all of them together have the other numbers.
    """

    controls = ("chain", "thin", "names")
    counted_as = "draw"

    def warmup(self, settings: "WalkTheHillSettings") -> int:
        return settings.shown().warmup

    def iterations(self, settings: "WalkTheHillSettings") -> int:
        return MOST_DRAWS // settings.thin if settings.unknown else settings.shown().total

    def sampler(self, settings: "WalkTheHillSettings") -> Kernel[Any, Any]:
        return settings.shown().sampler(0)

    def measure(self, settings: "WalkTheHillSettings", chain: Chain[Any], t: int) -> Mapping[str, float]:
        shown, at = settings.shown(), max(t, 1) - 1
        x, y = shown.values[0, at, :2].tolist()
        both = [shown.diagnosed(t, place) for place in (0, 1)]
        rhats, sizes = [one.rhat for one in both if one.rhat], [one.ess_bulk for one in both if one.ess_bulk]
        return {
            **ALONE,
            "x": x,
            "y": y,
            "divergent": int(t > 0 and shown.divergent[0, at]),
            "divergences": int(shown.divergent[:, shown.warmup : t].sum()),
            "rhat": round(max(rhats), 3) if len(rhats) == 2 else 0,
            "ess": round(min(sizes)) if len(sizes) == 2 else 0,
            "switches": shown.switches(t),
        }
