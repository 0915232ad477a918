"""A topic's tools as values: what a learner can press, choose, type and read beside its views; a host draws them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pages.contract.uploads import OwnUpload

Take = Callable[[Any], object]  # called with what a learner has chosen or typed


class Failed(RuntimeError):  # noqa: N818, as its subclasses say what failed
    """A computation that a learner asked for did not come about; the message is for learners."""


@dataclass(frozen=True)
class Press:
    """A button, which does something."""

    label: str
    act: Callable[[], object]
    icon: str = ""  # written whole, as ":material/undo:"; so are all others
    help: str | None = None
    looks: bool = False  # whether it changes only what is looked at: the text and the controls stay as they are


@dataclass(frozen=True)
class Pick:
    """A choice of one among options."""

    name: str  # the setting that it changes; a name that is unique on the page if it has a `take`
    label: str
    options: Mapping[Any, str]  # values, and the words for them
    value: Any  # the one that is chosen now; None if none is
    take: Take | None = None
    among: object = None  # whatever else the choice is about
    width: int | None = None  # in pixels; without it, and without words beside it, its label is above it
    beside: str = ""  # words beside it, in place of the label above
    pills: bool = False  # whether all options are in view
    help: str | None = None


@dataclass(frozen=True)
class Several:
    """A choice of any number of options, all of which are in view."""

    name: str  # unique on the page
    label: str
    options: Mapping[Any, str]
    value: list[Any]
    take: Take
    among: object = None  # whatever else the choice is about


@dataclass(frozen=True)
class Slide:
    """A slider for a setting."""

    name: str
    label: str
    low: int
    high: int
    width: int
    step: int = 1
    beside: str = ""  # words beside it, in place of the label above
    help: str | None = None


@dataclass(frozen=True)
class Number:
    """A field for a setting: the number, from 1, of what is looked at. Its label is beside it if it has no icon."""

    name: str
    label: str
    most: int
    width: int = 92  # in pixels
    icon: str = ""
    help: str | None = None


@dataclass(frozen=True)
class Field:
    """A field for a text."""

    name: str  # unique on the page
    label: str
    value: str
    take: Take
    longest: int  # in characters
    width: int
    icon: str = ""
    hint: str = ""  # shown while it is empty
    among: object = None  # whatever else the text is about


@dataclass(frozen=True)
class Note:
    """A sentence of plain text: a caption, or what a learner should notice, with an icon."""

    text: str
    icon: str = ""


@dataclass(frozen=True)
class Verdict:
    """The outcome of a guess, beside the views."""

    words: str
    chance: float  # that it had


@dataclass(frozen=True)
class Link:
    """A link to another topic."""

    topic: str
    label: str
    values: Mapping[str, Any]  # settings, seed or iteration there
    icon: str = ""


@dataclass(frozen=True)
class Own:
    """The upload of the learner's own data."""

    upload: OwnUpload
    folded: bool = False  # whether it is offered in place of data that are there


@dataclass(frozen=True)
class Computation:
    """A button for something that takes long; the host keeps its result and shows it."""

    label: str
    key: str  # of the result
    compute: Callable[[], Any]  # may raise `Failed`
    show: Callable[[Any], str]  # the result as HTML
    meanwhile: str
    icon: str = ""


Tool = Press | Pick | Several | Slide | Number | Field | Note | Verdict | Link | Own | Computation
