"""Binary features: images, or any rows of numbers, taken apart into features that rows have or have not."""

from typing import ClassVar

from lessons.topics.ibp_features import IBPFeaturesSettings
from pages.scenes.modes import ModeStage
from pages.topics.ibp_features.bits import Bits
from pages.topics.ibp_features.sparse import Sparse


class IBPFeaturesStage(ModeStage[IBPFeaturesSettings]):
    """The stage of the topic "Features in pictures"."""

    modes: ClassVar = {"bits": Bits(), "sparse": Sparse()}
    whole = Bits.whole
    opens = Bits.opens
