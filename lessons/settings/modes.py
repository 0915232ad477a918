"""Settings whose topic has modes: each is a row of a table, which says what runs, what is counted and what is asked."""

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar, Generic

from lessons.settings.calls import Origins
from lessons.settings.law import Law
from lessons.settings.settings import Settings, StageSettings
from samplers import Chain
from samplers.recipe import Kernel


class Mode(Generic[Settings]):
    """A mode of a topic: what its settings answer while they are in it.

    All modes of a topic share its fields, as a learner who goes from one mode to another, and back, keeps her values.

    Attributes
    ----------
    controls : tuple of str
        The controls that have an effect in this mode, of those that other modes do without.
    counted_as : str
        The word for one iteration; "" for the topic's `unit` in the singular.
    """

    controls: ClassVar[tuple[str, ...]] = ()
    counted_as: ClassVar[str] = ""

    @abstractmethod
    def iterations(self, settings: Settings) -> int:
        """Return the number of iterations of a run."""

    @abstractmethod
    def sampler(self, settings: Settings) -> Kernel[Any, Any]:
        """Build the sampler."""

    @abstractmethod
    def measure(self, settings: Settings, chain: Chain[Any], t: int) -> Mapping[str, float]:
        """Return the outcomes of a run at iteration t, by name; those that are left out are 0."""

    def origins(self, settings: Settings) -> Origins:
        """Return the calls that make the sampler's arguments; none if all of them are numbers."""
        return {}

    def law(self, settings: Settings, outcome: str, t: int) -> Law | None:
        """Return the exact distribution of an outcome after t iterations; None if it is not known."""
        return None

    def lacking(self, settings: Settings) -> str:
        """Return why a run is not possible on the data that are there; "" if it is."""
        return ""


class ModeSettings(StageSettings):
    """Settings of a topic with modes; `mode` follows from its fields.

    Attributes
    ----------
    modes : mapping of str to Mode
        The table, by the names that `mode` gives.
    """

    modes: ClassVar[Mapping[str, Mode[Any]]] = {}

    @property
    def now(self) -> Mode[Any]:
        """The mode that these settings are in."""
        return self.modes[self.mode]

    @property
    def counted_as(self) -> str:
        """The mode's word for one iteration."""
        return self.now.counted_as or super().counted_as

    @property
    def iterations(self) -> int:
        """The mode's number of iterations."""
        return self.now.iterations(self)

    def origins(self) -> Origins:
        return self.now.origins(self)

    def lacking(self) -> str:
        return self.now.lacking(self) or super().lacking()

    def sampler(self) -> Kernel[Any, Any]:
        return self.now.sampler(self)

    def measure(self, chain: Chain[Any], t: int) -> Mapping[str, float]:
        none: dict[str, float] = dict.fromkeys(self.measured, 0)
        return {**none, **self.now.measure(self, chain, t)}

    def law(self, outcome: str, t: int) -> Law | None:
        return self.now.law(self, outcome, t)

    def matters(self, name: str) -> bool:
        """Hide what this mode does without, and what has no effect by the rules of all modes (`needs`)."""
        theirs = any(name in mode.controls for mode in self.modes.values())
        return (not theirs or name in self.now.controls) and super().matters(name)
